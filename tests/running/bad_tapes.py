"""Tapes that fail as tapes in other processes do.

Each is served by `python -m adapters.serve tests.running.bad_tapes:NAME`; processes that are themselves at fault are in
`bad_processes.py`.
"""

from __future__ import annotations

import os
import signal
from typing import Any

import numpy as np

from adapters.backend import Capabilities
from adapters.tf_shaped import Hooks, TfShaped
from examples import tiny_tape

_CLAIMS = Capabilities(errors="raised", warnings=False)


class _Misbehaving:
    """The tiny tape, whose calls first do something bad."""

    def __init__(self, bad: Any) -> None:
        self._tape, self._bad = TfShaped(tiny_tape, "misbehaving", _CLAIMS, Hooks(foreign=True)), bad

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tape, name)

    def call(self, op: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        self._bad(op)
        return self._tape.call(op, args, kwargs)


def segfaults() -> Any:
    """`math.sin` kills the process as a segmentation fault does."""
    return _Misbehaving(lambda op: os.kill(os.getpid(), signal.SIGSEGV) if op == "math.sin" else None)


_leaked: list[Any] = []


def leaks() -> Any:
    """Every program leaves 10 MB behind."""
    backend = TfShaped(
        tiny_tape, "leaking", _CLAIMS, Hooks(foreign=True, before=lambda: _leaked.append(_ten_megabytes()))
    )
    return backend


def _ten_megabytes() -> Any:
    return np.ones(10 << 17)


class NanEverywhere:
    """Whatever is asked of it is nan."""

    def __init__(self) -> None:
        self._tape = TfShaped(tiny_tape, "nan", _CLAIMS, Hooks(foreign=True))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tape, name)

    def call(self, op: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return _nan(self._tape.call(op, args, kwargs))

    def gradient(self, tape: Any, target: Any, sources: Any, **options: Any) -> Any:
        return tiny_tape._map(_nan, self._tape.gradient(tape, target, sources, **options))


def _nan(found: Any) -> Any:
    return tiny_tape.Tensor(found._value * np.float32("nan")) if hasattr(found, "_value") else found
