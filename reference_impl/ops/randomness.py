"""Random numbers (``tf.random``): the stateless ones are TensorFlow's, bit for bit in their words; the others NumPy's.

Numbers are drawn as constants and then scaled by ops, so that gradients reach means, deviations and bounds.
"""

from __future__ import annotations

import math as _math
from typing import Any

import numpy as np

from ..conversion import convert_to_tensor
from ..dtypes import as_dtype, float32
from ..tensor import EagerTensor, wrap
from .casting import cast
from .declare import public
from .kernels import philox
from .shaping import ints

_state: dict[str, Any] = {"generator": None}


def _seed(seed: Any) -> tuple[int, int]:
    a, b = np.asarray(convert_to_tensor(seed)._a).tolist()
    return a, b


def _filled(numbers: np.ndarray, shape: tuple[int, ...]) -> EagerTensor:
    return wrap(numbers.reshape(shape)[()])


@public("random.stateless_uniform")
def stateless_uniform(
    shape: Any, seed: Any, minval: Any = 0, maxval: Any = None, dtype: Any = float32, name: str | None = None,
    alg: Any = "auto_select",
) -> EagerTensor:  # fmt: skip
    """Evenly distributed numbers in [minval, maxval), the same for the same seed (``tf.random.stateless_uniform``)."""
    size, want = ints(shape), as_dtype(dtype)
    count = _math.prod(size)
    if want.is_integer:
        if maxval is None:
            raise ValueError(f"Must specify maxval for integer dtype {want.name}")
        low, high = int(convert_to_tensor(minval)._a), int(convert_to_tensor(maxval)._a)
        return _filled(philox.integers(_seed(seed), count, low, high, want.numpy), size)
    low = convert_to_tensor(minval, want)
    high = convert_to_tensor(1 if maxval is None else maxval, want)
    return _filled(philox.uniform(_seed(seed), count, want.numpy), size) * (high - low) + low


@public("random.stateless_normal")
def stateless_normal(
    shape: Any, seed: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = float32, name: str | None = None,
    alg: Any = "auto_select",
) -> EagerTensor:  # fmt: skip
    """Normally distributed numbers, the same for the same seed (``tf.random.stateless_normal``)."""
    size, want = ints(shape), as_dtype(dtype)
    drawn = _filled(philox.normal(_seed(seed), _math.prod(size), want.numpy), size)
    return drawn * convert_to_tensor(stddev, want) + convert_to_tensor(mean, want)


def generator(seed: Any = None) -> np.random.Generator:
    """The generator of the ops with a state: one of its own for a seed, else the one that ``set_seed`` started."""
    if seed is not None:
        return np.random.default_rng(seed)
    if _state["generator"] is None:
        _state["generator"] = np.random.default_rng()
    return _state["generator"]


@public("random.set_seed")
def set_seed(seed: int) -> None:
    """Start the global generator afresh (``tf.random.set_seed``); what it draws is NumPy's, not TensorFlow's."""
    _state["generator"] = np.random.default_rng(seed)


@public("random.normal")
def normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = float32, seed: Any = None, name: str | None = None
) -> EagerTensor:
    """Normally distributed numbers (``tf.random.normal``), drawn by NumPy."""
    size, want = ints(shape), as_dtype(dtype)
    drawn = wrap(np.asarray(generator(seed).standard_normal(size)).astype(want.numpy)[()])
    return drawn * convert_to_tensor(stddev, want) + convert_to_tensor(mean, want)


@public("random.uniform")
def uniform(
    shape: Any, minval: Any = 0, maxval: Any = None, dtype: Any = float32, seed: Any = None, name: str | None = None
) -> EagerTensor:
    """Evenly distributed numbers in [minval, maxval) (``tf.random.uniform``), drawn by NumPy."""
    size, want = ints(shape), as_dtype(dtype)
    if want.is_integer:
        if maxval is None:
            raise ValueError(f"Must specify maxval for integer dtype {want.name}")
        drawn = generator(seed).integers(int(convert_to_tensor(minval)._a), int(convert_to_tensor(maxval)._a), size)
        return wrap(np.asarray(drawn).astype(want.numpy)[()])
    low, high = convert_to_tensor(minval, want), convert_to_tensor(1 if maxval is None else maxval, want)
    drawn = wrap(np.asarray(generator(seed).random(size)).astype(want.numpy)[()])
    return drawn * (high - low) + low


@public("random.shuffle")
def shuffle(value: Any, seed: Any = None, name: str | None = None) -> EagerTensor:
    """The rows in a random order (``tf.random.shuffle``); a constant for every tape, as in TensorFlow."""
    a = convert_to_tensor(value)._a
    return wrap(a[generator(seed).permutation(a.shape[0])])


@public("random.categorical")
def categorical(
    logits: Any, num_samples: Any, dtype: Any = "int64", seed: Any = None, name: str | None = None
) -> EagerTensor:
    """Classes drawn with the probabilities that logits give (``tf.random.categorical``)."""
    rows = np.asarray(convert_to_tensor(logits)._a, np.float64)
    noise = generator(seed).gumbel(size=(rows.shape[0], int(num_samples), rows.shape[1]))
    return cast(wrap(np.argmax(rows[:, None, :] + noise, axis=-1)), dtype)
