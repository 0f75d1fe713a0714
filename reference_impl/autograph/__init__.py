"""``tf.autograph``: Python's control flow on tensors, in functions that are being traced."""

from __future__ import annotations

from . import experimental

__all__ = ["experimental"]
