"""What the arbiters say of TensorFlow's own faults: `examine(fault.program, run_tape)`.

Every element of the source is asked about, by both arbiters: 120-digit arithmetic, and differences of what the tape
itself computes in float64. A fault is verified when both give a number for some element, agree on it, and the tape
gives another number, nan, None or an error.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import mpmath

from adapters import language as lang
from adapters.observations import Observation, Tensor
from conformance.blaming.arbiters import Answer, Question, RunTape, array_of_step, differences, mathematical

NEAR = 1e-4  # relative: the arbiters to each other, and an answer to them


@dataclass(frozen=True, slots=True)
class Element:
    """One element: the number that the tape gave, or None, and what each arbiter says or why it is silent, as text."""

    given: str
    mathematics: str
    differences: str
    verified: bool


@dataclass(frozen=True, slots=True)
class Examined:
    """A program's last gradient, element by element, and all that the tape answered."""

    answers: tuple[Observation, ...]
    elements: tuple[Element, ...]

    @property
    def verified(self) -> bool:
        """Whether both arbiters contradict the tape somewhere."""
        return any(one.verified for one in self.elements)


def asked(program: lang.Program) -> int:
    """The step in question: the last gradient."""
    return max(at for at, step in enumerate(program.steps) if isinstance(step, lang.Gradient))


def examine(program: lang.Program, run_tape: RunTape) -> Examined:
    """Ask the tape, and both arbiters about every element of its last gradient."""
    answers = tuple(run_tape(program))
    return Examined(answers, tuple(_element(question, run_tape) for question in questions(program, answers)))


def questions(program: lang.Program, answers: Sequence[Observation]) -> list[Question]:
    """A question for every element of the source."""
    step = program.steps[asked(program)]
    assert isinstance(step, lang.Gradient) and isinstance(step.target, lang.Ref) and isinstance(step.sources, lang.Ref)
    source = array_of_step(program.steps[step.sources.step])
    assert source is not None
    outcome = answers[asked(program)].outcome
    return [
        Question(program, step.target, _upstream(program, step), step.sources.step, k, None, _given(outcome, k))
        for k in range(len(source.values))
    ]


def _upstream(program: lang.Program, step: lang.Gradient) -> tuple[float, ...] | None:
    if not isinstance(step.output_gradients, lang.Ref):
        return None
    array = array_of_step(program.steps[step.output_gradients.step])
    assert array is not None
    return tuple(array.values)


def _given(outcome: Any, element: int) -> float | None:
    return outcome.array.values[element] if isinstance(outcome, Tensor) else None


def _element(question: Question, run_tape: RunTape) -> Element:
    first, second = mathematical(question), differences(question, run_tape)
    return Element(repr(question.got), _said(first), _said(second), _verified(question.got, first, second))


def _said(answer: Answer) -> str:
    return answer.why if answer.value is None else mpmath.nstr(mpmath.mpf(answer.value), 17)


def _verified(given: float | None, first: Answer, second: Answer) -> bool:
    if first.value is None or second.value is None:
        return False
    agree = _near(float(first.value), float(second.value))
    return agree and (float(first.value) != 0.0 if given is None else not _near(given, float(first.value)))


def _near(a: float, b: float) -> bool:
    return math.isfinite(a) and math.isfinite(b) and abs(a - b) <= NEAR * max(1.0, abs(a), abs(b))
