"""Ask a tape whether relations hold: `asked(relation, program, tape)` for one program, `ask(tape, ...)` for many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from adapters.language import Program
from adapters.observations import Observation
from conformance.generating import sources
from conformance.generating.features import ops_of
from conformance.judging.compare import Comparison
from conformance.judging.judge import FAILED
from conformance.relations.judging import all_finite, judge
from conformance.relations.related import Related, Relation
from conformance.relations.section import section_of
from conformance.relations.table import RELATIONS


class Runs(Protocol):
    """All that is needed of a tape here."""

    def run(self, program: Program) -> tuple[Observation, ...]: ...


MOST_RELATED = 3  # relations asked of one program


@dataclass(frozen=True, slots=True)
class Held:
    """A relation that was asked: of which program, what it made of it, what the tape answered, and what came of it."""

    relation: Relation
    related: Related
    answers: tuple[Observation, ...]
    comparison: Comparison
    excepted: str = ""

    @property
    def verdict(self) -> str:
        """As of a program; a relation that TensorFlow breaks is not held against anybody."""
        verdict = self.comparison.verdict
        return "ill-conditioned" if verdict == "agrees" and self.comparison.lane == "ill-conditioned" else verdict

    @property
    def broken(self) -> bool:
        return self.verdict in FAILED and not self.excepted


@dataclass(slots=True)
class Tally:
    """What came of one relation: how often it was asked, and the shortest program that breaks it."""

    relation: Relation
    verdicts: Counter[str] = field(default_factory=Counter)
    worst: Held | None = None

    def add(self, held: Held) -> None:
        """Count one."""
        self.verdicts["excepted" if held.excepted and held.verdict in FAILED else held.verdict] += 1
        if held.broken and (self.worst is None or _size(held) < _size(self.worst)):
            self.worst = held


def _size(held: Held) -> int:
    return len(held.related.program.steps)


def related_to(relation: Relation, program: Program, answers: tuple[Observation, ...]) -> Related | None:
    """What a relation makes of a program; None where it says nothing about it."""
    if relation.of_program is not None:
        return relation.of_program(program, answers)
    section = section_of(program, answers)
    return None if section is None or relation.of_section is None else relation.of_section(section)


def asked(relation: Relation, program: Program, tape: Runs, answers: tuple[Observation, ...]) -> Held | None:
    """Ask one relation of one program; None when it says nothing about it."""
    related = related_to(relation, program, answers)
    if related is None:
        return None
    given = tape.run(related.program)
    itself = not all_finite(given) or not relation.broken_by.isdisjoint(ops_of(related.program))
    broken = relation.broken if relation.broken and itself else ""
    return Held(relation, related, given, judge(related, given), broken)


def of_program(program: Program, tape: Runs, first: int, chosen: tuple[Relation, ...] = RELATIONS) -> Iterator[Held]:
    """Ask a few relations of a program, beginning with the `first`-th."""
    answers = tape.run(program)
    found = 0
    for k in range(len(chosen)):
        held = asked(chosen[(first + k) % len(chosen)], program, tape, answers)
        if held is not None:
            yield held
            found += 1
        if found == MOST_RELATED:
            return


def programs(seed: int, start: int, count: int, ops: str | None = None) -> Iterable[tuple[int, Program]]:
    """The programs that relations are asked of, with their numbers."""
    drawn = sources.seeded(seed, start, count, ops)
    return ((start + k, program) for k, (_, program) in enumerate(drawn))


def ask(tape: Runs, seed: int, count: int, chosen: tuple[Relation, ...] = RELATIONS) -> dict[str, Tally]:
    """Ask relations of `count` programs of a seed."""
    tallies = {relation.id: Tally(relation) for relation in chosen}
    for number, program in programs(seed, 0, count):
        for held in of_program(program, tape, number, chosen):
            tallies[held.relation.id].add(held)
    return tallies
