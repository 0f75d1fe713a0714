"""``tf.debugging``: checks that raise."""

# ruff: noqa: F401  # this file lists names

from .ops.checks import check_numerics
