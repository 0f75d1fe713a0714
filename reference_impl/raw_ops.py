"""``tf.raw_ops``: kernels under their own names."""

# ruff: noqa: F401  # this file lists names

from .ops.ordering import nth_element as NthElement
