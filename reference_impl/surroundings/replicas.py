"""Whether code runs in the scope of a strategy, and there in a step or outside of steps."""

from __future__ import annotations

import threading
from typing import Any


class Places(threading.local):
    """The strategies that code runs in, each with its replica's context, or None across the replicas."""

    stack: tuple[tuple[Any, Any], ...] = ()


places = Places()


def check_replica_context(asked: str) -> None:
    """RuntimeError where something is asked for across the replicas that belongs into a step."""
    if places.stack and places.stack[-1][1] is None:
        raise RuntimeError(
            f"You are calling `{asked}` in cross replica context, while it was expected to be called in replica "
            "context."
        )
