"""Shapes and orders of axes as users give them: whole numbers, or TensorFlow's error for what they are instead."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

from ..errors import invalid
from ..tensors.tensor import EagerTensor
from .arguments import whole

_TAKEN = (np.dtype(np.int32), np.dtype(np.int64))


def sizes(kernel: str, source: str, value: Any, name: str | None = None, only_int32: bool = False) -> tuple[int, ...]:
    """``value``, which is the input ``source`` of a kernel, as a tuple of ints.

    Raises:
        InvalidArgumentError: for a tensor, or numbers that make one, of a dtype that the kernel does not take.
        TypeError: for numbers that are not whole where ``only_int32`` says that they are converted to int32.
        ValueError: for None among them.
    """
    kind = type(value)
    if kind is EagerTensor:
        if value._a.dtype not in _TAKEN:
            value = whole(kernel, source, value, name)
        return tuple(np.ravel(value._a).tolist())
    try:
        return (index(value),) if kind is int else tuple(map(index, value))
    except TypeError:
        return _converted(kernel, source, value, name, only_int32)


def shape_of_random(kernel: str, value: Any, name: str | None = None) -> tuple[int, ...]:
    """The shape of random numbers: as ``sizes``, and InvalidArgumentError for a single number."""
    single = type(value) is EagerTensor and not value._a.ndim
    if (single and value._a.dtype in _TAKEN) or isinstance(value, (int, np.integer)):
        raise invalid(kernel, "shape must be a vector of {int32,int64}, got shape []", name)
    return sizes(kernel, "shape", value, name)


def _converted(kernel: str, source: str, value: Any, name: str | None, only_int32: bool) -> tuple[int, ...]:
    if only_int32 and _lacks_whole(value):
        raise TypeError(f"Cannot convert {value!r} to EagerTensor of dtype int32")
    given = value if only_int32 and isinstance(value, np.ndarray) else whole(kernel, source, value, name)._a
    return tuple(int(v) for v in np.ravel(given))


def _lacks_whole(value: Any) -> bool:
    items = value if isinstance(value, (list, tuple)) else [value]
    return any(isinstance(v, (float, np.floating, str)) for v in items)
