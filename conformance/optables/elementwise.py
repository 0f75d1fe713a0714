"""Rows of the ops that map each element by itself: powers, exponentials, trigonometry, activations, rounding."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from conformance.optables.row import ANY, ANYWHERE, FLOATING, NUMERIC, SIGNED, Digits, Row, Span

POSITIVE = Span(0.05, 100.0)
UNIT = Span(-0.95, 0.95)

_erf = np.vectorize(math.erf, otypes=[float])


def _sigmoid(x: np.ndarray) -> np.ndarray:
    return 1.0 / (1.0 + np.exp(-x))


def _softplus(x: np.ndarray) -> np.ndarray:
    return np.logaddexp(0.0, x)


def _elu(x: np.ndarray) -> np.ndarray:
    return np.where(x < 0, np.expm1(np.minimum(x, 0.0)), x)


def _selu(x: np.ndarray) -> np.ndarray:
    return 1.0507 * np.where(x < 0, 1.6733 * np.expm1(np.minimum(x, 0.0)), x)


def _gelu(x: np.ndarray, approximate: bool = False) -> np.ndarray:
    return 0.5 * x * (1.0 + np.tanh(0.79788 * (x + 0.044715 * x**3)))


def _leaky_relu(x: np.ndarray, alpha: float = 0.2) -> np.ndarray:
    return np.where(x > 0, x, alpha * x)


def _slope(draw: Digits, operands: tuple[np.ndarray, ...]) -> dict[str, Any]:
    return ({}, {"alpha": 0.5}, {"alpha": 0.0}, {"alpha": 2.0})[draw(4)]


def _silu(x: np.ndarray, beta: float = 1.0) -> np.ndarray:
    return x * _sigmoid(beta * x)


def _beta(draw: Digits, operands: tuple[np.ndarray, ...]) -> dict[str, Any]:
    return ({}, {"beta": 0.5}, {"beta": 2.0})[draw(3)]


def _approximate(draw: Digits, operands: tuple[np.ndarray, ...]) -> dict[str, Any]:
    return {"approximate": True} if draw(2) else {}


def _map(name: str, forward: Any, low: float = -30.0, high: float = 30.0, **more: Any) -> Row:
    return Row(name, forward, spans=(Span(low, high),), **more)


_POWERS = (
    _map("math.square", np.square, dtypes=NUMERIC, kinks=(0.0, -0.0), exact=True, weight=5),
    _map("math.sqrt", np.sqrt, 0.05, 100.0, dtypes=FLOATING, kinks=(0.0, -0.0, 1.0, 4.0, -1.0), ulps="sqrt"),
    _map("math.rsqrt", lambda x: 1.0 / np.sqrt(x), 0.05, 100.0, dtypes=FLOATING, kinks=(0.0, 1.0, 4.0), ulps="rsqrt"),
    Row(
        "math.reciprocal",
        lambda x: 1.0 / x,
        dtypes=FLOATING,
        spans=(Span(-100.0, 100.0, apart=0.05),),
        kinks=(0.0, -0.0, 1.0),
        ulps="divide",
    ),
    Row("math.negative", np.negative, dtypes=NUMERIC, spans=(ANYWHERE,), curve="linear", exact=True),
    Row("operator.neg", np.negative, dtypes=NUMERIC, spans=(ANYWHERE,), curve="linear", exact=True),
    Row(
        "math.abs",
        np.abs,
        dtypes=NUMERIC,
        spans=(ANYWHERE,),
        kinks=(0.0, -0.0),
        curve="flat",
        exact=True,
        result="real",
        weight=3,
    ),
    Row(
        "operator.abs",
        np.abs,
        dtypes=NUMERIC,
        spans=(ANYWHERE,),
        kinks=(0.0, -0.0),
        curve="flat",
        exact=True,
        result="real",
    ),
    Row("math.sign", np.sign, dtypes=NUMERIC, spans=(ANYWHERE,), kinks=(0.0, -0.0), curve="flat", exact=True, weight=1),
)

_EXPONENTIALS = (
    _map("math.exp", np.exp, -6.0, 5.0, dtypes=FLOATING, kinks=(0.0, 100.0, -200.0), ulps="exp", weight=3),
    _map("math.expm1", np.expm1, -6.0, 5.0, dtypes=FLOATING, kinks=(0.0, -0.0), ulps="expm1"),
    _map("math.log", np.log, 0.05, 100.0, dtypes=FLOATING, kinks=(0.0, 1.0, -1.0), ulps="log", weight=3),
    _map("math.log1p", np.log1p, -0.9, 100.0, dtypes=FLOATING, kinks=(0.0, -1.0, -0.0), ulps="log1p"),
    _map(
        "math.sigmoid",
        _sigmoid,
        -12.0,
        12.0,
        dtypes=FLOATING,
        kinks=(0.0, -100.0, 100.0, -12.0),
        ulps="sigmoid",
        weight=3,
    ),
    _map("math.tanh", np.tanh, -8.0, 8.0, dtypes=FLOATING, kinks=(0.0, -100.0, 100.0), ulps="tanh", weight=3),
    _map("math.softplus", _softplus, kinks=(0.0, -100.0, 100.0), ulps="softplus"),
    _map("math.log_sigmoid", lambda x: -_softplus(-x), kinks=(0.0, -100.0, 100.0), ulps="softplus"),
    _map("nn.softsign", lambda x: x / (1.0 + np.abs(x)), kinks=(0.0, -0.0), ulps="divide"),
)

_TRIGONOMETRY = (
    _map("math.sin", np.sin, -10.0, 10.0, dtypes=FLOATING, kinks=(0.0, -0.0), ulps="sin", weight=3),
    _map("math.cos", np.cos, -10.0, 10.0, dtypes=FLOATING, kinks=(0.0,), ulps="cos"),
    _map("math.tan", np.tan, -1.3, 1.3, dtypes=FLOATING, kinks=(0.0,), ulps="tan"),
    _map("math.asin", np.arcsin, -0.95, 0.95, dtypes=FLOATING, kinks=(0.0, 1.0, -1.0), ulps="asin"),
    _map("math.acos", np.arccos, -0.95, 0.95, dtypes=FLOATING, kinks=(0.0, 1.0, -1.0), ulps="acos"),
    _map("math.atan", np.arctan, dtypes=FLOATING, kinks=(0.0,), ulps="atan"),
    _map("math.sinh", np.sinh, -5.0, 5.0, dtypes=FLOATING, kinks=(0.0,), ulps="sinh"),
    _map("math.cosh", np.cosh, -5.0, 5.0, dtypes=FLOATING, kinks=(0.0,), ulps="cosh"),
    _map("math.asinh", np.arcsinh, dtypes=FLOATING, kinks=(0.0,), ulps="asinh"),
    _map("math.acosh", np.arccosh, 1.0, 100.0, dtypes=FLOATING, kinks=(1.0, 2.0), ulps="acosh"),
    _map("math.atanh", np.arctanh, -0.9, 0.9, dtypes=FLOATING, kinks=(0.0, 1.0, -1.0), ulps="atanh"),
    _map("math.erf", _erf, -3.0, 3.0, kinks=(0.0,), ulps="erf"),
)

_ACTIVATIONS = (
    Row(
        "nn.relu",
        lambda x: np.maximum(x, 0),
        dtypes=SIGNED,
        spans=(ANYWHERE,),
        kinks=(0.0, -0.0),
        curve="flat",
        exact=True,
        weight=5,
    ),
    Row(
        "nn.relu6",
        lambda x: np.clip(x, 0.0, 6.0),
        spans=(ANYWHERE,),
        kinks=(0.0, 6.0, -0.0),
        curve="flat",
        exact=True,
        dtypes=SIGNED,
    ),
    Row(
        "nn.leaky_relu",
        _leaky_relu,
        attributes=_slope,
        spans=(ANYWHERE,),
        kinks=(0.0, -0.0),
        curve="flat",
        ulps="multiply",
        dtypes=SIGNED,
    ),
    Row("nn.elu", _elu, kinks=(0.0, -0.0), ulps="expm1"),
    Row("nn.selu", _selu, kinks=(0.0, -0.0), ulps="expm1"),
    Row("nn.gelu", _gelu, attributes=_approximate, spans=(Span(-6.0, 6.0),), kinks=(0.0,), ulps="erf"),
    Row("nn.silu", _silu, attributes=_beta, spans=(Span(-12.0, 12.0),), kinks=(0.0,), ulps="sigmoid"),
)

_ROUNDING = (
    Row("math.floor", np.floor, spans=(ANYWHERE,), curve="cut", exact=True, weight=1),
    Row("math.ceil", np.ceil, spans=(ANYWHERE,), curve="cut", exact=True, weight=1),
    Row(
        "math.round",
        np.round,
        spans=(ANYWHERE,),
        kinks=(0.5, 1.5, 2.5),
        curve="cut",
        exact=True,
        weight=1,
        dtypes=SIGNED,
    ),
    Row("identity", np.array, dtypes=ANY, spans=(ANYWHERE,), curve="linear", exact=True, weight=3),
    Row("stop_gradient", np.array, dtypes=ANY, spans=(ANYWHERE,), curve="cut", exact=True, weight=4),
    Row("zeros_like", np.zeros_like, dtypes=ANY, spans=(ANYWHERE,), curve="cut", exact=True, weight=1),
    Row("ones_like", np.ones_like, dtypes=ANY, spans=(ANYWHERE,), curve="cut", exact=True, weight=1),
)

_COMPLEX = (
    Row("math.real", np.real, dtypes=NUMERIC, spans=(ANYWHERE,), curve="linear", exact=True, result="real"),
    Row("math.imag", np.imag, dtypes=NUMERIC, spans=(ANYWHERE,), curve="linear", exact=True, result="real"),
    Row("math.conj", np.conj, dtypes=NUMERIC, spans=(ANYWHERE,), curve="linear", exact=True),
)

ROWS = _POWERS + _EXPONENTIALS + _TRIGONOMETRY + _ACTIVATIONS + _ROUNDING + _COMPLEX
