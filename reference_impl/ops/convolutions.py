"""Convolutions over channels-last tensors: conv1d, conv2d, conv3d, depthwise, separable, transposed."""

from __future__ import annotations

from typing import Any

from ..errors import UnimplementedError, invalid
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .declare import kernel, public
from .kernels import windows
from .kernels.windows import Slide
from .shaping import ints
from .squeezing import expand_dims, squeeze


def _declare(name: str, kernel_name: str, input_kernel: str, filter_kernel: str, parts: tuple) -> Any:
    """A convolution and its two backward kernels; the gradient of each is made of the other two."""
    whole, by_input, by_filter = parts
    back, weights = f"{name}_input", f"{name}_filter"

    def possible(F: Any, w: Any, shape: tuple[int, ...], slide: Slide) -> None:
        """TensorFlow computes both gradients whichever is asked for, so both fail where the one by the input does."""
        _check_backward(input_kernel, F.shape(w), shape, slide)

    def by_weights(F: Any, dy: Any, _y: Any, x: Any, _w: Any, slide: Slide) -> Any:
        if kernel_name == "Conv3D":
            windows.named(slide)
        possible(F, _w, F.shape(x), slide)
        return getattr(F, weights)(x, dy, shape=F.shape(_w), slide=slide)

    def whole_by_input(F: Any, dy: Any, _y: Any, _x: Any, w: Any, slide: Slide) -> Any:
        if kernel_name == "Conv3D":
            windows.named(slide)
        return getattr(F, back)(w, dy, shape=F.shape(_x), slide=slide)

    def again(function: str, F: Any, first: Any, second: Any, **attributes: Any) -> Any:
        if not making_tangents():  # there, these ops are in a graph, where the default data format is known
            windows.named(attributes["slide"])
        return getattr(F, function)(first, second, **attributes)

    kernel(
        back, input_kernel, forward=_checked(input_kernel, by_input),
        gradient=(
            lambda F, g, _y, _w, dy, shape, slide: again(weights, F, g, dy, shape=F.shape(_w), slide=slide),
            lambda F, g, _y, w, _dy, shape, slide: again(name, F, g, w, slide=slide),
        ),
    )  # fmt: skip
    kernel(
        weights, filter_kernel, forward=_no_dilation(filter_kernel, by_filter),
        gradient=(
            lambda F, g, _y, _x, dy, shape, slide: again(back, F, g, dy, shape=F.shape(_x), slide=slide),
            lambda F, g, _y, x, _dy, shape, slide: again(name, F, x, g, slide=slide),
        ),
    )  # fmt: skip
    return kernel(name, kernel_name, forward=whole, gradient=(whole_by_input, by_weights))


def _check_backward(kernel_name: str, w_shape: tuple[int, ...], shape: tuple[int, ...], slide: Slide) -> None:
    """TensorFlow's backward kernels on the CPU take neither dilations nor groups; where tangents are made none runs."""
    if kernel_name.startswith("Depthwise") or making_tangents():
        return
    if any(d > 1 for d in slide.dilations):
        raise invalid(kernel_name, "Current CPU implementations do not yet support dilation rates larger than 1.")
    if shape[-1] != w_shape[-2]:
        text = "Gradients for grouped convolutions are not supported on CPU. Please file a feature request if you run "
        text = f"{text}into this issue. Computed input depth {shape[-1]} doesn't match filter input depth {w_shape[-2]}"
        raise invalid(kernel_name, text)


def _checked(kernel_name: str, function: Any) -> Any:
    def forward(w: Any, dy: Any, shape: tuple[int, ...], slide: Slide) -> Any:
        _check_backward(kernel_name, w.shape, shape, slide)
        return function(w, dy, shape, slide)

    return forward


def _no_dilation(kernel_name: str, function: Any) -> Any:
    def forward(x: Any, dy: Any, shape: tuple[int, ...], slide: Slide) -> Any:
        _check_backward(kernel_name, (*x.shape[-1:], 0), x.shape, slide)
        return function(x, dy, shape, slide)

    return forward


_PLAIN = (windows.grouped, windows.grouped_input, windows.grouped_filter)
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
    _check_channels(op.op.kernel, x._a.shape[-1], w._a.shape, name)
    return op(x, w, slide=_slide(x, w, strides, padding, dilations))


