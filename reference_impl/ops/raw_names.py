# ruff: noqa: E501  # one line for each kind of call
"""``tf.raw_ops``: how kernels that public functions run are called under their own names.

Each line of ``_TABLE`` reads ``Kernel Kernel ... (parameters) = function(arguments) -> fields``:

- the kernels that are called alike, and TensorFlow's parameters with their defaults (all are given by name, and
  ``name`` is left out);
- the function that computes them: a public name, ``F.`` and a name of the namespace of ops, ``W.`` and a function of
  raw_windows.py, or ``.`` and one of raw_kernels.py.  A star stands for the kernel's name in small letters.  Without
  arguments it gets all parameters in their order;
- the fields of the named tuple that is the result, where it is one.

``found(kernel)`` makes the function when it is first asked for.
"""

from __future__ import annotations

import ast
import inspect
from collections import namedtuple
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from .. import dtypes
from ..foundation.building import intercepted
from .arguments import raw, snake
from .declare import NAMES, tensors

_TABLE = """\
Abs Acos Acosh Asin Asinh Atan Atanh Ceil Cos Cosh Digamma Erf Erfc Erfinv Exp Expm1 Floor IsFinite IsInf IsNan Lgamma Log Log1p Ndtri Reciprocal Rint Round Rsqrt Sigmoid Sin Sinh Sqrt Square Tan Tanh (x) = math.*
BesselI0 BesselI0e BesselI1 BesselI1e BesselJ0 BesselJ1 BesselK0 BesselK0e BesselK1 BesselK1e BesselY0 BesselY1 Dawsn Expint FresnelCos FresnelSin Spence (x) = math.special.*
Neg (x) = math.negative
Sign (x) = .sign
Conj (input) = math.conj
ComplexAbs (x, Tout=float32) = .complex_abs
Angle Real Imag (input, Tout=float32) = .*
Complex (real, imag, Tout=complex64) = .complex_
Cast (x, DstT, Truncate=False) = .cast
Identity StopGradient (input) = *
IdentityN (input) = identity_n
ZerosLike OnesLike (x) = *
AddV2 (x, y) = math.add
Sub (x, y) = math.subtract
Mul (x, y) = math.multiply
RealDiv (x, y) = realdiv
DivNoNan (x, y) = math.divide_no_nan
MulNoNan (x, y) = math.multiply_no_nan
FloorDiv (x, y) = math.floordiv
FloorMod (x, y) = math.floormod
TruncateDiv (x, y) = truncatediv
TruncateMod (x, y) = truncatemod
Maximum Minimum Pow SquaredDifference Xdivy Xlog1py Xlogy (x, y) = math.*
Greater GreaterEqual Less LessEqual LogicalAnd LogicalOr (x, y) = math.*
Equal NotEqual (x, y, incompatible_shape_error=True) = .*
LogicalNot (x) = math.logical_not
BitwiseAnd BitwiseOr BitwiseXor LeftShift RightShift (x, y) = bitwise.*
Invert (x) = bitwise.invert
Atan2 (y, x) = math.atan2
NextAfter (x1, x2) = math.nextafter
Betainc (a, b, x) = math.betainc
Igamma Igammac (a, x) = math.*
Polygamma (a, x) = math.polygamma
Zeta (x, q) = math.zeta
ReluGrad Relu6Grad (gradients, features) = F.*
EluGrad SeluGrad (gradients, outputs) = F.*
LeakyReluGrad (gradients, features, alpha=0.2) = .leaky_relu_grad
SoftsignGrad (gradients, features) = F.softsign_grad
RsqrtGrad SigmoidGrad SqrtGrad TanhGrad (y, dy) = F.*
Elu Relu Relu6 Selu Softplus Softsign (features) = nn.*
LeakyRelu (features, alpha=0.2) = nn.leaky_relu
Softmax LogSoftmax (logits) = nn.*
SoftmaxCrossEntropyWithLogits (features, labels) = .dense_loss -> loss backprop
SparseSoftmaxCrossEntropyWithLogits (features, labels) = .sparse_loss -> loss backprop
AddN (inputs) = .add_n
MatMul (a, b, transpose_a=False, transpose_b=False, grad_a=False, grad_b=False) = .matmul
BatchMatMulV2 (x, y, adj_x=False, adj_y=False, grad_x=False, grad_y=False) = .batch_matmul
Max Min Sum Prod Mean EuclideanNorm All Any (input, axis, keep_dims=False) = math.reduce_*
ArgMax ArgMin (input, dimension, output_type=int64) = .*
Cumprod Cumsum CumulativeLogsumexp (x, axis, exclusive=False, reverse=False) = math.*
SegmentMax SegmentMean SegmentMin SegmentProd SegmentSum (data, segment_ids) = math.*
UnsortedSegmentMax UnsortedSegmentMin UnsortedSegmentProd UnsortedSegmentSum (data, segment_ids, num_segments) = math.*
ClipByValue (t, clip_value_min, clip_value_max) = clip_by_value
SelectV2 (condition, t, e) = where
Cross (a, b) = linalg.cross
Einsum (inputs, equation) = .einsum
L2Loss (t) = nn.l2_loss
FFT FFT2D FFT3D IFFT IFFT2D IFFT3D (input) = signal.*
RFFT RFFT2D (input, fft_length, Tcomplex=complex64) = .*
IRFFT IRFFT2D (input, fft_length, Treal=float32) = .*
BatchToSpaceND (input, block_shape, crops) = batch_to_space
SpaceToBatchND (input, block_shape, paddings) = space_to_batch
DepthToSpace SpaceToDepth (input, block_size, data_format="NHWC") = nn.*
BroadcastTo EnsureShape (input, shape) = *
ConcatV2 (values, axis) = concat
Diag (diagonal) = linalg.tensor_diag
DiagPart (input) = linalg.tensor_diag_part
ExpandDims (input, axis) = expand_dims
ExtractImagePatches (images, ksizes, strides, rates, padding) = image.extract_patches
Fill (dims, value) = fill
GatherNd (params, indices, bad_indices_policy="") = gather_nd(params, indices, bad_indices_policy=bad_indices_policy)
GatherV2 (params, indices, axis, batch_dims=0) = gather(params, indices, axis=axis, batch_dims=batch_dims)
MatrixBandPart (input, num_lower, num_upper) = linalg.band_part
MatrixDiagPartV3 (input, k, padding_value, align="RIGHT_LEFT") = linalg.diag_part(input, k=k, padding_value=padding_value, align=align)
MatrixDiagV3 (diagonal, k, num_rows, num_cols, padding_value, align="RIGHT_LEFT") = linalg.diag(diagonal, k=k, num_rows=num_rows, num_cols=num_cols, padding_value=padding_value, align=align)
MatrixSetDiagV3 (input, diagonal, k, align="RIGHT_LEFT") = linalg.set_diag(input, diagonal, k=k, align=align)
MirrorPad (input, paddings, mode) = pad
MirrorPadGrad (input, paddings, mode) = .mirror_pad_grad
Pack (values, axis=0) = stack
Pad (input, paddings) = pad
PadV2 (input, paddings, constant_values) = pad(input, paddings, constant_values=constant_values)
Reshape (tensor, shape) = reshape
ReverseSequence (input, seq_lengths, seq_dim, batch_dim=0) = reverse_sequence
ReverseV2 (tensor, axis) = reverse
Roll (input, shift, axis) = roll
ScatterNd (indices, updates, shape, bad_indices_policy="") = scatter_nd(indices, updates, shape, bad_indices_policy=bad_indices_policy)
Slice (input, begin, size) = slice
Split (axis, value, num_split) = .split
SplitV (value, size_splits, axis, num_split) = .split_v
Squeeze (input, axis=[]) = .squeeze
StridedSlice (input, begin, end, strides, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0) = .strided_slice
TensorScatterAdd (tensor, indices, updates, bad_indices_policy="") = tensor_scatter_nd_add(tensor, indices, updates)
TensorScatterMax (tensor, indices, updates, bad_indices_policy="") = tensor_scatter_nd_max(tensor, indices, updates)
TensorScatterMin (tensor, indices, updates, bad_indices_policy="") = tensor_scatter_nd_min(tensor, indices, updates)
TensorScatterSub (tensor, indices, updates, bad_indices_policy="") = tensor_scatter_nd_sub(tensor, indices, updates)
TensorScatterUpdate (tensor, indices, updates, bad_indices_policy="") = tensor_scatter_nd_update(tensor, indices, updates)
Tile (input, multiples) = .tile
Transpose (x, perm) = transpose
Unpack (value, num, axis=0) = unstack
OneHot (indices, depth, on_value, off_value, axis=-1) = one_hot
Range (start, limit, delta) = range
LinSpace (start, stop, num) = .line
Rank (input) = rank
Shape Size (input, out_type=int32) = *
ShapeN (input, out_type=int32) = shape_n
InvertPermutation (x) = math.invert_permutation
DynamicPartition (data, partitions, num_partitions) = dynamic_partition
DynamicStitch (indices, data) = dynamic_stitch
TopKV2 (input, k, sorted=True, index_type=int32) = math.top_k -> values indices
ApproxTopK (input, k, reduction_dimension=-1, recall_target=0.95, is_max_k=True, reduction_input_size_override=-1, aggregate_to_topk=True) = .approx_top_k -> values indices
AvgPool (value, ksize, strides, padding, data_format="NHWC") = nn.avg_pool2d
AvgPool3D (input, ksize, strides, padding, data_format="NDHWC") = nn.avg_pool3d
MaxPool (input, ksize, strides, padding, explicit_paddings=[], data_format="NHWC") = W.max_pool
MaxPool3D (input, ksize, strides, padding, data_format="NDHWC") = nn.max_pool3d
MaxPoolWithArgmax (input, ksize, strides, padding, Targmax=int64, include_batch_in_index=False) = nn.max_pool_with_argmax(input, ksize, strides, padding, output_dtype=Targmax, include_batch_in_index=include_batch_in_index) -> output argmax
AvgPoolGrad (orig_input_shape, grad, ksize, strides, padding, data_format="NHWC") = W.avg_pool_grad
BiasAdd (value, bias, data_format="NHWC") = nn.bias_add
Conv2D (input, filter, strides, padding, use_cudnn_on_gpu=True, explicit_paddings=[], data_format="NHWC", dilations=[1, 1, 1, 1]) = W.conv2d
Conv2DBackpropInput (input_sizes, filter, out_backprop, strides, padding, use_cudnn_on_gpu=True, explicit_paddings=[], data_format="NHWC", dilations=[1, 1, 1, 1]) = W.conv2d_input
Conv2DBackpropFilter (input, filter_sizes, out_backprop, strides, padding, use_cudnn_on_gpu=True, explicit_paddings=[], data_format="NHWC", dilations=[1, 1, 1, 1]) = W.conv2d_filter
Conv3D (input, filter, strides, padding, data_format="NDHWC", dilations=[1, 1, 1, 1, 1]) = nn.conv3d
Conv3DBackpropInputV2 (input_sizes, filter, out_backprop, strides, padding, data_format="NDHWC", dilations=[1, 1, 1, 1, 1]) = nn.conv3d_transpose(out_backprop, filter, input_sizes, strides, padding, data_format, dilations)
Conv3DBackpropFilterV2 (input, filter_sizes, out_backprop, strides, padding, data_format="NDHWC", dilations=[1, 1, 1, 1, 1]) = W.conv3d_filter
DepthwiseConv2dNative (input, filter, strides, padding, explicit_paddings=[], data_format="NHWC", dilations=[1, 1, 1, 1]) = W.depthwise
DepthwiseConv2dNativeBackpropFilter (input, filter_sizes, out_backprop, strides, padding, explicit_paddings=[], data_format="NHWC", dilations=[1, 1, 1, 1]) = W.depthwise_filter
Dilation2D (input, filter, strides, rates, padding) = nn.dilation2d(input, filter, strides, padding, "NHWC", rates)
LRN (input, depth_radius=5, bias=1.0, alpha=1.0, beta=0.5) = nn.lrn
IsotonicRegression (input, output_dtype=float32) = .isotonic_regression -> output segments
BandedTriangularSolve (matrix, rhs, lower=True, adjoint=False) = linalg.banded_triangular_solve
Cholesky (input) = linalg.cholesky
Eig (input, Tout, compute_v=True) = .eig -> e v
LogMatrixDeterminant (input) = linalg.slogdet
MatrixDeterminant (input) = linalg.det
MatrixInverse (input, adjoint=False) = linalg.inv
MatrixSolve (matrix, rhs, adjoint=False) = linalg.solve
MatrixTriangularSolve (matrix, rhs, lower=True, adjoint=False) = linalg.triangular_solve
MatrixSquareRoot (input) = linalg.sqrtm
Lu (input, output_idx_type=int32) = .factors -> lu p
Qr (input, full_matrices=False) = linalg.qr
SelfAdjointEigV2 (input, compute_v=True) = .self_adjoint_eig_v2 -> e v
Svd (input, compute_uv=True, full_matrices=False) = .singular_values -> s u v
TridiagonalMatMul (superdiag, maindiag, subdiag, rhs) = .tridiagonal_product
TridiagonalSolve (diagonals, rhs, partial_pivoting=True, perturb_singular=False) = linalg.tridiagonal_solve(diagonals, rhs, partial_pivoting=partial_pivoting, perturb_singular=perturb_singular)
FakeQuantWithMinMaxArgs (inputs, min=-6.0, max=6.0, num_bits=8, narrow_range=False) = quantization.*
FakeQuantWithMinMaxVars FakeQuantWithMinMaxVarsPerChannel (inputs, min, max, num_bits=8, narrow_range=False) = quantization.*
CropAndResize (image, boxes, box_ind, crop_size, method="bilinear", extrapolation_value=0.0) = image.crop_and_resize
RGBToHSV (images) = image.rgb_to_hsv
HSVToRGB (images) = image.hsv_to_rgb
Bitcast (input, type) = bitcast
CheckNumerics (tensor, message) = debugging.check_numerics
Unique (x, out_idx=int32) = unique -> y idx
UniqueWithCounts (x, out_idx=int32) = unique_with_counts -> y idx count
StatelessRandomNormal StatelessRandomUniform (shape, seed, dtype=float32) = .*
ApproximateEqual (x, y, tolerance=1e-05) = .approximate_equal
AsString (input, precision=-1, scientific=False, shortest=False, width=-1, fill="") = strings.as_string
BroadcastGradientArgs (s0, s1) = .broadcast_gradient_args -> r0 r1
FakeQuantWithMinMaxArgsGradient (gradients, inputs, min=-6.0, max=6.0, num_bits=8, narrow_range=False) = .fake_quant_gradient
FakeQuantWithMinMaxVarsGradient (gradients, inputs, min, max, num_bits=8, narrow_range=False) = .fake_quant_vars -> backprops_wrt_input backprop_wrt_min backprop_wrt_max
FakeQuantWithMinMaxVarsPerChannelGradient (gradients, inputs, min, max, num_bits=8, narrow_range=False) = .fake_quant_channels -> backprops_wrt_input backprop_wrt_min backprop_wrt_max
FusedBatchNormGrad (y_backprop, x, scale, reserve_space_1, reserve_space_2, epsilon=0.0001, data_format="NHWC", is_training=True) = W.norm_gradient -> x_backprop scale_backprop offset_backprop reserve_space_3 reserve_space_4
FusedBatchNormGradV2 (y_backprop, x, scale, reserve_space_1, reserve_space_2, epsilon=0.0001, data_format="NHWC", is_training=True) = W.norm_gradient_v2 -> x_backprop scale_backprop offset_backprop reserve_space_3 reserve_space_4
IgammaGradA (a, x) = F.igamma_grad_a
RandomGammaGrad (alpha, sample) = F.random_gamma_grad
LRNGrad (input_grads, input_image, output_image, depth_radius=5, bias=1.0, alpha=1.0, beta=0.5) = W.response_gradient
MaxPoolGradV2 (orig_input, orig_output, grad, ksize, strides, padding, data_format="NHWC") = W.max_pool_grad_v2
QuantizeAndDequantizeV4 (input, input_min, input_max, signed_input=True, num_bits=8, range_given=False, round_mode="HALF_TO_EVEN", narrow_range=False, axis=-1) = quantization.quantize_and_dequantize_v2(input, input_min, input_max, signed_input, num_bits, range_given, round_mode, narrow_range=narrow_range, axis=axis)
ReduceJoin (inputs, reduction_indices, keep_dims=False, separator="") = strings.reduce_join
RegexReplace (input, pattern, rewrite, replace_global=True) = strings.regex_replace
StatelessRandomUniformInt (shape, seed, minval, maxval) = .stateless_random_uniform_int
StridedSliceGrad (shape, begin, end, strides, dy, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0) = .strided_slice_grad
StringJoin (inputs, separator="") = strings.join
StringToNumber (string_tensor, out_type=float32) = strings.to_number
Where (condition) = where
"""


