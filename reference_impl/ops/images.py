"""Images resized, by the nearest pixel or bilinearly, and flipped (``tf.image``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .declare import MISSING, kernel, public
from .scatter import scatter_add
from .shaping import ints
from .squeezing import expand_dims, squeeze
from .tiling import reverse


def _line(size: int, wanted: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each new pixel the two old ones between whose centres it lies, and how far it is from the first."""
    at = (np.arange(wanted, dtype=np.float32) + np.float32(0.5)) * np.float32(size / wanted) - np.float32(0.5)
    floor = np.floor(at)
    low = np.maximum(floor.astype(np.int64), 0)
    high = np.minimum(np.ceil(at).astype(np.int64), size - 1)
    return low, high, (at - floor).astype(np.float32)


def _bilinear(x: Any, size: tuple[int, int]) -> Any:
    (top, bottom, down), (left, right, along) = (_line(n, m) for n, m in zip(x.shape[1:3], size))
    x = x.astype(np.float32)
    down, along = down[:, None, None], along[:, None]
    upper, lower = x[:, top], x[:, bottom]
    upper = upper[:, :, left] + (upper[:, :, right] - upper[:, :, left]) * along
    lower = lower[:, :, left] + (lower[:, :, right] - lower[:, :, left]) * along
    return upper + (lower - upper) * down


def _bilinear_grad(dy: Any, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    (top, bottom, down), (left, right, along) = (_line(n, m) for n, m in zip(shape[1:3], dy.shape[1:3]))
    down, along = down[:, None, None], along[:, None]
    total: Any = None
    for rows, by_row in ((top, 1 - down), (bottom, down)):
        for columns, by_column in ((left, 1 - along), (right, along)):
            part = scatter_add(shape, (slice(None), rows[:, None], columns[None, :]), dy * (by_row * by_column))
            total = part if total is None else total + part
    return total.astype(dtype)


bilinear_ = kernel(
    "resize_bilinear", "ResizeBilinear", types="float int", forward=_bilinear,
    gradient=lambda F, dy, _y, _x, size: F.resize_bilinear_grad(dy, shape=F.shape(_x), dtype=F.dtype(_x)),
)  # fmt: skip
kernel("resize_bilinear_grad", "ResizeBilinearGrad", forward=_bilinear_grad, gradient=None)


def _nearest_index(shape: tuple[int, ...], size: tuple[int, int]) -> tuple:
    rows, columns = (
        np.minimum(np.floor((np.arange(m) + 0.5) * (n / m)).astype(np.int64), n - 1) for n, m in zip(shape[1:3], size)
    )
    return (slice(None), rows[:, None], columns[None, :])


nearest_ = kernel(
    "resize_nearest", "ResizeNearestNeighbor", types="float int",
    forward=lambda x, size: x[_nearest_index(x.shape, size)],
    gradient=lambda F, dy, _y, _x, size: F.resize_nearest_grad(dy, shape=F.shape(_x)),
)  # fmt: skip
kernel(
    "resize_nearest_grad", "ResizeNearestNeighborGrad", gradient=MISSING,
    forward=lambda dy, shape: scatter_add(shape, _nearest_index(shape, dy.shape[1:3]), dy),
)  # fmt: skip


@public("image.resize")
def resize(
    images: Any, size: Any, method: str = "bilinear", preserve_aspect_ratio: bool = False, antialias: bool = False,
    name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """Images of another size, by the methods "bilinear" and "nearest" (``tf.image.resize``).

    ValueError for tensors of rank other than 3 and 4; NotImplementedError for the other methods and options.
    """
    x, wanted = convert_to_tensor(images), ints(size)
    if x._a.ndim not in (3, 4):
        raise ValueError("'images' must have either 3 or 4 dimensions.")
    if len(wanted) != 2:
        raise ValueError("'size' must be a 1-D Tensor of 2 elements: new_height, new_width")
    if method not in ("bilinear", "nearest") or preserve_aspect_ratio or antialias:
        raise NotImplementedError("image.resize knows the methods bilinear and nearest, without options")
    single = x._a.ndim == 3
    x = expand_dims(x, 0) if single else x
    if x._a.shape[1:3] != wanted:
        x = (nearest_ if method == "nearest" else bilinear_)(x, size=wanted)
    return squeeze(x, [0]) if single else x


@public("image.flip_left_right")
def flip_left_right(image: Any) -> EagerTensor:
    """Images with their columns in reverse order (``tf.image.flip_left_right``)."""
    return reverse(image, [convert_to_tensor(image)._a.ndim - 2])


@public("image.flip_up_down")
def flip_up_down(image: Any) -> EagerTensor:
    """Images with their rows in reverse order (``tf.image.flip_up_down``)."""
    return reverse(image, [convert_to_tensor(image)._a.ndim - 3])
