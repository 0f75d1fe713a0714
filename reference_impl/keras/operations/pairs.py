"""Functions of ``keras.ops`` of two tensors, element by element."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import reference_impl as tf

from ...tensors.tensor import EagerTensor
from ..biases import add_bias
from .promotion import WHOLE, both, dtype_of, is_number, is_whole, pair, result_type, tensor, truth, wide_pair


def _met(function: Callable[..., Any], *more: Any) -> Callable[..., Any]:
    return lambda x1, x2: function(*pair(x1, x2, *more))


def _compared(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x1, x2: function(*both(x1, x2))


def _of_truths(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x1, x2: function(truth(x1), truth(x2))


def add(x1: Any, x2: Any) -> EagerTensor:
    """The sum.  What has one axis of more than one element, as long as the second or last axis of ``x1``, is a bias."""
    return add_bias(*pair(x1, x2))


def power(x1: Any, x2: Any) -> EagerTensor:
    """``x1`` to the power ``x2``."""
    x1 = x1 if is_number(x1) else tensor(x1)
    x2 = x2 if is_number(x2) else tensor(x2)
    dtype = result_type(dtype_of(x1), dtype_of(x2))
    if "uint" in dtype:
        return tf.cast(tf.pow(tensor(x1, "int32"), tensor(x2, "int32")), dtype)
    return tf.pow(tensor(x1, dtype), tensor(x2, dtype))


def _numbers(x1: Any, x2: Any) -> tuple[EagerTensor, EagerTensor]:
    a, b = both(x1, x2)
    return (tf.cast(a, "int32"), tf.cast(b, "int32")) if a.dtype.is_bool else (a, b)


def mod(x1: Any, x2: Any) -> EagerTensor:
    """What a division leaves, with the sign of ``x2``."""
    return tf.math.floormod(*_numbers(x1, x2))


def fmod(x1: Any, x2: Any) -> EagerTensor:
    """What a division leaves, with the sign of ``x1``."""
    a, b = _numbers(x1, x2)
    dtype = a.dtype.name
    if dtype in ("uint8", "uint16", "uint32"):
        a, b = tf.cast(a, "int32"), tf.cast(b, "int32")
    return tf.cast(tf.sign(a) * tf.math.floormod(tf.abs(a), tf.abs(b)), dtype)


def _extreme_of_numbers(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(x1: Any, x2: Any) -> EagerTensor:
        a, b = pair(x1, x2)
        found = function(a, b)
        if not a.dtype.is_floating:
            return found
        no_a, no_b = tf.math.is_nan(a), tf.math.is_nan(b)
        found = tf.where(tf.logical_and(no_a, tf.logical_not(no_b)), b, found)
        return tf.where(tf.logical_and(no_b, tf.logical_not(no_a)), a, found)

    return call


def logaddexp(x1: Any, x2: Any) -> EagerTensor:
    """``log(exp(x1) + exp(x2))``."""
    a, b = both(x1, x2, float)
    difference = a - b
    none, plain = tf.math.is_nan(difference), a + b
    return tf.where(none, plain, tf.maximum(a, b) + tf.math.log1p(tf.exp(-tf.abs(difference))))


def logaddexp2(x1: Any, x2: Any) -> EagerTensor:
    """``log2(2**x1 + 2**x2)``."""
    a, b = both(x1, x2, float)
    difference, unit = a - b, tf.cast(tf.math.log(2.0), a.dtype)
    none, plain = tf.math.is_nan(difference), a + b
    return tf.where(none, plain, tf.maximum(a, b) + tf.math.log1p(tf.exp(-tf.abs(difference) * unit)) / unit)


def hypot(x1: Any, x2: Any) -> EagerTensor:
    """The length of the long side of a right-angled triangle."""
    a, b = (tf.abs(x) for x in wide_pair(x1, x2))
    longer = tf.maximum(a, b)
    return longer * tf.sqrt(1.0 + tf.square(tf.math.divide_no_nan(tf.minimum(a, b), longer)))


def heaviside(x1: Any, x2: Any) -> EagerTensor:
    """0 below zero, 1 above it, ``x2`` at it."""
    a, b = wide_pair(x1, x2)
    return tf.where(a < 0, tf.zeros_like(a), tf.where(a > 0, tf.ones_like(a), b))


def nextafter(x1: Any, x2: Any) -> EagerTensor:
    """The next number towards ``x2``, found in float64 and then cast."""
    x1, x2 = tensor(x1), tensor(x2)
    dtype = result_type(x1.dtype, x2.dtype, float)
    return tf.cast(tf.math.nextafter(tf.cast(x1, "float64"), tf.cast(x2, "float64")), dtype)


def ldexp(x1: Any, x2: Any) -> EagerTensor:
    """``x1`` times 2 to the power ``x2``.  TypeError for exponents that are no whole numbers."""
    x1, x2 = tensor(x1), tensor(x2)
    dtype = result_type(x1.dtype, x2.dtype, float)
    if x2.dtype.name not in WHOLE:
        raise TypeError(f"ldexp exponent must be an integer type. Received: x2 dtype={x2.dtype}")
    a, b = tf.cast(x1, dtype), tf.cast(x2, dtype)
    found = a * tf.pow(tf.constant(2.0, a.dtype), b)
    return tf.cast(tf.where(tf.logical_or(tf.math.is_inf(a), tf.equal(a, 0)), a, found), dtype)


def _close(a: EagerTensor, b: EagerTensor, rtol: Any, atol: Any) -> EagerTensor:
    return tf.abs(a - b) <= (atol + rtol * tf.abs(b))


def isclose(x1: Any, x2: Any, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: bool = False) -> EagerTensor:
    """Whether numbers are as good as equal; whole ones when they are equal."""
    a, b = both(x1, x2)
    if not a.dtype.is_floating:
        return tf.equal(a, b)
    found = _close(a, b, rtol, atol)
    return tf.logical_or(found, tf.logical_and(tf.math.is_nan(a), tf.math.is_nan(b))) if equal_nan else found


def allclose(x1: Any, x2: Any, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: bool = False) -> EagerTensor:
    """Whether all numbers are as good as equal."""
    a, b = both(x1, x2)
    if not a.dtype.is_floating:
        return tf.reduce_all(tf.equal(a, b))
    finite = tf.logical_and(tf.math.is_finite(a), tf.math.is_finite(b))
    found = tf.logical_or(tf.logical_and(finite, _close(a, b, rtol, atol)), tf.equal(a, b))
    if equal_nan:
        found = tf.logical_or(found, tf.logical_and(tf.math.is_nan(a), tf.math.is_nan(b)))
    return tf.reduce_all(found)


def _bits(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, y: function(*both(x, y))


def _shifted(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(x: Any, y: Any) -> EagerTensor:
        x = tensor(x)
        return function(x, y) if isinstance(y, int) else function(*both(x, y))

    return call


def gcd(x1: Any, x2: Any) -> EagerTensor:
    """The greatest common divisor, by Euclid's steps.  TypeError for what are no whole numbers."""
    a, b = both(x1, x2)
    if not a.dtype.is_integer:
        raise TypeError("Arguments to gcd must be integers.")
    shape = tf.broadcast_static_shape(a.shape, b.shape)
    a, b = tf.broadcast_to(a, shape), tf.broadcast_to(b, shape)
    if not a.dtype.name.startswith("u"):
        a, b = tf.abs(a), tf.abs(b)

    def step(a: Any, b: Any) -> tuple[Any, Any]:
        left = tf.not_equal(b, 0)
        rest = tf.math.floormod(a, tf.where(left, b, tf.ones_like(b)))
        return tf.where(left, b, a), tf.where(left, rest, tf.zeros_like(b))

    return tf.while_loop(lambda a, b: tf.reduce_any(tf.not_equal(b, 0)), step, [a, b])[0]


