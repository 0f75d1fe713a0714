"""Rules for the real elementwise ufuncs: how far the result can move when each argument moves within its bound.

Monotone functions are evaluated at both ends of the interval, which is rigorous and sees singularities by itself (an
end outside the domain is nan, and then nothing is known); the others have a formula of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from conformance.judging.bounded import exactness
from conformance.judging.bounded.array import Bounded, derived, lift
from conformance.judging.bounded.run import note_ambiguous, note_lost_sign, regrouped, rewritten, signs_lost
from conformance.judging.bounded.settle import corners_of, settle
from conformance.judging.bounded.ulps import floor, ulps

Rule = Callable[..., Bounded]

# Arguments at which the mathematical result is a number of every format, so that no implementation rounds.
_EXACT_AT_ZERO = {
    "sin", "tan", "arcsin", "arctan", "sinh", "tanh", "arcsinh", "arctanh", "expm1", "log1p", "cos", "cosh", "exp",
    "exp2", "sqrt", "cbrt",
}  # fmt: skip
_EXACT_AT_ONE = {"log", "log2", "log10", "arccos", "arccosh", "sqrt", "cbrt"}
_EXACT_AT_INFINITY = {
    "tanh",
    "exp",
    "expm1",
    "exp2",
    "log",
    "log1p",
    "log2",
    "sqrt",
    "sinh",
    "cosh",
    "arcsinh",
    "arccosh",
}


def _exact_points(name: str, x: Any) -> Any:
    sure = np.isnan(x)
    if name in _EXACT_AT_ZERO:
        sure = sure | (x == 0)
    if name in _EXACT_AT_ONE:
        sure = sure | (x == 1)
    if name in _EXACT_AT_INFINITY:
        sure = sure | np.isinf(x)
    return sure


def _finish(
    ufunc: np.ufunc, arguments: tuple[Bounded, ...], x: Any, e: Any, exact: Any = None, k: float | None = None
) -> Bounded:
    fmt = arguments[0].fmt
    name = ufunc.__name__
    check = exact or (lambda: _exact_points(name, arguments[0].x))
    k = ulps(name, fmt) if k is None else k
    return settle(fmt, x, e, k, check, corners_of(ufunc, arguments), derived(name, *arguments), floor(name, fmt))


def monotone(ufunc: np.ufunc, a: Bounded) -> Bounded:
    """A function without turning points: both ends of the interval."""
    x = ufunc(a.x)
    if a.e is None:
        return _finish(ufunc, (a,), x, None)
    return _finish(ufunc, (a,), x, _reach(x, ufunc(a.x - a.e), ufunc(a.x + a.e)))


def even(ufunc: np.ufunc, a: Bounded) -> Bounded:
    """cosh: even, and growing with |x|."""
    x = ufunc(a.x)
    if a.e is None:
        return _finish(ufunc, (a,), x, None)
    size = np.abs(a.x)
    return _finish(ufunc, (a,), x, _reach(x, ufunc(np.maximum(size - a.e, 0)), ufunc(size + a.e)))


def _reach(x: Any, low: Any, high: Any) -> Any:
    """The largest distance of two other results from x; nothing where all three are the same infinity."""
    reach = np.maximum(np.abs(high - x), np.abs(x - low))
    return np.where((high == x) & (low == x), 0.0, reach)[()]


def sine(ufunc: np.ufunc, a: Bounded) -> Bounded:
    """sin and cos: the slope on the interval is at most |f'(x)| + e."""
    x = ufunc(a.x)
    if a.e is None:
        return _finish(ufunc, (a,), x, None)
    slope = np.abs((np.cos if ufunc is np.sin else np.sin)(a.x))
    return _finish(ufunc, (a,), x, np.minimum(a.e * np.minimum(slope + a.e, 1.0), 2.0))


def tangent(ufunc: np.ufunc, a: Bounded) -> Bounded:
    """tan: monotone between its poles."""
    x = ufunc(a.x)
    if a.e is None:
        return _finish(ufunc, (a,), x, None)
    low, high = a.x - a.e, a.x + a.e
    pole = np.floor(low / np.pi + 0.5) != np.floor(high / np.pi + 0.5)
    return _finish(ufunc, (a,), x, np.where(pole, np.inf, _reach(x, ufunc(low), ufunc(high)))[()])


def square_root(ufunc: np.ufunc, a: Bounded) -> Bounded:
    """sqrt: exact for perfect squares."""
    x = ufunc(a.x)
    e = None if a.e is None else _reach(x, ufunc(a.x - a.e), ufunc(a.x + a.e))
    return _finish(ufunc, (a,), x, e, lambda: exactness.root_is_exact(a.fmt, a.x, x) | ~(np.abs(x) < np.inf))


