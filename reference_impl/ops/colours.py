"""Colours of images: from red, green and blue to hue, saturation and value."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import FailedPreconditionError, invalid
from ..tensors.conversion import convert_to_tensor
from ..tensors.slices import IndexedSlices
from ..tensors.tensor import EagerTensor
from .declare import kernel, public


def _hsv(x: Any) -> Any:
    red, green, blue = (x[..., k] for k in range(3))
    value = np.maximum(np.maximum(red, green), blue)
    spread = value - np.minimum(np.minimum(red, green), blue)
    zero = np.zeros_like(value)
    saturation = np.where(value > 0, spread / value, zero)
    unit = (1 / spread) * x.dtype.type(1 / 6)
    third, second = unit * (red - green) + x.dtype.type(4 / 6), unit * (blue - red) + x.dtype.type(2 / 6)
    hue = np.where(red == value, unit * (green - blue), np.where(green == value, second, third))
    hue = np.where(spread > 0, hue, zero)
    return np.stack([np.where(hue < 0, hue + 1, hue), saturation, value], axis=-1)


def _inverse(F: Any, x: Any) -> Any:
    """1 / x, 0 where x is 0."""
    return F.div_no_nan(F.ones_like(x), x)


def _masks(F: Any, colours: list) -> tuple[list, list, list]:
    """For each colour 1 where it is the largest, the smallest, positive: of equal ones, as TensorFlow takes them."""
    r, g, b = colours
    number = lambda truth: F.cast(truth, dtype=F.dtype(r))
    both = lambda p, q: number(F.logical_and(p, q))
    largest = [
        both(F.greater_equal(r, b), F.greater_equal(r, g)),
        both(F.greater(g, r), F.greater_equal(g, b)),
        both(F.greater(b, r), F.greater(b, g)),
    ]
    smallest = [
        both(F.less(r, b), F.less(r, g)),
        both(F.less_equal(g, r), F.less(g, b)),
        both(F.less_equal(b, r), F.less_equal(b, g)),
    ]
    return largest, smallest, [number(F.greater(c, F.zeros_like(c))) for c in colours]


def _by_saturation(F: Any, k: int, colours: list, masks: tuple) -> Any:
    """The slope of the saturation by the k-th colour."""
    largest, smallest, positive = masks
    others = [n for n in range(3) if n != k]
    least = smallest[others[0]] * colours[others[0]] + smallest[others[1]] * colours[others[1]]
    most = largest[others[0]] * colours[others[0]] + largest[others[1]] * colours[others[1]]
    falling = smallest[k] * -1.0 * _inverse(F, most)
    return positive[k] * (largest[k] * least * _inverse(F, F.square(colours[k])) + falling)


def _by_hue(F: Any, k: int, colours: list, masks: tuple, saturation: Any, value: Any) -> Any:
    """The slope of the hue by the k-th colour, from degrees: it depends on which colour is largest and smallest."""
    largest, smallest, positive = masks
    after, before = (k + 1) % 3, (k + 2) % 3
    own, nearer, farther = colours[k], colours[after], colours[before]
    seen = [positive[n] * largest[n] for n in range(3)]
    parts = [
        seen[k] * -1.0 * (nearer - farther) * _inverse(F, F.square(saturation)) * _inverse(F, F.square(value)),
        seen[after] * smallest[k] * (farther - nearer) * _inverse(F, F.square(own - nearer)),
        seen[after] * smallest[before] * -1.0 * _inverse(F, nearer - farther),
        seen[before] * smallest[k] * (farther - nearer) * _inverse(F, F.square(farther - own)),
        seen[before] * smallest[after] * _inverse(F, farther - nearer),
    ]
    degrees = parts[0] * 60.0
    for part in parts[1:]:
        degrees = degrees + part * 60.0
    return degrees / 360.0


def _gradient(F: Any, dy: Any, y: Any, x: Any) -> Any:
    if type(dy) is IndexedSlices:
        raise TypeError("'IndexedSlices' object is not subscriptable")
    channel = lambda v, k: F.strided_slice(v, index=(Ellipsis, k))
    colours = [channel(x, k) for k in range(3)]
    saturation, value = channel(y, 1), channel(y, 2)
    masks = _masks(F, colours)
    hues = [channel(dy, 0) * _by_hue(F, k, colours, masks, saturation, value) for k in range(3)]
    saturations = [channel(dy, 1) * _by_saturation(F, k, colours, masks) for k in range(3)]
    values = [channel(dy, 2) * masks[0][k] for k in range(3)]
    by_value, by_saturation, by_hue = (F.stack(*parts, axis=-1) for parts in (values, saturations, hues))
    return by_value + by_saturation + by_hue


rgb_to_hsv_ = kernel("rgb_to_hsv", "RGBToHSV", sparse=True, forward=_hsv, gradient=_gradient)


def three_channels(op: Any, images: Any, name: str | None) -> EagerTensor:
    """Images as a tensor.  InvalidArgumentError for a scalar, FailedPreconditionError for other than three channels."""
    x, kernel_name = convert_to_tensor(images), op.op.kernel
    op.op.check(x._a.dtype, name)
    if not x._a.ndim:
        raise invalid(kernel_name, "input must be at least 1D[]", name)
    if x._a.shape[-1] != 3:
        text = f"input must have 3 channels but input only has {x._a.shape[-1]} channels."
        raise FailedPreconditionError(None, None, invalid(kernel_name, text, name).message)
    return x


@public("image.rgb_to_hsv")
def rgb_to_hsv(images: Any, name: str | None = None) -> EagerTensor:
    """Hue, saturation and value of colours in the last axis (``tf.image.rgb_to_hsv``), each in [0, 1].

    InvalidArgumentError for a scalar, FailedPreconditionError for other than three channels.
    """
    return rgb_to_hsv_(three_channels(rgb_to_hsv_, images, name))
