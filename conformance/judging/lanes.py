"""In which lane a program is judged: run it on the reference engine with error bounds.

`bounds_of(program)` gives, for each step, the reference values with their bounds and the step's lane:

- `structural`: no floating value to look at;
- `exact`: nothing rounded up to here and no order of summation could, so answers must agree to the last bit;
- `numeric`: values may differ by their bounds;
- `ill-conditioned`: a bound is so wide that it says little, or a decision up to here could have fallen either way.

Where some step has no rule that carries bounds, the answer is `Unbounded`, with the reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from adapters.arrays import to_numpy
from adapters.backend import Backend
from adapters.interpreter import run
from adapters.language import (
    Array,
    Call,
    Constant,
    Gradient,
    Invoke,
    Jacobian,
    Jvp,
    MakeVariable,
    Program,
    Py,
)
from adapters.observations import Nest, Observation, Outcome, RaggedTensor, SparseSlices
from adapters.reference import ReferenceBackend
from conformance.judging.bounded import Bounded, Run, bounded, watching
from conformance.judging.bounded.formats import Format, format_of

LANES = ("structural", "exact", "numeric", "ill-conditioned")


@dataclass(frozen=True, slots=True)
class Leaf:
    """A dense floating tensor of a run with bounds: reference values `x`, absolute bounds `e` (None: all exact)."""

    fmt: Format
    x: Any
    e: Any | None

    @property
    def dtype(self) -> str:
        return self.fmt.name

    @property
    def shape(self) -> tuple[int, ...]:
        return self.x.shape

    def exact(self) -> bool:
        """Whether no element was rounded."""
        return self.e is None or not self.e.any()

    def largest(self) -> float:
        """The largest finite modulus."""
        size = np.abs(np.atleast_1d(self.x))
        return float(size[np.isfinite(size)].max(initial=0.0))

    def relative(self, scale: float = 0.0) -> float:
        """The largest bound relative to its element, or to `scale` where that is larger (0 where exact)."""
        if self.e is None or not self.e.any():
            return 0.0
        e, size = np.atleast_1d(self.e), np.abs(np.atleast_1d(self.x))
        rounded = e > 0
        size = np.where(np.isfinite(size), size, 0.0)[rounded]
        return float((e[rounded] / np.maximum(size, max(scale, self.fmt.flush))).max())


@dataclass(frozen=True, slots=True)
class StepBounds:
    """One step: its outcome with `Leaf` in the place of floating tensors, its lane, and decisions in doubt so far.

    scale: the largest number seen so far, at most 1. relative: the step's largest bound, relative to its element or to
    the scale: a gradient of 0 that is known to 1e-7 among numbers about 1 is known well. signs_lost: whether the signs
    of zeros mean nothing any more, because an earlier step made one that implementations choose freely.
    """

    outcome: Outcome | Leaf
    lane: str
    ambiguous: int
    relative: float
    scale: float = 0.0
    signs_lost: bool = False


@dataclass(frozen=True, slots=True)
class Bounds:
    """The run with bounds of a program: one `StepBounds` per step, and why decisions were in doubt."""

    steps: tuple[StepBounds, ...]
    reasons: tuple[str, ...] = ()

    @property
    def lane(self) -> str:
        """The program's lane: that of its last judged step, the worst of all."""
        return self.steps[-1].lane if self.steps else "structural"

    @property
    def error_bound(self) -> float | None:
        """The largest relative bound over the values compared; None when there is no floating value."""
        if self.lane == "structural":
            return None
        return max(step.relative for step in self.steps)


@dataclass(frozen=True, slots=True)
class Unbounded:
    """No bounds could be carried through: the first reason."""

    reason: str


@cache
def _backend() -> Backend:
    return ReferenceBackend(make_array=_opened, open_array=_closed, lift=_lifted)


def _opened(array: Array) -> Any:
    value = to_numpy(array)
    return _lifted(value if array.shape else value[()])


def _lifted(value: Any) -> Any:
    """Floating arrays as bounded ones, others as they are."""
    if type(value) is Bounded or format_of(value.dtype) is None:
        return value
    return bounded(value)


