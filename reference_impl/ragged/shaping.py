"""Ragged tensors with other axes: a new axis, parts of rows, rows reversed or repeated, several stacked."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ops.declare import NAMES
from ..tensors.conversion import convert_to_tensor
from .tensor import RaggedTensor


def expanded(x: Any, axis: Any) -> Any:
    """``x`` with a new axis of size 1."""
    if type(x) is not RaggedTensor:
        return NAMES["expand_dims"](x, axis)
    rank = len(x.shape) + 1
    axis = int(axis) % rank
    count = len(x.row_splits._a) - 1
    if axis == 0:
        return RaggedTensor.from_row_splits(x, [0, count])
    if axis == 1:
        return RaggedTensor.from_row_splits(x, np.arange(count + 1))
    return x.with_values(expanded(x.values, axis - 1))


def reordered(x: RaggedTensor, places: list[np.ndarray]) -> RaggedTensor:
    """The entries of each row at ``places``, one array of positions for each row."""
    starts = x.row_splits._a[:-1]
    flat = np.concatenate([start + at for start, at in zip(starts, places)]) if places else np.zeros(0)
    flat = flat.astype(np.int64)
    values = x.values._gathered_(flat) if type(x.values) is RaggedTensor else NAMES["gather"](x.values, flat)
    return RaggedTensor.from_row_lengths(values, [len(at) for at in places])


def indexed(x: RaggedTensor, key: tuple) -> Any:
    """``x[key]`` for several axes: rows first, then in each row; ValueError for a number into rows of many lengths."""
    if Ellipsis in key:
        at = key.index(Ellipsis)
        given = sum(k is not None for k in key) - 1
        key = (*key[:at], *[slice(None)] * (len(x.shape) - given), *key[at + 1 :])
    first, *rest = key
    if first is None:
        return expanded(x[tuple(rest)] if rest else x, 0)
    if not isinstance(first, slice):
        row = x[first]
        return row[tuple(rest)] if rest else row
    rows = x if first == slice(None) else x[first]
    return _in_rows(rows, tuple(rest)) if rest else rows


def _in_rows(x: RaggedTensor, key: tuple) -> Any:
    first, *rest = key
    if first is None:
        return expanded(_in_rows(x, tuple(rest)) if rest else x, 1)
    if not isinstance(first, slice):
        raise ValueError("Cannot index into an inner ragged dimension.")
    if first != slice(None):
        x = reordered(x, [np.arange(n)[first] for n in np.diff(x.row_splits._a)])
    if not rest:
        return x
    inner = x.values
    if type(inner) is RaggedTensor:
        return x.with_values(_in_rows(inner, tuple(rest)))
    return x.with_values(inner[(slice(None), *rest)])


def reversed_rows(x: RaggedTensor, axis: Any) -> Any:
    """``x`` with the rows (0) or the entries of each row (1, ...) the other way round."""
    for one in axis if isinstance(axis, (list, tuple)) else [axis]:
        one = int(one) % len(x.shape)
        x = x[::-1] if one == 0 else _backwards(x, one)
    return x


def _backwards(x: Any, axis: int) -> Any:
    if type(x) is not RaggedTensor:
        return NAMES["reverse"](x, [axis])
    if axis == 1:
        return reordered(x, [np.arange(n)[::-1] for n in np.diff(x.row_splits._a)])
    return x.with_values(_backwards(x.values, axis - 1))


def tiled(x: RaggedTensor, multiples: Any) -> RaggedTensor:
    """``x`` repeated along each axis."""
    times = [int(n) for n in np.asarray(convert_to_tensor(multiples)._a)]
    return _repeated(x, times)


def _repeated(x: Any, times: list[int]) -> Any:
    if type(x) is not RaggedTensor:
        return NAMES["tile"](x, times)
    first, second, *rest = times
    if any(n != 1 for n in rest):
        x = x.with_values(_repeated(x.values, [1, *rest]))
    if second != 1:
        x = reordered(x, [np.tile(np.arange(n), second) for n in np.diff(x.row_splits._a)])
    return x._gathered_(np.tile(np.arange(len(x.row_splits._a) - 1), first)) if first != 1 else x


def stacked(values: Any, axis: Any = 0) -> RaggedTensor:
    """Several of one rank, of which one is ragged, along a new axis."""
    from .functions import concatenated

    rows = [v if type(v) is RaggedTensor else RaggedTensor.from_tensor(v) for v in values]
    axis = int(axis) % (len(rows[0].shape) + 1)
    return concatenated([expanded(row, axis) for row in rows], axis)


def softmax_of_rows(logits: RaggedTensor) -> RaggedTensor:
    """Softmax of each row: of the rows filled up with what exp makes zero of."""
    lowest = float(logits.dtype.min) / 2
    dense = NAMES["nn.softmax"](logits.to_tensor(default_value=lowest))
    return RaggedTensor.from_tensor(dense, lengths=logits.row_lengths())
