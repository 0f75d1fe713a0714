"""Kernels that no public function of TensorFlow reaches any more but ``tf.raw_ops``, which takes arguments by name.

Most are earlier versions of ops that stand elsewhere: they compute and differentiate as those do.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ..errors import UnimplementedError, invalid
from ..tensors.conversion import convert_to_tensor
from ..tensors.slices import IndexedSlices
from ..tensors.tensor import EagerTensor
from .arguments import check
from .arithmetic import add
from .blocks import batch_to_space, space_to_batch
from .casting import cast, identity
from .checks import check_numerics
from .declare import OPS, arrays, binary, kernel, public, tensors
from .diagonals import diag, diag_part, set_diag
from .gathering import gather_rows
from .kernels.layer_checks import check_blocks
from .kernels.refusals import brackets
from .kernels.whole_numbers import quotient
from .layers import bias_add
from .matrix import matmul, product_gradients
from .matrix_fitting import Shape
from .pooling import max_pool_v2
from .rounding import whole
from .scattering import dynamic_stitch, tensor_scatter_nd_add, tensor_scatter_nd_max
from .selection import misfit, select_alike
from .shaping import concat, ints, transpose
from .tiling import reverse

# ------------------------------------------------------------------------------------------------ earlier versions


div_ = binary(
    "", f="older_div", kernel="Div", forward=whole("Div", quotient), types="float complex int uint8",
    gradient=OPS["RealDiv"].gradient,
)  # fmt: skip


@public("raw_ops.Add")
def Add(*, x: Any, y: Any, name: str | None = None) -> EagerTensor:
    """The sum of two tensors, broadcast."""
    return add(x, y, name)


@public("raw_ops.Div")
def Div(*, x: Any, y: Any, name: str | None = None) -> EagerTensor:
    """The quotient of two tensors, broadcast; that of whole numbers is cut to one."""
    return div_(x, y, name)


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
    x, y = convert_to_tensor(x), convert_to_tensor(y)
    a, b = x._a.shape, y._a.shape
    if len(a) != len(b):
        raise invalid("BatchMatMul", f"In[0] and In[1] has different ndims: {brackets(a)} vs. {brackets(b)}", name)
    for k, (d, e) in enumerate(zip(a[:-2], b[:-2])):
        if d != e:
            where = f"In[0].dim({k}) and In[1].dim({k})"
            raise invalid("BatchMatMul", f"{where} must be the same: {brackets(a)} vs {brackets(b)}", name)
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
    x, size = convert_to_tensor(input), int(block_size)
    check_blocks("BatchToSpace", x._a.shape, (size, size), convert_to_tensor(crops)._a, name)
    return batch_to_space(x, [size, size], crops)


@public("raw_ops.SpaceToBatch")
def SpaceToBatch(*, input: Any, paddings: Any, block_size: int, name: str | None = None) -> EagerTensor:
    """``space_to_batch`` with square blocks."""
    x, size = convert_to_tensor(input), int(block_size)
    check_blocks("SpaceToBatch", x._a.shape, (size, size), convert_to_tensor(paddings)._a, name)
    return space_to_batch(x, [size, size], paddings)


@public("raw_ops.BiasAddV1")
def BiasAddV1(*, value: Any, bias: Any, name: str | None = None) -> EagerTensor:
    """``nn.bias_add`` along the last axis."""
    x = convert_to_tensor(value)
    b = convert_to_tensor(bias, dtype_hint=x.dtype)
    if x._a.ndim < 2:
        raise invalid("BiasAddV1", f"Input tensor must be at least 2D: {brackets(x._a.shape)}", name)
    if b._a.ndim != 1:
        raise invalid("BiasAddV1", f"Biases must be 1D: {brackets(b._a.shape)}", name)
    return bias_add(x, b)


@public("raw_ops.Concat")
def Concat(*, concat_dim: int, values: Any, name: str | None = None) -> EagerTensor:
    """``concat`` with the axis first."""
    return concat(values, ints(concat_dim)[0])


@public("raw_ops.Gather")
def Gather(*, params: Any, indices: Any, validate_indices: bool = True, name: str | None = None) -> Any:
    """Rows of a tensor."""
    return gather_rows(convert_to_tensor(params), convert_to_tensor(indices))


@public("raw_ops.ConjugateTranspose")
def ConjugateTranspose(*, x: Any, perm: Any, name: str | None = None) -> EagerTensor:
    """``transpose`` of the conjugate."""
    order, rank = convert_to_tensor(perm)._a, convert_to_tensor(x)._a.ndim
    if order.ndim != 1:
        raise invalid("ConjugateTranspose", f"perm must be rank 1, got shape {brackets(order.shape)}", name)
    for axis in order.tolist() if len(order) == rank else ():
        if not -rank <= axis < rank:
            raise invalid("ConjugateTranspose", f"{axis} is out of range [0 .. {rank})", name)
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


@public("raw_ops.MatrixSetDiagV2")
def MatrixSetDiagV2(*, input: Any, diagonal: Any, k: Any, name: str | None = None) -> EagerTensor:
    """``linalg.set_diag`` of a band whose diagonals are aligned to the left."""
    return set_diag(input, diagonal, k=k, align=_LEFT)


_LEFT = "LEFT_LEFT"


@public("raw_ops.MaxPoolV2")
def MaxPoolV2(
    *, input: Any, ksize: Any, strides: Any, padding: str, data_format: str = "NHWC", name: str | None = None
) -> EagerTensor:
    """``nn.max_pool2d`` whose sizes are tensors; it has no third derivative."""
    x = convert_to_tensor(input)
    if data_format != "NHWC":
        raise invalid("MaxPoolV2", f"MaxPoolingV2Op only supports NHWC or NCHW_VECT_C. Got: {data_format}", name)
    fitting = _pooled(x._a.shape, convert_to_tensor(ksize)._a, convert_to_tensor(strides)._a)
    if fitting is not None:
        raise fitting
    return max_pool_v2(x, ints(ksize), ints(strides), padding)


@public("raw_ops.Reverse")
def Reverse(*, tensor: Any, dims: Any, name: str | None = None) -> EagerTensor:
    """``reverse`` along the axes that are marked true."""
    marks, rank = convert_to_tensor(dims)._a, convert_to_tensor(tensor)._a.ndim
    if marks.ndim != 1:
        raise invalid("Reverse", f"'dims' must be 1-dimension, not {marks.ndim}", name)
    if len(marks) != rank:
        text = "'dims' must have the same number of values as 'input' has dimensions."
        raise invalid("Reverse", f"{text} 'input' has {rank}'dims' has {len(marks)} values", name)
    return reverse(tensor, [k for k, mark in enumerate(marks) if mark])


@public("raw_ops.Select")
def Select(*, condition: Any, x: Any, y: Any, name: str | None = None) -> EagerTensor:
    """``where`` without broadcasting, but for a condition of one row each."""
    condition, x = convert_to_tensor(condition), convert_to_tensor(x)
    y = convert_to_tensor(y, dtype_hint=x.dtype)
    check("Select", name, condition=condition, t=x, e=y)
    wrong = misfit(condition._a.shape, x._a.shape, y._a.shape)
    if wrong:
        raise invalid("Select", wrong, name)
    return select_alike(condition, x, y)


@public("raw_ops.ParallelDynamicStitch")
def ParallelDynamicStitch(*, indices: Any, data: Any, name: str | None = None) -> EagerTensor:
    """``dynamic_stitch`` of indices that are all different."""
    return dynamic_stitch(indices, data)


@public("raw_ops.ScatterNdNonAliasingAdd")
def ScatterNdNonAliasingAdd(
    *, input: Any, indices: Any, updates: Any, bad_indices_policy: str = "", name: str | None = None
) -> EagerTensor:
    """``tensor_scatter_nd_add``."""
    x, at = convert_to_tensor(input), convert_to_tensor(indices)
    new = convert_to_tensor(updates, dtype_hint=x.dtype)
    if at._a.ndim == 1:
        at = convert_to_tensor(at._a.reshape(-1, 1))
    wrong = _unscattered(at._a.shape, new._a.shape, x._a.shape)
    if wrong:
        raise invalid("ScatterNdNonAliasingAdd", wrong, name)
    if x._a.dtype.kind == "b" and new._a.dtype.kind == "b":  # where one is true
        return cast(tensor_scatter_nd_max(cast(x, "int32"), at, cast(new, "int32")), "bool")
    return tensor_scatter_nd_add(x, at, new)


def _single(F: Any, x: Any) -> Any:
    return x if F.dtype(x) == _SINGLE else F.cast(x, dtype=_SINGLE)


def _check_matrices(a: Any, b: Any, name: str | None = None) -> None:
    for word, x in (("a", a), ("b", b)):
        if x.ndim != 2:
            raise invalid("SparseMatMul", f"{word} is not a matrix", name)


def _sparse_product(a: Any, b: Any, ta: bool, tb: bool) -> Any:
    _check_matrices(a, b)
    if a.shape[-2 if ta else -1] != b.shape[-1 if tb else -2]:
        raise invalid("SparseMatMul", f"Matrix size incompatible: a: {brackets(a.shape)}, b: {brackets(b.shape)}")
    return arrays.matmul(a.astype(_SINGLE), b.astype(_SINGLE), ta, tb)


def _by_factor(k: int) -> Any:
    """The gradient by one of two factors: in single precision, then in the factor's own."""

    def gradient(F: Any, dy: Any, y: Any, a: Any, b: Any, ta: bool, tb: bool) -> Any:
        if type(dy) is IndexedSlices:  # TensorFlow first notes which matrices are mostly zeros, by their references
            raise AttributeError("'IndexedSlices' object has no attribute 'ref'")
        g = product_gradients[k](F, dy, y, _single(F, a), _single(F, b), ta, tb)
        own = F.dtype((a, b)[k])
        return g if own == _SINGLE else F.cast(g, dtype=own)

    return gradient


