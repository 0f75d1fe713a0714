"""Convolutions over channels-last tensors: conv1d, conv2d, conv3d, depthwise, separable, transposed."""

from __future__ import annotations

from typing import Any

from ..conversion import convert_to_tensor
from ..errors import UnimplementedError, invalid
from ..tensor import EagerTensor
from .declare import kernel, public
from .kernels import windows
from .kernels.windows import Slide
from .shaping import ints
from .squeezing import expand_dims, squeeze


def _declare(name: str, kernel_name: str, input_kernel: str, filter_kernel: str, parts: tuple) -> Any:
    """A convolution and its two backward kernels; the gradient of each is made of the other two."""
    whole, by_input, by_filter = parts
    back, weights = f"{name}_input", f"{name}_filter"
    kernel(
        back, input_kernel, forward=_no_dilation(input_kernel, by_input),
        gradient=(
            lambda F, g, _y, _w, dy, shape, slide: getattr(F, weights)(g, dy, shape=F.shape(_w), slide=slide),
            lambda F, g, _y, w, _dy, shape, slide: getattr(F, name)(g, w, slide=slide),
        ),
    )  # fmt: skip
    kernel(
        weights, filter_kernel, forward=_no_dilation(filter_kernel, by_filter),
        gradient=(
            lambda F, g, _y, _x, dy, shape, slide: getattr(F, back)(g, dy, shape=F.shape(_x), slide=slide),
            lambda F, g, _y, x, _dy, shape, slide: getattr(F, name)(x, g, slide=slide),
        ),
    )  # fmt: skip
    return kernel(
        name, kernel_name, forward=whole,
        gradient=(
            lambda F, dy, _y, _x, w, slide: getattr(F, back)(w, dy, shape=F.shape(_x), slide=slide),
            lambda F, dy, _y, x, _w, slide: getattr(F, weights)(x, dy, shape=F.shape(_w), slide=slide),
        ),
    )  # fmt: skip


def _no_dilation(kernel_name: str, function: Any) -> Any:
    """TensorFlow's backward kernels on the CPU do not take dilations."""

    def forward(a: Any, b: Any, shape: tuple[int, ...], slide: Slide) -> Any:
        if any(d > 1 for d in slide.dilations) and not kernel_name.startswith("Depthwise"):
            text = "Current CPU implementations do not yet support dilation rates larger than 1."
            raise invalid(kernel_name, text)
        return function(a, b, shape, slide)

    return forward


_PLAIN = (windows.convolve, windows.convolve_input, windows.convolve_filter)
_DEPTHWISE = (windows.depthwise, windows.depthwise_input, windows.depthwise_filter)
conv2d_ = _declare("conv2d", "Conv2D", "Conv2DBackpropInput", "Conv2DBackpropFilter", _PLAIN)
conv3d_ = _declare("conv3d", "Conv3D", "Conv3DBackpropInputV2", "Conv3DBackpropFilterV2", _PLAIN)
depthwise_ = _declare(
    "depthwise", "DepthwiseConv2dNative", "DepthwiseConv2dNativeBackpropInput", "DepthwiseConv2dNativeBackpropFilter",
    _DEPTHWISE,
)  # fmt: skip


def sequence(value: Any, n: int, name: str) -> tuple[int, ...]:
    """Strides, dilations or window sizes of the ``n`` spatial axes, given as 1, n or n + 2 numbers."""
    if value is None:
        return (1,) * n
    given = ints(value)
    if len(given) == n + 2:
        return given[1:-1]
    if len(given) == 1:
        return given * n
    if len(given) != n:
        raise ValueError(
            f"{name} should be of length 1, {n} or {n + 2}. Received: {name}={list(given)} of length {len(given)}"
        )
    return given


def channels_last(data_format: str | None, kernel_name: str, name: str | None = None) -> None:
    """UnimplementedError for channels first, which TensorFlow has no kernel for on the CPU."""
    if data_format is not None and data_format.startswith("NC"):
        text = f"The {kernel_name} op currently only supports the NHWC tensor format on the CPU. The op was given the "
        text = f"{text}format: {data_format}"
        message = invalid(kernel_name, text, name).message
        raise UnimplementedError(None, None, message)


def _slide(x: EagerTensor, w: EagerTensor, strides: Any, padding: Any, dilations: Any) -> Slide:
    n = x._a.ndim - 2
    size = w._a.shape[:n]
    steps, rates = sequence(strides, n, "strides"), sequence(dilations, n, "dilations")
    return Slide(size, steps, rates, windows.paddings(padding, x._a.shape[1:-1], size, steps, rates))


def _convolution(
    op: Any, x: Any, w: Any, strides: Any, padding: Any, data_format: str | None, dilations: Any, name: str | None
) -> EagerTensor:
    x, w = convert_to_tensor(x), convert_to_tensor(w)
    channels_last(data_format, op.op.kernel, name)
    op.op.check(x._a.dtype, name)
    if x._a.shape[-1] % w._a.shape[-2]:
        text = f"input depth must be evenly divisible by filter depth: {x._a.shape[-1]} vs {w._a.shape[-2]}"
        raise invalid(op.op.kernel, text, name)
    if x._a.shape[-1] != w._a.shape[-2]:
        message = invalid(op.op.kernel, "Grouped convolutions are not supported here.", name).message
        raise UnimplementedError(None, None, message)
    return op(x, w, slide=_slide(x, w, strides, padding, dilations))