def square(ufunc: np.ufunc, a: Bounded) -> Bounded:
    """square."""
    x = a.x * a.x
    e = None if a.e is None else a.e * (2.0 * np.abs(a.x) + a.e)
    return _finish(ufunc, (a,), x, e, lambda: exactness.product_is_exact(a.fmt, a.x, a.x, x))


def reciprocal(ufunc: np.ufunc, a: Bounded) -> Bounded:
    """reciprocal: never exact in float32, where TensorFlow approximates it (vector kernels make 0.99999994 of 1)."""
    mind_zeros(a)
    x = 1.0 / a.x
    e = None
    if a.e is not None:
        room = np.abs(a.x) - a.e
        e = np.where((room > 0) | (a.e == 0), np.abs(x) * a.e / room, np.inf)[()]
    correct = ulps("reciprocal", a.fmt) <= 0.5
    one = lift(1.0, a.fmt.dtype).x

    def exact() -> Any:
        return exactness.quotient_is_exact(a.fmt, one, a.x, x) if correct else ~np.isfinite(x) | np.isinf(a.x)

    return _finish(ufunc, (a,), x, e, exact)


def moved(ufunc: np.ufunc, a: Bounded) -> Bounded:
    """negative, positive and absolute (real): they round nothing and keep distances."""
    return Bounded(a.fmt, ufunc(a.x), a.e, derived(ufunc.__name__, a))


def scaled(ufunc: np.ufunc, a: Bounded) -> Bounded:
    """deg2rad and rad2deg: a product with a rounded constant."""
    x = ufunc(a.x)
    return _finish(ufunc, (a,), x, None if a.e is None else ufunc(a.e))


# ---------------------------------------------------------------- two arguments


def add(ufunc: np.ufunc, a: Bounded, b: Bounded) -> Bounded:
    """add and subtract."""
    x = ufunc(a.x, b.x)
    e = _sum_of_errors(a, b)
    other = b.x if ufunc is np.add else -b.x
    if regrouped() and a.fmt.precision <= _HALF:
        e = _of_other_parts(a, b, 0.0 if e is None else e)
    made = _finish(ufunc, (a, b), x, e, lambda: exactness.sum_is_exact(a.fmt, a.x, other, x))
    if made.e is not None and ufunc is np.subtract and not x.all():
        return _without_equals(made, a, b)
    return made


_HALF = 11  # binary digits of float16, in which sums of few small numbers are exact in one order and not in another


def _of_other_parts(a: Bounded, b: Bounded, e: Any) -> Any:
    """The error of a sum that may have been taken of other parts: one of them is rounded, were the whole exact."""
    parts = np.where((a.x != 0) & (b.x != 0), np.abs(a.x) + np.abs(b.x), 0.0)
    return e + 0.5 * a.fmt.ulp * parts


def mind_zeros(a: Bounded) -> None:
    """Where a zero's sign decides (between the infinities), it must not have been lost."""
    if signs_lost() and not np.all(a.x):
        note_ambiguous("the sign of a zero that implementations choose freely decides")


def _sum_of_errors(a: Bounded, b: Bounded) -> Any:
    if a.e is None:
        return None if b.e is None else b.e + np.zeros(a.x.shape)
    return a.e + np.zeros(b.x.shape) if b.e is None else a.e + b.e


def _without_equals(made: Bounded, a: Bounded, b: Bounded) -> Bounded:
    """A difference of elements that are one and the same value is exactly zero."""
    same = np.isfinite(made.e) & (a.identities() == b.identities())
    if a.key == b.key and a.tags is None and b.tags is None:
        same = np.isfinite(made.e)
    return Bounded(made.fmt, made.x, np.where(same & (made.x == 0), 0.0, made.e)[()], made.key)


def multiply(ufunc: np.ufunc, a: Bounded, b: Bounded) -> Bounded:
    """multiply."""
    x = a.x * b.x
    if a.e is None:
        e = None if b.e is None else np.abs(a.x) * b.e
    elif b.e is None:
        e = np.abs(b.x) * a.e
    else:
        e = np.abs(a.x) * b.e + np.abs(b.x) * a.e + a.e * b.e
    return _finish(ufunc, (a, b), x, e, lambda: exactness.product_is_exact(a.fmt, a.x, b.x, x))


def divide(ufunc: np.ufunc, a: Bounded, b: Bounded) -> Bounded:
    """divide: nothing is known if the divisor's interval holds zero."""
    mind_zeros(b)
    x = a.x / b.x
    if a.e is None and b.e is None:
        e = None
    elif b.e is None:
        e = a.e / np.abs(b.x)
    else:
        room = np.abs(b.x) - b.e
        far = (np.abs(x) * b.e + (0.0 if a.e is None else a.e)) / room
        e = np.where((room > 0) | (b.e == 0), far, np.inf)[()]
    if rewritten():
        return _by_reciprocal(ufunc, a, b, x, e)
    return _finish(ufunc, (a, b), x, e, lambda: exactness.quotient_is_exact(a.fmt, a.x, b.x, x))