_ROOMS = {"": ".raw_kernels", "W": ".raw_windows"}


class Row(NamedTuple):
    """How a kernel is called: its parameters, the text of its function, and the fields of its result."""

    parameters: inspect.Signature
    function: str
    fields: str


def _rows() -> dict[str, str]:
    found = {}
    for line in _TABLE.splitlines():
        for kernel in line.partition(" (")[0].split():
            found[kernel] = line
    return found


KERNELS = _rows()


def _default(node: ast.expr) -> Any:
    return getattr(dtypes, node.id) if isinstance(node, ast.Name) else ast.literal_eval(node)


def _row(kernel: str) -> Row:
    left, right = KERNELS[kernel].split(" = ")
    asked = ast.parse(f"lambda {left.partition(' (')[2][:-1]}: 0", mode="eval").body
    assert isinstance(asked, ast.Lambda)
    names = [a.arg for a in asked.args.args]
    defaults = [inspect.Parameter.empty] * (len(names) - len(asked.args.defaults))
    defaults += [_default(d) for d in asked.args.defaults]
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    given = [inspect.Parameter(n, kind, default=d) for n, d in zip([*names, "name"], [*defaults, None])]
    function, _, fields = right.partition(" -> ")
    return Row(inspect.Signature(given), function.replace("*", snake(kernel)), fields)


