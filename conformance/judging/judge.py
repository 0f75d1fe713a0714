"""Judge one program: what was wanted against what was got, and the cause when they differ.

`judge(program, want, got, rule)` is all that a campaign, a replay or the shrinker needs to know about comparing.
"""

from __future__ import annotations

import cmath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from adapters.language import Gradient, Jacobian, Jvp, Program
from adapters.observations import Crashed, Nest, Observation, Outcome, SparseSlices, Tensor, TimedOut
from conformance.judging import causes
from conformance.judging.compare import Comparison, compare
from conformance.judging.lanes import bounds_of

FAILED = ("differs", "crashed", "timed out")
LANES = {"ill-conditioned": "ill-conditioned"}


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on one program.

    verdict: a comparison's, or `oracle failed` where the oracle's process died or hung on it.
    signature, cause, title: what differs, when the tape failed.
    """

    comparison: Comparison
    verdict: str
    finite_nonzero_gradient: bool
    signature: tuple[str, ...] = ()
    cause: str | None = None
    title: str = ""

    @property
    def lane(self) -> str:
        return self.comparison.lane


def judge(
    program: Program,
    want: Sequence[Observation],
    got: Sequence[Observation],
    rule: str | None = None,
    errors: str = "message",
    warnings: bool = True,
) -> Judged:
    """Compare, name the cause.

    rule: names the cause of a pinned program whose deviation is expected by that rule. errors: how far errors must
    agree (`raised`, `class` or `message`). warnings: whether those that are logged must.
    """
    compared = compare(program, want, got, lambda: bounds_of(program), errors, warnings)
    gradient = _compares_a_gradient(program, want, compared)
    if _gave_up(want) and not _gave_up(got):
        return Judged(compared, "oracle failed", False)
    verdict = compared.verdict
    if verdict == "agrees" and compared.lane == "ill-conditioned":
        verdict = "ill-conditioned"
    if verdict not in FAILED or compared.difference is None:
        return Judged(compared, verdict, gradient)
    named = causes.signature(program, compared.difference, rule)
    return Judged(
        compared, verdict, gradient, named, causes.cause_id(named), causes.title(program, compared.difference)
    )


def judged_same(program: Program, want: Sequence[Observation], lane: str, error_bound: float | None) -> Judged:
    """The verdict on answers that are the wanted ones to the bit, where the program's lane and bound are known."""
    compared = Comparison("agrees", lane, None, error_bound, None if lane == "structural" else 0.0)
    verdict = "ill-conditioned" if lane == "ill-conditioned" else "agrees"
    return Judged(compared, verdict, _compares_a_gradient(program, want, compared))


def _gave_up(answers: Sequence[Observation]) -> bool:
    return any(isinstance(one.outcome, Crashed | TimedOut) for one in answers)


def _compares_a_gradient(program: Program, want: Sequence[Observation], compared: Comparison) -> bool:
    """Whether a finite non-zero gradient was among what was compared, or would have been but for a difference."""
    difference = compared.difference if compared.verdict == "unsupported" else None
    last = len(want) - 1 if difference is None else difference.step
    return any(
        isinstance(step, Gradient | Jacobian | Jvp) and any(map(_finite_nonzero, _tensors(seen.outcome)))
        for step, seen in zip(program.steps[: last + 1], want)
    )


def _tensors(outcome: Outcome) -> Iterator[Tensor]:
    match outcome:
        case Tensor():
            yield outcome
        case Nest():
            for item in outcome.items:
                yield from _tensors(item)
        case SparseSlices():
            yield from _tensors(outcome.values)


def _finite_nonzero(tensor: Tensor) -> bool:
    return any(isinstance(v, float | complex) and v != 0 and cmath.isfinite(v) for v in tensor.array.values)
