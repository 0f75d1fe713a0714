"""Compressed sparse matrices: variants that ``raw_ops.DenseToCSRSparseMatrix`` and its like make, open and multiply.

A matrix (or a batch of them) is held as sorted places and their values.  Upstream gradients are such matrices, too,
with values in the places of the operand alone; two of them cannot be added up, as in TensorFlow on a CPU.
"""

from __future__ import annotations

from collections import namedtuple
from functools import partial
from typing import Any

import numpy as np

from .. import dtypes
from ..errors import invalid
from ..ops.declare import kernel, public
from ..ops.scatter import scatter_add
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, wrap
from ..tensors.variants import Variant, described
from . import fitting
from .kernels import int64s, places_of, shape_of

CSRSparseMatrixToSparseTensor_ = namedtuple("CSRSparseMatrixToSparseTensor", ("indices", "values", "dense_shape"))


class Compressed:
    """``values[k]`` stands at ``at[k]``, an int64 array of shape (n, 2 or 3), of a tensor of shape ``shape``."""

    __slots__ = ("at", "shape", "values")
    type_name = "tensorflow::CSRSparseMatrix"

    def __init__(self, at: Any, values: Any, shape: tuple[int, ...]):
        self.at, self.values, self.shape = at, values, shape

    def __str__(self) -> str:
        return f"<{described(int64s(self.shape))}>"


def _of(variant: Any) -> Compressed:
    return variant.held


def _dense(matrix: Compressed) -> Any:
    return scatter_add(matrix.shape, tuple(matrix.at.T), matrix.values)


def _turned(x: Any, transpose: bool, adjoint: bool) -> Any:
    x = x.swapaxes(-1, -2) if transpose or adjoint else x
    return np.conjugate(x) if adjoint and x.dtype.kind == "c" else x


def _matrix(at: Any, values: Any, shape: tuple[int, ...]) -> Variant:
    order = np.lexsort(at.T[::-1])
    return Variant(Compressed(at[order], values[order], shape))


def _places(F: Any, variant: Any) -> Any:
    return F.stopped(variant).held.at


# ------------------------------------------------------------------------------------------------ in and out


from_dense_ = kernel(
    "csr_from_dense", "DenseToCSRSparseMatrix",
    forward=lambda x, at: _matrix(at, x[tuple(at.T)], x.shape),
    gradient=lambda F, dy, _y, _x, at: F.csr_to_dense(dy),
)  # fmt: skip
to_dense_ = kernel(
    "csr_to_dense", "CSRSparseMatrixToDense", forward=lambda variant: _dense(_of(variant)),
    gradient=lambda F, dy, _y, variant: F.csr_from_parts(
        F.gather_nd(dy, _places(F, variant)), at=_places(F, variant), shape=F.shape(dy)
    ),
)  # fmt: skip
from_parts_ = kernel(
    "csr_from_parts", "SparseTensorToCSRSparseMatrix",
    forward=lambda values, at, shape: _matrix(at, values, shape),
    gradient=lambda F, dy, _y, _values, at, shape: F.csr_parts(dy)[1],
)  # fmt: skip
parts_ = kernel(
    "csr_parts", "CSRSparseMatrixToSparseTensor",
    forward=lambda variant: (_of(variant).at, _of(variant).values, int64s(_of(variant).shape)),
    gradient=lambda F, dy, y, _variant: F.csr_from_parts(
        dy[1], at=F.stopped(y[0]), shape=tuple(int(d) for d in F.stopped(y[2]))
    ),
)  # fmt: skip
conj_ = kernel(
    "csr_conj", "Conj", gradient=lambda F, dy, _y, _variant: F.csr_conj(dy),
    forward=lambda variant: Variant(Compressed(_of(variant).at, np.conjugate(_of(variant).values), _of(variant).shape)),
)  # fmt: skip


def _check(kernel_name: str, says: str, variant: EagerTensor, want: Any, name: str | None) -> None:
    """InvalidArgumentError where a matrix is not of the dtype that was named; ``says`` is the kernel's sentence."""
    dtype = dtypes.as_dtype(want)
    have = dtypes.of(_of(variant._a).values.dtype)
    if have is not dtype:
        raise invalid(kernel_name, says.format(want=dtype.name, word=dtype._word, have=have.name, had=have._word), name)


