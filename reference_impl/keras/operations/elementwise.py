"""Functions of ``keras.ops`` of one tensor, element by element."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

import reference_impl as tf

from ...tensors.tensor import EagerTensor
from ..policy import floatx
from .promotion import counted, floating, is_whole, result_type, shape_of, tensor, truth


def _of(function: Callable[..., Any], prepare: Callable[[Any], Any] = tensor) -> Callable[..., Any]:
    return lambda x: function(prepare(x))


def absolute(x: Any) -> EagerTensor:
    """The size of each element; of what is never negative, the tensor itself."""
    x = tensor(x)
    return x if x.dtype.name.startswith("u") or x.dtype.is_bool else tf.abs(x)


def fabs(x: Any) -> EagerTensor:
    """The size of each element, as floats.  TypeError for complex ones."""
    x = tensor(x)
    if x.dtype.is_complex:
        raise TypeError(f"fabs does not support complex inputs. Received: x.dtype={x.dtype}")
    return tf.abs(counted(x))


def sign(x: Any) -> EagerTensor:
    """-1, 0 or 1."""
    x = tensor(x)
    name = x.dtype.name
    return tf.cast(tf.sign(tf.cast(x, "int32")), name) if name in ("uint8", "uint16", "uint32") else tf.sign(x)


def signbit(x: Any) -> EagerTensor:
    """Whether the sign is a minus; that of a zero counts."""
    x = tensor(x)
    if x.dtype.is_bool:
        return tf.fill(tf.shape(x), False)
    if is_whole(x.dtype.name):
        return x < 0
    bits = tf.bitcast(tf.cast(x, "float32"), tf.int32)
    return tf.less(tf.bitwise.bitwise_and(bits, tf.constant(-(2**31), tf.int32)), 0)


def square(x: Any) -> EagerTensor:
    """The square of each element; truth values are numbers."""
    x = tensor(x)
    return tf.square(tf.cast(x, "int32") if x.dtype.is_bool else x)


def _turned(x: Any, factor: Callable[[Any, Any], Any]) -> EagerTensor:
    x = tensor(x)
    name = x.dtype.name
    if name == "int64":
        x = tf.cast(x, "float64")
    elif name != "uint64":
        x = counted(x)
    return x * factor(tf.constant(math.pi, x.dtype), tf.constant(180.0, x.dtype))


def deg2rad(x: Any) -> EagerTensor:
    """Degrees as radians."""
    return _turned(x, lambda pi, half: pi / half)


def rad2deg(x: Any) -> EagerTensor:
    """Radians as degrees."""
    return _turned(x, lambda pi, half: half / pi)


def _default_floats(x: Any) -> EagerTensor:
    """As floats: of the default dtype unless it has another, and int64 as float64."""
    x = tensor(x)
    name = x.dtype.name
    if name == "int64":
        return tf.cast(x, "float64")
    return x if name in ("bfloat16", "float16", "float64") else tf.cast(x, floatx())


def cbrt(x: Any) -> EagerTensor:
    """The cube root, by the power of the size: its derivative at zero is no number."""
    x = _default_floats(x)
    return tf.sign(x) * tf.pow(tf.abs(x), 1.0 / 3.0)


def i0(x: Any) -> EagerTensor:
    """The modified Bessel function of order zero."""
    return tf.math.bessel_i0(_default_floats(x))


def sinc(x: Any) -> EagerTensor:
    """``sin(pi x) / (pi x)``, 1 at zero (where the derivative is no number)."""
    x = floating(x)
    turned = x * tf.constant(np.pi, x.dtype)
    return tf.where(tf.equal(x, 0), tf.ones_like(x), tf.sin(turned) / turned)


def trunc(x: Any) -> EagerTensor:
    """Without what stands behind the point."""
    x = tensor(x)
    if is_whole(x.dtype.name) or x.dtype.is_bool:
        return x
    return tf.where(x < 0, tf.math.ceil(x), tf.floor(x))


def rounded(x: Any, decimals: int = 0) -> EagerTensor:
    """To the nearest number of so many decimals, halves to even ones."""
    x = tensor(x)
    if decimals == 0:
        return tf.round(x)
    dtype = x.dtype
    if dtype.is_integer:
        if decimals > 0:
            return x
        x = tf.cast(x, floatx())
    factor = tf.cast(math.pow(10, decimals), x.dtype)
    return tf.cast(tf.divide(tf.round(tf.multiply(x, factor)), factor), dtype)


def _quotient_of_logarithms(base: int) -> Callable[..., Any]:
    def call(x: Any) -> EagerTensor:
        x = floating(x)
        return tf.math.log(x) / tf.math.log(tf.constant(base, x.dtype))

    return call


def clip(x: Any, x_min: Any, x_max: Any) -> EagerTensor:
    """Between two bounds; truth values are numbers."""
    x = tensor(x)
    return tf.clip_by_value(tf.cast(x, "int32") if x.dtype.is_bool else x, x_min, x_max)


def exp2(x: Any) -> EagerTensor:
    """2 to the power of each element."""
    return tf.pow(2.0, counted(x))


def _unless_whole(found: bool, function: Callable[..., Any]) -> Callable[..., Any]:
    def call(x: Any) -> EagerTensor:
        x = tensor(x)
        if x.dtype.is_integer or x.dtype.is_bool:
            return tf.fill(tf.shape(x), found)
        return function(x)

    return call


def isreal(x: Any) -> EagerTensor:
    """Whether the imaginary part is zero."""
    x = tensor(x)
    return tf.equal(tf.math.imag(x), 0) if x.dtype.is_complex else tf.ones_like(x, dtype=tf.bool)


def erfinv(x: Any) -> EagerTensor:
    """The inverse of ``erf``; of 16 bits it is computed with 32."""
    x = tensor(x)
    if x.dtype.name in ("bfloat16", "float16"):
        return tf.cast(tf.math.erfinv(tf.cast(x, "float32")), x.dtype)
    return tf.math.erfinv(x)


def view(x: Any, dtype: Any = None) -> EagerTensor:
    """The same bytes as elements of another dtype; the last axis holds more of them, or fewer.

    ValueError where the bytes of the last axis are no whole number of elements.
    """
    x = tensor(x)
    old, new = x.dtype, tf.as_dtype(result_type(dtype) if dtype else x.dtype)
    sizes = shape_of(x)
    last = sizes[-1] if sizes else -1
    if (last == -1 and old.size != new.size) or (isinstance(last, int) and last * old.size % new.size != 0):
        raise ValueError(
            f"Cannot view array of shape {x.shape} and dtype {old} as dtype {new} because the total number of bytes "
            "is not divisible by the new itemsize."
        )
    if old.size == new.size:
        return tf.bitcast(x, new)
    if old.size > new.size:
        parts = tf.bitcast(tf.reshape(x, [-1]), new)
        return tf.reshape(parts, [*sizes[:-1], last * (old.size // new.size)])
    ratio = new.size // old.size
    return tf.bitcast(tf.reshape(x, [*sizes[:-1], last // ratio, ratio]), new)


_FLOATS = {
    "arccos": tf.acos, "arccosh": tf.acosh, "arcsin": tf.asin, "arcsinh": tf.asinh, "arctan": tf.atan,
    "arctanh": tf.atanh, "cos": tf.cos, "cosh": tf.cosh, "sin": tf.sin, "sinh": tf.sinh, "tan": tf.tan,
    "tanh": tf.tanh, "log": tf.math.log, "log1p": tf.math.log1p, "sqrt": tf.sqrt, "ceil": tf.math.ceil,
    "floor": tf.floor, "angle": tf.math.angle,
}  # fmt: skip
_COUNTED = {"exp": tf.exp, "expm1": tf.math.expm1}
_AS_THEY_ARE = {
    "negative": tf.negative, "conj": tf.math.conj, "conjugate": tf.math.conj, "real": tf.math.real,
    "imag": tf.math.imag, "copy": tf.identity, "reciprocal": tf.math.reciprocal, "rsqrt": tf.math.rsqrt,
    "erf": tf.math.erf, "erfc": tf.math.erfc,
}  # fmt: skip
TABLE: dict[str, Callable[..., Any]] = {
    **{name: _of(f, floating) for name, f in _FLOATS.items()},
    **{name: _of(f, counted) for name, f in _COUNTED.items()},
    **{name: _of(f) for name, f in _AS_THEY_ARE.items()},
    "abs": absolute, "absolute": absolute, "fabs": fabs, "sign": sign, "signbit": signbit, "square": square,
    "deg2rad": deg2rad, "rad2deg": rad2deg, "cbrt": cbrt, "i0": i0, "sinc": sinc, "trunc": trunc, "round": rounded,
    "log10": _quotient_of_logarithms(10), "log2": _quotient_of_logarithms(2), "clip": clip, "exp2": exp2,
    "isfinite": _unless_whole(True, tf.math.is_finite), "isinf": _unless_whole(False, tf.math.is_inf),
    "isnan": _unless_whole(False, tf.math.is_nan),
    "isneginf": _unless_whole(False, lambda x: tf.equal(x, tf.constant(-math.inf, x.dtype))),
    "isposinf": _unless_whole(False, lambda x: tf.equal(x, tf.constant(math.inf, x.dtype))),
    "isreal": isreal, "erfinv": erfinv, "logical_not": lambda x: tf.logical_not(truth(x)), "view": view,
    "stop_gradient": lambda variable: tf.stop_gradient(tensor(variable)),
}  # fmt: skip
