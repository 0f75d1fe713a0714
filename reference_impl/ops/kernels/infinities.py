"""Products of complex numbers of which a part is infinite, as C computes them (Annex G of its standard).

TensorFlow computes so what does not fill a vector register, a single number above all; NumPy gives nan in both parts.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def product(a: Any, b: Any) -> Any:
    """a b; infinite, where a single factor is, even if its other part is nan."""
    z = a * b
    if not isinstance(z, np.complexfloating) or not (math.isnan(z.real) and math.isnan(z.imag)):
        return z
    (p, q), (r, s) = (float(a.real), float(a.imag)), (float(b.real), float(b.imag))
    if math.isinf(p) or math.isinf(q):
        (p, q), (r, s) = _direction(p, q), _counted(r, s)
    elif math.isinf(r) or math.isinf(s):
        (p, q), (r, s) = _counted(p, q), _direction(r, s)
    else:
        return z
    return type(z)(complex(math.inf * (p * r - q * s), math.inf * (p * s + q * r)))


def is_plain(x: Any) -> bool:
    """True for an array of NumPy's or one of its numbers, which carry no error bounds."""
    return isinstance(x, (np.ndarray, np.generic))


def inverse(z: Any) -> Any:
    """1 / z, 0 of what is infinite in a part."""
    w = 1 / z
    if not is_plain(z):
        return w
    return np.where(np.isinf(z), z.dtype.type(0), w)[()]


def logarithm_beyond_one(z: Any) -> Any:
    """log(1 + z) by z log(1 + z) / z, which what is infinite has only on the positive side of the real line."""
    w = np.log1p(z)
    if not is_plain(z):
        return w
    return np.where(np.isinf(z) & ~((z.real > 0) & (z.imag == 0)), z.dtype.type(complex(np.nan, np.nan)), w)[()]


def products(a: Any, b: Any) -> Any:
    """``product`` of each two elements: what a function of the C library makes of them fills no register."""
    z = a * b
    if not is_plain(z):
        return z
    lost = np.isnan(z.real) & np.isnan(z.imag) & (np.isinf(a) | np.isinf(b))
    if not lost.any():
        return z
    a, b, z = np.broadcast_to(a, z.shape), np.broadcast_to(b, z.shape), np.array(z)
    for at in np.argwhere(lost):
        z[tuple(at)] = product(a[tuple(at)], b[tuple(at)])
    return z[()]


def _direction(p: float, q: float) -> tuple[float, float]:
    """Infinite parts as ones, finite and undefined ones as zeros, signs kept."""
    return math.copysign(float(math.isinf(p)), p), math.copysign(float(math.isinf(q)), q)


def _counted(p: float, q: float) -> tuple[float, float]:
    """Undefined parts as zeros, signs kept."""
    return math.copysign(0.0, p) if math.isnan(p) else p, math.copysign(0.0, q) if math.isnan(q) else q
