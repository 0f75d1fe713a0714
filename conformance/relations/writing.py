"""Write related programs: steps are added one by one, and every one is referred to by what `add` gave.

w = Writing()
x = w.constant(array)
with w.tape() as t:
    w.watch(t, x)
    y = w.call("math.sin", x)
g = w.gradient(t, y, [x])
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from adapters import language as lang
from adapters.language import Array, Operand, Ref, Step

ZERO = lang.Py("zero")


class Writing:
    """A program being written."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    def program(self) -> lang.Program:
        """The program so far."""
        return lang.Program(tuple(self.steps))

    def add(self, step: Step) -> Ref:
        """Add a step; the reference to what it makes."""
        self.steps.append(step)
        return Ref(len(self.steps) - 1)

    def constant(self, array: Array) -> Ref:
        """A tensor."""
        return self.add(lang.Constant(array))

    def call(self, op: str, *args: Operand, **kwargs: Operand) -> Ref:
        """A call of a public function or operator."""
        return self.add(lang.Call(op, args, tuple(kwargs.items())))

    @contextmanager
    def tape(self, persistent: bool = True) -> Iterator[Ref]:
        """A tape that records inside the block."""
        made = self.add(lang.MakeTape(lang.Py(persistent)))
        self.add(lang.Enter(made))
        yield made
        self.add(lang.Exit(made))

    def watch(self, tape: Ref, *tensors: Ref) -> None:
        """Watch tensors, one after the other."""
        for tensor in tensors:
            self.add(lang.Watch(tape, tensor))

    def gradient(self, tape: Ref, target: Operand, sources: Sequence[Ref], upstream: Operand | None = None) -> Ref:
        """Gradients by several sources, zeros where unconnected."""
        return self.add(lang.Gradient(tape, target, lang.Items("list", tuple(sources)), upstream, ZERO))

    def jacobian(self, tape: Ref, target: Ref, source: Ref, batch: bool = False) -> Ref:
        """A jacobian by one source, zeros where unconnected."""
        return self.add(lang.Jacobian(tape, target, source, batch, ZERO))

    def dense(self, ref: Ref) -> Ref:
        """A gradient as a plain tensor, whether it came as one or as slices."""
        return self.call("convert_to_tensor", ref)

    def total(self, *terms: Ref) -> Ref:
        """The sum of the elements of several tensors of one dtype."""
        total = self.call("reduce_sum", terms[0])
        for term in terms[1:]:
            total = self.call("math.add", total, self.call("reduce_sum", term))
        return total


def part(ref: Ref, k: int) -> Ref:
    """The k-th value of a step that makes several."""
    return Ref(ref.step, k)


def array(dtype: str, shape: Sequence[int], values: Sequence[Any]) -> Array:
    """A floating array; complex dtypes get complex values."""
    kind: Any = complex if dtype.startswith("complex") else float
    return Array(dtype, tuple(shape), tuple(kind(v) for v in values))


def count(shape: Sequence[int]) -> int:
    """How many elements a shape has."""
    size = 1
    for each in shape:
        size *= each
    return size
