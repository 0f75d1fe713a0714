"""Convolutions over channels-last tensors: conv1d, conv2d, conv3d, depthwise, separable, transposed."""

from __future__ import annotations

from typing import Any

from ..errors import UnimplementedError, invalid
from ..tensors.conversion import convert_to_tensor
from ..tensors.slices import IndexedSlices
from ..tensors.tensor import EagerTensor
from .arguments import check, taken
from .declare import kernel, public
from .kernels import windows
from .kernels.refusals import refuse
from .kernels.window_checks import check_convolution, check_depthwise_transposed, check_filter, check_transposed
from .kernels.windows import Slide
from .shaping import ints, reshape
from .squeezing import expand_dims, squeeze


def _declare(name: str, kernel_name: str, input_kernel: str, filter_kernel: str, parts: tuple) -> Any:
    """A convolution and its two backward kernels; the gradient of each is made of the other two."""
    whole, by_input, by_filter = parts
    back, weights = f"{name}_input", f"{name}_filter"

    fits = _fitting(input_kernel)

    def possible(F: Any, w: Any, dy: Any, shape: tuple[int, ...], slide: Slide) -> None:
        """TensorFlow computes both gradients whichever is asked for, so both fail where the one by the input does."""
        if F.recording and type(dy) is EagerTensor:
            check(input_kernel, filter=w, out_backprop=dy)
            fits(w, dy._a, shape, slide)
        _check_backward(input_kernel, F.shape(w), shape, slide)

    def by_weights(F: Any, dy: Any, _y: Any, x: Any, _w: Any, slide: Slide) -> Any:
        if kernel_name == "Conv3D":
            windows.named(slide)
        upstream = F.dense(dy)
        possible(F, _w, upstream, F.shape(x), slide)
        return getattr(F, weights)(x, upstream, shape=F.shape(_w), slide=_told(dy, slide))

    def whole_by_input(F: Any, dy: Any, _y: Any, _x: Any, w: Any, slide: Slide) -> Any:
        if kernel_name == "Conv3D":
            windows.named(slide)
        return getattr(F, back)(w, F.dense(dy), shape=F.shape(_x), slide=_told(dy, slide))

    def after(F: Any, g: Any, w: Any, dy: Any, slide: Slide) -> None:
        """TensorFlow computes the gradient by the filter first, whichever is asked for."""
        if F.recording and type(g) is EagerTensor:
            check(filter_kernel, input=g, out_backprop=dy)
            _check_filter(filter_kernel, g._a, dy, F.shape(w), slide)

    def again(function: str, F: Any, first: Any, second: Any, **attributes: Any) -> Any:
        if not making_tangents():  # there, these ops are in a graph, where the default data format is known
            windows.named(attributes["slide"])
        return getattr(F, function)(first, second, **attributes)

    kernel(
        back, input_kernel, forward=_checked(input_kernel, by_input), inputs="filter out_backprop", fits=fits,
        gradient=(
            lambda F, g, _y, _w, dy, shape, slide: again(weights, F, g, dy, shape=F.shape(_w), slide=slide),
            lambda F, g, _y, w, _dy, shape, slide: after(F, g, w, _dy, slide) or again(name, F, g, w, slide=slide),
        ),
    )  # fmt: skip
    kernel(
        weights, filter_kernel, forward=_no_dilation(filter_kernel, by_filter), inputs="input out_backprop",
        fits=lambda x, dy, shape, slide: _check_filter(filter_kernel, x, dy, shape, slide),
        gradient=(
            lambda F, g, _y, _x, dy, shape, slide: again(back, F, g, dy, shape=F.shape(_x), slide=slide),
            lambda F, g, _y, x, _dy, shape, slide: again(name, F, x, g, slide=slide),
        ),
    )  # fmt: skip
    return kernel(name, kernel_name, sparse=True, forward=whole, gradient=(whole_by_input, by_weights))


def _told(dy: Any, slide: Slide) -> Slide:
    """The attributes of a gradient: where slices come as upstream, TensorFlow's slower call fills in defaults."""
    return slide._replace(unnamed=False) if type(dy) is IndexedSlices else slide


