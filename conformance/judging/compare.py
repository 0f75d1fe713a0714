"""Compare what a tape answered with what was wanted: `compare(program, want, got, bounds)`.

The comparison stops at the first differing step: what follows is cascade. Kinds never blur (None, zeros, slices, an
error ... are different answers); values are judged by the error bounds of `lanes.py`, errors by `messages.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from adapters.language import Call, Gradient, Invoke, Items, Program
from adapters.observations import (
    Crashed,
    Host,
    Nest,
    Observation,
    Outcome,
    RaggedTensor,
    Raised,
    Skipped,
    SparseSlices,
    Tensor,
    TimedOut,
    Unsupported,
)  # fmt: skip
from conformance.judging import messages
from conformance.judging.kinds import finer_kind, has_finite_nonzero
from conformance.judging.lanes import Bounds, Leaf, StepBounds, Unbounded, has_floating_values
from conformance.judging.sameness import identical, same_outcome
from conformance.judging.slices import densified, judge_index_order
from conformance.judging.values import Measured, Mismatch, judge_array

BoundsGiven = Bounds | Unbounded | Callable[[], "Bounds | Unbounded"] | None


@dataclass(frozen=True, slots=True)
class Difference:
    """The first difference.

    what: `kind`, `structure`, `dtype`, `shape`, `value`, `zero`, `sign`, `finite`, `sign of zero`, `indices`, `class`,
    `message`, `warnings`.  path: where in a nest.  grade: how far an error agrees (see `messages.py`).
    """

    step: int
    what: str
    want: Outcome
    got: Outcome
    want_kind: str
    got_kind: str
    dtype: str
    detail: str
    path: tuple[int, ...] = ()
    mismatch: Mismatch | None = None
    grade: str | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came of a comparison.

    verdict: `agrees`, `differs`, `ill-conditioned` (values differ, but nobody can say which is right), `unsupported`,
    `crashed` or `timed out`.  lane: see `lanes.py`.  unbounded: why no bounds could be used, else None.
    """

    verdict: str
    lane: str
    difference: Difference | None = None
    error_bound: float | None = None
    max_ulps: float | None = None
    unbounded: str | None = None


@dataclass(slots=True)
class _Seen:
    """The largest difference among values that agree, and whether one has too wide a bound to say so."""

    ulps: float = 0.0
    doubtful: bool = False


def compare(
    program: Program,
    want: Sequence[Observation],
    got: Sequence[Observation],
    bounds: BoundsGiven = None,
    level: str = "message",
    warnings: bool = True,
) -> Comparison:
    """Compare two runs of a program.

    bounds: of the program, or a function that gives them when they are needed (they are not where nothing differs and
    no floating value is seen), or None for "no bounds are known". level: how far errors must agree (`raised`, `class`
    or `message`). warnings: whether the warnings logged must agree.
    """
    floating = has_floating_values(program, tuple(want))
    if identical(want, got):
        known = _given(bounds) if floating else None
        return _summary("agrees", known, floating, 0.0 if floating else None)
    known = _given(bounds)
    seen = _Seen()
    for index in range(len(program.steps)):
        found = _judge_step(program, index, want, got, known, seen, level, warnings)
        if found is not None:
            return _concluded(program, found, known, floating, seen)
    verdict = "ill-conditioned" if seen.doubtful else "agrees"
    return _summary(verdict, known, floating, seen.ulps if floating else None)


def _given(bounds: BoundsGiven) -> Bounds | Unbounded | None:
    return bounds() if callable(bounds) else bounds


def _summary(
    verdict: str, known: Any, floating: bool, ulps: float | None, found: Difference | None = None
) -> Comparison:
    if isinstance(known, Bounds):
        # What follows the first difference is not judged, so the lane is that of the differing step.
        lane = known.lane if found is None else known.steps[found.step].lane
        return Comparison(verdict, lane, found, known.error_bound, ulps)
    reason = known.reason if isinstance(known, Unbounded) else None
    return Comparison(verdict, "numeric" if floating else "structural", found, None, ulps, reason)


