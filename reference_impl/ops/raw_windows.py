"""Kernels of ``tf.raw_ops`` that slide windows: their sizes, strides and paddings are lists for all axes.

raw_names.py calls them with all of the kernel's parameters in TensorFlow's order; tensors are converted already.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tensors.tensor import EagerTensor, wrap
from . import convolutions, pooling
from .backward import pool_back
from .declare import tensors
from .kernels import windows
from .kernels.layer_checks import check_norm_backward
from .kernels.refusals import refuse
from .kernels.window_checks import check_filter
from .kernels.windows import Slide
from .shaping import ints


def _padded(padding: str, explicit: Any) -> Any:
    """The padding as public functions take it: a word, or a pair for each axis."""
    if padding != "EXPLICIT":
        return padding
    sizes = list(map(int, explicit))
    return [sizes[k : k + 2] for k in range(0, len(sizes), 2)]


def max_pool(
    input: EagerTensor, ksize: Any, strides: Any, padding: str, explicit_paddings: Any, data_format: str
) -> EagerTensor:
    """The largest element of each window of two axes."""
    return pooling.max_pool2d(input, ksize, strides, _padded(padding, explicit_paddings), data_format)


def avg_pool_grad(
    orig_input_shape: EagerTensor, grad: EagerTensor, ksize: Any, strides: Any, padding: str, data_format: str
) -> EagerTensor:
    """The upstream of each window of two axes, divided evenly among its elements."""
    convolutions.channels_last(data_format, "AvgPoolGrad")
    flat, shape = orig_input_shape._a.ndim == 1, ints(orig_input_shape)
    text = "out_backprop must be 4-dimensional"
    refuse("AvgPoolGrad", not flat or len(shape) != 4, "out_backprop must be 1-dimensional and 4 elements")
    refuse("AvgPoolGrad", grad._a.ndim != 4, text)
    slide = _slide(shape, tuple(ksize[1:-1]), strides, (1,) * 4, padding)
    return tensors.avg_pool2d_grad(grad, shape=shape, slide=slide)


def _slide(shape: tuple[int, ...], size: tuple[int, ...], strides: Any, rates: Any, padding: Any) -> Slide:
    steps, gaps = tuple(strides[1:-1]), tuple(rates[1:-1])
    return Slide(size, steps, gaps, windows.paddings(padding, shape[1:-1], size, steps, gaps))


def conv2d(
    input: EagerTensor, filter: EagerTensor, strides: Any, padding: str, use_cudnn_on_gpu: bool,
    explicit_paddings: Any, data_format: str, dilations: Any,
) -> EagerTensor:  # fmt: skip
    """Convolution over two axes."""
    for word, value in (("strides", strides), ("dilations", dilations)):
        refuse("Conv2D", len(value) != 4, f"Sliding window {word} field must specify 4 dimensions")
    return convolutions.conv2d(input, filter, strides, _padded(padding, explicit_paddings), data_format, dilations)


def conv2d_input(
    input_sizes: Any, filter: EagerTensor, out_backprop: EagerTensor, strides: Any, padding: str,
    use_cudnn_on_gpu: bool, explicit_paddings: Any, data_format: str, dilations: Any,
) -> EagerTensor:  # fmt: skip
    """The upstream of a convolution over two axes by its input."""
    word = _padded(padding, explicit_paddings)
    return convolutions.conv2d_transpose(out_backprop, filter, input_sizes, strides, word, data_format, dilations)


def conv2d_filter(
    input: EagerTensor, filter_sizes: EagerTensor, out_backprop: EagerTensor, strides: Any, padding: str,
    use_cudnn_on_gpu: bool, explicit_paddings: Any, data_format: str, dilations: Any,
) -> EagerTensor:  # fmt: skip
    """The upstream of a convolution over two axes by its filter."""
    word = _padded(padding, explicit_paddings)
    convolutions.channels_last(data_format, "Conv2DBackpropFilter")
    shape, x, dy = ints(filter_sizes), input._a.shape, out_backprop._a.shape
    if all(d == 1 for d in dilations):
        check_filter("Conv2DBackpropFilter", shape, x, dy, tuple(strides), word)
    return tensors.conv2d_filter(
        input, out_backprop, shape=shape, slide=_slide(x, shape[:-2], strides, dilations, word)
    )


def conv3d_filter(
    input: EagerTensor, filter_sizes: EagerTensor, out_backprop: EagerTensor, strides: Any, padding: str,
    data_format: str, dilations: Any,
) -> EagerTensor:  # fmt: skip
    """The upstream of a convolution over three axes by its filter."""
    convolutions.channels_last(data_format, "Conv3DBackpropFilterV2")
    shape, depth = ints(filter_sizes), input._a.shape[-1]
    text = "input and filter_sizes must have the same number of channels. Got "
    misfit = f"{text}{depth} for input and {shape[-2]} for filter_sizes"
    refuse("Conv3DBackpropFilterV2", depth % shape[-2] if shape[-2] else depth, misfit)
    slide = _slide(input._a.shape, shape[:-2], strides, dilations, padding)
    return tensors.conv3d_filter(input, out_backprop, shape=shape, slide=slide)


def depthwise(
    input: EagerTensor, filter: EagerTensor, strides: Any, padding: str, explicit_paddings: Any, data_format: str,
    dilations: Any,
) -> EagerTensor:  # fmt: skip
    """Each channel convolved with its own filters."""
    word = _padded(padding, explicit_paddings)
    return convolutions.depthwise_conv2d(input, filter, strides, word, data_format, dilations)


def depthwise_filter(
    input: EagerTensor, filter_sizes: EagerTensor, out_backprop: EagerTensor, strides: Any, padding: str,
    explicit_paddings: Any, data_format: str, dilations: Any,
) -> EagerTensor:  # fmt: skip
    """The upstream of a depthwise convolution by its filter."""
    convolutions.channels_last(data_format, "DepthwiseConv2dNativeBackpropFilter")
    shape, word = ints(filter_sizes), _padded(padding, explicit_paddings)
    text = "DepthwiseConv2DBackpropFilter: input and filter must have the same in_depth"
    refuse("DepthwiseConv2dNativeBackpropFilter", input._a.shape[-1] != shape[2], text)
    slide = _slide(input._a.shape, shape[:2], strides, dilations, word)
    return tensors.depthwise_filter(input, out_backprop, shape=shape, slide=slide)


def max_pool_grad_v2(
    orig_input: EagerTensor, orig_output: EagerTensor, grad: EagerTensor, ksize: Any, strides: Any, padding: str,
    data_format: str,
) -> EagerTensor:  # fmt: skip
    """The upstream of each window of two axes, at its first largest element; the sizes are tensors."""
    operands = (orig_input, orig_output, grad)
    return pool_back(tensors.max_pool_v2_grad, operands, ints(ksize), ints(strides), padding, data_format)


def response_gradient(
    input_grads: EagerTensor, input_image: EagerTensor, output_image: EagerTensor, depth_radius: int, bias: float,
    alpha: float, beta: float,
) -> EagerTensor:  # fmt: skip
    """The upstream of elements that were divided by a power of the squares around them."""
    numbers = {"radius": depth_radius, "bias": bias, "alpha": alpha, "beta": beta}
    return tensors.lrn_grad(input_grads, input_image, output_image, **numbers)


def _norm(version: str, operands: tuple, epsilon: float, data_format: str, is_training: bool) -> Any:
    kernel = f"FusedBatchNormGrad{version}"
    if not is_training or data_format != "NHWC":
        raise NotImplementedError(f"{kernel} is here for training with channels last")
    dy, x, *vectors = (v._a.shape for v in operands)
    check_norm_backward(kernel, dy, x, dict(zip(("scale", "reserve_space_1", "reserve_space_2"), vectors)), None)
    found = getattr(tensors, f"fused_batch_norm_grad{version.lower()}")(*operands, epsilon=epsilon)
    nothing = wrap(np.zeros(0, np.float32))
    return (*found, nothing, nothing)


def norm_gradient(*given: Any) -> Any:
    """The upstream of a normalized batch by its values, scales and offsets, given its means and variances."""
    return _norm("", given[:5], *given[5:])


def norm_gradient_v2(*given: Any) -> Any:
    """As ``norm_gradient``."""
    return _norm("V2", given[:5], *given[5:])