def lcm(x1: Any, x2: Any) -> EagerTensor:
    """The least common multiple.  TypeError for what are no whole numbers."""
    x1, x2 = tensor(x1), tensor(x2)
    if not (is_whole(x1.dtype.name) and is_whole(x2.dtype.name)):
        raise TypeError(
            f"Arguments to lcm must be integers. Received: x1.dtype={x1.dtype.name}, x2.dtype={x2.dtype.name}"
        )
    a, b = both(x1, x2)
    if not a.dtype.name.startswith("u"):
        a, b = tf.abs(a), tf.abs(b)
    divisor = gcd(a, b)
    none = tf.equal(divisor, 0)
    found = a * (b // tf.where(none, tf.constant(1, divisor.dtype), divisor))
    return tf.where(none, tf.zeros_like(found), found)


_MET = {
    "subtract": tf.subtract, "multiply": tf.multiply, "maximum": tf.maximum, "minimum": tf.minimum,
    "floor_divide": tf.math.floordiv,
}  # fmt: skip
_COMPARED = {
    "equal": tf.equal, "not_equal": tf.not_equal, "less": tf.less, "less_equal": tf.less_equal, "greater": tf.greater,
    "greater_equal": tf.greater_equal,
}  # fmt: skip
_TRUTHS = {"logical_and": tf.logical_and, "logical_or": tf.logical_or, "logical_xor": tf.math.logical_xor}
_LEFT, _RIGHT = _shifted(tf.bitwise.left_shift), _shifted(tf.bitwise.right_shift)
TABLE: dict[str, Callable[..., Any]] = {
    **{name: _met(f) for name, f in _MET.items()},
    **{name: _compared(f) for name, f in _COMPARED.items()},
    **{name: _of_truths(f) for name, f in _TRUTHS.items()},
    "divide": _met(tf.divide, float), "true_divide": _met(tf.divide, float),
    "divide_no_nan": _met(tf.math.divide_no_nan, float),
    "arctan2": lambda x1, x2: tf.atan2(*both(x1, x2, float)), "add": add, "power": power, "mod": mod, "fmod": fmod,
    "fmax": _extreme_of_numbers(tf.maximum), "fmin": _extreme_of_numbers(tf.minimum), "logaddexp": logaddexp,
    "logaddexp2": logaddexp2, "hypot": hypot, "heaviside": heaviside, "nextafter": nextafter, "ldexp": ldexp,
    "isclose": isclose, "allclose": allclose, "gcd": gcd, "lcm": lcm,
    "bitwise_and": _bits(tf.bitwise.bitwise_and), "bitwise_or": _bits(tf.bitwise.bitwise_or),
    "bitwise_xor": _bits(tf.bitwise.bitwise_xor), "bitwise_invert": lambda x: tf.bitwise.invert(tensor(x)),
    "bitwise_not": lambda x: tf.bitwise.invert(tensor(x)), "bitwise_left_shift": _LEFT, "left_shift": _LEFT,
    "bitwise_right_shift": _RIGHT, "right_shift": _RIGHT,
}  # fmt: skip
