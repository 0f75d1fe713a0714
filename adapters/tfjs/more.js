// More of TensorFlow's ops in the words of TensorFlow.js: windows, matrices, choosing. Each is one of the library's functions.
"use strict";

const { Unsupported } = require("./values.js");

// One number for each dimension, of what TensorFlow takes: a number, or 1, `n`, or two more numbers.
function each(given, n) {
  if (given === undefined || given === null) return Array(n).fill(1);
  if (typeof given === "number") return Array(n).fill(given);
  if (given.length === 1) return Array(n).fill(given[0]);
  return given.length === n ? given : given.slice(1, -1);
}

const lower = (padding) => {
  if (padding !== "SAME" && padding !== "VALID") throw new Unsupported("paddings are SAME or VALID here");
  return padding.toLowerCase();
};

function moreOps(tf) {
  return Object.assign(convolutions(tf), pools(tf), matrices(tf), chosen(tf));
}

function convolutions(tf) {
  const convolved = ([x, w], { strides, padding = "VALID", dilations }) => {
    const n = x.rank - 2;
    if (x.shape[n + 1] !== w.shape[n]) throw new Unsupported("tfjs has no groups of channels");
    const [by, apart] = [each(strides, n), each(dilations, n)];
    if (n === 1) return tf.conv1d(x, w, by[0], lower(padding), "NWC", apart[0]);
    return n === 2 ? tf.conv2d(x, w, by, lower(padding), "NHWC", apart) : tf.conv3d(x, w, by, lower(padding), "NDHWC", apart);
  };
  return {
    "nn.conv1d": ([x, w], { stride = 1, padding, dilations }) => convolved([x, w], { strides: stride, padding, dilations }),
    "nn.conv2d": convolved,
    "nn.conv3d": convolved,
    "nn.convolution": convolved,
    "nn.atrous_conv2d": ([x, w], { rate, padding }) => convolved([x, w], { strides: 1, padding, dilations: rate }),
    "nn.depthwise_conv2d": ([x, w], { strides, padding, dilations }) =>
      tf.depthwiseConv2d(x, w, each(strides, 2), lower(padding), "NHWC", each(dilations, 2)),
    "nn.separable_conv2d": ([x, w, points], { strides, padding }) =>
      tf.separableConv2d(x, w, points, each(strides, 2), lower(padding)),
    "nn.conv2d_transpose": ([x, w], { output_shape, strides, padding }) =>
      tf.conv2dTranspose(x, w, output_shape, each(strides, 2), lower(padding)),
    "nn.conv3d_transpose": ([x, w], { output_shape, strides, padding }) =>
      tf.conv3dTranspose(x, w, output_shape, each(strides, 3), lower(padding)),
  };
}

function pools(tf) {
  const pooled = (two, three) => ([x], { ksize, strides, padding }) => {
    const n = x.rank - 2;
    if (n === 1) throw new Unsupported("tfjs pools two or three dimensions");
    return (n === 2 ? two : three)(x, each(ksize, n), each(strides, n), lower(padding));
  };
  const [largest, mean] = [pooled(tf.maxPool, tf.maxPool3d), pooled(tf.avgPool, tf.avgPool3d)];
  return {
    "nn.max_pool": largest,
    "nn.max_pool2d": largest,
    "nn.max_pool3d": largest,
    "nn.avg_pool": mean,
    "nn.avg_pool2d": mean,
    "nn.avg_pool3d": mean,
    "nn.lrn": ([x], { depth_radius = 5, bias = 1, alpha = 1, beta = 0.5 }) =>
      tf.localResponseNormalization(x, depth_radius, bias, alpha, beta),
  };
}

function matrices(tf) {
  const turned = (x) => tf.transpose(x, [...Array(x.rank - 2).keys(), x.rank - 1, x.rank - 2]);
  return {
    einsum: ([equation, ...operands]) => tf.einsum(equation, ...operands),
    "linalg.matrix_transpose": ([x], { conjugate }) => turned(x), // of real numbers
    "linalg.adjoint": ([x]) => turned(x),
    "linalg.band_part": ([x, below, above]) => tf.linalg.bandPart(x, below, above),
    "linalg.tensor_diag": ([x]) => tf.diag(x),
    "nn.moments": ([x, axes], { keepdims = false }) => {
      const { mean, variance } = tf.moments(x, axes, keepdims);
      return [mean, variance];
    },
    "nn.batch_normalization": ([x, mean, variance, offset, scale, epsilon]) =>
      tf.batchNorm(x, mean, variance, offset, scale, epsilon),
  };
}

function chosen(tf) {
  return {
    gather_nd: ([x, indices]) => tf.gatherND(x, indices),
    scatter_nd: ([indices, updates, shape]) => tf.scatterND(indices, updates, shape),
    tensor_scatter_nd_update: ([x, indices, updates]) => tf.tensorScatterUpdate(x, indices, updates),
    "math.unsorted_segment_sum": ([x, ids, count]) => tf.unsortedSegmentSum(x, ids, count),
    "math.top_k": ([x, k = 1], { k: count = k }) => {
      const { values, indices } = tf.topk(x, count);
      return [values, indices];
    },
    strided_slice: ([x, begin, end, strides]) => tf.stridedSlice(x, begin, end, strides),
    ensure_shape: ([x, shape]) => tf.ensureShape(x, shape),
    "nn.depth_to_space": ([x, size]) => tf.depthToSpace(x, size),
    space_to_batch: ([x, block, paddings]) => tf.spaceToBatchND(x, block, paddings),
    batch_to_space: ([x, block, crops]) => tf.batchToSpaceND(x, block, crops),
    "image.flip_left_right": ([x]) => {
      if (x.rank !== 4) throw new Unsupported("tfjs flips batches of images");
      return tf.image.flipLeftRight(x);
    },
    "image.resize": ([x, size], { method = "bilinear" }) => {
      if (method === "bilinear") return tf.image.resizeBilinear(x, size, false, true);
      if (method === "nearest") return tf.image.resizeNearestNeighbor(x, size, false, true);
      throw new Unsupported(`tfjs has no ${method}`);
    },
  };
}

module.exports = { moreOps };
