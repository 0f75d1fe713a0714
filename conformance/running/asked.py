"""A program that is asked, and where it came from."""

from __future__ import annotations

from dataclasses import dataclass

from adapters.language import Program
from adapters.observations import Observation
from adapters.program_json import program_id


@dataclass(frozen=True, slots=True)
class Asked:
    """A program; for pinned ones the rules they show, the recorded answers, the lane in which those are judged and the
    largest bound; for drawn ones their choices."""

    program: Program
    origin: str  # `generated` or `corpus`
    rules: tuple[str, ...] = ()
    recorded: tuple[Observation, ...] | None = None
    choices: tuple[tuple[int, ...], ...] | None = None
    lane: str = ""
    error_bound: float | None = None

    @property
    def rank(self) -> tuple[bool, int, tuple[str, ...], str]:
        """Sorts examples of one cause: pinned programs first, then short ones; the rest only makes the order whole."""
        return (not self.rules, len(self.program.steps), self.rules, program_id(self.program))