def _by_reciprocal(ufunc: np.ufunc, a: Bounded, b: Bounded, x: Any, e: Any) -> Bounded:
    """A quotient in a graph: where one operand is a constant, TensorFlow makes a product with a reciprocal of it."""
    k = ulps("reciprocal", a.fmt)

    def exact() -> Any:
        sure = ~np.isfinite(x) | np.isinf(b.x) | (a.x == 0)
        if k > 0.5:
            return sure
        power = exactness.odd_part(np.where(np.isfinite(b.x), b.x, 1.0)) == 1
        return sure | power & exactness.quotient_is_exact(a.fmt, a.x, b.x, x)

    return _finish(ufunc, (a, b), x, e, exact, k + 0.5)


def extremes(ufunc: np.ufunc, a: Bounded, b: Bounded) -> Bounded:
    """maximum, minimum, fmax and fmin: continuous, so no decision; a certain winner brings its own bound alone."""
    x = ufunc(a.x, b.x)
    key = derived(ufunc.__name__, a, b)
    if not np.all(x) and ((x == 0) & (np.signbit(a.x) != np.signbit(b.x)) & (a.x == b.x)).any():
        note_lost_sign()
    if a.e is None and b.e is None:
        return Bounded(a.fmt, x, None, key)
    ea, eb = a.error(), b.error()
    first_wins = same_number(x, a.x)
    apart = np.abs(a.x - b.x) > ea + eb
    e = np.where(apart, np.where(first_wins, ea, eb), np.maximum(ea, eb))[()]
    tags = np.where(first_wins, a.identities(), b.identities())[()]
    return Bounded(a.fmt, x, e, key, tags)


def same_number(x: Any, y: Any) -> Any:
    """Where x equals y or both are nan."""
    return (x == y) | ((x != x) & (y != y))


def power(ufunc: np.ufunc, a: Bounded, b: Bounded) -> Bounded:
    """power: monotone in each argument for positive bases; for others the exponent must be a known whole number."""
    x = ufunc(a.x, b.x)
    if a.e is None and b.e is None:
        return _finish(ufunc, (a, b), x, None, lambda: _power_is_exact(a, b, x))
    e = np.zeros(x.shape, a.fmt.wide_real)
    for other in corners_of(ufunc, (a, b))():
        e = np.maximum(e, np.where(other == x, 0.0, np.abs(other - x)))
    ea, eb = a.error() + 0 * b.x, b.error() + 0 * a.x
    straddles = (np.abs(a.x) <= ea) & (ea > 0)
    whole = (b.x == np.rint(b.x)) & (eb == 0)
    top = np.maximum(np.abs(a.x) + ea, 0.0) ** np.where(whole & (b.x >= 0), b.x, 1.0)
    e = np.where(straddles & whole & (b.x > 0), np.maximum(e, top + np.abs(x)), e)
    lost = straddles & ~(whole & (b.x >= 0)) & ((a.x < 0) | (b.x - eb <= 0) | ~whole & (a.x - ea < 0))
    lost = lost | ((a.x + ea < 0) & (eb > 0))
    return _finish(ufunc, (a, b), x, np.where(lost, np.inf, e)[()], lambda: _power_is_exact(a, b, x))


def _power_is_exact(a: Bounded, b: Bounded, x: Any) -> Any:
    """Where a small whole power of a number fits the format, and the trivial cases.

    In float32 TensorFlow's vector kernels miss by a unit where more than powers of two are multiplied (9 ** 2 too).
    """
    fmt = a.fmt
    small = (b.x == np.rint(b.x)) & (b.x >= 0) & (b.x <= 64)
    if fmt.real_name == "float32":
        small = small & ((exactness.odd_part(a.x) <= 1) | (b.x <= 1))
    size = exactness.odd_part(a.x) ** np.where(small, b.x, 0.0)
    fits = small & (size <= 2.0**fmt.precision) & exactness.representable(fmt, x)
    inverse = (b.x < 0) & (b.x == np.rint(b.x)) & (exactness.odd_part(a.x) == 1) & exactness.representable(fmt, x)
    return fits | inverse | (a.x == 1) | (b.x == 0) | np.isnan(x)


def lipschitz(ufunc: np.ufunc, a: Bounded, b: Bounded) -> Bounded:
    """hypot: the result moves no further than the arguments do together."""
    return _finish(ufunc, (a, b), ufunc(a.x, b.x), _sum_of_errors(a, b), lambda: np.False_)


