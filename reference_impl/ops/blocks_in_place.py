"""A block of a tensor replaced by another (XlaDynamicUpdateSlice), for which TensorFlow has no gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import invalid
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .declare import MISSING, kernel


def _updated(x: np.ndarray, update: np.ndarray, starts: np.ndarray) -> np.ndarray:
    if np.ndim(x) != np.ndim(update):
        raise invalid(
            "XlaDynamicUpdateSlice",
            f"input and update must have the same rank, input shape is {list(np.shape(x))} but update shape is "
            f"{list(np.shape(update))}",
        )
    for size, new in zip(np.shape(x), np.shape(update)):
        if new > size:
            raise invalid("XlaDynamicUpdateSlice", f"Update dim size {new} greater than dynamic slice dimension {size}")
    most = np.subtract(np.shape(x), np.shape(update))
    firsts = np.clip(np.asarray(starts).reshape(-1), 0, most)
    found = np.array(x)
    found[tuple(slice(first, first + new) for first, new in zip(firsts, np.shape(update)))] = update
    return found


updated_ = kernel(
    "dynamic_update_slice", "XlaDynamicUpdateSlice", inputs="input update indices", forward=_updated, gradient=MISSING
)


def dynamic_update_slice(input: Any, update: Any, indices: Any) -> EagerTensor:
    """``input`` with ``update`` in place of the block that starts at ``indices``, moved such that it fits.

    InvalidArgumentError for a block of another rank or dtype, and for one that is larger.
    """
    x, update, indices = convert_to_tensor(input), convert_to_tensor(update), convert_to_tensor(indices)
    return updated_(x, update, indices)
