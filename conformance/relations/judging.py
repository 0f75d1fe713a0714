"""Judge a relation by the bounds of the program that it made: `judge(related, answers)`.

What the first step of a pair gave is what is wanted of the second; either may be off by its own bound.
"""

from __future__ import annotations

from cmath import isfinite
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from adapters.arrays import to_numpy
from adapters.observations import Nest, Nothing, Observation, Raised, Skipped, SparseSlices, Tensor, Unsupported
from conformance.judging.bounded.formats import format_of
from conformance.judging.compare import Comparison, compare
from conformance.judging.lanes import Bounds, Leaf, StepBounds, Unbounded, bounds_of
from conformance.relations.related import Related
from conformance.relations.section import FLOATING

Answers = Sequence[Observation]
NOT_ASKED = "unsupported"


def wanted(related: Related, answers: Answers) -> tuple[Observation, ...]:
    """The answers with the second step of each pair as the first one says; warnings are nobody's business here."""
    want = [replace(one, warnings=()) for one in answers]
    for first, second in related.pairs:
        want[second] = Observation(answers[first].outcome)
    return tuple(want)


def judge(related: Related, answers: Answers) -> Comparison:
    """Whether the pairs agree. `unsupported` when a step of a pair was not answered at all."""
    if any(_missing(answers[at]) for pair in related.pairs for at in pair):
        return Comparison(NOT_ASKED, "structural")
    want = wanted(related, answers)
    return compare(related.program, want, answers, lambda: _bounds(related, want), warnings=False)


def all_finite(answers: Answers) -> bool:
    """Whether every number in the answers is finite."""
    return all(finite(one.outcome) for one in answers)


def finite(outcome: Any) -> bool:
    """Whether every number in an outcome is."""
    match outcome:
        case Tensor(array=array):
            return all(isfinite(v) for v in array.values if isinstance(v, float | complex))
        case Nest(items=items):
            return all(map(finite, items))
        case SparseSlices(values=values):
            return finite(values)
    return True


def _missing(one: Observation) -> bool:
    """An error is no answer that a relation speaks of; that both sides raise alike is the business of rules."""
    return isinstance(one.outcome, Raised | Skipped | Unsupported)


def _bounds(related: Related, want: Answers) -> Bounds:
    """The bounds of the program, the second of a pair with the larger of both. Not exact: signs of zeros vary."""
    known = bounds_of(related.program)
    if isinstance(known, Unbounded):
        return _wide(related, want)
    steps = list(known.steps)
    for first, second in related.pairs:
        steps[second] = replace(steps[second], outcome=_wider(steps[first].outcome, steps[second].outcome))
    return Bounds(tuple(_numeric(step) for step in steps), known.reasons)


def _wide(related: Related, want: Answers) -> Bounds:
    """Where no run with bounds is possible, the widest bound that says anything, measured by the largest element."""
    steps = [StepBounds(Nothing(), "numeric", 0, 0.0) for _ in related.program.steps]
    for _, second in related.pairs:
        steps[second] = replace(steps[second], outcome=_guessed(want[second].outcome))
    return Bounds(tuple(steps), ("no bounds could be carried",))


def _guessed(outcome: Any) -> Any:
    match outcome:
        case Tensor(array=array) if array.dtype in FLOATING:
            x = to_numpy(array)
            fmt = format_of(x.dtype)
            if fmt is None:
                return outcome
            wide = x.astype(fmt.wide)
            leaf = Leaf(fmt, wide, None)
            return replace(leaf, e=np.full(wide.shape, fmt.limit * leaf.largest() / 2))
        case Nest(items=items):
            return replace(outcome, items=tuple(map(_guessed, items)))
    return outcome


def _numeric(step: StepBounds) -> StepBounds:
    return replace(step, lane="numeric") if step.lane == "exact" else step


def _wider(first: Any, second: Any) -> Any:
    match first, second:
        case Leaf(), Leaf() if first.shape == second.shape:
            left, right = (np.zeros(leaf.shape) if leaf.e is None else leaf.e for leaf in (first, second))
            return replace(second, e=np.maximum(left, right))
        case Nest(), Nest() if len(first.items) == len(second.items):
            return replace(second, items=tuple(map(_wider, first.items, second.items)))
    return second
