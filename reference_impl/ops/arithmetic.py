"""Arithmetic: add, subtract, multiply, divide, powers, roots, exp and log, and the binary maximum and minimum.

Formulas follow the gradient functions TensorFlow registers, op for op, because a second derivative is None or zero
according to which ops the first one used.  SqrtGrad, RsqrtGrad, ReciprocalGrad and TanhGrad are ops of their own there,
with their own gradients, and their kernels return 0 for a zero upstream.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ..dtypes import F32, DType, as_dtype, float32, float64
from ..errors import invalid
from ..tensors.conversion import convert_to_tensor, unsupported
from ..tensors.tensor import EagerTensor, wrap
from .declare import arrays, binary, helper, public, tensors, unary
from .kernels import infinities
from .kernels.exponentials import exp as precise_exp

_scalar = np.float32
_LARGE = 1 << 16


@helper("zeros_like")
def zeros_like(x: Any) -> Any:
    """Zeros of the shape and dtype of an array, Tensor or Shell; a constant for every tape."""
    if type(x) is EagerTensor:
        return wrap(np.zeros_like(x._a)[()])
    if x is None:
        raise unsupported(x)
    if type(getattr(x, "dtype", None)) in (type(None), DType):  # a number or variable that a user returned
        return zeros_like(convert_to_tensor(x))
    return np.zeros(x.shape, x.dtype)[()]


@helper("ones_like")
def ones_like(x: Any) -> Any:
    """Ones of the shape and dtype of an array, Tensor or Shell; a constant for every tape."""
    if type(x) is EagerTensor:
        return wrap(np.ones_like(x._a)[()])
    return np.ones(x.shape, x.dtype)[()]


def _conj(a: Any) -> Any:
    dtype = a.dtype
    return a if dtype is F32 or dtype.kind != "c" else np.conjugate(a)


_complex_conj = unary(
    "", f="complex_conj", kernel="Conj", forward=np.conjugate, types="complex",
    gradient=lambda F, dy, _y, _x: F.conj(dy),
)  # fmt: skip


@public("math.conj")
def conj(x: Any, name: str | None = None) -> EagerTensor:
    """Complex conjugate; a real tensor is returned as it is (``tf.math.conj``)."""
    x = convert_to_tensor(x)
    if not x.dtype.is_numeric:
        raise TypeError(f"Expected numeric or variant tensor, got dtype tf.{x.dtype.name}.")
    return _complex_conj(x) if x._a.dtype.kind == "c" else x


def _conj_of_tensor(x: Any) -> Any:
    if type(x) is EagerTensor and (type(x._a) is _scalar or x._a.dtype is F32):
        return x
    return conj(x)


tensors.conj = _conj_of_tensor
arrays.conj = _conj

add = binary(
    "math.add add", kernel="AddV2", forward=operator.add, types="float complex int string", convert="hint",
    lenient=True, sparse=True, even=True,
    gradient=(lambda F, dy, _y, _a, _b: dy, lambda F, dy, _y, _a, _b: dy),
)  # fmt: skip
subtract = binary(
    "math.subtract subtract", kernel="Sub", forward=operator.sub, lenient=True, sparse=True,
    even=True,
    gradient=(lambda F, dy, _y, _a, _b: dy, lambda F, dy, _y, _a, _b: -dy),
)  # fmt: skip


_SHORT_WAY = (F32, np.dtype(np.int32))


def _by_first_factor(F: Any, dy: Any, _y: Any, _a: Any, b: Any) -> Any:
    """The upstream stands first.  A real array is asked for no conjugate: it would be a step more for each product."""
    if F.recording:
        return F.multiply(dy, b if type(b) is EagerTensor and type(b._a) is _scalar else F.conj(b))
    return dy * (b if type(b) is _scalar or b.dtype is F32 else F.conj(b))


def _by_short_way(dy: Any, a: Any, b: Any) -> bool:
    if type(dy) is type(a) is type(b) is _scalar:
        return True
    return dy.dtype in _SHORT_WAY and dy.shape == a.shape == b.shape


def _by_second_factor(F: Any, dy: Any, _y: Any, a: Any, b: Any) -> Any:
    """The upstream stands second, except that TensorFlow has a short way for float32 and int32 without broadcasting."""
    if not F.recording:
        if type(a) is _scalar or a.dtype is F32:  # the same, and sooner when dy holds many rows
            return dy * a
    elif type(dy) is EagerTensor and _by_short_way(dy._a, a._a, b._a):
        return F.multiply(dy, a)
    return F.multiply(F.conj(a), dy)


multiply = binary(
    "math.multiply multiply", kernel="Mul", forward=operator.mul, lenient=True, even=_SHORT_WAY,
    gradient=(_by_first_factor, _by_second_factor),
)  # fmt: skip
complex_product = binary(
    "", f="complex_product", kernel="Mul", forward=infinities.product, lenient=True, types="complex",
    gradient=(_by_first_factor, _by_second_factor),
)  # fmt: skip
realdiv = binary(
    "realdiv", kernel="RealDiv", forward=operator.truediv, types="float complex",
    gradient=(
        lambda F, dy, _y, _a, b: F.realdiv(dy, F.conj(b)),
        lambda F, dy, _y, a, b: dy * F.realdiv(F.realdiv(-F.conj(a), F.conj(b)), F.conj(b)),
    ),
)  # fmt: skip
maximum = binary(
    "math.maximum maximum", kernel="Maximum", forward=np.maximum, lenient=True, types="float int",
    gradient=(
        lambda F, dy, _y, a, b: F.where(F.greater_equal(a, b), dy, F.zeros_like(dy)),
        lambda F, dy, _y, a, b: F.where(F.greater_equal(a, b), F.zeros_like(dy), dy),
    ),
)  # fmt: skip
minimum = binary(
    "math.minimum minimum", kernel="Minimum", forward=np.minimum, lenient=True, types="float int",
    gradient=(
        lambda F, dy, _y, a, b: F.where(F.less_equal(a, b), dy, F.zeros_like(dy)),
        lambda F, dy, _y, a, b: F.where(F.less_equal(a, b), F.zeros_like(dy), dy),
    ),
)  # fmt: skip


def _power_exponent(F: Any, dy: Any, y: Any, a: Any, _b: Any) -> Any:
    """d(a**b)/db, with 0 where a real base is not positive."""
    base = F.conj(a)
    mask = F.not_equal(base, F.zeros_like(base)) if F.dtype(a).kind == "c" else F.greater(base, F.zeros_like(base))
    log = F.where(mask, F.log(F.where(mask, base, F.ones_like(a))), F.zeros_like(a))
    return dy * F.conj(y) * log


def _power(a: Any, b: Any) -> Any:
    """``a ** b``; NumPy takes the square root for an exponent of 0.5, which is -0 at -0 and nan at minus infinity.

    A complex power is made by logarithm and exponential alone, also where the exponent is a whole number or 0.
    """
    if a.dtype.kind == "c":
        return np.exp(infinities.products(b, np.log(a)))
    if a.dtype.kind in "iu" and np.any(b < 0):
        raise invalid("Pow", "Integers to negative integer powers are not allowed")
    power = a**b
    if type(a) is np.ndarray and a.dtype.kind == "f" and isinstance(b, (np.ndarray, np.generic)) and (b == 0.5).any():
        return np.where((b == 0.5) & ((a == 0) | (a == -np.inf)), np.abs(a), power)
    return power


pow = binary(
    "pow math.pow", kernel="Pow", forward=_power, lenient=True,
    gradient=(
        lambda F, dy, _y, a, b: dy * F.conj(b) * F.pow(F.conj(a), F.conj(b) - 1),
        _power_exponent,
    ),
)  # fmt: skip

negative = unary(
    "math.negative negative", kernel="Neg", forward=operator.neg, sparse=True,
    types="float complex int8 int16 int32 int64",
    gradient=lambda F, dy, _y, _x: -dy,
)  # fmt: skip
square = unary(
    "math.square square", kernel="Square", forward=lambda a: a * a,
    gradient=lambda F, dy, _y, x: F.multiply(dy, F.conj(x) * 2.0),
)  # fmt: skip


def _reciprocal(a: Any) -> Any:
    return 1 / a if a.dtype.kind == "c" else np.reciprocal(a)


def _reciprocal_root(a: Any) -> Any:
    """1 / sqrt(a), for complex numbers on the cut as from above it whatever the sign of the zero, as in TensorFlow."""
    return infinities.inverse(np.sqrt(a + 0)) if a.dtype.kind == "c" else 1 / np.sqrt(a)


def _zero_guarded(dy: Any, value: Any) -> Any:
    """``value``, 0 where the upstream is; a large array that has no zero there is not copied."""
    if type(dy) is np.ndarray and dy.size > _LARGE and dy.all():
        return value
    return np.where(dy == 0, dy.dtype.type(0), value)[()]


def _plain_zeros(y: Any, value: Any) -> Any:
    """``value``, its zeros +0 where ``y`` is 0 and TensorFlow computes eight elements (of float64: four) at once."""
    if type(value) is not np.ndarray or value.dtype.kind == "c" or y.all():
        return value
    together = value.size - value.size % (32 // max(value.itemsize, 4))
    ahead = np.arange(value.size).reshape(value.shape) < together
    return np.where((value == 0) & (y == 0) & ahead, value.dtype.type(0), value)


sqrt = unary(
    "math.sqrt sqrt", kernel="Sqrt", forward=np.sqrt, types="float complex",
    gradient=lambda F, dy, y, _x: F.sqrt_grad(y, dy),
)  # fmt: skip
sqrt_grad = binary(
    "", f="sqrt_grad", kernel="SqrtGrad", types="float complex", broadcasting=False,
    forward=lambda y, dy: _zero_guarded(dy, (0.5 * dy) / _conj(y)),
    gradient=(lambda F, dy, y, a, _b: -F.conj(dy / a) * y, lambda F, dy, _y, a, _b: 0.5 * (dy / a)),
)  # fmt: skip
rsqrt = unary(
    "math.rsqrt", kernel="Rsqrt", forward=_reciprocal_root, types="float complex",
    gradient=lambda F, dy, y, _x: F.rsqrt_grad(y, dy),
)  # fmt: skip
rsqrt_grad = binary(
    "", f="rsqrt_grad", kernel="RsqrtGrad", types="float complex", broadcasting=False,
    forward=lambda y, dy: _plain_zeros(y, _zero_guarded(dy, (-0.5 * dy) * (_conj(y) * _conj(y) * _conj(y)))),
    gradient=(
        lambda F, dy, _y, a, b: -1.5 * F.conj(dy) * b * F.square(F.conj(a)),
        lambda F, dy, _y, a, _b: F.rsqrt_grad(F.conj(a), dy),
    ),
)  # fmt: skip
reciprocal = unary(
    "math.reciprocal", kernel="Reciprocal", forward=_reciprocal, types="float complex",
    gradient=lambda F, dy, y, _x: F.reciprocal_grad(y, dy),
)  # fmt: skip
reciprocal_grad = binary(
    "", f="reciprocal_grad", kernel="ReciprocalGrad", types="float complex", broadcasting=False,
    forward=lambda y, dy: _zero_guarded(dy, -dy * (_conj(y) * _conj(y))),
    gradient=(
        lambda F, dy, _y, a, b: -2.0 * F.conj(dy) * b * F.conj(a),
        lambda F, dy, _y, a, _b: F.reciprocal_grad(F.conj(a), dy),
    ),
)  # fmt: skip
exp = unary(
    "math.exp exp", kernel="Exp", forward=precise_exp, types="float complex",
    gradient=lambda F, dy, y, _x: dy * F.conj(y),
)  # fmt: skip
log = unary(
    "math.log", kernel="Log", forward=np.log, types="float complex",
    gradient=lambda F, dy, _y, x: dy * F.reciprocal(F.conj(x)),
)  # fmt: skip


_DIVIDED = "uint8 int8 uint16 int16 uint32 int32 uint64 int64 bfloat16 float16 float32 float64 complex64 complex128"


def undivided(dtype: Any, where: str) -> TypeError:
    """TensorFlow's error for dividing bools or strings."""
    known = ", ".join(f"tf.{name}" for name in _DIVIDED.split())
    return TypeError(f"Invalid dtype {dtype!r} in {where}. Expected one of {{{known}}}.")


