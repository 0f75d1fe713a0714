"""``tf.random``."""

# ruff: noqa: F401  # this file lists names

from .ops.randomness import categorical, normal, set_seed, shuffle, stateless_normal, stateless_uniform, uniform
