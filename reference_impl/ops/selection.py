"""Choosing between values: where."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..conversion import convert_to_tensor
from ..tensor import EagerTensor
from .declare import kernel, public

select = kernel(
    "where", "SelectV2", broadcasting=True, types="float complex int bool string",
    forward=lambda condition, x, y: np.where(condition, x, y)[()],
    gradient=(
        None,
        lambda F, dy, _y, condition, _a, _b: F.where(condition, dy, F.zeros_like(dy)),
        lambda F, dy, _y, condition, _a, _b: F.where(condition, F.zeros_like(dy), dy),
    ),
)  # fmt: skip


@public("where")
def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> EagerTensor:
    """x where ``condition`` (bool), else y, all three broadcast (``tf.where``).  Without x and y: the indices."""
    if (x is None) != (y is None):
        raise ValueError("x and y must both be non-None or both be None.")
    condition = convert_to_tensor(condition)
    if x is None:
        return convert_to_tensor(np.stack(np.nonzero(condition._a), axis=-1).astype(np.int64))
    x = convert_to_tensor(x, dtype_hint=None if type(y) is not EagerTensor else y.dtype)
    y = convert_to_tensor(y, dtype_hint=x.dtype)
    return select(condition, x, y)
