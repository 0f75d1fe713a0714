"""Conversions between dtypes: to a wider format nothing is lost, to a narrower one the last place is rounded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from conformance.judging.bounded.array import Bounded, derived
from conformance.judging.bounded.decisions import truncated_to_integers
from conformance.judging.bounded.exactness import representable
from conformance.judging.bounded.formats import Format, format_of
from conformance.judging.bounded.settle import settle


def converted(a: Bounded, dtype: np.dtype) -> Any:
    """`a.astype(dtype)`: `Bounded` for floating dtypes, else a plain array (a decision, where `a` was rounded)."""
    fmt = format_of(dtype)
    if fmt is a.fmt:
        return a
    if fmt is None:
        return np.not_equal(a, 0) if dtype == np.bool_ else truncated_to_integers(a, dtype)
    x = a.x
    if a.fmt.is_complex and not fmt.is_complex:
        x = x.real
    x = x.astype(fmt.wide)
    e = None if a.e is None else a.e.astype(fmt.wide_real)
    key = derived(f"cast {fmt.name}", a)
    if _embeds(a.fmt, fmt):
        return Bounded(fmt, x, e, key)
    # Kernels of the 16-bit formats compute in float32 here and there, and each implementation rounds where it likes.
    k = 1.0 if fmt.precision <= _HALF_PRECISION else 0.5
    return settle(fmt, x, e, k, lambda: representable(fmt, x), lambda: _ends(x, e), key)


_HALF_PRECISION = 11


def _ends(x: Any, e: Any) -> Iterator[Any]:
    return iter((x,)) if e is None else iter((x - e, x + e))


def _embeds(narrow: Format, wide: Format) -> bool:
    """Whether every number of one format is a number of the other."""
    return wide.precision >= narrow.precision and wide.max >= narrow.max and wide.is_complex >= narrow.is_complex
