"""What chunks of a run add up to: cells covered, independent programs, differences among them.

A `Tally` is kept per chunk, stored as JSON beside the chunk's records, and merged at the end of the run.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from adapters import language as lang
from adapters.observations import Observation
from conformance.judging.judge import FAILED
from conformance.meaning.cells import Cell, cells_of, counted
from conformance.meaning.kills import mutants
from conformance.meaning.rate import bound
from reports.records import Record

JUDGED = ("agrees", *FAILED)
SUFFIX = ".tally.json"


@dataclass(slots=True)
class Tally:
    """independent: programs drawn one by one from a seed, which the tape supports and which could be judged."""

    cells: set[Cell] = field(default_factory=set)
    independent: int = 0
    differing: int = 0

    def add(
        self, program: lang.Program, want: Sequence[Observation], words: Iterable[str], verdict: str, independent: bool
    ) -> None:
        """Count one generated program."""
        if verdict not in JUDGED:
            return
        self.cells |= cells_of(program, want, words)
        if independent:
            self.independent += 1
            self.differing += verdict in FAILED

    def merge(self, other: Tally) -> None:
        """Count what another chunk counted."""
        self.cells |= other.cells
        self.independent += other.independent
        self.differing += other.differing

    def write(self, path: Path) -> None:
        """Keep it in a file."""
        path.write_text(json.dumps([self.independent, self.differing, sorted(self.cells)]))


def read(folder: Path) -> Tally:
    """What all chunks that left their tallies in a folder add up to."""
    whole = Tally()
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        independent, differing, cells = json.loads(path.read_text())
        whole.merge(Tally({tuple(cell) for cell in cells}, independent, differing))
    return whole


def records(tally: Tally) -> list[Record]:
    """What the run means, as records; nothing where nothing was generated."""
    if not tally.independent:
        return []
    return [bound(tally.independent, tally.differing), *counted(tally.cells), *mutants()]
