"""IndexedSlices in comparisons: their order counts, except where TensorFlow takes it from a hash.

`densified(want, got, leaf)` adds both up by index, so that any order of the same rows compares equal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adapters.arrays import from_numpy, to_numpy
from adapters.observations import SparseSlices, Tensor
from conformance.judging.bounded.formats import format_of
from conformance.judging.lanes import Leaf


def densified(
    want: SparseSlices, got: SparseSlices, leaf: SparseSlices | None
) -> tuple[Tensor, Tensor, Leaf | None] | None:
    """Both sides summed by index, and the bound of the sums; None where a part is no tensor or indices differ."""
    parts = (want.values, want.indices, got.values, got.indices)
    arrays = [to_numpy(part.array) for part in parts if isinstance(part, Tensor)]
    if len(arrays) < len(parts):
        return None
    wv, wi, gv, gi = arrays
    if wi.ndim != 1 or wv.dtype != gv.dtype or wv.shape[1:] != gv.shape[1:] or sorted(wi) != sorted(gi):
        return None
    rows, at_want = np.unique(wi, return_inverse=True)
    at_got = np.searchsorted(rows, gi)
    bound = None
    if leaf is not None and isinstance(leaf.values, Leaf) and isinstance(leaf.indices, Tensor):
        own = to_numpy(leaf.indices.array)  # the run with bounds has an order of its own
        if sorted(own) == sorted(wi):
            bound = _bound_of_sums(leaf.values, rows, np.searchsorted(rows, own))
    return _summed(wv, at_want, rows.size), _summed(gv, at_got, rows.size), bound


def _summed(values: np.ndarray, at: np.ndarray, rows: int) -> Tensor:
    fmt = format_of(values.dtype)
    total = np.zeros((rows, *values.shape[1:]), values.dtype if fmt is None else fmt.wide)
    np.add.at(total, at, values.astype(total.dtype))
    return Tensor(from_numpy(total.astype(values.dtype)))


def _bound_of_sums(leaf: Leaf, rows: np.ndarray, at: np.ndarray) -> Leaf:
    shape = (rows.size, *leaf.x.shape[1:])
    x, size = np.zeros(shape, leaf.fmt.wide), np.zeros(shape, leaf.fmt.wide_real)
    e = np.zeros(shape, leaf.fmt.wide_real)
    np.add.at(x, at, leaf.x)
    np.add.at(size, at, np.abs(leaf.x))
    if leaf.e is not None:
        np.add.at(e, at, leaf.e)
    most = np.bincount(at).max(initial=1)
    return Leaf(leaf.fmt, x, e + size * leaf.fmt.ulp * most)


def judge_index_order(want: SparseSlices, got: SparseSlices) -> str | None:
    """A sentence when both hold the same indices in another order; None otherwise."""
    if not isinstance(want.indices, Tensor) or not isinstance(got.indices, Tensor):
        return None
    w: list[Any] = list(want.indices.array.values)
    g: list[Any] = list(got.indices.array.values)
    if w != g and sorted(w) == sorted(g):
        return f"the order of slices: want indices {w}, got {g}"
    return None