@public("raw_ops.DenseToCSRSparseMatrix")
def DenseToCSRSparseMatrix(*, dense_input: Any, indices: Any, name: str | None = None) -> EagerTensor:
    """A compressed matrix of the elements in some places of a dense one, or of a batch."""
    x = convert_to_tensor(dense_input)
    from_dense_.op.check(x._a.dtype, name or "")
    if x._a.ndim not in (2, 3):
        shape = str(list(x._a.shape)).replace(" ", "")
        raise invalid("DenseToCSRSparseMatrix", f"params must have rank == 2 or 3; but saw shape: {shape}", name)
    at = places_of(indices)
    places = np.asarray(convert_to_tensor(indices)._a)
    fitting.refuse("DenseToCSRSparseMatrix", fitting.compressed(x._a.shape, places), name)
    return from_dense_(x, at=at)


@public("raw_ops.CSRSparseMatrixToDense")
def CSRSparseMatrixToDense(*, sparse_input: Any, type: Any, name: str | None = None) -> EagerTensor:
    """The dense matrix."""
    says = "Asked for a CSRSparseMatrix of type {word} but saw dtype: {had}"
    _check("CSRSparseMatrixToDense", says, sparse_input, type, name)
    return to_dense_(sparse_input)


@public("raw_ops.SparseTensorToCSRSparseMatrix")
def SparseTensorToCSRSparseMatrix(
    *, indices: Any, values: Any, dense_shape: Any, name: str | None = None
) -> EagerTensor:
    """A compressed matrix of a sparse tensor's parts."""
    x = convert_to_tensor(values)
    from_parts_.op.check(x._a.dtype, name or "")
    at, shape = places_of(indices), shape_of(dense_shape)
    misfit = fitting.parts(*fitting.sizes(indices, x, dense_shape)) or fitting.inside(at, shape)
    fitting.refuse("SparseTensorToCSRSparseMatrix", misfit, name)
    return from_parts_(x, at=at, shape=shape)


@public("raw_ops.CSRSparseMatrixToSparseTensor")
def CSRSparseMatrixToSparseTensor(*, sparse_matrix: Any, type: Any, name: str | None = None) -> Any:
    """The parts of a sparse tensor."""
    says = "Expected a CSRSparseMatrix of type {want} but saw type: {have}"
    _check("CSRSparseMatrixToSparseTensor", says, sparse_matrix, type, name)
    return CSRSparseMatrixToSparseTensor_(*parts_(sparse_matrix))


# ------------------------------------------------------------------------------------------------ transposed


def _transposed(variant: Any, conjugate: bool) -> Variant:
    matrix = _of(variant)
    rank = len(matrix.shape)
    order = (*range(rank - 2), rank - 1, rank - 2)
    values = np.conjugate(matrix.values) if conjugate else matrix.values
    return _matrix(matrix.at[:, order], values, tuple(matrix.shape[k] for k in order))


transpose_ = kernel(
    "csr_transpose", "SparseMatrixTranspose", forward=_transposed,
    gradient=lambda F, dy, _y, _variant, conjugate: F.csr_transpose(dy, conjugate=conjugate),
)  # fmt: skip


@public("raw_ops.SparseMatrixTranspose")
def SparseMatrixTranspose(*, input: Any, type: Any, conjugate: bool = False, name: str | None = None) -> EagerTensor:
    """The matrix with rows and columns exchanged."""
    says = "dtype of input is not equal to 'type': {have} vs. {want}"
    _check("SparseMatrixTranspose", says, input, type, name)
    return transpose_(input, conjugate=bool(conjugate))


# ------------------------------------------------------------------------------------------------ times dense ones

_FLAGS = ("transpose_a", "transpose_b", "adjoint_a", "adjoint_b", "transpose_output", "conjugate_output")


def _product(
    variant: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False, adjoint_a: bool = False,
    adjoint_b: bool = False, transpose_output: bool = False, conjugate_output: bool = False,
) -> Any:  # fmt: skip
    made = np.matmul(_turned(_dense(_of(variant)), transpose_a, adjoint_a), _turned(b, transpose_b, adjoint_b))
    made = made.swapaxes(-1, -2) if transpose_output else made
    return np.conjugate(made) if conjugate_output else made


