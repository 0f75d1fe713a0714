"""The functions of ``tf.random``: with a state (``normal`` ...) and without one (``stateless_gamma`` ...)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import as_dtype, float32, int32
from ..foundation.building import intercepted
from ..ops.given_sizes import shape_of_random
from ..tensors.tensor import EagerTensor, wrap
from . import draws
from .seeds import generator, of_pair


@intercepted
def normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = float32, seed: Any = None, name: str | None = None
) -> EagerTensor:
    """Normal numbers (``tf.random.normal``); mean and standard deviation broadcast against ``shape``."""
    return draws.normal(generator(seed), shape_of_random("RandomStandardNormal", shape, name), mean, stddev, dtype)


@intercepted
def truncated_normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = float32, seed: Any = None, name: str | None = None
) -> EagerTensor:
    """Normal numbers within two standard deviations (``tf.random.truncated_normal``)."""
    size = shape_of_random("TruncatedNormal", shape, name)
    return draws.truncated_normal(generator(seed), size, mean, stddev, dtype)


@intercepted
def uniform(
    shape: Any, minval: Any = 0, maxval: Any = None, dtype: Any = float32, seed: Any = None, name: str | None = None
) -> EagerTensor:
    """Numbers in [minval, maxval) (``tf.random.uniform``); integers need ``maxval``, floats have 1."""
    kernel = "RandomUniformInt" if as_dtype(dtype).is_integer else "RandomUniform"
    return draws.uniform(generator(seed), shape_of_random(kernel, shape, name), minval, maxval, dtype)


@intercepted
def gamma(
    shape: Any, alpha: Any, beta: Any = None, dtype: Any = float32, seed: Any = None, name: str | None = None
) -> EagerTensor:
    """Gamma numbers, for each element of ``alpha`` and ``beta`` (``tf.random.gamma``), differentiable by both."""
    return draws.gamma(generator(seed), shape, alpha, beta, dtype)


@intercepted
def poisson(shape: Any, lam: Any, dtype: Any = float32, seed: Any = None, name: str | None = None) -> EagerTensor:
    """Poisson numbers, for each rate (``tf.random.poisson``)."""
    return draws.poisson(generator(seed), shape, lam, dtype)


@intercepted
def categorical(
    logits: Any, num_samples: Any, dtype: Any = None, seed: Any = None, name: str | None = None
) -> EagerTensor:
    """Classes drawn by unnormalised log-probabilities: [rows, classes] -> [rows, num_samples]."""
    return draws.categorical(generator(seed), logits, num_samples, dtype)


@intercepted
def shuffle(value: Any, seed: Any = None, name: str | None = None) -> EagerTensor:
    """The rows in random order (``tf.random.shuffle``)."""
    return draws.shuffled(generator(seed), value)


@intercepted
def stateless_truncated_normal(
    shape: Any, seed: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = float32, name: str | None = None,
    alg: Any = "auto_select",
) -> EagerTensor:  # fmt: skip
    """As ``truncated_normal``, by a pair of seeds."""
    size = shape_of_random("StatelessTruncatedNormalV2", shape, name)
    return draws.truncated_normal(of_pair(seed), size, mean, stddev, dtype)


@intercepted
def stateless_gamma(
    shape: Any, seed: Any, alpha: Any, beta: Any = None, dtype: Any = float32, name: str | None = None
) -> EagerTensor:
    """Gamma numbers of exactly the shape ``shape``, by a pair of seeds."""
    alpha_shape = np.broadcast_shapes(np.shape(alpha), np.shape(1 if beta is None else beta))
    lead = draws.ints(shape)
    return draws.gamma(of_pair(seed), lead[: len(lead) - len(alpha_shape)], alpha, beta, dtype)


@intercepted
def stateless_poisson(shape: Any, seed: Any, lam: Any, dtype: Any = int32, name: str | None = None) -> EagerTensor:
    """Poisson numbers of exactly the shape ``shape``, by a pair of seeds."""
    lead = draws.ints(shape)
    return draws.poisson(of_pair(seed), lead[: len(lead) - np.ndim(lam)], lam, dtype)


@intercepted
def stateless_binomial(
    shape: Any, seed: Any, counts: Any, probs: Any, output_dtype: Any = int32, name: str | None = None
) -> EagerTensor:
    """How many of ``counts`` trials succeed, by a pair of seeds."""
    return draws.binomial(of_pair(seed), shape, counts, probs, output_dtype)


@intercepted
def stateless_categorical(
    logits: Any, num_samples: Any, seed: Any, dtype: Any = "int64", name: str | None = None
) -> EagerTensor:
    """As ``categorical``, by a pair of seeds."""
    return draws.categorical(of_pair(seed), logits, num_samples, dtype)


@intercepted
def stateless_shuffle(value: Any, seed: Any, alg: Any = "auto_select", name: str | None = None) -> EagerTensor:
    """The rows in an order that depends on the pair of seeds."""
    return draws.shuffled(of_pair(seed), value)


@intercepted
def split(seed: Any, num: int = 2, alg: Any = "auto_select") -> EagerTensor:
    """``num`` new pairs of seeds from one: shape [num, 2] (``tf.random.split``)."""
    return wrap(of_pair(seed).integers(0, 2**31 - 1, (int(num), 2), dtype=np.int32))


@intercepted
def fold_in(seed: Any, data: Any, alg: Any = "auto_select") -> EagerTensor:
    """A new pair of seeds from one and a number (``tf.random.fold_in``)."""
    rng = of_pair([*draws.ints(seed), *draws.ints(data)])
    return wrap(rng.integers(0, 2**31 - 1, 2, dtype=np.int32))
