"""Means, variances, log-sum-exp and counts: mean is an op, the others are made of ops as TensorFlow makes them."""

from __future__ import annotations

import math as _math
from typing import Any

import numpy as np

from ..dtypes import as_dtype, int64
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, wrap
from .arithmetic import conj, exp, log, sqrt, square, subtract
from .casting import cast, stop_gradient
from .comparison import not_equal
from .declare import OPS, kernel, public
from .logic import squared_difference
from .reductions import axes_of, kept, reduce_sum, spread, summed
from .shaping import reshape


def _mean_gradient(
    F: Any, dy: Any, _y: Any, _x: Any, axis: tuple[int, ...], keepdims: bool, fits: bool = False, unlike: bool = False
) -> Any:
    shape, result = F.shape(_x), F.shape(_y)
    count = _math.prod(shape) // max(_math.prod(result), 1)
    wide = spread(F, dy, shape, axis, keepdims, fits, unlike)
    return wide / F.dtype(_x).type(count)


def _mean(x: Any, axis: tuple[int, ...], keepdims: bool, fits: bool = False) -> Any:
    count = _math.prod(x.shape[k] for k in axis)
    if x.dtype.kind in "iu":
        total = np.add.reduce(x, axis=axis, keepdims=keepdims, dtype=x.dtype)
        return (np.sign(total) * (abs(total) // max(count, 1))).astype(x.dtype)
    found = summed(x, axis, keepdims)
    return found if count == 1 else found / x.dtype.type(count)


mean_ = kernel("mean", "Mean", forward=_mean, gradient=_mean_gradient)


@public("reduce_mean math.reduce_mean")
def reduce_mean(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> EagerTensor:
    """The mean over ``axis`` (``tf.reduce_mean``); of integers, rounded towards zero."""
    x = convert_to_tensor(input_tensor)
    mean_.op.check(x._a.dtype, name)
    axes = axes_of("Mean", axis, x._a.ndim)
    return mean_(x, axis=axes, **kept(axis, axes, x._a.ndim, keepdims))


@public("math.reduce_variance")
def reduce_variance(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> EagerTensor:
    """The mean square distance from the mean (``tf.math.reduce_variance``).  TypeError for integers."""
    x = convert_to_tensor(input_tensor)
    means = reduce_mean(x, axis, keepdims=True)
    if means.dtype.is_integer:
        raise TypeError(f"Input must be either real or complex. Received integer type {means.dtype}.")
    difference = x - means
    if means.dtype.is_complex:
        from .complex_numbers import real

        squares = real(conj(difference) * difference)
    else:
        squares = square(difference)
    return reduce_mean(squares, axis, keepdims)


@public("math.reduce_std")
def reduce_std(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> EagerTensor:
    """The square root of the variance (``tf.math.reduce_std``)."""
    return sqrt(reduce_variance(input_tensor, axis, keepdims))


@public("reduce_logsumexp math.reduce_logsumexp")
def reduce_logsumexp(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> EagerTensor:
    """log(sum(exp(x))) over ``axis``, safe for large x (``tf.reduce_logsumexp``)."""
    from .extremes import reduce_max

    x = convert_to_tensor(input_tensor)
    top = reduce_max(x, axis, keepdims=True)
    OPS["IsFinite"].check(x._a.dtype)
    top = stop_gradient(_finite_or_zero(top))
    result = log(reduce_sum(exp(subtract(x, top)), axis, keepdims))
    return result + (top if keepdims else reshape(top, result._a.shape))


def _finite_or_zero(x: EagerTensor) -> EagerTensor:
    a = x._a
    return wrap(np.where(np.isfinite(a), a, a.dtype.type(0))[()])


@public("math.count_nonzero")
def count_nonzero(
    input: Any,
    axis: Any = None, keepdims: bool | None = None, dtype: Any = int64, name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """How many elements over ``axis`` are not zero (``tf.math.count_nonzero``)."""
    x = convert_to_tensor(input)
    flags = x if x.dtype.is_bool else not_equal(x, wrap(x._a.dtype.type(0)))
    return cast(reduce_sum(cast(flags, int64), axis, bool(keepdims)), as_dtype(dtype))


@public("nn.moments")
def moments(
    x: Any, axes: Any, shift: Any = None, keepdims: bool = False, name: str | None = None
) -> tuple[EagerTensor, EagerTensor]:
    """Mean and variance over ``axes`` (``tf.nn.moments``); the variance's gradient does not pass through the mean."""
    from .squeezing import squeeze

    x = convert_to_tensor(x)
    half = x.dtype.name == "float16"
    y = cast(x, "float32") if half else x
    mean = reduce_mean(y, axes, keepdims=True)
    variance = reduce_mean(squared_difference(y, stop_gradient(mean)), axes, keepdims=True)
    found = (mean, variance) if keepdims else (squeeze(mean, axes), squeeze(variance, axes))
    return (cast(found[0], "float16"), cast(found[1], "float16")) if half else found


@public("math.zero_fraction nn.zero_fraction")
def zero_fraction(value: Any, name: str | None = None) -> EagerTensor:
    """The share of elements that are zero, a float32 (``tf.math.zero_fraction``)."""
    x = convert_to_tensor(value)
    total = x._a.size
    zeros = cast(total - count_nonzero(x), "float32")
    return zeros / cast(convert_to_tensor(total), "float32")


@public("nn.weighted_moments")
def weighted_moments(
    x: Any, axes: Any, frequency_weights: Any, keepdims: bool = False, name: str | None = None
) -> tuple[EagerTensor, EagerTensor]:
    """Mean and variance over ``axes`` with weights (``tf.nn.weighted_moments``)."""
    from .logic import div_no_nan
    from .making import zeros_like
    from .squeezing import squeeze

    x, weights = convert_to_tensor(x), convert_to_tensor(frequency_weights)
    half = x.dtype.name == "float16"
    x = cast(x, "float32") if half else x
    weights = cast(weights, x.dtype)
    total = reduce_sum(weights * x, axes, keepdims=True)
    count = reduce_sum(weights + zeros_like(x), axes, keepdims=True)
    mean = div_no_nan(total, count)
    variance = div_no_nan(reduce_sum(weights * squared_difference(x, mean), axes, keepdims=True), count)
    found = (mean, variance) if keepdims else (squeeze(mean, axes), squeeze(variance, axes))
    return (cast(found[0], "float16"), cast(found[1], "float16")) if half else found