def _pruned(
    F: Any, at: Any, x: Any, y: Any, transpose_a: bool = False, adjoint_a: bool = False, transpose_b: bool = False,
    adjoint_b: bool = False,
) -> Any:  # fmt: skip
    """The product of two dense matrices in some places alone, as a compressed matrix."""
    x, y = F.conj(x) if adjoint_a else x, F.conj(y) if adjoint_b else y
    left, right = transpose_a or adjoint_a, transpose_b or adjoint_b
    rank, shape_x, shape_y = F.rank(x), F.shape(x), F.shape(y)
    shape = (*shape_x[:-2], shape_x[-1] if left else shape_x[-2], shape_y[-2] if right else shape_y[-1])
    turn = (1, 0) if rank == 2 else (0, 2, 1)
    rows = _gathered(F, F.transpose(x, perm=turn) if left else x, at[:, :-1])
    columns = _gathered(F, y if right else F.transpose(y, perm=turn), at[:, [*range(rank - 2), rank - 1]])
    return F.csr_from_parts(F.sum(rows * columns, axis=(1,), keepdims=False), at=at, shape=shape)


def _gathered(F: Any, x: Any, at: Any) -> Any:
    if at.shape[1] > 1:
        return F.gather_nd(x, at)
    rows = at[:, 0]
    return F.gather(x, wrap(rows) if F.recording else rows, literal=0, axis=0, batch_dims=0)


def _product_gradient(F: Any, dy: Any, _y: Any, a: Any, b: Any, **flags: bool) -> tuple:
    """TensorFlow's cases, each with products of its own."""
    pruned, product = partial(_pruned, F, _places(F, a)), F.csr_matmul
    ta, tb, aa, ab, out, conjugate = (flags.get(name, False) for name in _FLAGS)
    dy = F.conj(dy) if conjugate else dy
    if not aa and not ab:
        a, b = F.csr_conj(a), F.conj(b)
        if ta:
            by_a = pruned(b, dy, transpose_a=tb, transpose_b=not out)
        else:
            by_a = pruned(dy, b, transpose_a=out, transpose_b=not tb)
        return by_a, product(a, dy, transpose_a=not ta, transpose_b=out, transpose_output=tb)
    if not ta and not tb:
        if not aa:
            by_a = pruned(dy, b, transpose_a=out, adjoint_b=not ab)
        else:
            by_a = pruned(b, F.conj(dy), adjoint_a=ab) if out else pruned(b, dy, adjoint_a=ab, adjoint_b=True)
        turned = {"transpose_output": ab, "conjugate_output": ab}
        return by_a, product(a, dy, adjoint_a=not aa, transpose_b=out, **turned)
    return _mixed_gradient(F, dy, a, b, aa, out, pruned)


def _mixed_gradient(F: Any, dy: Any, a: Any, b: Any, aa: bool, out: bool, pruned: Any) -> tuple:
    """One operand transposed, the other one adjoint."""
    product = F.csr_matmul
    if aa and out:
        return pruned(b, F.conj(dy), transpose_a=True), product(a, dy, transpose_b=True, transpose_output=True)
    if aa:
        return pruned(b, dy, transpose_a=True, adjoint_b=True), product(a, dy, transpose_output=True)
    if out:
        return pruned(b, dy, transpose_a=True), product(a, dy, adjoint_b=True, transpose_output=True)
    by_b = product(F.csr_conj(a), dy, transpose_output=True, conjugate_output=True)
    return pruned(b, dy, transpose_a=True, transpose_b=True), by_b


matmul_ = kernel("csr_matmul", "SparseMatrixMatMul", forward=_product, gradient=_product_gradient)


def _check_flags(kernel_name: str, flags: dict[str, bool], name: str | None) -> None:
    for operand in "ab":
        if flags[f"transpose_{operand}"] and flags[f"adjoint_{operand}"]:
            text = f"Only one of adjoint_{operand} and transpose_{operand} may be true."
            raise invalid(kernel_name, text, name)


