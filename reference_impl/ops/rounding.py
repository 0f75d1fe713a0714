"""Rounding to whole numbers and whole quotients: their gradient is None, except that of floormod."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import InternalError, OpError, invalid
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .declare import MISSING, binary, public, unary
from .kernels.whole_numbers import quotient


def _cut(name: str, kernel: str, forward: Any, **options: Any) -> Any:
    return unary(name, kernel=kernel, forward=forward, gradient=None, **options)


floor = _cut("math.floor floor", "Floor", np.floor)
ceil = _cut("math.ceil", "Ceil", np.ceil)
rint = _cut("math.rint", "Rint", np.rint)
_round = _cut("", "Round", np.rint, f="round")


@public("math.round round")
def round(x: Any, name: str | None = None) -> EagerTensor:
    """The nearest whole number, halves to even (``tf.round``); integers come back as they are."""
    x = convert_to_tensor(x)
    return x if x._a.dtype.kind in "iu" else _round(x, name)


def whole(kernel: str, function: Any) -> Any:
    """An integer division that raises TensorFlow's error for a divisor of zero."""

    def forward(a: Any, b: Any) -> Any:
        if a.dtype.kind in "iu" and a.size and not np.all(b):
            raise _by_zero(kernel)
        return function(a, b)

    return forward


def _by_zero(kernel: str) -> OpError:
    """TensorFlow's error for a whole number divided by zero: the kernels that cut say something else."""
    if kernel.startswith("Truncate"):
        text = "Unexpected error in binary operator (only integer div and mod should have errors)"
        return InternalError(None, None, invalid(kernel, text).message)
    return invalid(kernel, "Integer division by zero")


def _floored(a: Any, b: Any) -> Any:
    return np.floor(a / b) if a.dtype.kind not in "iu" else np.floor_divide(a, b)


def _remainder(a: Any, b: Any) -> Any:
    """The remainder of the floored quotient; a zero has the sign of the dividend, where Python gives the divisor's."""
    r = np.mod(a, b)
    return np.where(r == 0, np.fmod(a, b), r)[()] if a.dtype.kind not in "iu" else r


def _truncated(a: Any, b: Any) -> Any:
    return np.trunc(quotient(a, b))


floordiv = binary(
    "math.floordiv floordiv", kernel="FloorDiv", forward=whole("FloorDiv", _floored),
    gradient=(None, None),
)  # fmt: skip
floormod = binary(
    "math.floormod math.mod floormod", kernel="FloorMod", forward=whole("FloorMod", _remainder),
    gradient=(
        lambda F, dy, _z, _x, _y: dy,
        lambda F, dy, _z, x, y: dy * -F.floordiv(x, y),
    ),
)  # fmt: skip
truncatediv = binary(
    "truncatediv", kernel="TruncateDiv", forward=whole("TruncateDiv", _truncated),
    gradient=(None, None),
)  # fmt: skip
truncatemod = binary(
    "truncatemod", kernel="TruncateMod", forward=whole("TruncateMod", np.fmod), gradient=MISSING,
)  # fmt: skip
