"""Kernels that make something dense of a sparse tensor's parts, or new values in the same places (``tf.raw_ops``).

Indices and shapes are constants to every tape; values and dense operands have gradients.  ``at`` is an int64 array
of places, one row for each value, and ``shape`` the shape of the dense tensor.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import invalid, unnamed
from ..ops.declare import kernel, public
from ..ops.kernels.whole_numbers import quotient
from ..ops.scatter import scatter_add, scatter_set
from ..ops.shaping import ints
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from . import fitting


def places_of(indices: Any) -> Any:
    """Indices as an int64 array of two axes: a vector names places of a tensor of one axis."""
    at = np.asarray(convert_to_tensor(indices)._a).astype(np.int64)
    return at.reshape(-1, 1) if at.ndim == 1 else at


def shape_of(shape: Any) -> tuple[int, ...]:
    """A dense shape as a tuple."""
    return tuple(int(d) for d in ints(shape))


def listed(shape: Any) -> str:
    """A shape as kernels write it."""
    return "[" + ",".join(str(int(d)) for d in shape) + "]"


def int64s(values: Any) -> Any:
    """An int64 array."""
    return np.asarray(values, np.int64)


def numbered(at: Any, shape: tuple[int, ...]) -> Any:
    """One number for each place, in the order of places."""
    sizes = np.maximum(int64s(shape), at.max(axis=0, initial=0) + 1) if at.size else int64s(shape)
    strides = np.ones(len(sizes), np.int64)
    strides[:-1] = np.cumprod(sizes[:0:-1])[::-1]
    return at @ strides


def _put(shape: tuple[int, ...], at: Any, values: Any) -> Any:
    return scatter_add(shape, tuple(at.T), values)


# ------------------------------------------------------------------------------------------------------ to dense


def _dense(_at: Any, _shape: Any, values: Any, default: Any, at: Any, shape: tuple[int, ...]) -> Any:
    return scatter_set(np.broadcast_to(default, shape), tuple(at.T), values)


def _dense_gradient(
    F: Any, dy: Any, _y: Any, indices: Any, sizes: Any, _values: Any, _default: Any, at: Any, shape: tuple[int, ...]
) -> tuple:
    """Nought, not None, for the indices and the shape."""
    picked = F.gather_nd(dy, at)
    rest = F.sum(dy, axis=tuple(range(len(shape))), keepdims=False) - F.sum(picked, axis=(0,), keepdims=False)
    return F.zeros_like(indices), F.zeros_like(sizes), picked, rest


to_dense_ = kernel("sparse_to_dense", "SparseToDense", forward=_dense, gradient=_dense_gradient)


@public("raw_ops.SparseToDense")
def SparseToDense(
    *, sparse_indices: Any, output_shape: Any, sparse_values: Any, default_value: Any, validate_indices: bool = True,
    name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """Values put into a tensor of one number.  InvalidArgumentError for places outside it, or out of order."""
    values = convert_to_tensor(sparse_values)
    indices, sizes = convert_to_tensor(sparse_indices), convert_to_tensor(output_shape)
    given = fitting.sizes(indices, values, convert_to_tensor(default_value, values.dtype))
    fitting.refuse("SparseToDense", fitting.to_dense(*given, np.asarray(sizes._a)), name)
    at, shape = places_of(indices), shape_of(sizes)
    check_places(at, shape, validate_indices, name)
    return to_dense_(indices, sizes, values, convert_to_tensor(default_value, values.dtype), at=at, shape=shape)


def check_places(at: Any, shape: tuple[int, ...], ordered: bool, name: str | None) -> None:
    """TensorFlow's errors for places outside a shape or, where they must be ``ordered``, out of order."""
    bounds = listed(shape)
    for k, place in enumerate(at):
        where = f"indices[{k}] = {listed(place)}"
        if ((place < 0) | (place >= shape)).any():
            raise unnamed("SparseToDense", f"{where} is out of bounds: need 0 <= index < {bounds}", name)
        if k and ordered and tuple(place) <= tuple(at[k - 1]):
            why = "repeated" if tuple(place) == tuple(at[k - 1]) else "out of order"
            text = f"{where} is {why}. Many sparse ops require sorted indices.\n    Use `tf.sparse.reorder` to create"
            raise unnamed("SparseToDense", f"{text} a correctly ordered copy.\n\n", name)