def _check_sizes(kernel_name: str, flags: dict[str, bool], a: Any, b: Any, gap: str, name: str | None) -> None:
    inner = a[-2] if flags["transpose_a"] or flags["adjoint_a"] else a[-1]
    other = b[-1] if flags["transpose_b"] or flags["adjoint_b"] else b[-2]
    if inner != other:
        mine, theirs = (str(list(shape)).replace(" ", "") for shape in (a, b))
        text = f"Inner product dimensions of A and B do not agree.{gap}Shapes are: {mine} vs. {theirs}"
        raise invalid(kernel_name, text, name)


def _check_batches(a: tuple[int, ...], b: tuple[int, ...], name: str | None) -> None:
    """InvalidArgumentError unless both are matrices, or as many of them."""
    text = ""
    if len(a) != len(b):
        text = f"Ranks of a and b must match, saw: {len(a)} vs. {len(b)}."
    elif len(a) == 3 and a[0] != b[0]:
        text = f"Batch sizes of a and b must match, saw: {a[0]} vs. {b[0]}."
    if text:
        raise invalid("SparseMatrixMatMul", text, name)


@public("raw_ops.SparseMatrixMatMul")
def SparseMatrixMatMul(
    *, a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False, adjoint_a: bool = False,
    adjoint_b: bool = False, transpose_output: bool = False, conjugate_output: bool = False, name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """A compressed matrix times a dense one."""
    x, given = convert_to_tensor(b), locals()
    flags = {flag: bool(given[flag]) for flag in _FLAGS}
    _check_flags("SparseMatrixMatMul", flags, name)
    have, want = (dtypes.of(array.dtype)._word for array in (_of(a._a).values, x._a))
    if have != want:
        text = f"Input types don't match.  a.dtype == {have} vs. b.dtype == {want}"
        raise invalid("SparseMatrixMatMul", text, name)
    _check_batches(_of(a._a).shape, x._a.shape, name)
    _check_sizes("SparseMatrixMatMul", flags, _of(a._a).shape, x._a.shape, " ", name)
    return matmul_(a, x, **flags)


# ------------------------------------------------------------------------------------------ times compressed ones


def _sparse_product(a: Any, b: Any, transpose_a: bool, transpose_b: bool, adjoint_a: bool, adjoint_b: bool) -> Variant:
    """All places that a value can reach are held, also where the sum is nought."""
    left, right = _of(a), _of(b)
    made = np.matmul(_turned(_dense(left), transpose_a, adjoint_a), _turned(_dense(right), transpose_b, adjoint_b))
    marks = [_dense(Compressed(one.at, np.ones(len(one.at), np.int64), one.shape)) for one in (left, right)]
    reached = np.matmul(
        _turned(marks[0], transpose_a, adjoint_a), _turned(marks[1], transpose_b, adjoint_b)
    )  # fmt: skip
    at = np.argwhere(reached > 0).astype(np.int64)
    return _matrix(at, made[tuple(at.T)], made.shape)


def _sparse_product_gradient(F: Any, dy: Any, _y: Any, a: Any, _b: Any, **_: Any) -> Any:
    """In eager mode TensorFlow's gradient stops where it asks a variant for the dtype of what is inside."""
    tensor = a if type(a) is EagerTensor else wrap(a)
    raise ValueError(f"matrix has missing handle data: {tensor!s}")


sparse_matmul_ = kernel(
    "csr_sparse_matmul", "SparseMatrixSparseMatMul", forward=_sparse_product, gradient=_sparse_product_gradient,
    ordered=True,
)  # fmt: skip


@public("raw_ops.SparseMatrixSparseMatMul")
def SparseMatrixSparseMatMul(
    *, a: Any, b: Any, type: Any, transpose_a: bool = False, transpose_b: bool = False, adjoint_a: bool = False,
    adjoint_b: bool = False, name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """The product of two compressed matrices, compressed; its gradient fails, as TensorFlow's does."""
    given = locals()
    flags = {flag: bool(given[flag]) for flag in _FLAGS[:4]}
    _check_flags("SparseMatrixSparseMatMul", flags, name)
    for word, operand in (("a", a), ("b", b)):
        says = f"dtype of {word} is not equal to 'type': {{have}} vs. {{want}}"
        _check("SparseMatrixSparseMatMul", says, operand, type, name)
    _check_sizes("SparseMatrixSparseMatMul", flags, _of(a._a).shape, _of(b._a).shape, "  ", name)
    return sparse_matmul_(a, b, **flags)
