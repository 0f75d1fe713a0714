"""Convolutions turned round (Conv1DTranspose ...), and those of each channel alone (Depthwise..., Separable...)."""

from __future__ import annotations

from typing import Any

from ... import nn
from ...ops.making import shape as dynamic_shape
from ...ops.shaping import reshape, stack
from ...ops.squeezing import expand_dims, squeeze
from ...tensors.conversion import convert_to_tensor
from ...tensors.tensor import EagerTensor
from .. import activations, constraints, initializers, regularizers
from ..biases import add_bias
from ..layer import Layer
from ..specs import InputSpec
from .convolution import channels_last, data_format_of, sizes_of
from .core import in_dtype


class _Filtering(Layer):
    """What these layers have in common: ``rank`` spatial axes, a window, a bias, an activation."""

    rank = 2

    def _begin(
        self, kernel_size: Any, strides: Any, padding: str, data_format: Any, dilation_rate: Any, activation: Any,
        use_bias: bool, bias: tuple[Any, Any, Any],
    ) -> None:  # fmt: skip
        channels_last(data_format)
        self.kernel_size = sizes_of(kernel_size, self.rank, "kernel_size")
        self.strides = sizes_of(strides, self.rank, "strides")
        self.dilation_rate = sizes_of(dilation_rate, self.rank, "dilation_rate")
        self.padding = padding.lower()
        if self.padding not in ("valid", "same"):
            raise ValueError(
                f"The `padding` argument must be a list/tuple or one of {{'same', 'valid'}}. Received: {self.padding}"
            )
        self.activation, self.use_bias = activations.get(activation), use_bias
        self.bias_initializer = initializers.get(bias[0])
        self.bias_regularizer, self.bias_constraint = regularizers.get(bias[1]), constraints.get(bias[2])
        self.input_spec = InputSpec(min_ndim=self.rank + 2)
        self.bias: Any = None

    def _kernel(self, name: str, shape: tuple, which: str) -> Any:
        """A variable with the initializer, regularizer and constraint of that name."""
        return self.add_weight(
            name=name, shape=shape, initializer=getattr(self, f"{which}_initializer"),
            regularizer=getattr(self, f"{which}_regularizer"), constraint=getattr(self, f"{which}_constraint"),
        )  # fmt: skip

    def _keep(self, which: str, initializer: Any, regularizer: Any, constraint: Any) -> None:
        setattr(self, f"{which}_initializer", initializers.get(initializer))
        setattr(self, f"{which}_regularizer", regularizers.get(regularizer))
        setattr(self, f"{which}_constraint", constraints.get(constraint))

    def _finished(self, y: EagerTensor) -> EagerTensor:
        if self.bias is not None:
            y = add_bias(y, reshape(self.bias, (1,) * (self.rank + 1) + (-1,)))
        return self.activation(y)


