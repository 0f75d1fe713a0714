"""Where whole numbers need other arithmetic than floating-point ones: the ends of their dtypes, and quotients."""

from __future__ import annotations

from typing import Any

import numpy as np


def lowest(dtype: np.dtype) -> Any:
    """What no number of the dtype lies below: minus infinity, or the smallest whole number."""
    return dtype.type(-np.inf) if dtype.kind not in "iu" else np.iinfo(dtype).min


def highest(dtype: np.dtype) -> Any:
    """What no number of the dtype lies above: infinity, or the largest whole number."""
    return dtype.type(np.inf) if dtype.kind not in "iu" else np.iinfo(dtype).max


def quotient(a: Any, b: Any) -> Any:
    """``a / b``; that of whole numbers is one, too, rounded towards zero as C does it."""
    if a.dtype.kind not in "iu":
        return a / b
    return (np.sign(a) * np.sign(b)) * (abs(a) // abs(b))
