"""``tf.image``: resizing, cutting, turning, colours, and how alike images are."""

# ruff: noqa: F401  # this file lists names

from .composed import loader as _loader
from .ops.colours import rgb_to_hsv
from .ops.cropping import crop_and_resize
from .ops.images import resize
from .ops.morphology import extract_patches

__getattr__, __dir__ = _loader("image", globals())
