"""BatchNormalization, whose rows depend on each other while training, and LayerNormalization, whose rows do not."""

from __future__ import annotations

from typing import Any

from ... import math, nn
from ...math import rsqrt
from ...ops.casting import cast
from ...ops.making import shape as dynamic_shape
from ...ops.making import zeros_like
from ...ops.selection import where
from ...ops.shaping import broadcast_to, reshape
from ...ops.squeezing import expand_dims, squeeze
from ...tensors.conversion import convert_to_tensor
from ...tensors.tensor import EagerTensor
from .. import constraints, initializers, regularizers
from ..layer import Layer
from ..policy import epsilon
from ..specs import InputSpec


class _Normalization(Layer):
    """What both have: ``gamma`` and ``beta``."""

    supports_masking = True

    def __init__(
        self, epsilon: float, center: bool, scale: bool, beta_initializer: Any, gamma_initializer: Any,
        beta_regularizer: Any, gamma_regularizer: Any, beta_constraint: Any, gamma_constraint: Any, kwargs: dict,
    ):  # fmt: skip
        super().__init__(**kwargs)
        self.epsilon, self.center, self.scale = epsilon, center, scale
        self.beta_initializer = initializers.get(beta_initializer)
        self.gamma_initializer = initializers.get(gamma_initializer)
        self.beta_regularizer = regularizers.get(beta_regularizer)
        self.gamma_regularizer = regularizers.get(gamma_regularizer)
        self.beta_constraint, self.gamma_constraint = (
            constraints.get(beta_constraint),
            constraints.get(gamma_constraint),
        )
        self.gamma: Any = None
        self.beta: Any = None

    def _make(self, shape: tuple) -> None:
        if self.scale:
            self.gamma = self.add_weight(
                shape=shape, name="gamma", initializer=self.gamma_initializer, regularizer=self.gamma_regularizer,
                constraint=self.gamma_constraint, autocast=False,
            )  # fmt: skip
        if self.center:
            self.beta = self.add_weight(
                shape=shape, name="beta", initializer=self.beta_initializer, regularizer=self.beta_regularizer,
                constraint=self.beta_constraint, autocast=False,
            )  # fmt: skip

    def _wide(self, x: Any) -> EagerTensor:
        """The inputs in at least float32."""
        x = convert_to_tensor(x)
        return x if x.dtype.name == "float64" else x if x.dtype.name == "float32" else cast(x, "float32")


