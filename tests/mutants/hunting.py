"""Look for one fault: does the corpus show it, do generated programs, and how small is the smallest that does?

`hunt(mutant, questions)` answers with a `Row` of the kill matrix. It is meant to run in a process of its own, for a
fault may hang, crash or leave anything behind.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from adapters.language import Program
from adapters.local import LocalTape
from adapters.observations import Observation, TimedOut
from adapters.reference import ReferenceBackend
from conformance.judging.judge import FAILED, Judged, judge
from conformance.judging.sameness import identical
from conformance.shrinking.culprit import nearest
from conformance.shrinking.shrink import shrink, shrink_stored
from conformance.shrinking.weight import steps_besides
from tests.mutants.answers import Answers, Question, healthy_tape
from tests.mutants.attributing import Shown, is_right, step_of
from tests.mutants.planting import Stale
from tests.mutants.reaching import functions_of
from tests.mutants.registry import RULE, Mutant
from tests.mutants.swapping import Spare

SECONDS = 5.0  # for one program: an endless loop is a difference too
RULES_TOLD = 3
SHRINK_CALLS = 400
HUNG_CALLS = 12  # the same where programs do not end: each call waits as long
GONE = "its process ended"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the kill matrix.

    pinned_by: the rules of the first pinned program that shows the fault (its own are asked first). after: how many
    generated programs were asked up to the first that shows it. subject, op, title: what a report says of it: the
    subject of its cause, the op at fault. right: whether that is the right rule or op (`attributing.py`).
    steps: of the smallest program, besides constants, variables, enter, exit and watch. confirmed: live TensorFlow's
    answer to that program is not the faulty engine's.
    """

    name: str
    origin: str
    sentence: str
    about: tuple[str, ...] = ()
    stale: bool = False
    corpus: bool = False
    pinned_by: tuple[str, ...] = ()
    after: int | None = None
    subject: str = ""
    op: str = ""
    title: str = ""
    right: bool | None = None
    steps: int | None = None
    confirmed: bool | None = None
    program: Program | None = None
    got: Answers = ()

    @property
    def caught(self) -> bool:
        """Whether generated programs alone show it."""
        return self.after is not None


class _Hung(BaseException):
    """A program took too long; no `except Exception` of an engine may catch this."""


def _ring(*_: Any) -> None:
    raise _Hung


@dataclass(slots=True)
class Suspect:
    """A faulty engine's tape that is never waited for."""

    tape: LocalTape
    hung: bool = False  # whether a program did not end

    def __post_init__(self) -> None:
        signal.signal(signal.SIGALRM, _ring)

    def run(self, program: Program) -> Answers:
        """The observations; all timed out when it does not end."""
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        try:
            return self.tape.run(program)
        except _Hung:
            self.hung = True
            return (Observation(TimedOut(SECONDS)),) * len(program.steps)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def fails(self, question: Question) -> Judged | None:
        """The judgement on a program that shows the fault; None for one that does not."""
        got = self.run(question.program)
        if identical(question.healthy, got):
            return None
        judged = judge(question.program, question.want, got)
        return judged if judged.verdict in FAILED else None


def hunt(
    mutant: Mutant,
    pinned: Sequence[Question],
    generated: Sequence[Question],
    calls: int = SHRINK_CALLS,
    spare: Spare | None = None,
) -> Row:
    """Ask the corpus, then the generated programs up to the first difference, and shrink that one by so many calls.

    spare: an engine that this process may spoil.
    """
    row = Row(mutant.name, mutant.origin, mutant.sentence, mutant.about)
    try:
        suspect = Suspect(LocalTape(backend_of(mutant, spare)))
    except (Stale, SyntaxError):
        return replace(row, stale=True)
    except Exception as error:  # an engine that cannot even be imported is found by whoever imports it
        title = f"the engine does not start: {type(error).__name__}"
        return replace(row, corpus=True, pinned_by=mutant.about[:1], after=1, subject=GONE, title=title, steps=0)
    own = _own_first(mutant, pinned)
    row = in_the_corpus(row, suspect, reaching(mutant, own))
    return among_generated(mutant, row, suspect, reaching(mutant, generated), calls)


def backend_of(mutant: Mutant, spare: Spare | None = None) -> Any:
    """A backend with the fault. spare: an engine that this process may spoil, used where the edit can be exchanged."""
    if spare is not None and mutant.edits and mutant.plant is None and spare.swap(mutant.edits):
        return ReferenceBackend(engine=spare.engine)
    return mutant.backend()


def reaching(mutant: Mutant, questions: Sequence[Question]) -> Sequence[Question]:
    """The questions whose programs enter a changed function. What a cache keeps of it is not followed into programs
    that come later, so that a rate can only be too low."""
    changed = functions_of(mutant.edits) if mutant.edits and mutant.plant is None else None
    return questions if changed is None else [one for one in questions if one.enters & changed]


def _own_first(mutant: Mutant, pinned: Sequence[Question]) -> list[Question]:
    """The corpus with the programs of the fault's own rule in front."""
    if mutant.origin != RULE:
        return list(pinned)
    return sorted(pinned, key=lambda one: not set(mutant.about) & set(one.asked.rules))


def in_the_corpus(row: Row, suspect: Suspect, pinned: Sequence[Question]) -> Row:
    """Whether a pinned program shows the fault, and the rules of the first that does."""
    for question in pinned:
        if suspect.fails(question) is not None:
            own = [rule for rule in question.asked.rules if rule in row.about]
            told = tuple(dict.fromkeys((*own, *question.asked.rules)))
            right = bool(own) if row.origin == RULE else None
            return replace(row, corpus=True, pinned_by=told[:RULES_TOLD], right=right)
    return row


def among_generated(
    mutant: Mutant, row: Row, suspect: Suspect, generated: Sequence[Question], calls: int = SHRINK_CALLS
) -> Row:
    """The first generated program that shows the fault, and a small one."""
    for question in generated:
        judged = suspect.fails(question)
        if judged is not None:
            return _shown(mutant, row, suspect, question, judged, calls)
    return row


def _shown(mutant: Mutant, row: Row, suspect: Suspect, question: Question, judged: Judged, calls: int) -> Row:
    healthy = healthy_tape()
    calls = min(calls, HUNG_CALLS) if suspect.hung else calls

    def ask(program: Program) -> Judged:
        return judge(program, healthy.run(program), suspect.run(program))

    def still(program: Program) -> bool:
        want, got = healthy.run(program), suspect.run(program)
        return not identical(want, got) and judge(program, want, got).cause == judged.cause

    small, found = question.program, judged
    if calls:
        small = smallest(question, still, calls)
        small = small if suspect.hung else nearest(small, ask, healthy.run(small))
        again = ask(small)
        found = again if again.verdict in FAILED else judged
    shown = Shown(small, step_of(found), suspect.tape, healthy)
    return replace(
        row,
        after=question.number,
        subject=judged.signature[0],
        op=shown.op,
        title=shown.title(found),
        right=is_right(mutant, row.pinned_by, shown),
        steps=steps_besides(small),
        program=small,
        got=suspect.run(small),
    )


def smallest(question: Question, still: Callable[[Program], bool], calls: int = SHRINK_CALLS) -> Program:
    """A small program that shows what the question's shows."""
    if question.asked.choices is not None:
        return shrink(question.asked.choices, still, max_calls=calls)
    return shrink_stored(question.program, still, max_calls=calls)
