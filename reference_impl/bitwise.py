"""``tf.bitwise``: bit by bit operations on integers."""

# ruff: noqa: F401  # this file lists names

from .ops.bitwise import bitwise_and, bitwise_or, bitwise_xor, invert, left_shift, right_shift
