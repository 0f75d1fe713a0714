"""Images made brighter, of more contrast, of other colours, or standardized (``tf.image``)."""

from __future__ import annotations

import math as _math
from typing import Any

import numpy as np

from ..dtypes import float32
from ..errors import unnamed
from ..ops.arithmetic import maximum, rsqrt, subtract
from ..ops.casting import cast
from ..ops.colours import _hsv
from ..ops.declare import MISSING, kernel, public
from ..ops.kernels.refusals import brackets
from ..ops.statistics import reduce_mean, reduce_std
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .colour_spaces import convert_image_dtype, rgb_of, shares
from .framing import at_least_3d, require


def _floating(image: Any) -> tuple[EagerTensor, EagerTensor]:
    """An image, and it in half or single precision, in which it is worked on."""
    x = convert_to_tensor(image)
    return x, x if x.dtype.name in ("float16", "float32") else convert_image_dtype(x, float32)


@public("image.adjust_brightness")
def adjust_brightness(image: Any, delta: Any) -> EagerTensor:
    """``delta`` added to every pixel, on the scale of 0 to 1 (``tf.image.adjust_brightness``)."""
    x, wide = _floating(image)
    return convert_image_dtype(wide + cast(delta, wide.dtype), x.dtype, saturate=True)


@public("image.adjust_gamma")
def adjust_gamma(image: Any, gamma: Any = 1, gain: Any = 1) -> EagerTensor:
    """``gain * image ** gamma`` (``tf.image.adjust_gamma``).  ValueError for a negative ``gamma``."""
    x, wide = _floating(image)
    require(gamma >= 0, "Gamma should be a non-negative real number.")
    return convert_image_dtype(gain * wide**gamma, x.dtype, saturate=True)


@public("image.per_image_standardization")
def per_image_standardization(image: Any) -> EagerTensor:
    """Each image with a mean of 0 and a variance of 1, in float32 (``tf.image.per_image_standardization``)."""
    x = cast(at_least_3d(convert_to_tensor(image)), float32)
    pixels = _math.prod(x._a.shape[-3:])
    axes = [-1, -2, -3]
    mean, deviation = reduce_mean(x, axes, keepdims=True), reduce_std(x, axes, keepdims=True)
    least = rsqrt(cast(convert_to_tensor(pixels), float32))
    deviation = maximum(deviation, least)
    return subtract(x, mean) / deviation


# ---------------------------------------------------------------------------- kernels without a gradient in TensorFlow


def _contrast(x: Any, factor: Any) -> Any:
    wide = x.astype(np.float32)
    mean = np.add.reduce(wide, axis=(-3, -2), keepdims=True) / np.float32(x.shape[-3] * x.shape[-2])
    return ((wide - mean) * factor + mean).astype(x.dtype)


def _turned(x: Any, delta: Any) -> Any:
    wide = x.astype(np.float32)
    hue = _hsv(wide)[..., 0] + delta
    low, high = np.minimum.reduce(wide, axis=-1), np.maximum.reduce(wide, axis=-1)
    return np.stack([low + part * (high - low) for part in shares(hue - np.floor(hue))], axis=-1).astype(x.dtype)


def _saturated(x: Any, factor: Any) -> Any:
    hsv = _hsv(x.astype(np.float32))
    saturation = np.minimum(np.maximum(hsv[..., 1] * factor, np.float32(0)), np.float32(1))
    return rgb_of(hsv[..., 0], saturation, hsv[..., 2]).astype(x.dtype)


contrast_ = kernel("adjust_contrast", "AdjustContrastv2", forward=_contrast, gradient=MISSING)
hue_ = kernel("adjust_hue", "AdjustHue", forward=_turned, gradient=MISSING)
saturation_ = kernel("adjust_saturation", "AdjustSaturation", forward=_saturated, gradient=MISSING)


def _shape_checked(op: Any, x: EagerTensor, channels: bool) -> None:
    """TensorFlow's errors for a dtype, for images of too few axes, and of other than three channels."""
    op.op.check(x._a.dtype)
    if x._a.ndim < 3:
        raise unnamed(op.op.kernel, f"input must be at least 3-D, got shape{brackets(x._a.shape)}")
    if channels and x._a.shape[-1] != 3:
        raise unnamed(op.op.kernel, f"input must have 3 channels but instead has {x._a.shape[-1]} channels.")


def _scalar(value: Any) -> EagerTensor:
    return convert_to_tensor(value, float32)


@public("image.adjust_contrast")
def adjust_contrast(images: Any, contrast_factor: Any) -> EagerTensor:
    """Each channel's distance from its mean times a factor (``tf.image.adjust_contrast``); no gradient."""
    x, wide = _floating(images)
    _shape_checked(contrast_, wide, False)
    return convert_image_dtype(contrast_(wide, _scalar(contrast_factor)), x.dtype, saturate=True)


@public("image.adjust_hue")
def adjust_hue(image: Any, delta: Any, name: str | None = None) -> EagerTensor:
    """Hues turned by ``delta``, a whole turn being 1 (``tf.image.adjust_hue``); no gradient.  ValueError beyond it."""
    if delta < -1 or delta > 1:
        raise ValueError("delta must be in the interval [-1, 1]")
    x, wide = _floating(image)
    _shape_checked(hue_, wide, True)
    return convert_image_dtype(hue_(wide, _scalar(delta)), x.dtype)


@public("image.adjust_saturation")
def adjust_saturation(image: Any, saturation_factor: Any, name: str | None = None) -> EagerTensor:
    """Saturations times a factor, at most 1 (``tf.image.adjust_saturation``); no gradient."""
    x, wide = _floating(image)
    _shape_checked(saturation_, wide, True)
    return convert_image_dtype(saturation_(wide, _scalar(saturation_factor)), x.dtype)
