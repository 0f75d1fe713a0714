"""The largest and the smallest where some are no numbers or infinite, as TensorFlow's kernels come upon them.

Kernels that begin with the lowest number a dtype has and take what is larger pass over what is no number, and over
minus infinity.  Others keep what they have only while it is larger: what is no number is taken, and gives way to
whatever comes next.  Where all numbers are finite both are the largest, and NumPy finds it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...dtypes import of
from .infinities import is_plain


def disordered(x: Any) -> bool:
    """True for an array in which something is infinite or no number."""
    return is_plain(x) and x.dtype.kind not in "iub" and not np.isfinite(x).all()


def largest(windows: Any, axis: int) -> Any:
    """The largest along an axis, as by a kernel that begins with the lowest number and takes what is larger."""
    y = np.maximum.reduce(windows, axis=axis)
    if not disordered(y):
        return y
    return np.fmax(np.fmax.reduce(windows, axis=axis), of(y.dtype).min)


def last_unless(beats: Any, rows: Any, start: Any = None) -> Any:
    """Of ``rows`` one after another what stands: the one before only where it ``beats`` the one that comes."""
    stands = rows[0] if start is None else start
    for row in rows[1:] if start is None else rows:
        stands = np.where(beats(stands, row), stands, row)
    return stands
