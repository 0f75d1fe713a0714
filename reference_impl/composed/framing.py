"""Images cut, padded, turned and mirrored (``tf.image``): each takes one image (rows, columns, channels) or a batch."""

from __future__ import annotations

import math as _math
from typing import Any

import numpy as np

from ..dtypes import int32
from ..ops.arguments import refusal
from ..ops.declare import NAMES, public
from ..ops.images import resize
from ..ops.shaping import transpose as _transposed
from ..ops.squeezing import expand_dims, squeeze
from ..ops.tiling import pad, reverse, slice_of
from ..tensors.conversion import cannot_convert, convert_to_tensor
from ..tensors.shapes import TensorShape
from ..tensors.tensor import EagerTensor


class ResizeMethod:
    """The names of the methods of ``tf.image.resize``."""

    BILINEAR = "bilinear"
    NEAREST_NEIGHBOR = "nearest"
    BICUBIC = "bicubic"
    AREA = "area"
    LANCZOS3 = "lanczos3"
    LANCZOS5 = "lanczos5"
    GAUSSIAN = "gaussian"
    MITCHELLCUBIC = "mitchellcubic"


def at_least_3d(image: EagerTensor) -> EagerTensor:
    """``image`` itself.  ValueError below three axes and when one of the last three is empty."""
    shape = TensorShape(image._a.shape)
    if len(shape) < 3:
        raise ValueError(f"'image' (shape {shape}) must be at least three-dimensional.")
    if 0 in image._a.shape[-3:]:
        raise ValueError(f"inner 3 dims of 'image.shape' must be > 0: {shape}")
    return image


def _pictures(image: Any, gap: str = " ") -> tuple[EagerTensor, int]:
    """A tensor and where its rows are.  ValueError for other than three or four axes."""
    x = at_least_3d(convert_to_tensor(image))
    if x._a.ndim > 4:
        raise ValueError(f"'image' (shape {x.shape}){gap}must have either 3 or 4 dimensions.")
    return x, x._a.ndim - 3


@public("image.flip_left_right")
def flip_left_right(image: Any) -> EagerTensor:
    """Images with their columns in reverse order (``tf.image.flip_left_right``).  ValueError unless of rank 3 or 4."""
    x, rows = _pictures(image, "")
    return reverse(x, [rows + 1])


@public("image.flip_up_down")
def flip_up_down(image: Any) -> EagerTensor:
    """Images with their rows in reverse order (``tf.image.flip_up_down``).  ValueError unless of rank 3 or 4."""
    x, rows = _pictures(image, "")
    return reverse(x, [rows])


def _exchanged(x: EagerTensor, rows: int) -> EagerTensor:
    return _transposed(x, [1, 0, 2] if not rows else [0, 2, 1, 3])


@public("image.rot90")
def rot90(image: Any, k: Any = 1, name: str | None = None) -> EagerTensor:
    """Images turned ``k`` times by a quarter, against the clock (``tf.image.rot90``)."""
    x = at_least_3d(convert_to_tensor(image))
    turns = convert_to_tensor(k, int32)
    if turns._a.ndim:
        raise ValueError(f"Shape {turns.shape} must have rank 0")
    x, rows = _pictures(x)
    match int(turns._a) % 4:
        case 1:
            return _exchanged(reverse(x, [rows + 1]), rows)
        case 2:
            return reverse(x, [rows, rows + 1])
        case 3:
            return reverse(_exchanged(x, rows), [rows + 1])
    return x


@public("image.transpose")
def transpose(image: Any, name: str | None = None) -> EagerTensor:
    """Rows and columns exchanged (``tf.image.transpose``).  ValueError unless of rank 3 or 4."""
    return _exchanged(*_pictures(image))


@public("image.central_crop")
def central_crop(image: Any, central_fraction: Any) -> EagerTensor:
    """The middle of images, this fraction of the rows and of the columns (``tf.image.central_crop``).

    ValueError for a fraction outside (0, 1] and unless of rank 3 or 4.
    """
    x = convert_to_tensor(image)
    fraction = float(central_fraction)
    if fraction <= 0.0 or fraction > 1.0:
        raise ValueError("central_fraction must be within (0, 1]")
    if fraction == 1.0:
        return x
    rank = at_least_3d(x)._a.ndim
    if rank > 4:
        raise ValueError(f"`image` should either be a Tensor with rank = 3 or rank = 4. Had rank = {rank}.")
    height, width = x._a.shape[rank - 3 : rank - 1]
    first = [int((size - size * fraction) / 2) for size in (float(height), float(width))]
    lead, all_of = [0] * (rank - 3), [-1] * (rank - 3)
    return slice_of(x, [*lead, *first, 0], [*all_of, height - first[0] * 2, width - first[1] * 2, -1])


def _batch(image: Any) -> tuple[EagerTensor, bool]:
    """A batch of images, and whether it was one image that had to become one."""
    x = convert_to_tensor(image)
    if x._a.ndim == 3:
        return expand_dims(x, 0), True
    if x._a.ndim != 4:
        raise ValueError(f"'image' (shape {x.shape}) must have either 3 or 4 dimensions.")
    return x, False


