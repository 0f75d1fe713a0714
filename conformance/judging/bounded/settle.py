"""The last part of every rule: add an operation's own rounding to the bound, and mind overflow and underflow.

`settle` takes the wide value of a result, the error that its inputs brought in, and how many units in the last place
the operation itself may be off; it gives the finished `Bounded`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from conformance.judging.bounded.array import Bounded
from conformance.judging.bounded.formats import Format

Corners = Callable[[], Iterator[Any]]


def settle(
    fmt: Format,
    x: Any,
    e: Any,
    k: Any,
    exact: Callable[[], Any] | None = None,
    corners: Corners | None = None,
    key: int | None = None,
    floor: float = 0.0,
) -> Bounded:
    """Finish a result.

    x: the wide value. e: the error inherited from inputs, or None when all inputs are exact. k: units in the last
    place of the operation itself, and `floor` its absolute share, in units in the last place of 1. exact(): where the
    operation does not round, asked only if some inputs are exact. corners(): other values that the result could take
    if its inputs moved within their bounds; asked only where something is not finite, to see whether that is certain.
    """
    size = np.abs(x)
    own = size * (k * fmt.ulp + fmt.slack)
    if floor:
        own = own + floor * fmt.ulp
    if exact is not None and (e is None or not e.all()):
        sure = exact()
        if e is not None:
            sure = sure & (e == 0)
        if sure.all():
            return _settle_exact(fmt, x, size, key)
        own = np.where(sure, 0.0, own)[()]
    e = own if e is None else e + own
    if not np.maximum.reduce(size + e, axis=None, initial=0.0) < fmt.max:
        x, e = _mind_overflow(fmt, x, e, corners)
        size = np.abs(x)
    low = size - e < fmt.low
    if low.any():
        e = np.where(low & ((e > 0) | (size > 0) & fmt.flushes), e + fmt.flush, e)[()]
    return Bounded(fmt, x, e, key)


def _settle_exact(fmt: Format, x: Any, size: Any, key: int | None) -> Bounded:
    if not fmt.flushes:
        return Bounded(fmt, x, None, key)
    low = (size < fmt.tiny) & (size > 0)
    return Bounded(fmt, x, np.where(low, size, 0.0)[()] if low.any() else None, key)


def _mind_overflow(fmt: Format, x: Any, e: Any, corners: Corners | None) -> tuple[Any, Any]:
    """Elements at or beyond the largest number: certain infinities and nans have no error, all others no bound."""
    with_limit = _clipper(fmt)
    bad = ~(np.abs(x) + e < fmt.max)
    beyond = np.where(np.abs(x) - e > fmt.max, with_limit(x), x)[()]
    certain = ~np.isfinite(beyond)
    for other in corners() if corners is not None else ():
        certain = certain & same_value(with_limit(other), beyond)
    if fmt.is_complex:  # the infinities of complex products differ between compilers
        certain = certain & np.False_
    return beyond, np.where(bad, np.where(certain, 0.0, np.inf), e)[()]


def _clipper(fmt: Format) -> Callable[[Any], Any]:
    def with_limit(x: Any) -> Any:
        if fmt.is_complex:
            return x
        return np.where(np.abs(x) > fmt.max, np.copysign(fmt.wide.type(np.inf), x), x)[()]

    return with_limit


def same_value(a: Any, b: Any) -> Any:
    """Where two arrays hold the same number, or are both nan."""
    return (a == b) | ((a != a) & (b != b))


def corners_of(ufunc: np.ufunc, arguments: tuple[Bounded, ...]) -> Corners:
    """The values of a ufunc where each rounded argument sits at the middle or at either end of its interval."""

    def corners() -> Iterator[Any]:
        ends = [(a.x,) if a.e is None else (a.x, a.x - a.e, a.x + a.e) for a in arguments]
        for combination in itertools.product(*ends):
            yield ufunc(*combination)

    return corners