def log_of_sum(ufunc: np.ufunc, a: Bounded, b: Bounded) -> Bounded:
    """logaddexp and logaddexp2 rise with each argument: the result lies between those of their ends.

    An argument that is far below the other does not count, however wide its bound is.
    """
    x, e = ufunc(a.x, b.x), _sum_of_errors(a, b)
    if e is not None:
        ends = (ufunc(a.x + side * a.error(), b.x + side * b.error()) for side in (-1.0, 1.0))
        moved = np.maximum.reduce([np.abs(end - x) for end in ends])
        e = np.where(np.isnan(moved), e, np.minimum(moved, e))[()]
    parts = _rounded_parts(ufunc, a, b)
    return _finish(ufunc, (a, b), x, parts if e is None else parts + e, lambda: np.False_)


def _rounded_parts(ufunc: np.ufunc, a: Bounded, b: Bounded) -> Any:
    """How far the logarithm is off that is added to the larger argument, log(1 + exp(-d)) of their distance d.

    It counts where the two cancel: where the distance, its exponential and the logarithm are rounded each, the sum is
    off by as much, however small it is.
    """
    apart = np.abs(a.x - b.x)
    rest = ufunc(0.0, -apart)
    slope = -np.expm1(-rest * (np.log(2.0) if ufunc is np.logaddexp2 else 1.0))
    off = slope * (0.5 * apart + ulps("exp", a.fmt)) + ulps("log1p", a.fmt) * rest
    return np.where(np.isfinite(apart), off * a.fmt.ulp, 0.0)[()]


def angle_of(ufunc: np.ufunc, a: Bounded, b: Bounded) -> Bounded:
    """arctan2(y, x): nothing is known near the origin or across the cut on the negative axis."""
    mind_zeros(a)
    x = ufunc(a.x, b.x)
    e = _sum_of_errors(a, b)
    if e is None:
        return _finish(ufunc, (a, b), x, None, lambda: (a.x == 0) & (b.x > 0))
    room = np.hypot(a.x, b.x) - e
    cut = (np.abs(a.x) <= a.error()) & (a.error() > 0) & (b.x < 0)
    far = np.where((room > 0) & ~cut, e / room, np.inf)
    return _finish(ufunc, (a, b), x, np.where(e == 0, 0.0, far)[()], lambda: np.False_)


def copied_sign(ufunc: np.ufunc, a: Bounded, b: Bounded) -> Bounded:
    """copysign: decides on the sign of the second argument."""
    mind_zeros(b)
    return Bounded(a.fmt, np.where(np.signbit(b), -1.0, 1.0)[()] * np.abs(a.x), a.e, derived("copysign", a, b))


def next_number(ufunc: np.ufunc, a: Bounded, b: Bounded) -> Bounded:
    """nextafter: the reference value moves by one unit of the program's own dtype."""
    dtype = a.fmt.dtype
    x = ufunc(a.x.astype(dtype), b.x.astype(dtype)).astype(a.fmt.wide)
    size = np.where(np.isfinite(x), np.abs(x), 0.0)
    e = None if a.e is None else np.where(a.e > 0, a.e + 2 * size * a.fmt.ulp + a.fmt.flush, 0.0)
    low = (np.abs(x) < a.fmt.tiny) & (x != 0)
    if low.any():
        e = (0.0 if e is None else e) + np.where(low, a.fmt.flush, 0.0)
    return Bounded(a.fmt, x, e, derived("nextafter", a, b))


def sampled(ufunc: np.ufunc, *arguments: Bounded) -> Bounded:
    """Any other elementwise ufunc: twice the largest change seen at the ends and corners of the intervals."""
    wide = [a.x.astype(np.float64) for a in arguments]
    x = ufunc(*wide)
    fmt = arguments[0].fmt
    e = None
    ends = tuple(Bounded(fmt, w, None if a.e is None else a.e.astype(np.float64)) for w, a in zip(wide, arguments))
    corners = corners_of(ufunc, ends)
    if any(a.e is not None for a in arguments):
        e = np.zeros(np.shape(x))
        for other in corners():
            e = np.maximum(e, np.where(same_number(other, x), 0.0, 2.0 * np.abs(other - x)))
    k = ulps(ufunc.__name__, fmt)
    key = derived(ufunc.__name__, *arguments)
    x, e = x.astype(fmt.wide), None if e is None else e.astype(fmt.wide_real)[()]
    return settle(
        fmt, x, e, k, lambda: special_exact(ufunc.__name__, arguments, x), corners, key, floor(ufunc.__name__, fmt)
    )


def special_exact(name: str, arguments: tuple[Bounded, ...], x: Any) -> Any:
    """Where a special function takes a value that no implementation rounds."""
    at_zero = {
        "erf",
        "erfc",
        "erfinv",
        "i0e",
        "i1e",
        "i0",
        "i1",
        "xlogy",
        "xlog1py",
        "expit",
        "sinc",
        "fresnel",
        "spence",
    }
    return np.isnan(x) | ((arguments[0].x == 0) if name in at_zero else np.False_)
