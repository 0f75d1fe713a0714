"""The logistic function, its integral, and products with logarithms in which a zero factor wins over infinities."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import exponentials, infinities

_ONE_FROM, _ONE_FROM_HALF = 80, 11  # no power above them is needed: the result is 1


def sigmoid(x: Any) -> Any:
    """1 / (1 + exp(-x)), real or complex; exp(x) / (1 + exp(x)) is rounded as TensorFlow rounds real numbers."""
    if x.dtype.kind == "c":
        return infinities.inverse(1 + np.exp(-x))
    power = exponentials.exp(np.minimum(x, x.dtype.type(_ONE_FROM_HALF if x.dtype.itemsize == 2 else _ONE_FROM)))
    return power / (1 + power)


def _log_epsilon(dtype: np.dtype) -> float:
    """log of the distance from 1 to the next number, as TensorFlow's kernels take it."""
    digits = {"float64": 52, "float32": 23, "float16": 13, "bfloat16": 7}[dtype.name]  # half as Eigen has it
    return -digits * float(np.log(2.0))


def softplus(x: Any) -> Any:
    """log(1 + exp(x)): x itself where exp(-x) is lost in it, exp(x) where 1 is all that is left of 1 + exp(x)."""
    limit = _log_epsilon(x.dtype) + 2
    small = exponentials.exp(x)
    return np.where(x > -limit, x, np.where(x < limit, small, np.log1p(small)))[()]


def _unless_zero(x: Any, value: Any) -> Any:
    """``value``, 0 where x is 0; the sign of that 0 is x's or plus, which in TensorFlow depends on its place."""
    none, zero = np.zeros_like(value), x == 0
    if value.dtype.kind != "c":
        none = np.maximum(np.where(zero, x, none), none)
    return np.where(zero, none, value)[()]


def xlogy(x: Any, y: Any) -> Any:
    """x log y, 0 where x is 0."""
    return _unless_zero(x, x * np.log(y))


def xlog1py(x: Any, y: Any) -> Any:
    """x log(1 + y), 0 where x is 0."""
    return _unless_zero(x, x * np.log1p(y))


def xdivy(x: Any, y: Any) -> Any:
    """x / y, 0 where x is 0."""
    return _unless_zero(x, x / y)


def divide_no_nan(x: Any, y: Any) -> Any:
    """x / y, 0 where y is 0."""
    return np.where(y == 0, np.zeros_like(x), x / y)[()]


def multiply_no_nan(x: Any, y: Any) -> Any:
    """x y, 0 where y is 0."""
    return np.where(y == 0, np.zeros_like(x), x * y)[()]


def squared_difference(x: Any, y: Any) -> Any:
    """(x - y)^2; for complex numbers the square of the distance."""
    difference = x - y
    return difference * (np.conjugate(difference) if difference.dtype.kind == "c" else difference)
