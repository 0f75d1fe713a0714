"""Choosing between values: where."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import kernel_name
from ..errors import invalid, unnamed
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .declare import kernel, public


def _check_dtypes(_condition: Any, x: Any, y: Any) -> None:
    if x.dtype is not y.dtype and x.dtype != y.dtype:
        raise _expected(2, kernel_name(x.dtype), y.dtype, None)


def _choose(condition: Any, x: Any, y: Any) -> Any:
    try:
        return np.where(condition, x, y)[()]
    except ValueError:
        sizes = ("[" + ",".join(map(str, a.shape)) + "]" for a in (condition, x, y))
        text = "condition {}, then {}, and else {} must be broadcastable".format(*sizes)
        raise invalid("SelectV2", text) from None


select = kernel(
    "where", "SelectV2", broadcasting=True, types="float complex int bool string",
    forward=_choose, fits=_check_dtypes,
    gradient=(
        None,
        lambda F, dy, _y, condition, _a, _b: F.where(condition, dy, F.number(0, dy)),
        lambda F, dy, _y, condition, _a, _b: F.where(condition, F.number(0, dy), dy),
    ),
)  # fmt: skip


@public("where")
def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> EagerTensor:
    """x where ``condition`` (bool), else y, all three broadcast (``tf.where``).  Without x and y: the indices."""
    if (x is None) != (y is None):
        raise ValueError("x and y must both be non-None or both be None.")
    condition = convert_to_tensor(condition)
    if x is None:
        if not condition._a.ndim:
            raise unnamed("Where", "WhereOp : Unhandled input dimensions: 0", name)
        return convert_to_tensor(np.stack(np.nonzero(condition._a), axis=-1).astype(np.int64))
    x = convert_to_tensor(x, dtype_hint=None if type(y) is not EagerTensor else y.dtype)
    y = convert_to_tensor(y, dtype_hint=x.dtype)
    if condition._a.dtype.kind != "b":
        raise _expected(0, "bool", condition._a.dtype, name)
    if x._a.dtype != y._a.dtype:
        raise _expected(2, kernel_name(x._a.dtype), y._a.dtype, name)
    return select(condition, x, y)


def _expected(position: int, word: str, got: np.dtype, name: str | None) -> Exception:
    text = f"cannot compute SelectV2 as input #{position}(zero-based) was expected to be a {word} tensor but is a "
    return invalid("SelectV2", f"{text}{kernel_name(got)} tensor", name, node=False)
