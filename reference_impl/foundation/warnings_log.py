"""TensorFlow's log: the logger ``tensorflow``, and messages that are written a limited number of times per process.

``clear_log_counters()`` makes every limited message count from the start again.
"""

from __future__ import annotations

import os
import sys
from typing import Any

_PACKAGE = os.path.dirname(os.path.dirname(__file__)) + os.sep

_COUNTS: dict[Any, int] = {}
_HELD: list[Any] = []  # the innermost comes last


def get_logger() -> Any:
    """The logger ``tensorflow``, for its level and handlers."""
    import logging

    return logging.getLogger("tensorflow")


def warn(message: str, *arguments: Any) -> None:
    """Write a warning to the logger ``tensorflow``."""
    if _HELD:
        if _HELD[-1].texts is not None:
            _HELD[-1].texts.append(message % arguments if arguments else message)
        return
    get_logger().warning(message, *arguments)


class Once(str):
    """A warning that does not come again when the rows of a jacobian are vectorized: of a function made before."""

    __slots__ = ()


class said_before:
    """Context manager: warnings are neither written nor counted.  What runs in it was warned of when it was traced."""

    __slots__ = ()
    texts = None

    def __enter__(self) -> None:
        _HELD.append(self)

    def __exit__(self, *_: object) -> None:
        _HELD.remove(self)


def silenced() -> bool:
    """Whether what is warned of now was warned of before."""
    return bool(_HELD) and _HELD[-1].texts is None


class held_back:
    """Context manager: warnings collect in ``texts``; after ``enough()`` they are dropped.  It writes none of them."""

    __slots__ = ("_limit", "texts")

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._limit: int | None = None

    def enough(self) -> None:
        """What is logged from now on only repeats what was logged before."""
        if self._limit is None:
            self._limit = len(self.texts)

    def __enter__(self) -> held_back:
        _HELD.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        _HELD.remove(self)
        if self._limit is not None:
            del self.texts[self._limit :]


def warn_first(times: int, place: str | None, message: str, *arguments: Any) -> None:
    """Write a warning, but only the first ``times`` times that one is asked for at ``place``.

    None is the line of the user's program that called: TensorFlow counts by lines, whatever the warning.
    """
    if _HELD and _HELD[-1].texts is None:
        return
    key: Any = place or _users_line()
    count = _COUNTS.get(key, 0)
    _COUNTS[key] = count + 1
    if count < times:
        warn(message, *arguments)


def _users_line() -> tuple[str, int]:
    frame: Any = sys._getframe(2)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


def clear_log_counters() -> None:
    """Forget how often each message was written."""
    _COUNTS.clear()
