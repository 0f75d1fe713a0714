"""Adapters that fail in the ways that adapters fail."""

from __future__ import annotations

import os
from typing import Any

from adapters.reference import ReferenceBackend


class RaisesAtStart:
    """Cannot even be made."""

    def __init__(self) -> None:
        raise RuntimeError("no licence for this tape")


def interrupts() -> Any:
    """The reference engine, until the user presses Ctrl-C in the third program."""
    backend = ReferenceBackend()
    plain, seen = backend.program_scope, [0]

    def program_scope() -> Any:
        seen[0] += 1
        if seen[0] == int(os.environ.get("TAPECHECK_INTERRUPT_AT", "3")):
            raise KeyboardInterrupt
        return plain()

    backend.program_scope = program_scope  # type: ignore[method-assign]
    return backend
