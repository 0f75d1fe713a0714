"""Convolutions of ``keras.ops``, plain, depthwise, separable and transposed."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import reference_impl as tf

from ...tensors.tensor import EagerTensor
from .layouts import channels_to_first, channels_to_last, layout, per_axis, tf_layout
from .promotion import shape_of, tensor


def conv(
    inputs: Any, kernel: Any, strides: Any = 1, padding: str = "valid", data_format: Any = None, dilation_rate: Any = 1
) -> EagerTensor:
    """Products with a kernel [space..., channels, filters] moved over [batch, space..., channels].

    ValueError where nothing comes out.
    """
    x, kernel, data_format = tensor(inputs), tensor(kernel), layout(data_format)
    found = tf.nn.convolution(
        x, kernel, strides, padding.upper(), data_format=tf_layout(data_format, len(x.shape)), dilations=dilation_rate
    )
    sizes = tuple(found.shape)
    if None not in sizes and math.prod(sizes) == 0 and math.prod(tuple(x.shape)) != 0:
        raise ValueError(
            f"The convolution operation resulted in an empty output. Output shape: {found.shape}. This can happen if "
            "the input is too small for the given kernel size, strides, dilation rate, and padding mode. Please check "
            "the input shape and convolution parameters."
        )
    return found


def _check_channels(x: EagerTensor, kernel: EagerTensor, data_format: str, at: int) -> None:
    given, wanted = x.shape[-1] if data_format == "channels_last" else x.shape[1], kernel.shape[at]
    if None not in (given, wanted) and given != wanted:
        raise ValueError(
            "The number of input channels must match the kernel's input channels. Received: input "
            f"channels={given}, kernel input channels={wanted}, data_format='{data_format}'."
        )


def _padded_as_same(x: EagerTensor, kernel: tuple, strides: tuple, dilations: tuple) -> EagerTensor:
    """Zeros around [batch, rows, columns, channels] such that a stride divides what is left."""
    widths = [[0, 0]]
    for size, k, s, d in zip(shape_of(x)[1:-1], kernel, strides, dilations):
        more = tf.maximum(((size + s - 1) // s - 1) * s + (k - 1) * d + 1 - size, 0)
        widths.append([more // 2, more - more // 2])
    return tf.pad(x, [*widths, [0, 0]])


def _by_channel(
    x: EagerTensor, kernel: EagerTensor, point: EagerTensor | None, strides: Any, padding: str, data_format: str,
    dilation_rate: Any,
) -> EagerTensor:  # fmt: skip
    """A depthwise convolution, and a pointwise one behind it if there is one; with one axis of space or two."""
    space = len(x.shape) - 2
    strides, dilations = per_axis(strides, space), per_axis(dilation_rate, space)
    if data_format == "channels_first":
        x = channels_to_last(x)
    if space == 1:
        x, kernel = tf.expand_dims(x, 1), tf.expand_dims(kernel, 0)
        point = None if point is None else tf.expand_dims(point, 0)
    if max(strides) > 1 and max(dilations) > 1:  # which TensorFlow cannot do at once
        strides, dilations = ((1, *strides), (1, *dilations)) if space == 1 else (strides, dilations)
        if padding.upper() == "SAME":
            x = _padded_as_same(x, tuple(kernel.shape)[:2], strides, dilations)
        found = tf.nn.depthwise_conv2d(x, kernel, (1, 1, 1, 1), "VALID", dilations=dilations)
        found = found[:, :: strides[0], :: strides[1], :]
        found = found if point is None else tf.nn.conv2d(found, point, (1, 1, 1, 1), "VALID")
    else:
        steps = (1, *(strides * 2 if space == 1 else strides), 1)
        dilations = (1, *dilations) if space == 1 else dilations
        options = {"strides": steps, "padding": padding.upper(), "dilations": dilations}
        if point is None:
            found = tf.nn.depthwise_conv2d(x, kernel, **options)
        else:
            found = tf.nn.separable_conv2d(x, kernel, point, **options)
    found = tf.squeeze(found, [1]) if space == 1 else found
    return channels_to_first(found) if data_format == "channels_first" else found


def depthwise_conv(
    inputs: Any, kernel: Any, strides: Any = 1, padding: str = "valid", data_format: Any = None, dilation_rate: Any = 1
) -> EagerTensor:
    """Each channel with kernels of its own, [space..., channels, multiplier].  ValueError for more than two axes."""
    x, kernel, data_format = tensor(inputs), tensor(kernel), layout(data_format)
    if len(x.shape) > 4:
        raise ValueError(f"`inputs` rank must be 3 (1D conv) or 4 (2D conv). Received: {len(x.shape)}.")
    _check_channels(x, kernel, data_format, -2)
    return _by_channel(x, kernel, None, strides, padding, data_format, dilation_rate)


def separable_conv(
    inputs: Any, depthwise_kernel: Any, pointwise_kernel: Any, strides: Any = 1, padding: str = "valid",
    data_format: Any = None, dilation_rate: Any = 1,
) -> EagerTensor:  # fmt: skip
    """``depthwise_conv``, and then a kernel of size 1 over all channels.  ValueError for more than two axes."""
    x, data_format = tensor(inputs), layout(data_format)
    kernel, point = tensor(depthwise_kernel), tensor(pointwise_kernel)
    if len(x.shape) > 4:
        raise ValueError(f"`num_spatial_dims` must be 1 or 2. Received: num_spatial_dims={len(x.shape) - 2}.")
    _check_channels(x, kernel, data_format, -2)
    return _by_channel(x, kernel, point, strides, padding, data_format, dilation_rate)


def _grown(size: Any, kernel: int, stride: int, padding: str, more: int | None, dilation: int) -> Any:
    """The size of what a transposed convolution gives."""
    if padding.lower() not in ("valid", "same"):
        raise ValueError(f"The `padding` argument must be one of 'valid', 'same'. Received: padding={padding.lower()}")
    kernel = (kernel - 1) * dilation + 1
    if padding.lower() == "valid":
        return (size - 1) * stride + kernel + (max(kernel, stride) - kernel if more is None else more)
    return size * stride if more is None else (size - 1) * stride + kernel % 2 + more


def conv_transpose(
    inputs: Any, kernel: Any, strides: Any = 1, padding: str = "valid", output_padding: Any = None,
    data_format: Any = None, dilation_rate: Any = 1,
) -> EagerTensor:  # fmt: skip
    """The gradient of a convolution with a kernel [space..., filters, channels], as a function of its own."""
    x, kernel, data_format = tensor(inputs), tensor(kernel), layout(data_format)
    _check_channels(x, kernel, data_format, -1)
    rank = len(x.shape)
    space, sizes = rank - 2, shape_of(x)
    steps, rates = per_axis(strides, space), per_axis(dilation_rate, space)
    more = (None,) * space if output_padding is None else per_axis(output_padding, space)
    inner = sizes[1:-1] if data_format == "channels_last" else sizes[2:]
    grown = [_grown(*each) for each in zip(inner, kernel.shape[:-2], steps, [padding] * space, more, rates)]
    filters = kernel.shape[-2]
    shape = [sizes[0], *grown, filters] if data_format == "channels_last" else [sizes[0], filters, *grown]
    return tf.nn.conv_transpose(
        x, kernel, shape, strides, padding=padding.upper(), data_format=tf_layout(data_format, rank),
        dilations=dilation_rate,
    )  # fmt: skip


TABLE: dict[str, Callable[..., Any]] = {
    "conv": conv, "depthwise_conv": depthwise_conv, "separable_conv": separable_conv, "conv_transpose": conv_transpose,
}  # fmt: skip
