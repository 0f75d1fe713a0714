"""Functions of sparse tensors.  Places are moved outside of tapes, values by ops whose gradients are dense."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..errors import invalid
from ..ops.declare import MISSING, NAMES, kernel, public
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .tensor import SparseTensor


def _places(sp: SparseTensor) -> tuple[Any, tuple[int, ...]]:
    """Indices as an array, and the dense shape."""
    return sp.indices._a, tuple(int(d) for d in sp.dense_shape._a)


def _moved(values: Any, new: Any, count: int) -> Any:
    """Value k at position ``new[k]`` of ``count``, dropped where that is negative."""
    return NAMES["math.unsorted_segment_sum"](values, np.asarray(new, np.int64), count)


def _sorted(indices: Any) -> Any:
    """The order of the rows of ``indices``, the first column first."""
    return np.lexsort(indices.T[::-1])


def _in_order(indices: Any, values: Any, shape: Any) -> SparseTensor:
    order = _sorted(indices)
    new = np.empty(len(order), np.int64)
    new[order] = np.arange(len(order))
    return SparseTensor(indices[order], _moved(values, new, len(order)), np.array(shape, np.int64))


@public("sparse.to_dense")
def to_dense(
    sp_input: SparseTensor, default_value: Any = None, validate_indices: bool = True, name: str | None = None
) -> EagerTensor:
    """The dense tensor (``tf.sparse.to_dense``).  InvalidArgumentError for places outside it, or out of order."""
    indices, shape = _places(sp_input)
    _check_places(indices, shape, validate_indices, name)
    dense = NAMES["scatter_nd"](indices, sp_input.values, shape)
    if default_value is None:
        return dense
    mask = np.zeros(shape, bool)
    mask[tuple(indices.T)] = True
    return NAMES["where"](mask, dense, convert_to_tensor(default_value, dtype=dense.dtype))


def _check_places(indices: Any, shape: tuple[int, ...], ordered: bool, name: str | None) -> None:
    bounds = str(list(shape)).replace(" ", "")
    for k, place in enumerate(indices):
        where = f"indices[{k}] = {str(place.tolist()).replace(' ', '')}"
        if ((place < 0) | (place >= shape)).any():
            raise invalid("SparseToDense", f"{where} is out of bounds: need 0 <= index < {bounds}", name)
        if k and ordered and tuple(place) <= tuple(indices[k - 1]):
            why = "repeated" if tuple(place) == tuple(indices[k - 1]) else "out of order"
            text = f"{where} is {why}. Many sparse ops require sorted indices.\n    Use `tf.sparse.reorder` to create"
            raise invalid("SparseToDense", f"{text} a correctly ordered copy.\n\n", name)


@public("sparse.from_dense")
def from_dense(tensor: Any, name: str | None = None) -> SparseTensor:
    """The values that are not zero (``tf.sparse.from_dense``)."""
    x = convert_to_tensor(tensor)
    places = np.argwhere(x._a != 0).astype(np.int64)
    return SparseTensor(places, NAMES["gather_nd"](x, places), np.array(x._a.shape, np.int64))


def _product(values: Any, b: Any, indices: Any, shape: tuple[int, ...], aa: bool, ab: bool) -> Any:
    dense = np.zeros(shape, values.dtype)
    np.add.at(dense, tuple(indices.T), values)
    return np.matmul(_turned(dense, aa), _turned(b, ab))


def _turned(x: Any, adjoint: bool) -> Any:
    return np.conjugate(x.swapaxes(-1, -2)) if adjoint else x


def _product_gradient(F: Any, dy: Any, _y: Any, values: Any, b: Any, **given: Any) -> tuple:
    indices, aa, ab = given["indices"], given["aa"], given["ab"]
    by_b = F.sparse_product(values, dy, indices=indices, shape=given["shape"], aa=not aa, ab=False)
    by_b = F.conj(F.transpose(by_b, perm=(1, 0))) if ab else by_b
    rows, columns = (indices[:, 1], indices[:, 0]) if aa else (indices[:, 0], indices[:, 1])
    other = F.conj(F.transpose(b, perm=(1, 0))) if ab else b
    parts = [F.gather(x, at, literal=0, axis=0, batch_dims=0) for x, at in ((dy, rows), (other, columns))]
    return F.sum(parts[0] * parts[1], axis=(1,), keepdims=False), by_b


product_ = kernel("sparse_product", "SparseTensorDenseMatMul", forward=_product, gradient=_product_gradient)


@public("sparse.sparse_dense_matmul")
def sparse_dense_matmul(
    sp_a: SparseTensor, b: Any, adjoint_a: bool = False, adjoint_b: bool = False, name: str | None = None
) -> EagerTensor:
    """A sparse matrix times a dense one (``tf.sparse.sparse_dense_matmul``)."""
    indices, shape = _places(sp_a)
    x = convert_to_tensor(b, dtype=sp_a.dtype)
    return product_(sp_a.values, x, indices=indices, shape=shape, aa=bool(adjoint_a), ab=bool(adjoint_b))


@public("sparse.reduce_sum")
def reduce_sum(
    sp_input: SparseTensor, axis: Any = None, keepdims: bool = False, output_is_sparse: bool = False,
    name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """The sum over axes, a dense tensor (``tf.sparse.reduce_sum``)."""
    indices, shape = _places(sp_input)
    return NAMES["reduce_sum"](NAMES["scatter_nd"](indices, sp_input.values, shape), axis, keepdims)


_largest = kernel(
    "sparse_largest",
    "SparseReduceMax",
    gradient=MISSING,
    forward=lambda x, axis, keepdims: np.max(x, axis, None, keepdims),
)


@public("sparse.reduce_max")
def reduce_max(
    sp_input: SparseTensor, axis: Any = None, keepdims: bool = False, output_is_sparse: bool = False,
    name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """The largest value over axes, a dense tensor (``tf.sparse.reduce_max``)."""
    indices, shape = _places(sp_input)
    low = np.finfo(sp_input.values._a.dtype).min if sp_input.values._a.dtype.kind == "f" else 0
    filled = np.full(shape, low, sp_input.values._a.dtype)
    filled[tuple(indices.T)] = sp_input.values._a
    axes = None if axis is None else tuple(np.atleast_1d(axis).tolist())
    if axes is None:
        return _largest(sp_input.values, keepdims=bool(keepdims))
    return convert_to_tensor(np.max(filled, axes, keepdims=bool(keepdims)))


@public("sparse.add")
def add(a: Any, b: Any, threshold: Any = 0) -> Any:
    """The sum of two sparse tensors, sparse, or of a sparse and a dense one, dense (``tf.sparse.add``)."""
    if type(a) is not SparseTensor or type(b) is not SparseTensor:
        sp, dense = (a, b) if type(a) is SparseTensor else (b, a)
        indices, shape = _places(sp)
        return NAMES["add"](NAMES["scatter_nd"](indices, sp.values, shape), dense)
    joined = np.concatenate([a.indices._a, b.indices._a])
    places, new = np.unique(joined, axis=0, return_inverse=True)
    values = _moved(NAMES["concat"]([a.values, b.values], 0), new.reshape(-1), len(places))
    return SparseTensor(places, values, a.dense_shape)


def _with_dense(sp: SparseTensor, dense: Any, function: Callable[[Any, Any], Any]) -> SparseTensor:
    """A function of the values and of the elements of a dense tensor in their places, which is broadcast."""
    x = convert_to_tensor(dense, dtype=sp.dtype)
    if not x._a.ndim:
        return sp.with_values(function(sp.values, x))
    indices, _shape = _places(sp)
    at = np.where(np.array(x._a.shape) == 1, 0, indices[:, indices.shape[1] - x._a.ndim :])
    return sp.with_values(function(sp.values, NAMES["gather_nd"](x, at)))


def times(sp: SparseTensor, other: Any) -> SparseTensor:
    """The values times a number or a dense tensor."""
    return _with_dense(sp, other, NAMES["multiply"])


def over(sp: SparseTensor, other: Any) -> SparseTensor:
    """The values by a number or a dense tensor."""
    return _with_dense(sp, other, NAMES["divide"])


@public("sparse.map_values")
def map_values(op: Any, *args: Any, **kwargs: Any) -> SparseTensor:
    """``op`` of the values (``tf.sparse.map_values``)."""
    first = next(a for a in args if type(a) is SparseTensor)
    return first.with_values(op(*(a.values if type(a) is SparseTensor else a for a in args), **kwargs))


@public("sparse.reorder")
def reorder(sp_input: SparseTensor, name: str | None = None) -> SparseTensor:
    """The values in the order of their places (``tf.sparse.reorder``)."""
    indices, shape = _places(sp_input)
    return _in_order(indices, sp_input.values, shape)


@public("sparse.transpose")
def transpose(sp_input: SparseTensor, perm: Any = None, name: str | None = None) -> SparseTensor:
    """The axes in another order (``tf.sparse.transpose``)."""
    indices, shape = _places(sp_input)
    order = list(range(len(shape)))[::-1] if perm is None else [int(p) for p in np.asarray(perm)]
    return _in_order(indices[:, order], sp_input.values, [shape[p] for p in order])


@public("sparse.reshape")
def reshape(sp_input: SparseTensor, shape: Sequence[int], name: str | None = None) -> SparseTensor:
    """The same values in another shape (``tf.sparse.reshape``)."""
    indices, old = _places(sp_input)
    new = np.empty(old, bool).reshape([int(d) for d in shape]).shape
    flat = np.ravel_multi_index(tuple(indices.T), old)
    places = np.stack(np.unravel_index(flat, new), axis=-1).astype(np.int64)
    return SparseTensor(places, NAMES["identity"](sp_input.values), np.array(new, np.int64))


@public("sparse.expand_dims")
def expand_dims(sp_input: SparseTensor, axis: int = -1, name: str | None = None) -> SparseTensor:
    """A new axis of size 1 (``tf.sparse.expand_dims``)."""
    indices, shape = _places(sp_input)
    at = axis + len(shape) + 1 if axis < 0 else axis
    places = np.insert(indices, at, 0, axis=1)
    return SparseTensor(places, NAMES["identity"](sp_input.values), np.insert(np.array(shape, np.int64), at, 1))


@public("sparse.retain")
def retain(sp_input: SparseTensor, to_retain: Any, name: str | None = None) -> SparseTensor:
    """Some of the values (``tf.sparse.retain``)."""
    kept = np.nonzero(convert_to_tensor(to_retain)._a)[0]
    return SparseTensor(sp_input.indices._a[kept], NAMES["gather"](sp_input.values, kept), sp_input.dense_shape)


@public("sparse.slice")
def slice(sp_input: SparseTensor, start: Any, size: Any, name: str | None = None) -> SparseTensor:
    """What lies in a box (``tf.sparse.slice``)."""
    indices, shape = _places(sp_input)
    first = np.asarray(start, np.int64)
    last = np.minimum(first + np.asarray(size, np.int64), shape)
    inside = ((indices >= first) & (indices < last)).all(axis=1)
    new = np.where(inside, np.cumsum(inside) - 1, -1)
    return SparseTensor(indices[inside] - first, _moved(sp_input.values, new, int(inside.sum())), last - first)


@public("sparse.concat")
def concat(
    axis: int, sp_inputs: Sequence[SparseTensor], expand_nonconcat_dims: bool = False, name: str | None = None
) -> SparseTensor:
    """Sparse tensors one after another along an axis; no gradient flows through it (``tf.sparse.concat``)."""
    moved, offset = [], 0
    for sp in sp_inputs:
        indices, shape = _places(sp)
        indices = indices.copy()
        indices[:, axis] += offset
        offset += shape[axis]
        moved.append(indices)
    shape = list(_places(sp_inputs[0])[1])
    shape[axis] = offset
    values = NAMES["stop_gradient"](NAMES["concat"]([sp.values for sp in sp_inputs], 0))
    return _in_order(np.concatenate(moved), values, shape)


@public("sparse.softmax")
def softmax(sp_input: SparseTensor, name: str | None = None) -> SparseTensor:
    """The softmax of each row's values, those that are absent apart (``tf.sparse.softmax``)."""
    indices, _shape = _places(sp_input)
    _rows, ids = np.unique(indices[:, :-1], axis=0, return_inverse=True)
    ids, count = ids.reshape(-1), len(_rows)
    peak = NAMES["math.unsorted_segment_max"](sp_input.values, ids, count)
    powers = NAMES["exp"](sp_input.values - NAMES["stop_gradient"](NAMES["gather"](peak, ids)))
    total = NAMES["math.unsorted_segment_sum"](powers, ids, count)
    return sp_input.with_values(powers / NAMES["gather"](total, ids))


@public("sparse.eye")
def eye(num_rows: int, num_columns: int | None = None, dtype: Any = None, name: str | None = None) -> SparseTensor:
    """Ones on the diagonal (``tf.sparse.eye``)."""
    columns = num_rows if num_columns is None else num_columns
    places = np.repeat(np.arange(builtins.min(num_rows, columns), dtype=np.int64)[:, None], 2, axis=1)
    ones = NAMES["ones"]([len(places)], "float32" if dtype is None else dtype)
    return SparseTensor(places, ones, np.array([num_rows, columns], np.int64))