def _closed(inner: Any) -> Any:
    if type(inner) is Bounded:
        e = inner.e
        if e is not None and np.isnan(e).any():  # what is no number bounds nothing
            e = np.where(np.isnan(e), np.where(np.isfinite(inner.x), np.inf, 0.0), e)
        return Leaf(inner.fmt, inner.x, e)
    if isinstance(inner, np.ndarray | np.generic):
        fmt = format_of(inner.dtype)
        if fmt is not None:
            return Leaf(fmt, inner.astype(fmt.wide), None)
    return None


def bounds_of(program: Program) -> Bounds | Unbounded:
    """Run a program with bounds."""
    with (
        watching() as notes,
        np.errstate(all="ignore"),
    ):  # bounds of infinities and nans are infinite or nan, in silence
        notes.functions = notes.signs_lost = _traced(program)
        graphs = (*_in_graphs(program), False)
        notes.rewritten = graphs[0]
        so_far: list[tuple[int, bool]] = []

        def seen(index: int, _observation: Observation) -> None:
            so_far.append((notes.ambiguous, notes.signs_lost))
            notes.rewritten = graphs[index + 1]

        observations = run(program, _backend(), seen)
        if notes.unbounded:
            return Unbounded(notes.unbounded[0])
        return Bounds(tuple(_steps(program, observations, so_far)), tuple(notes.reasons))


def _traced(program: Program) -> bool:
    """Whether TensorFlow makes a graph of some function: rewriting it does not keep the signs of zeros."""
    return any(isinstance(step, Call) and step.op == "function" for step in program.steps)


def _in_graphs(program: Program) -> Iterator[bool]:
    """For each step, whether TensorFlow runs a graph for it: in calls of functions, what differentiates them, and
    jacobians of all rows at once."""
    traced = _traced(program)
    for step in program.steps:
        vectorized = isinstance(step, Jacobian) and step.experimental_use_pfor != Py(False)
        yield vectorized or (traced and isinstance(step, Gradient | Invoke | Jacobian | Jvp))


def _steps(
    program: Program, observations: tuple[Observation, ...], so_far: list[tuple[int, bool]]
) -> Iterator[StepBounds]:
    """Lanes only get worse: a step's lane covers all steps before it, for what it saw depends on them."""
    worst, scale = 0, 0.0
    for step, observation, (count, lost) in zip(program.steps, observations, so_far, strict=True):
        lane, relative = 0, 0.0
        for leaf in leaves(observation.outcome):
            scale = max(scale, min(1.0, leaf.largest()))
            if not isinstance(step, Constant | MakeVariable):
                lane, relative = max(lane, _lane_of(leaf, scale)), max(relative, leaf.relative(scale))
        worst = max(worst, 3 if count else lane)
        yield StepBounds(observation.outcome, LANES[worst], count, relative, scale, lost)


def _lane_of(leaf: Leaf, scale: float) -> int:
    if leaf.exact():
        return 1
    return 3 if leaf.relative(scale) > leaf.fmt.limit else 2


def leaves(outcome: Outcome | Leaf) -> Iterator[Leaf]:
    """The floating tensors of an outcome, in order."""
    match outcome:
        case Leaf():
            yield outcome
        case Nest():
            for item in outcome.items:
                yield from leaves(item)
        case SparseSlices():
            yield from leaves(outcome.values)
        case RaggedTensor():
            yield from leaves(outcome.values)


def has_floating_values(program: Program, answers: tuple[Observation, ...]) -> bool:
    """Whether some step that computes shows a floating tensor; if not, the program is structural without a run."""
    return any(
        _floating(observation.outcome)
        for step, observation in zip(program.steps, answers, strict=False)
        if not isinstance(step, Constant | MakeVariable)
    )


def _floating(outcome: Any) -> bool:
    match outcome:
        case Nest():
            return any(map(_floating, outcome.items))
        case SparseSlices() | RaggedTensor():
            return _floating(outcome.values)
    array = getattr(outcome, "array", None)
    return array is not None and array.dtype in _FLOATING


_FLOATING = frozenset(("float16", "bfloat16", "float32", "float64", "complex64", "complex128"))

__all__ = ["LANES", "Bounds", "Leaf", "Run", "StepBounds", "Unbounded", "bounds_of", "has_floating_values", "leaves"]
