"""relu and its variants on arrays.  A gradient ``f_grad(dy, y)`` is told the activation's output, not its input."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import exponentials, logistic

SELU_SCALE = 1.0507009873554804934193349852946
SELU_SCALE_ALPHA = 1.7580993408473768599402175208123


def relu(x: Any) -> Any:
    """max(x, 0), keeping nan and the sign of zero."""
    return np.maximum(x.dtype.type(0), x)


def relu_grad(dy: Any, y: Any) -> Any:
    """dy times (y > 0)."""
    return dy * (y > 0).astype(y.dtype)


def relu6(x: Any) -> Any:
    """x between 0 and 6."""
    return np.minimum(x.dtype.type(6), relu(x))


def relu6_grad(dy: Any, y: Any) -> Any:
    """dy times (0 < y < 6)."""
    return dy * ((y > 0) & (y < 6)).astype(dy.dtype)


def elu(x: Any) -> Any:
    """x, and exp(x) - 1 below zero, rounded as it is written: not accurate near zero, as in TensorFlow."""
    return np.where(x < 0, exponentials.exp(x) - 1, x)[()]


def elu_grad(dy: Any, y: Any) -> Any:
    """dy times the slope of elu where its value is y."""
    return dy * (np.fmin(y, 0) + 1)  # 1 for nan, too


def selu(x: Any) -> Any:
    """elu with the two constants that keep mean 0 and variance 1."""
    kind = x.dtype.type
    return np.where(x < 0, kind(SELU_SCALE_ALPHA) * (exponentials.exp(x) - 1), kind(SELU_SCALE) * x)[()]


def selu_grad(dy: Any, y: Any) -> Any:
    """dy times the slope of selu where its value is y."""
    kind = y.dtype.type
    return np.where(y < 0, dy * (y + kind(SELU_SCALE_ALPHA)), dy * kind(SELU_SCALE))[()]


def leaky_relu(x: Any, alpha: float) -> Any:
    """x where positive, else alpha x."""
    return np.where(x > 0, x, x * x.dtype.type(alpha))[()]


def leaky_relu_grad(dy: Any, x: Any, alpha: float) -> Any:
    """dy where x is positive, else alpha dy."""
    return np.where(x > 0, dy, dy * dy.dtype.type(alpha))[()]


def silu(x: Any, beta: Any) -> Any:
    """x times the logistic function of beta x."""
    return x * logistic.sigmoid(beta * x)
