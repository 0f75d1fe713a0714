"""Bitwise operations on integers; no gradient passes through them."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from ..dtypes import kernel_name
from .arguments import refusal
from .declare import binary, unary

_INTS = "int8 int16 int32 int64 uint8 uint16 uint32 uint64"


def _of_whole(function: Callable[..., Any], kernel: str) -> Callable[..., Any]:
    """The function, with TensorFlow's error for floats, whose dtypes no one checks before."""

    def forward(*arrays: Any) -> Any:
        try:
            return function(*arrays)
        except TypeError:
            raise refusal(kernel, kernel_name(arrays[0].dtype), None) from None

    return forward


def _declared(name: str, kernel: str, function: Callable[..., Any]) -> Any:
    return binary(
        f"bitwise.{name}", kernel=kernel, forward=_of_whole(function, kernel), types=_INTS, gradient=(None, None)
    )


bitwise_and = _declared("bitwise_and", "BitwiseAnd", operator.and_)
bitwise_or = _declared("bitwise_or", "BitwiseOr", operator.or_)
bitwise_xor = _declared("bitwise_xor", "BitwiseXor", operator.xor)
left_shift = _declared("left_shift", "LeftShift", operator.lshift)
right_shift = _declared("right_shift", "RightShift", operator.rshift)
invert = unary(
    "bitwise.invert", kernel="Invert", forward=_of_whole(operator.invert, "Invert"), types=_INTS, gradient=None
)
