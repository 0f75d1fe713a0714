"""Layers that work on every element or on the last axis: activations, Masking, Dropout, Rescaling ..."""

from __future__ import annotations

from typing import Any

from ... import math, nn
from ...ops.casting import cast
from ...ops.making import shape as dynamic_shape
from ...ops.making import zeros_like
from ...ops.randomness import stateless_uniform
from ...ops.selection import where
from ...ops.squeezing import expand_dims
from ...tensors.conversion import convert_to_tensor
from ...tensors.tensor import EagerTensor
from .. import activations, constraints, initializers, regularizers
from ..layer import Layer
from ..seeds import SeedGenerator, draw_seed
from ..specs import InputSpec
from .core import in_dtype


class Activation(Layer):
    """A function of every element, by name or as it is."""

    supports_masking = True

    def __init__(self, activation: Any, **kwargs: Any):
        super().__init__(**kwargs)
        self.activation = activations.get(activation)
        self._build_at_init()

    def call(self, inputs: Any) -> Any:
        """The function of the inputs."""
        return self.activation(inputs)


class ReLU(Layer):
    """See ``activations.relu``."""

    supports_masking = True

    def __init__(self, max_value: Any = None, negative_slope: float = 0.0, threshold: float = 0.0, **kwargs: Any):
        super().__init__(**kwargs)
        self.max_value, self.negative_slope, self.threshold = max_value, negative_slope, threshold
        self._build_at_init()

    def call(self, inputs: Any) -> EagerTensor:
        """The rectified inputs."""
        return activations.relu(inputs, self.negative_slope, self.max_value, self.threshold)


class LeakyReLU(Layer):
    """``x`` where positive, else ``negative_slope * x``."""

    supports_masking = True

    def __init__(self, negative_slope: float = 0.3, **kwargs: Any):
        super().__init__(**kwargs)
        self.negative_slope = negative_slope
        self._build_at_init()

    def call(self, inputs: Any) -> EagerTensor:
        """The rectified inputs."""
        return activations.leaky_relu(inputs, self.negative_slope)


class ELU(Layer):
    """``x`` where positive, else ``alpha * (exp(x) - 1)``."""

    supports_masking = True

    def __init__(self, alpha: float = 1.0, **kwargs: Any):
        super().__init__(**kwargs)
        self.alpha = alpha
        self._build_at_init()

    def call(self, inputs: Any) -> EagerTensor:
        """The function of the inputs."""
        return activations.elu(inputs, self.alpha)


class PReLU(Layer):
    """``x`` where positive, else ``alpha * x``, where ``alpha`` is learnt for each place (He et al., 2015)."""

    supports_masking = True

    def __init__(
        self, alpha_initializer: Any = "zeros", alpha_regularizer: Any = None, alpha_constraint: Any = None,
        shared_axes: Any = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(**kwargs)
        self.alpha_initializer = initializers.get(alpha_initializer)
        self.alpha_regularizer = regularizers.get(alpha_regularizer)
        self.alpha_constraint = constraints.get(alpha_constraint)
        self.shared_axes = [shared_axes] if isinstance(shared_axes, int) else shared_axes

    def build(self, input_shape: Any) -> None:
        """Make ``alpha`` of the shape of an input, of size 1 along axes that share it."""
        shared = self.shared_axes or ()
        shape = tuple(1 if k in shared else size for k, size in enumerate(input_shape) if k)
        self.alpha = self.add_weight(
            shape=shape, name="alpha", initializer=self.alpha_initializer, regularizer=self.alpha_regularizer,
            constraint=self.alpha_constraint,
        )  # fmt: skip
        axes = {k: input_shape[k] for k in range(1, len(input_shape)) if k not in shared} if shared else {}
        self.input_spec = InputSpec(ndim=len(input_shape), axes=axes)

    def call(self, inputs: Any) -> EagerTensor:
        """The rectified inputs."""
        return nn.relu(inputs) + -self.alpha * nn.relu(-inputs)


class Softmax(Layer):
    """Probabilities along an axis, or along several together."""

    supports_masking = True

    def __init__(self, axis: Any = -1, **kwargs: Any):
        super().__init__(**kwargs)
        self.axis = axis
        self._build_at_init()

    def call(self, inputs: Any, mask: Any = None) -> EagerTensor:
        """The probabilities; 0 where ``mask``, which broadcasts, is False."""
        if mask is None:
            return self._softmax(inputs)
        low = cast(-3e4 if inputs.dtype.name == "float16" else -1e9, inputs.dtype)
        return where(mask, self._softmax(where(mask, inputs, low)), zeros_like(inputs))

    def _softmax(self, x: Any) -> EagerTensor:
        axes = [self.axis] if isinstance(self.axis, int) else list(self.axis)
        if len(axes) == 1:
            return activations.softmax(x, axes[0])
        return math.exp(x - math.reduce_logsumexp(x, axes, keepdims=True))


class Masking(Layer):
    """Masks the steps of a sequence that are all ``mask_value``, and makes them 0."""

    supports_masking = makes_masks = True

    def __init__(self, mask_value: float = 0.0, **kwargs: Any):
        super().__init__(**kwargs)
        self.mask_value = mask_value
        self._build_at_init()

    def compute_mask(self, inputs: Any, mask: Any = None) -> EagerTensor:
        """True for a step that has another number than ``mask_value``."""
        from .. import ops

        return ops.any(ops.not_equal(inputs, self.mask_value), axis=-1)

    def call(self, inputs: Any) -> EagerTensor:
        """The inputs, with 0 in the steps that are masked."""
        return where(expand_dims(self.compute_mask(inputs), -1), inputs, zeros_like(inputs))


class Identity(Layer):
    """The inputs."""

    supports_masking = True

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

    supports_masking = True

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


class Rescaling(Layer):
    """``inputs * scale + offset``."""

    supports_masking = True

    def __init__(self, scale: Any, offset: Any = 0.0, **kwargs: Any):
        super().__init__(**kwargs)
        self.scale, self.offset = scale, offset
        self._build_at_init()

    def call(self, inputs: Any) -> EagerTensor:
        """The scaled inputs."""
        return in_dtype(inputs, self._dtype) * self.scale + self.offset


class UnitNormalization(Layer):
    """The inputs over their length along an axis."""

    supports_masking = True

    def __init__(self, axis: int = -1, **kwargs: Any):
        super().__init__(**kwargs)
        self.axis = axis
        self._build_at_init()

    def call(self, inputs: Any) -> EagerTensor:
        """The inputs with length 1."""
        return nn.l2_normalize(inputs, axis=self.axis)
