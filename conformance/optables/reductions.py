"""Rows of the ops that reduce over axes or work along one: sums, extremes, norms, softmax, cumulative ops."""

from __future__ import annotations

from typing import Any

import numpy as np

from conformance.optables.row import ANYWHERE, BOOL, FLOATING, NUMERIC, REAL, SIGNED, Digits, Row, Span


def axes(draw: Digits, operands: tuple[np.ndarray, ...]) -> dict[str, Any]:
    """No axis, one axis (also counted from the end), several, or none of them (`[]`); with or without keepdims."""
    rank = operands[0].ndim
    found: dict[str, Any] = {}
    how = draw(7)
    if how == 6:
        found["axis"] = []
    elif rank and how in (3, 4):
        found["axis"] = draw(2 * rank) - rank
    elif rank and how == 5:
        found["axis"] = list(range(rank))[:: -1 if draw(2) else 1]
    if draw(4) == 3:
        found["keepdims"] = True
    return found


def one_axis(draw: Digits, operands: tuple[np.ndarray, ...]) -> dict[str, Any]:
    """The default axis, or one named (also from the end)."""
    rank = operands[0].ndim
    return {} if draw(2) == 0 else {"axis": draw(2 * rank) - rank}


def _cumulative(draw: Digits, operands: tuple[np.ndarray, ...]) -> dict[str, Any]:
    found = one_axis(draw, operands)
    if draw(3) == 2:
        found["exclusive"] = True
    if draw(3) == 2:
        found["reverse"] = True
    return found


def _norm_attributes(draw: Digits, operands: tuple[np.ndarray, ...]) -> dict[str, Any]:
    rank = operands[0].ndim
    order = ("euclidean", 1, 2, np.inf, 3)[draw(5)]
    found: dict[str, Any] = {} if order == "euclidean" else {"ord": float(order) if order == np.inf else order}
    if rank and draw(3) == 2:
        found["axis"] = draw(2 * rank) - rank
    if draw(4) == 3:
        found["keepdims"] = True
    return found


def _tuple(axis: Any) -> Any:
    return tuple(axis) if isinstance(axis, list) else axis


def _reduce(ufunc: Any) -> Any:
    def forward(x: np.ndarray, axis: Any = None, keepdims: bool = False) -> np.ndarray:
        return ufunc(x, axis=_tuple(axis), keepdims=keepdims)

    return forward


def _extreme(ufunc: Any, start: float) -> Any:
    """An extreme that has one where there is nothing, too."""

    def forward(x: np.ndarray, axis: Any = None, keepdims: bool = False) -> np.ndarray:
        return ufunc(x, axis=_tuple(axis), keepdims=keepdims, **({} if x.size else {"initial": start}))

    return forward


def _mean(x: np.ndarray, axis: Any = None, keepdims: bool = False) -> np.ndarray:
    total = np.sum(x, axis=_tuple(axis), keepdims=keepdims)
    return total * (np.size(total) / x.size) if x.size else total * np.nan


def _variance(x: np.ndarray, axis: Any = None, keepdims: bool = False) -> np.ndarray:
    return _mean(np.square(x - _mean(x, axis, True)), axis, keepdims)


def _deviation(x: np.ndarray, axis: Any = None, keepdims: bool = False) -> np.ndarray:
    return np.sqrt(_variance(x, axis, keepdims))


def _logsumexp(x: np.ndarray, axis: Any = None, keepdims: bool = False) -> np.ndarray:
    return np.log(np.sum(np.exp(x), axis=_tuple(axis), keepdims=keepdims))


def _softmax(x: np.ndarray, axis: int = -1) -> np.ndarray:
    shifted = np.exp(x - (np.max(x, axis=axis, keepdims=True) if x.size else 0))
    return shifted / np.sum(shifted, axis=axis, keepdims=True)


def _cumulate(ufunc: Any, start: float) -> Any:
    def forward(x: np.ndarray, axis: int = 0, exclusive: bool = False, reverse: bool = False) -> np.ndarray:
        flipped = np.flip(x, axis) if reverse else x
        found = ufunc(flipped, axis=axis)
        if exclusive:
            found = np.roll(found, 1, axis)
            if found.shape[axis]:
                np.moveaxis(found, axis, 0)[0] = start
        return np.flip(found, axis) if reverse else found

    return forward


