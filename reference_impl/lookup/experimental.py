"""Tables that change (``tf.lookup.experimental``)."""

from .mutable import DenseHashTable, MutableHashTable

__all__ = ["DenseHashTable", "MutableHashTable"]
