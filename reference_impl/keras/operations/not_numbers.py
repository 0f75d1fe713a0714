"""Functions of ``keras.ops`` that pass over what is no number (``nansum`` and its kin), and quantiles."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import reference_impl as tf

from ...tensors.tensor import EagerTensor
from ..policy import floatx
from .promotion import axes_of, canonical_axis, listed, result_type, tensor
from .reducing import argmax, argmin, cumprod, cumsum, prod


def nan_to_num(x: Any, nan: float = 0.0, posinf: Any = None, neginf: Any = None) -> EagerTensor:
    """Numbers in the places of what is none, and of the infinities (the largest ones, unless others are given)."""
    x = tensor(x)
    dtype = x.dtype
    if dtype.is_integer or dtype.is_bool:
        return x
    x = tf.where(tf.math.is_nan(x), tf.constant(nan, dtype), x)
    above, below = dtype.max if posinf is None else posinf, dtype.min if neginf is None else neginf
    x = tf.where(tf.logical_and(tf.math.is_inf(x), x > 0), tf.constant(above, dtype), x)
    return tf.where(tf.logical_and(tf.math.is_inf(x), x < 0), tf.constant(below, dtype), x)


def _place(function: Callable[..., Any], last: float) -> Callable[..., Any]:
    def call(x: Any, axis: int | None = None, keepdims: bool = False) -> EagerTensor:
        x = tensor(x)
        if not x.dtype.is_floating:
            return function(x, axis=axis, keepdims=keepdims)
        none = tf.math.is_nan(x)
        found = function(tf.where(none, tf.constant(last, x.dtype), x), axis=axis, keepdims=keepdims)
        return tf.where(tf.reduce_all(none, axis, keepdims), tf.constant(-1, tf.int32), found)

    return call


def _extreme(of_numbers: Callable[..., Any], of_truths: Callable[..., Any], last: float) -> Callable[..., Any]:
    def call(x: Any, axis: Any = None, keepdims: bool = False) -> EagerTensor:
        x, axis = tensor(x), axes_of(axis)
        if not x.dtype.is_floating:
            return (of_truths if x.dtype.is_bool else of_numbers)(x, axis, keepdims)
        none = tf.math.is_nan(x)
        numbers, alone = tf.where(none, tf.constant(last, x.dtype), x), tf.reduce_all(none, axis, keepdims)
        return tf.where(alone, tf.constant(math.nan, x.dtype), of_numbers(numbers, axis, keepdims))

    return call


def nansum(x: Any, axis: Any = None, keepdims: bool = False) -> EagerTensor:
    """The sum of what are numbers."""
    x = tensor(x)
    x = tf.where(tf.math.is_nan(tf.cast(x, floatx())), tf.zeros((), x.dtype), x)
    name = x.dtype.name
    wide = "int32" if name in ("bool", "int8", "int16") else "uint32" if name in ("uint8", "uint16") else name
    return tf.reduce_sum(tf.cast(x, wide), axes_of(axis), keepdims)


def nanprod(x: Any, axis: Any = None, keepdims: bool = False) -> EagerTensor:
    """The product of what are numbers."""
    x = tensor(x)
    if x.dtype.is_floating:
        x = tf.where(tf.math.is_nan(x), tf.ones((), x.dtype), x)
    return prod(x, axis=axis, keepdims=keepdims)


def nanmean(x: Any, axis: Any = None, keepdims: bool = False) -> EagerTensor:
    """The mean of what are numbers."""
    x = tensor(x)
    if axis in ((), []):
        return x
    if not x.dtype.is_floating:
        return tf.reduce_mean(tf.cast(x, "float32"), axes_of(axis), keepdims)
    numbers = tf.cast(tf.logical_not(tf.math.is_nan(x)), x.dtype)
    return tf.divide(nansum(x, axis, keepdims), tf.reduce_sum(numbers, axes_of(axis), keepdims))


def nanvar(x: Any, axis: Any = None, keepdims: bool = False) -> EagerTensor:
    """The variance of what are numbers."""
    x = tensor(x)
    x = tf.cast(x, result_type(x.dtype, float))
    middle = nanmean(x, axis=axis, keepdims=True)
    valid = tf.logical_not(tf.math.is_nan(x))
    apart = tf.where(valid, x - middle, tf.zeros_like(x))
    squares = tf.math.real(apart * tf.math.conj(apart)) if apart.dtype.is_complex else tf.square(apart)
    axis = axes_of(axis)
    count = tf.reduce_sum(tf.cast(valid, squares.dtype), axis, keepdims)
    return tf.reduce_sum(squares, axis, keepdims) / count


def nanstd(x: Any, axis: Any = None, keepdims: bool = False) -> EagerTensor:
    """The standard deviation of what are numbers."""
    return tf.sqrt(nanvar(x, axis=axis, keepdims=keepdims))


def _ranks(count: EagerTensor, q: EagerTensor, rounding: Callable[..., Any], size: EagerTensor) -> EagerTensor:
    """The places of quantiles among sorted elements."""
    return tf.clip_by_value(tf.cast(rounding((count - 1) * q), "int32"), 0, size - 1)


def _between(ordered: EagerTensor, q: EagerTensor, method: str) -> EagerTensor:
    """What stands at quantiles ``q`` of elements that are sorted along the last axis."""
    size = tf.shape(ordered)[-1]
    count = tf.cast(size, "float64")
    roundings = {"lower": tf.floor, "higher": tf.math.ceil, "nearest": tf.round}
    if method in roundings:
        return tf.gather(ordered, _ranks(count, q, roundings[method], size), axis=-1)
    if method == "midpoint":
        below, above = (_ranks(count, q, f, size) for f in (tf.floor, tf.math.ceil))
        return 0.5 * (tf.gather(ordered, below, axis=-1) + tf.gather(ordered, above, axis=-1))
    if method != "linear":
        raise UnboundLocalError("cannot access local variable 'gathered_y' where it is not associated with a value")
    above = _ranks(count, q, tf.math.ceil, size)
    below = tf.maximum(above - 1, 0)
    above = tf.minimum(below + 1, size - 1)
    share = tf.cast(tf.cast(above, "float64") - (count - 1) * q, ordered.dtype)
    return tf.gather(ordered, above, axis=-1) * (1 - share) + tf.gather(ordered, below, axis=-1) * share


def _flattened(x: EagerTensor, axes: list[int]) -> EagerTensor:
    """A tensor with these axes as one, at its end."""
    others = [k for k in range(len(x.shape)) if k not in axes]
    moved = tf.transpose(x, others + axes)
    if None in tuple(x.shape):
        return tf.reshape(moved, tf.concat([tf.gather(tf.shape(x), tf.constant(others, tf.int32)), [-1]], 0))
    return tf.reshape(moved, [x.shape[k] for k in others] + [math.prod(x.shape[k] for k in axes)])


def quantile(x: Any, q: Any, axis: Any = None, method: str = "linear", keepdims: bool = False) -> EagerTensor:
    """Quantiles along axes; the axes of ``q`` come first.  What holds no number has none."""
    x, q = tensor(x), tensor(q)
    x, q = tf.cast(x, result_type(x.dtype, float)), tf.cast(q, "float64")
    axes = None if axis is None else [canonical_axis(a, len(x.shape)) for a in listed(axis)]
    ordered = tf.sort(tf.reshape(x, [-1]) if axes is None else _flattened(x, axes), axis=-1)
    found = _between(ordered, q, method)
    if x.dtype.is_floating:
        none = tf.reduce_any(tf.math.is_nan(x), axes)
        none = tf.reshape(none, tf.pad(tf.shape(none), [[0, len(q.shape)]], constant_values=1))
        found = tf.where(none, tf.constant(math.nan, x.dtype), found)
    if keepdims and axes is None:
        found = found * tf.ones([1] * (len(x.shape) + len(q.shape)), found.dtype)
    elif keepdims:
        for a in sorted(axes or ()):
            found = tf.expand_dims(found, a)
    rank, turns = len(found.shape), len(q.shape)
    if rank < 2 or turns % rank == 0:
        return found
    last = rank - turns % rank
    return tf.transpose(found, [*range(last, rank), *range(last)])


def percentile(x: Any, q: Any, axis: Any = None, method: str = "linear", keepdims: bool = False) -> EagerTensor:
    """Quantiles, ``q`` in hundredths."""
    return quantile(x, tensor(q, floatx()) / 100.0, axis=axis, method=method, keepdims=keepdims)


def median(x: Any, axis: Any = None, keepdims: bool = False) -> EagerTensor:
    """What half of the elements are below."""
    return quantile(x, 0.5, axis=axis, keepdims=keepdims)


def nanquantile(x: Any, q: Any, axis: Any = None, method: str = "linear", keepdims: bool = False) -> EagerTensor:
    """Quantiles of what are numbers, row by row."""
    x, q = tensor(x), tensor(q, floatx())

    def of_row(row: EagerTensor) -> EagerTensor:
        valid = tf.boolean_mask(row, tf.logical_not(tf.math.is_nan(tf.cast(row, floatx()))))
        return tf.cond(
            tf.size(valid) > 0,
            lambda: quantile(valid, q, method=method),
            lambda: tf.constant(math.nan, x.dtype),
        )

    if axis is None:
        found = of_row(tf.reshape(x, [-1]))
        if not keepdims:
            return found
        return tf.reshape(found, tf.concat([tf.shape(found), tf.ones([len(x.shape)], tf.int32)], 0))
    axes = [canonical_axis(a, len(x.shape)) for a in listed(axis)]
    others = [k for k in range(len(x.shape)) if k not in axes]
    kept = tf.gather(tf.shape(x), tf.constant(others, tf.int32))
    flat = tf.reshape(tf.transpose(x, others + axes), [tf.reduce_prod(kept), -1])
    found = tf.map_fn(of_row, flat, fn_output_signature=tf.TensorSpec(q.shape, x.dtype))
    if len(q.shape):
        found = tf.reshape(tf.transpose(found), tf.concat([tf.shape(q), kept], 0))
    else:
        found = tf.reshape(found, kept)
    for a in sorted(axes) if keepdims else ():
        found = tf.expand_dims(found, a + len(q.shape))
    return found


def nanpercentile(x: Any, q: Any, axis: Any = None, method: str = "linear", keepdims: bool = False) -> EagerTensor:
    """Quantiles of what are numbers, ``q`` in hundredths."""
    return nanquantile(x, tensor(q, floatx()) / 100.0, axis=axis, method=method, keepdims=keepdims)


def nanmedian(x: Any, axis: Any = None, keepdims: bool = False) -> EagerTensor:
    """What half of the numbers are below."""
    return tensor(x) if axis in ((), []) else nanquantile(x, 0.5, axis=axis, keepdims=keepdims)


TABLE: dict[str, Callable[..., Any]] = {
    "nan_to_num": nan_to_num, "nanargmax": _place(argmax, -math.inf), "nanargmin": _place(argmin, math.inf),
    "nancumsum": lambda x, axis=None, dtype=None: cumsum(nan_to_num(x), axis=axis, dtype=dtype),
    "nancumprod": lambda x, axis=None, dtype=None: cumprod(nan_to_num(x, nan=1.0), axis=axis, dtype=dtype),
    "nanmax": _extreme(tf.reduce_max, tf.reduce_any, -math.inf),
    "nanmin": _extreme(tf.reduce_min, tf.reduce_all, math.inf), "nanmean": nanmean, "nanmedian": nanmedian,
    "nanpercentile": nanpercentile, "nanprod": nanprod, "nanquantile": nanquantile, "nanstd": nanstd,
    "nansum": nansum, "nanvar": nanvar, "median": median, "quantile": quantile, "percentile": percentile,
}  # fmt: skip
