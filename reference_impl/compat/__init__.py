"""``tf.compat``: texts as bytes and back, sizes as numbers, and names of TensorFlow 1 that work without sessions."""

from __future__ import annotations

import numbers
import os
from importlib import import_module
from typing import Any

import numpy as np

__all__ = [
    "as_bytes", "as_str", "as_str_any", "as_text", "bytes_or_text_types", "complex_types", "dimension_at_index",
    "dimension_value", "forward_compatible", "integral_types", "path_to_str", "real_types", "v1", "v2",
]  # fmt: skip

integral_types = (numbers.Integral, np.integer)
real_types = (numbers.Real, np.integer, np.floating)
complex_types = (numbers.Complex, np.number)
bytes_or_text_types = (bytes, str)


def __getattr__(name: str) -> Any:
    if name == "v1":
        return import_module(".v1", __name__)
    if name == "v2":
        return import_module("..", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def as_bytes(bytes_or_text: Any, encoding: str = "utf-8") -> bytes:
    """A text as bytes.  TypeError for anything else."""
    if isinstance(bytes_or_text, (bytes, bytearray)):
        return bytes(bytes_or_text)
    if isinstance(bytes_or_text, str):
        return bytes_or_text.encode(encoding)
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


def as_text(bytes_or_text: Any, encoding: str = "utf-8") -> str:
    """Bytes as a text.  TypeError for anything else."""
    if isinstance(bytes_or_text, str):
        return bytes_or_text
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text.decode(encoding)
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


as_str = as_text


def as_str_any(value: Any, encoding: str = "utf-8") -> str:
    """The text of anything; of bytes, what they say."""
    return as_str(value, encoding) if isinstance(value, bytes) else str(value)


def path_to_str(path: Any) -> Any:
    """A path object as a text; anything else as it is."""
    return as_str_any(os.fspath(path)) if hasattr(path, "__fspath__") else path


def dimension_value(dimension: Any) -> Any:
    """A size of a shape, which is a number here."""
    return dimension


def dimension_at_index(shape: Any, index: int) -> Any:
    """A size of a shape, None where the rank is unknown."""
    return None if shape.rank is None else shape[index]


def forward_compatible(year: int, month: int, day: int) -> bool:
    """True: programs of any day can be read."""
    return True