def _fitting(input_kernel: str) -> Any:
    """The check of the shapes of a backward kernel by the input, as it runs on what an upstream made."""
    depthwise = input_kernel.startswith("Depthwise")

    def fits(w: Any, dy: Any, shape: tuple[int, ...], slide: Slide) -> None:
        dilated = any(d > 1 for d in slide.dilations)
        if making_tangents() or dilated:
            return
        steps = (1, *slide.strides, 1)
        if depthwise:
            check_depthwise_transposed(input_kernel, shape, w.shape, dy.shape, steps, slide.pads)
        else:
            pads = ((0, 0), *slide.pads, (0, 0))
            check_transposed(input_kernel, shape, w.shape, dy.shape, steps, (1,) * len(steps), pads)

    return fits


def _check_filter(kernel_name: str, x: Any, dy: Any, shape: tuple[int, ...], slide: Slide) -> None:
    """What the backward kernel by the filter asks of the shapes that a wrong upstream has, of two axes."""
    if kernel_name == "Conv2DBackpropFilter" and not making_tangents() and all(d == 1 for d in slide.dilations):
        check_filter(kernel_name, shape, x.shape, dy.shape, (1, *slide.strides, 1), slide.pads)


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


def of_all_axes(value: Any, n: int, name: str) -> tuple[int, ...]:
    """Strides, dilations or window sizes of all axes, given as 1, n or n + 2 numbers of the ``n`` spatial ones."""
    if value is None:
        return (1,) * (n + 2)
    given = (int(value),) if type(value) is float else ints(value)  # an attribute is cut off to a whole number
    if len(given) == n + 2:
        return given
    if len(given) not in (1, n):
        raise ValueError(
            f"{name} should be of length 1, {n} or {n + 2}. Received: {name}={list(given)} of length {len(given)}"
        )
    return (1, *(given * n if len(given) == 1 else given), 1)


def sequence(value: Any, n: int, name: str) -> tuple[int, ...]:
    """As ``of_all_axes``, for the spatial axes alone."""
    return of_all_axes(value, n, name)[1:-1]


def padding_word(padding: Any, n: int) -> Any:
    """The attribute for a padding that may be a list of pairs: "EXPLICIT" for one.  ValueError for a wrong list."""
    if isinstance(padding, (list, tuple)):
        if len(padding) != n + 2:
            text = f"When `padding` is a list, it must be of size {n + 2}. Received: padding={padding}"
            raise ValueError(f"{text} of size {len(padding)}")
        for k, pair in enumerate(padding):
            if not isinstance(pair, (list, tuple)) or len(pair) != 2:
                text = "When `padding` is a list, each element of `padding` must be a list/tuple of size 2. Received: "
                raise ValueError(f"{text}padding={padding} with element at index {k} of size {len(ints(pair))}")
        return "EXPLICIT"
    if padding == "EXPLICIT":
        text = "'EXPLICIT' is not a valid value for `padding`. To use explicit padding, `padding` must be a list."
        raise ValueError(text)
    return padding


def channels_last(data_format: str | None, kernel_name: str, name: str | None = None) -> None:
    """UnimplementedError for channels first, which TensorFlow has no kernel for on the CPU."""
    if data_format is not None and data_format.startswith("NC"):
        text = f"The {kernel_name} op currently only supports the NHWC tensor format on the CPU. The op was given the "
        text = f"{text}format: {data_format}"
        message = invalid(kernel_name, text, name).message
        raise UnimplementedError(None, None, message)


