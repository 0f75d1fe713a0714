"""Backward kernels under their own names in ``tf.raw_ops``: gradients that have gradients."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, wrap
from .convolutions import channels_last
from .declare import binary, public, tensors
from .kernels import windows
from .kernels.layer_checks import check_norm_backward
from .kernels.pool_checks import check_mean_backward, check_pool_backward
from .kernels.refusals import refuse
from .kernels.window_checks import check_depthwise_transposed
from .kernels.windows import Slide
from .shaping import ints

softplus_grad = binary(
    "", f="softplus_grad", kernel="SoftplusGrad", broadcasting=False,
    forward=lambda dy, x: dy / (np.exp(-x) + 1),
    gradient=(
        lambda F, g, _y, _dy, x: F.softplus_grad(g, x),
        lambda F, g, _y, dy, x: g * dy / (F.exp(-x) + 2.0 + F.exp(x)),
    ),
)  # fmt: skip


@public("raw_ops.SoftplusGrad")
def SoftplusGrad(*, gradients: Any, features: Any, name: str | None = None) -> EagerTensor:
    """The gradient of softplus at ``features``, given the upstream."""
    return softplus_grad(convert_to_tensor(gradients), convert_to_tensor(features), name)


@public("raw_ops.BiasAddGrad")
def BiasAddGrad(*, out_backprop: Any, data_format: str = "NHWC", name: str | None = None) -> EagerTensor:
    """The upstream of a bias: what arrives at each channel, added up."""
    dy = convert_to_tensor(out_backprop)
    tensors.bias_add_grad.op.check(dy._a.dtype, name)
    return tensors.bias_add_grad(dy, axis=1 if data_format == "NCHW" else max(dy._a.ndim - 1, 0))


# ---------------------------------------------------------------------------------------------------------- windows


def _slide(shape: tuple[int, ...], ksize: Any, strides: Any, padding: str) -> Slide:
    n = len(shape) - 2
    size, steps = ints(ksize)[1:-1], ints(strides)[1:-1]
    return windows.sliding(padding, shape[1:-1], size, steps, (1,) * n)


def pool_back(op: Any, operands: tuple, ksize: Any, strides: Any, padding: str, data_format: str) -> EagerTensor:
    """A backward kernel of a max pool, of the pool's input, its output and one more tensor."""
    channels_last(data_format, op.op.kernel)
    x, y, more = (convert_to_tensor(v) for v in operands)
    shapes = (v._a.shape for v in (x, y, more))
    check_pool_backward(op.op.kernel, *shapes, ints(ksize), ints(strides), padding)
    return op(x, y, more, slide=_slide(x._a.shape, ksize, strides, padding))