@public("nn.conv2d")
def conv2d(
    input: Any, filters: Any, strides: Any, padding: Any, data_format: str = "NHWC", dilations: Any = None,
    name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """Two-dimensional convolution of (batch, rows, columns, channels) (``tf.nn.conv2d``)."""
    return _convolution(conv2d_, input, filters, strides, padding, data_format, dilations, name)


@public("nn.conv3d")
def conv3d(
    input: Any, filters: Any, strides: Any, padding: Any, data_format: str = "NDHWC", dilations: Any = None,
    name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """Three-dimensional convolution of (batch, planes, rows, columns, channels) (``tf.nn.conv3d``)."""
    return _convolution(conv3d_, input, filters, strides, padding, data_format, dilations, name)


@public("nn.conv1d")
def conv1d(
    input: Any, filters: Any, stride: Any, padding: Any, data_format: str = "NWC", dilations: Any = None,
    name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """One-dimensional convolution of (batch, width, channels), as a flat ``conv2d`` (``tf.nn.conv1d``)."""
    if data_format not in (None, "NHWC", "NWC", "NCHW", "NCW"):
        raise ValueError(f"`data_format` must be 'NWC' or 'NCW'. Received: data_format={data_format}")
    channels_last(data_format, "Conv2D", name)
    steps, rates = (1, *sequence(stride, 1, "stride")), (1, *sequence(dilations, 1, "dilations"))
    x, w = expand_dims(input, -3), expand_dims(filters, 0)
    return squeeze(_convolution(conv2d_, x, w, steps, padding, None, rates, name), [-3])


@public("nn.convolution")
def convolution(
    input: Any, filters: Any, strides: Any = None, padding: str = "VALID", data_format: str | None = None,
    dilations: Any = None, name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """A convolution of one, two or three spatial axes, according to the filter (``tf.nn.convolution``)."""
    w = convert_to_tensor(filters)
    n = w._a.ndim - 2
    if n not in (1, 2, 3):
        raise ValueError(f"`num_spatial_dims` must be 1, 2, or 3. Received: num_spatial_dims={n}.")
    function = (conv1d, conv2d, conv3d)[n - 1]
    steps = sequence(strides, n, "strides")
    return function(input, w, steps, padding, data_format, dilations, name)


@public("nn.depthwise_conv2d")
def depthwise_conv2d(
    input: Any, filter: Any, strides: Any, padding: Any, data_format: str | None = None, dilations: Any = None,
    name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """Each channel convolved with its own filters (``tf.nn.depthwise_conv2d``)."""
    return _convolution(depthwise_, input, filter, strides, padding, data_format, dilations, name)


@public("nn.separable_conv2d")
def separable_conv2d(
    input: Any, depthwise_filter: Any, pointwise_filter: Any, strides: Any, padding: Any,
    data_format: str | None = None, dilations: Any = None, name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """A depthwise convolution, then one of windows of a single element (``tf.nn.separable_conv2d``)."""
    deep = depthwise_conv2d(input, depthwise_filter, strides, padding, data_format, dilations, name)
    return conv2d(deep, pointwise_filter, 1, "VALID")


def _transposed(
    name: str, n: int, x: Any, w: Any, shape: Any, strides: Any, padding: Any, dilations: Any
) -> EagerTensor:
    from .declare import tensors

    x, w, want = convert_to_tensor(x), convert_to_tensor(w), ints(shape)
    size, steps = w._a.shape[:n], sequence(strides, n, "strides")
    rates = sequence(dilations, n, "dilations")
    slide = Slide(size, steps, rates, windows.paddings(padding, want[1:-1], size, steps, rates))
    return getattr(tensors, f"{name}_input")(w, x, shape=want, slide=slide)


@public("nn.conv2d_transpose")
def conv2d_transpose(
    input: Any, filters: Any, output_shape: Any, strides: Any, padding: Any = "SAME", data_format: str = "NHWC",
    dilations: Any = None, name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """The gradient of ``conv2d`` by its input, as an op of its own (``tf.nn.conv2d_transpose``)."""
    channels_last(data_format, "Conv2DBackpropInput", name)
    return _transposed("conv2d", 2, input, filters, output_shape, strides, padding, dilations)


@public("nn.conv3d_transpose")
def conv3d_transpose(
    input: Any, filters: Any, output_shape: Any, strides: Any, padding: Any = "SAME", data_format: str = "NDHWC",
    dilations: Any = None, name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """The gradient of ``conv3d`` by its input, as an op of its own (``tf.nn.conv3d_transpose``)."""
    channels_last(data_format, "Conv3DBackpropInputV2", name)
    return _transposed("conv3d", 3, input, filters, output_shape, strides, padding, dilations)
