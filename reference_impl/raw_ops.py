"""``tf.raw_ops``: kernels under their own names."""

# ruff: noqa: F401  # this file lists names

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
from .ops.fused import FusedBatchNorm, FusedBatchNormV2, FusedBatchNormV3
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
    MatrixSetDiag,
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
