"""``keras.ops.image``: images read at other places: turned, stretched, bent, blurred."""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

import reference_impl as tf

from ...tensors.tensor import EagerTensor
from ..seeds import draw_seed
from .images import check_rank
from .layouts import channels_to_first, channels_to_last, layout
from .promotion import is_whole, result_type, tensor
from .shaping import moveaxis

_INTERPOLATIONS = ("nearest", "bilinear")
_FILL_MODES = ("constant", "nearest", "wrap", "reflect")


def _check_modes(interpolation: str, fill_mode: str = "constant") -> None:
    if interpolation not in _INTERPOLATIONS:
        raise ValueError(
            f"Invalid value for argument `interpolation`. Expected of one {_INTERPOLATIONS}. Received: "
            f"interpolation={interpolation}"
        )
    if fill_mode not in _FILL_MODES:
        raise ValueError(
            f"Invalid value for argument `fill_mode`. Expected of one {_FILL_MODES}. Received: fill_mode={fill_mode}"
        )


def _projected(x: EagerTensor, transforms: EagerTensor, data_format: Any, **how: Any) -> EagerTensor:
    """Images (or one) read where eight numbers for each say."""
    first, alone = layout(data_format) == "channels_first", len(x.shape) == 3
    x = tf.expand_dims(x, 0) if alone else x
    x = channels_to_last(x) if first else x
    found = tf.raw_ops.ImageProjectiveTransformV3(
        images=x, transforms=tf.cast(transforms, tf.float32), output_shape=tf.shape(x)[1:-1], **how
    )
    found = tf.ensure_shape(found, x.shape)
    found = channels_to_first(found) if first else found
    return tf.squeeze(found, [0]) if alone else found


def affine_transform(
    images: Any, transform: Any, interpolation: str = "bilinear", fill_mode: str = "constant", fill_value: Any = 0,
    data_format: Any = None,
) -> EagerTensor:  # fmt: skip
    """Images read where eight numbers (for all of them, or for each) say.  ValueError for modes and ranks."""
    x, transform = tensor(images), tensor(transform)
    _check_modes(interpolation, fill_mode)
    check_rank(x)
    if len(transform.shape) not in (1, 2):
        raise ValueError(
            "Invalid transform rank: expected rank 1 (single transform) or rank 2 (batch of transforms). Received "
            f"input with shape: transform.shape={transform.shape}"
        )
    transform = tf.expand_dims(transform, 0) if len(transform.shape) == 1 else transform
    return _projected(
        x, transform, data_format, fill_value=fill_value, interpolation=interpolation.upper(),
        fill_mode=fill_mode.upper(),
    )  # fmt: skip


def _check_points(start: EagerTensor, end: EagerTensor) -> None:
    for word, points in (("start_points", start), ("end_points", end)):
        if len(points.shape) not in (2, 3) or tuple(points.shape)[-2:] != (4, 2):
            raise ValueError(
                f"Invalid {word} shape: expected (4,2) for a single image or (N,4,2) for a batch. Received shape: "
                f"{points.shape}"
            )
    if start.shape != end.shape:
        raise ValueError(
            f"start_points and end_points must have the same shape. Received start_points.shape={start.shape}, "
            f"end_points.shape={end.shape}"
        )


def _homography(start: EagerTensor, end: EagerTensor) -> EagerTensor:
    """The eight numbers that take four points to four others, [batch, 8]."""
    rows, wanted = [], []
    for k in range(4):
        (a, b), (x, y) = (tf.unstack(points[:, k], axis=-1) for points in (start, end))
        one, none = tf.ones_like(x), tf.zeros_like(x)
        rows.append(tf.stack([x, y, one, none, none, none, -a * x, -a * y], -1))
        rows.append(tf.stack([none, none, none, x, y, one, -b * x, -b * y], -1))
        wanted += [a, b]
    found = tf.linalg.solve(tf.stack(rows, 1), tf.expand_dims(tf.stack(wanted, -1), -1))
    return tf.reshape(found, [-1, 8])


def perspective_transform(
    images: Any, start_points: Any, end_points: Any, interpolation: str = "bilinear", fill_value: Any = 0,
    data_format: Any = None,
) -> EagerTensor:  # fmt: skip
    """Images such that four points come to stand at four others.  ValueError for modes, ranks and shapes."""
    x = tensor(images)
    start, end = tensor(start_points, "float32"), tensor(end_points, "float32")
    _check_modes(interpolation)
    check_rank(x)
    _check_points(start, end)
    if len(start.shape) == 2:
        start, end = tf.expand_dims(start, 0), tf.expand_dims(end, 0)
    return _projected(
        x, _homography(start, end), data_format, fill_value=fill_value, interpolation=interpolation.upper()
    )


def _nearest(coordinate: EagerTensor) -> list[tuple[Any, Any]]:
    place = coordinate if coordinate.dtype.is_integer else tf.round(coordinate)
    return [(tf.cast(place, tf.int32), tf.constant(1, place.dtype))]


def _linear(coordinate: EagerTensor) -> list[tuple[Any, Any]]:
    below = tf.floor(coordinate)
    share = coordinate - below
    place = tf.cast(below, tf.int32)
    return [(place, 1 - share), (place + 1, share)]


