"""``tf.image``: resizing and colours."""

# ruff: noqa: F401  # this file lists names

from .ops.images import flip_left_right, flip_up_down, resize
from .ops.morphology import extract_patches
