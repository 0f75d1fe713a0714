"""``keras.ops.image``: colours, sizes, margins, patches, edges, likeness of images [(batch), rows, columns, channels].

With ``data_format="channels_first"`` channels stand before the rows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import reference_impl as tf

from ...tensors.tensor import EagerTensor
from .convolving import conv
from .layouts import channels_to_first, channels_to_last, layout
from .making import arange, saturate_cast
from .promotion import is_whole, result_type, shape_of, tensor


def check_rank(images: EagerTensor) -> None:
    """ValueError for what is neither an image nor a batch of images."""
    if len(images.shape) not in (3, 4):
        raise ValueError(
            "Invalid images rank: expected rank 3 (single image) or rank 4 (batch of images). Received input with "
            f"shape: images.shape={images.shape}"
        )


def rgb_to_grayscale(images: Any, data_format: Any = None) -> EagerTensor:
    """The brightness of colours, one channel.  ValueError for other ranks, and for other than 1 or 3 channels."""
    x = tensor(images)
    axis = -1 if layout(data_format) == "channels_last" else -3
    check_rank(x)
    if x.shape[axis] not in (1, 3):
        raise ValueError(
            "Invalid channel size: expected 3 (RGB) or 1 (Grayscale). Received input with shape: "
            f"images.shape={x.shape}"
        )
    if x.shape[axis] == 1:
        return tf.identity(x)
    wide = tf.cast(x, result_type(x.dtype, float))
    found = tf.tensordot(wide, tensor([0.2989, 0.5870, 0.1140], wide.dtype), axes=(axis, -1))
    return tf.cast(tf.expand_dims(found, axis), x.dtype)


def _colours(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(images: Any, data_format: Any = None) -> EagerTensor:
        x, first = tensor(images), layout(data_format) == "channels_first"
        check_rank(x)
        if not x.dtype.is_floating:
            raise ValueError(f"Invalid images dtype: expected float dtype. Received: images.dtype={x.dtype.name}")
        batched = len(x.shape) == 4
        found = function(channels_to_last(x, batched) if first else x)
        return channels_to_first(found, batched) if first else found

    return call


_METHODS = ("bilinear", "nearest", "lanczos3", "lanczos5", "bicubic", "area")


def _check_resize(x: EagerTensor, size: Any, method: str, crop: bool, pad: bool, fill_mode: str) -> None:
    if len(size) != 2:
        raise ValueError(f"Expected `size` to be a tuple of 2 integers. Received: size={size}")
    if size[0] <= 0 or size[1] <= 0:
        raise ValueError(f"`size` must have positive height and width. Received: size={size}")
    check_rank(x)
    if pad and crop:
        raise ValueError("Only one of `pad_to_aspect_ratio` & `crop_to_aspect_ratio` can be `True`.")
    if method not in _METHODS:
        raise ValueError(
            f"Invalid value for argument `interpolation`. Expected of one {_METHODS}. Received: interpolation={method}"
        )
    if fill_mode != "constant":
        raise ValueError(
            f"Invalid value for argument `fill_mode`. Only `'constant'` is supported. Received: fill_mode={fill_mode}"
        )


def resize(
    images: Any, size: Any, interpolation: str = "bilinear", antialias: bool = False,
    crop_to_aspect_ratio: bool = False, pad_to_aspect_ratio: bool = False, fill_mode: str = "constant",
    fill_value: float = 0.0, data_format: Any = None,
) -> EagerTensor:  # fmt: skip
    """Images of another size, in their dtype; before that cut (or padded) to the proportions of ``size`` on demand."""
    x, first = tensor(images), layout(data_format) == "channels_first"
    _check_resize(x, size, interpolation, crop_to_aspect_ratio, pad_to_aspect_ratio, fill_mode)
    batched, dtype = len(x.shape) == 4, x.dtype
    x = channels_to_last(x, batched) if first else x
    if crop_to_aspect_ratio:
        x = _cut(x, size)
    elif pad_to_aspect_ratio:
        x = _framed(x, size, fill_value)
    found = tf.image.resize(x, tuple(size), method=interpolation, antialias=antialias)
    found = channels_to_first(found, batched) if first else found
    if found.dtype is dtype:
        return found
    return saturate_cast(tf.round(found) if is_whole(dtype.name) else found, dtype.name)


def _in_proportion(x: EagerTensor, size: Any) -> tuple[Any, Any, Any, Any]:
    """Rows and columns of an image, and how many rows (and columns) its others would have in the proportions asked."""
    sizes = tf.shape(x)
    rows, columns = sizes[-3], sizes[-2]
    other_rows = tf.cast(tf.cast(columns * size[0], "float32") / size[1], "int32")
    other_columns = tf.cast(tf.cast(rows * size[1], "float32") / size[0], "int32")
    return rows, columns, other_rows, other_columns


def _half(count: Any) -> Any:
    return tf.cast(tf.cast(count, "float32") / 2, "int32")


def _cut(x: EagerTensor, size: Any) -> EagerTensor:
    rows, columns, other_rows, other_columns = _in_proportion(x, size)
    kept = [tf.maximum(tf.minimum(a, b), 1) for a, b in ((rows, other_rows), (columns, other_columns))]
    top, left = _half(rows - kept[0]), _half(columns - kept[1])
    return x[..., top : top + kept[0], left : left + kept[1], :]


def _framed(x: EagerTensor, size: Any, fill_value: Any) -> EagerTensor:
    rows, columns, other_rows, other_columns = _in_proportion(x, size)
    above, before = _half(tf.maximum(rows, other_rows) - rows), _half(tf.maximum(columns, other_columns) - columns)
    if tf.executing_eagerly() and int(above) == 0 and int(before) == 0:
        return x
    outer = [[0, 0]] * (len(x.shape) - 3)
    fill = tf.ones((), x.dtype) * fill_value
    return tf.pad(x, [*outer, [above, above], [before, before], [0, 0]], constant_values=fill)


def _check_margins(words: tuple[str, ...], values: tuple[Any, ...]) -> None:
    """Of before, behind and the size wanted, two must be given along both axes, and none negative."""
    named = dict(zip(words, values))
    for group in (words[:3], words[3:]):
        if [named[word] for word in group].count(None) != 1:
            raise ValueError(
                f"Must specify exactly two of {', '.join(group)}. Received: "
                + ", ".join(f"{word}={named[word]}" for word in group)
            )
    _check_positive(words, values)


def _check_positive(words: Any, values: Any) -> None:
    for word, value in zip(words, values):
        if value is not None and value < 0:
            raise ValueError(f"{word} must be >= 0. Received: {word}={value}")


def _sizes_of_space(x: EagerTensor, first: bool) -> tuple[Any, Any]:
    if len(x.shape) not in (3, 4):
        raise ValueError(
            "Invalid images rank: expected rank 3 (single image) or rank 4 (batch of images). Received: "
            f"images.shape={shape_of(x)}"
        )
    sizes = shape_of(x)
    return (sizes[-2], sizes[-1]) if first else (sizes[-3], sizes[-2])


def pad_images(
    images: Any, top_padding: Any = None, left_padding: Any = None, bottom_padding: Any = None,
    right_padding: Any = None, target_height: Any = None, target_width: Any = None, data_format: Any = None,
) -> EagerTensor:  # fmt: skip
    """Zeros around images.  ValueError unless two of above, below and the rows wanted are given; so for columns."""
    x, first = tensor(images), layout(data_format) == "channels_first"
    rows, columns = _sizes_of_space(x, first)
    words = ("top_padding", "bottom_padding", "target_height", "left_padding", "right_padding", "target_width")
    _check_margins(words, (top_padding, bottom_padding, target_height, left_padding, right_padding, target_width))
    top = target_height - bottom_padding - rows if top_padding is None else top_padding
    bottom = target_height - top - rows if bottom_padding is None else bottom_padding
    left = target_width - right_padding - columns if left_padding is None else left_padding
    right = target_width - left - columns if right_padding is None else right_padding
    _check_positive(("top_padding", "left_padding", "right_padding", "bottom_padding"), (top, left, right, bottom))
    widths = [[top, bottom], [left, right]]
    widths = [[0, 0], *widths] if first else [*widths, [0, 0]]
    return tf.pad(x, [[0, 0], *widths] if len(x.shape) == 4 else widths)


def crop_images(
    images: Any, top_cropping: Any = None, left_cropping: Any = None, bottom_cropping: Any = None,
    right_cropping: Any = None, target_height: Any = None, target_width: Any = None, data_format: Any = None,
) -> EagerTensor:  # fmt: skip
    """Images without margins.  ValueError unless two of above, below and the rows wanted are given; so for columns."""
    x, first = tensor(images), layout(data_format) == "channels_first"
    rows, columns = _sizes_of_space(x, first)
    words = ("top_cropping", "bottom_cropping", "target_height", "left_cropping", "right_cropping", "target_width")
    _check_margins(words, (top_cropping, bottom_cropping, target_height, left_cropping, right_cropping, target_width))
    top = rows - target_height - bottom_cropping if top_cropping is None else top_cropping
    height = rows - bottom_cropping - top if target_height is None else target_height
    left = columns - target_width - right_cropping if left_cropping is None else left_cropping
    width = columns - right_cropping - left if target_width is None else target_width
    _check_positive(("top_cropping", "target_height", "left_cropping", "target_width"), (top, height, left, width))
    sizes = shape_of(x)
    starts, counts = [top, left], [height, width]
    starts = [0, *starts] if first else [*starts, 0]
    counts = [sizes[-3], *counts] if first else [*counts, sizes[-1]]
    return tf.slice(x, [0, *starts], [sizes[0], *counts]) if len(sizes) == 4 else tf.slice(x, starts, counts)


def extract_patches(
    images: Any, size: Any, strides: Any = None, dilation_rate: Any = 1, padding: str = "valid", data_format: Any = None
) -> EagerTensor:
    """Blocks of images (of volumes, for three sizes) as channels.  TypeError and ValueError for sizes that are none."""
    if not isinstance(size, int):
        if not isinstance(size, (tuple, list)):
            raise TypeError(
                f"Invalid `size` argument. Expected an int or a tuple. Received: size={size} of type "
                f"{type(size).__name__}"
            )
        if len(size) not in (2, 3):
            raise ValueError(
                f"Invalid `size` argument. Expected a tuple of length 2 or 3. Received: size={size} with length "
                f"{len(size)}"
            )
    sizes = (size, size) if isinstance(size, int) else tuple(size)
    return _patches(tensor(images), sizes, strides or size, dilation_rate, padding, data_format)


def extract_patches_3d(
    volumes: Any, size: Any, strides: Any = None, dilation_rate: Any = 1, padding: str = "valid",
    data_format: Any = None,
) -> EagerTensor:  # fmt: skip
    """Blocks of volumes as channels.  TypeError and ValueError for sizes and strides that are none."""
    sizes = (size,) * 3 if isinstance(size, int) else size
    if len(sizes) != 3:
        raise TypeError(f"Invalid `size` argument. Expected an int or a tuple of length 3. Received: size={size}")
    strides = sizes if strides is None else (strides,) * 3 if isinstance(strides, int) else strides
    if len(strides) != 3:
        raise ValueError(f"Invalid `strides` argument. Got: {strides}")
    return _patches(tensor(volumes), tuple(sizes), strides, dilation_rate, padding, data_format)


def _patches(
    x: EagerTensor, size: tuple, strides: Any, dilation_rate: Any, padding: str, data_format: Any
) -> EagerTensor:
    """A convolution whose kernel takes each element of a block to a channel of its own."""
    space = len(size)
    channels = x.shape[-1] if layout(data_format) == "channels_last" else x.shape[-1 - space]
    count = channels
    for edge in size:
        count *= edge
    kernel = tf.reshape(tf.eye(count, dtype=x.dtype), [*size, channels, count])
    alone = len(x.shape) == space + 1
    found = conv(tf.expand_dims(x, 0) if alone else x, kernel, strides, padding, data_format, dilation_rate)
    return tf.squeeze(found, [0]) if alone else found


def sobel_edges(images: Any, data_format: Any = None) -> EagerTensor:
    """How much brightness grows down and to the right, as a last axis of 2."""
    x, first = tensor(images), layout(data_format) == "channels_first"
    found = tf.image.sobel_edges(channels_to_last(x) if first else x)
    return tf.transpose(found, [0, 3, 1, 2, 4]) if first else found


def _bell(size: int, sigma: float, dtype: str) -> EagerTensor:
    x = arange(size, dtype=dtype) - (size - 1) / 2.0
    one = tf.exp(-(x**2) / (2.0 * sigma**2))
    one = one / tf.reduce_sum(one)
    return tf.reshape(one, [-1, 1]) * one


def ssim(
    image1: Any, image2: Any, max_val: float = 1.0, filter_size: int = 11, filter_sigma: float = 1.5, k1: float = 0.01,
    k2: float = 0.03, data_format: Any = None,
) -> EagerTensor:  # fmt: skip
    """How like two images are in structure, 1 for the same (Wang, Bovik, Sheikh and Simoncelli, 2004)."""
    a, b = tensor(image1), tensor(image2)
    dtype, wide = a.dtype, result_type(a.dtype, float)
    for word, x in (("image1", a), ("image2", b)):
        if len(x.shape) not in (3, 4):
            raise ValueError(
                f"Invalid {word} rank: expected rank 3 (single image) or rank 4 (batch of images). Received input "
                f"with shape: {word}.shape={x.shape}"
            )
    alone = len(a.shape) == 3
    a, b = (tf.expand_dims(tf.cast(x, wide), 0) if alone else tf.cast(x, wide) for x in (a, b))
    if layout(data_format) == "channels_first":
        a, b = channels_to_last(a), channels_to_last(b)
    batch, rows, columns, channels = shape_of(a)
    a, b = (tf.reshape(tf.transpose(x, [0, 3, 1, 2]), [-1, rows, columns, 1]) for x in (a, b))
    kernel = tf.reshape(_bell(filter_size, filter_sigma, wide), [filter_size, filter_size, 1, 1])
    mean_a, mean_b = conv(a, kernel), conv(b, kernel)
    var_a, var_b = conv(a * a, kernel) - mean_a * mean_a, conv(b * b, kernel) - mean_b * mean_b
    both = conv(a * b, kernel) - mean_a * mean_b
    c1, c2 = (k1 * max_val) ** 2, (k2 * max_val) ** 2
    above = (2.0 * mean_a * mean_b + c1) * (2.0 * both + c2)
    below = (mean_a * mean_a + mean_b * mean_b + c1) * (var_a + var_b + c2)
    each = tf.reshape(tf.reduce_mean(above / below, [1, 2, 3]), [batch, channels])
    found = tf.reduce_mean(each, -1)
    return tf.cast(tf.squeeze(found, [0]) if alone else found, dtype)


TABLE: dict[str, Callable[..., Any]] = {
    "rgb_to_grayscale": rgb_to_grayscale, "rgb_to_hsv": _colours(tf.image.rgb_to_hsv),
    "hsv_to_rgb": _colours(tf.image.hsv_to_rgb), "resize": resize, "pad_images": pad_images,
    "crop_images": crop_images, "extract_patches": extract_patches, "extract_patches_3d": extract_patches_3d,
    "sobel_edges": sobel_edges, "ssim": ssim,
}  # fmt: skip
