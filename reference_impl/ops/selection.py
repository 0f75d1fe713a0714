"""Choosing between values: where."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import kernel_name
from ..errors import invalid, unnamed
from ..tapes.recording import active
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .declare import kernel, public
from .kernels import no_rows
from .kernels.refusals import brackets, of_unlike_inputs

Shape = tuple[int, ...]


def _check_dtypes(_condition: Any, x: Any, y: Any) -> None:
    if x.dtype is not y.dtype and x.dtype != y.dtype:
        raise _expected(2, kernel_name(x.dtype), y.dtype, None)


def _choose(condition: Any, x: Any, y: Any) -> Any:
    try:
        return np.where(condition, x, y)[()]
    except ValueError:
        sizes = (brackets(a.shape) for a in (condition, x, y))
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


def misfit(condition: Shape, x: Shape, y: Shape) -> str | None:
    """What ``Select`` says of shapes that do not fit: a condition for each element, each row, or all, of two alike."""
    for_rows = len(condition) == 1 and len(x) != 1
    if for_rows and not x:
        return "'then' must be at least a vector, but saw shape: []"
    if for_rows and condition[0] != x[0]:
        return f"Number of batches of 'then' must match size of 'cond', but saw: {x[0]} vs. {condition[0]}"
    if (for_rows or not condition) and x != y:
        return f"'then' and 'else' must have the same size.  but received: {brackets(x)} vs. {brackets(y)}"
    for k, shape in enumerate(() if for_rows or not condition else (x, y)):
        if shape != condition:
            return of_unlike_inputs("Select", condition, k + 1, shape)
    return None


def _choose_alike(condition: Any, x: Any, y: Any) -> Any:
    if active.rowless and x.ndim:
        return np.zeros(no_rows.parted(y.shape if condition.shape == y.shape else x.shape), x.dtype)
    wrong = misfit(condition.shape, x.shape, y.shape)
    if wrong:
        raise invalid("Select", wrong)
    condition = condition.reshape(condition.shape + (1,) * (x.ndim - condition.ndim)) if condition.ndim else condition
    return np.where(condition, x, y)[()]


select_alike = kernel(
    "select_alike", "Select", forward=_choose_alike,
    gradient=(
        None,
        lambda F, dy, _y, condition, x, _b: F.select_alike(condition, dy, F.zeros_like(x)),
        lambda F, dy, _y, condition, x, _b: F.select_alike(condition, F.zeros_like(x), dy),
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