class BatchNormalization(_Normalization):
    """Each channel with mean 0 and variance 1 over the batch (training), or by moving averages (otherwise)."""

    def __init__(
        self, axis: int = -1, momentum: float = 0.99, epsilon: float = 0.001, center: bool = True, scale: bool = True,
        beta_initializer: Any = "zeros", gamma_initializer: Any = "ones", moving_mean_initializer: Any = "zeros",
        moving_variance_initializer: Any = "ones", beta_regularizer: Any = None, gamma_regularizer: Any = None,
        beta_constraint: Any = None, gamma_constraint: Any = None, synchronized: bool = False, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(
            epsilon, center, scale, beta_initializer, gamma_initializer, beta_regularizer, gamma_regularizer,
            beta_constraint, gamma_constraint, kwargs,
        )  # fmt: skip
        self.axis, self.momentum = int(axis), float(momentum)
        self.moving_mean_initializer = initializers.get(moving_mean_initializer)
        self.moving_variance_initializer = initializers.get(moving_variance_initializer)

    def build(self, input_shape: Any) -> None:
        """Make ``gamma``, ``beta``, ``moving_mean`` and ``moving_variance``, each of the size of the axis."""
        shape = (input_shape[self.axis],)
        self._make(shape)
        for name in ("moving_mean", "moving_variance"):
            variable = self.add_weight(
                shape=shape, name=name, initializer=getattr(self, f"{name}_initializer"), trainable=False,
                autocast=False,
            )  # fmt: skip
            setattr(self, name, variable)
        self.input_spec = InputSpec(ndim=len(input_shape), axes={self.axis: input_shape[self.axis]})
        axes = list(range(len(input_shape)))
        del axes[self.axis]
        self._reduction_axes = axes

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> EagerTensor:
        """The normalised inputs; while training the moving averages are updated."""
        x = self._wide(inputs)
        mean, variance = (cast(v, x.dtype) for v in (self.moving_mean, self.moving_variance))
        if training and self.trainable:
            old_mean, old_variance = mean, variance
            mean, variance = nn.moments(x, self._reduction_axes) if mask is None else self._masked_moments(x, mask)
            self.moving_mean.assign(old_mean * self.momentum + mean * (1.0 - self.momentum))
            self.moving_variance.assign(old_variance * self.momentum + variance * (1.0 - self.momentum))
        beta, gamma = (None if v is None else cast(v, x.dtype) for v in (self.beta, self.gamma))
        if self.axis != -1:
            shape = [1] * len(x.shape)
            shape[self.axis] = -1
            mean, variance, beta, gamma = (
                None if v is None else reshape(v, shape) for v in (mean, variance, beta, gamma)
            )
        return cast(nn.batch_normalization(x, mean, variance, beta, gamma, self.epsilon), self._dtype)

    def _masked_moments(self, x: Any, mask: Any) -> tuple[EagerTensor, EagerTensor]:
        """Mean and variance of what the mask keeps."""
        kept = broadcast_to(expand_dims(mask, -1), dynamic_shape(x))
        count = math.reduce_sum(cast(kept, x.dtype), self._reduction_axes, keepdims=True) + epsilon()
        mean = math.reduce_sum(where(kept, x, zeros_like(x)), self._reduction_axes, keepdims=True) / count
        squares = math.square(where(kept, x - mean, zeros_like(x)))
        variance = math.reduce_sum(squares, self._reduction_axes, keepdims=True) / count
        return squeeze(mean), squeeze(variance)


class LayerNormalization(_Normalization):
    """Each example with mean 0 and variance 1 over some axes."""

    def __init__(
        self, axis: Any = -1, epsilon: float = 0.001, center: bool = True, scale: bool = True,
        beta_initializer: Any = "zeros", gamma_initializer: Any = "ones", beta_regularizer: Any = None,
        gamma_regularizer: Any = None, beta_constraint: Any = None, gamma_constraint: Any = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(
            epsilon, center, scale, beta_initializer, gamma_initializer, beta_regularizer, gamma_regularizer,
            beta_constraint, gamma_constraint, kwargs,
        )  # fmt: skip
        if not isinstance(axis, (int, list, tuple)):
            raise TypeError(f"Expected an int or a list/tuple of ints for the argument 'axis', but received: {axis!r}")
        self.axis = axis if isinstance(axis, int) else list(axis)
        self.autocast = False

    def build(self, input_shape: Any) -> None:
        """Make ``gamma`` and ``beta`` of the sizes of the axes."""
        self.axis = [self.axis] if isinstance(self.axis, int) else sorted(self.axis)
        self._make(tuple(input_shape[a] for a in self.axis))

    def call(self, inputs: Any) -> EagerTensor:
        """The normalised inputs."""
        given = convert_to_tensor(inputs)
        x = self._wide(given)
        rank = len(x.shape)
        axes = sorted(self.axis)
        gamma, beta = (None if v is None else cast(v, x.dtype) for v in (self.gamma, self.beta))
        if axes not in ([-1], [rank - 1]):
            shape = [1] * rank
            for a in axes:
                shape[a] = x.shape[a]
            gamma, beta = (None if v is None else reshape(v, shape) for v in (gamma, beta))
        mean, variance = nn.moments(x, axes, keepdims=True)
        factor = rsqrt(variance + self.epsilon)
        if gamma is not None:
            factor = factor * gamma
        shift = -mean * factor
        if beta is not None:
            shift = shift + beta
        return cast(cast(x * factor + shift, given.dtype), self._dtype)
