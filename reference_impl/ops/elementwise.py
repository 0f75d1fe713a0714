"""Functions of one number, element by element: absolute value, sign, trigonometric and hyperbolic functions."""

from __future__ import annotations

import operator

import numpy as np

from .declare import binary, unary

abs = unary(  # noqa: A001 - TensorFlow's name
    "math.abs abs", kernel="Abs", forward=operator.abs, types="float int8 int16 int32 int64",
    gradient=lambda F, dy, _y, x: dy * F.sign(x),
)  # fmt: skip
sign = unary(
    "math.sign sign", kernel="Sign", forward=np.sign, types="float complex int8 int16 int32 int64",
    gradient=lambda F, dy, _y, _x: F.zeros_like(dy),
)  # fmt: skip
sin = unary(
    "math.sin sin", kernel="Sin", forward=np.sin, types="float complex",
    gradient=lambda F, dy, _y, x: dy * F.cos(F.conj(x)),
)  # fmt: skip
cos = unary(
    "math.cos cos", kernel="Cos", forward=np.cos, types="float complex",
    gradient=lambda F, dy, _y, x: -dy * F.sin(F.conj(x)),
)  # fmt: skip
tanh = unary(
    "math.tanh tanh", kernel="Tanh", forward=np.tanh, types="float complex",
    gradient=lambda F, dy, y, _x: F.tanh_grad(F.conj(y), dy),
)  # fmt: skip
tanh_grad = binary(
    "", f="tanh_grad", kernel="TanhGrad", types="float complex", broadcasting=False,
    forward=lambda y, dy: dy * (1 - y * y),
    gradient=(
        lambda F, dy, _y, a, b: dy * -2.0 * F.conj(b) * F.conj(a),
        lambda F, dy, _y, a, _b: F.tanh_grad(F.conj(a), dy),
    ),
)  # fmt: skip

__all__ = ["abs", "sign", "sin", "cos", "tanh", "tanh_grad"]
