"""The one place where values are put into zeros: ``scatter_add``, ``scatter_set``, and the dense form of IndexedSlices.

Array types with NumPy's protocols may define ``__scatter_add__(shape, index, values)`` or
``__scatter_set__(base, index, values)`` to take part; NumPy arrays take the plain road.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import unnamed
from ..foundation.building import intercepted
from ..tensors.slices import IndexedSlices
from ..tensors.tensor import EagerTensor
from .declare import arrays, helper, kernel, tensors
from .kernels.refusals import refuse
from .kernels.segment_checks import check_numbers


def scatter_add(shape: tuple[int, ...], index: Any, values: Any) -> Any:
    """Zeros of ``shape`` with ``values`` added at ``index`` (anything NumPy indexes with; repeated places add up)."""
    own = getattr(type(values), "__scatter_add__", None)
    if own is not None:
        return own(shape, index, values)
    out = np.zeros(shape, values.dtype)
    if all(
        p is None or p is Ellipsis or isinstance(p, (int, slice)) for p in (index if type(index) is tuple else (index,))
    ):
        out[index] = values  # slices name no place twice
    else:
        np.add.at(out, index, values)
    return out


def scatter_set(base: Any, index: Any, values: Any) -> Any:
    """A copy of ``base`` with ``values`` written at ``index``."""
    for kind in (type(base), type(values)):
        own = getattr(kind, "__scatter_set__", None)
        if own is not None:
            return own(base, index, values)
    out = base.copy()
    out[index] = values
    return out


def _rows(values: Any, indices: Any, shape: tuple[int, ...]) -> Any:
    if not values.size:  # then no index is looked at
        return scatter_add(shape, indices[:0], values[:0])
    return scatter_add(shape, indices, values)


def _taken(x: Any, indices: Any) -> Any:
    if not x.ndim:
        raise unnamed("GatherV2", "params must be at least 1 dimensional")
    if 0 in x.shape[1:]:  # then no index is looked at either
        return np.zeros((*indices.shape, *x.shape[1:]), x.dtype)
    return x[indices]


# TensorFlow makes slices dense by UnsortedSegmentSum, whose gradient gathers the rows again.
densify = kernel(
    "scatter_rows", "UnsortedSegmentSum", forward=_rows, inputs="data",
    gradient=lambda F, dy, _y, _values, indices, shape: (F.take_rows(dy, indices), None),
)  # fmt: skip
take_rows = kernel(
    "take_rows", "GatherV2", forward=_taken,
    gradient=lambda F, dy, _y, _x, indices: (F.scatter_rows(dy, indices, shape=F.shape(_x)), None),
    types="float complex int bool string",
)  # fmt: skip


@intercepted
def dense(slices: Any) -> Any:
    """The dense Tensor that IndexedSlices of Tensors stand for; rows with the same index add up."""
    if slices.dense_shape is None:
        raise ValueError(
            f"Tensor conversion requested for IndexedSlices for argument `value` without dense_shape: {slices!s}"
        )
    ids, sizes = np.asarray(slices.indices._a), slices.dense_shape._a
    values = densified(slices.values)
    shape = values._a.shape
    refuse("StridedSlice", not sizes.size, "slice index 0 of dimension 0 out of bounds.", "strided_slice/")
    count = int(sizes[0])  # the other sizes are those of the rows
    check_numbers("UnsortedSegmentSum", shape, ids, count)
    if (ids < 0).any():  # such rows are left out
        return tensors.unsorted_segment_sum(values, ids=ids, count=count)
    return tensors.scatter_rows(values, slices.indices, shape=(count, *shape[ids.ndim :]))


@helper("dense")
def densified(value: Any) -> Any:
    """IndexedSlices of arrays or Tensors as one array or Tensor; anything else as it is."""
    if type(value) is not IndexedSlices:
        return value
    if type(value.values) is IndexedSlices:
        value = IndexedSlices(densified(value.values), value.indices, value.dense_shape)
    if type(value.values) is EagerTensor:
        return dense(value)
    return arrays.scatter_rows(value.values, value.indices, shape=tuple(int(d) for d in value.dense_shape))
