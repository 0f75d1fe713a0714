"""The different values of a vector with how often each occurs: unique_with_counts."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from ..dtypes import as_dtype, int32
from ..errors import invalid
from ..tensors.conversion import convert_to_tensor
from .declare import MISSING, kernel, public

UniqueWithCounts = namedtuple("UniqueWithCounts", ("y", "idx", "count"))


def _counted(x: Any, dtype: np.dtype) -> tuple:
    if x.ndim != 1:
        raise invalid("UniqueWithCounts", "unique expects a 1D vector.")
    _, first, inverse, counts = np.unique(
        x, return_index=True, return_inverse=True, return_counts=True, equal_nan=False
    )  # fmt: skip
    order = np.argsort(first)
    return x[first[order]], np.argsort(order)[inverse.ravel()].astype(dtype), counts[order].astype(dtype)


unique_with_counts_ = kernel(
    "unique_with_counts", "UniqueWithCounts", types="float complex int bool string", forward=_counted, gradient=MISSING
)  # fmt: skip


@public("unique_with_counts")
def unique_with_counts(x: Any, out_idx: Any = int32, name: str | None = None) -> UniqueWithCounts:
    """The different values in order of appearance, where each element's value stands, and how often each occurs."""
    found = unique_with_counts_(convert_to_tensor(x), dtype=as_dtype(out_idx).numpy)
    return UniqueWithCounts(*found)
