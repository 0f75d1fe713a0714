// TensorFlow's ops in the words of TensorFlow.js. Only spelling: each op is one of the library's functions.
// An op takes its operands, then an object of attributes by TensorFlow's names.
"use strict";

const { moreOps } = require("./more.js");
const { Unsupported } = require("./values.js");

const BINARY = {
  add: "add", subtract: "sub", multiply: "mul", divide: "div", pow: "pow", maximum: "maximum", minimum: "minimum",
  atan2: "atan2", squared_difference: "squaredDifference", divide_no_nan: "divNoNan", floormod: "mod",
  floordiv: "floorDiv", greater: "greater", less: "less", greater_equal: "greaterEqual", less_equal: "lessEqual",
  equal: "equal", not_equal: "notEqual", logical_and: "logicalAnd", logical_or: "logicalOr",
};
const UNARY = {
  square: "square", sqrt: "sqrt", rsqrt: "rsqrt", reciprocal: "reciprocal", negative: "neg", abs: "abs", sign: "sign",
  exp: "exp", expm1: "expm1", log: "log", log1p: "log1p", sigmoid: "sigmoid", tanh: "tanh", sin: "sin", cos: "cos",
  tan: "tan", asin: "asin", acos: "acos", atan: "atan", sinh: "sinh", cosh: "cosh", asinh: "asinh", acosh: "acosh",
  atanh: "atanh", erf: "erf", floor: "floor", ceil: "ceil", round: "round", softplus: "softplus",
  log_sigmoid: "logSigmoid", logical_not: "logicalNot", is_nan: "isNaN", is_inf: "isInf", is_finite: "isFinite",
  rint: "round",
};
const OPERATORS = {
  mul: "mul", add: "add", sub: "sub", truediv: "div", pow: "pow", floordiv: "floorDiv", mod: "mod", gt: "greater",
  lt: "less", ge: "greaterEqual", le: "lessEqual", neg: "neg", abs: "abs", matmul: "matMul",
};
const REDUCTIONS = {
  reduce_sum: "sum", reduce_mean: "mean", reduce_prod: "prod", reduce_max: "max", reduce_min: "min",
  reduce_all: "all", reduce_any: "any", reduce_logsumexp: "logSumExp", reduce_euclidean_norm: "euclideanNorm",
};
const ONLY_IN_MATH = new Set([
  "log", "log1p", "expm1", "reciprocal", "rsqrt", "floormod", "floordiv", "atan2", "erf", "ceil", "softplus",
  "log_sigmoid", "squared_difference", "divide_no_nan", "is_nan", "is_inf", "is_finite", "rint", "reduce_euclidean_norm",
]);
// Ops of two tensors, where a number may stand for one.
const OF_TWO = new Set([...Object.keys(BINARY), ...Object.keys(OPERATORS)]);
const SEVERAL = { split: "list", unstack: "list", "nn.moments": "tuple", "math.top_k": "tuple" };

function table(tf) {
  const ops = {};
  const named = (name, call) => {
    ops[`math.${name}`] = call;
    if (!ONLY_IN_MATH.has(name)) ops[name] = call;
  };
  for (const [ours, theirs] of Object.entries(BINARY)) named(ours, ([a, b]) => tf[theirs](a, b));
  for (const [ours, theirs] of Object.entries(UNARY)) named(ours, ([x]) => tf[theirs](x));
  for (const [ours, theirs] of Object.entries(OPERATORS)) ops[`operator.${ours}`] = (args) => tf[theirs](...args);
  for (const [ours, theirs] of Object.entries(REDUCTIONS)) {
    named(ours, ([x, axis], { axis: by = axis, keepdims = false }) => tf[theirs](x, by, keepdims));
  }
  return Object.assign(ops, activations(tf), shaping(tf), others(tf), moreOps(tf));
}