def _concluded(program: Program, found: Difference, known: Any, floating: bool, seen: _Seen) -> Comparison:
    """The verdict on a first difference: not every one is the tape's fault."""
    match found.got:
        case Unsupported():
            return _summary("unsupported", known, floating, seen.ulps, found)
        case Crashed() if not isinstance(found.want, Crashed):
            return _summary("crashed", known, floating, seen.ulps, found)
        case TimedOut() if not isinstance(found.want, TimedOut):
            return _summary("timed out", known, floating, seen.ulps, found)
    if isinstance(found.want, Unsupported):
        return _summary("unsupported", known, floating, seen.ulps, found)
    verdict = "ill-conditioned" if _in_doubt(program, found, known) else "differs"
    return _summary(verdict, known, floating, seen.ulps, found)


def _in_doubt(program: Program, found: Difference, known: Any) -> bool:
    """Whether a decision that rounding could turn either way came before: then values say nothing.

    None against a tensor, or an error, does not depend on values, unless control flow does.
    """
    if not isinstance(known, Bounds) or not known.steps[found.step].ambiguous:
        return False
    by_value = found.what in ("value", "zero", "sign", "finite", "sign of zero", "indices", "shape")
    return by_value or _branches(program.steps)


_BRANCHING = (
    "cond",
    "while_loop",
    "case",
    "switch_case",
    "boolean_mask",
    "check_numerics",
    "assert",
    "unique",
    "function",
)


def _branches(steps: Any) -> bool:
    return any(
        isinstance(s, Invoke) or (isinstance(s, Call) and s.op.rpartition(".")[2].startswith(_BRANCHING)) for s in steps
    )


# ---------------------------------------------------------------- one step


def _judge_step(
    program: Program, index: int, want: Sequence[Observation], got: Sequence[Observation], known: Any, seen: _Seen,
    level: str, warnings: bool,
) -> Difference | None:  # fmt: skip
    w = want[index] if index < len(want) else Observation(Skipped())
    g = got[index] if index < len(got) else Observation(Skipped())
    bound = known.steps[index] if isinstance(known, Bounds) else None
    judge = _Judge(index, bound, seen, level, _order_from_hash(program.steps[index]))
    found = None if same_outcome(w.outcome, g.outcome) else judge.outcome(w.outcome, g.outcome, _leaf(bound), ())
    if found is None and warnings and not messages.same_warnings(w.warnings, g.warnings):
        detail = f"warnings: want {_quoted(w.warnings)}, got {_quoted(g.warnings)}"
        found = Difference(index, "warnings", w.outcome, g.outcome, "warnings", "warnings", "", detail)
    return found


def _leaf(bound: StepBounds | None) -> Outcome | Leaf | None:
    return None if bound is None else bound.outcome


def _quoted(texts: tuple[str, ...]) -> str:
    return "none" if not texts else " and ".join(f"{text[:120]!r}" for text in texts)


def _order_from_hash(step: Any) -> bool:
    """Whether TensorFlow takes the order of contributions from a hash map: it does with several targets."""
    return isinstance(step, Gradient) and _targets(step.target) > 1


def _targets(target: Any) -> int:
    return sum(map(_targets, target.items)) if isinstance(target, Items) else 1


