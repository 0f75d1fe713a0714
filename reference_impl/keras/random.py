"""``tf.keras.random``: random numbers by Keras's seeds, a number, a SeedGenerator or None.

Uniform and normal numbers are TensorFlow's own; those of gamma, binomial and beta distributions, truncated normal ones
and classes have their distributions and are others.
"""

from __future__ import annotations

from typing import Any

import reference_impl as tf

from ..tensors.tensor import EagerTensor
from .policy import floatx, standardize_dtype
from .seeds import SeedGenerator, draw_seed


def normal(shape: Any, mean: float = 0.0, stddev: float = 1.0, dtype: Any = None, seed: Any = None) -> EagerTensor:
    """Normal numbers."""
    return tf.random.stateless_normal(shape, draw_seed(seed), mean, stddev, dtype or floatx())


def uniform(shape: Any, minval: float = 0.0, maxval: float = 1.0, dtype: Any = None, seed: Any = None) -> EagerTensor:
    """Numbers between two bounds."""
    return tf.random.stateless_uniform(shape, draw_seed(seed), minval, maxval, dtype or floatx())


def randint(shape: Any, minval: int, maxval: int, dtype: Any = "int32", seed: Any = None) -> EagerTensor:
    """Whole numbers from ``minval`` on, below ``maxval``.  ValueError for dtypes that hold none."""
    name = standardize_dtype(dtype)
    if "int" not in name:
        raise ValueError(f"`keras.random.randint` requires an integer `dtype`. Received: dtype={dtype} ")
    wide = name if name in ("int32", "int64") else "int64"
    return tf.cast(tf.random.stateless_uniform(shape, draw_seed(seed), minval, maxval, wide), name)


def truncated_normal(
    shape: Any, mean: float = 0.0, stddev: float = 1.0, dtype: Any = None, seed: Any = None
) -> EagerTensor:
    """Normal numbers, those beyond two deviations drawn anew."""
    return tf.random.stateless_truncated_normal(shape, draw_seed(seed), mean, stddev, dtype or floatx())


def categorical(logits: Any, num_samples: int, dtype: Any = "int32", seed: Any = None) -> EagerTensor:
    """Classes drawn by logits [batch, classes]."""
    drawn = tf.random.stateless_categorical(tf.convert_to_tensor(logits), num_samples, draw_seed(seed))
    return tf.cast(drawn, standardize_dtype(dtype))


def dropout(inputs: Any, rate: float, noise_shape: Any = None, seed: Any = None) -> EagerTensor:
    """The inputs with zeros at random places, what is left scaled up."""
    from .layers.elementwise import dropped

    return dropped(inputs, rate, noise_shape, seed)


def shuffle(x: Any, axis: int = 0, seed: Any = None) -> EagerTensor:
    """The slices along an axis in a random order."""
    x = tf.convert_to_tensor(x)
    order = tf.argsort(tf.random.stateless_uniform([tf.shape(x)[axis]], draw_seed(seed)))
    return tf.gather(x, order, axis=axis)


def gamma(shape: Any, alpha: Any, dtype: Any = None, seed: Any = None) -> EagerTensor:
    """Numbers of gamma distributions of shape ``alpha``."""
    name = standardize_dtype(dtype)
    drawn = tf.random.stateless_gamma(shape, draw_seed(seed), alpha, dtype=_drawn_in(name))
    return tf.cast(drawn, name)


def binomial(shape: Any, counts: Any, probabilities: Any, dtype: Any = None, seed: Any = None) -> EagerTensor:
    """How often what has a probability comes about in so many trials."""
    name = standardize_dtype(dtype)
    drawn = tf.random.stateless_binomial(shape, draw_seed(seed), counts, probabilities, output_dtype=_drawn_in(name))
    return tf.cast(drawn, name)


def beta(shape: Any, alpha: Any, beta: Any, dtype: Any = None, seed: Any = None) -> EagerTensor:
    """Numbers between 0 and 1 of beta distributions: a number of one gamma distribution over the sum of two."""
    name, first = standardize_dtype(dtype), draw_seed(seed)
    parts = []
    for power, pair in ((alpha, first), (beta, first + 12)):
        wide = tf.broadcast_to(tf.convert_to_tensor(power, _drawn_in(name)), shape)
        parts.append(tf.cast(tf.random.stateless_gamma(shape, pair, wide, dtype=_drawn_in(name)), name))
    return parts[0] / (parts[0] + parts[1])


def _drawn_in(name: str) -> str:
    """The dtype in which numbers are drawn: TensorFlow draws none of bfloat16."""
    return "float32" if name == "bfloat16" else name


__all__ = [
    "SeedGenerator", "beta", "binomial", "categorical", "dropout", "gamma", "normal", "randint", "shuffle",
    "truncated_normal", "uniform",
]  # fmt: skip


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    from .outside import missing

    raise missing("keras.random", name)