def _within(places: EagerTensor, size: int, fill_mode: str) -> tuple[EagerTensor, EagerTensor]:
    """Places that are there for those asked, and whether those were there."""
    if fill_mode == "constant":
        valid = tf.logical_and(places >= 0, places < size)
        return tf.clip_by_value(places, 0, size - 1), valid
    if fill_mode == "nearest":
        found = tf.clip_by_value(places, 0, size - 1)
    elif fill_mode == "wrap":
        found = tf.math.floormod(places, size)
    else:
        rest = tf.math.floormod(tf.abs(places), size * 2)
        inside = rest < size
        found = tf.where(inside, rest, size * 2 - rest)
        if fill_mode == "reflect":
            found = tf.where(inside, found, found - 1)
    return found, tf.ones_like(found, dtype=tf.bool)


def map_coordinates(
    inputs: Any, coordinates: Any, order: int, fill_mode: str = "constant", fill_value: Any = 0
) -> EagerTensor:
    """What stands at ``coordinates`` [axes, places...], the nearest element (order 0) or between neighbours (order 1).

    ValueError for shapes and modes, NotImplementedError for higher orders.
    """
    x, coordinates = tensor(inputs), tensor(coordinates)
    if coordinates.shape[0] != len(x.shape):
        raise ValueError(
            "First dim of `coordinates` must be the same as the rank of `inputs`. Received inputs with shape: "
            f"{x.shape} and coordinate leading dim of {coordinates.shape[0]}"
        )
    if len(coordinates.shape) < 2:
        raise ValueError(
            f"Invalid coordinates rank: expected at least rank 2. Received input with shape: {coordinates.shape}"
        )
    if fill_mode not in (*_FILL_MODES, "mirror"):
        raise AttributeError("'set' object has no attribute 'keys'")  # what Keras raises on its way to its message
    if order not in (0, 1):
        raise NotImplementedError("map_coordinates currently requires order<=1")
    fill = tensor(fill_value, x.dtype)
    along = []
    for coordinate, size in zip(tf.unstack(coordinates, axis=0), x.shape):
        nodes = (_linear if order else _nearest)(coordinate)
        along.append([(*_within(place, size, fill_mode), weight) for place, weight in nodes])
    parts = []
    for corner in itertools.product(*along):
        places, valid, weights = zip(*corner)
        found = tf.transpose(tf.gather_nd(x, tf.transpose(tf.stack(places))))
        found = tf.cast(found, weights[0].dtype)
        if fill_mode == "constant":
            found = tf.where(tf.reduce_all(tf.stack(valid), 0), found, tf.cast(fill, weights[0].dtype))
        parts.append(functools.reduce(operator.mul, weights) * found)
    total = functools.reduce(operator.add, parts)
    return tf.cast(tf.round(total) if x.dtype.is_integer else total, x.dtype)


def gaussian_blur(
    images: Any, kernel_size: Any = (3, 3), sigma: Any = (1.0, 1.0), data_format: Any = None
) -> EagerTensor:
    """Images with each element a mean of its neighbours, weighed by their distance."""
    x = tensor(images)
    sizes, sigma = tensor(kernel_size, x.dtype), tensor(sigma, x.dtype)
    check_rank(x)
    alone, first = len(x.shape) == 3, data_format == "channels_first"
    x = tf.expand_dims(x, 0) if alone else x
    x = channels_to_last(x) if first else x

    def bell(k: int) -> EagerTensor:
        steps = tf.range(sizes[k], dtype=x.dtype) - (sizes[k] - 1) / 2
        one = tf.exp(-0.5 * (steps / sigma[k]) ** 2)
        return one / tf.reduce_sum(one)

    kernel = tf.tensordot(bell(1), bell(0), 0)
    kernel = tf.reshape(kernel, tf.concat([tf.cast(sizes, tf.int32), [1, 1]], 0))
    kernel = tf.tile(kernel, [1, 1, tf.shape(x)[-1], 1])
    found = tf.nn.depthwise_conv2d(x, kernel, strides=[1, 1, 1, 1], padding="SAME")
    found = channels_to_first(found) if first else found
    return tf.squeeze(found, [0]) if alone else found


