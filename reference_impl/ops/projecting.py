"""Images seen through projective transforms: ``tf.raw_ops.ImageProjectiveTransformV2`` and ``V3``.

A transform maps each place of the result to one of the image: ((a x + b y + c) / k, (d x + e y + f) / k) with
k = g x + h y + 1.  Its gradient looks through the inverse.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import invalid
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .declare import kernel, public
from .kernels.refusals import brackets, refuse
from .shaping import ints

F32 = np.float32
_FAR = F32(2.0**60)  # from here on the edges that lie between are more than a whole number of 64 bits counts


def _reflected(at: np.ndarray, size: int) -> np.ndarray:
    """Beyond an edge the image goes back: dcba|abcd|dcba."""
    whole = F32(2 * size)
    below = whole * np.trunc(-at / whole) + at
    below = np.where(below < -size, below + whole, -below - 1)
    above = at - whole * np.trunc(at / whole)
    above = np.where(above >= size, whole - above - 1, above)
    return np.where(at < 0, below, np.where(at > size - 1, above, at))


def _wrapped(at: np.ndarray, size: int) -> np.ndarray:
    """Beyond an edge the image begins again: abcd|abcd|abcd."""
    if size <= 1:
        return np.zeros_like(at)
    below = at + F32(size) * (np.trunc(-at / F32(size - 1)) + 1)
    above = at - F32(size) * np.trunc(at / F32(size - 1))
    return np.where(at < 0, below, np.where(at > size - 1, above, at))


def _mapped(at: np.ndarray, size: int, fill_mode: str) -> np.ndarray:
    if fill_mode == "CONSTANT":
        return at
    far = np.abs(at) >= _FAR
    if fill_mode == "REFLECT":
        at = np.where(far, F32(0), _reflected(at, size)) if size > 1 else np.zeros_like(at)
    elif fill_mode == "WRAP":
        at = np.where(far, at, _wrapped(at, size))
    return np.clip(at, F32(0), F32(size - 1))


def _coordinates(transforms: np.ndarray, size: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where each new pixel looks, row and column, (transforms, rows, columns); and where that is nowhere."""
    a, b, c, d, e, f, g, h = (transforms[:, k, None, None] for k in range(8))
    y, x = (np.arange(n, dtype=F32) for n in size)
    y = y[:, None]
    scale = g * x + h * y + F32(1)
    with np.errstate(all="ignore"):
        return (d * x + e * y + f) / scale, (a * x + b * y + c) / scale, scale == 0


def _seen(x: Any, rows: np.ndarray, columns: np.ndarray, fill: float) -> Any:
    """The pixels at whole places, ``fill`` outside the image and where a place is no number."""
    height, width = x.shape[1:3]
    inside = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
    place = lambda at, size: np.clip(np.nan_to_num(at), 0, size - 1).astype(np.int64)
    batch = np.arange(x.shape[0])[:, None, None]
    return np.where(inside[..., None], x[batch, place(rows, height), place(columns, width)], x.dtype.type(fill))


def _rounded(at: np.ndarray) -> np.ndarray:
    """To whole numbers, halves away from zero."""
    return np.trunc(at + np.copysign(F32(0.5), at))


def _projected(
    x: Any, transforms: np.ndarray, size: tuple[int, ...], interpolation: str, fill_mode: str, fill: float
) -> Any:
    rows, columns, nowhere = _coordinates(np.broadcast_to(transforms, (x.shape[0], 8)), size)
    rows, columns = (
        _mapped(np.where(nowhere, F32(0), at), n, fill_mode) for at, n in zip((rows, columns), x.shape[1:3])
    )
    read = _nearest if interpolation == "NEAREST" else _between
    return np.where(nowhere[..., None], x.dtype.type(fill), read(x, rows, columns, fill))


def _nearest(x: Any, rows: np.ndarray, columns: np.ndarray, fill: float) -> Any:
    return _seen(x, _rounded(rows), _rounded(columns), fill)


