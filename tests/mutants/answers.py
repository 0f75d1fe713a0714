"""What faulty engines are asked, with the answers wanted: recorded once per run, shared by all faults.

`generated(count, seed)` asks TensorFlow about the generated programs of a profile; `pinned()` takes the recorded
answers of the corpus. Programs on which the healthy engine itself does not agree are left out: a fault cannot show
there.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from adapters import open_tape
from adapters.language import Program
from adapters.local import LocalTape
from adapters.observations import Observation
from adapters.reference import ReferenceBackend
from conformance import corpus
from conformance.judging.judge import judge
from conformance.judging.sameness import identical
from conformance.running.asked import Asked
from conformance.running.campaign import asked_of, chunks_of
from conformance.running.plan import Plan
from tests.mutants.planting import copy_of_the_engine
from tests.mutants.reaching import Function, entered

Answers = tuple[Observation, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A program, where it stands in its stream (from 1), what is wanted, what the healthy engine answers, and which of
    its functions run."""

    number: int
    asked: Asked
    want: Answers
    healthy: Answers
    enters: frozenset[Function] = frozenset()

    @property
    def program(self) -> Program:
        return self.asked.program


def generated(count: int, seed: int, kept: Path | None = None) -> list[Question]:
    """The generated programs of a run without corpus, with TensorFlow's answers.

    kept: a file with the answers, used when it fits and written when it does not.
    """
    plan = Plan(programs=count, seed=seed, corpus=False)
    asked = [one for chunk in chunks_of(plan) for one in asked_of(chunk, plan)]
    wants = _kept(asked, kept) if kept is not None else None
    if wants is None:
        with open_tape("tensorflow") as oracle:
            wants = list(oracle.run_many(one.program for one in asked))
        if kept is not None:
            kept.write_bytes(pickle.dumps(([one.program for one in asked], wants)))
    return sound(asked, wants)


def _kept(asked: Sequence[Asked], path: Path) -> list[Answers] | None:
    if not path.exists():
        return None
    programs, wants = pickle.loads(path.read_bytes())
    same = [repr(one.program) for one in asked] == [repr(one) for one in programs]  # as text: nan is not itself
    return wants if same else None


def pinned() -> list[Question]:
    """The corpus with its recorded answers."""
    asked = [Asked(one.program, "corpus", one.rules, one.answers) for one in corpus.load()]
    return sound(asked, [one.recorded or () for one in asked])


@cache
def healthy_tape() -> LocalTape:
    """The engine as it was when the snapshot was taken."""
    return LocalTape(ReferenceBackend(engine=copy_of_the_engine()))


def sound(asked: Sequence[Asked], wants: Sequence[Answers]) -> list[Question]:
    """The questions that the healthy engine answers rightly."""
    tape, kept = healthy_tape(), []
    known: dict[frozenset[Function], frozenset[Function]] = {}
    for number, (one, want) in enumerate(zip(asked, wants, strict=True), 1):
        got, runs = entered(tape, one.program)
        if identical(want, got) or judge(one.program, want, got).verdict == "agrees":
            kept.append(Question(number, one, want, got, known.setdefault(runs, runs)))
    return kept
