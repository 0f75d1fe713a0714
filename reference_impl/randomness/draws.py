"""Arrays of random numbers from a NumPy generator, in the dtypes and with the errors of TensorFlow's kernels."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import as_dtype
from ..errors import invalid
from ..ops.arithmetic import maximum
from ..ops.casting import cast
from ..ops.randomness import gamma_number
from ..ops.shaping import broadcast_to, ints
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, wrap


def normal(rng: np.random.Generator, shape: Any, mean: Any, stddev: Any, dtype: Any) -> EagerTensor:
    """Normal numbers; gradients flow to mean and standard deviation."""
    want = as_dtype(dtype)
    mean, stddev = convert_to_tensor(mean, want), convert_to_tensor(stddev, want)
    return wrap(_scaled(rng.standard_normal(ints(shape)), want)) * stddev + mean


def truncated_normal(rng: np.random.Generator, shape: Any, mean: Any, stddev: Any, dtype: Any) -> EagerTensor:
    """Normal numbers, drawn again as long as they are more than two standard deviations away."""
    want, size = as_dtype(dtype), ints(shape)
    mean, stddev = convert_to_tensor(mean, want), convert_to_tensor(stddev, want)
    values = rng.standard_normal(size)
    far = np.abs(values) > 2
    while far.any():
        values = np.where(far, rng.standard_normal(size), values)
        far = np.abs(values) > 2
    return wrap(_scaled(values, want)) * stddev + mean


def uniform(rng: np.random.Generator, shape: Any, low: Any, high: Any, dtype: Any) -> EagerTensor:
    """Numbers from ``low`` up to, without, ``high``.  ValueError for integers without ``high``."""
    want = as_dtype(dtype)
    if want.is_integer:
        return integers(rng, shape, low, high, want)
    low, high = convert_to_tensor(low, want), convert_to_tensor(1 if high is None else high, want)
    return wrap(_fraction(rng, ints(shape), want)) * (high - low) + low


def integers(rng: np.random.Generator, shape: Any, low: Any, high: Any, dtype: Any) -> EagerTensor:
    """Whole numbers from ``low`` up to, without, ``high``."""
    want = as_dtype(dtype)
    if high is None:
        raise ValueError(f"Must specify maxval for integer dtype {want!r}")
    first, last = (np.asarray(convert_to_tensor(v, want)._a) for v in (low, high))
    if first.ndim == last.ndim == 0 and first >= last:
        raise invalid("RandomUniformInt", f"Need minval < maxval, got {first} >= {last}")
    return wrap(np.asarray(rng.integers(first, last, ints(shape), dtype=want.numpy)))


def full_integers(rng: np.random.Generator, shape: Any, dtype: Any) -> EagerTensor:
    """Whole numbers from the whole range of a dtype."""
    want = as_dtype(dtype).numpy
    info = np.iinfo(want)
    return wrap(np.asarray(rng.integers(info.min, info.max, ints(shape), dtype=want, endpoint=True)))


def gamma(rng: np.random.Generator, shape: Any, alpha: Any, beta: Any, dtype: Any) -> EagerTensor:
    """Gamma numbers of shape ``shape`` followed by the shape of ``alpha`` and ``beta`` broadcast.

    Gradients flow to both; that by ``alpha`` keeps each number's probability.
    """
    want = as_dtype(dtype)
    alpha = convert_to_tensor(alpha, want)
    beta = convert_to_tensor(1 if beta is None else beta, want)
    each = np.broadcast_shapes(alpha._a.shape, beta._a.shape)
    values = rng.standard_gamma(np.broadcast_to(np.asarray(alpha._a, np.float64), (*ints(shape), *each)))
    drawn = gamma_number(broadcast_to(alpha, each), drawn=_scaled(values, want))
    return maximum(np.finfo(want.numpy).tiny, drawn / beta)


def poisson(rng: np.random.Generator, shape: Any, rate: Any, dtype: Any) -> EagerTensor:
    """Poisson numbers of shape ``shape`` followed by the shape of the rate."""
    rate = np.asarray(convert_to_tensor(rate, None if not as_dtype(dtype).is_floating else dtype)._a, np.float64)
    return cast(wrap(np.asarray(rng.poisson(rate, (*ints(shape), *rate.shape)))), dtype)


def categorical(rng: np.random.Generator, logits: Any, count: Any, dtype: Any) -> EagerTensor:
    """``count`` classes for each row of unnormalised log-probabilities."""
    rows = np.asarray(convert_to_tensor(logits)._a, np.float64)
    (size,) = ints(count)
    noise = rng.gumbel(size=(rows.shape[0], size, rows.shape[1]))
    return cast(wrap(np.argmax(rows[:, None, :] + noise, axis=-1)), "int64" if dtype is None else dtype)


def binomial(rng: np.random.Generator, shape: Any, counts: Any, probs: Any, dtype: Any) -> EagerTensor:
    """How many of ``counts`` trials succeed."""
    n, p = np.asarray(convert_to_tensor(counts)._a), np.asarray(convert_to_tensor(probs)._a, np.float64)
    return cast(wrap(np.asarray(rng.binomial(n.astype(np.int64), p, ints(shape)))), dtype)


def shuffled(rng: np.random.Generator, value: Any) -> EagerTensor:
    """The rows of a tensor in random order; not differentiable, as in TensorFlow."""
    a = convert_to_tensor(value)._a
    return wrap(a[rng.permutation(a.shape[0])]) if a.ndim else wrap(a)


def _scaled(values: Any, want: Any) -> Any:
    return np.asarray(values).astype(want.numpy)


def _fraction(rng: np.random.Generator, size: tuple[int, ...], want: Any) -> np.ndarray:
    """Numbers in [0, 1) that are still below 1 in the dtype."""
    values = rng.random(size)
    rounded = np.asarray(values).astype(want.numpy)
    return np.where(rounded < 1, rounded, np.zeros((), want.numpy))
