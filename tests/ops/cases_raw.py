"""What is asked of kernels under their own names in ``tf.raw_ops``: values, both derivatives, and wrong calls.

A call is a kernel and its arguments.  Lists of floats are the operands: they are asked as float32, as float64 where the
call says nothing about dtypes, as complex64 for the kernels of ``COMPLEX``, and as bools, which most kernels refuse.
``only`` asks for one of the results, ``order`` for so many derivatives, ``alone`` for float32 alone.  ``FIXED`` are no
operands.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.ops.asking import Case

V, W = [0.5, 2.0, 3.0], [0.25, 1.5, -1.0]
U = [0.25, -0.5, 0.75]
M = [[1.5, -2.0, 0.5], [3.0, 0.25, -1.0]]
N = [[0.5, 1.0, -1.5], [2.0, -0.75, 1.25]]
CUBE = [[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[7.0, 8.0, 9.0], [1.5, 2.5, 3.5]]]
SQUARE = [[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]]
TALL = [[1.0, 2.0], [3.0, -1.0], [0.5, 1.5]]
IMAGE = [
    [
        [[1.0, 0.5], [2.0, -1.0], [0.25, 3.0]],
        [[-0.5, 1.5], [1.25, 0.75], [2.5, -2.0]],
        [[0.1, 0.9], [3.5, 1.0], [-1.5, 0.4]],
    ]
]
FILTER = [[[[1.0], [0.5]], [[-1.0], [2.0]]], [[[0.25], [1.5]], [[0.75], [-0.5]]]]
BACK = [[[[1.0], [2.0]], [[-0.5], [0.25]]]]
SPACE = [[[[[1.0], [2.0]], [[3.0], [0.5]]], [[[0.25], [1.5]], [[-1.0], [4.0]]]]]
CELLS = [[[[[0.5]], [[1.0]]], [[[-1.0]], [[2.0]]]]]
ROW = [[1.0, 2.5, -1.0, 3.0]]
SIZES = {"ksize": [1, 2, 2, 1], "strides": [1, 1, 1, 1], "padding": "VALID"}
CUBES = {"ksize": [1, 2, 2, 1, 1], "strides": [1, 1, 1, 1, 1], "padding": "SAME"}
STEPS = {"strides": [1, 1, 1, 1], "padding": "VALID"}

UNARY = """Abs Asinh Atan Ceil Cos Cosh Digamma Erf Erfc Exp Expm1 Floor IsFinite IsInf IsNan Lgamma Log Log1p Neg
Reciprocal Rint Round Rsqrt Sigmoid Sign Sin Sinh Sqrt Square Tan Tanh BesselI0 BesselI0e BesselI1 BesselI1e BesselJ0
BesselJ1 BesselK0 BesselK0e BesselK1 BesselK1e BesselY0 BesselY1 Dawsn Expint FresnelCos FresnelSin Spence ZerosLike
OnesLike"""
BINARY = """AddV2 Sub Mul RealDiv DivNoNan MulNoNan FloorDiv FloorMod TruncateMod Maximum Minimum Pow
SquaredDifference Xdivy Xlog1py Xlogy Greater GreaterEqual Less LessEqual Equal NotEqual"""
FIXED = dict.fromkeys(("FakeQuantWithMinMaxArgs", "FakeQuantWithMinMaxArgsGradient"), ("min", "max"))
COMPLEX = """Asinh Atan Cos Cosh Exp Expm1 Log Log1p Neg Reciprocal Rsqrt Sigmoid Sign Sin Sinh Sqrt Square Tan Tanh
ZerosLike OnesLike AddV2 Sub Mul RealDiv DivNoNan Pow Equal NotEqual SquaredDifference Xlogy Conj Identity IdentityN
AddN
SigmoidGrad TanhGrad SqrtGrad RsqrtGrad MatMul BatchMatMulV2 Sum Prod Mean Cumsum Cumprod SegmentSum UnsortedSegmentSum
Einsum Transpose Reshape Pack ConcatV2 Split Tile Pad GatherV2 MatrixInverse Cholesky MatrixDeterminant MatrixSolve
MatrixTriangularSolve ComplexAbs Angle Real Imag FFT IFFT FFT2D IFFT2D IRFFT"""


def _elementwise() -> Iterator[tuple[str, dict[str, Any]]]:
    for name in UNARY.split():
        yield name, {"x": V}
    for name in ["Acos", "Asin", "Atanh", "Erfinv"]:
        yield name, {"x": U}
    yield "Ndtri", {"x": [0.25, 0.5, 0.75]}
    yield "Acosh", {"x": [1.5, 2.0, 3.0]}
    for name in BINARY.split():
        yield name, {"x": V, "y": W}
        yield name, {"x": [[0.5], [2.0]], "y": W}
    yield "TruncateDiv", {"x": [7, -7], "y": [2, 2]}
    yield "Equal", {"x": V, "y": [1.0, 2.0], "incompatible_shape_error": False}
    yield "Atan2", {"y": V, "x": W}
    yield "NextAfter", {"x1": V, "x2": W}
    yield "Betainc", {"a": [1.5], "b": [2.0], "x": [0.5]}
    yield "Igamma", {"a": [1.5, 2.0, 0.5], "x": V}
    yield "Igammac", {"a": [1.5, 2.0, 0.5], "x": V}
    yield "Polygamma", {"a": [1.0, 2.0, 1.0], "x": V}
    yield "Zeta", {"x": [1.5, 2.0, 3.0], "q": V}
    for name in ("Conj", "Identity", "StopGradient"):
        yield name, {"input": V}
    yield "IdentityN", {"input": [V, M]}
    for name in ("Angle", "Real", "Imag"):
        yield name, {"input": V}
    yield "ComplexAbs", {"x": V}
    yield "Complex", {"real": V, "imag": W}
    for name in ("float64", "float32", "int32", "complex64", "bool", "float16"):
        yield "Cast", {"x": V, "DstT": f"tf.{name}"}
    for name in ("LogicalAnd", "LogicalOr"):
        yield name, {"x": [True, False], "y": [True, True]}
    yield "LogicalNot", {"x": [True, False]}
    for name in ["BitwiseAnd", "BitwiseOr", "BitwiseXor", "LeftShift", "RightShift"]:
        yield name, {"x": [5, 6], "y": [3, 1]}
    yield "Invert", {"x": [5, 6]}
    yield "ClipByValue", {"t": V, "clip_value_min": 1.0, "clip_value_max": 2.5}
    yield "SelectV2", {"condition": [True, False, True], "t": V, "e": W}
    yield "AddN", {"inputs": [V, W, U]}
    yield "AddN", {"inputs": [V]}
    yield "CheckNumerics", {"tensor": V, "message": "no"}
    yield "Bitcast", {"input": V, "type": "tf.int32"}
    yield "FakeQuantWithMinMaxArgs", {"inputs": V, "min": -5.0, "max": 6.0}
    yield "FakeQuantWithMinMaxVars", {"inputs": V, "min": -1.0, "max": 2.5}
    yield "FakeQuantWithMinMaxVarsPerChannel", {"inputs": M, "min": [-1.0, -2.0, -3.0], "max": [2.0, 2.5, 3.0]}


def _activations() -> Iterator[tuple[str, dict[str, Any]]]:
    for name in ["Elu", "Relu", "Relu6", "Selu", "Softplus", "Softsign", "LeakyRelu"]:
        yield name, {"features": W}
    for name in ["ReluGrad", "Relu6Grad", "LeakyReluGrad", "SoftsignGrad"]:
        yield name, {"gradients": V, "features": W}
    for name in ["EluGrad", "SeluGrad"]:
        yield name, {"gradients": V, "outputs": W}
    for name in ["RsqrtGrad", "SigmoidGrad", "SqrtGrad", "TanhGrad"]:
        yield name, {"y": V, "dy": W}
        yield name, {"y": V, "dy": [1.0, 2.0]}
    for name in ("Softmax", "LogSoftmax"):
        yield name, {"logits": M}
        yield name, {"logits": V}
    yield "SoftmaxCrossEntropyWithLogits", {"features": M, "labels": [[0.2, 0.3, 0.5], [0.0, 1.0, 0.0]]}
    yield "SoftmaxCrossEntropyWithLogits", {"features": M, "labels": [[1.0, 0.0]]}
    yield "SoftmaxCrossEntropyWithLogits", {"features": V, "labels": V}
    yield "SparseSoftmaxCrossEntropyWithLogits", {"features": M, "labels": [2, 0]}
    yield "SparseSoftmaxCrossEntropyWithLogits", {"features": M, "labels": [3, 0]}
    yield "SparseSoftmaxCrossEntropyWithLogits", {"features": M, "labels": [1]}
    yield "SparseSoftmaxCrossEntropyWithLogits", {"features": M, "labels": [[1]]}
    yield "SparseSoftmaxCrossEntropyWithLogits", {"features": V, "labels": [1]}
    yield "L2Loss", {"t": M}
    yield "BiasAdd", {"value": M, "bias": V}
    yield "LRN", {"input": IMAGE, "depth_radius": 1}


def _reductions() -> Iterator[tuple[str, dict[str, Any]]]:
    for name in ["Max", "Min", "Sum", "Prod", "Mean", "EuclideanNorm"]:
        yield name, {"input": M, "axis": 1}
        yield name, {"input": M, "axis": [0, 1], "keep_dims": True}
        yield name, {"input": M, "axis": [2]}
    for name in ("All", "Any"):
        yield name, {"input": [[True, False], [True, True]], "axis": 1}
    for name in ("ArgMax", "ArgMin"):
        yield name, {"input": M, "dimension": 1}
        yield name, {"input": M, "dimension": 0, "output_type": "tf.int32"}
    for name in ["Cumprod", "Cumsum", "CumulativeLogsumexp"]:
        yield name, {"x": M, "axis": 1}
        yield name, {"x": M, "axis": 0, "exclusive": True, "reverse": True}
    for name in ["SegmentMax", "SegmentMean", "SegmentMin", "SegmentProd", "SegmentSum"]:
        yield name, {"data": TALL, "segment_ids": [0, 0, 1]}
    for name in ["UnsortedSegmentMax", "UnsortedSegmentMin", "UnsortedSegmentProd", "UnsortedSegmentSum"]:
        yield name, {"data": TALL, "segment_ids": [1, 0, 1], "num_segments": 3}
    yield "TopKV2", {"input": M, "k": 2}
    yield "TopKV2", {"input": M, "k": 4}
    yield "ArgMax", {"input": M, "dimension": 5}
    yield "ApproxTopK", {"input": M, "k": 2}
    yield "IsotonicRegression", {"input": M}


def _linear() -> Iterator[tuple[str, dict[str, Any]]]:
    yield "MatMul", {"a": M, "b": TALL}
    yield "MatMul", {"a": M, "b": N, "transpose_a": True}
    yield "MatMul", {"a": M, "b": N, "transpose_b": True}
    yield "MatMul", {"a": M, "b": N}
    yield "MatMul", {"a": M, "b": V}
    yield "MatMul", {"a": V, "b": V}
    yield "MatMul", {"a": CUBE, "b": CUBE}
    yield "BatchMatMulV2", {"x": CUBE, "y": TALL}
    yield "BatchMatMulV2", {"x": M, "y": N, "adj_y": True}
    yield "BatchMatMulV2", {"x": CUBE, "y": CUBE, "adj_x": True}
    yield "BatchMatMulV2", {"x": CUBE, "y": V}
    yield "Einsum", {"inputs": [M, TALL], "equation": "ij,jk->ik"}
    yield "Einsum", {"inputs": [M], "equation": "ij->ji"}
    yield "Einsum", {"inputs": [V, V, V], "equation": "i,i,i->"}
    yield "Cross", {"a": V, "b": W}
    for name in ("Cholesky", "MatrixDeterminant", "MatrixInverse", "LogMatrixDeterminant", "Qr", "SelfAdjointEigV2"):
        yield name, {"input": SQUARE}
        yield name, {"input": V}
    yield "MatrixInverse", {"input": SQUARE, "adjoint": True}
    yield "Svd", {"input": TALL, "only": 0}
    yield "Svd", {"input": V}
    yield "Qr", {"input": TALL}
    yield "Lu", {"input": SQUARE}
    yield "Eig", {"input": SQUARE, "Tout": "tf.complex64", "compute_v": False, "only": 0}
    for name in ("MatrixSolve", "MatrixTriangularSolve"):
        yield name, {"matrix": SQUARE, "rhs": TALL}
        yield name, {"matrix": SQUARE, "rhs": TALL, "adjoint": True}
    yield "MatrixTriangularSolve", {"matrix": SQUARE, "rhs": TALL, "lower": False}
    yield "MatrixSquareRoot", {"input": SQUARE}
    yield "BandedTriangularSolve", {"matrix": [[2.0, 1.0, 4.0], [0.0, 0.5, 1.0]], "rhs": TALL}
    bands = {"superdiag": [[1.0, 2.0, 0.0]], "maindiag": [[4.0, 3.0, 2.0]], "subdiag": [[0.0, 0.5, 1.0]]}
    yield "TridiagonalMatMul", {**bands, "rhs": TALL}
    yield "TridiagonalSolve", {"diagonals": [[1.0, 2.0, 0.0], [4.0, 3.0, 2.0], [0.0, 0.5, 1.0]], "rhs": TALL}
    for name in ("FFT", "IFFT", "FFT2D", "IFFT2D"):
        yield name, {"input": M}
    for name in ("FFT3D", "IFFT3D"):
        yield name, {"input": CUBE}
    yield "RFFT", {"input": ROW, "fft_length": [4]}
    yield "RFFT", {"input": ROW, "fft_length": [6]}
    yield "RFFT", {"input": ROW, "fft_length": [3]}
    yield "RFFT", {"input": ROW, "fft_length": [4], "Tcomplex": "tf.complex128"}
    yield "RFFT2D", {"input": ROW, "fft_length": [1, 4]}
    yield "IRFFT", {"input": ROW, "fft_length": [6]}


def _layout() -> Iterator[tuple[str, dict[str, Any]]]:
    yield "Reshape", {"tensor": M, "shape": [3, 2]}
    yield "Reshape", {"tensor": M, "shape": [4]}
    yield "Transpose", {"x": M, "perm": [1, 0]}
    yield "ExpandDims", {"input": M, "axis": 1}
    yield "Squeeze", {"input": [M]}
    yield "Squeeze", {"input": [M], "axis": [0]}
    yield "Squeeze", {"input": M, "axis": [0]}
    yield "Squeeze", {"input": [M], "axis": 0}
    yield "Tile", {"input": V, "multiples": 2}
    yield "BroadcastTo", {"input": V, "shape": [2, 3]}
    yield "EnsureShape", {"input": V, "shape": [None]}
    yield "Tile", {"input": M, "multiples": [2, 1]}
    yield "ConcatV2", {"values": [M, N], "axis": 1}
    yield "ConcatV2", {"values": [M], "axis": 1}
    yield "Pack", {"values": [M, N], "axis": 1}
    yield "Pack", {"values": [M, V]}
    yield "Unpack", {"value": M, "num": 2}
    yield "Unpack", {"value": M, "num": 3, "axis": 1}
    yield "Unpack", {"value": M, "num": 3}
    yield "Split", {"axis": 1, "value": M, "num_split": 3}
    yield "Split", {"axis": 1, "value": M, "num_split": 2}
    yield "SplitV", {"value": M, "size_splits": [1, 2], "axis": 1, "num_split": 3}
    yield "SplitV", {"value": M, "size_splits": [1, 2], "axis": 1, "num_split": 2}
    yield "Slice", {"input": M, "begin": [0, 1], "size": [2, 2]}
    yield "StridedSlice", {"input": M, "begin": [0, 1], "end": [2, 3], "strides": [1, 1]}
    yield "StridedSlice", {"input": M, "begin": [0, 2], "end": [1, 0], "strides": [1, -1], "shrink_axis_mask": 1}
    yield "StridedSlice", {"input": M, "begin": 0, "end": 1, "strides": 1}
    yield "Pad", {"input": M, "paddings": [[1, 0], [0, 2]]}
    yield "PadV2", {"input": M, "paddings": [[1, 0], [0, 2]], "constant_values": 5.0}
    yield "MirrorPad", {"input": M, "paddings": [[1, 0], [0, 2]], "mode": "REFLECT"}
    yield "MirrorPad", {"input": M, "paddings": [[1, 0], [0, 2]], "mode": "WRAP"}
    yield "MirrorPadGrad", {"input": SQUARE, "paddings": [[1, 0], [0, 1]], "mode": "SYMMETRIC"}
    yield "GatherV2", {"params": M, "indices": [2, 0], "axis": 1}
    yield "GatherV2", {"params": M, "indices": [2], "axis": 0}
    yield "GatherNd", {"params": M, "indices": [[0, 2], [1, 1]]}
    yield "ScatterNd", {"indices": [[1], [3]], "updates": [2.0, 3.0], "shape": [4]}
    for name in ["Add", "Max", "Min", "Sub", "Update"]:
        yield f"TensorScatter{name}", {"tensor": V, "indices": [[0], [2]], "updates": [1.0, 5.0]}
    yield "ReverseV2", {"tensor": M, "axis": [1]}
    yield "ReverseSequence", {"input": M, "seq_lengths": [2, 3], "seq_dim": 1}
    yield "Roll", {"input": M, "shift": [1], "axis": [1]}
    yield "Fill", {"dims": [2, 2], "value": 3.0}
    yield "Diag", {"diagonal": V}
    yield "DiagPart", {"input": SQUARE}
    yield "MatrixBandPart", {"input": SQUARE, "num_lower": 1, "num_upper": 0}
    yield "MatrixDiagPartV3", {"input": SQUARE, "k": [0, 1], "padding_value": 0.0}
    yield "MatrixDiagV3", {"diagonal": V, "k": 0, "num_rows": -1, "num_cols": -1, "padding_value": 0.0}
    yield "MatrixSetDiagV3", {"input": SQUARE, "diagonal": V, "k": 0}
    yield "BatchToSpaceND", {"input": [[[[1.0]]], [[[2.0]]]], "block_shape": [1, 2], "crops": [[0, 0], [0, 0]]}
    yield "SpaceToBatchND", {"input": [[[[1.0], [2.0]]]], "block_shape": [1, 2], "paddings": [[0, 0], [0, 0]]}
    yield "DepthToSpace", {"input": [[[[1.0, 2.0, 3.0, 4.0]]]], "block_size": 2}
    yield "SpaceToDepth", {"input": [[[[1.0], [2.0]], [[3.0], [4.0]]]], "block_size": 2}
    yield "DynamicPartition", {"data": V, "partitions": [0, 1, 0], "num_partitions": 2}
    yield "DynamicStitch", {"indices": [[0, 2], [1]], "data": [[1.0, 3.0], [2.0]]}
    yield "OneHot", {"indices": [0, 2], "depth": 3, "on_value": 2.0, "off_value": -1.0}
    yield "Range", {"start": 1, "limit": 9, "delta": 3}
    yield "Range", {"start": 1.0, "limit": 3.0, "delta": 0.5}
    yield "LinSpace", {"start": 1.0, "stop": 3.0, "num": 5}
    yield "InvertPermutation", {"x": [2, 0, 1]}
    for name in ("Rank", "Shape", "Size"):
        yield name, {"input": M}
    yield "Shape", {"input": M, "out_type": "tf.int64"}
    yield "ShapeN", {"input": [M, V]}
    yield "Unique", {"x": [1.0, 2.0, 1.0]}
    yield "UniqueWithCounts", {"x": [1.0, 2.0, 1.0]}
    yield "StatelessRandomNormal", {"shape": [3], "seed": [1, 2]}
    yield "StatelessRandomUniform", {"shape": [3], "seed": [1, 2], "dtype": "tf.float64"}


def _windows() -> Iterator[tuple[str, dict[str, Any]]]:
    yield "AvgPool", {"value": IMAGE, **SIZES}
    yield "MaxPool", {"input": IMAGE, **SIZES}
    explicit = {"padding": "EXPLICIT", "explicit_paddings": [0, 0, 1, 0, 0, 1, 0, 0]}
    yield "MaxPool", {"input": IMAGE, **SIZES, **explicit, "order": 1}
    yield "MaxPool", {"input": V, **SIZES}
    yield "MaxPool", {"input": IMAGE, **SIZES, "padding": "FULL"}
    yield "MaxPoolWithArgmax", {"input": IMAGE, **SIZES}
    yield "AvgPool3D", {"input": SPACE, **CUBES}
    yield "MaxPool3D", {"input": SPACE, **CUBES}
    yield "AvgPoolGrad", {"orig_input_shape": [1, 3, 3, 1], "grad": BACK, **SIZES}
    yield "AvgPoolGrad", {"orig_input_shape": [1, 3], "grad": BACK, **SIZES}
    yield "Conv2D", {"input": IMAGE, "filter": FILTER, **STEPS}
    yield "Conv2D", {"input": IMAGE, "filter": FILTER, **STEPS, **explicit}
    yield "Conv2D", {"input": IMAGE, "filter": M, **STEPS}
    yield "Conv2DBackpropInput", {"input_sizes": [1, 3, 3, 2], "filter": FILTER, "out_backprop": BACK, **STEPS}
    yield "Conv2DBackpropFilter", {"input": IMAGE, "filter_sizes": [2, 2, 2, 1], "out_backprop": BACK, **STEPS}
    yield "Conv2DBackpropFilter", {"input": IMAGE, "filter_sizes": [2, 2, 2, 3], "out_backprop": BACK, **STEPS}
    steps = {"strides": [1, 1, 1, 1, 1], "padding": "SAME"}
    yield "Conv3D", {"input": SPACE, "filter": CELLS, **steps}
    yield "Conv3DBackpropInputV2", {"input_sizes": [1, 2, 2, 2, 1], "filter": CELLS, "out_backprop": SPACE, **steps}
    yield "Conv3DBackpropFilterV2", {"input": SPACE, "filter_sizes": [1, 2, 2, 1, 1], "out_backprop": SPACE, **steps}
    yield "DepthwiseConv2dNative", {"input": IMAGE, "filter": FILTER, **STEPS}
    back = [[[[1.0, 0.5], [2.0, -1.0]], [[-0.5, 1.5], [0.25, 3.0]]]]
    sizes = {"filter_sizes": [2, 2, 2, 1], "out_backprop": back}
    yield "DepthwiseConv2dNativeBackpropFilter", {"input": IMAGE, **sizes, **STEPS}
    hats = [[[0.5, 1.0], [0.0, 0.25]], [[1.0, -0.5], [0.75, 0.1]]]
    yield (
        "Dilation2D",
        {"input": IMAGE, "filter": hats, "strides": [1, 1, 1, 1], "rates": [1, 1, 1, 1], "padding": "VALID"},
    )
    patches = {"ksizes": [1, 2, 2, 1], "strides": [1, 1, 1, 1], "rates": [1, 1, 1, 1], "padding": "VALID"}
    yield "ExtractImagePatches", {"images": IMAGE, **patches}
    boxes = {"boxes": [[0.1, 0.2, 0.8, 0.9]], "box_ind": [0], "crop_size": [2, 2]}
    yield "CropAndResize", {"image": IMAGE, **boxes}
    colours = [[0.2, 0.7, 0.4], [0.9, 0.1, 0.3]]
    yield "RGBToHSV", {"images": colours}
    yield "HSVToRGB", {"images": colours}


def _others() -> Iterator[tuple[str, dict[str, Any]]]:
    yield "ApproximateEqual", {"x": V, "y": [0.500001, 2.1, 3.0]}
    yield "ApproximateEqual", {"x": V, "y": [1.0]}
    yield "AsString", {"input": V}
    yield "BroadcastGradientArgs", {"s0": [2, 1, 3], "s1": [4, 3]}
    yield "BroadcastGradientArgs", {"s0": [2, 3], "s1": [2, 3]}
    yield "BroadcastGradientArgs", {"s0": [2, 1], "s1": [1]}
    yield "BroadcastGradientArgs", {"s0": [2], "s1": [3]}
    yield "FakeQuantWithMinMaxArgsGradient", {"gradients": V, "inputs": [-7.0, 0.5, 9.0], "min": -5.0, "max": 6.0}
    bounds = {"min": -1.0, "max": 2.5}
    yield "FakeQuantWithMinMaxVarsGradient", {"gradients": V, "inputs": [-7.0, 0.5, 9.0], **bounds}
    rows = {"min": [-1.0, -2.0, -3.0], "max": [2.0, 2.5, 3.0]}
    yield "FakeQuantWithMinMaxVarsPerChannelGradient", {"gradients": M, "inputs": N, **rows}
    vectors = {"scale": [1.0, 2.0], "reserve_space_1": [0.75, 0.5], "reserve_space_2": [2.0, 3.0]}
    yield "FusedBatchNormGrad", {"y_backprop": IMAGE, "x": IMAGE, **vectors}
    yield "FakeQuantWithMinMaxVarsGradient", {"gradients": V, "inputs": [1.0], **bounds}
    yield "FakeQuantWithMinMaxVarsPerChannelGradient", {"gradients": V, "inputs": V, "min": [1.0], "max": [2.0]}
    yield "StatelessRandomUniformInt", {"shape": [3], "seed": [1, 2], "minval": 5, "maxval": 3}
    yield "Conv2D", {"input": IMAGE, "filter": FILTER, "strides": [1, 1], "padding": "VALID"}
    yield "ApproximateEqual", {"x": [1, 2], "y": [2, 3]}
    yield "FusedBatchNormGradV2", {"y_backprop": IMAGE, "x": IMAGE, **vectors, "alone": True}
    yield "IgammaGradA", {"a": V, "x": [0.25, 1.5, 1.0]}
    yield "LRNGrad", {"input_grads": IMAGE, "input_image": IMAGE, "output_image": IMAGE, "depth_radius": 1}
    pool = {"orig_input": IMAGE, "orig_output": IMAGE, "grad": IMAGE, "padding": "SAME"}
    yield "MaxPoolGradV2", {**pool, "ksize": [1, 1, 1, 1], "strides": [1, 1, 1, 1]}
    limits = {"input_min": -4.0, "input_max": 3.0, "range_given": True}
    yield "QuantizeAndDequantizeV4", {"input": V, **limits, "order": 1}
    yield "ReduceJoin", {"inputs": [["a", "b"], ["c", "d"]], "reduction_indices": [1, 0]}
    yield "ReduceJoin", {"inputs": [["a", "b"], ["c", "d"]], "reduction_indices": [0, 1], "separator": "-"}
    yield "ReduceJoin", {"inputs": [["a", "b"], ["c", "d"]], "reduction_indices": [0]}
    yield "RegexReplace", {"input": ["abab"], "pattern": "a", "rewrite": "x"}
    yield "StatelessRandomUniformInt", {"shape": [3], "seed": [1, 2], "minval": 0, "maxval": 10}
    ends = {"begin": [0, 1], "end": [2, 3], "strides": [1, 1]}
    yield "StridedSliceGrad", {"shape": [2, 3], **ends, "dy": [[1.0, 2.0], [3.0, 4.0]]}
    yield "StridedSliceGrad", {"shape": [2, 3], **ends, "dy": [[1.0], [3.0]]}
    yield "StringJoin", {"inputs": [["a", "b"], ["c", "d"]], "separator": "-"}
    yield "StringToNumber", {"string_tensor": ["1.5", "2"]}
    yield "Where", {"condition": [True, False, True]}


def _has_floats(value: Any) -> bool:
    return any(map(_has_floats, value)) if isinstance(value, list) else isinstance(value, float)


def _is_many(kernel: str, word: str) -> bool:
    return (
        word in ("inputs", "values", "data") and kernel in ("AddN", "ConcatV2", "Pack", "Einsum", "DynamicStitch")
    ) or (word == "input" and kernel in ("IdentityN", "ShapeN"))


def _turned(value: Any, dtype: str) -> Any:
    if isinstance(value, list):
        return [_turned(v, dtype) for v in value]
    return value > 1 if dtype == "bool" else complex(value, 0.5 - value / 4) if dtype == "complex64" else value


def _case(name: str, kernel: str, given: dict[str, Any], dtype: str, **options: Any) -> Case:
    """A case with the operands of a call as inputs, in one dtype."""
    operands: list[Any] = []
    options.setdefault("order", given.get("order", 2))
    places: dict[str, Any] = {}
    for word, value in given.items():
        if _is_many(kernel, word) and _has_floats(value):
            places[word] = [len(operands) + k for k in range(len(value))]
            operands += value
        elif not isinstance(value, dict) and _has_floats(value) and word not in FIXED.get(kernel, ()):
            places[word] = len(operands)
            operands.append(value)

    def function(tf: Any, *inputs: Any) -> Any:
        found = {w: [inputs[k] for k in at] if isinstance(at, list) else inputs[at] for w, at in places.items()}
        left = {w: v for w, v in given.items() if w not in {*places, "alone"}}
        others = {w: getattr(tf, v[3:]) if str(v)[:3] == "tf." else v for w, v in left.items()}
        only, _ = others.pop("only", None), others.pop("order", None)
        result = getattr(tf.raw_ops, kernel)(**found, **others)
        if only is not None and name != "result":
            return result[only]
        return result if name != "result" else tf.constant([type(result).__name__, *getattr(result, "_fields", ())])

    label = f"{kernel}: {name}, {dtype}"
    return Case(label, function, tuple((_turned(v, dtype), dtype) for v in operands), loose=True, **options)


def _cases() -> Iterator[Case]:
    seen: dict[str, int] = {}
    for group in (_elementwise, _activations, _reductions, _linear, _layout, _windows, _others):
        for kernel, given in group():
            count = seen[kernel] = seen.get(kernel, 0) + 1
            fixed = "alone" in given or any(str(v)[:3] == "tf." for v in given.values())
            yield _case(f"call {count}", kernel, given, "float32")
            if not fixed:
                yield _case(f"call {count}", kernel, given, "float64")
            if kernel in COMPLEX.split() and not fixed:
                yield _case(f"call {count}", kernel, given, "complex64")
            if count == 1:
                yield _case("result", kernel, given, "float32", order=0)
                if "alone" not in given:
                    yield _case("wrong dtype", kernel, given, "bool", order=0)
                _, *others = given
                yield _case("without the first", kernel, {w: given[w] for w in others}, "float32", order=0)
                yield _case("with one more", kernel, {**given, "other": 1}, "float32", order=0)


CASES = tuple(_cases())