# ------------------------------------------------------------------------------------------------------ reductions


def _kept(shape: tuple[int, ...], axes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(1 if k in axes else d for k, d in enumerate(shape))


def _added_up(values: Any, at: Any, shape: tuple[int, ...], axes: tuple[int, ...], keepdims: bool) -> Any:
    kept = _kept(shape, axes)
    total = _put(kept, np.minimum(at, int64s(kept) - 1), values)
    return total if keepdims else total.reshape([d for k, d in enumerate(shape) if k not in axes])


def _added_up_gradient(F: Any, dy: Any, _y: Any, _values: Any, **given: Any) -> Any:
    kept = _kept(given["shape"], given["axes"])
    return F.gather_nd(F.reshape(dy, shape=kept), np.minimum(given["at"], int64s(kept) - 1))


sum_ = kernel("sparse_reduce_sum", "SparseReduceSum", forward=_added_up, gradient=_added_up_gradient)


@public("raw_ops.SparseReduceSum")
def SparseReduceSum(
    *, input_indices: Any, input_values: Any, input_shape: Any, reduction_axes: Any, keep_dims: bool = False,
    name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """The sum over axes, a dense tensor."""
    *parts, axes_shape = fitting.sizes(input_indices, input_values, input_shape, reduction_axes)
    fitting.refuse("SparseReduceSum", fitting.reduced(parts[2], axes_shape), name)
    at, shape = places_of(input_indices), shape_of(input_shape)
    given, rank = ints(reduction_axes), len(shape)
    for axis in given:
        if not -rank <= axis < rank:
            text = f"Invalid reduction dimension {axis}, for input with {rank} dimensions."
            raise unnamed("SparseReduceSum", text, name)
    fitting.refuse("SparseReduceSum", fitting.created(*parts[:2], rank), name)
    axes = tuple(sorted({axis % rank for axis in given})) or tuple(range(rank))
    return sum_(convert_to_tensor(input_values), at=at, shape=shape, axes=axes, keepdims=bool(keep_dims))


# ------------------------------------------------------------------------------------------- with a dense operand


def _scaled(at: Any, shape: tuple[int, ...], dense: tuple[int, ...]) -> Any:
    """The places of values in a dense operand that is broadcast to ``shape``."""
    added = len(shape) - len(dense)
    whole = (1,) * added + dense
    return (at // (int64s(shape) // np.maximum(int64s(whole), 1)))[:, added:]


def _factors(F: Any, dense: Any, at: Any, shape: tuple[int, ...]) -> tuple[Any, Any]:
    own = F.shape(dense)
    if not own:
        raise invalid("GatherNd", "params must be at least a vector")
    scaled = _scaled(at, shape, own)
    return scaled, F.gather_nd(dense, scaled)


def _times_gradient(F: Any, dy: Any, _y: Any, values: Any, dense: Any, at: Any, shape: tuple[int, ...]) -> tuple:
    scaled, picked = _factors(F, dense, at, shape)
    zeros = F.zeros_like(dense)
    return dy * picked, F.sparse_dense_add(dy * values, zeros, at=scaled)


def _over_gradient(F: Any, dy: Any, _y: Any, values: Any, dense: Any, at: Any, shape: tuple[int, ...]) -> tuple:
    scaled, picked = _factors(F, dense, at, shape)
    by_dense = dy * (-values / F.square(picked))
    return dy / picked, F.sparse_dense_add(by_dense, F.zeros_like(dense), at=scaled)


def _not_written(kernel_name: str) -> Any:
    def gradient(F: Any, dy: Any, _y: Any, _values: Any, _dense: Any, **_: Any) -> Any:
        raise NotImplementedError(f"Gradient for {kernel_name} is not implemented.")

    return gradient


def _elements(dense: Any, at: Any, shape: tuple[int, ...]) -> Any:
    return dense[tuple(_scaled(at, shape, dense.shape).T)]


times_ = kernel(
    "sparse_times", "SparseDenseCwiseMul", gradient=_times_gradient,
    forward=lambda values, dense, at, shape: values * _elements(dense, at, shape),
)  # fmt: skip
over_ = kernel(
    "sparse_over", "SparseDenseCwiseDiv", gradient=_over_gradient,
    forward=lambda values, dense, at, shape: quotient(values, _elements(dense, at, shape)),
)  # fmt: skip
plus_ = kernel(
    "sparse_plus", "SparseDenseCwiseAdd", gradient=_not_written("SparseDenseCwiseAdd"), ordered=True,
    forward=lambda values, dense, at, shape: values + _elements(dense, at, shape),
)  # fmt: skip


def elementwise(op: Any, at: Any, values: Any, shape: tuple[int, ...], dense: Any, name: str | None) -> EagerTensor:
    """``op`` of values and of the elements in their places of a dense tensor, which is broadcast."""
    x = convert_to_tensor(values)
    y = convert_to_tensor(dense, dtype=x.dtype)
    op.op.check(x._a.dtype, name)
    own, added = y._a.shape, len(shape) - y._a.ndim
    if added < 0 or any(d not in (1, e) for d, e in zip(own, shape[added:])):
        text = "SparseDenseBinaryOpShared broadcasts dense to sparse only; got incompatible shapes"
        raise unnamed(op.op.kernel, f"{text}: {listed(shape)} vs. {listed(own)}", name)
    if ((at < 0) | (at >= int64s(shape))).any():
        text = "Provided indices are out-of-bounds w.r.t. dense side with broadcasted shape"
        raise unnamed(op.op.kernel, text, name)
    if op is over_ and not _elements(y._a, at, shape).all():
        text = "SparseDenseCwiseDiv cannot divide by zero,but input dense tensor contains zero "
        raise unnamed(op.op.kernel, text, name)
    return op(x, y, at=at, shape=shape)


def _raw_elementwise(op: Any, function: Any) -> Any:
    def call(*, sp_indices: Any, sp_values: Any, sp_shape: Any, dense: Any, name: str | None = None) -> EagerTensor:
        shape = np.asarray(convert_to_tensor(sp_shape)._a)
        fitting.refuse(op.op.kernel, fitting.beside_dense(*fitting.sizes(sp_indices, sp_values), shape), name)
        return elementwise(op, places_of(sp_indices), sp_values, shape_of(sp_shape), dense, name)

    call.__name__ = call.__qualname__ = op.op.kernel
    call.__doc__ = f"The values {function} the elements of a dense tensor, which is broadcast, in their places."
    return public(f"raw_ops.{op.op.kernel}")(call)


SparseDenseCwiseMul = _raw_elementwise(times_, "times")
SparseDenseCwiseDiv = _raw_elementwise(over_, "by")
SparseDenseCwiseAdd = _raw_elementwise(plus_, "plus")


def _added_to(values: Any, dense: Any, at: Any) -> Any:
    """The sum; where nothing is added a zero keeps its sign."""
    total = dense + _put(dense.shape, at, values)
    if type(total) is not np.ndarray:
        return total
    named = np.zeros(dense.shape, bool)
    named[tuple(at.T)] = True
    return np.where(named, total, dense)


dense_add_ = kernel(
    "sparse_dense_add", "SparseTensorDenseAdd", sparse=True, forward=_added_to,
    gradient=(
        lambda F, dy, _y, _values, _dense, at: F.gather_nd(F.dense(dy), at), lambda F, dy, _y, _values, _dense, at: dy
    ),
)  # fmt: skip


@public("raw_ops.SparseTensorDenseAdd")
def SparseTensorDenseAdd(
    *, a_indices: Any, a_values: Any, a_shape: Any, b: Any, name: str | None = None
) -> EagerTensor:
    """A sparse and a dense tensor of one shape, added up."""
    values, at = convert_to_tensor(a_values), places_of(a_indices)
    dense = convert_to_tensor(b, dtype=values.dtype)
    given = (*fitting.sizes(a_indices, values), np.asarray(convert_to_tensor(a_shape)._a), dense._a.shape)
    fitting.refuse("SparseTensorDenseAdd", fitting.dense_sum(*given, at), name)
    return dense_add_(values, dense, at=at)


# ------------------------------------------------------------------------------------------------------- softmax


def _softmax(values: Any, at: Any, shape: tuple[int, ...]) -> Any:
    rows, ids = np.unique(numbered(at[:, :-1], shape[:-1]), return_inverse=True)
    peaks = np.stack([np.max(values[ids == k]) for k in range(len(rows))]) if len(rows) else values
    powers = np.exp(values - peaks[ids])
    return powers / scatter_add((len(rows),), ids, powers)[ids]


def _softmax_gradient(F: Any, dy: Any, y: Any, _values: Any, at: Any, shape: tuple[int, ...]) -> Any:
    """The gradient of a softmax by way of kernels of its own, one of which has no gradient."""
    total = F.sparse_reduce_sum(y * dy, at=at, shape=shape, axes=(len(shape) - 1,), keepdims=True)
    return F.sparse_plus(dy, -total, at=at, shape=shape) * y


softmax_ = kernel("sparse_softmax", "SparseSoftmax", forward=_softmax, gradient=_softmax_gradient)


@public("raw_ops.SparseSoftmax")
def SparseSoftmax(*, sp_indices: Any, sp_values: Any, sp_shape: Any, name: str | None = None) -> EagerTensor:
    """The softmax of each row's values, those that are absent apart."""
    values = convert_to_tensor(sp_values)
    softmax_.op.check(values._a.dtype, name)
    shape = np.asarray(convert_to_tensor(sp_shape)._a)
    fitting.refuse("SparseSoftmax", fitting.softmax(*fitting.sizes(sp_indices, values), shape), name)
    return softmax_(values, at=places_of(sp_indices), shape=shape_of(sp_shape))


# ------------------------------------------------------------------------------------------------------- products


def _product(values: Any, b: Any, indices: Any, shape: tuple[int, ...], aa: bool, ab: bool) -> Any:
    return np.matmul(_turned(scatter_add(shape, tuple(indices.T), values), aa), _turned(b, ab))


def _turned(x: Any, adjoint: bool) -> Any:
    return np.conjugate(x.swapaxes(-1, -2)) if adjoint else x


def _product_gradient(F: Any, dy: Any, _y: Any, values: Any, b: Any, **given: Any) -> tuple:
    indices, aa, ab = given["indices"], given["aa"], given["ab"]
    by_b = F.sparse_product(values, dy, indices=indices, shape=given["shape"], aa=not aa, ab=False)
    by_b = F.conj(F.transpose(by_b, perm=(1, 0))) if ab else by_b
    rows, columns = (indices[:, 1], indices[:, 0]) if aa else (indices[:, 0], indices[:, 1])
    other = F.transpose(b, perm=(1, 0)) if ab else b
    mine, theirs = (F.gather(x, at, literal=0, axis=0, batch_dims=0) for x, at in ((dy, rows), (other, columns)))
    mine, theirs = F.conj(mine) if aa else mine, F.conj(theirs) if aa == ab else theirs
    return F.sum(mine * theirs, axis=(1,), keepdims=False), by_b


product_ = kernel("sparse_product", "SparseTensorDenseMatMul", forward=_product, gradient=_product_gradient)


@public("raw_ops.SparseTensorDenseMatMul")
def SparseTensorDenseMatMul(
    *, a_indices: Any, a_values: Any, a_shape: Any, b: Any, adjoint_a: bool = False, adjoint_b: bool = False,
    name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """A sparse matrix times a dense one."""
    values, shape = convert_to_tensor(a_values), shape_of(a_shape)
    dense = convert_to_tensor(b, dtype=values.dtype)
    indices, sizes = places_of(a_indices), np.asarray(convert_to_tensor(a_shape)._a)
    given = (*fitting.sizes(a_indices, values), sizes, dense._a.shape, adjoint_a, adjoint_b)
    fitting.refuse("SparseTensorDenseMatMul", fitting.times_dense(*given), name)
    fitting.refuse("SparseTensorDenseMatMul", fitting.factors_inside(indices, sizes, adjoint_a), name)
    return product_(values, dense, indices=indices, shape=shape, aa=bool(adjoint_a), ab=bool(adjoint_b))
