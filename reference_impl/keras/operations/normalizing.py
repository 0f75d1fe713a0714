"""Functions of ``keras.ops`` that bring values to a common scale, and attention."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import reference_impl as tf

from ...tensors.tensor import EagerTensor
from ..policy import epsilon as default_epsilon
from .factors import norm
from .pairs import TABLE as PAIRS
from .promotion import axes_of, result_type, tensor
from .reducing import mean, total, var


def moments(x: Any, axes: Any, keepdims: bool = False, synchronized: bool = False) -> tuple[EagerTensor, EagerTensor]:
    """Mean and variance along axes; of 16 bits computed with 32 and kept within what float16 holds."""
    x = tensor(x)
    name = x.dtype.name
    if name not in ("float16", "bfloat16"):
        return tuple(tf.nn.moments(x, axes_of(axes), keepdims=keepdims))
    found = tf.nn.moments(tf.cast(x, "float32"), axes_of(axes), keepdims=keepdims)
    return tuple(tf.cast(tf.clip_by_value(v, tf.float16.min, tf.float16.max), name) for v in found)


def batch_normalization(
    x: Any, mean: Any, variance: Any, axis: int, offset: Any = None, scale: Any = None, epsilon: float = 1e-3
) -> EagerTensor:
    """``(x - mean) / sqrt(variance + epsilon) * scale + offset``, the statistics along an axis."""
    x = tensor(x)
    parts = [None if v is None else tensor(v) for v in (mean, variance, offset, scale)]
    if axis != -1:
        shape = [1] * len(x.shape)
        shape[axis] = parts[0].shape[0]
        parts = [None if v is None else tf.reshape(v, shape) for v in parts]
    return tf.nn.batch_normalization(x, *parts, variance_epsilon=epsilon)


def _wide(x: Any) -> tuple[EagerTensor, str]:
    x = tensor(x)
    return tf.cast(x, result_type(x.dtype, "float32")), x.dtype.name


def rms_normalization(x: Any, scale: Any = None, axis: Any = -1, epsilon: float | None = None) -> EagerTensor:
    """Over the root of the mean of squares along axes, times ``scale``."""
    small = default_epsilon() if epsilon is None else epsilon
    x, name = _wide(x)
    scale = None if scale is None else tensor(scale, x.dtype)
    x = x if len(x.shape) else tf.expand_dims(x, 0)
    axis = sorted(axis) if isinstance(axis, (tuple, list)) else axis
    found = x * tf.math.rsqrt(mean(tf.square(x), axis, keepdims=True) + small)
    return tf.cast(found if scale is None else found * scale, name)


def layer_normalization(
    x: Any, gamma: Any = None, beta: Any = None, axis: Any = -1, epsilon: float | None = None, **kwargs: Any
) -> EagerTensor:
    """Mean 0 and variance 1 along axes, times ``gamma`` plus ``beta``."""
    scaling = kwargs.pop("rms_scaling", False)
    if scaling:
        warnings.warn(
            "You passed `rms_scaling=True`, which is deprecated. This argument incorrectly scales the input by the "
            "variance, not the root mean square. To correctly use RMS Normalization, please use "
            "`keras.ops.rms_normalization` / `keras.ops.nn.rms_normalization` instead.",
            stacklevel=3,
        )
    small = default_epsilon() if epsilon is None else epsilon
    x, name = _wide(x)
    rank = len(x.shape)
    axes = sorted([axis] if isinstance(axis, int) else axis)
    shape = [1] * rank
    for k in axes:
        shape[k] = x.shape[k]

    def spread(value: Any) -> Any:
        if value is None:
            return None
        value = tensor(value, x.dtype)
        return tf.reshape(value, shape) if len(value.shape) != rank and axes != [rank - 1] else value

    gamma, beta = spread(gamma), spread(beta)
    if scaling:
        found = x * tf.math.rsqrt(var(x, axes, keepdims=True) + small)
        return tf.cast(found if gamma is None else found * gamma, name)
    middle, variance = moments(x, axes, keepdims=True)
    factor = tf.math.rsqrt(variance + small)
    factor = factor if gamma is None else factor * gamma
    shift = -middle * factor if beta is None else -middle * factor + beta
    return tf.cast(x * factor + shift, name)


def normalize(x: Any, axis: Any = -1, order: int = 2, epsilon: float | None = None) -> EagerTensor:
    """The norms along an axis made 1.  ValueError for orders that are no whole numbers above 0."""
    if not isinstance(order, int) or not order >= 1:
        raise ValueError(f"Argument `order` must be an int >= 1. Received: order={order}")
    x, small = tensor(x), default_epsilon() if epsilon is None else epsilon
    x = x if len(x.shape) else tf.expand_dims(x, 0)
    if order == 2:
        return x * PAIRS["minimum"](tf.math.rsqrt(total(tf.square(x), axis, keepdims=True)), 1.0 / small)
    return PAIRS["divide"](x, PAIRS["maximum"](norm(x, order, axis, keepdims=True), small))


def psnr(x1: Any, x2: Any, max_val: Any) -> EagerTensor:
    """The peak of a signal over its noise, in decibels.  ValueError for different shapes."""
    x1, x2 = tensor(x1), tensor(x2)
    if x1.shape != x2.shape:
        raise ValueError(f"Input shapes {x1.shape} and {x2.shape} must match for PSNR calculation. ")
    peak, noise = tensor(max_val, x2.dtype), tf.reduce_mean(tf.square(x1 - x2))
    ten = tf.math.log(tf.constant(10, x2.dtype))
    return 20 * (tf.math.log(peak) / ten) - 10 * (tf.math.log(noise) / ten)


def _masked(logits: EagerTensor, mask: Any, is_causal: bool) -> EagerTensor:
    """Logits with a very small number where they do not count."""
    if mask is None and not is_causal:
        return logits
    kept = tf.ones_like(logits, dtype="bool")
    if mask is not None:
        kept = tf.logical_and(kept, mask)
    if is_causal:
        sizes = tf.shape(logits)
        kept = tf.logical_and(kept, tf.linalg.band_part(tf.ones((sizes[2], sizes[3]), "bool"), -1, 0))
    least = (65500.0 if logits.dtype.name == "float16" else 3.38953e38) * -0.7
    return tf.where(kept, logits, tf.constant(least, logits.dtype))


def dot_product_attention(
    query: Any, key: Any, value: Any, bias: Any = None, mask: Any = None, scale: Any = None, is_causal: bool = False,
    flash_attention: Any = None, attn_logits_soft_cap: Any = None,
) -> EagerTensor:  # fmt: skip
    """What queries [batch, queries, heads, size] find at keys and values [batch, keys, heads, size].

    Several queries' heads may share one of keys and values.  ValueError for other ranks, and for what only other
    backends have.
    """
    if attn_logits_soft_cap is not None:
        raise ValueError(
            "attn_logits_soft_cap is only supported for JAX on TPU. Set attn_logits_soft_cap=None when not using JAX "
            "on TPU."
        )
    if flash_attention:
        raise ValueError("Flash attention is not supported in tensorflow backend.")
    query, key, value = tensor(query), tensor(key), tensor(value)
    if len(query.shape) != 4:
        raise ValueError(
            f"`dot_product_attention` only supports 4D inputs. Received: query.shape={query.shape}, "
            f"key.shape={key.shape}, value.shape={value.shape}."
        )
    dtype = result_type(query.dtype, key.dtype, value.dtype)
    query, key, value = (tf.cast(x, dtype) for x in (query, key, value))
    heads, shared = query.shape[2], key.shape[2]
    if heads is not None and shared is not None and heads > shared > 1:
        key, value = (tf.repeat(x, heads // shared, axis=2) for x in (key, value))
    scale = 1.0 / tf.sqrt(tf.cast(tf.shape(key)[-1], "float32")) if scale is None else scale
    logits = tf.cast(tf.einsum("BTNH,BSNH->BNTS", query, key), result_type(dtype, "float32"))
    logits = tf.multiply(logits, tf.cast(scale, logits.dtype))
    if bias is not None:
        logits = tf.add(logits, tf.cast(tensor(bias, dtype), logits.dtype))
    shares = tf.cast(tf.nn.softmax(_masked(logits, mask, is_causal), -1), dtype)
    return tf.einsum("BNTS,BSNH->BTNH", shares, value)


TABLE: dict[str, Callable[..., Any]] = {
    "moments": moments, "batch_normalization": batch_normalization, "rms_normalization": rms_normalization,
    "layer_normalization": layer_normalization, "normalize": normalize, "psnr": psnr,
    "dot_product_attention": dot_product_attention,
}  # fmt: skip
