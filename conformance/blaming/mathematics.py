"""Programs evaluated in 120-digit arithmetic, written apart from the engine: what the mathematics says.

`value(program, ref)` is the array (of mpmath numbers) that a step makes; `derivative(program, target, upstream, source,
element)` the derivative of a weighted sum of the target by one element of a constant, and whether there is a kink.
Gradient steps are evaluated by differencing, so that second derivatives can be asked for. Ops beyond the table raise
`NotKnown`, with their name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import mpmath
import numpy as np
from mpmath import mp, mpf

from adapters import language as lang
from conformance.blaming.mathematics_more import OPS

DIGITS = 120
# Step sizes by depth: an inner derivative is off by its step squared, which the outer step divides.
_EXPONENTS = (-14, -28, -56)


class NotKnown(Exception):
    """The program uses something that has no place in the table, or is not a function of real numbers."""


@dataclass(slots=True)
class _Evaluation:
    """One evaluation of a program: values by step, with some elements of constants moved."""

    program: lang.Program
    moved: dict[tuple[int, int], Any] = field(default_factory=dict)
    depth: int = 0
    values: dict[int, Any] = field(default_factory=dict)

    def at(self, ref: lang.Ref) -> Any:
        if ref.up:
            raise NotKnown("references to outer scopes are not evaluated")
        if ref.step not in self.values:
            self.values[ref.step] = self.step(ref.step)
        made = self.values[ref.step]
        if isinstance(made, list):
            return made if ref.part is None else made[ref.part]
        if ref.part is not None:
            raise NotKnown("a part of a single value is used")
        return made

    def step(self, index: int) -> Any:
        step = self.program.steps[index]
        match step:
            case lang.Constant(array=array) | lang.MakeVariable(initial=lang.NumPy(array=array)):
                return self.constant(index, array)
            case lang.MakeVariable(initial=lang.Ref() as initial):
                return self.at(initial)
            case lang.Call():
                return self.call(step)
            case lang.Gradient():
                return self.gradient(step)
        raise NotKnown(f"a step of the kind {type(step).__name__} is not evaluated")

    def constant(self, index: int, array: lang.Array) -> np.ndarray:
        if array.dtype not in ("float16", "bfloat16", "float32", "float64"):
            return np.array(array.values, dtype=object).reshape(array.shape)
        made = np.empty(len(array.values), dtype=object)
        for position, value in enumerate(array.values):
            made[position] = mpf(value) + self.moved.get((index, position), 0)
        return made.reshape(array.shape)

    def operand(self, operand: Any) -> Any:
        match operand:
            case lang.Ref():
                return self.at(operand)
            case lang.Py(value=value):
                return value
            case lang.Items(kind="list" | "tuple", items=items):
                return [self.operand(item) for item in items]
            case lang.NumPy(array=array):
                return self.constant(-1, array)
        raise NotKnown(f"an operand of the kind {type(operand).__name__} is not evaluated")

    def call(self, step: lang.Call) -> Any:
        rule = OPS.get(step.op)
        if rule is None:
            raise NotKnown(f"{step.op} is not in the table of the mathematics")
        args = [self.operand(arg) for arg in step.args]
        kwargs = {name: self.operand(value) for name, value in step.kwargs if name != "name"}
        try:
            return rule(*args, **kwargs)
        except (ValueError, ZeroDivisionError, TypeError, AttributeError, ArithmeticError) as error:
            raise NotKnown(f"{step.op} has no value here: {error}") from error

    def gradient(self, step: lang.Gradient) -> Any:
        """A gradient step, by differencing: its sources must be constants."""
        if step.output_gradients is not None or not isinstance(step.target, lang.Ref):
            raise NotKnown("gradients with output gradients or several targets are not nested")
        if isinstance(step.sources, lang.Items):
            return [self.slopes(step.target, source) for source in step.sources.items]
        return self.slopes(step.target, step.sources)

    def slopes(self, target: lang.Ref, source: Any) -> np.ndarray:
        if not isinstance(source, lang.Ref):
            raise NotKnown("a nest of sources is not evaluated")
        base = self.at(source)
        if not isinstance(self.program.steps[source.step], lang.Constant | lang.MakeVariable):
            raise NotKnown("the source of an inner gradient is no constant")
        made = np.empty(base.size, dtype=object)
        for element in range(base.size):
            made[element], kink = self.slope(target, None, source.step, element)
            if kink:
                raise NotKnown("an inner gradient is taken at a kink")
        return made.reshape(base.shape)

    def slope(self, target: lang.Ref, upstream: Any, source: int, element: int) -> tuple[Any, bool]:
        """The central difference, and whether the two sides' slopes differ."""
        if self.depth >= len(_EXPONENTS):
            raise NotKnown("gradients are nested too deeply")
        h = mpf(10) ** _EXPONENTS[self.depth]
        right, middle, left = (self.total(target, upstream, source, element, side * h) for side in (1, 0, -1))
        sides = (right - middle) / h, (middle - left) / h
        kink = abs(sides[0] - sides[1]) > mpf(10) ** (_EXPONENTS[self.depth] // 2) * (1 + abs(sides[0]) + abs(sides[1]))
        return (right - left) / (2 * h), bool(kink)

    def total(self, target: lang.Ref, upstream: Any, source: int, element: int, shift: Any) -> Any:
        moved = dict(self.moved)
        moved[source, element] = moved.get((source, element), 0) + shift
        made = _Evaluation(self.program, moved, self.depth + 1).at(target)
        if not isinstance(made, np.ndarray):
            raise NotKnown("the target is several values")
        values = made.ravel()
        weights = upstream or (1,) * values.size
        if len(weights) != values.size:
            raise NotKnown("the output gradients have another shape than the target")
        total = mpmath.fsum(mpf(w) * v for w, v in zip(weights, values, strict=True))
        if not mpmath.isfinite(total) or isinstance(total, mpmath.mpc):
            raise NotKnown("the target has no finite real value near the point")
        return total


def value(program: lang.Program, ref: lang.Ref) -> np.ndarray:
    """The array that a step makes, as mpmath numbers."""
    with mp.workdps(DIGITS):
        return _Evaluation(program).at(ref)


def derivative(
    program: lang.Program, target: lang.Ref, upstream: tuple[float, ...] | None, source: int, element: int
) -> tuple[Any, bool]:
    """The derivative of sum(target * upstream) by one element of a constant, and whether it is taken at a kink."""
    with mp.workdps(DIGITS):
        return _Evaluation(program).slope(target, upstream, source, element)


def known_ops() -> dict[str, Callable[..., Any]]:
    """The table, by public names."""
    return dict(OPS)
