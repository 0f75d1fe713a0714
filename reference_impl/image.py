"""``tf.image``: resizing and colours."""

# ruff: noqa: F401  # this file lists names

from .ops.colours import rgb_to_hsv
from .ops.cropping import crop_and_resize
from .ops.images import flip_left_right, flip_up_down, resize
from .ops.morphology import extract_patches
