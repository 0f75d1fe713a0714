"""``tf.raw_ops``: kernels under their own names."""

# ruff: noqa: F401  # this file lists names

from .ops.morphology import extract_volume_patches as ExtractVolumePatches
from .ops.ordering import nth_element as NthElement