function activations(tf) {
  const axis = ([, axis], { axis: by = axis ?? -1 }) => by;
  return {
    "nn.relu": ([x]) => tf.relu(x),
    "nn.relu6": ([x]) => tf.relu6(x),
    "nn.elu": ([x]) => tf.elu(x),
    "nn.selu": ([x]) => tf.selu(x),
    "nn.tanh": ([x]) => tf.tanh(x),
    "nn.sigmoid": ([x]) => tf.sigmoid(x),
    "nn.softplus": ([x]) => tf.softplus(x),
    "nn.leaky_relu": ([x], { alpha = 0.2 }) => tf.leakyRelu(x, alpha),
    "nn.softmax": (args, attributes) => tf.softmax(args[0], axis(args, attributes)),
    "nn.log_softmax": (args, attributes) => tf.logSoftmax(args[0], axis(args, attributes)),
    cumsum: ([x], { axis = 0, exclusive = false, reverse = false }) => tf.cumsum(x, fromStart(x, axis), exclusive, reverse),
    "math.cumprod": ([x], { axis = 0, exclusive = false, reverse = false }) =>
      tf.cumprod(x, fromStart(x, axis), exclusive, reverse),
  };
}

const fromStart = (x, axis) => (axis < 0 ? axis + x.rank : axis);

function shaping(tf) {
  return {
    reshape: ([x, shape]) => tf.reshape(x, shape),
    transpose: ([x, perm], { perm: by = perm }) => tf.transpose(x, by),
    squeeze: ([x], { axis }) => tf.squeeze(x, axis),
    expand_dims: ([x, axis], { axis: by = axis }) => tf.expandDims(x, by),
    broadcast_to: ([x, shape]) => tf.broadcastTo(x, shape),
    tile: ([x, multiples]) => tf.tile(x, multiples),
    pad: ([x, paddings], { mode = "CONSTANT", constant_values = 0 }) =>
      mode === "CONSTANT" ? tf.pad(x, paddings, constant_values) : tf.mirrorPad(x, paddings, mode.toLowerCase()),
    reverse: ([x], { axis }) => tf.reverse(x, axis),
    concat: ([values, axis], { axis: by = axis }) => tf.concat(values, by),
    stack: ([values], { axis = 0 }) => tf.stack(values, axis),
    split: ([x, sizes], { axis = 0 }) => tf.split(x, sizes, axis),
    unstack: ([x], { axis = 0 }) => tf.unstack(x, axis),
    add_n: ([values]) => tf.addN(values),
    slice: ([x], { begin, size }) => tf.slice(x, begin, size),
    gather: ([x, indices], { axis = 0 }) => tf.gather(x, asIndices(tf, indices), axis),
  };
}

function asIndices(tf, indices) {
  return Array.isArray(indices) ? tf.tensor1d(indices, "int32") : typeof indices === "number" ? tf.scalar(indices, "int32") : indices;
}

function others(tf) {
  const matmul = ([a, b], { transpose_a = false, transpose_b = false, adjoint_a = false, adjoint_b = false }) =>
    tf.matMul(a, b, transpose_a || adjoint_a, transpose_b || adjoint_b); // an adjoint of real numbers
  return {
    "linalg.matmul": matmul,
    matmul,
    where: ([condition, x, y]) => {
      if (x === undefined) throw new Unsupported("tfjs has where of three tensors alone");
      return tf.where(condition, x, y);
    },
    clip_by_value: ([x, low, high], { clip_value_min = low, clip_value_max = high }) =>
      tf.clipByValue(x, clip_value_min, clip_value_max),
    zeros_like: ([x]) => tf.zerosLike(x),
    ones_like: ([x]) => tf.onesLike(x),
    norm: ([x], { ord = "euclidean", axis = null, keepdims = false }) => {
      if (ord === 3) throw new Unsupported("tfjs has no norm of order 3");
      if (axis !== null) return tf.norm(x, ord, axis, keepdims);
      const made = tf.norm(tf.reshape(x, [-1]), ord); // the norm of all elements, which tfjs would take of a matrix
      return keepdims ? tf.reshape(made, x.shape.map(() => 1)) : made;
    },
    cast: ([x, dtype], { dtype: to = dtype }) => {
      if (!["float32", "int32", "bool"].includes(to)) throw new Unsupported(`tfjs has no ${to}`);
      return tf.cast(x, to);
    },
  };
}

module.exports = { table, OF_TWO, SEVERAL };
