"""Convolutions over channels-last images and sequences."""

from __future__ import annotations

from typing import Any

from ... import nn
from ...ops.joining import split
from ...ops.shaping import concat, reshape
from ...ops.tiling import pad
from ...tensors.conversion import convert_to_tensor
from ...tensors.tensor import EagerTensor
from .. import activations, constraints, initializers, regularizers
from ..biases import add_bias
from ..layer import Layer
from ..specs import InputSpec
from ..variables import Variable
from .core import in_dtype


def sizes_of(value: Any, rank: int, name: str) -> tuple[int, ...]:
    """A size for each axis.  ValueError for what is none."""
    sizes = (value,) * rank if isinstance(value, int) else tuple(value) if hasattr(value, "__iter__") else ()
    if len(sizes) != rank or not all(isinstance(s, int) for s in sizes):
        raise ValueError(f"The `{name}` argument must be a tuple of {rank} integers. Received {name}={value}")
    return sizes


def channels_last(data_format: Any) -> None:
    """NotImplementedError for another order of axes."""
    if data_format not in (None, "channels_last"):
        raise NotImplementedError("images are channels-last in this engine: data_format must be 'channels_last'")


def data_format_of(rank: int) -> str:
    """TensorFlow's name of channels last."""
    return ("NWC", "NHWC", "NDHWC")[rank - 1]


class _Convolution(Layer):
    """What convolutions have in common; ``rank`` is the number of spatial axes."""

    rank = 2

    def __init__(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: str = "valid", data_format: Any = None,
        dilation_rate: Any = 1, groups: int = 1, activation: Any = None, use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None, kernel_constraint: Any = None,
        bias_constraint: Any = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        channels_last(data_format)
        self.filters, self.groups = filters, groups
        self.kernel_size = sizes_of(kernel_size, self.rank, "kernel_size")
        self.strides = sizes_of(strides, self.rank, "strides")
        self.dilation_rate = sizes_of(dilation_rate, self.rank, "dilation_rate")
        self.padding = padding.lower()
        self._check()
        self.activation, self.use_bias = activations.get(activation), use_bias
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.kernel_constraint, self.bias_constraint = (
            constraints.get(kernel_constraint),
            constraints.get(bias_constraint),
        )
        self.input_spec = InputSpec(min_ndim=self.rank + 2)

    def _check(self) -> None:
        allowed = {"valid", "same", "causal"} if self.rank == 1 else {"valid", "same"}
        if self.padding not in allowed:
            raise ValueError(
                f"The `padding` argument must be one of {sorted(allowed)}. Received padding={self.padding}"
            )
        if self.filters <= 0:
            raise ValueError(
                "Invalid value for argument `filters`. Expected a strictly positive value. Received "
                f"filters={self.filters}."
            )
        if self.groups <= 0:
            raise ValueError(f"The number of groups must be a positive integer. Received: groups={self.groups}.")
        if self.filters % self.groups:
            raise ValueError(
                "The number of filters must be evenly divisible by the number of groups. Received: "
                f"groups={self.groups}, filters={self.filters}."
            )

    def build(self, input_shape: Any) -> None:
        """Make ``kernel`` [*kernel_size, channels / groups, filters] and ``bias`` [filters]."""
        channels = input_shape[-1]
        self.input_spec = InputSpec(min_ndim=self.rank + 2, axes={-1: channels})
        if channels % self.groups:
            raise ValueError(
                "The number of input channels must be evenly divisible by the number of groups. Received "
                f"groups={self.groups}, but the input has {channels} channels (full input shape is {input_shape})."
            )
        shape = (*self.kernel_size, channels // self.groups, self.filters)
        self._check_output(tuple(input_shape), shape)
        self._kernel = self.add_weight(
            name="kernel", shape=shape, initializer=self.kernel_initializer, regularizer=self.kernel_regularizer,
            constraint=self.kernel_constraint,
        )  # fmt: skip
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                name="bias", shape=(self.filters,), initializer=self.bias_initializer,
                regularizer=self.bias_regularizer, constraint=self.bias_constraint,
            )  # fmt: skip

    def _check_output(self, input_shape: tuple, kernel_shape: tuple) -> None:
        if self.padding != "valid":
            return
        for size, width, dilation in zip(input_shape[1:-1], self.kernel_size, self.dilation_rate):
            if size is not None and size - dilation * (width - 1) <= 0:
                rates = "[" + " ".join(map(str, self.dilation_rate)) + "]"
                raise ValueError(
                    f"Computed output size would be zero or negative. Received `inputs shape={input_shape}`, `kernel "
                    f"shape={kernel_shape}`, `dilation_rate={rates}`, `strides={self.strides}`, "
                    f"`padding={self.padding}`."
                )

    @property
    def kernel(self) -> Variable:
        """The filters.  AttributeError before the layer is built."""
        if "_kernel" not in self.__dict__:
            raise AttributeError("You must build the layer before accessing `kernel`.")
        return self._kernel

    def call(self, inputs: Any) -> EagerTensor:
        """The convolution plus the bias, through the activation."""
        x, padding = in_dtype(inputs, self._dtype), self.padding
        if padding == "causal":
            before = self.dilation_rate[0] * (self.kernel_size[0] - 1)
            x, padding = pad(x, [[0, 0], [before, 0], [0, 0]]), "valid"
        options = {"strides": list(self.strides), "dilations": list(self.dilation_rate), "padding": padding.upper()}
        options["data_format"] = data_format_of(self.rank)
        if self.groups == 1:
            y = nn.convolution(x, self._kernel, **options)
        else:  # Keras compiles these, since TensorFlow's own kernels have no gradients by the inputs
            parts = zip(split(x, self.groups, axis=-1), split(convert_to_tensor(self._kernel), self.groups, axis=-1))
            y = concat([nn.convolution(part, kernel, **options) for part, kernel in parts], -1)
        if self.bias is not None:
            y = add_bias(y, reshape(self.bias, (1,) * (self.rank + 1) + (self.filters,)))
        return self.activation(y)


class Conv1D(_Convolution):
    """Over sequences [batch, steps, channels]."""

    rank = 1


class Conv2D(_Convolution):
    """Over images [batch, height, width, channels]."""


class Conv3D(_Convolution):
    """Over volumes [batch, depth, height, width, channels]."""

    rank = 3


Convolution1D, Convolution2D, Convolution3D = Conv1D, Conv2D, Conv3D
