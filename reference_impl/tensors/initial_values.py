"""TensorFlow's own initializers of variables: objects that make a tensor of a shape.

``random_normal_initializer(0.0, 0.1)([2, 3])`` is a tensor of shape [2, 3].  Those of Keras are in ``tf.initializers``.
"""

from __future__ import annotations

from typing import Any

from ..dtypes import as_dtype, float32, string
from ..ops.making import ones, zeros
from ..ops.shaping import ints
from ..randomness.functions import normal, uniform
from .conversion import constant
from .tensor import EagerTensor


class _Initializer:
    """What they have in common: the arguments they were made with."""

    @classmethod
    def from_config(cls, config: dict) -> Any:
        """One made with the arguments of a config, without its ``dtype``."""
        return cls(**{k: v for k, v in config.items() if k != "dtype"})


class Zeros(_Initializer):
    """Zeros."""

    def __call__(self, shape: Any, dtype: Any = float32, **kwargs: Any) -> EagerTensor:
        _check_numeric(dtype)
        return zeros(shape, dtype)

    def get_config(self) -> dict:
        """The arguments it was made with."""
        return {}


class Ones(Zeros):
    """Ones."""

    def __call__(self, shape: Any, dtype: Any = float32, **kwargs: Any) -> EagerTensor:
        _check_numeric(dtype)
        return ones(shape, dtype)


class Constant(_Initializer):
    """One value, or the values of a list or array of the right size."""

    def __init__(self, value: Any = 0, support_partition: bool = False):
        self.value = value

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> EagerTensor:
        return constant(self.value, None if dtype is None else as_dtype(dtype), shape=ints(shape))

    def get_config(self) -> dict:
        """The arguments it was made with."""
        return {"value": self.value}


class RandomUniform(_Initializer):
    """Numbers in [minval, maxval); with a seed always the same."""

    def __init__(self, minval: Any = -0.05, maxval: Any = 0.05, seed: Any = None):
        self.minval, self.maxval, self.seed = minval, maxval, seed

    def __call__(self, shape: Any, dtype: Any = float32, **kwargs: Any) -> EagerTensor:
        _check_numeric(dtype)
        return uniform(shape, self.minval, self.maxval, dtype, self.seed)

    def get_config(self) -> dict:
        """The arguments it was made with."""
        return {"minval": self.minval, "maxval": self.maxval, "seed": self.seed}


class RandomNormal(_Initializer):
    """Normal numbers; with a seed always the same."""

    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: Any = None):
        self.mean, self.stddev, self.seed = mean, stddev, seed

    def __call__(self, shape: Any, dtype: Any = float32, **kwargs: Any) -> EagerTensor:
        if not as_dtype(dtype).is_floating:
            raise ValueError(f"Argument `dtype` is expected to be floating point. Received: {as_dtype(dtype)}.")
        return normal(shape, self.mean, self.stddev, dtype, self.seed)

    def get_config(self) -> dict:
        """The arguments it was made with."""
        return {"mean": self.mean, "stddev": self.stddev, "seed": self.seed}


def _check_numeric(dtype: Any) -> None:
    want = as_dtype(dtype)
    if want is string:
        raise ValueError(f"Argument `dtype` expected to be numeric or boolean. Received {want}.")


zeros_initializer, ones_initializer, constant_initializer = Zeros, Ones, Constant
random_uniform_initializer, random_normal_initializer = RandomUniform, RandomNormal
