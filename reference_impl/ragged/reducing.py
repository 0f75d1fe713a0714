"""Reductions of ragged tensors: ``reduced("reduce_sum", x, axis, keepdims)``.

Along the rows or across them the values are added up by segments, as TensorFlow does it; where the values are ragged
themselves, a result has rows as long as the longest of those that meet in it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ops.declare import NAMES
from .shaping import expanded
from .tensor import RaggedTensor

_SEGMENTS = {"reduce_sum": "sum", "reduce_max": "max", "reduce_min": "min", "reduce_prod": "prod"}
_OF_BOOLS = {"reduce_any": "reduce_sum", "reduce_all": "reduce_prod"}


def reduced(name: str, x: RaggedTensor, axis: Any, keepdims: Any) -> Any:
    """A reduction of all values, along the rows (axis 1), across them (axis 0), or inside the values."""
    if name in _OF_BOOLS:
        counted = reduced(_OF_BOOLS[name], x._each_(lambda v: NAMES["cast"](v, "int32")), axis, keepdims)
        return NAMES["cast"](counted, "bool")
    if name == "reduce_variance":
        return _variance(x, axis, keepdims)
    if name == "reduce_std":
        return NAMES["sqrt"](_variance(x, axis, keepdims))
    if axis is None and (name != "reduce_mean" or x.dtype.is_floating or x.dtype.is_complex):
        return NAMES[name](x.flat_values)
    if name == "reduce_mean":
        return _mean(x, axis, keepdims)
    axes = sorted({_checked(a, len(x.shape)) for a in (axis if isinstance(axis, (list, tuple)) else [axis])})
    for one in reversed(axes):
        x = _along(name, x, one, keepdims)
    return x


def _checked(axis: Any, rank: int) -> int:
    axis = int(axis)
    if not -rank <= axis < rank:
        raise ValueError(f"axis={axis} out of bounds: expected {-rank}<=axis<{rank}")
    return axis % rank


def _along(name: str, x: Any, axis: int, keepdims: Any) -> Any:
    if type(x) is not RaggedTensor:
        return NAMES[name](x, axis=axis, keepdims=keepdims)
    if axis > 1:
        return x.with_values(_along(name, x.values, axis - 1, keepdims))
    lengths, ids = np.diff(x.row_splits._a), x.value_rowids()._a
    count = len(lengths)
    if axis == 0:
        ids, count = np.arange(len(ids)) - x.row_splits._a[:-1][ids], int(lengths.max(initial=0))
    result = _by_segment(f"math.unsorted_segment_{_SEGMENTS[name]}", x.values, ids, count)
    return expanded(result, axis) if keepdims else result


def _by_segment(function: str, values: Any, ids: np.ndarray, count: int) -> Any:
    if type(values) is not RaggedTensor:
        return NAMES[function](values, ids, count)
    lengths = np.diff(values.row_splits._a)
    longest = np.zeros(count, np.int64)
    np.maximum.at(longest, ids, lengths)
    starts = np.cumsum(longest) - longest
    within = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    inner = _by_segment(function, values.values, np.repeat(starts[ids], lengths) + within, int(longest.sum()))
    return RaggedTensor.from_row_lengths(inner, longest)


def _mean(x: RaggedTensor, axis: Any, keepdims: Any) -> Any:
    total = reduced("reduce_sum", x, axis, keepdims)
    return NAMES["divide"](total, reduced("reduce_sum", x._each_(NAMES["ones_like"]), axis, keepdims))


def _variance(x: RaggedTensor, axis: Any, keepdims: Any) -> Any:
    """The mean of the squares without the square of the mean."""
    squared = reduced("reduce_mean", x._each_(NAMES["square"]), axis, keepdims)
    return squared - NAMES["square"](reduced("reduce_mean", x, axis, keepdims))
