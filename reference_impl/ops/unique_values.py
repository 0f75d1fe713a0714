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
    _, first, inverse, counts = np.unique(
        x, return_index=True, return_inverse=True, return_counts=True, equal_nan=False
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
