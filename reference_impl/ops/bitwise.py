"""Bitwise operations on integers; no gradient passes through them."""

from __future__ import annotations

import operator

from .declare import binary, unary

_INTS = "int8 int16 int32 int64 uint8 uint16 uint32 uint64"

bitwise_and = binary(
    "bitwise.bitwise_and", kernel="BitwiseAnd", forward=operator.and_, types=_INTS, gradient=(None, None)
)
bitwise_or = binary("bitwise.bitwise_or", kernel="BitwiseOr", forward=operator.or_, types=_INTS, gradient=(None, None))
bitwise_xor = binary(
    "bitwise.bitwise_xor", kernel="BitwiseXor", forward=operator.xor, types=_INTS, gradient=(None, None)
)
left_shift = binary(
    "bitwise.left_shift", kernel="LeftShift", forward=operator.lshift, types=_INTS, gradient=(None, None)
)
right_shift = binary(
    "bitwise.right_shift", kernel="RightShift", forward=operator.rshift, types=_INTS, gradient=(None, None)
)
invert = unary("bitwise.invert", kernel="Invert", forward=operator.invert, types=_INTS, gradient=None)