@dataclass(frozen=True, slots=True)
class _Judge:
    """Judges the outcome of one step; its methods give the first difference, or None."""

    step: int
    bound: StepBounds | None
    seen: _Seen
    level: str
    unordered: bool

    def outcome(self, want: Outcome, got: Outcome, leaf: Any, path: tuple[int, ...]) -> Difference | None:
        match want, got:
            case (Tensor(), Tensor()) | (Host(), Host()):
                return self.array(want, got, leaf, path)
            case SparseSlices(), SparseSlices():
                return self.slices(want, got, leaf, path)
            case Nest(), Nest():
                return self.nest(want, got, leaf, path)
            case Raised(), Raised():
                return self.raised(want, got, path)
            case RaggedTensor(), RaggedTensor():
                part = leaf if isinstance(leaf, RaggedTensor) else None
                return self.outcome(want.row_splits, got.row_splits, part and part.row_splits, path) or self.outcome(
                    want.values, got.values, part and part.values, path
                )
        if want == got:
            return None
        grade = "none" if isinstance(want, Raised) or isinstance(got, Raised) else None
        return self.found("kind", want, got, path, f"want {finer_kind(want)}, got {finer_kind(got)}", grade=grade)

    def found(
        self, what: str, want: Outcome, got: Outcome, path: tuple[int, ...], detail: str, **more: Any
    ) -> Difference:
        kinds = finer_kind(want), finer_kind(got)
        return Difference(self.step, what, want, got, *kinds, _dtype_of(want, got), detail, path, **more)

    def array(self, want: Any, got: Any, leaf: Any, path: tuple[int, ...]) -> Difference | None:
        if isinstance(want, Host) and want.type_name != got.type_name:
            return self.found("kind", want, got, path, f"want a Python {want.type_name}, got a {got.type_name}")
        strict = self.bound is not None and self.bound.lane in ("exact", "structural") and not self.bound.signs_lost
        scale = 0.0 if self.bound is None else self.bound.scale
        judged = judge_array(want.array, got.array, leaf if isinstance(leaf, Leaf) else None, strict, scale)
        if isinstance(judged, Measured):
            self.seen.ulps = max(self.seen.ulps, judged.ulps)
            self.seen.doubtful = self.seen.doubtful or judged.doubtful
            return None
        return self.found(judged.what, want, got, path, _located(judged, want.array.shape), mismatch=judged)

    def slices(self, want: SparseSlices, got: SparseSlices, leaf: Any, path: tuple[int, ...]) -> Difference | None:
        part = leaf if isinstance(leaf, SparseSlices) else None
        shape = self.outcome(want.dense_shape, got.dense_shape, None, path)
        if shape is not None:
            return shape
        if self.unordered:
            dense = densified(want, got, part)
            if dense is not None:
                return self.array(*dense, path)
        misplaced = judge_index_order(want, got)
        if misplaced:
            return self.found("indices", want, got, path, misplaced)
        return self.outcome(want.indices, got.indices, None, path) or self.outcome(
            want.values, got.values, part and part.values, path
        )

    def nest(self, want: Nest, got: Nest, leaf: Any, path: tuple[int, ...]) -> Difference | None:
        if want.kind != got.kind or want.keys != got.keys or len(want.items) != len(got.items):
            detail = f"structure: want {_structure(want)}, got {_structure(got)}"
            return self.found("structure", want, got, path, detail)
        parts = (
            leaf.items if isinstance(leaf, Nest) and len(leaf.items) == len(want.items) else (None,) * len(want.items)
        )
        for position, (w, g, part) in enumerate(zip(want.items, got.items, parts, strict=True)):
            found = None if same_outcome(w, g) else self.outcome(w, g, part, (*path, position))
            if found is not None:
                return found
        return None

    def raised(self, want: Raised, got: Raised, path: tuple[int, ...]) -> Difference | None:
        reached = messages.grade(want, got)
        if messages.GRADES.index(reached) >= messages.GRADES.index(self.level):
            return None
        what = "class" if reached == "raised" else "message"
        detail = f"{what}: want {want.cls}: {want.message!r}, got {got.cls}: {got.message!r}"
        return self.found(what, want, got, path, detail, grade=reached)


def _dtype_of(want: Any, got: Any) -> str:
    for side in (want, got):
        inner = getattr(side, "values", side)
        if hasattr(inner, "array"):
            return str(inner.array.dtype)
    return ""


def _structure(nest: Nest) -> str:
    return f"{nest.kind} of {len(nest.items)}" + (f" with keys {list(nest.keys)}" if nest.keys else "")


def _located(mismatch: Mismatch, shape: tuple[int, ...]) -> str:
    """The detail of a mismatch with the place of its first element."""
    if mismatch.element is None:
        return mismatch.detail
    place, rest = [], mismatch.element
    for size in reversed(shape):
        place.append(rest % size)
        rest //= size
    at = f" at {list(reversed(place))}" if shape else ""
    return f"want {mismatch.want}, got {mismatch.got}{at}; {mismatch.detail}"


def finite_nonzero_gradient(program: Program, answers: Sequence[Observation]) -> bool:
    """Whether some gradient-like step of the program showed a finite number other than zero."""
    return any(
        has_finite_nonzero(observation.outcome)
        for step, observation in zip(program.steps, answers, strict=False)
        if type(step).__name__ in ("Gradient", "Jacobian", "Jvp")
    )


__all__ = ["Comparison", "Difference", "compare", "finite_nonzero_gradient"]
