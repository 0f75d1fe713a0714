"""The different values of a vector in order of appearance: unique, and unique_with_counts with the count of each."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from ..dtypes import as_dtype, int32
from ..errors import invalid
from ..tensors.conversion import convert_to_tensor
from .declare import MISSING, kernel, public

Unique = namedtuple("Unique", ("y", "idx"))
UniqueWithCounts = namedtuple("UniqueWithCounts", ("y", "idx", "count"))


def _unique_with_counts(x: Any, dtype: np.dtype, op: str = "UniqueWithCounts") -> tuple:
    if x.ndim != 1:
        raise invalid(op, "unique expects a 1D vector.")
    values = x.astype(np.float32) if x.dtype.kind == "V" else x  # NumPy has no order for bfloat16 with nan
    _, first, inverse, counts = np.unique(
        values, return_index=True, return_inverse=True, return_counts=True, equal_nan=False
    )  # fmt: skip
    order = np.argsort(first)
    return x[first[order]], np.argsort(order)[inverse.ravel()].astype(dtype), counts[order].astype(dtype)


def _unique(x: Any, dtype: np.dtype) -> tuple:
    return _unique_with_counts(x, dtype, "Unique")[:2]


_ANY = "float complex int bool string"
unique_ = kernel("unique", "Unique", types=_ANY, forward=_unique, gradient=MISSING)
unique_with_counts_ = kernel(
    "unique_with_counts", "UniqueWithCounts", types=_ANY, forward=_unique_with_counts, gradient=MISSING
)


@public("unique")
def unique(x: Any, out_idx: Any = int32, name: str | None = None) -> Unique:
    """The different values in order of appearance, and where each element's value stands among them (``tf.unique``)."""
    return Unique(*unique_(convert_to_tensor(x), dtype=as_dtype(out_idx).numpy))


@public("unique_with_counts")
def unique_with_counts(x: Any, out_idx: Any = int32, name: str | None = None) -> UniqueWithCounts:
    """The different values in order of appearance, where each element's value stands, and how often each occurs."""
    return UniqueWithCounts(*unique_with_counts_(convert_to_tensor(x), dtype=as_dtype(out_idx).numpy))


def _slices(x: Any, axis: int, dtype: np.dtype) -> tuple:
    """The different slices along an axis in order of appearance, which one each is, and how often each occurs."""
    rows = np.moveaxis(x, axis, 0)
    seen: dict[Any, int] = {}
    firsts, places = [], []
    for k, row in enumerate(rows):
        # what is no number differs from itself; zeros are equal whatever their signs
        key = k if row.dtype.kind in "fc" and np.isnan(row).any() else tuple(row.ravel().tolist())
        if (key is k, key) not in seen:
            seen[key is k, key] = len(firsts)
            firsts.append(k)
        places.append(seen[key is k, key])
    counts = np.bincount(places, minlength=len(firsts)) if places else np.zeros(0)
    return np.take(x, np.array(firsts, np.intp), axis), np.array(places, dtype), counts.astype(dtype)


unique_v2_ = kernel(
    "unique_v2", "UniqueV2", types=_ANY, gradient=MISSING,
    forward=lambda x, axis, dtype: _slices(x, axis, dtype)[:2],
)  # fmt: skip
unique_with_counts_v2_ = kernel(
    "unique_with_counts_v2", "UniqueWithCountsV2", types=_ANY, gradient=MISSING,
    forward=_slices,
)  # fmt: skip
UniqueSlices = namedtuple("UniqueV2", ("y", "idx"))
UniqueSlicesWithCounts = namedtuple("UniqueWithCountsV2", ("y", "idx", "count"))


def _axis_of(x: Any, axis: Any, op: str) -> int:
    """The one axis, the first of a vector where none is named.  InvalidArgumentError for a wrong one."""
    axes, rank = np.asarray(axis).ravel(), len(x.shape)
    if not axes.size:
        if rank != 1:
            raise invalid(op, "unique expects a 1D vector.")
        return 0
    if axes.size > 1:
        raise invalid(op, "axis does not support input tensors larger than 1 elements")
    place = int(axes[0])
    if not -rank <= place < rank:
        raise invalid(op, f"axis has to be between [0, {rank})")
    return place % rank


@public("raw_ops.UniqueV2")
def UniqueV2(*, x: Any, axis: Any, out_idx: Any = int32, name: str | None = None) -> UniqueSlices:
    """The different slices along an axis in order of appearance, and which of them each is."""
    x = convert_to_tensor(x)
    return UniqueSlices(*unique_v2_(x, axis=_axis_of(x, axis, "UniqueV2"), dtype=as_dtype(out_idx).numpy))


@public("raw_ops.UniqueWithCountsV2")
def UniqueWithCountsV2(*, x: Any, axis: Any, out_idx: Any = int32, name: str | None = None) -> UniqueSlicesWithCounts:
    """The different slices along an axis in order of appearance, which of them each is, and how often each occurs."""
    x = convert_to_tensor(x)
    axis = _axis_of(x, axis, "UniqueWithCountsV2")
    return UniqueSlicesWithCounts(*unique_with_counts_v2_(x, axis=axis, dtype=as_dtype(out_idx).numpy))