def elastic_transform(
    images: Any, alpha: Any = 20.0, sigma: Any = 5.0, interpolation: str = "bilinear", fill_mode: str = "reflect",
    fill_value: Any = 0.0, seed: Any = None, data_format: Any = None,
) -> EagerTensor:  # fmt: skip
    """Images read at places moved by smooth random steps.  ValueError for modes and ranks."""
    data_format = layout(data_format)
    _check_modes(interpolation, fill_mode)
    x = tensor(images)
    check_rank(x)
    alpha, sigma = tensor(alpha, x.dtype), tensor(sigma, x.dtype)
    edge = tf.bitwise.bitwise_or(6 * tf.cast(sigma, "int32"), 1)
    alone = len(x.shape) == 3
    x = tf.expand_dims(x, 0) if alone else x
    axis = -1 if data_format == "channels_last" else 1
    sizes = [size for k, size in enumerate(x.shape) if k != axis % 4]
    pair = draw_seed(seed)

    def smooth_steps() -> EagerTensor:
        steps = tf.random.stateless_normal(sizes, pair, dtype=x.dtype) * sigma
        blurred = gaussian_blur(
            tf.expand_dims(steps, axis), kernel_size=(edge, edge), sigma=(sigma, sigma), data_format=data_format
        )
        return tf.squeeze(blurred, [axis])

    right, down = smooth_steps(), smooth_steps()
    columns, rows = tf.meshgrid(tf.range(sizes[2], dtype=x.dtype), tf.range(sizes[1], dtype=x.dtype), indexing="xy")
    rows, columns = rows[None] + alpha * down, columns[None] + alpha * right
    order = _INTERPOLATIONS.index(interpolation)
    channels = [
        tf.stack(
            [
                map_coordinates(channel[b], tf.stack([rows[b], columns[b]]), order, fill_mode, fill_value)
                for b in range(sizes[0])
            ]
        )
        for channel in tf.unstack(x, axis=axis)
    ]
    found = tf.stack(channels, axis)
    return tf.squeeze(found, [0]) if alone else found


def _triangle(x: EagerTensor) -> EagerTensor:
    return tf.maximum(tf.constant(0, x.dtype), 1 - tf.abs(x))


def _cubic(x: EagerTensor) -> EagerTensor:
    near = ((1.5 * x - 2.5) * x) * x + 1.0
    far = ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0
    return tf.where(x >= 2.0, 0.0, tf.where(x >= 1.0, far, near))


def _lanczos(radius: float) -> Callable[..., Any]:
    def call(x: EagerTensor) -> EagerTensor:
        above = radius * tf.sin(np.pi * x) * tf.sin(np.pi * x / radius)
        found = tf.where(x > 1e-3, tf.divide(above, tf.where(tf.not_equal(x, 0), np.pi**2 * x**2, 1)), 1)
        return tf.where(x > radius, 0.0, found)

    return call


_KERNELS = {
    **dict.fromkeys(("linear", "bilinear", "trilinear"), _triangle),
    **dict.fromkeys(("cubic", "bicubic", "tricubic"), _cubic), "lanczos3": _lanczos(3.0), "lanczos5": _lanczos(5.0),
}  # fmt: skip


def _weights(size: Any, wanted: Any, scale: Any, shift: Any, kernel: Any, antialias: bool) -> EagerTensor:
    """How much of each element along an axis (rows) each element of the result (columns) gets."""
    dtype = scale.dtype
    step = 1.0 / scale
    spread = tf.maximum(step, 1.0) if antialias else 1.0
    places = (tf.range(wanted, dtype=dtype) + 0.5) * step - shift * step - 0.5
    found = kernel(tf.abs(places[None, :] - tf.range(size, dtype=dtype)[:, None]) / spread)
    sums = tf.reduce_sum(found, 0, keepdims=True)
    enough = tf.abs(sums) > 1000.0 * float(np.finfo(np.float32).eps)
    found = tf.where(enough, tf.divide(found, tf.where(tf.not_equal(sums, 0), sums, 1)), 0)
    inside = tf.logical_and(places >= -0.5, places <= tf.cast(size, dtype) - 0.5)
    return tf.where(inside[None, :], found, 0)


def scale_and_translate(
    images: Any, output_shape: Any, scale: Any, translation: Any, spatial_dims: Any, method: str, antialias: bool = True
) -> EagerTensor:
    """A tensor stretched and moved along some axes, to a new shape.  ValueError for methods that are none."""
    if method not in _KERNELS:
        raise ValueError(
            f"Invalid value for argument `method`. Expected of one {set(_KERNELS)}. Received: method={method}"
        )
    x, scale, translation = tensor(images), tensor(scale), tensor(translation)
    dtype = result_type(scale.dtype, translation.dtype)
    scale, translation = tf.cast(scale, dtype), tf.cast(translation, dtype)
    if not len(spatial_dims):
        return x
    whole = is_whole(x.dtype.name)
    found = tf.cast(x, "float32") if whole else tf.identity(x)
    for k, axis in enumerate(spatial_dims):
        axis = axis % len(x.shape)
        size = tf.shape(x)[axis]
        weights = _weights(size, output_shape[axis], scale[k], translation[k], _KERNELS[method], antialias)
        found = moveaxis(tf.tensordot(found, tf.cast(weights, found.dtype), axes=(axis, 0)), -1, axis)
    if whole:
        # TensorFlow's op refuses bounds of another dtype, and so whole numbers, as Keras calls it
        found = tf.cast(tf.clip_by_value(tf.round(found), tf.reduce_min(x), tf.reduce_max(x)), x.dtype)
    return found


TABLE: dict[str, Callable[..., Any]] = {
    "affine_transform": affine_transform, "perspective_transform": perspective_transform,
    "map_coordinates": map_coordinates, "gaussian_blur": gaussian_blur, "elastic_transform": elastic_transform,
    "scale_and_translate": scale_and_translate,
}  # fmt: skip