class _Transposed(_Filtering):
    """A convolution turned round: as many outputs as a convolution with these strides would have inputs."""

    def __init__(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: str = "valid", output_padding: Any = None,
        data_format: Any = None, dilation_rate: Any = 1, activation: Any = None, use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None, kernel_constraint: Any = None,
        bias_constraint: Any = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        bias = (bias_initializer, bias_regularizer, bias_constraint)
        self._begin(kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias, bias)
        self.filters = filters
        self.output_padding = None if output_padding is None else sizes_of(output_padding, self.rank, "output_padding")
        if filters is not None and filters <= 0:
            raise ValueError(
                f"Invalid value for argument `filters`. Expected a strictly positive value. Received filters={filters}."
            )
        self._keep("kernel", kernel_initializer, kernel_regularizer, kernel_constraint)

    def build(self, input_shape: Any) -> None:
        """Make ``kernel`` [*kernel_size, filters, channels] and ``bias`` [filters]."""
        channels = input_shape[-1]
        self.input_spec = InputSpec(min_ndim=self.rank + 2, axes={-1: channels})
        self.kernel = self._kernel("kernel", (*self.kernel_size, self.filters, channels), "kernel")
        if self.use_bias:
            self.bias = self._kernel("bias", (self.filters,), "bias")

    def call(self, inputs: Any) -> EagerTensor:
        """The larger outputs, plus the bias, through the activation."""
        x = in_dtype(inputs, self._dtype)
        given = dynamic_shape(x)
        sizes = [given[0] if x.shape[0] is None else x.shape[0]]
        for k in range(self.rank):
            size = x.shape[k + 1]
            sizes.append(self._size(k, given[k + 1] if size is None else size))
        sizes.append(self.filters)
        shape = sizes if all(isinstance(s, int) for s in sizes) else stack(sizes)
        y = nn.conv_transpose(
            x, self.kernel, shape, list(self.strides), self.padding.upper(), data_format_of(self.rank),
            list(self.dilation_rate),
        )  # fmt: skip
        return self._finished(y)

    def _size(self, k: int, size: Any) -> Any:
        """How many outputs there are along an axis."""
        width, stride = (self.kernel_size[k] - 1) * self.dilation_rate[k] + 1, self.strides[k]
        more = None if self.output_padding is None else self.output_padding[k]
        if self.padding == "valid":
            return (size - 1) * stride + width + (max(width, stride) - width if more is None else more)
        return size * stride if more is None else (size - 1) * stride + width % 2 + more


class Conv1DTranspose(_Transposed):
    """Over sequences [batch, steps, channels]."""

    rank = 1


class Conv2DTranspose(_Transposed):
    """Over images [batch, height, width, channels]."""


class Conv3DTranspose(_Transposed):
    """Over volumes [batch, depth, height, width, channels]."""

    rank = 3


class _Depthwise(_Filtering):
    """A convolution of each channel alone."""

    def __init__(
        self, kernel_size: Any, strides: Any = 1, padding: str = "valid", depth_multiplier: int = 1,
        data_format: Any = None, dilation_rate: Any = 1, activation: Any = None, use_bias: bool = True,
        depthwise_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros",
        depthwise_regularizer: Any = None, bias_regularizer: Any = None, activity_regularizer: Any = None,
        depthwise_constraint: Any = None, bias_constraint: Any = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        bias = (bias_initializer, bias_regularizer, bias_constraint)
        self._begin(kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias, bias)
        self.depth_multiplier = depth_multiplier
        if depth_multiplier is not None and depth_multiplier <= 0:
            raise ValueError(
                "Invalid value for argument `depth_multiplier`. Expected a strictly positive value. Received "
                f"depth_multiplier={depth_multiplier}."
            )
        self._keep("depthwise", depthwise_initializer, depthwise_regularizer, depthwise_constraint)

    def build(self, input_shape: Any) -> None:
        """Make ``kernel`` [*kernel_size, channels, depth_multiplier] and ``bias`` [channels * depth_multiplier]."""
        channels = input_shape[-1]
        self.input_spec = InputSpec(min_ndim=self.rank + 2, axes={-1: channels})
        self.kernel = self._kernel("kernel", (*self.kernel_size, channels, self.depth_multiplier), "depthwise")
        if self.use_bias:
            self.bias = self._kernel("bias", (channels * self.depth_multiplier,), "bias")

    def call(self, inputs: Any) -> EagerTensor:
        """The convolutions, plus the bias, through the activation."""
        return self._finished(_as_images(self, nn.depthwise_conv2d, inputs, self.kernel))


class DepthwiseConv1D(_Depthwise):
    """Over sequences [batch, steps, channels]."""

    rank = 1


class DepthwiseConv2D(_Depthwise):
    """Over images [batch, height, width, channels]."""


class _Separable(_Filtering):
    """A convolution of each channel alone, then one of size 1 that mixes them."""

    def __init__(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: str = "valid", data_format: Any = None,
        dilation_rate: Any = 1, depth_multiplier: int = 1, activation: Any = None, use_bias: bool = True,
        depthwise_initializer: Any = "glorot_uniform", pointwise_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", depthwise_regularizer: Any = None, pointwise_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None, depthwise_constraint: Any = None,
        pointwise_constraint: Any = None, bias_constraint: Any = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        bias = (bias_initializer, bias_regularizer, bias_constraint)
        self._begin(kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias, bias)
        self.filters, self.depth_multiplier = filters, depth_multiplier
        self._keep("depthwise", depthwise_initializer, depthwise_regularizer, depthwise_constraint)
        self._keep("pointwise", pointwise_initializer, pointwise_regularizer, pointwise_constraint)

    def build(self, input_shape: Any) -> None:
        """Make ``depthwise_kernel``, ``pointwise_kernel`` [1, .., channels * multiplier, filters] and ``bias``."""
        channels = input_shape[-1]
        self.input_spec = InputSpec(min_ndim=self.rank + 2, axes={-1: channels})
        shape = (*self.kernel_size, channels, self.depth_multiplier)
        self.depthwise_kernel = self._kernel("depthwise_kernel", shape, "depthwise")
        shape = (*(1,) * self.rank, self.depth_multiplier * channels, self.filters)
        self.pointwise_kernel = self._kernel("pointwise_kernel", shape, "pointwise")
        if self.use_bias:
            self.bias = self._kernel("bias", (self.filters,), "bias")

    def call(self, inputs: Any) -> EagerTensor:
        """Both convolutions, plus the bias, through the activation."""
        kernels = self.depthwise_kernel, self.pointwise_kernel
        return self._finished(_as_images(self, nn.separable_conv2d, inputs, *kernels))


class SeparableConv1D(_Separable):
    """Over sequences [batch, steps, channels]."""

    rank = 1


class SeparableConv2D(_Separable):
    """Over images [batch, height, width, channels]."""


def _as_images(layer: Any, function: Any, inputs: Any, *kernels: Any) -> EagerTensor:
    """A function of images on images, or on sequences as images of height 1."""
    x, flat = in_dtype(inputs, layer._dtype), layer.rank == 1
    strides = [1, *(layer.strides * 2 if flat else layer.strides), 1]
    dilations = [1, *layer.dilation_rate] if flat else list(layer.dilation_rate)
    if flat:
        x, kernels = expand_dims(x, 1), tuple(expand_dims(convert_to_tensor(k), 0) for k in kernels)
    y = function(x, *kernels, strides, layer.padding.upper(), "NHWC", dilations)
    return squeeze(y, [1]) if flat else y
