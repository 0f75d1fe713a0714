"""A tape in this process: `LocalTape(backend)`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from adapters.backend import Backend, Capabilities, Identity
from adapters.interpreter import run
from adapters.language import Program
from adapters.observations import Observation


class LocalTape:
    """Runs programs on a backend, here and now. A hang or a crash of the implementation is the caller's too."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend

    def identity(self) -> Identity:
        return self.backend.identity()

    def capabilities(self) -> Capabilities:
        return self.backend.capabilities()

    def run(self, program: Program, timeout: float | None = None) -> tuple[Observation, ...]:
        """One observation per step. `timeout` needs a process of its own and is not kept here."""
        return run(program, self.backend)

    def run_many(self, programs: Iterable[Program], timeout: float | None = None) -> Iterator[tuple[Observation, ...]]:
        """The observations of each program, in order, each run when it is asked for."""
        for program in programs:
            yield run(program, self.backend)

    def close(self) -> None:
        """Nothing is held open."""
