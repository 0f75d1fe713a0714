"""Special functions, from SciPy, which is imported when the first of them is used.

``special("gammaln")`` is a function of arrays.  Half precision is computed in single precision and rounded once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def special(name: str) -> Callable[..., Any]:
    """The function ``scipy.special.name`` for arrays of one floating dtype; ModuleNotFoundError without SciPy."""
    found: Any = None

    def forward(*arrays: Any) -> Any:
        nonlocal found
        if found is None:
            import scipy.special

            found = getattr(scipy.special, name)
        dtype = arrays[0].dtype
        if dtype.itemsize == 2:
            return found(*[a.astype(np.float32) for a in arrays]).astype(dtype)
        result = found(*arrays)
        return result if result.dtype == dtype else result.astype(dtype)

    return forward


_digamma, _polygamma_zeta, _gamma_log = special("digamma"), special("zeta"), special("gammaln")
_y1, _expi, _betainc, _dawsn = special("y1"), special("expi"), special("betainc"), special("dawsn")
_gammainc, _gammaincc, _erf = special("gammainc"), special("gammaincc"), special("erf")

_LARGEST_ROOT = float(np.sqrt(np.finfo(np.float64).max))


def _with(x: Any, mask: Any, value: float, result: Any) -> Any:
    return np.where(mask, np.asarray(value, x.dtype), result)[()] if np.any(mask) else result


def erf(x: Any) -> Any:
    """The error function; TensorFlow squares its argument, and has nan in float64 where the square is infinite."""
    return _erf(x) if x.dtype != np.float64 else _with(x, np.abs(x) > _LARGEST_ROOT, np.nan, _erf(x))


def digamma(x: Any) -> Any:
    """The derivative of log gamma; nan at its poles."""
    return _with(x, (x <= 0) & (np.floor(x) == x), np.nan, _digamma(x))


def lgamma(x: Any) -> Any:
    """log of the absolute value of the gamma function."""
    return _with(x, x == -np.inf, np.inf, _gamma_log(x))


def bessel_y1(x: Any) -> Any:
    """The Bessel function of the second kind of order 1; minus infinity below 0, and at 0 nan but for float64."""
    return _with(x, x == 0, -np.inf if x.dtype == np.float64 else np.nan, _with(x, x < 0, -np.inf, _y1(x)))


def dawsn(x: Any) -> Any:
    """Dawson's integral, 0 for either zero."""
    return _dawsn(x) + 0


def from_zero(name: str, value: float) -> Callable[..., Any]:
    """SciPy's function of positive numbers, with a value for all others."""
    inner = special(name)
    return lambda x: _with(x, x <= 0, value, inner(x))


def expint(x: Any) -> Any:
    """The exponential integral Ei of positive numbers; nan below zero and at infinity."""
    return _with(x, (x < 0) | (x == np.inf), np.nan, _expi(x))


def igamma(a: Any, x: Any) -> Any:
    """The regularised lower incomplete gamma function; 0 at x = 0 whatever the order."""
    result = _with(x, (a == 0) & (x > 0), np.nan, _gammainc(a, x))
    return _with(x, (x == 0) | ((a == np.inf) & (x == np.inf)), 0.0, result)


def igammac(a: Any, x: Any) -> Any:
    """The regularised upper incomplete gamma function."""
    result = _with(x, (a == 0) & (x > 0), np.nan, _gammaincc(a, x))
    return _with(x, (a == np.inf) & (x == np.inf), 0.0, result)


def betainc(a: Any, b: Any, x: Any) -> Any:
    """The regularised incomplete beta integral; nan unless a and b are positive."""
    if hasattr(type(x), "__loosen__") or x.dtype != np.float32:  # an array with an error bound knows the function's own
        result = _betainc(a, b, x)
    else:  # SciPy's own in single precision is off by up to a thousand units
        result = _betainc(*(v.astype(np.float64) for v in (a, b, x))).astype(np.float32)
    return _with(x, (a <= 0) | (b <= 0), np.nan, result)


# (2 k)! / B(2 k) for k from 1 to 12, where B are Bernoulli's numbers: the divisors of Euler and Maclaurin's formula
_DIVISORS = (
    12.0, -720.0, 30240.0, -1209600.0, 47900160.0, -1307674368000 / 691, 74724249600.0, -10670622842880000 / 3617,
    5109094217170944000 / 43867, -802857662698291200000 / 174611, 14101100039391805440000 / 77683,
    -1693824136731743669452800000 / 236364091,
)  # fmt: skip
_NEGLIGIBLE = float(np.finfo(np.float32).eps) / 2


def _after_nine_terms(x: Any, q: Any) -> Any:
    """Hurwitz's zeta function of whole x as TensorFlow has it in single precision: the rest by Euler and Maclaurin's
    formula after nine more terms, also where these end below 0 or near it, which is wrong there."""
    odd = np.floor(x / 2) * 2 != x
    a, b = q, _signed_power(q, x, odd)
    total = b
    for _ in range(9):
        a = a + 1
        b = _signed_power(a, x, odd)
        total = total + b
    total = total + b * a / (x - 1) - b / 2
    factor, going = np.ones_like(x), np.full(np.shape(x), True)
    for k, divisor in enumerate(_DIVISORS):
        factor, b = factor * (x + 2 * k), b / a
        more = factor * b / np.asarray(divisor, x.dtype)
        total = np.where(going, total + more, total)
        going = going & ~(np.abs(more) < _NEGLIGIBLE * np.abs(total))
        factor, b = factor * (x + (2 * k + 1)), b / a
    return total


