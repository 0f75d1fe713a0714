"""Questions about rounding that have exact answers: did this sum, product or quotient round?

All take wide values that stand for numbers of the format (so each is one exactly) and give boolean arrays. They never
say "exact" of something that rounds; where they say "rounded" of something that does not, only sharpness is lost.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from conformance.judging.bounded.formats import Format

_LEAST_EXPONENT = -1100


def representable(fmt: Format, x: Any) -> Any:
    """Whether each wide value is a number of the format."""
    return x.astype(fmt.dtype) == x


def sum_is_exact(fmt: Format, a: Any, b: Any, s: Any) -> Any:
    """Whether s = a + b held without rounding (Dekker: s - a is exact where |a| >= |b|)."""
    return (s - a == b) & (s - b == a) & representable(fmt, s)


def product_is_exact(fmt: Format, a: Any, b: Any, p: Any) -> Any:
    """Whether p = a * b held without rounding, for real values."""
    fits = representable(fmt, p)
    if fmt.precision * 2 <= 53:  # the wide product did not round itself
        return fits
    return fits & (odd_part(a) * odd_part(b) <= 2.0**fmt.precision)


def quotient_is_exact(fmt: Format, a: Any, b: Any, q: Any) -> Any:
    """Whether q = a / b held without rounding, for real values."""
    fits = (q * b == a) & representable(fmt, q) & (b != 0)
    if fmt.precision * 2 <= 53:
        return fits
    return fits & (odd_part(q) * odd_part(b) <= 2.0**fmt.precision)


def root_is_exact(fmt: Format, a: Any, s: Any) -> Any:
    """Whether s = sqrt(a) held without rounding."""
    fits = (s * s == a) & representable(fmt, s)
    if fmt.precision * 2 <= 53:
        return fits
    return fits & (odd_part(s) ** 2 <= 2.0**fmt.precision)


def odd_part(x: Any) -> Any:
    """|x| divided by its largest power of two: an odd whole number as float64 (0 for zeros and non-finite values)."""
    mantissa, _ = np.frexp(np.asarray(x, np.float64))
    whole = np.where(np.isfinite(mantissa), np.ldexp(np.abs(mantissa), 53), 0.0).astype(np.int64)
    return (whole // np.maximum(whole & -whole, 1)).astype(np.float64)[()]


def lowest_exponent(x: Any) -> int:
    """The largest k such that every element is a whole multiple of 2**k (0 when all are zero)."""
    mantissa, exponent = np.frexp(np.asarray(x, np.float64))
    whole = np.where(np.isfinite(mantissa), np.ldexp(np.abs(mantissa), 53), 0.0).astype(np.int64)
    if not whole.any():
        return 0
    _, bit = np.frexp((whole & -whole).astype(np.float64))
    return int(np.where(whole != 0, exponent + bit - 54, -_LEAST_EXPONENT).min())


def dyadic(fmt: Format, x: Any, total: Any) -> Any:
    """Whether sums of the elements of `x` are exact in any order, where `total` bounds the sum of their moduli.

    True where all are whole multiples of one power of two q and total <= 2**precision * q: every partial sum is
    then such a multiple, and small enough to be a number of the format.
    """
    _, exponent = np.frexp(total)
    scaled = np.ldexp(x, fmt.precision - np.where(np.isfinite(total), exponent, _LEAST_EXPONENT))
    return (scaled == np.rint(scaled)) & np.isfinite(total)
