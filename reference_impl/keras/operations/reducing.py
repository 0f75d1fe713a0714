"""Functions of ``keras.ops`` that go along axes: sums, means, extremes, and what runs along with them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import reference_impl as tf

from ...tensors.tensor import EagerTensor
from .elementwise import signbit
from .promotion import axes_of, counted, is_whole, result_type, shape_of, summable, tensor, truth


def total(x: Any, axis: Any = None, keepdims: bool = False) -> EagerTensor:
    """The sum along axes; small whole numbers are summed as those of 32 bits."""
    return tf.reduce_sum(summable(x), axes_of(axis), keepdims)


def prod(x: Any, axis: Any = None, keepdims: bool = False, dtype: Any = None) -> EagerTensor:
    """The product along axes; small whole numbers are multiplied as those of 32 bits (unless a dtype is named)."""
    return tf.reduce_prod(summable(x) if dtype is None else tensor(x), axes_of(axis), keepdims)


def mean(x: Any, axis: Any = None, keepdims: bool = False) -> EagerTensor:
    """The mean along axes, computed with 32 bits or more."""
    x = tensor(x)
    wide = result_type(x.dtype, "float32")
    whole = is_whole(x.dtype.name) or x.dtype.is_bool
    return tf.cast(tf.reduce_mean(tf.cast(x, wide), axes_of(axis), keepdims), wide if whole else x.dtype)


def var(x: Any, axis: Any = None, keepdims: bool = False) -> EagerTensor:
    """The variance along axes, computed with 32 bits or more."""
    x = tensor(x)
    wide = tf.cast(x, result_type(x.dtype, "float32"))
    return tf.cast(tf.math.reduce_variance(wide, axes_of(axis), keepdims), result_type(x.dtype, float))


def std(x: Any, axis: Any = None, keepdims: bool = False) -> EagerTensor:
    """The standard deviation along axes."""
    return tf.math.reduce_std(counted(x), axes_of(axis), keepdims)


def _extreme(word: str, of_numbers: Any, of_truths: Any, against: Any, initials: bool) -> Callable[..., Any]:
    def call(x: Any, axis: Any = None, keepdims: bool = False, initial: Any = None) -> EagerTensor:
        x, axis = tensor(x), axes_of(axis)
        if initial is not None:
            if not x.dtype.is_bool:
                return against(of_numbers(x, axis, keepdims), initial)
            found = tf.cast(of_truths(x, axis, keepdims), "int32")
            return tf.cast(against(found, tf.cast(initial, "int32")), "bool")
        if tf.executing_eagerly():
            message = f"Cannot compute the {word} of an empty tensor."
            tf.debugging.assert_greater(tf.size(x), tf.constant(0), message=message)
        return (of_truths if x.dtype.is_bool else of_numbers)(x, axis, keepdims)

    return call if initials else lambda x, axis=None, keepdims=False: call(x, axis, keepdims)


def ptp(x: Any, axis: Any = None, keepdims: bool = False) -> EagerTensor:
    """The largest less the smallest along axes."""
    x, axis = tensor(x), axes_of(axis)
    return tf.reduce_max(x, axis, keepdims) - tf.reduce_min(x, axis, keepdims)


def average(x: Any, axis: Any = None, weights: Any = None) -> EagerTensor:
    """The mean along axes, weighed by weights of the shape of ``x``, or of one axis."""
    x, axis = tensor(x), axes_of(axis)
    if weights is None:
        return tf.reduce_mean(tf.cast(x, result_type(x.dtype, float)), axis)
    weights = tensor(weights)
    dtype = result_type(x.dtype, weights.dtype, float)
    x, weights = tf.cast(x, dtype), tf.cast(weights, dtype)
    if axis is None or len(x.shape) == len(weights.shape):
        whole = tf.reduce_sum(weights, axis)
        return tf.reduce_sum(x * weights, axis) / whole
    whole = tf.reduce_sum(weights)
    return tf.tensordot(x, weights, [[axis], [0]]) / whole


def count_nonzero(x: Any, axis: Any = None) -> EagerTensor:
    """How many elements are not zero, int32."""
    return tf.math.count_nonzero(tensor(x), axes_of(axis), dtype="int32")


def _running(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(x: Any, axis: int | None = None, dtype: Any = None) -> EagerTensor:
        x = tensor(x, dtype)
        if x.dtype.is_bool:
            x = tf.cast(x, "int32")
        return function(tf.reshape(x, [-1]), 0) if axis is None else function(x, axis)

    return call


cumsum, cumprod = _running(tf.cumsum), _running(tf.math.cumprod)


def _places(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(x: Any, axis: int | None = None, keepdims: bool = False) -> EagerTensor:
        x = tensor(x)
        if "float" in x.dtype.name and len(x.shape):
            x = tf.cast(x, result_type(x.dtype, "float32"))  # a zero with a minus is less than one without
            least = x.dtype.as_numpy_dtype
            tiny = tf.constant(-float(_TINY[least.__name__]), x.dtype)
            x = tf.where(tf.logical_and(tf.equal(x, 0.0), signbit(x)), tiny, x)
        flat = tf.reshape(x, [-1]) if axis is None else x
        found = function(flat, axis, output_type="int32")
        if not keepdims:
            return found
        sizes = [1] * len(x.shape) if axis is None else list(shape_of(x))
        if axis is not None:
            sizes[axis] = 1
        return tf.reshape(found, sizes)

    return call


_TINY = {"float32": 2.0**-126, "float64": 2.0**-1022}
argmax, argmin = _places(tf.argmax), _places(tf.argmin)


def _of_truths(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, axis=None, keepdims=False: function(truth(x), axes_of(axis), keepdims)


_MAX = ("max", tf.reduce_max, tf.reduce_any, tf.maximum)
_MIN = ("min", tf.reduce_min, tf.reduce_all, tf.minimum)
TABLE: dict[str, Callable[..., Any]] = {
    "sum": total, "prod": prod, "mean": mean, "var": var, "std": std, "max": _extreme(*_MAX, True),
    "min": _extreme(*_MIN, True), "amax": _extreme(*_MAX, False), "amin": _extreme(*_MIN, False), "ptp": ptp,
    "average": average, "count_nonzero": count_nonzero, "cumsum": cumsum, "cumprod": cumprod, "argmax": argmax,
    "argmin": argmin, "any": _of_truths(tf.reduce_any), "all": _of_truths(tf.reduce_all),
    "logsumexp": lambda x, axis=None, keepdims=False: tf.reduce_logsumexp(tensor(x), axes_of(axis), keepdims),
}  # fmt: skip