@public("math.divide divide")
def divide(x: Any, y: Any, name: str | None = None) -> Any:
    """x / y, as ``truediv``; only that a number takes the dtype of a divisor that is a tensor, and that bools are left
    to a NumPy array which divides them, as Python's operator leaves them."""
    if type(x) is EagerTensor and type(y) is EagerTensor and x._a.dtype is y._a.dtype and x._a.dtype.kind == "f":
        return realdiv(x, y, name)
    if type(x) is not EagerTensor:
        x = convert_to_tensor(x, dtype_hint=y.dtype if type(y) is EagerTensor else None)
    if x._a.dtype.kind == "b" and name is None and isinstance(y, (np.ndarray, np.generic)) and y.dtype.kind in "biufc":
        return np.asarray(x._a) / y
    return truediv(x, y, name)


@public("math.truediv truediv")
def truediv(x: Any, y: Any, name: str | None = None) -> EagerTensor:
    """x / y; integers are cast to float first (8 and 16 bits to float32, others to float64)."""
    x = convert_to_tensor(x)
    y = convert_to_tensor(y, dtype_hint=x.dtype)
    if x.dtype is not y.dtype:
        raise TypeError(f"`x` and `y` must have the same dtype, got {x.dtype!r} != {y.dtype!r}.")
    if x._a.dtype.kind in "bO":
        raise undivided(x.dtype, "__truediv__")
    if x._a.dtype.kind in "iu":
        from .casting import cast

        wide = as_dtype(float32 if x._a.dtype.itemsize < 4 else float64)
        x, y = cast(x, wide), cast(y, wide)
    return realdiv(x, y, name)
