"""Pools over channels-last tensors: the largest element or the mean of each window.

The gradient of a maximum goes to the first largest element of the window; with three axes, to every one as large.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .arguments import taken
from .casting import cast
from .convolutions import channels_last, of_all_axes, padding_word
from .declare import MISSING, kernel, public
from .kernels import windows
from .kernels.pool_checks import check_mean_backward, check_pool, check_pool_backward
from .kernels.refusals import refuse
from .kernels.window_checks import check_outputs
from .kernels.windows import Slide
from .squeezing import expand_dims, squeeze


def _maximum(name: str, kernel_name: str, by_input: Any, version: str = "") -> Any:
    """A max pool, its gradient, and the gradient of that, which reads where the gradient wrote.

    The second version, whose sizes are tensors, has no more: TensorFlow never registered its third derivative.
    """
    back, forth = f"{name}_grad", f"{name}_grad_grad"
    kernel(
        back, f"{kernel_name}Grad{version}", forward=by_input, inputs="orig_input orig_output grad",
        fits=lambda *operands, slide: _check_backward(f"{kernel_name}Grad{version}", *operands, slide=slide),
        gradient=lambda F, g, _z, x, y, _dy, slide: (
            F.zeros_like(x), F.zeros_like(y), getattr(F, forth)(x, y, g, slide=slide)
        ),
    )  # fmt: skip
    kernel(
        forth, f"{kernel_name}GradGrad{version}", forward=windows.max_pool_grad_grad,
        inputs="orig_input orig_output grad",
        fits=lambda *operands, slide: _check_backward(f"{kernel_name}GradGrad{version}", *operands, slide=slide),
        gradient=MISSING if version else lambda F, g, _z, x, y, _dx, slide: (
            F.zeros_like(x), F.zeros_like(y), getattr(F, back)(x, y, g, slide=slide)
        ),
    )  # fmt: skip
    return kernel(
        name, f"{kernel_name}{version}", forward=windows.max_pool,
        gradient=lambda F, dy, y, x, slide: _asked(F, back, slide, x, y, dy),
    )  # fmt: skip


def _check_backward(kernel_name: str, x: Any, y: Any, more: Any, slide: Slide) -> None:
    """What a backward kernel of a maximum asks of the shapes that a wrong upstream has."""
    size, steps = (1, *slide.size, 1), (1, *slide.strides, 1)
    check_pool_backward(kernel_name, x.shape, y.shape, more.shape, size, steps, slide.pads)


def _check_mean(kernel_name: str, dy: Any, shape: tuple[int, ...], slide: Slide) -> None:
    """The same of a mean; the kernel of two axes looks at the rank alone."""
    size, steps = (1, *slide.size, 1), (1, *slide.strides, 1)
    if len(slide.size) == 3:
        check_mean_backward(kernel_name, shape, dy.shape, size, steps, slide.pads)
    else:
        refuse(kernel_name, dy.ndim != 4, "out_backprop must be 4-dimensional")


def _asked(F: Any, back: str, slide: Slide, *operands: Any, **attributes: Any) -> Any:
    """The backward kernel, which in TensorFlow needs the data format where there are three axes."""
    if len(slide.size) == 3:
        windows.named(slide)
    return getattr(F, back)(*operands, slide=slide, **attributes)


def _mean(name: str, kernel_name: str) -> Any:
    back = f"{name}_grad"
    kernel(
        back, f"{kernel_name}Grad", forward=windows.avg_pool_grad, inputs="grad",
        fits=lambda dy, shape, slide: _check_mean(f"{kernel_name}Grad", dy, shape, slide),
        gradient=lambda F, g, _z, _dy, shape, slide: getattr(F, name)(g, slide=slide),
    )  # fmt: skip
    return kernel(
        name, kernel_name, forward=windows.avg_pool,
        gradient=lambda F, dy, _y, _x, slide: _asked(F, back, slide, dy, shape=F.shape(_x)),
    )  # fmt: skip


max_pool2d_ = _maximum("max_pool2d", "MaxPool", windows.max_pool_grad)
max_pool_v2_ = _maximum("max_pool_v2", "MaxPool", windows.max_pool_grad, "V2")
max_pool3d_ = _maximum("max_pool3d", "MaxPool3D", windows.max_pool3d_grad)
avg_pool2d_, avg_pool3d_ = _mean("avg_pool2d", "AvgPool"), _mean("avg_pool3d", "AvgPool3D")


def _pool(
    op: Any, x: Any, sizes: tuple[int, ...], steps: tuple[int, ...], padding: Any, data_format: str | None,
    name: str | None, line: bool = False,
) -> EagerTensor:  # fmt: skip
    """A pool with window sizes and strides of all axes."""
    kernel_name, n = op.op.kernel, len(sizes) - 2
    word = padding_word(padding, n) if op is max_pool2d_ else padding
    source = {"value" if op is avg_pool2d_ else "input": x}
    (x,) = taken(
        kernel_name, name, ksize=sizes, strides=steps, padding=word, data_format=None if line else data_format, **source
    )
    channels_last(data_format, kernel_name, name)
    check_pool(kernel_name, x._a.shape, sizes, steps, padding, name)
    return op(x, slide=_slide(x, sizes, steps, padding)._replace(unnamed=data_format is None))


def max_pool_v2(x: EagerTensor, sizes: tuple[int, ...], steps: tuple[int, ...], padding: str) -> EagerTensor:
    """The largest element of each window, by the kernel whose sizes, of all axes, are tensors; they are checked."""
    check_outputs("MaxPoolV2", x._a.shape[1:-1], sizes[1:-1], steps[1:-1], (1, 1), padding, None)
    return max_pool_v2_(x, slide=_slide(x, sizes, steps, padding))


def _slide(x: EagerTensor, sizes: tuple[int, ...], steps: tuple[int, ...], padding: Any) -> Slide:
    size, strides, ones = sizes[1:-1], steps[1:-1], (1,) * (len(sizes) - 2)
    return windows.sliding(padding, x._a.shape[1:-1], size, strides, ones)


def _plane(n: int, op: Any, x: Any, ksize: Any, strides: Any, *others: Any) -> EagerTensor:
    return _pool(op, x, of_all_axes(ksize, n, "ksize"), of_all_axes(strides, n, "strides"), *others)


def _line(
    op: Any, x: Any, ksize: Any, strides: Any, padding: Any, data_format: str | None, name: str | None
) -> EagerTensor:
    size, steps = ((1, *of_all_axes(v, 1, word)) for v, word in ((ksize, "ksize"), (strides, "strides")))
    if isinstance(padding, (list, tuple)):
        padding = [padding[0], [0, 0], *padding[1:]]
    return squeeze(_pool(op, expand_dims(x, 1), size, steps, padding, data_format, name, True), 1)


@public("nn.max_pool2d")
def max_pool2d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = "NHWC", name: str | None = None
) -> EagerTensor:
    """The largest element of each window (``tf.nn.max_pool2d``)."""
    return _plane(2, max_pool2d_, input, ksize, strides, padding, data_format, name)


@public("nn.max_pool1d")
def max_pool1d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = "NWC", name: str | None = None
) -> EagerTensor:
    """The largest element of each window along one axis (``tf.nn.max_pool1d``)."""
    return _line(max_pool2d_, input, ksize, strides, padding, data_format, name)


@public("nn.max_pool3d")
def max_pool3d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = "NDHWC", name: str | None = None
) -> EagerTensor:
    """The largest element of each window of three axes (``tf.nn.max_pool3d``)."""
    return _plane(3, max_pool3d_, input, ksize, strides, padding, data_format, name)


@public("nn.avg_pool2d")
def avg_pool2d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = "NHWC", name: str | None = None
) -> EagerTensor:
    """The mean of each window, padding left out (``tf.nn.avg_pool2d``)."""
    return _plane(2, avg_pool2d_, input, ksize, strides, padding, data_format, name)


@public("nn.avg_pool1d")
def avg_pool1d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = "NWC", name: str | None = None
) -> EagerTensor:
    """The mean of each window along one axis (``tf.nn.avg_pool1d``)."""
    return _line(avg_pool2d_, input, ksize, strides, padding, data_format, name)


@public("nn.avg_pool3d")
def avg_pool3d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = "NDHWC", name: str | None = None
) -> EagerTensor:
    """The mean of each window of three axes (``tf.nn.avg_pool3d``)."""
    return _plane(3, avg_pool3d_, input, ksize, strides, padding, data_format, name)


def _by_rank(functions: tuple, input: Any, *arguments: Any) -> EagerTensor:
    x = convert_to_tensor(input)
    n = x._a.ndim - 2
    if not 1 <= n <= 3:
        raise ValueError(f"`input.shape.rank` must be 3, 4 or 5. Received: input.shape={x.shape} of rank {n + 2}.")
    return functions[n - 1](x, *arguments)


@public("nn.max_pool")
def max_pool(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str | None = None, name: str | None = None
) -> EagerTensor:
    """The largest element of each window of one, two or three axes (``tf.nn.max_pool``)."""
    return _by_rank((max_pool1d, max_pool2d, max_pool3d), input, ksize, strides, padding, data_format, name)


@public("nn.avg_pool")
def avg_pool(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str | None = None, name: str | None = None
) -> EagerTensor:
    """The mean of each window of one, two or three axes (``tf.nn.avg_pool``)."""
    return _by_rank((avg_pool1d, avg_pool2d, avg_pool3d), input, ksize, strides, padding, data_format, name)


MaxPoolWithArgmax = namedtuple("MaxPoolWithArgmax", "output argmax")
with_argmax_ = kernel(
    "max_pool_with_argmax", "MaxPoolWithArgmax",
    forward=windows.max_pool_with_places,
    gradient=lambda F, dy, y, x, slide: F.max_pool_argmax_grad(dy[0], x, places=np.asarray(y[1])),
)  # fmt: skip
kernel(
    "max_pool_argmax_grad", "MaxPoolGradWithArgmax", gradient=MISSING,
    forward=lambda dy, x, places: windows.placed_flat(dy, places, x.shape),
)  # fmt: skip


@public("nn.max_pool_with_argmax")
def max_pool_with_argmax(
    input: Any, ksize: Any, strides: Any, padding: str, data_format: str = "NHWC", output_dtype: Any = "int64",
    include_batch_in_index: bool = False, name: str | None = None,
) -> MaxPoolWithArgmax:  # fmt: skip
    """The largest element of each window and its flat position in the image (``tf.nn.max_pool_with_argmax``)."""
    if include_batch_in_index:
        raise NotImplementedError("positions that count through the batch are not supported here")
    if data_format != "NHWC":
        text = "`data_format` values other  than 'NHWC' are not supported. Received: data_format="
        raise ValueError(f"{text}{data_format}")
    sizes, steps = of_all_axes(ksize, 2, "ksize"), of_all_axes(strides, 2, "strides")
    (x,) = taken("MaxPoolWithArgmax", name, input=input, ksize=sizes, strides=steps, padding=padding)
    check_pool("MaxPoolWithArgmax", x._a.shape, sizes, steps, padding, name)
    values, places = with_argmax_(x, slide=_slide(x, sizes, steps, padding))
    return MaxPoolWithArgmax(values, cast(places, output_dtype))
