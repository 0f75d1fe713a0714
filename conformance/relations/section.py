"""The pure part of a program: constants, and calls that make one target of them.

`section_of(program, answers)` finds the last gradient whose target rests on constants and calls alone; `Section` writes
that part anew, under whatever tapes a relation needs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from adapters import language as lang
from adapters.language import Array, Ref
from adapters.observations import Observation, Tensor
from conformance.blaming.arbiters import array_of_step
from conformance.judging.causes import steps_behind
from conformance.relations.writing import Writing
from conformance.shrinking.rewrite import change_refs

FLOATING = ("float16", "bfloat16", "float32", "float64")
MOST_ELEMENTS = 12  # of the target: jacobians grow with it
_NOT_PURE = ("custom_gradient", "recompute_grad", "function", "py_function", "numpy_function", "grad_pass_through")
_READS = ("method.read_value", "method.value")


@dataclass(frozen=True, slots=True)
class Section:
    """steps: constants and calls, by their place in the program they come from. sources: places of the real floating
    constants that the target rests on. target: the reference to it, of `dtype` and `shape`."""

    steps: Mapping[int, lang.Step]
    sources: tuple[int, ...]
    target: Ref
    dtype: str
    shape: tuple[int, ...]

    def array(self, at: int) -> Array:
        """What a constant holds."""
        step = self.steps[at]
        assert isinstance(step, lang.Constant)
        return step.array

    def constants(self, w: Writing) -> dict[int, Ref]:
        """Write the constants; where each stands."""
        return {at: w.constant(self.array(at)) for at, step in self.steps.items() if isinstance(step, lang.Constant)}

    def calls(self, w: Writing, places: Mapping[int, Ref]) -> Ref:
        """Write the calls on constants that stand at `places`; the target."""
        known = dict(places)
        for at, step in self.steps.items():
            if at not in known:
                known[at] = w.add(change_refs(step, lambda ref: moved(ref, known)))
        return moved(self.target, known)

    def ops(self) -> frozenset[str]:
        """The ops that are called."""
        return frozenset(step.op for step in self.steps.values() if isinstance(step, lang.Call))


def moved(ref: Ref, places: Mapping[int, Any]) -> Any:
    """A reference as it is written where the steps stand at other places."""
    found = places[ref.step]
    return replace(found, part=ref.part) if isinstance(found, Ref) and ref.part is not None else found


def section_of(program: lang.Program, answers: Sequence[Observation]) -> Section | None:
    """The section of the last gradient that has one; None when no gradient does."""
    assigned = any(isinstance(step, lang.Assign) for step in program.steps)
    for at in reversed(range(len(program.steps))):
        step = program.steps[at]
        if isinstance(step, lang.Gradient) and isinstance(step.target, Ref) and not assigned:
            found = _section(program, answers, step.target)
            if found is not None:
                return found
    return None


def _section(program: lang.Program, answers: Sequence[Observation], target: Ref) -> Section | None:
    outcome = _at(answers, target)
    if not isinstance(outcome, Tensor) or outcome.array.dtype not in FLOATING:
        return None
    if not 0 < len(outcome.array.values) <= MOST_ELEMENTS:
        return None
    steps: dict[int, lang.Step] = {}
    for at in steps_behind(program, target.step):
        step = _pure(program.steps[at])
        if step is None:
            return None
        steps[at] = step
    sources = tuple(at for at, step in steps.items() if isinstance(step, lang.Constant) and _usable(step.array))
    has_calls = any(isinstance(step, lang.Call) for step in steps.values())
    return Section(steps, sources, target, outcome.array.dtype, outcome.array.shape) if sources and has_calls else None


def _at(answers: Sequence[Observation], ref: Ref) -> Any:
    outcome: Any = answers[ref.step].outcome
    if ref.part is None:
        return outcome
    items = getattr(outcome, "items", ())
    return items[ref.part] if ref.part < len(items) else None


def _usable(array: Array) -> bool:
    return array.dtype in FLOATING and 0 < len(array.values) <= MOST_ELEMENTS


def _pure(step: lang.Step) -> lang.Step | None:
    """A constant or call as it is to be written; None for what is neither, or does more than compute."""
    array = array_of_step(step)
    if array is not None:
        return lang.Constant(array)
    if not isinstance(step, lang.Call) or step.op in _NOT_PURE or _holds_function(step):
        return None
    if step.op in _READS:
        return lang.Call("identity", step.args)
    return None if step.op.startswith(("method.", "random.")) else step


def _holds_function(step: lang.Call) -> bool:
    return any(isinstance(one, lang.Function) for one in (*step.args, *(value for _, value in step.kwargs)))
