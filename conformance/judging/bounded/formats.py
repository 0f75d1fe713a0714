"""Number formats: what is known about each floating dtype, and the wider dtype that its reference values live in.

`format_of(dtype)` is cheap (a dictionary) and is asked for every operation.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np


@dataclass(frozen=True, slots=True)
class Format:
    """A floating (or complex) dtype seen by the error bounds.

    `ulp` is the distance from 1 to the next number: one unit in the last place of x is at most `ulp * |x|`.
    `flush` bounds what is lost when a result is too small: the smallest normal number where TensorFlow flushes
    subnormals to zero, half the smallest subnormal where it keeps them (float16); some of them for a complex number,
    whose product is made of four products and two sums. `low` is the size below which that may happen. `slack` covers
    the rounding of the wide arithmetic itself, relative. `limit` is the relative bound beyond which a value is
    ill-conditioned.
    """

    name: str
    real_name: str
    dtype: np.dtype
    real: np.dtype
    wide: np.dtype
    wide_real: np.dtype
    precision: int
    ulp: float
    tiny: float
    flush: float
    low: float
    max: float
    slack: float
    limit: float
    is_complex: bool
    flushes: bool  # whether TensorFlow reads and writes subnormals of this format as zero


#                precision, smallest normal, what an underflow loses, largest number, limit of the relative bound
_PARAMETERS = {
    "float16": (11, 2.0**-14, 2.0**-24, 65504.0, 2.0**-4),
    "bfloat16": (8, 2.0**-126, 2.0**-126, (2 - 2.0**-7) * 2.0**127, 2.0**-4),
    "float32": (24, 2.0**-126, 2.0**-126, (2 - 2.0**-23) * 2.0**127, 2.0**-10),
    "float64": (53, 2.0**-1022, 2.0**-1022, float(np.finfo(np.float64).max), 2.0**-30),
}
_PARTS = 5.0  # three underflows in each of the two parts of a complex product, as a modulus
_REAL_OF = {"complex64": "float32", "complex128": "float64"}


@cache
def format_of(dtype: np.dtype) -> Format | None:
    """The format of a dtype, or None for one that is not floating (integers, bool, strings are exact)."""
    name = dtype.name
    real_name = _REAL_OF.get(name, name)
    if real_name not in _PARAMETERS:
        return None
    precision, tiny, flush, largest, limit = _PARAMETERS[real_name]
    is_complex = name in _REAL_OF
    wide_real = np.dtype(np.longdouble if real_name == "float64" else np.float64)
    wide = np.dtype(np.clongdouble if real_name == "float64" else np.complex128) if is_complex else wide_real
    real = np.dtype(real_name) if is_complex else dtype
    slack = 16.0 * float(np.finfo(wide_real).eps)
    return Format(
        name,
        real_name,
        dtype,
        real,
        wide,
        wide_real,
        precision,
        2.0 ** (1 - precision),
        tiny,
        _PARTS * flush if is_complex else flush,
        tiny * 2.0**precision if is_complex else tiny,  # parts of a larger number are lost, too
        largest,
        slack,
        limit,
        is_complex,
        flush == tiny,
    )


def is_floating(dtype: np.dtype) -> bool:
    """Whether values of this dtype carry an error bound."""
    return format_of(dtype) is not None
