"""What convolutions and pools are told, in numbers: strides of each dimension, and what `SAME` pads.

TensorFlow writes strides as one number, one a dimension, or one an axis of the batch; and it pads `SAME` by what the
output needs, the odd one behind. Libraries that take numbers get them from here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from adapters.backend import UnsupportedStep


def each(given: Any, dimensions: int) -> tuple[int, ...]:
    """One number for each dimension, of what TensorFlow takes: a number, or 1, `dimensions`, or two more numbers."""
    if given is None:
        return (1,) * dimensions
    if isinstance(given, int):
        return (given,) * dimensions
    if len(given) == 1:
        return tuple(given) * dimensions
    return tuple(given if len(given) == dimensions else given[1:-1])


def pads(
    padding: Any, sizes: Sequence[int], window: Sequence[int], strides: Sequence[int], dilations: Sequence[int]
) -> tuple[tuple[int, int], ...]:
    """How much is put before and behind each dimension: none for `VALID`."""
    if padding not in ("SAME", "VALID"):
        raise UnsupportedStep("paddings are SAME or VALID here")
    if padding == "VALID":
        return ((0, 0),) * len(sizes)
    made = []
    for size, wide, stride, apart in zip(sizes, window, strides, dilations, strict=True):
        total = max((-(-size // stride) - 1) * stride + (wide - 1) * apart + 1 - size, 0)
        made.append((total // 2, total - total // 2))
    return tuple(made)
