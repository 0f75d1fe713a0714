"""The two tapes of a run, opened once per worker process and closed at its end.

`Session(plan)` gives `.oracle` and `.tape`, opened when first used. When TensorFlow is not installed, the oracle of
generated programs is the reference engine (the report says so), and the corpus is judged by TensorFlow's recorded answers.
"""

from __future__ import annotations

import importlib.util
from contextlib import ExitStack
from functools import cached_property
from types import TracebackType

from adapters import Tape, open_tape
from conformance.plan import Plan


def believed(plan: Plan) -> Plan:
    """The plan with the oracle that can really be had on this machine."""
    if plan.oracle == "tensorflow" and importlib.util.find_spec("tensorflow") is None:
        return plan.with_oracle("reference")
    return plan


class Session:
    """Opened tapes. Use as a context manager, or call `close()`."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._open = ExitStack()

    @cached_property
    def oracle(self) -> Tape:
        """The tape whose answers are wanted."""
        return self._open.enter_context(open_tape(self.plan.oracle))

    @cached_property
    def tape(self) -> Tape:
        """The tape under test."""
        return self._open.enter_context(open_tape(self.plan.implementation))

    def close(self) -> None:
        """Close whatever was opened. Safe to call twice."""
        self._open.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
