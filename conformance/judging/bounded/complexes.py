"""Rules for complex dtypes. A bound holds for the modulus of the error, hence for each component."""

from __future__ import annotations

from typing import Any

import numpy as np

from conformance.judging.bounded import exactness
from conformance.judging.bounded.array import Bounded, derived
from conformance.judging.bounded.formats import Format, format_of
from conformance.judging.bounded.run import note_lost_sign
from conformance.judging.bounded.settle import corners_of, settle
from conformance.judging.bounded.ulps import ulps


def _real(fmt: Format) -> Format:
    return format_of(fmt.real)


def _finish(ufunc: np.ufunc, arguments: tuple[Bounded, ...], x: Any, e: Any, k: float, exact: Any) -> Bounded:
    fmt = arguments[0].fmt
    return settle(fmt, x, e, k, exact, corners_of(ufunc, arguments), derived(ufunc.__name__, *arguments))


def add(ufunc: np.ufunc, a: Bounded, b: Bounded) -> Bounded:
    """add and subtract, component by component."""
    x = ufunc(a.x, b.x)
    e = None if a.e is None and b.e is None else a.error() + b.error()
    other = b.x if ufunc is np.add else -b.x

    def exact() -> Any:
        real = _real(a.fmt)
        return exactness.sum_is_exact(real, a.x.real, other.real, x.real) & exactness.sum_is_exact(
            real, a.x.imag, other.imag, x.imag
        )

    made = _finish(ufunc, (a, b), x, e, 0.5, exact)
    if made.e is not None and ufunc is np.subtract and a.key == b.key:
        return Bounded(a.fmt, x, np.where(np.isfinite(made.e), 0.0, made.e)[()], made.key)
    return made


def multiply(ufunc: np.ufunc, a: Bounded, b: Bounded) -> Bounded:
    """multiply: exact where the four products and both sums are."""
    x = a.x * b.x
    e = None
    if a.e is not None or b.e is not None:
        ea, eb = a.error(), b.error()
        e = np.abs(a.x) * eb + np.abs(b.x) * ea + ea * eb
    return _finish(ufunc, (a, b), x, e, ulps("complex multiply", a.fmt), lambda: _product_is_exact(a, b, x))


def _product_is_exact(a: Bounded, b: Bounded, x: Any) -> Any:
    real = _real(a.fmt)
    sure = np.True_
    for p, q, sign, part in (((a.x.real, b.x.real), (a.x.imag, b.x.imag), -1.0, x.real),
                             ((a.x.real, b.x.imag), (a.x.imag, b.x.real), 1.0, x.imag)):  # fmt: skip
        first, second = p[0] * p[1], q[0] * q[1] * sign
        sure = sure & exactness.product_is_exact(real, *p, first) & exactness.product_is_exact(real, *q, second)
        sure = sure & exactness.sum_is_exact(real, first, second, part)
    return sure


def divide(ufunc: np.ufunc, a: Bounded, b: Bounded) -> Bounded:
    """divide: exact where the divisor is real (or imaginary) and divides evenly; a zero's sign is the formula's."""
    x = a.x / b.x
    if not (np.all(x.real) and np.all(x.imag)):
        note_lost_sign()
    e = None
    if a.e is not None or b.e is not None:
        room = np.abs(b.x) - b.error()
        e = np.where(room > 0, (a.error() + np.abs(x) * b.error()) / room, np.inf)[()]
    lost = ~np.isfinite(b.x)  # zero or nan: it depends on what shares a vector register with it
    if lost.any():
        e = np.where(lost, np.inf, 0.0 if e is None else e)[()]

    def exact() -> Any:
        real = _real(a.fmt)
        even = exactness.quotient_is_exact(real, a.x.real, b.x.real, x.real)
        even = even & exactness.quotient_is_exact(real, a.x.imag, b.x.real, x.imag)
        power = exactness.odd_part(b.x.real) == 1  # another formula multiplies by the divisor's reciprocal
        return even & power & (b.x.imag == 0) & ~lost

    return _finish(ufunc, (a, b), x, e, ulps("complex divide", a.fmt), exact)


def square(ufunc: np.ufunc, a: Bounded) -> Bounded:
    return multiply(np.multiply, a, a)


def moved(ufunc: np.ufunc, a: Bounded) -> Bounded:
    """negative, positive and conjugate."""
    return Bounded(a.fmt, ufunc(a.x), a.e, derived(ufunc.__name__, a))


def modulus(ufunc: np.ufunc, a: Bounded) -> Bounded:
    """absolute: exact where a component is zero; elsewhere libraries differ by a bit even where the root is whole."""
    x = np.abs(a.x)
    fmt = _real(a.fmt)
    corners = (lambda: iter((x,))) if a.e is None else (lambda: iter((x - a.e, x + a.e)))
    key = derived("absolute", a)
    exact = (a.x.real == 0) | (a.x.imag == 0)
    return settle(fmt, x, a.e, ulps("complex absolute", a.fmt), lambda: exact, corners, key)


def sampled(ufunc: np.ufunc, *arguments: Bounded) -> Bounded:
    """Any other function: twice the largest change seen at four points around each argument; cuts show as jumps."""
    x = ufunc(*(a.x for a in arguments))
    e = None
    if any(a.e is not None for a in arguments):
        e = np.zeros(np.shape(x), arguments[0].fmt.wide_real)
        for turn in (1, -1, 1j, -1j):
            other = ufunc(*(a.x if a.e is None else a.x + turn * a.e for a in arguments))
            e = np.maximum(e, 2.0 * np.abs(other - x))
    fmt = arguments[0].fmt if np.iscomplexobj(x) else _real(arguments[0].fmt)
    z = arguments[0].x
    if ufunc.__name__ == "sqrt":  # below the cut TensorFlow goes by what shares a vector register with a number
        below = (z.real < 0) & (z.imag == 0) & np.signbit(z.imag)
        if below.any():
            e = np.where(below, np.inf, 0.0 if e is None else e)[()]

    def exact() -> Any:
        name = ufunc.__name__
        at_zero = name in (
            "sin",
            "tan",
            "sinh",
            "tanh",
            "arcsinh",
            "arctan",
            "sqrt",
            "cos",
            "cosh",
            "exp",
            "expm1",
            "log1p",
        )
        return ((z == 0) if at_zero else np.False_) | ((z == 1) if name in ("log", "sqrt") else np.False_)

    if ufunc.__name__ in ("log", "log1p"):  # the modulus is near 1, and was rounded
        e = (0.0 if e is None else e) + np.where(exact(), 0.0, 2 * fmt.ulp)[()]
    k = ulps(f"complex {ufunc.__name__}", arguments[0].fmt)
    return settle(fmt, x, e, k, exact, corners_of(ufunc, arguments), derived(ufunc.__name__, *arguments))