_SINGLE = np.dtype(np.float32)
sparse_matmul_ = kernel(
    "sparse_matmul", "SparseMatMul", sparse=True, forward=_sparse_product, gradient=(_by_factor(0), _by_factor(1))
)


@public("raw_ops.SparseMatMul")
def SparseMatMul(
    *, a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False, a_is_sparse: bool = False,
    b_is_sparse: bool = False, name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """``matmul`` of matrices that are mostly zeros, float32 or bfloat16 each; the product is float32."""
    a, b = convert_to_tensor(a), convert_to_tensor(b)
    _check_matrices(a._a, b._a, name)
    return sparse_matmul_(a, b, ta=bool(transpose_a), tb=bool(transpose_b))


# ------------------------------------------------------------------------------------------------ what does not fit


def _pooled(shape: Shape, size: Any, steps: Any) -> Exception | None:
    """TensorFlow's error for a pool whose windows have other than four sizes or reach over the batch."""
    for word, given in (("ksize", size), ("stride", steps)):
        if given.size != 4:
            return invalid("MaxPoolV2", f"Sliding window {word} field must specify 4 dimensions")
    size, steps = size.ravel(), steps.ravel()
    if (size <= 0).any():
        return invalid("MaxPoolV2", "Sliding window ksize must be positive.")
    if size[0] != 1 or steps[0] != 1:
        message = invalid("MaxPoolV2", "Pooling is not yet supported on the batch dimension.").message
        return UnimplementedError(None, None, message)
    if size[3] != 1 and len(shape) == 4:
        text = "Depthwise max pooling requires the depth window to "
        fits = shape[3] % size[3] == 0
        text += "equal the depth stride" if fits else "evenly divide the input depth"
        if not fits or size[3] != steps[3]:
            return UnimplementedError(None, None, invalid("MaxPoolV2", text).message)
    if len(shape) != 4:
        return invalid("MaxPoolV2", f"tensor_in_shape must have 2 spatial dimensions. {len(shape)} 0")
    return None


def _unscattered(at: Shape, new: Shape, shape: Shape) -> str | None:
    """Index tuples and updates that fit a tensor."""
    if not shape:
        return "Output must be at least 1-D, got shape: []"
    empty = [0 in one for one in (shape, at, new)]
    if any(empty) and not all(empty[1:]):
        return f"Indices and updates specified for empty output.  indices shape: {brackets(at)}"
    outer, depth = len(at) - 1, at[-1] if at else 1
    mine, theirs = f"indices[shape={brackets(at)}]", f"updates[shape={brackets(new)}]"
    for k in range(outer):
        if not new or (k < len(new) and new[k] != at[k]):
            size = new[k] if new else 0
            span = f"[0,{outer})"
            return f"Dimensions {span} of {mine} = {at[k]} must match dimensions {span} of {theirs} = {size}"
    if len(new) < outer:
        return f"Dimensions [0,{outer}) of {mine} must match dimensions [0,{outer}) of {theirs}"
    if shape[depth:] != new[outer:]:
        span = f"Dimensions [{depth},{len(shape)}) of input[shape={brackets(shape)}]"
        return f"{span} must match dimensions [{outer},{len(new)}) of {theirs}"
    return None


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