def require(truth: Any, message: str) -> None:
    """ValueError unless ``truth``; where that is a tensor, what ``tf.debugging.Assert`` raises."""
    if type(truth) is EagerTensor:
        NAMES["debugging.Assert"](truth, [message])
    elif not truth:
        raise ValueError(message)


@public("image.pad_to_bounding_box")
def pad_to_bounding_box(
    image: Any, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any
) -> EagerTensor:
    """Zeros around images: so many rows above and columns before, up to a size (``tf.image.pad_to_bounding_box``).

    ValueError for negative offsets and where the image does not fit.
    """
    x, single = _batch(image)
    _, height, width, _ = x._a.shape
    right, below = target_width - offset_width - width, target_height - offset_height - height
    at_least_3d(x)
    require(offset_height >= 0, "offset_height must be >= 0")
    require(offset_width >= 0, "offset_width must be >= 0")
    require(right >= 0, "width must be <= target - offset")
    require(below >= 0, "height must be <= target - offset")
    _no_fractions("Pad", "Tpaddings", offset_height, offset_width, below, right)
    widths = [[0, 0], [int(offset_height), int(below)], [int(offset_width), int(right)], [0, 0]]
    padded = pad(x, widths)
    return squeeze(padded, [0]) if single else padded


@public("image.crop_to_bounding_box")
def crop_to_bounding_box(
    image: Any, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any
) -> EagerTensor:
    """A part of images, from its upper left corner and its size (``tf.image.crop_to_bounding_box``).

    ValueError where the part is empty or reaches beyond the image.
    """
    x, single = _batch(image)
    at_least_3d(x)
    batch, height, width, depth = x._a.shape
    require(offset_width >= 0, "offset_width must be >= 0.")
    require(offset_height >= 0, "offset_height must be >= 0.")
    require(target_width > 0, "target_width must be > 0.")
    require(target_height > 0, "target_height must be > 0.")
    require(width >= target_width + offset_width, "width must be >= target + offset.")
    require(height >= target_height + offset_height, "height must be >= target + offset.")
    size = [batch, _whole(target_height), _whole(target_width), depth]
    _no_fractions("Slice", "Index", offset_height, offset_width)
    cropped = slice_of(x, [0, int(offset_height), int(offset_width), 0], size)
    return squeeze(cropped, [0]) if single else cropped


def _whole(size: Any) -> int:
    """A size as an int; TypeError for a float of Python's."""
    if isinstance(size, float):
        raise cannot_convert(size, np.dtype(np.int32))
    return int(size)


def _no_fractions(kernel: str, attribute: str, *sizes: Any) -> None:
    """TensorFlow packs offsets and sizes into one tensor; a float among them makes it a tensor of floats."""
    if any(isinstance(size, float) or (type(size) is EagerTensor and size.dtype.is_floating) for size in sizes):
        raise refusal(kernel, "float", None, attribute)


def _target(x: EagerTensor, target_height: Any, target_width: Any) -> tuple[int, int]:
    """The wanted size as integers, checked as TensorFlow does."""
    at_least_3d(x)
    require(target_width > 0, "target_width must be > 0.")
    require(target_height > 0, "target_height must be > 0.")
    return _whole(target_height), _whole(target_width)


@public("image.resize_with_crop_or_pad")
def resize_with_crop_or_pad(image: Any, target_height: Any, target_width: Any) -> EagerTensor:
    """Images cut or padded with zeros about their middle (``tf.image.resize_with_crop_or_pad``)."""
    x, single = _batch(image)
    rows, columns = _target(x, target_height, target_width)
    _, height, width, _ = x._a.shape
    over, along = rows - height, columns - width
    cropped = crop_to_bounding_box(
        x, max(-over // 2, 0), max(-along // 2, 0), min(rows, height), min(columns, width)
    )  # fmt: skip
    resized = pad_to_bounding_box(cropped, max(over // 2, 0), max(along // 2, 0), rows, columns)
    return squeeze(resized, [0]) if single else resized


@public("image.resize_with_pad")
def resize_with_pad(
    image: Any, target_height: Any, target_width: Any, method: str = ResizeMethod.BILINEAR, antialias: bool = False
) -> EagerTensor:
    """Images resized without distortion and padded with zeros to a size (``tf.image.resize_with_pad``)."""
    x, single = _batch(image)
    rows, columns = _target(x, target_height, target_width)
    number = np.float32
    height, width = (number(size) for size in x._a.shape[1:3])
    ratio = max(width / number(columns), height / number(rows))
    fitting = height / ratio, width / ratio
    room = [(number(have) - new) / number(2) for have, new in zip((rows, columns), fitting)]
    before = [max(0, _math.floor(r)) for r in room]
    resized = resize(x, [_math.floor(v) for v in fitting], method, antialias=antialias)
    padded = pad_to_bounding_box(resized, before[0], before[1], rows, columns)
    return squeeze(padded, [0]) if single else padded
