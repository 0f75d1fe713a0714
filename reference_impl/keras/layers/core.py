"""Layers with tables and kernels, and those that change shapes: Dense, Embedding, Flatten, Reshape."""

from __future__ import annotations

import math as plain_math
import warnings
from typing import Any

from ...ops.casting import cast
from ...ops.gathering import gather
from ...ops.making import shape as dynamic_shape
from ...ops.products import matmul, tensordot
from ...ops.selection import where
from ...ops.shaping import reshape
from ...tensors.conversion import convert_to_tensor
from ...tensors.tensor import EagerTensor
from .. import activations, constraints, initializers, regularizers
from ..biases import add_bias
from ..layer import Layer
from ..specs import InputSpec
from ..variables import Variable


def in_dtype(x: Any, dtype: str) -> EagerTensor:
    """A tensor in a layer's dtype; Keras's operations promote integers."""
    x = convert_to_tensor(x)
    return x if x.dtype.name == dtype else cast(x, dtype)


class Dense(Layer):
    """``activation(inputs @ kernel + bias)`` over the last axis."""

    supports_masking = True

    def __init__(
        self, units: int, activation: Any = None, use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None, bias_regularizer: Any = None,
        activity_regularizer: Any = None, kernel_constraint: Any = None, bias_constraint: Any = None, **kwargs: Any,
    ):  # fmt: skip
        if not isinstance(units, int) or units <= 0:
            raise ValueError(
                f"Received an invalid value for `units`, expected a positive integer. Received: units={units}"
            )
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        self.units, self.activation, self.use_bias = units, activations.get(activation), use_bias
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.kernel_constraint, self.bias_constraint = (
            constraints.get(kernel_constraint),
            constraints.get(bias_constraint),
        )
        self.input_spec = InputSpec(min_ndim=2)

    def build(self, input_shape: Any) -> None:
        """Make ``kernel`` [last size, units] and ``bias`` [units]."""
        size = input_shape[-1]
        self._kernel = self.add_weight(
            name="kernel", shape=(size, self.units), initializer=self.kernel_initializer,
            regularizer=self.kernel_regularizer, constraint=self.kernel_constraint,
        )  # fmt: skip
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                name="bias", shape=(self.units,), initializer=self.bias_initializer,
                regularizer=self.bias_regularizer, constraint=self.bias_constraint,
            )  # fmt: skip
        self.input_spec = InputSpec(min_ndim=2, axes={-1: size})

    @property
    def kernel(self) -> Variable:
        """The matrix.  AttributeError before the layer is built."""
        if "_kernel" not in self.__dict__:
            raise AttributeError("You must build the layer before accessing `kernel`.")
        return self._kernel

    def call(self, inputs: Any, training: Any = None) -> EagerTensor:
        """The product of the last axis with the kernel, plus the bias, through the activation."""
        x = in_dtype(inputs, self._dtype)
        rank = len(x.shape)
        y = matmul(x, self._kernel) if rank == 2 else tensordot(x, self._kernel, [[rank - 1], [0]])
        if self.bias is not None:
            y = add_bias(y, self.bias)
        return self.activation(y)


class Embedding(Layer):
    """Rows of a table by index; their gradient is IndexedSlices."""

    def __init__(
        self, input_dim: int, output_dim: int, embeddings_initializer: Any = "uniform",
        embeddings_regularizer: Any = None, embeddings_constraint: Any = None, mask_zero: bool = False,
        weights: Any = None, **kwargs: Any,
    ):  # fmt: skip
        for name, value in (("input_dim", input_dim), ("output_dim", output_dim)):
            if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
                raise ValueError(
                    f"`{name}` must be a positive integer. Received: {name}={value} (of type {type(value).__name__})."
                )
        if kwargs.pop("input_length", None) is not None:
            warnings.warn("Argument `input_length` is deprecated. Just remove it.", stacklevel=2)
        super().__init__(**kwargs)
        self.input_dim, self.output_dim, self.mask_zero = input_dim, output_dim, mask_zero
        self.embeddings_initializer = initializers.get(embeddings_initializer)
        self.embeddings_regularizer = regularizers.get(embeddings_regularizer)
        self.embeddings_constraint = constraints.get(embeddings_constraint)
        self.autocast = False
        self.supports_masking = self.makes_masks = bool(mask_zero)
        if weights is not None:
            self.build()
            self.set_weights(weights if isinstance(weights, list) and len(weights) == 1 else [weights])

    def build(self, input_shape: Any = None) -> None:
        """Make ``embeddings`` [input_dim, output_dim]."""
        if self.built:
            return
        self._embeddings = self.add_weight(
            shape=(self.input_dim, self.output_dim), initializer=self.embeddings_initializer, name="embeddings",
            regularizer=self.embeddings_regularizer, constraint=self.embeddings_constraint,
        )  # fmt: skip

    @property
    def embeddings(self) -> Variable:
        """The table.  AttributeError before the layer is built."""
        if "_embeddings" not in self.__dict__:
            raise AttributeError("You must build the layer before accessing `embeddings`.")
        return self._embeddings

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """False for the index 0, with ``mask_zero``."""
        from .. import ops

        return ops.not_equal(inputs, 0) if self.mask_zero else None

    def call(self, inputs: Any) -> EagerTensor:
        """The rows at the indices; negative ones count from the end."""
        index = convert_to_tensor(inputs)
        if index.dtype.name not in ("int32", "int64"):
            index = cast(index, "int32")
        index = where(index < 0, index + cast(self.input_dim, index.dtype), index)
        return gather(convert_to_tensor(self._embeddings), index, axis=0)


class Flatten(Layer):
    """All axes but the first as one."""

    def __init__(self, data_format: Any = None, **kwargs: Any):
        super().__init__(**kwargs)
        self.input_spec = InputSpec(min_ndim=1)
        self._build_at_init()

    def call(self, inputs: Any) -> EagerTensor:
        """The inputs with shape [batch, rest]."""
        sizes = tuple(inputs.shape)[1:]
        return reshape(inputs, [-1, plain_math.prod(sizes)] if None not in sizes else [dynamic_shape(inputs)[0], -1])


class Reshape(Layer):
    """The axes after the first in another shape; one size may be -1."""

    def __init__(self, target_shape: Any, **kwargs: Any):
        super().__init__(**kwargs)
        self.target_shape = tuple(target_shape)
        self._build_at_init()

    def call(self, inputs: Any) -> EagerTensor:
        """The inputs with shape [batch, *target_shape]."""
        return reshape(inputs, (dynamic_shape(inputs)[0], *self.target_shape))
