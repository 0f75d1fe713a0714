"""More normalisations: GroupNormalization, RMSNormalization, and Normalization, which learns from data once."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import math, nn
from ...ops.casting import cast
from ...ops.making import shape as dynamic_shape
from ...ops.shaping import broadcast_to, reshape
from ...tensors.conversion import convert_to_tensor
from ...tensors.tensor import EagerTensor, is_tensor
from ..layer import Layer
from ..policy import epsilon as smallest
from ..specs import InputSpec
from .core import in_dtype
from .normalization import _Normalization


class GroupNormalization(_Normalization):
    """Each group of channels of each example with mean 0 and variance 1 (Wu and He, 2018)."""

    def __init__(
        self, groups: int = 32, axis: int = -1, epsilon: float = 0.001, center: bool = True, scale: bool = True,
        beta_initializer: Any = "zeros", gamma_initializer: Any = "ones", beta_regularizer: Any = None,
        gamma_regularizer: Any = None, beta_constraint: Any = None, gamma_constraint: Any = None, **kwargs: Any,
    ):  # fmt: skip
        if not isinstance(groups, int) or (groups <= 0 and groups != -1):
            raise ValueError(
                "Received an invalid value for argument `groups`, expected a positive integer (or `-1` for instance "
                f"normalization). Received: groups={groups}"
            )
        super().__init__(
            epsilon, center, scale, beta_initializer, gamma_initializer, beta_regularizer, gamma_regularizer,
            beta_constraint, gamma_constraint, kwargs,
        )  # fmt: skip
        self.groups, self.axis = groups, axis

    def build(self, input_shape: Any) -> None:
        """Make ``gamma`` and ``beta`` of the size of the axis."""
        size = input_shape[self.axis]
        if size is None:
            raise ValueError(
                f"Axis {self.axis} of input tensor should have a defined dimension but the layer received an input "
                f"with shape {input_shape}."
            )
        self.groups = size if self.groups == -1 else self.groups
        if size < self.groups:
            raise ValueError(f"Number of groups ({self.groups}) cannot be more than the number of channels ({size}).")
        if size % self.groups:
            raise ValueError(f"Number of groups ({self.groups}) must be a multiple of the number of channels ({size}).")
        self._make((size,))
        self.input_spec = InputSpec(ndim=len(input_shape), axes={self.axis: size})

    def call(self, inputs: Any) -> EagerTensor:
        """The normalised inputs."""
        given = convert_to_tensor(inputs)
        x, rank, place = self._wide(given), len(given.shape), self.axis % len(given.shape)
        sizes: list[Any] = [dynamic_shape(x)[k] if s is None else s for k, s in enumerate(x.shape)]
        each = x.shape[place] // self.groups
        sizes[0], sizes[place : place + 1] = -1, [self.groups, each]
        grouped = reshape(x, sizes)
        axes = [k for k in range(1, rank + 1) if k != place]
        mean, variance = nn.moments(grouped, axes, keepdims=True)
        wide = [1] * (rank + 1)
        wide[place], wide[place + 1] = self.groups, each
        factor = math.rsqrt(variance + self.epsilon)
        if self.gamma is not None:
            factor = factor * cast(reshape(self.gamma, wide), x.dtype)
        shift = -mean * factor
        if self.beta is not None:
            shift = shift + cast(reshape(self.beta, wide), x.dtype)
        return cast(reshape(grouped * factor + shift, dynamic_shape(given)), self._dtype)


class RMSNormalization(Layer):
    """The inputs over the root of their mean square along an axis, times ``scale`` (Zhang and Sennrich, 2019)."""

    def __init__(self, axis: Any = -1, epsilon: float = 1e-6, **kwargs: Any):
        super().__init__(**kwargs)
        self.axis, self.epsilon = axis, epsilon

    def build(self, input_shape: Any) -> None:
        """Make ``scale`` of the sizes of the axes."""
        self.axis = sorted(self.axis) if isinstance(self.axis, (list, tuple)) else [self.axis]
        shape = tuple(input_shape[a] for a in self.axis)
        self.scale = self.add_weight(name="scale", shape=shape, initializer="ones")

    def call(self, x: Any) -> EagerTensor:
        """The scaled inputs."""
        x = convert_to_tensor(x)
        wide = cast(x, "float32") if x.dtype.size < 4 else x
        factor = math.rsqrt(math.reduce_mean(math.square(wide), axis=list(self.axis), keepdims=True) + self.epsilon)
        return cast(wide * factor * cast(self.scale, wide.dtype), x.dtype)


class Normalization(Layer):
    """``(inputs - mean) / deviation`` along an axis; ``adapt(data)`` finds mean and variance, or they are given."""

    supports_masking = True

    def __init__(self, axis: Any = -1, mean: Any = None, variance: Any = None, invert: bool = False, **kwargs: Any):
        super().__init__(**kwargs)
        self.axis = () if axis is None else (axis,) if isinstance(axis, int) else tuple(axis)
        if (mean is None) != (variance is None):
            raise ValueError(
                "When setting values directly, both `mean` and `variance` must be set. Received: "
                f"mean={mean} and variance={variance}"
            )
        self.input_mean, self.input_variance, self.invert = mean, variance, invert
        self.mean: Any = None
        self.variance: Any = None

    def build(self, input_shape: Any) -> None:
        """Make ``mean``, ``variance`` and ``count``, unless they were given."""
        rank = len(input_shape)
        self._kept = tuple(sorted(a % rank for a in self.axis))
        for k in self._kept:
            if input_shape[k] is None:
                raise ValueError(
                    f"All `axis` values to be kept must have a known shape. Received axis={self.axis}, "
                    f"inputs.shape={input_shape}, with unknown axis at index {k}"
                )
        self._reduced = tuple(k for k in range(rank) if k not in self._kept)
        self._wide = [input_shape[k] if k in self._kept else 1 for k in range(rank)]
        shape = tuple(input_shape[k] for k in self._kept)
        if self.input_mean is None:
            self.adapt_mean = self.add_weight(name="mean", shape=shape, initializer="zeros", trainable=False)
            self.adapt_variance = self.add_weight(name="variance", shape=shape, initializer="ones", trainable=False)
            self.count = self.add_weight(name="count", shape=(), dtype="int", initializer="zeros", trainable=False)
            self.finalize_state()
        else:
            self.mean, self.variance = (self._placed(v) for v in (self.input_mean, self.input_variance))

    def _placed(self, value: Any) -> EagerTensor:
        """Numbers that were given, as wide as the inputs."""
        value = in_dtype(value, self._dtype)
        if len(value.shape) == 0:
            return broadcast_to(value, self._wide)
        sizes = [1] * len(self._wide)
        for k in range(1, len(value.shape) + 1):
            sizes[self._kept[-k]] = value.shape[-k]
        return broadcast_to(reshape(value, sizes), self._wide)

    def adapt(self, data: Any) -> None:
        """Find mean and variance of an array, a tensor, a Dataset, or batches.  TypeError for anything else."""
        if isinstance(data, np.ndarray) or is_tensor(data):
            batches = [np.asarray(data)]
        elif hasattr(data, "__iter__"):
            batches = [np.asarray(b[0] if isinstance(b, tuple) else b) for b in data]
            if batches and batches[0].ndim == 1:
                batches = [np.stack(batches)]
        else:
            raise TypeError(
                f"Unsupported data type: {type(data)}. `adapt` supports `np.ndarray`, backend tensors, "
                "`tf.data.Dataset`, `keras.utils.PyDataset`, and iterables of batches (e.g. list, generator)."
            )
        if not self.built:
            self.build(batches[0].shape)
        mean, variance = _moments(batches, self._reduced)
        self.adapt_mean.assign(mean)
        self.adapt_variance.assign(variance)
        self.finalize_state()

    def finalize_state(self) -> None:
        """Take mean and variance from the variables."""
        if self.input_mean is None:
            self.mean = cast(reshape(self.adapt_mean, self._wide), self._dtype)
            self.variance = cast(reshape(self.adapt_variance, self._wide), self._dtype)

    def call(self, inputs: Any) -> EagerTensor:
        """The normalised inputs; with ``invert`` the other way round."""
        x, deviation = in_dtype(inputs, self._dtype), math.maximum(math.sqrt(self.variance), smallest())
        return self.mean + x * deviation if self.invert else (x - self.mean) / deviation


def _moments(batches: list[np.ndarray], axes: tuple[int, ...]) -> tuple[Any, Any]:
    """Mean and variance of all batches."""
    mean: Any = 0.0
    variance: Any = 0.0
    seen = 0
    for batch in batches:
        count = int(np.prod([batch.shape[k] for k in axes])) if axes else 1
        seen += count
        share = count / seen
        of_batch = batch.mean(axis=axes), batch.var(axis=axes)
        new = mean * (1.0 - share) + of_batch[0] * share
        variance = (variance + (mean - new) ** 2) * (1.0 - share) + (of_batch[1] + (of_batch[0] - new) ** 2) * share
        mean = new
    return mean, variance
