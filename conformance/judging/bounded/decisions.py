"""Rules for operations that decide: comparisons, rounding to whole numbers, signs, positions of extremes.

Where an operand's bound lets the decision fall either way, the current run is told that it is ambiguous, and the
decision is taken on the reference values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from conformance.judging.bounded.array import Bounded, derived
from conformance.judging.bounded.exactness import representable
from conformance.judging.bounded.run import note_ambiguous


def _gap(a: Bounded, b: Bounded) -> Any:
    """The largest distance that rounding can have moved two operands towards each other."""
    if a.e is None:
        return b.e
    return a.e if b.e is None else a.e + b.e


def compare(ufunc: np.ufunc, a: Bounded, b: Bounded) -> Any:
    """less, less_equal, greater, greater_equal, equal and not_equal: plain booleans."""
    if a.e is None and b.e is None:
        return ufunc(a.x, b.x)
    if a is b or a.key == b.key:
        return ufunc(a.x, a.x)
    gap = _gap(a, b)
    close = ~(np.abs(a.x - b.x) > gap) & (gap > 0)
    if not close.any():
        return ufunc(a.x, b.x)
    same = a.identities() == b.identities()
    open_ = close & ~same & ~_certainly_apart(a, b)
    if open_.any():
        note_ambiguous(f"{ufunc.__name__} of values within their error bounds")
    return np.where(same, ufunc(a.x, a.x), ufunc(a.x, b.x))[()]


def _certainly_apart(a: Bounded, b: Bounded) -> Any:
    """Where the distance is not a number only because an operand certainly is an infinity or a nan."""
    certain_a = ~np.isfinite(a.x) & (a.error() == 0)
    certain_b = ~np.isfinite(b.x) & (b.error() == 0)
    known = np.isfinite(a.error()) & np.isfinite(b.error())
    return (certain_a | certain_b) & known


def classify(ufunc: np.ufunc, a: Bounded) -> Any:
    """isnan, isinf and isfinite."""
    if a.e is not None and np.isinf(a.e).any():
        note_ambiguous(f"{ufunc.__name__} of a value without a bound")
    return ufunc(a.x)


def truth(ufunc: np.ufunc, *arguments: Bounded) -> Any:
    """logical_and, logical_or, logical_xor and logical_not: zero or not."""
    for a in arguments:
        _note_sign(ufunc.__name__, a)
    return ufunc(*(a.x for a in arguments))


def signbit(ufunc: np.ufunc, a: Bounded) -> Any:
    """signbit: a plain boolean."""
    _note_sign("signbit", a)
    return ufunc(a.x)


def _note_sign(name: str, a: Bounded) -> None:
    if a.e is not None and (~(np.abs(a.x) > a.e) & (a.e > 0) & ~np.isnan(a.x)).any():
        note_ambiguous(f"{name} of a value within its error bound of zero")


def sign(ufunc: np.ufunc, a: Bounded) -> Bounded:
    """sign: exact, where the sign is certain."""
    _note_sign("sign", a)
    if a.fmt.is_complex and a.e is not None:
        size = np.abs(a.x)
        return Bounded(a.fmt, ufunc(a.x), 4.0 * a.e / size + 4 * a.fmt.ulp, derived("sign", a))
    return Bounded(a.fmt, ufunc(a.x), None, derived("sign", a))


def whole(ufunc: np.ufunc, a: Bounded) -> Bounded:
    """floor, ceil, trunc and rint: exact, where the interval holds no step."""
    x = ufunc(a.x)
    if a.e is not None:
        steps = (ufunc(a.x - a.e) != ufunc(a.x + a.e)) & ~np.isnan(a.x)
        if steps.any():
            note_ambiguous(f"{ufunc.__name__} of a value within its error bound of a step")
    return Bounded(a.fmt, x, None, derived(ufunc.__name__, a))


def truncated_to_integers(a: Bounded, dtype: np.dtype) -> Any:
    """The conversion to an integer dtype."""
    if a.e is not None and (np.trunc(a.x.real - a.e) != np.trunc(a.x.real + a.e)).any():
        note_ambiguous("conversion to integers of a value within its error bound of a whole number")
    return a.x.astype(a.dtype).astype(dtype)


def quotient_parts(ufunc: np.ufunc, a: Bounded, b: Bounded) -> Bounded:
    """floor_divide, remainder and fmod. An uncertain quotient is ambiguous."""
    rounding = np.trunc if ufunc is np.fmod else np.floor
    q = rounding(a.x / b.x)
    x = ufunc(a.x, b.x)
    ea, eb = a.error(), b.error()
    spread = (ea + np.abs(a.x / b.x) * eb) / (np.abs(b.x) - eb)
    ratio = a.x / b.x
    steps = (rounding(ratio - spread) != rounding(ratio + spread)) & (ea + eb > 0)
    if steps.any():
        note_ambiguous(f"{ufunc.__name__} of a quotient within its error bound of a whole number")
    e = ea * 0.0 if ufunc is np.floor_divide else ea + np.abs(q) * eb
    e = np.where(np.isnan(e), np.where(ea + eb > 0, np.inf, 0.0), e)  # of a division by zero, or by what may be zero
    rounded = (e > 0) | ~(representable(a.fmt, x) | np.isnan(x))
    size = np.where(np.isfinite(x), np.abs(x), 0.0)
    e = np.where(rounded, e + size * a.fmt.ulp, 0.0)[()]
    return Bounded(a.fmt, x, e if e.any() else None, derived(ufunc.__name__, a, b))


def extreme_position(function: Callable[..., Any], a: Bounded, axis: int | None, keepdims: bool = False) -> Any:
    """argmax and argmin: plain integers; ambiguous if another element could win."""
    at = function(a.x, axis=axis, keepdims=True)
    if a.e is not None:
        best = np.take_along_axis(a.x, at, axis) if axis is not None else a.x.ravel()[at]
        slack = np.take_along_axis(a.e, at, axis) if axis is not None else a.e.ravel()[at]
        tags = a.identities()
        best_tag = np.take_along_axis(tags, at, axis) if axis is not None else tags.ravel()[at]
        gap = a.e + slack
        if (~(np.abs(a.x - best) > gap) & (gap > 0) & (tags != best_tag)).any():
            note_ambiguous(f"{function.__name__} among values within their error bounds")
    return function(a.x, axis=axis, keepdims=keepdims)


def order(a: Bounded, axis: int | None, kind: str | None = None, stable: bool | None = None) -> Any:
    """argsort: plain integers; ambiguous if two neighbours could change places."""
    if axis is None:
        a, axis = a.ravel(), 0
    positions = np.argsort(a.x, axis=axis, kind=kind or ("stable" if stable else None))
    if a.e is not None and a.x.shape[axis] > 1:
        x = np.moveaxis(np.take_along_axis(a.x, positions, axis), axis, -1)
        e = np.moveaxis(np.take_along_axis(a.e, positions, axis), axis, -1)
        tags = np.moveaxis(np.take_along_axis(a.identities(), positions, axis), axis, -1)
        gap = e[..., 1:] + e[..., :-1]
        close = ~(x[..., 1:] - x[..., :-1] > gap) & (gap > 0)
        if (close & (tags[..., 1:] != tags[..., :-1])).any():
            note_ambiguous("a sort of values within their error bounds")
    return positions
