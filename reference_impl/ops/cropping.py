"""Parts of images, resized: boxes cut out of them (``tf.image.crop_and_resize``)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..errors import OutOfRangeError, invalid
from ..tensors.tensor import EagerTensor
from .arguments import taken
from .declare import MISSING, kernel, public
from .kernels.refusals import brackets, refuse
from .scatter import scatter_add
from .shaping import ints


class _Axis(NamedTuple):
    """Where the pixels of crops lie along one axis of their image; each is (boxes, new pixels)."""

    inside: Any
    first: Any  # the old pixel before the place
    second: Any  # and after it
    nearest: Any
    part: Any  # how far the place is from the first one


def _axis(low: Any, high: Any, old: int, new: int) -> _Axis:
    steps = np.arange(new, dtype=np.float32)
    if new > 1:
        at = low[:, None] * (old - 1) + steps * ((high - low) * (old - 1) / (new - 1))[:, None]
    else:
        at = (0.5 * (low + high) * (old - 1))[:, None]
    inside = np.logical_not(np.less(at, 0) | np.greater(at, old - 1))
    floor = np.floor(at)
    pixel = lambda place: np.clip(place.astype(np.int64), 0, old - 1)
    return _Axis(inside, pixel(floor), pixel(np.ceil(at)), pixel(np.floor(at + 0.5)), at - floor)


class _Places(NamedTuple):
    """Both axes, shaped to index and to weigh (boxes, rows, columns, channels)."""

    inside: Any
    rows: tuple  # first, second, nearest
    columns: tuple
    down: Any
    along: Any
    images: np.ndarray


def _places(boxes: Any, images: np.ndarray, shape: tuple[int, ...], crop: tuple[int, int]) -> _Places:
    vertical = _axis(boxes[:, 0], boxes[:, 2], shape[1], crop[0])
    horizontal = _axis(boxes[:, 1], boxes[:, 3], shape[2], crop[1])
    inside = (vertical.inside[:, :, None] & horizontal.inside[:, None, :])[..., None]
    rows = tuple(v[:, :, None] for v in vertical[1:4])
    columns = tuple(v[:, None, :] for v in horizontal[1:4])
    down, along = vertical.part[:, :, None, None], horizontal.part[:, None, :, None]
    return _Places(inside, rows, columns, down, along, images[:, None, None])


def _corners(x: Any, at: _Places) -> tuple:
    """The pixels around each place: above left, above right, below left, below right."""
    x = x.astype(np.float32)
    return tuple(x[at.images, row, column] for row in at.rows[:2] for column in at.columns[:2])


def _cropped(x: Any, boxes: Any, images: np.ndarray, crop: tuple[int, int], method: str, outside: float) -> Any:
    at = _places(boxes, images, x.shape, crop)
    if method == "nearest":
        found = x.astype(np.float32)[at.images, at.rows[2], at.columns[2]]
    else:
        a, b, c, d = _corners(x, at)
        above, below = a + (b - a) * at.along, c + (d - c) * at.along
        found = above + (below - above) * at.down
    return np.where(at.inside, found, np.float32(outside))


def _by_image(dy: Any, boxes: Any, images: np.ndarray, shape: tuple[int, ...], dtype: np.dtype, method: str) -> Any:
    at = _places(boxes, images, shape, dy.shape[1:3])
    dy = np.where(at.inside, dy, np.float32(0))
    if method == "nearest":
        return scatter_add(shape, (at.images, at.rows[2], at.columns[2]), dy.astype(dtype))
    total: Any = None
    for row, by_row in zip(at.rows, (1 - at.down, at.down)):
        for column, by_column in zip(at.columns, (1 - at.along, at.along)):
            part = scatter_add(shape, (at.images, row, column), (by_column * (by_row * dy)).astype(dtype))
            total = part if total is None else total + part
    return total


def _shares(moved: Any, old: int, axis: int) -> tuple[Any, Any]:
    """What a box's two edges along an axis receive of (boxes, rows, columns, channels) by place.

    Each element is weighed by itself before they are added up, as in TensorFlow.
    """
    new = moved.shape[axis]
    if new == 1:
        half = np.add.reduce(moved * np.float32(0.5 * (old - 1)), axis=(1, 2, 3))
        return half, half
    later = np.arange(new, dtype=np.float32) * np.float32((old - 1) / (new - 1))
    later = later.reshape(-1, 1, 1) if axis == 1 else later.reshape(-1, 1)
    return tuple(np.add.reduce(moved * share, axis=(1, 2, 3)) for share in (np.float32(old - 1) - later, later))


def _by_boxes(dy: Any, x: Any, boxes: Any, images: np.ndarray) -> Any:
    """As of bilinear sampling, whatever the method was."""
    at = _places(boxes, images, x.shape, dy.shape[1:3])
    a, b, c, d = _corners(x, at)
    dy = np.where(at.inside, dy, np.float32(0))
    down = ((1 - at.along) * (c - a) + at.along * (d - b)) * dy
    along = ((1 - at.down) * (b - a) + at.down * (d - c)) * dy
    (top, bottom), (left, right) = _shares(down, x.shape[1], 1), _shares(along, x.shape[2], 2)
    return np.stack([top, left, bottom, right], axis=-1)


def _gradient_by_image(
    F: Any, dy: Any, _y: Any, _x: Any, boxes: Any, images: Any, crop: Any, method: str, outside: float
) -> Any:
    dtype = F.dtype(_x)
    if dtype.kind in "iu":
        return None
    return F.crop_grad_image(dy, boxes, images=images, shape=F.shape(_x), dtype=dtype, method=method)


def _gradient_by_boxes(
    F: Any, dy: Any, _y: Any, x: Any, boxes: Any, images: Any, crop: Any, method: str, outside: float
) -> Any:
    return F.crop_grad_boxes(dy, x, boxes, images=images)


def _check_upstream(dy: Any, boxes: Any) -> None:
    refuse("CropAndResizeGradImage", dy.ndim != 4, f"grads image must be 4-D{brackets(dy.shape)}")
    text = "boxes and grads have incompatible shape"
    refuse("CropAndResizeGradImage", dy.shape[0] != boxes.shape[0], text)


kernel(
    "crop_grad_image", "CropAndResizeGradImage", forward=_by_image, gradient=MISSING,
    fits=lambda dy, boxes, **_others: _check_upstream(dy, boxes),
)  # fmt: skip
kernel("crop_grad_boxes", "CropAndResizeGradBoxes", forward=_by_boxes, gradient=MISSING)
cropped_ = kernel(
    "crop_and_resize", "CropAndResize", forward=_cropped, gradient=(_gradient_by_image, _gradient_by_boxes)
)  # fmt: skip


def _check(x: Any, boxes: Any, images: np.ndarray, crop: tuple[int, ...], name: str | None) -> None:
    refuse = lambda text: invalid("CropAndResize", text, name)
    if x.ndim != 4:
        raise refuse(f"input image must be 4-D{brackets(x.shape)}")
    if 0 in x.shape[1:3]:
        raise refuse("image dimensions must be positive")
    if boxes.ndim != 2:
        raise refuse(f"boxes must be 2-D, got: [{','.join(map(str, boxes.shape))}]")
    if boxes.shape[1] != 4:
        raise refuse("boxes must have 4 columns")
    if images.ndim != 1:
        raise refuse(f"box_indices must be rank 1 but is shape [{','.join(map(str, images.shape))}]")
    if len(images) != boxes.shape[0]:
        raise refuse("box_index has incompatible shape")
    if len(crop) != 2:
        raise refuse(f"crop_size must have two elements[{len(crop)}]")
    if min(crop) <= 0:
        raise refuse("crop dimensions must be positive")
    if ((images < 0) | (images >= x.shape[0])).any():
        text = refuse("box_index has values outside [0, batch_size)").message
        raise OutOfRangeError(None, None, text)
    if not np.isfinite(boxes).all():
        raise refuse("Boxes contains at least one element that is not finite")


@public("image.crop_and_resize")
def crop_and_resize(
    image: Any, boxes: Any, box_indices: Any, crop_size: Any, method: str = "bilinear",
    extrapolation_value: float = 0.0, name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """Boxes (top, left, bottom, right, in parts of an image) as images of one size (``tf.image.crop_and_resize``).

    float32, whatever the image is; differentiated by the image and by the boxes.
    """
    x, edges, places, size = taken(
        "CropAndResize", name, image=image, boxes=boxes, box_ind=box_indices, crop_size=crop_size, method=method
    )  # fmt: skip
    images, crop = np.asarray(places._a), ints(size)
    if not size._a.ndim:
        raise invalid("CropAndResize", "crop_size must be 1-D[]", name)
    extrapolation_value = 0.0 if extrapolation_value is None else extrapolation_value
    _check(x._a, edges._a, images, crop, name)
    return cropped_(x, edges, images=images, crop=crop, method=method, outside=float(extrapolation_value))
