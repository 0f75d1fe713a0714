"""Choosing between values: where."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..conversion import convert_to_tensor
from ..dtypes import kernel_name
from ..errors import invalid
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
    if condition._a.dtype.kind != "b":
        raise _expected(0, "bool", condition, name)
    if x._a.dtype != y._a.dtype:
        raise _expected(2, kernel_name(x._a.dtype), y, name)
    try:
        return select(condition, x, y)
    except ValueError:
        shapes = [str(list(t._a.shape)).replace(" ", "") for t in (condition, x, y)]
        text = f"condition {shapes[0]}, then {shapes[1]}, and else {shapes[2]} must be broadcastable"
        raise invalid("SelectV2", text, name) from None


def _expected(position: int, word: str, got: EagerTensor, name: str | None) -> Exception:
    text = f"cannot compute SelectV2 as input #{position}(zero-based) was expected to be a {word} tensor but is a "
    return invalid("SelectV2", f"{text}{kernel_name(got._a.dtype)} tensor", name, node=False)