def _located(word: str) -> Any:
    """A function by its public name, ``F.name``, ``W.name`` or ``.name``."""
    room, _, name = word.partition(".")
    if room in _ROOMS:
        return getattr(import_module(_ROOMS[room], __package__), name)
    if room == "F":
        return getattr(tensors, name)
    if word in NAMES:
        return NAMES[word]
    found = import_module(__package__.rpartition(".")[0])
    for part in word.split("."):
        found = getattr(found, part)
    return found


def _arranged(row: Row) -> Callable[[dict[str, Any]], Any]:
    """The call of a row's function, given all values by the names of the kernel's parameters."""
    word, parenthesis, rest = row.function.partition("(")
    function = _located(word)
    if not parenthesis:
        names = [n for n in row.parameters.parameters if n != "name"]
        return lambda given: function(*[given[n] for n in names])
    call = ast.parse(f"f({rest}", mode="eval").body
    assert isinstance(call, ast.Call)

    def value(node: ast.expr, given: dict[str, Any]) -> Any:
        return given[node.id] if isinstance(node, ast.Name) else ast.literal_eval(node)

    return lambda given: function(
        *[value(a, given) for a in call.args], **{str(k.arg): value(k.value, given) for k in call.keywords}
    )


def found(kernel: str) -> Any:
    """The function of ``tf.raw_ops`` of a kernel in the table."""
    row = _row(kernel)
    run = _arranged(row)
    shaped = namedtuple(kernel, row.fields) if row.fields else None  # type: ignore[misc]
    defaults = {p.name: p.default for p in row.parameters.parameters.values()}

    def function(**given: Any) -> Any:
        result = run({**defaults, **given})
        return result if shaped is None else shaped(*result)

    function.__name__ = function.__qualname__ = snake(kernel)
    function.__doc__ = (
        f"The kernel {kernel} under its own name: arguments by keyword, results as TensorFlow names them."
    )
    function.__signature__ = row.parameters  # type: ignore[attr-defined]
    return intercepted(raw(kernel, function))