def _signed_power(a: Any, x: Any, odd: Any) -> Any:
    """a ** -x for whole x."""
    size = np.power(np.abs(a), -x)
    return np.where(odd & (a < 0), -size, size)


def zeta(x: Any, q: Any) -> Any:
    """Hurwitz's zeta function: infinite at its poles, nan where x < 1."""
    result = _polygamma_zeta(x, q)
    pole = (q <= 0) & (np.floor(q) == q)
    whole = np.floor(x) == x
    off = (q < 0) & ~pole & whole & (x > 1)
    if x.dtype == np.float32 and np.any(off):
        x, q = np.broadcast_arrays(x, q)
        one = np.ones_like(x)
        result = np.where(off, _after_nine_terms(np.where(off, x, one + one), np.where(off, q, one)), result)[()]
    result = _with(x, (q <= 0) & ~pole & ~whole, np.nan, result)
    even = whole & (np.floor(x / 2) == x / 2)
    result = _with(x, pole & (x > 1), np.inf, result)
    result = _with(x, pole & (x > 1) & ~even, np.nan, result)
    return _with(x, x < 1, np.nan, _with(x, x == 1, np.inf, result))


def polygamma(n: Any, x: Any) -> Any:
    """The n-th derivative of digamma, for whole n; nan for other n."""
    sign = np.where(np.floor(n / 2) * 2 == n, -1.0, 1.0).astype(x.dtype)
    result = sign * np.exp(_gamma_log(n + 1)) * zeta(n + 1, x)
    bad = (n < 0) | (np.floor(n) != n)
    return _with(x, bad, np.nan, np.where(n == 0, digamma(x), result)[()])


def fresnel_cos(x: Any) -> Any:
    """The cosine integral of Fresnel."""
    return _fresnel_part(x, 1)


def fresnel_sin(x: Any) -> Any:
    """The sine integral of Fresnel."""
    return _fresnel_part(x, 0)


def _fresnel_part(x: Any, which: int) -> Any:
    import scipy.special

    part = scipy.special.fresnel(x.astype(np.float32) if x.dtype.itemsize == 2 else x)[which]
    return part.astype(x.dtype)


def igamma_grad_a(a: Any, x: Any) -> Any:
    """The derivative of the regularised lower incomplete gamma function by its order.

    By the series of the derivative for x small against a, and by a central difference of extended order elsewhere.
    """
    wide_a, wide_x = np.broadcast_arrays(a.astype(np.float64), x.astype(np.float64))
    import scipy.special

    step = 1e-3 * np.maximum(1.0, np.abs(wide_a)) * np.minimum(1.0, wide_a)
    weights = ((1, 4 / 5), (2, -1 / 5), (3, 4 / 105), (4, -1 / 280))
    total = sum(
        w * (scipy.special.gammainc(wide_a + k * step, wide_x) - scipy.special.gammainc(wide_a - k * step, wide_x))
        for k, w in weights
    )
    result = (total / step).astype(a.dtype)[()]
    result = _with(x, (a <= 0) | (x < 0), np.nan, _with(x, x == np.inf, 0.0, result))
    result = _with(x, x == 0, 0.0, result)
    # Other implementations sum a series in the dtype itself; array types that carry an error bound are told so.
    own = getattr(type(result), "__loosen__", None)
    return result if own is None else own(result, 64.0)


def random_gamma_grad(alpha: Any, x: Any) -> Any:
    """The derivative of a gamma number by ``alpha`` at a fixed probability: - (dP/dalpha) / p(x), 0 where p(x) is 0.

    Beyond the median the other tail is differentiated, of which more digits are known.
    """
    wide_a, wide_x = np.broadcast_arrays(np.asarray(alpha, np.float64), np.asarray(x, np.float64))
    density = np.exp(-wide_x + (wide_a - 1) * np.log(wide_x) - _gamma_log(wide_a))
    lower, upper = _by_order(_gammainc, wide_a, wide_x), _by_order(_gammaincc, wide_a, wide_x)
    slope = np.where(wide_x > wide_a, upper, -lower)
    return np.where(density > 0, slope / density, 0.0).astype(alpha.dtype)[()]


def _by_order(function: Any, a: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The derivative of a function of ``(a, x)`` by ``a``, by a central difference of the eighth order."""
    step = 1e-3 * np.maximum(1.0, np.abs(a)) * np.minimum(1.0, a)
    weights = ((1, 4 / 5), (2, -1 / 5), (3, 4 / 105), (4, -1 / 280))
    return sum(w * (function(a + k * step, x) - function(a - k * step, x)) for k, w in weights) / step
