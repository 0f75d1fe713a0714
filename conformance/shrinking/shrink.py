"""Make a failing program small: `shrink(choices, still_fails)`.

First the list of choices is shortened and its numbers made smaller (each list is a program again), then the program
itself is simplified step by step. `still_fails(program)` says whether a candidate shows the same cause. The result is
the smallest found; the same choices, predicate and `max_calls` give the same result.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from adapters.language import Program
from adapters.program_json import dumps
from adapters.references import dangling
from conformance.generating.builder import build
from conformance.generating.choices import Choices
from conformance.generating.deadly import kills_tensorflow
from conformance.shrinking.simpler import FEWER_STEPS, PASSES, Pass
from conformance.shrinking.weight import weight

Predicate = Callable[[Program], bool]


@dataclass(slots=True)
class Budget:
    """Asks the predicate, at most `max_calls` times and `max_seconds` long, and never twice about one program."""

    still_fails: Predicate
    max_calls: int = 1500
    max_seconds: float | None = None
    calls: int = 0
    started: float = field(default_factory=time.monotonic)
    known: dict[str, bool] = field(default_factory=dict)  # by exact text: 0.0 and -0.0 are equal, and not the same

    @property
    def spent(self) -> bool:
        late = self.max_seconds is not None and time.monotonic() - self.started > self.max_seconds
        return late or self.calls >= self.max_calls

    def holds(self, program: Program) -> bool:
        """Whether a candidate still fails; False once the budget is spent."""
        text = dumps(program)
        if text in self.known:
            return self.known[text]
        if self.spent or not program.steps or dangling(program) or kills_tensorflow(program):
            return False
        self.calls += 1
        self.known[text] = self.still_fails(program)
        return self.known[text]


def shrink(
    choices: Sequence[tuple[int, ...]],
    still_fails: Predicate,
    max_seconds: float | None = None,
    max_calls: int = 1500,
) -> Program:
    """The smallest program found that still fails, from the choices that drew a failing one.

    Choices whose program does not fail come back built, unshrunk.
    """
    budget = Budget(still_fails, max_calls, max_seconds)
    smaller = shrink_choices(choices, budget)
    return shrink_program(build(smaller), budget)


def shrink_stored(
    program: Program, still_fails: Predicate, max_seconds: float | None = None, max_calls: int = 1500
) -> Program:
    """As `shrink`, for a program of which no choices are kept (a pinned one, a file)."""
    return shrink_program(program, Budget(still_fails, max_calls, max_seconds))


def shrink_choices(choices: Sequence[tuple[int, ...]], budget: Budget) -> Choices:
    """Fewer choices with smaller numbers whose program still fails."""
    current: Choices = tuple(choices)
    if not budget.holds(build(current)):
        return current
    current = _fewer(current, budget)
    current = _smaller(current, budget)
    return _fewer(current, budget)


def _fewer(choices: Choices, budget: Budget) -> Choices:
    size = max(len(choices) // 2, 1)
    while size:
        start = len(choices) - size
        while start >= 0:
            shorter = choices[:start] + choices[start + size :]
            if shorter and budget.holds(build(shorter)):
                choices = shorter
            start -= size
        size //= 2
    return choices


def _smaller(choices: Choices, budget: Budget) -> Choices:
    for at in range(len(choices)):
        for place in range(1, len(choices[at])):
            for number in _smaller_numbers(choices[at][place]):
                one = (*choices[at][:place], number, *choices[at][place + 1 :])
                candidate = (*choices[:at], one, *choices[at + 1 :])
                if budget.holds(build(candidate)):
                    choices = candidate
                    break
    return choices


def _smaller_numbers(number: int) -> tuple[int, ...]:
    return tuple(dict.fromkeys(one for one in (0, number >> 16, number & 0xFF) if one < number))


def shrink_program(program: Program, budget: Budget) -> Program:
    """Simplify a failing program until no pass finds anything simpler that still fails."""
    if not budget.holds(program):
        return program
    current = program
    while True:
        before = current
        for one in FEWER_STEPS:
            current = _descend(current, one, budget)
        if current == before or budget.spent:
            break
    while True:
        before = current
        for one in PASSES:
            current = _descend(current, one, budget)
        if current == before or budget.spent:
            return current


def _descend(program: Program, simpler: Pass, budget: Budget) -> Program:
    """Take candidates of one pass while they are lighter and still fail."""
    current, lightest = program, weight(program)
    skip = 0
    while not budget.spent:
        for number, candidate in enumerate(simpler(current)):
            if number < skip:
                continue
            skip = number + 1
            if weight(candidate) < lightest and budget.holds(candidate):
                current, lightest, skip = candidate, weight(candidate), number
                break
        else:
            return current
    return current
