"""Layers that disturb their inputs while training (GaussianNoise, SpatialDropout ...), and ActivityRegularization."""

from __future__ import annotations

import math as plain_math
from typing import Any

from ...ops.casting import cast
from ...ops.making import shape as dynamic_shape
from ...ops.randomness import stateless_normal, stateless_uniform
from ...tensors.tensor import EagerTensor
from .. import regularizers
from ..layer import Layer
from ..seeds import SeedGenerator, draw_seed
from ..specs import InputSpec
from .convolution import channels_last
from .elementwise import Dropout


class _Noise(Layer):
    """A layer that draws numbers, unless its one number is 0 or it does not train."""

    supports_masking = True

    def _begin(self, name: str, value: float, seed: Any) -> None:
        if not 0 <= value <= 1:
            raise ValueError(
                f"Invalid value received for argument `{name}`. Expected a float value between 0 and 1. Received: "
                f"{name}={value}"
            )
        setattr(self, name, value)
        self.seed = seed
        if value > 0:
            self.seed_generator = SeedGenerator(seed)
        self._build_at_init()

    def _normal(self, like: Any, mean: float, deviation: float) -> EagerTensor:
        return stateless_normal(dynamic_shape(like), draw_seed(self.seed_generator), mean, deviation, self._dtype)


class GaussianNoise(_Noise):
    """Normal numbers are added."""

    stddev: float

    def __init__(self, stddev: float, seed: Any = None, **kwargs: Any):
        super().__init__(**kwargs)
        self._begin("stddev", stddev, seed)

    def call(self, inputs: Any, training: Any = False) -> EagerTensor:
        """The inputs, with noise when ``training``."""
        return inputs + self._normal(inputs, 0.0, self.stddev) if training and self.stddev > 0 else inputs


class GaussianDropout(_Noise):
    """Multiplied by normal numbers around 1."""

    rate: float

    def __init__(self, rate: float, seed: Any = None, **kwargs: Any):
        super().__init__(**kwargs)
        self._begin("rate", rate, seed)

    def call(self, inputs: Any, training: Any = False) -> EagerTensor:
        """The inputs, multiplied by noise when ``training``."""
        if not training or self.rate <= 0:
            return inputs
        return inputs * self._normal(inputs, 1.0, plain_math.sqrt(self.rate / (1.0 - self.rate)))


class AlphaDropout(_Noise):
    """Dropout that keeps mean and variance of what comes out of ``selu`` (Klambauer et al., 2017)."""

    rate: float

    def __init__(self, rate: float, noise_shape: Any = None, seed: Any = None, **kwargs: Any):
        super().__init__(**kwargs)
        self.noise_shape = noise_shape
        self._begin("rate", rate, seed)

    def call(self, inputs: Any, training: Any = False) -> EagerTensor:
        """The inputs, some of them at the bottom of ``selu`` when ``training``."""
        if not training or self.rate <= 0:
            return inputs
        size = dynamic_shape(inputs)
        if self.noise_shape is not None:
            size = [size[k] if n is None else n for k, n in enumerate(self.noise_shape)]
        bottom = -1.6732632423543772 * 1.0507009873554805
        kept = cast(stateless_uniform(size, draw_seed(self.seed_generator)) >= self.rate, inputs.dtype)
        a = ((1 - self.rate) * (1 + self.rate * bottom**2)) ** -0.5
        return a * (inputs * kept + bottom * (1 - kept)) - a * bottom * self.rate


class _SpatialDropout(Dropout):
    """Dropout of whole channels."""

    rank = 2

    def __init__(
        self, rate: float, data_format: Any = None, seed: Any = None, name: str | None = None, dtype: Any = None
    ):
        channels_last(data_format)
        super().__init__(rate, seed=seed, name=name, dtype=dtype)
        self.noise_shape = (None, *(1,) * self.rank, None)
        self.input_spec = InputSpec(ndim=self.rank + 2)


class SpatialDropout1D(_SpatialDropout):
    """Dropout of whole channels of sequences."""

    rank = 1

    def __init__(self, rate: float, seed: Any = None, name: str | None = None, dtype: Any = None):
        super().__init__(rate, None, seed, name, dtype)


class SpatialDropout2D(_SpatialDropout):
    """Dropout of whole channels of images."""


class SpatialDropout3D(_SpatialDropout):
    """Dropout of whole channels of volumes."""

    rank = 3


class ActivityRegularization(Layer):
    """The inputs; ``l1`` times the sum of their sizes and ``l2`` times that of their squares are losses."""

    supports_masking = True

    def __init__(self, l1: float = 0.0, l2: float = 0.0, **kwargs: Any):
        super().__init__(activity_regularizer=regularizers.L1L2(l1=l1, l2=l2), **kwargs)
        self.l1, self.l2 = l1, l2
        self._build_at_init()

    def call(self, inputs: Any) -> Any:
        """The inputs."""
        return inputs
