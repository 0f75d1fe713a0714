"""``compute_gradient``: the jacobian of a function by its gradients, next to the one by central differences."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..tapes.vjp import make_vjp
from ..tensors.conversion import convert_to_tensor
from ..tensors.slices import IndexedSlices

_ALLOWED = ("float16", "bfloat16", "float32", "float64", "complex64", "complex128")


def compute_gradient(f: Callable, x: Any, delta: float | None = None) -> tuple[tuple, tuple]:
    """Two tuples of jacobians of ``f(*x)``, one array for each argument: by gradients, and by differences.

    An array has a row for each element of the result and a column for each element of the argument; complex elements
    count as two.  ``delta`` is the step, 1/1024 by default.  ValueError unless ``x`` is a list or tuple,
    AssertionError for dtypes without derivatives.
    """
    if not isinstance(x, (list, tuple)):
        raise ValueError(
            "`x` must be a list or tuple of values convertible to a Tensor (arguments to `f`), not a "
            f"{type(x)}"
        )  # fmt: skip
    xs = [convert_to_tensor(v) for v in x]
    y = f(*map(convert_to_tensor, xs))
    shape, dtype = tuple(y.shape), y.dtype
    pairs = []
    for k, given in enumerate(xs):
        assert given.dtype.name in _ALLOWED, (
            f"Cannot compute gradient for unsupported type {given.dtype.name} of argument {k}"
        )
        assert dtype.name in _ALLOWED, f"Cannot compute gradient for unsupported type {dtype.name} of y"
        step = 1.0 / 1024 if delta is None else delta
        pairs.append((_by_gradients(f, shape, dtype, xs, k), _by_differences(f, shape, dtype, xs, k, step)))
    return tuple(zip(*pairs))  # type: ignore[return-value]


def _real(dtype: Any) -> np.dtype:
    return np.dtype(dtype.real_dtype.as_numpy_dtype)


def _numbers(shape: Any, dtype: Any) -> int:
    """How many real numbers a tensor holds."""
    return math.prod(shape) * (2 if dtype.is_complex else 1)


def _by_gradients(f: Callable, shape: tuple, dtype: Any, xs: list, k: int) -> np.ndarray:
    x = xs[k]
    size = _numbers(shape, dtype)
    rows = np.zeros((size, _numbers(x.shape, x.dtype)), _real(x.dtype))
    seed = np.zeros(shape, dtype.as_numpy_dtype)
    flat = seed.reshape(-1).view(_real(dtype))
    for row in range(size):
        flat[row] = 1
        gradient = _array(_gradient(f, xs, k, seed))
        if gradient is not None:
            rows[row, :] = gradient.ravel().view(rows.dtype)
        flat[row] = 0
    if not size:
        gradient = _array(_gradient(f, xs, k, seed))
        if gradient.shape != x.shape:
            raise ValueError(f"Empty gradient has wrong shape: expected {x.shape}, got {gradient.shape}")
        if np.any(gradient):
            raise ValueError("Empty tensor with nonzero gradients")
    return rows


def _gradient(f: Callable, xs: list, k: int, seed: np.ndarray) -> Any:
    return make_vjp(f, [k])(*xs)[1](dy=convert_to_tensor(seed))[0]


def _array(gradient: Any) -> Any:
    """A gradient as an array, None when there is none."""
    if type(gradient) is IndexedSlices:
        gradient = convert_to_tensor(gradient)
    return None if gradient is None else np.asarray(gradient.numpy())


def _by_differences(f: Callable, shape: tuple, dtype: Any, xs: list, k: int, delta: float) -> np.ndarray:
    size, kind = _numbers(xs[k].shape, xs[k].dtype), _real(xs[k].dtype)
    arrays = [np.array(x.numpy()) for x in xs]
    flat = arrays[k].reshape(-1).view(kind)
    scale = np.asarray(2 * delta, dtype=_real(dtype))[()]
    columns = np.zeros((_numbers(shape, dtype), size), kind)
    for column in range(size):
        original = flat[column]
        flat[column] += delta
        above = f(*map(convert_to_tensor, arrays)).numpy()
        flat[column] = original
        flat[column] -= delta
        below = f(*map(convert_to_tensor, arrays)).numpy()
        flat[column] = original
        columns[:, column] = np.asarray((above - below) / scale).ravel().view(_real(dtype))
    return columns


__all__ = ["compute_gradient"]