def _convolution(
    op: Any, x: Any, w: Any, strides: Any, padding: Any, data_format: str | None, dilations: Any, name: str | None,
    unnamed: bool = False,
) -> EagerTensor:  # fmt: skip
    """A convolution with strides and dilations of all axes."""
    kernel_name = op.op.kernel
    rank = 5 if kernel_name == "Conv3D" else 4
    word = padding if rank == 5 else padding_word(padding, 2)
    x, w = taken(
        kernel_name, name, input=x, filter=w, strides=strides, padding=word, data_format=data_format,
        dilations=dilations,
    )  # fmt: skip
    channels_last(data_format, kernel_name, name)
    if x._a.ndim > rank and op is not depthwise_:
        before, inner = x._a.shape[: 1 - rank], x._a.shape[1 - rank :]
        y = _convolution(op, reshape(x, (-1, *inner)), w, strides, padding, data_format, dilations, name)
        return reshape(y, (*before, *y._a.shape[1:]))
    steps, rates = ints(strides or ()), (1,) * rank if dilations is None else ints(dilations)
    check_convolution(kernel_name, x._a.shape, w._a.shape, steps, rates, padding, name)
    if rank == 5 and any(d > 1 for d in rates):
        text = "CPU implementation of Conv3D currently only supports dilated rates of 1."
        raise invalid("Conv3D", text, name)
    slide = _slide(x._a.shape, w._a.shape, steps[1:-1], padding, rates[1:-1])
    return op(x, w, slide=slide._replace(unnamed=unnamed))


def _slide(shape: tuple[int, ...], w: tuple[int, ...], steps: tuple, padding: Any, rates: tuple) -> Slide:
    size = w[:-2]
    return windows.sliding(padding, shape[1:-1], size, steps, rates)


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
    steps, rates = of_all_axes(strides, 2, "strides"), of_all_axes(dilations, 2, "dilations")
    return _convolution(conv2d_, input, filters, steps, padding, data_format, rates, name)


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
    steps, rates = (1, *of_all_axes(stride, 1, "stride")), (1, *of_all_axes(dilations, 1, "dilations"))
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
    steps, rates = of_all_axes(strides, n, "strides"), sequence(dilations, n, "dilations")
    if any(r > 1 for r in rates):
        rank = x._a.ndim
        if rank < n + 2:
            text = "`input.shape.rank` must be >= than `num_spatial_dims + 2`. Received: input.shape="
            raise ValueError(f"{text}{x.shape} of rank {rank} and num_spatial_dims={n}")
        return _in_blocks(x, w, steps[1:-1], padding, rates)
    if n == 1:
        return conv1d(x, w, steps, padding, data_format or "NWC", None, name)
    whole = (1, *rates, 1)
    function = (conv2d_, conv3d_)[n - 2]
    return _convolution(function, x, w, steps, padding, data_format, whole, name, data_format is None)


def _in_blocks(x: EagerTensor, w: EagerTensor, steps: Any, padding: Any, rates: tuple[int, ...]) -> EagerTensor:
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
    word, ones = "VALID" if padding == "SAME" else padding, (1,) * (n + 2)
    blocks = space_to_batch(x, list(rates), pads)
    if n == 1:
        y = conv1d(blocks, w, 1, word)
    else:
        y = _convolution((conv2d_, conv3d_)[n - 2], blocks, w, ones, word, None, ones, None)
    return batch_to_space(y, list(rates), [[0, e] for e in extra])


@public("nn.atrous_conv2d")
def atrous_conv2d(value: Any, filters: Any, rate: int, padding: str, name: str | None = None) -> EagerTensor:
    """A dilated convolution of two axes (``tf.nn.atrous_conv2d``)."""
    if rate <= 0:
        raise ValueError(f"all values of `dilation_rate` must be positive. Received: dilation_rate=[{rate} {rate}]")
    return convolution(value, filters, None, padding, "NHWC", [rate, rate], name)


