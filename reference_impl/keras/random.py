"""``tf.keras.random``: random numbers by Keras's seeds, a number, a SeedGenerator or None.

Uniform and normal numbers are TensorFlow's own.
"""

from __future__ import annotations

from typing import Any

import reference_impl as tf

from ..tensors.tensor import EagerTensor
from .policy import floatx
from .seeds import SeedGenerator, draw_seed


def normal(shape: Any, mean: float = 0.0, stddev: float = 1.0, dtype: Any = None, seed: Any = None) -> EagerTensor:
    """Normal numbers."""
    return tf.random.stateless_normal(shape, draw_seed(seed), mean, stddev, dtype or floatx())


def uniform(shape: Any, minval: float = 0.0, maxval: float = 1.0, dtype: Any = None, seed: Any = None) -> EagerTensor:
    """Numbers between two bounds."""
    return tf.random.stateless_uniform(shape, draw_seed(seed), minval, maxval, dtype or floatx())


def randint(shape: Any, minval: int, maxval: int, dtype: Any = "int32", seed: Any = None) -> EagerTensor:
    """Whole numbers from ``minval`` on, below ``maxval``."""
    return tf.random.stateless_uniform(shape, draw_seed(seed), minval, maxval, dtype)


def truncated_normal(
    shape: Any, mean: float = 0.0, stddev: float = 1.0, dtype: Any = None, seed: Any = None
) -> EagerTensor:
    """Normal numbers, those beyond two deviations drawn anew."""
    return tf.random.stateless_truncated_normal(shape, draw_seed(seed), mean, stddev, dtype or floatx())


def categorical(logits: Any, num_samples: int, dtype: Any = "int32", seed: Any = None) -> EagerTensor:
    """Classes drawn by logits [batch, classes]."""
    return tf.random.stateless_categorical(tf.convert_to_tensor(logits), num_samples, draw_seed(seed), dtype)


def dropout(inputs: Any, rate: float, noise_shape: Any = None, seed: Any = None) -> EagerTensor:
    """The inputs with zeros at random places, what is left scaled up."""
    from .layers.elementwise import dropped

    return dropped(inputs, rate, noise_shape, seed)


__all__ = ["SeedGenerator", "categorical", "dropout", "normal", "randint", "truncated_normal", "uniform"]


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    from .outside import missing

    raise missing("keras.random", name)
