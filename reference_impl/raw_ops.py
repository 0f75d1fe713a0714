"""``tf.raw_ops``: kernels under their own names."""

# ruff: noqa: F401  # this file lists names

from importlib import import_module
from typing import Any as _Value

from .ops.backward import (
    AvgPool3DGrad,
    BiasAddGrad,
    DepthwiseConv2dNativeBackpropInput,
    FusedBatchNormGradV3,
    MaxPool3DGrad,
    MaxPool3DGradGrad,
    MaxPoolGrad,
    MaxPoolGradGrad,
    SoftplusGrad,
)
from .ops.counting import Bucketize
from .ops.ctc import CTCLoss
from .ops.diagonals import MatrixSetDiag
from .ops.fractional import FractionalAvgPoolRaw as FractionalAvgPool
from .ops.fractional import FractionalMaxPoolRaw as FractionalMaxPool
from .ops.fused import FusedBatchNorm, FusedBatchNormV2, FusedBatchNormV3
from .ops.images import ScaleAndTranslate
from .ops.morphology import extract_volume_patches as ExtractVolumePatches
from .ops.older import (
    Add,
    BatchMatMul,
    BatchMatMulV3,
    BatchToSpace,
    BiasAddV1,
    CheckNumericsV2,
    Concat,
    ConjugateTranspose,
    Div,
    Gather,
    Inv,
    InvGrad,
    MatrixDiag,
    MatrixDiagPart,
    MatrixDiagV2,
    MatrixSetDiagV2,
    MaxPoolV2,
    ParallelDynamicStitch,
    PlaceholderWithDefault,
    PreventGradient,
    Print,
    Reverse,
    ScatterNdNonAliasingAdd,
    Select,
    SpaceToBatch,
    SparseMatMul,
)
from .ops.older import InvGrad as ReciprocalGrad
from .ops.only_raw import (
    DebugGradientIdentity,
    DebugIdentityV2,
    MatrixDiagPartV2,
    QuantizeAndDequantizeV2,
    QuantizeAndDequantizeV3,
    TensorStridedSliceUpdate,
)
from .ops.ordering import nth_element as NthElement
from .ops.projecting import ImageProjectiveTransformV2, ImageProjectiveTransformV3
from .ops.recurrent import BlockLSTM, BlockLSTMV2
from .ops.unique_values import UniqueV2, UniqueWithCountsV2

_LATER = {
    **dict.fromkeys(
        ("SparseDenseCwiseAdd", "SparseDenseCwiseDiv", "SparseDenseCwiseMul", "SparseReduceSum", "SparseSoftmax",
         "SparseTensorDenseAdd", "SparseTensorDenseMatMul", "SparseToDense"), ".sparse.kernels"
    ),
    **dict.fromkeys(
        ("SparseAdd", "SparseFillEmptyRows", "SparseReorder", "SparseSlice", "SparseSparseMaximum",
         "SparseSparseMinimum"), ".sparse.merging"
    ),
    **dict.fromkeys(
        ("SparseSegmentMean", "SparseSegmentMeanWithNumSegments", "SparseSegmentSqrtN",
         "SparseSegmentSqrtNWithNumSegments", "SparseSegmentSum", "SparseSegmentSumWithNumSegments"),
        ".sparse.segments"
    ),
    **dict.fromkeys(
        ("CSRSparseMatrixToDense", "CSRSparseMatrixToSparseTensor", "DenseToCSRSparseMatrix", "SparseMatrixMatMul",
         "SparseMatrixSparseMatMul", "SparseMatrixTranspose", "SparseTensorToCSRSparseMatrix"), ".sparse.compressed"
    ),
    **dict.fromkeys(
        ("TensorListConcat", "TensorListConcatV2", "TensorListFromTensor", "TensorListGather",
         "TensorListResize", "TensorListScatter", "TensorListScatterV2", "TensorListStack"), ".ops.lists"
    ),
    **dict.fromkeys(
        ("RaggedFillEmptyRows", "RaggedGather", "RaggedTensorToSparse", "RaggedTensorToTensor"), ".ragged.kernels"
    ),
    **dict.fromkeys(("RaggedTensorFromVariant", "RaggedTensorToVariant"), ".ragged.encoded"),
    **dict.fromkeys(
        ("CompositeTensorVariantFromComponents", "CompositeTensorVariantToComponents"), ".experimental.encoded"
    ),
}  # fmt: skip


def __getattr__(name: str) -> _Value:
    """Kernels of tensors of several parts, and those that public functions run, are made when they are first used."""
    if name in _LATER:
        made = getattr(import_module(_LATER[name], __package__), name)
    elif name[:1].isupper() and name in _table().KERNELS:
        made = _table().found(name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = made
    return made


def _table() -> _Value:
    return import_module(".ops.raw_names", __package__)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER, *_table().KERNELS})
