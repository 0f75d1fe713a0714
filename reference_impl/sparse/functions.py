"""Functions of sparse tensors.  Places are moved outside of tapes, values by ops whose gradients are dense."""

from __future__ import annotations

import builtins
import math as _math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..dtypes import string
from ..ops.declare import MISSING, NAMES, kernel, public
from ..ops.kernels.refusals import brackets
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from . import fitting, kernels, merging
from .tensor import SparseTensor


def _places(sp: SparseTensor) -> tuple[Any, tuple[int, ...]]:
    """Indices as an array, and the dense shape."""
    return sp.indices._a, tuple(int(d) for d in sp.dense_shape._a)


def _in_order(indices: Any, values: Any, shape: Any) -> SparseTensor:
    made = merging.SparseReorder(input_indices=indices, input_values=values, input_shape=shape)
    return SparseTensor(made.output_indices, made.output_values, np.array(shape, np.int64))


@public("sparse.to_dense")
def to_dense(
    sp_input: SparseTensor, default_value: Any = None, validate_indices: bool = True, name: str | None = None
) -> EagerTensor:
    """The dense tensor (``tf.sparse.to_dense``).  InvalidArgumentError for places outside it, or out of order."""
    default = np.zeros((), sp_input.values._a.dtype)[()] if default_value is None else default_value
    return kernels.SparseToDense(
        sparse_indices=sp_input.indices, output_shape=sp_input.dense_shape, sparse_values=sp_input.values,
        default_value=default, validate_indices=validate_indices, name=name,
    )  # fmt: skip


@public("sparse.from_dense")
def from_dense(tensor: Any, name: str | None = None) -> SparseTensor:
    """The values that are not zero, of texts those that are not empty (``tf.sparse.from_dense``)."""
    x = convert_to_tensor(tensor)
    nothing = b"" if x.dtype == string else 0
    places = np.argwhere(np.asarray(x._a != nothing)).astype(np.int64)
    return SparseTensor(places, NAMES["gather_nd"](x, places), np.array(x._a.shape, np.int64))


@public("sparse.sparse_dense_matmul")
def sparse_dense_matmul(
    sp_a: SparseTensor, b: Any, adjoint_a: bool = False, adjoint_b: bool = False, name: str | None = None
) -> EagerTensor:
    """A sparse matrix times a dense one (``tf.sparse.sparse_dense_matmul``)."""
    indices, shape = _places(sp_a)
    x = convert_to_tensor(b, dtype=sp_a.dtype)
    given = (*fitting.sizes(sp_a.indices, sp_a.values), np.asarray(shape), x._a.shape, adjoint_a, adjoint_b)
    misfit = fitting.times_dense(*given) or fitting.factors_inside(indices, shape, adjoint_a)
    fitting.refuse("SparseTensorDenseMatMul", misfit, name or "")
    return kernels.product_(sp_a.values, x, indices=indices, shape=shape, aa=bool(adjoint_a), ab=bool(adjoint_b))


