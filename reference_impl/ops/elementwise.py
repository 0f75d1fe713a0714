"""Functions of one number, element by element: absolute value, sign, trigonometric and hyperbolic functions."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .declare import binary, public, unary


def _sign_of(x: Any) -> Any:
    """The sign; +0 of a zero in bfloat16 too, whose own sign function keeps the minus."""
    sign = np.sign(x)
    return sign + x.dtype.type(0) if x.dtype.kind == "V" else sign


abs_ = unary(
    "", f="abs", kernel="Abs", forward=operator.abs, types="float int8 int16 int32 int64",
    gradient=lambda F, dy, _y, x: dy * F.sign(x),
)  # fmt: skip
sign_ = unary(
    "", f="sign", kernel="Sign", forward=_sign_of, types="float int8 int16 int32 int64",
    gradient=lambda F, dy, _y, x: F.zeros_like_op(x),
)  # fmt: skip


@public("math.abs abs")
def abs(x: Any, name: str | None = None) -> EagerTensor:
    """The absolute value (``tf.abs``); of complex numbers, a real tensor."""
    x = convert_to_tensor(x)
    if x._a.dtype.kind == "c":
        from .complex_numbers import complex_abs

        return complex_abs(x, name)
    return abs_(x, name)


@public("math.sign sign")
def sign(x: Any, name: str | None = None) -> EagerTensor:
    """-1, 0 or 1; of complex numbers, x / |x| and 0 at 0 (``tf.sign``)."""
    x = convert_to_tensor(x)
    if x._a.dtype.kind == "c":
        from .casting import cast
        from .logic import div_no_nan

        return div_no_nan(x, cast(abs(x), x.dtype), name)
    return sign_(x, name)


sin = unary(
    "math.sin sin", kernel="Sin", forward=np.sin, types="float complex",
    gradient=lambda F, dy, _y, x: dy * F.cos(F.conj(x)),
)  # fmt: skip
cos = unary(
    "math.cos cos", kernel="Cos", forward=np.cos, types="float complex",
    sparse=True,
    gradient=lambda F, dy, _y, x: F.dense(-dy) * F.sin(F.conj(x)),  # slices are negated before they are made dense
)  # fmt: skip
tanh = unary(
    "math.tanh tanh nn.tanh", kernel="Tanh", forward=np.tanh, types="float complex",
    gradient=lambda F, dy, y, _x: F.tanh_grad(F.conj(y), dy),
)  # fmt: skip
tanh_grad = binary(
    "", f="tanh_grad", kernel="TanhGrad", types="float complex", broadcasting=False, sparse=True,
    forward=lambda y, dy: dy * (1 - y * y),
    gradient=(
        lambda F, dy, _y, a, b: dy * -2.0 * F.conj(b) * F.conj(a),
        lambda F, dy, _y, a, _b: F.tanh_grad(F.conj(a), dy),
    ),
)  # fmt: skip

__all__ = ["abs", "cos", "sign", "sin", "tanh", "tanh_grad"]