def _check_channels(kernel_name: str, depth: int, w_shape: tuple[int, ...], name: str | None) -> None:
    inner, outputs = w_shape[-2:]
    if kernel_name == "DepthwiseConv2dNative" and depth != inner:
        raise invalid(kernel_name, f"input and filter must have the same depth: {depth} vs {inner}", name)
    if kernel_name == "Conv3D" and depth != inner:
        text = f"Number of channels in filter ({inner}) must match last dimension of input ({depth})"
        raise invalid(kernel_name, text, name)
    if depth % inner:
        text = f"input depth must be evenly divisible by filter depth: {depth} vs {inner}"
        raise invalid(kernel_name, text, name)
    if outputs % (depth // inner):
        text = f"output depth must be evenly divisible by number of groups: {outputs} vs {depth // inner}"
        raise invalid(kernel_name, text, name)


def making_tangents() -> bool:
    """True where TensorFlow would be tracing a function that makes tangents."""
    from ..forward.tangents import making_tangents as asked

    return asked()


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
    if dilations is not None and any(d > 1 for d in ints(dilations)):
        text = "CPU implementation of Conv3D currently only supports dilated rates of 1."
        raise invalid("Conv3D", text, name)
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
    """A convolution of one, two or three spatial axes, according to the filter (``tf.nn.convolution``).

    Dilated ones are convolutions of blocks moved into the batch, as in TensorFlow, and so have a gradient.
    """
    x, w = convert_to_tensor(input), convert_to_tensor(filters)
    n = w._a.ndim - 2
    if n not in (1, 2, 3):
        raise ValueError(f"`num_spatial_dims` must be 1, 2, or 3. Received: num_spatial_dims={n}.")
    steps, rates = sequence(strides, n, "strides"), sequence(dilations, n, "dilations")
    function = (_line, conv2d_, conv3d_)[n - 1]
    if any(r > 1 for r in rates):
        return _in_blocks(function, x, w, steps, padding, rates)
    if n == 1:
        return conv1d(x, w, steps, padding, data_format or "NWC", None, name)
    channels_last(data_format, function.op.kernel, name)
    function.op.check(x._a.dtype, name)
    _check_channels(function.op.kernel, x._a.shape[-1], w._a.shape, name)
    return function(x, w, slide=_slide(x, w, steps, padding, None)._replace(unnamed=data_format is None))


def _line(x: EagerTensor, w: EagerTensor, slide: Slide) -> EagerTensor:
    return conv1d(x, w, 1, "VALID")


def _in_blocks(
    function: Any, x: EagerTensor, w: EagerTensor, steps: Any, padding: Any, rates: tuple[int, ...]
) -> EagerTensor:
    """A dilated convolution: every ``rate``-th element moved into the batch, convolved, and moved back."""
    from .blocks import batch_to_space, space_to_batch

    if any(s > 1 for s in steps):
        text = "`strides > 1` not supported in conjunction with `dilation_rate > 1`. Received: strides="
        raise ValueError(f"{text}{list(steps)} and dilation_rate={list(rates)}")
    n, space = len(rates), x._a.shape[1:-1]
    size = w._a.shape[:n]
    totals = [r * (k - 1) if padding == "SAME" else 0 for r, k in zip(rates, size)]
    base = [(t // 2, t - t // 2) for t in totals]
    extra = [-(d + a + b) % r for d, (a, b), r in zip(space, base, rates)]
    pads = [[a, b + e] for (a, b), e in zip(base, extra)]
    y = function(space_to_batch(x, list(rates), pads), w, slide=Slide(size, (1,) * n, (1,) * n, ((0, 0),) * n))
    return batch_to_space(y, list(rates), [[0, e] for e in extra])


@public("nn.atrous_conv2d")
def atrous_conv2d(value: Any, filters: Any, rate: int, padding: str, name: str | None = None) -> EagerTensor:
    """A dilated convolution of two axes (``tf.nn.atrous_conv2d``)."""
    if rate == 1:
        return conv2d(value, filters, 1, padding)
    return convolution(value, filters, None, padding, None, [rate, rate], name)


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


@public("nn.conv1d_transpose")
def conv1d_transpose(
    input: Any, filters: Any, output_shape: Any, strides: Any, padding: Any = "SAME", data_format: str = "NWC",
    dilations: Any = None, name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """The gradient of ``conv1d`` by its input, as an op of its own (``tf.nn.conv1d_transpose``)."""
    channels_last(data_format, "Conv2DBackpropInput", name)
    shape, steps = ints(output_shape), (1, *sequence(strides, 1, "strides"))
    rates = (1, *sequence(dilations, 1, "dilations"))
    x, w = expand_dims(input, 1), expand_dims(filters, 0)
    return squeeze(_transposed("conv2d", 2, x, w, (shape[0], 1, *shape[1:]), steps, padding, rates), [1])


@public("nn.conv_transpose")
def conv_transpose(
    input: Any, filters: Any, output_shape: Any, strides: Any, padding: str = "SAME", data_format: str | None = None,
    dilations: Any = None, name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """A transposed convolution of one, two or three spatial axes (``tf.nn.conv_transpose``)."""
    n = len(ints(output_shape)) - 2
    if n not in (1, 2, 3):
        text = "`output_shape` must be of length 3, 4 or 5. Received: output_shape"
        raise ValueError(f"{text}={output_shape} of length {n + 2}.")
    function = (conv1d_transpose, conv2d_transpose, conv3d_transpose)[n - 1]
    return function(input, filters, output_shape, strides, padding, data_format, dilations, name)


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
