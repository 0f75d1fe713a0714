"""Weights by which pixels of an image make those of another size: `bicubic(old, new)` and `spans(...)`, one axis each.

A matrix of shape (new, old), float32, computed in the precision of TensorFlow's kernels ResizeBicubic and
ScaleAndTranslate; `resampled` applies one to each axis and `spread` is its adjoint.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

F = np.float32
_STEPS = 1024  # of the table of cubic weights between two pixels
_LEAST = 1000 * np.finfo(np.float32).tiny  # weights that add up to less are not scaled to a sum of 1
WEIGHT_ULPS = 8.0  # how far a weight of another implementation may be off, relative to itself


def _table() -> tuple[np.ndarray, np.ndarray]:
    """Keys's cubic at the distances 0 to 1 from a pixel, and at 1 to 2."""
    a, near = -0.5, np.arange(_STEPS + 1) / _STEPS
    far = near + 1.0
    first = ((a + 2) * near - (a + 3)) * near * near + 1
    return first.astype(F), (((a * far - 5 * a) * far + 8 * a) * far - 4 * a).astype(F)


def bicubic(old: int, new: int) -> np.ndarray:
    """The weights of four pixels about each place; those outside the image count nothing."""
    at = (np.arange(new, dtype=F) + F(0.5)) * F(old / new) - F(0.5)
    low = np.floor(at)
    offset = np.rint((at - low) * F(_STEPS)).astype(np.int64)
    near, far = _table()
    weights = np.stack([far[offset], near[offset], near[_STEPS - offset], far[_STEPS - offset]], axis=-1)
    places = low.astype(np.int64)[:, None] + np.arange(-1, 3)
    weights = np.where((places >= 0) & (places < old), weights, F(0))
    total = np.add.reduce(weights, axis=-1, keepdims=True)
    weights = weights * np.where(np.abs(total) >= _LEAST, 1 / total, F(1)).astype(F)
    matrix = np.zeros((new, old), F)
    np.add.at(matrix, (np.arange(new)[:, None], np.clip(places, 0, old - 1)), weights)
    return matrix


def area(old: int, new: int) -> np.ndarray:
    """The share that each pixel has of the stretch that a new one covers."""
    scale = F(old / new)
    begin, end = np.arange(new, dtype=F)[:, None] * scale, np.arange(1, new + 1, dtype=F)[:, None] * scale
    pixels = np.arange(old, dtype=F)
    covered = np.minimum(pixels + F(1), end) - np.maximum(pixels, begin)
    return np.maximum(covered, F(0)) / scale


# --------------------------------------------------------------------------------------------------- kernels by name


def _lanczos(radius: float) -> Callable[[np.ndarray], np.ndarray]:
    def weigh(x: np.ndarray) -> np.ndarray:
        safe = np.where(x <= 1e-3, F(1), x)
        value = F(radius) * np.sin(F(math.pi) * safe) * np.sin(F(math.pi) * safe / F(radius))
        value = value / (F(math.pi * math.pi) * safe * safe)
        return np.where(x > radius, F(0), np.where(x <= 1e-3, F(1), value))

    return weigh


def _gaussian(x: np.ndarray) -> np.ndarray:
    sigma = F(0.5)  # a third of the radius of 1.5
    return np.where(x >= 1.5, F(0), np.exp(-x * x / (F(2) * sigma * sigma)))


def _box(x: np.ndarray) -> np.ndarray:
    return np.where(x < 0.5, F(1), np.where(x == 0.5, F(0.5), F(0)))


def _triangle(x: np.ndarray) -> np.ndarray:
    return np.where(x < 1, F(1) - x, F(0))


def _keys(x: np.ndarray) -> np.ndarray:
    far = ((F(-0.5) * x + F(2.5)) * x - F(4)) * x + F(2)
    return np.where(x >= 2, F(0), np.where(x >= 1, far, ((F(1.5) * x - F(2.5)) * x) * x + F(1)))


def _mitchell(x: np.ndarray) -> np.ndarray:
    far = ((F(-7 / 18) * x + F(2)) * x - F(10 / 3)) * x + F(16 / 9)
    return np.where(x >= 2, F(0), np.where(x >= 1, far, ((F(7 / 6) * x - F(2)) * x) * x + F(8 / 9)))


KERNELS: dict[str, tuple[float, Callable[[np.ndarray], np.ndarray]]] = {
    "lanczos1": (1.0, _lanczos(1.0)),
    "lanczos3": (3.0, _lanczos(3.0)),
    "lanczos5": (5.0, _lanczos(5.0)),
    "gaussian": (1.5, _gaussian),
    "box": (1.0, _box),
    "triangle": (1.0, _triangle),
    "keyscubic": (2.0, _keys),
    "mitchellcubic": (2.0, _mitchell),
}


def spans(old: int, new: int, scale: float, shift: float, kernel_type: str, antialias: bool) -> np.ndarray:
    """The weights of the pixels within a kernel's radius of each place, scaled to a sum of 1; none outside."""
    radius, weigh = KERNELS[kernel_type]
    inverse = F(1 / float(scale))
    moved, stretch = -inverse * F(shift), max(inverse, F(1)) if antialias else F(1)
    matrix = np.zeros((new, old), F)
    for row in range(new):
        at = (F(row) + F(0.5)) * inverse + moved
        if at < 0 or at > old:
            continue
        reach = F(radius) * stretch
        first = min(max(int(np.ceil(at - reach - F(0.5))), 0), old - 1)
        last = min(max(int(np.floor(at + reach - F(0.5))), 0), old - 1)
        places = np.arange(first, last + 1)
        weights = weigh(np.abs((places.astype(F) + F(0.5) - at) * (F(1) / stretch))).astype(F)
        total = np.add.reduce(weights)
        if abs(total) >= _LEAST:
            matrix[row, places] = weights * (F(1) / total)
    return matrix


# ------------------------------------------------------------------------------------------------------ applying them


def _loosened(x: Any) -> Any:
    """An array with an error bound is told that the weights are rounded otherwise elsewhere."""
    own = getattr(type(x), "__loosen__", None)
    return x if own is None else own(x, WEIGHT_ULPS)


def _down(matrix: np.ndarray, x: Any) -> Any:
    """Rows of (batch, rows, columns, channels)."""
    batch, rows, columns, channels = x.shape
    flat = np.matmul(matrix.astype(x.dtype), x.reshape((batch, rows, columns * channels)))
    return flat.reshape((batch, matrix.shape[0], columns, channels))


def resampled(x: Any, rows: np.ndarray, columns: np.ndarray) -> Any:
    """Images (batch, rows, columns, channels) of another size."""
    return np.matmul(columns.astype(x.dtype), _down(rows, _loosened(x)))


def spread(dy: Any, rows: np.ndarray, columns: np.ndarray) -> Any:
    """The adjoint of ``resampled``."""
    return resampled(dy, rows.T, columns.T)
