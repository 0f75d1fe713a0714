"""What a relation makes of a program: one in which pairs of steps must agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from adapters.language import Program
from adapters.observations import Observation
from conformance.relations.section import Section


@dataclass(frozen=True, slots=True)
class Related:
    """A program, and the pairs (this step, must agree with that one); the first of a pair says what is wanted."""

    program: Program
    pairs: tuple[tuple[int, int], ...]


Answers = Sequence[Observation]
OfSection = Callable[[Section], Related | None]
OfProgram = Callable[[Program, Answers], Related | None]


@dataclass(frozen=True, slots=True)
class Relation:
    """One relation: the id of its rule, a short name, its sentence, and how it is made of a section or a whole program.

    broken: where TensorFlow itself breaks it (numbers that are not finite); there it is not held against a tape.
    broken_by: ops by which TensorFlow breaks it at ordinary numbers, too.
    """

    id: str
    name: str
    sentence: str
    of_section: OfSection | None = None
    of_program: OfProgram | None = None
    broken: str = ""
    broken_by: frozenset[str] = frozenset()
