"""Windows cut out of images around places, also beyond their edges (``tf.image.extract_glimpse``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import float32, int32
from ..errors import unnamed
from ..foundation.building import intercepted
from ..ops.declare import MISSING, kernel
from ..randomness.seeds import generator
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor

_NOISES = ("uniform", "gaussian", "zero")


def _starts(offsets: Any, image: tuple[int, int], window: tuple[int, int], centered: bool, normalized: bool) -> Any:
    """Where each window begins, by single precision, towards zero."""
    sizes, half = np.array(image, np.float32), np.array(window, np.float32) / np.float32(2)
    middle = sizes / np.float32(2) if centered else np.float32(0)
    if not normalized:
        return (offsets + middle).astype(np.int64)  # of the window's first pixel, also from the middle
    return (offsets * sizes / np.float32(2) + middle - half if centered else offsets * sizes).astype(np.int64)


def _cut(images: Any, offsets: Any, window: tuple[int, int], centered: bool, normalized: bool, noise: str) -> Any:
    count, rows, columns, depth = images.shape
    height, width = window
    found = _filling(noise, images, (count, height, width, depth))
    for image, out, (top, left) in zip(images, found, _starts(offsets, (rows, columns), window, centered, normalized)):
        inside = [slice(max(a, 0), min(a + n, size)) for a, n, size in ((top, height, rows), (left, width, columns))]
        if all(s.start < s.stop for s in inside):
            there = tuple(slice(s.start - a, s.stop - a) for s, a in zip(inside, (top, left)))
            out[there] = image[tuple(inside)]
    return found


def _filling(noise: str, images: Any, shape: tuple[int, ...]) -> Any:
    """What is beyond the edges: zeros, or numbers by chance of the spread of the images."""
    if noise == "zero":
        return np.zeros(shape, images.dtype)
    rng = generator(None)
    if noise == "gaussian":
        return (rng.standard_normal(shape) * images.std() + images.mean()).astype(images.dtype)
    low, high = images.min(), images.max()
    return (rng.random(shape) * (high - low) + low).astype(images.dtype)


cut_ = kernel("extract_glimpse", "ExtractGlimpseV2", forward=_cut, gradient=MISSING)


@intercepted
def extract_glimpse(
    input: Any, size: Any, offsets: Any, centered: bool = True, normalized: bool = True, noise: str = "uniform",
    name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """A window of ``size`` of each image [b, h, w, c] at its offset [b, 2]: [b, *size, c], float32.

    Offsets run from -1 to 1 with 0 in the middle; from 0 to 1 unless ``centered``; in pixels unless ``normalized``, and
    then they are those of the window's first pixel.
    Beyond the edges stands noise, "uniform", "gaussian" or "zero".  InvalidArgumentError for other noise and for
    shapes that do not fit.  TensorFlow has no gradient of it.
    """
    x, at = convert_to_tensor(input, float32), convert_to_tensor(offsets, float32)
    window = np.asarray(convert_to_tensor(size, int32)._a)
    problem = _problem(x._a, window, at._a, noise)
    if problem:
        raise unnamed("ExtractGlimpseV2", problem, name)
    return cut_(x, at, window=tuple(window.tolist()), centered=centered, normalized=normalized, noise=noise)


def _problem(images: Any, window: Any, offsets: Any, noise: str) -> str:
    """What is wrong with the operands, in TensorFlow's words; nothing where they fit."""
    if noise not in _NOISES:
        return f"The noise could only be uniform, gaussian, or zero, got{noise}"
    if images.ndim != 4:
        return f"input must be 4-dimensional (batch_size, height, width, depth)[{','.join(map(str, images.shape))}]"
    if window.shape != (2,):
        return f"input must be a vector of size 2 (height, width)[{','.join(map(str, window.shape))}]"
    if offsets.ndim != 2:
        return f"input must be a matrix[{','.join(map(str, offsets.shape))}]"
    if offsets.shape[0] != images.shape[0]:
        return f"first dimension should be batch[{','.join(map(str, offsets.shape))}]"
    return ""
