"""Layers that work on the last axis or on every element: Dense, Embedding, Activation, Dropout, Flatten ..."""

from __future__ import annotations

import math as plain_math
import warnings
from typing import Any

from ... import math, nn
from ...ops.casting import cast
from ...ops.gathering import gather
from ...ops.making import shape as dynamic_shape
from ...ops.making import zeros_like
from ...ops.products import matmul, tensordot
from ...ops.randomness import stateless_uniform
from ...ops.selection import where
from ...ops.shaping import reshape
from ...tensors.conversion import convert_to_tensor
from ...tensors.tensor import EagerTensor
from .. import activations, constraints, initializers, regularizers
from ..layer import Layer
from ..seeds import SeedGenerator, draw_seed
from ..specs import InputSpec
from ..variables import Variable


def in_dtype(x: Any, dtype: str) -> EagerTensor:
    """A tensor in a layer's dtype; Keras's operations promote integers."""
    x = convert_to_tensor(x)
    return x if x.dtype.name == dtype else cast(x, dtype)


class Dense(Layer):
    """``activation(inputs @ kernel + bias)`` over the last axis."""

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
            y = math.add(y, self.bias)
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
        if mask_zero:
            raise NotImplementedError("masks are not part of this engine: mask_zero must be False")
        if kwargs.pop("input_length", None) is not None:
            warnings.warn("Argument `input_length` is deprecated. Just remove it.", stacklevel=2)
        super().__init__(**kwargs)
        self.input_dim, self.output_dim, self.mask_zero = input_dim, output_dim, mask_zero
        self.embeddings_initializer = initializers.get(embeddings_initializer)
        self.embeddings_regularizer = regularizers.get(embeddings_regularizer)
        self.embeddings_constraint = constraints.get(embeddings_constraint)
        self.autocast = False
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

    def call(self, inputs: Any) -> EagerTensor:
        """The rows at the indices; negative ones count from the end."""
        index = convert_to_tensor(inputs)
        if index.dtype.name not in ("int32", "int64"):
            index = cast(index, "int32")
        index = where(index < 0, index + cast(self.input_dim, index.dtype), index)
        return gather(convert_to_tensor(self._embeddings), index, axis=0)


class Activation(Layer):
    """A function of every element, by name or as it is."""

    def __init__(self, activation: Any, **kwargs: Any):
        super().__init__(**kwargs)
        self.activation = activations.get(activation)
        self._build_at_init()

    def call(self, inputs: Any) -> Any:
        """The function of the inputs."""
        return self.activation(inputs)


class ReLU(Layer):
    """See ``activations.relu``."""

    def __init__(self, max_value: Any = None, negative_slope: float = 0.0, threshold: float = 0.0, **kwargs: Any):
        super().__init__(**kwargs)
        self.max_value, self.negative_slope, self.threshold = max_value, negative_slope, threshold
        self._build_at_init()

    def call(self, inputs: Any) -> EagerTensor:
        """The rectified inputs."""
        return activations.relu(inputs, self.negative_slope, self.max_value, self.threshold)


class LeakyReLU(Layer):
    """``x`` where positive, else ``negative_slope * x``."""

    def __init__(self, negative_slope: float = 0.3, **kwargs: Any):
        super().__init__(**kwargs)
        self.negative_slope = negative_slope
        self._build_at_init()

    def call(self, inputs: Any) -> EagerTensor:
        """The rectified inputs."""
        return activations.leaky_relu(inputs, self.negative_slope)


class ELU(Layer):
    """``x`` where positive, else ``alpha * (exp(x) - 1)``."""

    def __init__(self, alpha: float = 1.0, **kwargs: Any):
        super().__init__(**kwargs)
        self.alpha = alpha
        self._build_at_init()

    def call(self, inputs: Any) -> EagerTensor:
        """The function of the inputs."""
        return activations.elu(inputs, self.alpha)


class Softmax(Layer):
    """Probabilities along an axis."""

    def __init__(self, axis: int = -1, **kwargs: Any):
        super().__init__(**kwargs)
        self.axis = axis
        self._build_at_init()

    def call(self, inputs: Any) -> EagerTensor:
        """The probabilities."""
        return activations.softmax(inputs, self.axis)


class Identity(Layer):
    """The inputs."""

    def __init__(self, **kwargs: Any):
        super().__init__(**kwargs)
        self._build_at_init()

    def call(self, inputs: Any) -> Any:
        """The inputs."""
        return inputs


class Lambda(Layer):
    """A Python function as a layer."""

    def __init__(self, function: Any, arguments: Any = None, **kwargs: Any):
        super().__init__(**kwargs)
        self.function, self.arguments = function, arguments or {}
        self._build_at_init()

    def call(self, inputs: Any) -> Any:
        """The function of the inputs."""
        return self.function(inputs, **self.arguments)


class Dropout(Layer):
    """While training, zeros at random places with probability ``rate``; what is left is scaled up."""

    def __init__(self, rate: float, noise_shape: Any = None, seed: Any = None, **kwargs: Any):
        super().__init__(**kwargs)
        if not 0 <= rate <= 1:
            raise ValueError(
                "Invalid value received for argument `rate`. Expected a float value between 0 and 1. Received: "
                f"rate={rate}"
            )
        self.rate, self.seed, self.noise_shape = rate, seed, None if noise_shape is None else tuple(noise_shape)
        if rate > 0:
            self.seed_generator = SeedGenerator(seed)
        self._build_at_init()

    def call(self, inputs: Any, training: Any = False) -> EagerTensor:
        """The inputs, some of them zero when ``training``."""
        if not training or self.rate == 0:
            return inputs
        return dropped(inputs, self.rate, self.noise_shape, self.seed_generator)


def dropped(x: Any, rate: float, noise_shape: Any, seed: Any) -> EagerTensor:
    """Elements kept with probability ``1 - rate`` and scaled up by it, the others zero."""
    x = convert_to_tensor(x)
    if rate == 1.0:
        return zeros_like(x)
    if noise_shape is None:
        size = dynamic_shape(x)
    else:
        size = [s if n is None else n for s, n in zip(x.shape, noise_shape)]
    drawn = stateless_uniform(size, draw_seed(seed), dtype=x.dtype)
    return where(drawn >= cast(rate, x.dtype), x * (1.0 / (1.0 - rate)), zeros_like(x))


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


class Rescaling(Layer):
    """``inputs * scale + offset``."""

    def __init__(self, scale: Any, offset: Any = 0.0, **kwargs: Any):
        super().__init__(**kwargs)
        self.scale, self.offset = scale, offset
        self._build_at_init()

    def call(self, inputs: Any) -> EagerTensor:
        """The scaled inputs."""
        return in_dtype(inputs, self._dtype) * self.scale + self.offset


class UnitNormalization(Layer):
    """The inputs over their length along an axis."""

    def __init__(self, axis: int = -1, **kwargs: Any):
        super().__init__(**kwargs)
        self.axis = axis
        self._build_at_init()

    def call(self, inputs: Any) -> EagerTensor:
        """The inputs with length 1."""
        return nn.l2_normalize(inputs, axis=self.axis)
