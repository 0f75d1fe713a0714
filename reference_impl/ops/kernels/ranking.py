"""The largest of rows and the places of values in them, where something is no number or order is not asked for."""

from __future__ import annotations

from typing import Any

import numpy as np

from .incomparable import first_of, put_nth, sort
from .infinities import is_plain


def lacks_order(x: Any) -> bool:
    """True for an array in which something is no number."""
    return is_plain(x) and x.dtype.kind not in "iubSO" and bool(np.isnan(x).any())


def places_of_largest(x: Any, k: int, ordered: bool) -> np.ndarray:
    """Where the ``k`` largest of each row stand, ``[..., n] -> [..., k]``, as TensorFlow's kernel finds them."""
    size = x.shape[-1]
    rows = x.reshape(-1, size)
    found = [_single(row) if k == 1 else _several(row.tolist(), k, ordered) for row in rows] if k else []
    return np.array(found, np.int64).reshape(*x.shape[:-1], k)


def _several(row: list[Any], k: int, ordered: bool) -> list[int]:
    if k < len(row):
        return first_of(len(row), k, lambda a, b: _before(row, a, b), ordered)
    places = list(range(k))
    sort(places, lambda a, b: row[b] < row[a])
    runs: list[list[int]] = []
    for place in places:  # of equal ones that stand together the first comes first
        if runs and row[runs[-1][0]] == row[place]:
            runs[-1].append(place)
        else:
            runs.append([place])
    return [place for run in runs for place in sorted(run)]


def _before(row: list[Any], a: int, b: int) -> bool:
    x, y = row[a], row[b]
    return y < x or (not y > x and a < b)


def _single(row: np.ndarray) -> list[int]:
    """The first place of the largest, 0 where that is found to be no number."""
    equal = row == _largest(row)
    return [int(np.argmax(equal))]


def _larger(a: Any, b: Any) -> Any:
    """The larger; the first where one is no number."""
    return np.where(a < b, b, a)


def _largest(row: np.ndarray) -> Any:
    """By vector registers, four at a time; of what fills none, the last that is no number wipes out what was before."""
    width = 4 if row.dtype.itemsize == 8 else 8
    lowest, wide, count = row.dtype.type(-np.inf), 4 * width, len(row)
    four = np.full((4, width), lowest)
    for start in range(0, count - wide + 1, wide):
        four = _larger(four, row[start : start + wide].reshape(4, width))
    best = _larger(_larger(_larger(four[0], four[1]), four[2]), four[3])
    for start in range(count // wide * wide, count - width + 1, width):
        best = _larger(best, row[start : start + width])
    alone = lowest
    for item in row[count // width * width :]:
        alone = _larger(item, alone)
    while len(best) > 1:
        best = _larger(*np.split(best, 2))
    return _larger(alone, best[0])


def nth(x: np.ndarray, n: int) -> np.ndarray:
    """The ``n``-th of each row in ascending order: ``[..., size] -> [...]``."""
    found = np.empty(x.shape[:-1], x.dtype)
    for at in np.ndindex(*found.shape):
        row = list(x[at])
        put_nth(row, n, lambda a, b: a < b)
        found[at] = row[n]
    return found


def bounds(rows: np.ndarray, values: np.ndarray, side: str) -> np.ndarray:
    """Where each value belongs, ``[r, n], [r, m] -> [r, m]``, by halving; what is no number is larger than nothing."""
    low = np.zeros(values.shape, np.int64)
    length = np.full(values.shape, rows.shape[1], np.int64)
    while (length > 0).any():
        half = length // 2
        middle = np.take_along_axis(rows, np.minimum(low + half, rows.shape[1] - 1), 1)
        beyond = (middle < values if side == "left" else ~(values < middle)) & (length > 0)
        low = np.where(beyond, low + half + 1, low)
        length = np.where(beyond, length - half - 1, half)
    return low
