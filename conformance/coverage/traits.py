"""What a program asks of each op that it calls: `traits_of(program, want)`.

An op is asked for its value, for its gradient (it lies between the sources and the target of a gradient that was no
None), for its second order (that gradient lies before the target of another one), for forward mode; and it is
asked in complex numbers or in a 16-bit format where its gradient is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from adapters import language as lang
from adapters.observations import Done, Nest, Observation, Outcome, RaggedTensor, SparseSlices, Tensor
from adapters.references import needs
from conformance.generating.features import functions_in, refs_in, walk

TRAITS = ("value", "gradient", "second order", "forward mode", "complex", "half precision")


def traits_of(program: lang.Program, want: Sequence[Observation]) -> dict[str, frozenset[str]]:
    """The traits of each op of a program, given what was wanted of it."""
    reading = _Reading(want)
    for at, step in enumerate(program.steps):
        reading.step(at, step)
    return {op: frozenset(traits) for op, traits in reading.traits.items()}


class _Reading:
    """Reads steps in order; `upstream[k]` are the steps that step k depends on, itself among them."""

    def __init__(self, want: Sequence[Observation]) -> None:
        self.want = want
        self.upstream: list[frozenset[int]] = []
        self.ops: dict[int, frozenset[str]] = {}
        self.dtypes: list[frozenset[str]] = []
        self.differentiated: dict[int, frozenset[int]] = {}  # gradient step -> the call steps that it went through
        self.primals: dict[int, frozenset[int]] = {}
        self.traits: dict[str, set[str]] = {}

    def step(self, at: int, step: lang.Step) -> None:
        """Take in one step."""
        before = frozenset(ref.step for ref in needs(step) if ref.up == 0 and ref.step < at)
        behind = frozenset().union(*(self.upstream[one] for one in before)) if before else frozenset()
        self.upstream.append(behind | {at})
        outcome = self.want[at].outcome if at < len(self.want) else None
        self.dtypes.append(dtypes_in(outcome))
        match step:
            case lang.Call() | lang.Invoke():
                self._call(at, step, outcome)
            case lang.Gradient() | lang.Jacobian():
                self._gradient(at, step, outcome)
            case lang.MakeAccumulator():
                self.primals[at] = frozenset(ref.step for ref in refs_in(step.primals))
            case lang.Jvp():
                self._jvp(step, outcome)

    def _call(self, at: int, step: lang.Call | lang.Invoke, outcome: Outcome | None) -> None:
        inner = (one for function in functions_in(step) for one in walk(function.steps))
        named = [one.op for one in inner if isinstance(one, lang.Call)]
        if isinstance(step, lang.Call):
            named.append(step.op)
        self.ops[at] = frozenset(named)
        if _tensors(outcome):
            self._add({at} | {one for one in self.upstream[at] if self._closed(one)}, "value")

    def _closed(self, at: int) -> bool:
        """Whether a call made a variant, which shows in what is made of it alone."""
        return at in self.ops and at < len(self.want) and isinstance(self.want[at].outcome, Done)

    def _gradient(self, at: int, step: lang.Gradient | lang.Jacobian, outcome: Outcome | None) -> None:
        targets, sources = refs_in(step.target), {ref.step for ref in refs_in(step.sources)}
        if not targets or not _tensors(outcome):
            return
        behind = frozenset().union(*(self.upstream[ref.step] for ref in targets if ref.step < at))
        through = frozenset(one for one in behind if one in self.ops and self.upstream[one] & sources)
        self.differentiated[at] = through
        self._add(through, "gradient")
        for one in through:
            self._add_dtypes(one)
        for earlier in behind & self.differentiated.keys():
            self._add(self.differentiated[earlier], "second order")

    def _jvp(self, step: lang.Jvp, outcome: Outcome | None) -> None:
        if not isinstance(step.accumulator, lang.Ref) or not _tensors(outcome):
            return
        primals = self.primals.get(step.accumulator.step, frozenset())
        behind = frozenset().union(*(self.upstream[ref.step] for ref in refs_in(step.primals)))
        self._add({one for one in behind if one in self.ops and self.upstream[one] & primals}, "forward mode")

    def _add(self, steps: Any, trait: str) -> None:
        for one in steps:
            for op in self.ops.get(one, ()):
                self.traits.setdefault(op, set()).add(trait)

    def _add_dtypes(self, at: int) -> None:
        seen = self.dtypes[at].union(*(self.dtypes[one] for one in self.upstream[at]))
        if any(name.startswith("complex") for name in seen):
            self._add({at}, "complex")
        if seen & {"float16", "bfloat16"}:
            self._add({at}, "half precision")


def dtypes_in(outcome: Outcome | None) -> frozenset[str]:
    """The dtypes of the tensors in an outcome."""
    return frozenset(one.array.dtype for one in _tensors(outcome))


def _tensors(outcome: Outcome | None) -> list[Tensor]:
    match outcome:
        case Tensor():
            return [outcome]
        case Nest():
            return [one for item in outcome.items for one in _tensors(item)]
        case SparseSlices() | RaggedTensor():
            return _tensors(outcome.values)
    return []
