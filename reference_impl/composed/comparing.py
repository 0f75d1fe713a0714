"""How images change from pixel to pixel, and how alike two are (``tf.image``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import float32, int32, kernel_name
from ..errors import invalid
from ..ops.activations import relu
from ..ops.arithmetic import log, square, subtract
from ..ops.casting import cast
from ..ops.convolutions import depthwise_conv2d
from ..ops.declare import NAMES, public
from ..ops.elementwise import abs as absolute
from ..ops.logic import squared_difference
from ..ops.pooling import avg_pool
from ..ops.reductions import reduce_sum
from ..ops.shaping import concat, reshape, stack
from ..ops.softmax import softmax
from ..ops.statistics import reduce_mean
from ..ops.tiling import pad, tile
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, wrap
from .colour_spaces import convert_image_dtype


@public("image.image_gradients")
def image_gradients(image: Any) -> tuple[EagerTensor, EagerTensor]:
    """Differences to the pixel below and to the right, zeros at the edge (``tf.image.image_gradients``).

    ValueError unless of rank 4.
    """
    shape = image.get_shape()
    if shape.ndims != 4:
        raise ValueError(f"image_gradients expects a 4D tensor [batch_size, h, w, d], not {shape}.")
    batch, height, width, depth = shape.as_list()
    down = image[:, 1:, :, :] - image[:, :-1, :, :]
    right = image[:, :, 1:, :] - image[:, :, :-1, :]
    below = wrap(np.zeros((batch, 1, width, depth), image.dtype.numpy))
    behind = wrap(np.zeros((batch, height, 1, depth), image.dtype.numpy))
    return reshape(concat([down, below], 1), shape), reshape(concat([right, behind], 2), shape)


_SOBEL = (((-1, -2, -1), (0, 0, 0), (1, 2, 1)), ((-1, 0, 1), (-2, 0, 2), (-1, 0, 1)))


@public("image.sobel_edges")
def sobel_edges(image: Any) -> EagerTensor:
    """Smoothed differences down and to the right of a batch, in a new last axis (``tf.image.sobel_edges``)."""
    shape = tuple(image.get_shape().as_list())
    filters = np.transpose(np.array(_SOBEL), (1, 2, 0))[:, :, None]
    filters = tile(convert_to_tensor(filters.tolist(), image.dtype), [1, 1, shape[-1], 1])
    padded = pad(image, [[0, 0], [1, 1], [1, 1], [0, 0]], mode="REFLECT")
    return reshape(depthwise_conv2d(padded, filters, [1, 1, 1, 1], "VALID"), (*shape, 2))


@public("image.total_variation")
def total_variation(images: Any, name: str | None = None) -> EagerTensor:
    """The sum of absolute differences of neighbouring pixels (``tf.image.total_variation``): of one image or each.

    ValueError unless of rank 3 or 4.
    """
    rank = images.get_shape().ndims
    if rank == 3:
        down, right, axes = images[1:, :, :] - images[:-1, :, :], images[:, 1:, :] - images[:, :-1, :], None
    elif rank == 4:
        down, right = images[:, 1:, :, :] - images[:, :-1, :, :], images[:, :, 1:, :] - images[:, :, :-1, :]
        axes = [1, 2, 3]
    else:
        raise ValueError("'images' must be either 3 or 4-dimensional.")
    return reduce_sum(absolute(down), axes) + reduce_sum(absolute(right), axes)


# ------------------------------------------------------------------------------------------------------ of two images


def _comparable(first: EagerTensor, second: EagerTensor) -> None:
    """ValueError unless both have three axes, the same last three, and the others broadcast."""
    one, other = (x.shape.with_rank_at_least(3) for x in (first, second))
    one[-3:].assert_is_compatible_with(other[-3:])
    for a, b in zip(reversed(one.as_list()[:-3]), reversed(other.as_list()[:-3])):
        if a != 1 and b != 1 and a != b:
            raise ValueError(f"Two images are not compatible: {one} and {other}")
    if first.dtype != second.dtype:
        want, have = (kernel_name(x._a.dtype) for x in (first, second))
        text = (
            f"cannot compute ShapeN as input #1(zero-based) was expected to be a {want} tensor but is a {have} tensor"
        )
        raise invalid("ShapeN", text, node=False)


@public("image.psnr")
def psnr(a: Any, b: Any, max_val: Any, name: str | None = None) -> EagerTensor:
    """The peak signal-to-noise ratio of two images, in decibels (``tf.image.psnr``).  ValueError if they do not fit."""
    top = convert_image_dtype(cast(max_val, a.dtype), float32)
    a, b = convert_image_dtype(a, float32), convert_image_dtype(b, float32)
    error = reduce_mean(squared_difference(a, b), [-3, -2, -1])
    peak = 20 * log(top) / log(convert_to_tensor(10.0))
    found = subtract(peak, convert_to_tensor(np.float32(10 / np.log(10))) * log(error))
    _comparable(a, b)
    return NAMES["identity"](found)


def _bell(size: int, sigma: EagerTensor) -> EagerTensor:
    """A normalised Gaussian over a square, as a filter of one channel."""
    places = cast(NAMES["range"](size), sigma.dtype)
    places = places - cast(convert_to_tensor(size - 1), sigma.dtype) / 2.0
    g = square(places) * (-0.5 / square(sigma))
    g = reshape(g, [1, -1]) + reshape(g, [-1, 1])
    return reshape(softmax(reshape(g, [1, -1])), [size, size, 1, 1])


def _large_enough(x: EagerTensor, size: EagerTensor) -> None:
    shape = np.array(x._a.shape, np.int32)
    enough = wrap(np.bool_((shape[-3:-1] >= size._a).all()))
    NAMES["debugging.Assert"](enough, [wrap(shape), size], summarize=8)


def _smoothed(x: EagerTensor, filters: EagerTensor) -> EagerTensor:
    shape = x._a.shape
    y = depthwise_conv2d(reshape(x, (-1, *shape[-3:])), filters, [1, 1, 1, 1], "VALID")
    return reshape(y, (*shape[:-3], *y._a.shape[1:]))


def _similarity(x: EagerTensor, y: EagerTensor, smooth: Any, top: Any, k1: Any, k2: Any) -> tuple[Any, Any]:
    """How alike the luminance of two images is at each pixel, and their contrast and structure."""
    c1, c2 = (k1 * top) ** 2, (k2 * top) ** 2
    first, second = smooth(x), smooth(y)
    product = first * second * 2.0
    squares = square(first) + square(second)
    luminance = (product + c1) / (squares + c1)
    both = smooth(x * y) * 2.0
    each = smooth(square(x) + square(y))
    c2 = c2 * 1.0
    return luminance, (both - product + c2) / (each - squares + c2)


def _by_channel(
    x: EagerTensor, y: EagerTensor, top: Any, filter_size: Any, filter_sigma: Any, k1: Any, k2: Any,
    return_index_map: bool = False,
) -> tuple[EagerTensor, EagerTensor]:  # fmt: skip
    size = convert_to_tensor(filter_size, int32)
    sigma = convert_to_tensor(filter_sigma, x.dtype)
    _large_enough(x, size)
    _large_enough(y, size)
    x = NAMES["identity"](x)
    filters = tile(_bell(int(size._a), sigma), [1, 1, x._a.shape[-1], 1])
    luminance, structure = _similarity(x, y, lambda v: _smoothed(v, filters), top, k1, k2)
    if return_index_map:
        return luminance * structure, structure
    return reduce_mean(luminance * structure, [-3, -2]), reduce_mean(structure, [-3, -2])


def _pair(img1: Any, img2: Any, max_val: Any) -> tuple[EagerTensor, EagerTensor, EagerTensor]:
    """Two images that fit and the largest value, in float32 on a scale up to 1 where they were integers."""
    x, y = convert_to_tensor(img1), convert_to_tensor(img2)
    _comparable(x, y)
    x = NAMES["identity"](x)
    top = convert_image_dtype(cast(max_val, x.dtype), float32)
    return convert_image_dtype(x, float32), convert_image_dtype(y, float32), top


@public("image.ssim")
def ssim(
    img1: Any, img2: Any, max_val: Any, filter_size: Any = 11, filter_sigma: Any = 1.5, k1: Any = 0.01, k2: Any = 0.03,
    return_index_map: bool = False,
) -> EagerTensor:  # fmt: skip
    """The structural similarity of two images (``tf.image.ssim``), or a map of it; float32.

    ValueError where the images do not fit, InvalidArgumentError where they are smaller than the filter.
    """
    x, y, top = _pair(img1, img2, max_val)
    found, _ = _by_channel(x, y, top, filter_size, filter_sigma, k1, k2, return_index_map)
    return reduce_mean(found, [-1])


_SCALES = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)


def _halved(x: EagerTensor) -> EagerTensor:
    """Images of half the size, each pixel the mean of four; an odd edge is repeated before."""
    shape = x._a.shape
    flat = reshape(x, (-1, *shape[-3:]))
    if any(size % 2 for size in shape[-3:-1]):
        flat = pad(flat, [[0, 0], *([0, size % 2] for size in shape[-3:-1]), [0, 0]], mode="SYMMETRIC")
    small = avg_pool(flat, [1, 2, 2, 1], [1, 2, 2, 1], "VALID")
    return reshape(small, (*shape[:-3], *small._a.shape[1:]))


@public("image.ssim_multiscale")
def ssim_multiscale(
    img1: Any, img2: Any, max_val: Any, power_factors: Any = _SCALES, filter_size: Any = 11, filter_sigma: Any = 1.5,
    k1: Any = 0.01, k2: Any = 0.03,
) -> EagerTensor:  # fmt: skip
    """The structural similarity of two images on several scales, weighted (``tf.image.ssim_multiscale``); float32."""
    x, y, top = _pair(img1, img2, max_val)
    structures = []
    for scale in range(len(power_factors)):
        if scale:
            x, y = _halved(x), _halved(y)
        whole, structure = _by_channel(x, y, top, filter_size, filter_sigma, k1, k2)
        structures.append(relu(structure))
    parts = stack([*structures[:-1], relu(whole)], axis=-1)
    powers = NAMES["pow"](parts, power_factors)
    return reduce_mean(NAMES["reduce_prod"](powers, [-1]), [-1])