def _norm(x: np.ndarray, ord: Any = "euclidean", axis: Any = None, keepdims: bool = False) -> np.ndarray:
    size = np.abs(x)
    if ord == np.inf:
        return np.max(size, axis=axis, keepdims=keepdims)
    power = 2 if ord == "euclidean" else ord
    return np.sum(size**power, axis=axis, keepdims=keepdims) ** (1.0 / power)


def _l2_loss(x: np.ndarray) -> np.ndarray:
    return np.sum(x * x) / 2


def _reduction(name: str, forward: Any, **more: Any) -> Row:
    return Row(name, forward, attributes=axes, **more)


_SUMS = (
    _reduction(
        "reduce_sum",
        _reduce(np.sum),
        dtypes=NUMERIC,
        spans=(ANYWHERE,),
        curve="linear",
        exact=True,
        ulps="sum",
        weight=7,
    ),
    _reduction("reduce_mean", _mean, dtypes=NUMERIC, spans=(ANYWHERE,), curve="linear", ulps="sum", weight=4),
    _reduction(
        "reduce_prod", _reduce(np.prod), dtypes=NUMERIC, kinks=(0.0, 1.0, 2.0, -1.0), exact=True, ulps="prod", weight=3
    ),
    _reduction(
        "reduce_max",
        _extreme(np.max, -1e4),
        dtypes=SIGNED,
        spans=(ANYWHERE,),
        ties=True,
        kinks=(1.0, 3.0, 3.0),
        curve="flat",
        exact=True,
        weight=3,
    ),
    _reduction(
        "reduce_min",
        _extreme(np.min, 1e4),
        dtypes=SIGNED,
        spans=(ANYWHERE,),
        ties=True,
        kinks=(1.0, 3.0, 3.0),
        curve="flat",
        exact=True,
        weight=3,
    ),
    _reduction(
        "reduce_logsumexp",
        _logsumexp,
        spans=(Span(-20.0, 20.0),),
        kinks=(0.0, 100.0, -100.0),
        ulps="logsumexp",
        weight=3,
    ),
    _reduction("reduce_all", _reduce(np.all), dtypes=BOOL, curve="cut", exact=True, weight=1),
    _reduction("reduce_any", _reduce(np.any), dtypes=BOOL, curve="cut", exact=True, weight=1),
    _reduction("math.reduce_variance", _variance, dtypes=FLOATING, ties=True, kinks=(2.0, 2.0), ulps="sum", weight=1),
    _reduction("math.reduce_std", _deviation, dtypes=FLOATING, ties=True, kinks=(2.0, 2.0), ulps="norm", weight=1),
)

_NORMS = (
    Row(
        "norm",
        _norm,
        attributes=_norm_attributes,
        dtypes=FLOATING,
        spans=(Span(-30.0, 30.0, apart=0.05),),
        kinks=(0.0, 3.0, 4.0),
        ulps="norm",
        weight=3,
    ),
    Row("nn.l2_loss", _l2_loss, dtypes=REAL, exact=True, ulps="sum", weight=1),
)

_ALONG = (
    Row(
        "nn.softmax",
        _softmax,
        attributes=one_axis,
        rank=1,
        ties=True,
        spans=(Span(-20.0, 20.0),),
        kinks=(0.0, 100.0),
        ulps="softmax",
        weight=3,
    ),
    Row(
        "nn.log_softmax",
        _softmax,
        attributes=one_axis,
        rank=1,
        spans=(Span(-20.0, 20.0),),
        kinks=(0.0, 100.0),
        ulps="softmax",
    ),
    Row(
        "cumsum",
        _cumulate(np.cumsum, 0.0),
        attributes=_cumulative,
        rank=1,
        dtypes=NUMERIC,
        spans=(ANYWHERE,),
        curve="linear",
        exact=True,
        ulps="sum",
        weight=3,
    ),
    Row(
        "math.cumprod",
        _cumulate(np.cumprod, 1.0),
        attributes=_cumulative,
        rank=1,
        dtypes=NUMERIC,
        kinks=(0.0, 2.0, 3.0),
        exact=True,
        ulps="prod",
        weight=1,
    ),
)

ROWS = _SUMS + _NORMS + _ALONG