def _between(x: Any, rows: np.ndarray, columns: np.ndarray, fill: float) -> Any:
    top, left = np.floor(rows), np.floor(columns)
    down, along, up, back = (v[..., None] for v in (rows - top, columns - left, top + 1 - rows, left + 1 - columns))
    dtype, x = x.dtype, x.astype(F32)  # whatever the image is, TensorFlow interpolates in float32
    above = back * _seen(x, top, left, fill) + along * _seen(x, top, left + 1, fill)
    below = back * _seen(x, top + 1, left, fill) + along * _seen(x, top + 1, left + 1, fill)
    return (up * above + down * below).astype(dtype)


def _inverse(transforms: np.ndarray) -> np.ndarray:
    ones = np.ones((transforms.shape[0], 1), F32)
    found = np.linalg.inv(np.concatenate([transforms, ones], axis=1).reshape(-1, 3, 3)).reshape(-1, 9)
    return (found / found[:, 8:])[:, :8]


def _declare(version: str) -> Any:
    name = f"projected_{version.lower()}"

    def gradient(F: Any, dy: Any, _y: Any, _x: Any, transforms: np.ndarray, size: Any, **how: Any) -> Any:
        if F.dtype(_x).name == "bfloat16":
            raise TypeError("Invalid dtype <dtype: 'bfloat16'>.")
        again = {"transforms": _inverse(transforms), "size": F.shape(_x)[1:3], **how, "fill": 0.0}
        return getattr(F, name)(dy, **again)

    return kernel(name, f"ImageProjectiveTransform{version}", types=_TYPES, forward=_projected, gradient=gradient)


_TYPES = "uint8 int32 int64 half bfloat16 float double"
_KERNELS = {version: _declare(version) for version in ("V2", "V3")}
_MODES = ("CONSTANT", "REFLECT", "WRAP", "NEAREST")


def _run(
    version: str, images: Any, transforms: Any, output_shape: Any, interpolation: str, fill_mode: str, fill: Any
) -> EagerTensor:
    op, kernel_name = _KERNELS[version], f"ImageProjectiveTransform{version}"
    x, size = convert_to_tensor(images), ints(output_shape)
    given = np.array(convert_to_tensor(transforms)._a.tolist(), F32)
    op.op.check(x._a.dtype)
    if x._a.ndim != 4:
        raise invalid(kernel_name, "Input images must have rank 4")
    shape = convert_to_tensor(output_shape)._a.shape
    refuse(kernel_name, len(shape) != 1, f"output shape must be 1-dimensional{brackets(shape)}")
    refuse(kernel_name, len(size) != 2, f"output shape must have two elements{brackets(shape)}")
    refuse(kernel_name, min(size) <= 0, "output dimensions must be positive")
    if given.ndim != 2 or given.shape[1] != 8 or given.shape[0] not in (1, x._a.shape[0]):
        text = "Input transform should be num_images x 8 or 1 x 8"
        raise invalid(kernel_name, text)
    if interpolation not in ("NEAREST", "BILINEAR"):
        raise invalid(kernel_name, "Invalid interpolation " + interpolation)
    if fill_mode not in _MODES:
        raise invalid(kernel_name, f"Invalid mode {fill_mode}")
    how = {"interpolation": interpolation, "fill_mode": fill_mode, "fill": float(convert_to_tensor(fill)._a.tolist())}
    return op(x, transforms=given, size=size, **how)


@public("raw_ops.ImageProjectiveTransformV2")
def ImageProjectiveTransformV2(
    *, images: Any, transforms: Any, output_shape: Any, interpolation: str, fill_mode: str = "CONSTANT",
    name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """Images through projective transforms, one for all or one for each; 0 outside where ``fill_mode`` is CONSTANT."""
    return _run("V2", images, transforms, output_shape, interpolation, fill_mode, 0.0)


@public("raw_ops.ImageProjectiveTransformV3")
def ImageProjectiveTransformV3(
    *, images: Any, transforms: Any, output_shape: Any, fill_value: Any, interpolation: str,
    fill_mode: str = "CONSTANT", name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """As the second version, with a value of its own outside."""
    return _run("V3", images, transforms, output_shape, interpolation, fill_mode, fill_value)
