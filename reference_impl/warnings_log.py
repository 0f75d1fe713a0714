"""TensorFlow's log: the logger ``tensorflow``, and messages that are written a limited number of times per process.

``clear_log_counters()`` makes every limited message count from the start again.
"""

from __future__ import annotations

from typing import Any

_COUNTS: dict[str, int] = {}


def warn(message: str, *arguments: Any) -> None:
    """Write a warning to the logger ``tensorflow``."""
    import logging

    logging.getLogger("tensorflow").warning(message, *arguments)


def warn_first(times: int, key: str, message: str, *arguments: Any) -> None:
    """Write a warning, but only the first ``times`` times that it is asked for under ``key``."""
    count = _COUNTS.get(key, 0)
    _COUNTS[key] = count + 1
    if count < times:
        warn(message, *arguments)


def clear_log_counters() -> None:
    """Forget how often each message was written."""
    _COUNTS.clear()
