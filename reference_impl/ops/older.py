"""Kernels that no public function of TensorFlow reaches any more but ``tf.raw_ops``, which takes arguments by name.

Most are earlier versions of ops that stand elsewhere: they compute and differentiate as those do.
"""

from __future__ import annotations

import sys
from typing import Any

from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .arithmetic import add, divide
from .blocks import batch_to_space, space_to_batch
from .casting import identity
from .checks import check_numerics
from .declare import kernel, public, tensors
from .diagonals import diag, diag_part, set_diag
from .gathering import gather
from .layers import bias_add
from .matrix import matmul
from .pooling import max_pool2d
from .scattering import dynamic_stitch, tensor_scatter_nd_add
from .selection import where
from .shaping import concat, ints, transpose
from .tiling import reverse

# ------------------------------------------------------------------------------------------------ earlier versions


@public("raw_ops.Add")
def Add(*, x: Any, y: Any, name: str | None = None) -> EagerTensor:
    """The sum of two tensors, broadcast."""
    return add(x, y, name)


@public("raw_ops.Div")
def Div(*, x: Any, y: Any, name: str | None = None) -> EagerTensor:
    """The quotient of two tensors, broadcast."""
    return divide(x, y)


@public("raw_ops.Inv")
def Inv(*, x: Any, name: str | None = None) -> EagerTensor:
    """1 / x."""
    return tensors.reciprocal(convert_to_tensor(x))


@public("raw_ops.InvGrad raw_ops.ReciprocalGrad")
def InvGrad(*, y: Any, dy: Any, name: str | None = None) -> EagerTensor:
    """The gradient of 1 / x by x, given y = 1 / x and the upstream."""
    return tensors.reciprocal_grad(convert_to_tensor(y), convert_to_tensor(dy))