@public("nn.depthwise_conv2d")
def depthwise_conv2d(
    input: Any, filter: Any, strides: Any, padding: Any, data_format: str | None = None, dilations: Any = None,
    name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """Each channel convolved with its own filters (``tf.nn.depthwise_conv2d``)."""
    rates = of_all_axes(dilations, 2, "dilations")
    if min(rates) <= 0:
        raise ValueError(f"`dilation_rate` must be positive. Received: dilation_rate={list(rates[1:-1])}")
    return _convolution(depthwise_, input, filter, strides, padding, data_format, rates, name)


@public("nn.separable_conv2d")
def separable_conv2d(
    input: Any, depthwise_filter: Any, pointwise_filter: Any, strides: Any, padding: Any,
    data_format: str | None = None, dilations: Any = None, name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """A depthwise convolution, then one of windows of a single element (``tf.nn.separable_conv2d``)."""
    pointwise_filter = convert_to_tensor(pointwise_filter)
    if pointwise_filter._a.ndim != 4:
        raise ValueError(f"Shape {pointwise_filter.shape} must have rank 4")
    x = convert_to_tensor(input)
    if x._a.ndim < 3:
        raise ValueError(
            f"`input.shape.rank` must be at least 3. Received: input.shape={x.shape} with rank {x._a.ndim}"
        )
    rows, columns = pointwise_filter._a.shape[:2]
    for size in (rows, columns):
        if size != 1:
            raise ValueError(f"Dimensions {size} and 1 are not compatible")
    deep = depthwise_conv2d(x, depthwise_filter, strides, padding, data_format, dilations, name)
    return conv2d(deep, pointwise_filter, 1, "VALID")


def _transposed(
    name: str, kernel_name: str, x: Any, w: Any, shape: Any, strides: tuple[int, ...], padding: Any,
    rates: tuple[int, ...], node: str | None = None,
) -> EagerTensor:  # fmt: skip
    """The gradient of a convolution by its input, with strides and dilations of all axes."""
    from .declare import tensors

    n = len(strides) - 2
    word = padding_word(padding, 2) if n == 2 else padding
    shape, w, x = taken(
        kernel_name, node, input_sizes=shape, filter=w, out_backprop=x, strides=strides, padding=word
    )  # fmt: skip
    text = f"Conv2DBackpropInput: input_sizes input must be 1-dim, not {shape._a.ndim}"
    refuse(kernel_name, n == 2 and shape._a.ndim != 1, text, node)
    want = ints(shape)
    if n == 2 and len(want) == 2 and x._a.ndim == w._a.ndim == 4:
        want = (x._a.shape[0], *want, w._a.shape[2])
    check_transposed(kernel_name, want, w._a.shape, x._a.shape, strides, rates, padding, node)
    slide = _slide(want, w._a.shape, strides[1:-1], padding, rates[1:-1])
    return getattr(tensors, f"{name}_input")(w, x, shape=want, slide=slide)


@public("nn.conv1d_transpose")
def conv1d_transpose(
    input: Any, filters: Any, output_shape: Any, strides: Any, padding: Any = "SAME", data_format: str = "NWC",
    dilations: Any = None, name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """The gradient of ``conv1d`` by its input, as an op of its own (``tf.nn.conv1d_transpose``)."""
    channels_last(data_format, "Conv2DBackpropInput", name)
    shape, steps = ints(output_shape), (1, *of_all_axes(strides, 1, "strides"))
    rates = (1, *of_all_axes(dilations, 1, "dilations"))
    x, w = expand_dims(input, 1), expand_dims(filters, 0)
    whole = (shape[0], 1, *shape[1:])
    return squeeze(_transposed("conv2d", "Conv2DBackpropInput", x, w, whole, steps, padding, rates, name), [1])


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
    steps, rates = of_all_axes(strides, 2, "strides"), of_all_axes(dilations, 2, "dilations")
    return _transposed("conv2d", "Conv2DBackpropInput", input, filters, output_shape, steps, padding, rates, name)


@public("nn.conv3d_transpose")
def conv3d_transpose(
    input: Any, filters: Any, output_shape: Any, strides: Any, padding: Any = "SAME", data_format: str = "NDHWC",
    dilations: Any = None, name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """The gradient of ``conv3d`` by its input, as an op of its own (``tf.nn.conv3d_transpose``)."""
    channels_last(data_format, "Conv3DBackpropInputV2", name)
    steps, rates = of_all_axes(strides, 3, "strides"), of_all_axes(dilations, 3, "dilations")
    return _transposed("conv3d", "Conv3DBackpropInputV2", input, filters, output_shape, steps, padding, rates, name)
