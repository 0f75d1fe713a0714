"""Running sums, products and log-sum-exps along one axis, in either direction, with or without the element itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...dtypes import as_dtype
from ...errors import invalid
from .unordered import disordered


def _scan(x: Any, axis: int, exclusive: bool, reverse: bool, run: Callable[[Any], Any], start: float) -> Any:
    if not -x.ndim <= axis < x.ndim:
        counted = axis + x.ndim if axis < 0 else axis
        raise invalid("Cumsum", f"ScanOp: Expected scan axis in the range [{-x.ndim}, {x.ndim}), but got {counted}")
    if reverse:
        x = np.flip(x, axis)
    axis %= x.ndim
    if exclusive and x.shape[axis]:
        lead = (slice(None),) * axis
        first = np.full((*x.shape[:axis], 1, *x.shape[axis + 1 :]), start, x.dtype)
        y = np.concatenate([first, run(x[(*lead, slice(None, -1))])], axis=axis)
    else:
        y = run(x)
    return np.flip(y, axis) if reverse else y


def cumsum(x: Any, axis: int, exclusive: bool, reverse: bool) -> Any:
    """The running sum; it starts from 0, so that none is -0."""
    run = lambda a: np.add.accumulate(a, axis=axis, dtype=a.dtype) + np.zeros((), a.dtype)
    return _scan(x, axis, exclusive, reverse, run, 0)


def cumprod(x: Any, axis: int, exclusive: bool, reverse: bool) -> Any:
    """The running product."""
    return _scan(x, axis, exclusive, reverse, lambda a: np.multiply.accumulate(a, axis=axis, dtype=a.dtype), 1)


def cumulative_logsumexp(x: Any, axis: int, exclusive: bool, reverse: bool) -> Any:
    """log of the running sum of exponentials; -inf before the first element."""
    run = lambda a: np.logaddexp.accumulate(a, axis=axis) + 0 if a.shape[axis] else a  # no sum of exponentials is -0
    if disordered(x):
        run = lambda a: _added_one_by_one(a, axis)
    return _scan(x, axis, exclusive, reverse, run, -np.inf)


def _added_one_by_one(x: np.ndarray, axis: int) -> np.ndarray:
    """What is no number counts as the sum before it, and two infinite ones have no sum, as in TensorFlow's kernel."""
    lowest, total, sums = as_dtype(x.dtype).min, x.dtype.type(-np.inf), []
    for row in np.moveaxis(x, axis, 0):
        less, more = np.where(row < total, row, total), np.where(total < row, row, total)
        both = np.where((less == more) & np.isinf(more), x.dtype.type(np.nan), more + np.log1p(np.exp(less - more)))
        total = np.where(less <= lowest, more, both)
        sums.append(total + np.zeros((), x.dtype))
    return np.moveaxis(np.stack(sums), 0, axis) if sums else x