@public("raw_ops.BatchMatMul")
def BatchMatMul(
    *, x: Any, y: Any, adj_x: bool = False, adj_y: bool = False, grad_x: bool = False, grad_y: bool = False,
    name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """Products of matrices, either adjoint first."""
    return matmul(x, y, adjoint_a=adj_x, adjoint_b=adj_y)


@public("raw_ops.BatchMatMulV3")
def BatchMatMulV3(
    *, x: Any, y: Any, Tout: Any, adj_x: bool = False, adj_y: bool = False, grad_x: bool = False,
    grad_y: bool = False, name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """As BatchMatMul; the dtype of the result must be that of the operands."""
    return matmul(x, y, adjoint_a=adj_x, adjoint_b=adj_y)


@public("raw_ops.BatchToSpace")
def BatchToSpace(*, input: Any, crops: Any, block_size: int, name: str | None = None) -> EagerTensor:
    """``batch_to_space`` with square blocks."""
    return batch_to_space(input, [block_size, block_size], crops)


@public("raw_ops.SpaceToBatch")
def SpaceToBatch(*, input: Any, paddings: Any, block_size: int, name: str | None = None) -> EagerTensor:
    """``space_to_batch`` with square blocks."""
    return space_to_batch(input, [block_size, block_size], paddings)


@public("raw_ops.BiasAddV1")
def BiasAddV1(*, value: Any, bias: Any, name: str | None = None) -> EagerTensor:
    """``nn.bias_add`` along the last axis."""
    return bias_add(value, bias)


@public("raw_ops.Concat")
def Concat(*, concat_dim: int, values: Any, name: str | None = None) -> EagerTensor:
    """``concat`` with the axis first."""
    return concat(values, concat_dim)


@public("raw_ops.Gather")
def Gather(*, params: Any, indices: Any, validate_indices: bool = True, name: str | None = None) -> Any:
    """Rows of a tensor."""
    return gather(params, indices)


@public("raw_ops.ConjugateTranspose")
def ConjugateTranspose(*, x: Any, perm: Any, name: str | None = None) -> EagerTensor:
    """``transpose`` of the conjugate."""
    return transpose(x, perm, conjugate=True)


@public("raw_ops.MatrixDiag")
def MatrixDiag(*, diagonal: Any, name: str | None = None) -> EagerTensor:
    """``linalg.diag`` of a main diagonal."""
    return diag(diagonal)


@public("raw_ops.MatrixDiagV2")
def MatrixDiagV2(
    *, diagonal: Any, k: Any, num_rows: Any, num_cols: Any, padding_value: Any, name: str | None = None
) -> EagerTensor:
    """``linalg.diag`` of a band whose diagonals are aligned to the left."""
    return diag(diagonal, k=k, num_rows=num_rows, num_cols=num_cols, padding_value=padding_value, align=_LEFT)


@public("raw_ops.MatrixDiagPart")
def MatrixDiagPart(*, input: Any, name: str | None = None) -> EagerTensor:
    """``linalg.diag_part`` of the main diagonal."""
    return diag_part(input)


@public("raw_ops.MatrixSetDiag")
def MatrixSetDiag(*, input: Any, diagonal: Any, name: str | None = None) -> EagerTensor:
    """``linalg.set_diag`` of the main diagonal."""
    return set_diag(input, diagonal)


@public("raw_ops.MatrixSetDiagV2")
def MatrixSetDiagV2(*, input: Any, diagonal: Any, k: Any, name: str | None = None) -> EagerTensor:
    """``linalg.set_diag`` of a band whose diagonals are aligned to the left."""
    return set_diag(input, diagonal, k=k, align=_LEFT)


_LEFT = "LEFT_LEFT"


@public("raw_ops.MaxPoolV2")
def MaxPoolV2(
    *, input: Any, ksize: Any, strides: Any, padding: str, data_format: str = "NHWC", name: str | None = None
) -> EagerTensor:
    """``nn.max_pool2d`` whose sizes are tensors."""
    return max_pool2d(input, list(ints(ksize)), list(ints(strides)), padding, data_format)


@public("raw_ops.Reverse")
def Reverse(*, tensor: Any, dims: Any, name: str | None = None) -> EagerTensor:
    """``reverse`` along the axes that are marked true."""
    marks = convert_to_tensor(dims)._a
    return reverse(tensor, [k for k, mark in enumerate(marks) if mark])


@public("raw_ops.Select")
def Select(*, condition: Any, x: Any, y: Any, name: str | None = None) -> EagerTensor:
    """``where`` without broadcasting, but for a condition of one row each."""
    condition, x = convert_to_tensor(condition), convert_to_tensor(x)
    missing = x._a.ndim - condition._a.ndim
    if missing > 0 and condition._a.ndim:
        condition = convert_to_tensor(condition._a.reshape(condition._a.shape + (1,) * missing))
    return where(condition, x, y)


@public("raw_ops.ParallelDynamicStitch")
def ParallelDynamicStitch(*, indices: Any, data: Any, name: str | None = None) -> EagerTensor:
    """``dynamic_stitch`` of indices that are all different."""
    return dynamic_stitch(indices, data)


@public("raw_ops.ScatterNdNonAliasingAdd")
def ScatterNdNonAliasingAdd(
    *, input: Any, indices: Any, updates: Any, bad_indices_policy: str = "", name: str | None = None
) -> EagerTensor:
    """``tensor_scatter_nd_add``."""
    return tensor_scatter_nd_add(input, indices, updates)


@public("raw_ops.SparseMatMul")
def SparseMatMul(
    *, a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False, a_is_sparse: bool = False,
    b_is_sparse: bool = False, name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """``matmul`` of matrices that are mostly zeros."""
    return matmul(a, b, transpose_a, transpose_b)


# ------------------------------------------------------------------------------------------------------ passing on


@public("raw_ops.PlaceholderWithDefault")
def PlaceholderWithDefault(*, input: Any, shape: Any, name: str | None = None) -> EagerTensor:
    """The tensor itself."""
    return identity(input)


@public("raw_ops.CheckNumericsV2")
def CheckNumericsV2(*, tensor: Any, message: str, name: str | None = None) -> EagerTensor:
    """``debugging.check_numerics``."""
    return check_numerics(tensor, message)


@public("raw_ops.Print")
def Print(
    *, input: Any, data: Any, message: str = "", first_n: int = -1, summarize: int = 3, name: str | None = None
) -> EagerTensor:
    """The tensor itself; ``data`` is written to the standard error stream, unless ``first_n`` is 0."""
    shown = (f"[{' '.join(str(v) for v in convert_to_tensor(d)._a.ravel()[:summarize])}]" for d in data)
    if first_n:
        print(message + "".join(shown), file=sys.stderr)
    return identity(input)


def _prevented(F: Any, _dy: Any, _y: Any, _x: Any, message: str) -> Any:
    raise LookupError(f"Gradient explicitly disabled. Reason: {message.encode()!r}")


prevented_ = kernel("prevent_gradient", "PreventGradient", forward=lambda x, message: x, gradient=_prevented)


@public("raw_ops.PreventGradient")
def PreventGradient(*, input: Any, message: str = "", name: str | None = None) -> EagerTensor:
    """The tensor itself, whose gradient is a LookupError."""
    return prevented_(convert_to_tensor(input), message=message)