@public("sparse.reduce_sum")
def reduce_sum(
    sp_input: SparseTensor, axis: Any = None, keepdims: bool = False, output_is_sparse: bool = False,
    name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """The sum over axes, a dense tensor (``tf.sparse.reduce_sum``)."""
    axes = list(range(len(_places(sp_input)[1]))) if axis is None else axis
    return kernels.SparseReduceSum(
        input_indices=sp_input.indices, input_values=sp_input.values, input_shape=sp_input.dense_shape,
        reduction_axes=axes, keep_dims=bool(keepdims),
    )  # fmt: skip


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
        return kernels.SparseTensorDenseAdd(
            a_indices=sp.indices, a_values=sp.values, a_shape=sp.dense_shape, b=dense
        )  # fmt: skip
    made = merging.SparseAdd(
        a_indices=a.indices, a_values=a.values, a_shape=a.dense_shape, b_indices=b.indices, b_values=b.values,
        b_shape=b.dense_shape, thresh=threshold,
    )  # fmt: skip
    return SparseTensor(*made)


def _with_dense(op: Any, sp: SparseTensor, dense: Any) -> SparseTensor:
    """``op`` of the values and of the elements of a dense tensor in their places, which is broadcast."""
    indices, shape = _places(sp)
    return sp.with_values(kernels.elementwise(op, indices, sp.values, shape, dense, None))


def times(sp: SparseTensor, other: Any) -> SparseTensor:
    """The values times a number or a dense tensor."""
    return _with_dense(kernels.times_, sp, other)


def over(sp: SparseTensor, other: Any) -> SparseTensor:
    """The values by a number or a dense tensor."""
    return _with_dense(kernels.over_, sp, other)


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
    if len(order) != len(shape):
        raise ValueError(f"Dimensions {len(order)} and {len(shape)} are not compatible")
    return _in_order(indices[:, order], sp_input.values, [shape[p] for p in order])


@public("sparse.reshape")
def reshape(sp_input: SparseTensor, shape: Sequence[int], name: str | None = None) -> SparseTensor:
    """The same values in another shape (``tf.sparse.reshape``)."""
    indices, old = _places(sp_input)
    asked, size = [int(d) for d in shape], _math.prod(old)
    wanted = _math.prod(asked)
    if -1 not in asked and wanted != size:
        text = f"Input to reshape is a tensor with {size} dense values, but the requested shape has {wanted}."
        both = f"input_shape={brackets(old)} output_shape={brackets(asked)}"
        fitting.refuse("SparseReshape", f"{text} {both}", name)
    new = np.empty(old, bool).reshape(asked).shape
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
    made = merging.SparseSlice(
        indices=sp_input.indices, values=sp_input.values, shape=sp_input.dense_shape, start=start, size=size
    )
    return SparseTensor(*made)


@public("sparse.concat")
def concat(
    axis: int, sp_inputs: Sequence[SparseTensor], expand_nonconcat_dims: bool = False, name: str | None = None
) -> SparseTensor:
    """Sparse tensors one after another along an axis; no gradient flows through it (``tf.sparse.concat``)."""
    moved, offset, first = [], 0, _places(sp_inputs[0])[1]
    for k, sp in enumerate(sp_inputs):
        indices, shape = _places(sp)
        for along, (d, e) in enumerate(zip(first, shape)):
            if d != e and along != axis % len(first) and not expand_nonconcat_dims:
                text = f"Input shapes must match: expected {d} for dimension {along} but got {e} at position {k}"
                fitting.refuse("SparseConcat", text, name)
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
    return sp_input.with_values(
        kernels.SparseSoftmax(
            sp_indices=sp_input.indices, sp_values=sp_input.values, sp_shape=sp_input.dense_shape, name=name
        )
    )


def _of_both(function: Any, a: SparseTensor, b: SparseTensor, name: str | None) -> SparseTensor:
    made = function(
        a_indices=a.indices, a_values=a.values, a_shape=a.dense_shape, b_indices=b.indices, b_values=b.values,
        b_shape=b.dense_shape, name=name,
    )  # fmt: skip
    return SparseTensor(*made, a.dense_shape)


@public("sparse.maximum")
def maximum(sp_a: SparseTensor, sp_b: SparseTensor, name: str | None = None) -> SparseTensor:
    """The larger of two sparse tensors, absent values being nought; it has no gradient (``tf.sparse.maximum``)."""
    return _of_both(merging.SparseSparseMaximum, sp_a, sp_b, name)


@public("sparse.minimum")
def minimum(sp_a: SparseTensor, sp_b: SparseTensor, name: str | None = None) -> SparseTensor:
    """The smaller of two sparse tensors, absent values being nought; it has no gradient (``tf.sparse.minimum``)."""
    return _of_both(merging.SparseSparseMinimum, sp_a, sp_b, name)


@public("sparse.fill_empty_rows")
def fill_empty_rows(sp_input: SparseTensor, default_value: Any, name: str | None = None) -> tuple:
    """One value in every row that had none, and which rows those were (``tf.sparse.fill_empty_rows``)."""
    places, values, empty, _new = merging.SparseFillEmptyRows(
        indices=sp_input.indices, values=sp_input.values, dense_shape=sp_input.dense_shape,
        default_value=convert_to_tensor(default_value, dtype=sp_input.dtype), name=name,
    )  # fmt: skip
    return SparseTensor(places, values, sp_input.dense_shape), empty


@public("sparse.eye")
def eye(num_rows: int, num_columns: int | None = None, dtype: Any = None, name: str | None = None) -> SparseTensor:
    """Ones on the diagonal (``tf.sparse.eye``)."""
    columns = num_rows if num_columns is None else num_columns
    places = np.repeat(np.arange(builtins.min(num_rows, columns), dtype=np.int64)[:, None], 2, axis=1)
    ones = NAMES["ones"]([len(places)], "float32" if dtype is None else dtype)
    return SparseTensor(places, ones, np.array([num_rows, columns], np.int64))
