"""Ragged tensors, rows of different lengths, where they meet gradients (``tf.ragged``, ``tf.RaggedTensor``)."""

from .functions import constant, map_flat_values, range, row_splits_to_segment_ids, stack
from .masking import boolean_mask
from .tensor import RaggedTensor

__all__ = ["RaggedTensor", "boolean_mask", "constant", "map_flat_values", "range", "row_splits_to_segment_ids", "stack"]
