"""Run NumPy arithmetic without floating-point warnings and without touching the user's settings.

``token = quiet(QUIET)`` ... ``restore(token)`` is the pair around a walk; ``silent()`` is the same as a context
manager.  Between the two, overflow, division by zero and invalid values produce inf and nan silently, whatever
``np.errstate`` or ``-W error`` the user chose; afterwards the user's state is as it was.

``run(function, ...)`` is the guard of one op: the fastest there is, for functions that run no user's code.  It raises
RuntimeError, before the function has begun, where it cannot be used (inside another ``run``, also of another thread);
``guarded(function, ...)`` does the same always.

``np.errstate`` costs more than a small op, so where NumPy keeps that state in a context variable which can be set
directly, it is set directly, and ``run`` enters a context in which it has been set once and for all; other NumPy
versions fall back to ``np.errstate``.
"""

from __future__ import annotations

from contextvars import Context
from typing import Any

import numpy as np


def _direct() -> tuple[Any, Any, Any] | None:
    umath = getattr(getattr(np, "_core", None), "umath", None)
    variable = getattr(umath, "_extobj_contextvar", None)
    make = getattr(umath, "_make_extobj", None)
    if variable is None or make is None:
        return None
    try:
        state = make(all="ignore")
        token = variable.set(state)
        variable.reset(token)
    except (TypeError, ValueError, RuntimeError):
        return None
    return variable.set, variable.reset, state


def _enter(_state: None) -> np.errstate:
    guard = np.errstate(all="ignore")
    guard.__enter__()
    return guard


def _leave(guard: np.errstate) -> None:
    guard.__exit__(None, None, None)


quiet, restore, QUIET = _direct() or (_enter, _leave, None)


def guarded(function: Any, *args: Any, **options: Any) -> Any:
    """What ``function`` returns when called without floating-point warnings."""
    token = quiet(QUIET)
    try:
        return function(*args, **options)
    finally:
        restore(token)


def _runner() -> Any:
    if QUIET is None:
        return guarded
    context = Context()
    context.run(quiet, QUIET)
    return context.run


run = _runner()


class silent:
    """Context manager: no floating-point warning inside, the user's state untouched outside."""

    __slots__ = ("_token",)

    def __enter__(self) -> None:
        self._token = quiet(QUIET)

    def __exit__(self, *_: object) -> None:
        restore(self._token)
