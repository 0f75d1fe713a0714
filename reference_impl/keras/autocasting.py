"""Inside a layer that computes in another dtype than its variables have, they are read in the layer's dtype."""

from __future__ import annotations

import threading
from typing import Any


class _Casting(threading.local):
    scopes: tuple[str | None, ...] = ()  # the innermost comes last; None where variables are read as they are
    stateless: Any = None  # the innermost StatelessScope; it opens a scope here, too, so that one look tells of both


casting = _Casting()


class reading_in:
    """Context manager: float variables are read in a dtype, or, for None, in their own."""

    __slots__ = ("_dtype", "_outer")

    def __init__(self, dtype: str | None):
        self._dtype = dtype

    def __enter__(self) -> None:
        self._outer = casting.scopes
        casting.scopes = (*self._outer, self._dtype)

    def __exit__(self, *error: Any) -> None:
        casting.scopes = self._outer


def scope_of(autocast: bool, compute_dtype: str, mixed: bool) -> reading_in | None:
    """The scope of a layer's call, None where that around it will do.

    ``mixed``: whether the layer computes in another dtype than its variables have.
    """
    if not casting.scopes:
        return reading_in(compute_dtype) if mixed else None
    if not autocast or not compute_dtype.startswith(("float", "bfloat")):
        return reading_in(None)
    return None if casting.scopes[-1] == compute_dtype else reading_in(compute_dtype)
