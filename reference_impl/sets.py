"""``tf.sets``: the rows of two tensors as sets.  The last axis holds the members; results are sparse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .dtypes import kernel_name
from .errors import invalid
from .foundation.building import intercepted
from .sparse import SparseTensor
from .tensors.conversion import convert_to_tensor
from .tensors.tensor import EagerTensor, wrap

__all__ = ["difference", "intersection", "size", "union"]


def _rows(value: Any) -> tuple[tuple[int, ...], dict[tuple[int, ...], set], Any]:
    """The shape without the last axis, the set of each row that has members, and the dtype."""
    if type(value) is SparseTensor:
        sets: dict[tuple[int, ...], set] = {}
        for at, member in zip(value.indices._a.tolist(), value.values._a.tolist()):
            sets.setdefault(tuple(at[:-1]), set()).add(member)
        return tuple(value.dense_shape._a[:-1].tolist()), sets, value.values._a.dtype
    a = np.asarray(convert_to_tensor(value)._a)
    if a.ndim < 2:
        text = f"Shape [{','.join(map(str, a.shape))}] has rank {a.ndim} < 2"
        raise invalid("DenseToDenseSetOperation", text)
    return a.shape[:-1], {at: set(a[at].tolist()) for at in np.ndindex(a.shape[:-1])}, a.dtype


def _combined(a: Any, b: Any, function: Callable[[set, set], set]) -> SparseTensor:
    shape, left, dtype = _rows(a)
    other_shape, right, other_dtype = _rows(b)
    if dtype != other_dtype:
        words = f"expected to be a {kernel_name(dtype)} tensor but is a {kernel_name(other_dtype)} tensor"
        text = f"cannot compute DenseToDenseSetOperation as input #1(zero-based) was {words}"
        raise invalid("DenseToDenseSetOperation", text, node=False)
    if shape != other_shape:
        shown = [f"[{','.join(map(str, s))}]" for s in (shape, other_shape)]
        raise invalid("DenseToDenseSetOperation", f"Mismatched group shapes {shown[0]} vs {shown[1]}.")
    indices, values, most = [], [], 0
    for at in np.ndindex(shape):
        members = sorted(function(left.get(at, set()), right.get(at, set())))
        most = max(most, len(members))
        indices += [(*at, k) for k in range(len(members))]
        values += members
    found = np.empty(len(values), dtype)
    found[:] = values
    places = np.array(indices, np.int64).reshape(-1, len(shape) + 1)
    return SparseTensor(wrap(places), wrap(found), wrap(np.array([*shape, most], np.int64)))


@intercepted
def intersection(a: Any, b: Any, validate_indices: bool = True) -> SparseTensor:
    """What stands in both rows, in order.  InvalidArgumentError below two axes and for other shapes or dtypes."""
    return _combined(a, b, set.intersection)


@intercepted
def union(a: Any, b: Any, validate_indices: bool = True) -> SparseTensor:
    """What stands in one of the rows, in order."""
    return _combined(a, b, set.union)


@intercepted
def difference(a: Any, b: Any, aminusb: bool = True, validate_indices: bool = True) -> SparseTensor:
    """What stands in the rows of ``a`` and not in those of ``b``, in order; or the other way round."""
    return _combined(a, b, set.difference if aminusb else lambda x, y: y - x)


@intercepted
def size(a: Any, validate_indices: bool = True) -> EagerTensor:
    """How many different members each row of a sparse tensor has, int32.  TypeError for what is not sparse."""
    if type(a) is not SparseTensor:
        raise TypeError(f"Expected `SparseTensor`, got {a}.")
    shape, sets, _ = _rows(a)
    counts = np.zeros(shape, np.int32)
    for at, members in sets.items():
        counts[at] = len(members)
    return wrap(counts[()])