@public("raw_ops.MaxPoolGrad")
def MaxPoolGrad(
    *, orig_input: Any, orig_output: Any, grad: Any, ksize: Any, strides: Any, padding: str,
    explicit_paddings: Any = (), data_format: str = "NHWC", name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """The upstream of each window of two axes, at its first largest element."""
    return pool_back(
        tensors.max_pool2d_grad, (orig_input, orig_output, grad), ksize, strides, padding, data_format
    )  # fmt: skip


@public("raw_ops.MaxPoolGradGrad")
def MaxPoolGradGrad(
    *, orig_input: Any, orig_output: Any, grad: Any, ksize: Any, strides: Any, padding: str,
    data_format: str = "NHWC", name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """What stands in ``grad`` where each window of two axes has its first largest element."""
    return pool_back(
        tensors.max_pool2d_grad_grad, (orig_input, orig_output, grad), ksize, strides, padding, data_format
    )  # fmt: skip


@public("raw_ops.MaxPool3DGrad")
def MaxPool3DGrad(
    *, orig_input: Any, orig_output: Any, grad: Any, ksize: Any, strides: Any, padding: str,
    data_format: str = "NDHWC", name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """The upstream of each window of three axes, at every element that equals its output."""
    return pool_back(
        tensors.max_pool3d_grad, (orig_input, orig_output, grad), ksize, strides, padding, data_format
    )  # fmt: skip


@public("raw_ops.MaxPool3DGradGrad")
def MaxPool3DGradGrad(
    *, orig_input: Any, orig_output: Any, grad: Any, ksize: Any, strides: Any, padding: str,
    data_format: str = "NDHWC", name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """What stands in ``grad`` at the first element of each window of three axes that equals its output."""
    return pool_back(
        tensors.max_pool3d_grad_grad, (orig_input, orig_output, grad), ksize, strides, padding, data_format
    )  # fmt: skip


@public("raw_ops.AvgPool3DGrad")
def AvgPool3DGrad(
    *, orig_input_shape: Any, grad: Any, ksize: Any, strides: Any, padding: str, data_format: str = "NDHWC",
    name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """The upstream of each window of three axes, divided evenly among its elements."""
    op, dy, shape = tensors.avg_pool3d_grad, convert_to_tensor(grad), ints(orig_input_shape)
    channels_last(data_format, op.op.kernel, name)
    flat = convert_to_tensor(orig_input_shape)._a.ndim == 1
    check_mean_backward(
        op.op.kernel, shape if flat else (), dy._a.shape, ints(ksize), ints(strides), padding, name
    )  # fmt: skip
    return op(dy, shape=shape, slide=_slide(shape, ksize, strides, padding))


@public("raw_ops.DepthwiseConv2dNativeBackpropInput")
def DepthwiseConv2dNativeBackpropInput(
    *, input_sizes: Any, filter: Any, out_backprop: Any, strides: Any, padding: str, explicit_paddings: Any = (),
    data_format: str = "NHWC", dilations: Any = (1, 1, 1, 1), name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """The upstream of a depthwise convolution by its input."""
    op, shape = tensors.depthwise_input, ints(input_sizes)
    channels_last(data_format, op.op.kernel, name)
    w, dy = convert_to_tensor(filter), convert_to_tensor(out_backprop)
    rank = convert_to_tensor(input_sizes)._a.ndim
    refuse(op.op.kernel, rank != 1, f"Conv2DBackpropInput: input_sizes input must be 1-dim, not {rank}", name)
    check_depthwise_transposed(op.op.kernel, shape, w._a.shape, dy._a.shape, ints(strides), padding, name)
    return op(w, dy, shape=shape, slide=_slide(shape, (1, *w._a.shape[:2], 1), strides, padding))


# ---------------------------------------------------------------------------------------------- batch normalization

_FIELDS = ("x_backprop", "scale_backprop", "offset_backprop", "reserve_space_4", "reserve_space_5")
FusedBatchNormGradV3Output = namedtuple("FusedBatchNormGradV3", _FIELDS)  # type: ignore[misc]


@public("raw_ops.FusedBatchNormGradV3")
def FusedBatchNormGradV3(
    *, y_backprop: Any, x: Any, scale: Any, reserve_space_1: Any, reserve_space_2: Any, reserve_space_3: Any,
    epsilon: float = 0.0001, data_format: str = "NHWC", is_training: bool = True, name: str | None = None,
) -> Any:  # fmt: skip
    """The upstream of a normalized batch by its values, scales and offsets, given its means and variances."""
    if not is_training or data_format != "NHWC":
        raise NotImplementedError("FusedBatchNormGradV3 is here for training with channels last")
    operands = (y_backprop, x, scale, reserve_space_1, reserve_space_2)
    operands = tuple(convert_to_tensor(v) for v in operands)
    dy, centre, *vectors = (v._a.shape for v in operands)
    words = ("scale", "reserve_space_1", "reserve_space_2")
    check_norm_backward("FusedBatchNormGradV3", dy, centre, dict(zip(words, vectors)), name)
    found = tensors.fused_batch_norm_gradv3(*operands, epsilon=float(epsilon))
    nothing = wrap(np.zeros(0, np.float32))
    return FusedBatchNormGradV3Output(*found, nothing, nothing)
