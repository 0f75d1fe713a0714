"""Rows of the ops that take two operands and broadcast them: arithmetic, powers, comparisons, where, clips."""

from __future__ import annotations

from typing import Any

import numpy as np

from conformance.optables.row import ANY, ANYWHERE, BOOL, CALM, FLOATING, NUMERIC, REAL, SIGNED, Digits, Row, Span

PAIR = ("x", "broadcast")
APART = Span(-100.0, 100.0, apart=0.05)


def _divide(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.true_divide(x, y)


def _divide_no_nan(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.where(y == 0, 0.0, np.true_divide(x, np.where(y == 0, 1.0, y)))


def _multiply_no_nan(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.where(y == 0, 0.0, x * y)


def _xlogy(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.where(x == 0, 0.0, x * np.log(y))


def _xdivy(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.where(x == 0, 0.0, x / y)


def _bounds(draw: Digits, operands: tuple[np.ndarray, ...]) -> dict[str, Any]:
    low, width = draw(5) - 2, draw(4)
    return {"clip_value_min": float(low), "clip_value_max": float(low + width)}


def _clip(x: np.ndarray, clip_value_min: float, clip_value_max: float) -> np.ndarray:
    return np.maximum(np.minimum(x, clip_value_max), clip_value_min)


def _norm(x: np.ndarray, axis: Any = None) -> np.ndarray:
    return np.sqrt(np.sum(np.abs(x) ** 2, axis=axis, keepdims=True))


def _radius(draw: Digits, operands: tuple[np.ndarray, ...]) -> dict[str, Any]:
    (x,) = operands[:1]
    found: dict[str, Any] = {"clip_norm": (1.0, 2.0, 5.0, 0.5, 100.0)[draw(5)]}
    if x.ndim and draw(3) == 2:
        found["axes"] = [draw(x.ndim)]
    return found


def _clip_by_norm(x: np.ndarray, clip_norm: float, axes: Any = None) -> np.ndarray:
    return x * clip_norm / np.maximum(_norm(x, None if axes is None else tuple(axes)), clip_norm)


def _clip_by_global_norm(*xs: np.ndarray, clip_norm: float) -> tuple[list[np.ndarray], np.ndarray]:
    norm = np.sqrt(sum(np.sum(np.abs(x) ** 2) for x in xs))
    return [x * clip_norm / np.maximum(norm, clip_norm) for x in xs], norm


def _global_radius(draw: Digits, operands: tuple[np.ndarray, ...]) -> dict[str, Any]:
    return {"clip_norm": (1.0, 2.0, 5.0, 100.0)[draw(4)]}


def _binary(name: str, forward: Any, **more: Any) -> Row:
    return Row(name, forward, operands=PAIR, **more)


def _comparison(name: str, forward: Any, dtypes: frozenset[str] = SIGNED) -> Row:
    return _binary(
        name, forward, dtypes=dtypes, spans=(ANYWHERE,), curve="cut", result="bool", ties=True, exact=True, weight=1
    )


_ARITHMETIC = (
    _binary("operator.mul", np.multiply, dtypes=NUMERIC, curve="bilinear", exact=True, weight=8),
    _binary("operator.add", np.add, dtypes=NUMERIC, spans=(ANYWHERE,), curve="linear", exact=True, weight=6),
    _binary("operator.sub", np.subtract, dtypes=NUMERIC, spans=(ANYWHERE,), curve="linear", exact=True, weight=4),
    _binary(
        "operator.truediv",
        _divide,
        dtypes=NUMERIC,
        spans=(ANYWHERE, APART),
        kinks=(0.0, -0.0),
        ulps="divide",
        weight=4,
    ),
    _binary(
        "operator.pow",
        np.power,
        spans=(Span(0.1, 5.0), Span(-3.0, 3.0)),
        kinks=(0.0, -0.0, 0.5, -np.inf, 1.0, -1.0, 2.0, 0.5),
        ulps="pow",
        weight=4,
        dtypes=NUMERIC,
    ),
    _binary(
        "operator.floordiv", np.floor_divide, dtypes=SIGNED, spans=(ANYWHERE, APART), curve="cut", exact=True, weight=1
    ),
    _binary("operator.mod", np.mod, dtypes=SIGNED, spans=(ANYWHERE, APART), curve="linear", exact=True, weight=1),
    _binary("math.add", np.add, dtypes=NUMERIC, spans=(ANYWHERE,), curve="linear", exact=True),
    _binary("math.subtract", np.subtract, dtypes=NUMERIC, spans=(ANYWHERE,), curve="linear", exact=True),
    _binary("math.multiply", np.multiply, dtypes=NUMERIC, curve="bilinear", exact=True),
    _binary("math.divide", _divide, dtypes=NUMERIC, spans=(ANYWHERE, APART), kinks=(0.0,), ulps="divide"),
    _binary("math.divide_no_nan", _divide_no_nan, spans=(ANYWHERE, ANYWHERE), kinks=(0.0, -0.0, 1.0), ulps="divide"),
    _binary("math.multiply_no_nan", _multiply_no_nan, kinks=(0.0, -0.0, 1.0, np.inf), exact=True, dtypes=FLOATING),
    _binary("math.squared_difference", lambda x, y: (x - y) ** 2, dtypes=NUMERIC, exact=True, ties=True),
    _binary(
        "math.pow",
        np.power,
        spans=(Span(0.1, 5.0), Span(-3.0, 3.0)),
        kinks=(0.0, -0.0, 0.5, -np.inf, 1.0, -1.0, 2.0, 0.5),
        ulps="pow",
        dtypes=NUMERIC,
    ),
    _binary(
        "math.maximum", np.maximum, dtypes=SIGNED, spans=(ANYWHERE,), curve="linear", exact=True, ties=True, weight=4
    ),
    _binary(
        "math.minimum", np.minimum, dtypes=SIGNED, spans=(ANYWHERE,), curve="linear", exact=True, ties=True, weight=4
    ),
    _binary(
        "math.atan2",
        np.arctan2,
        dtypes=REAL,
        spans=(Span(apart=0.05), Span(apart=0.05)),
        kinks=(0.0, -0.0, 1.0, -1.0),
        ulps="atan2",
    ),
    _binary("math.xlogy", _xlogy, spans=(CALM, Span(0.05, 50.0)), kinks=(0.0, 1.0), ulps="log"),
    _binary("math.xdivy", _xdivy, spans=(CALM, APART), kinks=(0.0, 1.0), ulps="divide", dtypes=FLOATING),
    _binary("math.floormod", np.mod, dtypes=SIGNED, spans=(ANYWHERE, APART), curve="linear", exact=True, weight=1),
)

_COMPARISONS = (
    _comparison("math.greater", np.greater),
    _comparison("math.less", np.less),
    _comparison("math.greater_equal", np.greater_equal),
    _comparison("math.less_equal", np.less_equal),
    _comparison("math.equal", np.equal, ANY),
    _comparison("math.not_equal", np.not_equal, ANY),
    _comparison("operator.gt", np.greater),
    _comparison("operator.lt", np.less),
    Row("math.logical_and", np.logical_and, operands=PAIR, dtypes=BOOL, curve="cut", exact=True, weight=1),
    Row("math.logical_or", np.logical_or, operands=PAIR, dtypes=BOOL, curve="cut", exact=True, weight=1),
    Row("math.logical_not", np.logical_not, dtypes=BOOL, curve="cut", exact=True, weight=1),
)

_CHOOSING = (
    Row(
        "where",
        np.where,
        operands=("mask", "x", "broadcast"),
        dtypes=NUMERIC,
        spans=(ANYWHERE,),
        curve="linear",
        exact=True,
        weight=4,
    ),
    Row(
        "clip_by_value",
        _clip,
        attributes=_bounds,
        positional=("clip_value_min", "clip_value_max"),
        spans=(ANYWHERE,),
        kinks=(-2.0, -1.0, 0.0, 1.0, 2.0),
        curve="linear",
        exact=True,
        weight=4,
    ),
    Row(
        "clip_by_norm",
        _clip_by_norm,
        attributes=_radius,
        positional=("clip_norm",),
        kinks=(0.0, 3.0, 4.0, 1.0, 0.5),
        ulps="norm",
    ),
    Row(
        "clip_by_global_norm",
        _clip_by_global_norm,
        operands=("list",),
        attributes=_global_radius,
        positional=("clip_norm",),
        kinks=(0.0, 3.0, 4.0),
        ulps="norm",
    ),
)

ROWS = _ARITHMETIC + _COMPARISONS + _CHOOSING
