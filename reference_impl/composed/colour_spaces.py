"""Images from one space of colours to another, and from one range of numbers to another (``tf.image``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import as_dtype, float32
from ..ops.casting import cast, saturate_cast
from ..ops.colours import three_channels
from ..ops.declare import NAMES, kernel, public
from ..ops.products import tensordot
from ..ops.squeezing import expand_dims
from ..ops.tiling import tile
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor


@public("image.convert_image_dtype")
def convert_image_dtype(image: Any, dtype: Any, saturate: bool = False, name: str | None = None) -> EagerTensor:
    """Images in another dtype and its range: all of an integer type, 0 to 1 of floats.

    With ``saturate`` numbers outside the range become its ends.  AttributeError for bools, strings and complex numbers.
    """
    x, want = convert_to_tensor(image), as_dtype(dtype)
    if not want.is_floating and not want.is_integer:
        raise AttributeError("dtype must be either floating point or integer")
    if not x.dtype.is_floating and not x.dtype.is_integer:
        raise AttributeError("image dtype must be either floating point or integer")
    if want == x.dtype:
        return NAMES["identity"](x)
    as_wanted = saturate_cast if saturate else cast
    if x.dtype.is_integer:
        if want.is_integer:
            return _between_integers(x, want, as_wanted)
        return cast(x, want) * (1.0 / x.dtype.max)
    if want.is_floating:
        return cast(x, want)
    return as_wanted(x * (want.max + 0.5), want)


def _between_integers(x: EagerTensor, want: Any, as_wanted: Any) -> EagerTensor:
    have = x.dtype
    if have.max > want.max:
        return as_wanted(NAMES["math.floordiv"](x, (have.max + 1) // (want.max + 1)), want)
    return as_wanted(x, want) * ((want.max + 1) // (have.max + 1))


@public("image.rgb_to_grayscale")
def rgb_to_grayscale(images: Any, name: str | None = None) -> EagerTensor:
    """The luminance of images with three channels, in one (``tf.image.rgb_to_grayscale``)."""
    x = convert_to_tensor(images)
    grey = tensordot(convert_image_dtype(x, float32), [0.2989, 0.5870, 0.1140], [-1, -1])
    return convert_image_dtype(expand_dims(grey, -1), x.dtype)


@public("image.grayscale_to_rgb")
def grayscale_to_rgb(images: Any, name: str | None = None) -> EagerTensor:
    """Grey images with their one channel three times (``tf.image.grayscale_to_rgb``).

    ValueError for a vector or a number and for other than one channel.
    """
    x = convert_to_tensor(images)
    rank = x._a.ndim
    if rank < 2:
        raise ValueError(f"A grayscale image (shape {x.shape}) must be at least two-dimensional.")
    if x._a.shape[-1] != 1:
        raise ValueError("Last dimension of a grayscale image should be size 1.")
    return tile(x, [1] * (rank - 1) + [3])


_YIQ = ((0.299, 0.59590059, 0.2115), (0.587, -0.27455667, -0.52273617), (0.114, -0.32134392, 0.31119955))
_FROM_YIQ = ((1, 1, 1), (0.95598634, -0.27201283, -1.10674021), (0.6208248, -0.64720424, 1.70423049))
_YUV = ((0.299, -0.14714119, 0.61497538), (0.587, -0.28886916, -0.51496512), (0.114, 0.43601035, -0.10001026))
_FROM_YUV = ((1, 1, 1), (0, -0.394642334, 2.03206185), (1.13988303, -0.58062185, 0))


def _mixed(images: Any, weights: tuple) -> EagerTensor:
    """The channels of images, each a sum of the old ones by a column of weights."""
    x = convert_to_tensor(images)
    return tensordot(x, convert_to_tensor(weights, x.dtype), [[x._a.ndim - 1], [0]])


@public("image.rgb_to_yiq")
def rgb_to_yiq(images: Any) -> EagerTensor:
    """Red, green and blue to the colours of NTSC television (``tf.image.rgb_to_yiq``)."""
    return _mixed(images, _YIQ)


@public("image.yiq_to_rgb")
def yiq_to_rgb(images: Any) -> EagerTensor:
    """The inverse of ``rgb_to_yiq`` (``tf.image.yiq_to_rgb``)."""
    return _mixed(images, _FROM_YIQ)


@public("image.rgb_to_yuv")
def rgb_to_yuv(images: Any) -> EagerTensor:
    """Red, green and blue to the colours of PAL television (``tf.image.rgb_to_yuv``)."""
    return _mixed(images, _YUV)


@public("image.yuv_to_rgb")
def yuv_to_rgb(images: Any) -> EagerTensor:
    """The inverse of ``rgb_to_yuv`` (``tf.image.yuv_to_rgb``)."""
    return _mixed(images, _FROM_YUV)


def shares(hue: Any) -> list:
    """How much of red, of green and of blue is in each hue: piecewise linear, between 0 and 1."""
    sixths, one, zero = hue * 6, hue.dtype.type(1), hue.dtype.type(0)
    parts = (abs(sixths - 3) - 1, 2 - abs(sixths - 2), 2 - abs(sixths - 4))
    return [np.minimum(np.maximum(part, zero), one) for part in parts]


def rgb_of(hue: Any, saturation: Any, value: Any) -> Any:
    """Red, green and blue of arrays of hues, saturations and values."""
    base = 1 - saturation
    return np.stack([(base + saturation * part) * value for part in shares(hue)], axis=-1)


hsv_to_rgb_ = kernel(
    "hsv_to_rgb", "HSVToRGB", gradient=None,
    forward=lambda x: rgb_of(x[..., 0], x[..., 1], x[..., 2]),
)  # fmt: skip


@public("image.hsv_to_rgb")
def hsv_to_rgb(images: Any, name: str | None = None) -> EagerTensor:
    """Hue, saturation and value, each in [0, 1], to red, green and blue (``tf.image.hsv_to_rgb``); no gradient.

    InvalidArgumentError for a scalar, FailedPreconditionError for other than three channels.
    """
    return hsv_to_rgb_(three_channels(hsv_to_rgb_, images, name))
