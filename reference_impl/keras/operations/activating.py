"""``keras.ops``' activation functions: TensorFlow's, which take the tensor's own dtype (and no whole numbers)."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import reference_impl as tf

from ...tensors.tensor import EagerTensor
from ..logits import remember
from .promotion import tensor


def sigmoid(x: Any) -> EagerTensor:
    """``1 / (1 + exp(-x))``."""
    x = tensor(x)
    return remember(tf.sigmoid(x), x)


def softmax(x: Any, axis: Any = -1) -> EagerTensor:
    """Probabilities along an axis, along several, or (None) all."""
    x = tensor(x)
    if isinstance(axis, int) and -len(x.shape) <= axis < len(x.shape) and x.shape[axis] == 1:
        warnings.warn(
            f"You are using a softmax over axis {axis} of a tensor of shape {x.shape}. This axis has size 1. The "
            "softmax operation will always return the value 1, which is likely not what you intended. Did you mean to "
            "use a sigmoid instead?",
            stacklevel=4,
        )
    found = _along(tf.nn.softmax, x, axis)
    return found if isinstance(axis, tuple) else remember(found, x)


def _along(function: Callable[..., Any], x: EagerTensor, axis: Any) -> EagerTensor:
    if axis is None:
        return tf.reshape(function(tf.reshape(x, [-1]), -1), tf.shape(x))
    if not isinstance(axis, tuple):
        return function(x, axis)
    kept = [k for k in range(len(x.shape)) if k not in axis]
    order = [*kept, *axis]
    moved = tf.transpose(x, order)
    found = function(tf.reshape(moved, [*(x.shape[k] for k in kept), -1]), -1)
    return tf.transpose(tf.reshape(found, tf.shape(moved)), sorted(range(len(order)), key=order.__getitem__))


def log_softmax(x: Any, axis: Any = -1) -> EagerTensor:
    """Logarithms of probabilities along an axis, along several, or (None) all."""
    return _along(tf.nn.log_softmax, tensor(x), axis)


def sparse_sigmoid(x: Any) -> EagerTensor:
    """``(x + 1) / 2`` between 0 and 1."""
    x = tensor(x)
    below, none = x <= -1, tf.constant(0.0, x.dtype)
    return tf.where(below, none, tf.where(x >= 1, tf.constant(1.0, x.dtype), 0.5 * (x + 1)))


def sparse_plus(x: Any) -> EagerTensor:
    """0 below -1, ``x`` above 1, a parabola between."""
    x = tensor(x)
    return tf.where(x <= -1, tf.zeros_like(x), tf.where(x < 1, (1 / 4) * tf.pow(x + 1, 2), x))


def soft_shrink(x: Any, threshold: float = 0.5) -> EagerTensor:
    """Nearer to zero by ``threshold``; 0 where that is too much."""
    x = tensor(x)
    above, nearer = x > threshold, x - threshold
    return tf.where(above, nearer, tf.where(x < -threshold, x + threshold, tf.zeros_like(x)))


def hard_shrink(x: Any, threshold: float = 0.5) -> EagerTensor:
    """``x`` where its size is above ``threshold``, else 0."""
    x = tensor(x)
    return tf.where(tf.abs(x) > threshold, x, tf.zeros_like(x))


def threshold(x: Any, threshold: Any, default_value: Any) -> EagerTensor:
    """``x`` above ``threshold``, else ``default_value``."""
    x = tensor(x)
    return tf.where(x > threshold, x, default_value)


def squareplus(x: Any, b: Any = 4) -> EagerTensor:
    """``(x + sqrt(x * x + b)) / 2``."""
    x = tensor(x)
    return (x + tf.sqrt(tf.square(x) + tensor(b, x.dtype))) / 2


def sparsemax(x: Any, axis: int = -1) -> EagerTensor:
    """Probabilities along an axis, many of them 0 (Martins and Astudillo, 2016)."""
    x = tensor(x)
    ordered = tf.sort(x, axis, direction="DESCENDING")
    sums = tf.cumsum(ordered, axis)
    shape = [1] * len(x.shape)
    shape[axis] = -1
    ranks = tf.reshape(tf.range(1, tf.shape(x)[axis] + 1, dtype=x.dtype), shape)
    support = ordered - (sums - 1) / ranks > 0
    count = tf.reduce_sum(tf.cast(support, x.dtype), axis, keepdims=True)
    least = (tf.reduce_sum(tf.where(support, sums, 0.0), axis, keepdims=True) - 1) / count
    return tf.maximum(x - least, 0.0)


def elu(x: Any, alpha: float = 1.0) -> EagerTensor:
    """``x`` where positive, else ``alpha * (exp(x) - 1)``."""
    x = tensor(x)
    found = tf.nn.elu(x)
    return found if alpha == 1 else tf.where(x > 0, found, alpha * found)


def celu(x: Any, alpha: float = 1.0) -> EagerTensor:
    """``max(x, 0) + alpha * (exp(min(x, 0) / alpha) - 1)``."""
    x = tensor(x)
    return tf.maximum(x, 0.0) + alpha * tf.math.expm1(tf.minimum(x, 0.0) / alpha)


def glu(x: Any, axis: int = -1) -> EagerTensor:
    """The first half along an axis times the sigmoid of the second.  ValueError for an odd size."""
    x = tensor(x)
    if x.shape[axis] % 2:
        raise ValueError(f"axis size must be divisible by 2. Received: x.shape={x.shape} with axis={axis}")
    first, second = tf.split(x, 2, axis)
    return first * tf.sigmoid(second)


def hard_sigmoid(x: Any) -> EagerTensor:
    """``x / 6 + 0.5`` between 0 and 1."""
    x = tensor(x)
    return tf.nn.relu6(x + tf.constant(3.0, x.dtype)) / tf.constant(6.0, x.dtype)


def hard_silu(x: Any) -> EagerTensor:
    """``x * hard_sigmoid(x)``."""
    x = tensor(x)
    return x * hard_sigmoid(x)


def tanh_shrink(x: Any) -> EagerTensor:
    """``x - tanh(x)``."""
    x = tensor(x)
    return x - tf.tanh(x)


def _of(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x: function(tensor(x))


TABLE: dict[str, Callable[..., Any]] = {
    "relu": _of(tf.nn.relu), "relu6": _of(tf.nn.relu6), "sigmoid": sigmoid, "softplus": _of(tf.math.softplus),
    "softsign": _of(tf.nn.softsign), "silu": _of(tf.nn.silu), "swish": _of(tf.nn.silu),
    "log_sigmoid": _of(tf.math.log_sigmoid), "selu": _of(tf.nn.selu), "sparse_sigmoid": sparse_sigmoid,
    "sparse_plus": sparse_plus, "soft_shrink": soft_shrink, "hard_shrink": hard_shrink, "threshold": threshold,
    "squareplus": squareplus, "sparsemax": sparsemax, "elu": elu, "celu": celu, "glu": glu,
    "hard_sigmoid": hard_sigmoid, "hard_silu": hard_silu, "hard_swish": hard_silu, "tanh_shrink": tanh_shrink,
    "hard_tanh": lambda x: tf.clip_by_value(tensor(x), -1.0, 1.0), "softmax": softmax, "log_softmax": log_softmax,
    "leaky_relu": lambda x, negative_slope=0.2: tf.nn.leaky_relu(tensor(x), alpha=negative_slope),
    "gelu": lambda x, approximate=True: tf.nn.gelu(tensor(x), approximate=approximate),
}  # fmt: skip
