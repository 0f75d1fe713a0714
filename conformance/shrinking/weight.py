"""How simple a program is: `weight(program)` orders programs; `steps_besides` counts what shrinking keeps few."""

from __future__ import annotations

from typing import Any

from adapters import language as lang
from adapters.references import holding
from conformance.generating.features import refs_in
from conformance.shrinking.rewrite import arrays_in

_GIVEN = (lang.Constant, lang.MakeVariable, lang.MakeTape, lang.Enter, lang.Exit, lang.Watch)
PLAIN_VALUES = (1.0, 2.0, 3.0, 0.0, -1.0, 0.5)


def steps_besides(program: lang.Program) -> int:
    """How many steps a program has besides constants, variables, making, entering and leaving tapes, and watching."""
    return sum(not isinstance(step, _GIVEN) for step in program.steps)


def weight(program: lang.Program) -> tuple[float, ...]:
    """How simple a program is, the most important first; fewer steps come before smaller ones."""
    arrays = list(arrays_in(program))
    return (
        steps_besides(program),
        len(program.steps),
        sum(_inner_steps(step) for step in program.steps),
        sum(not isinstance(step, lang.Constant) for step in program.steps),
        _size(program),
        _late_refs(program),
        sum(len(array.values) + 0.1 * len(array.shape) for array in arrays),
        sum(array.dtype != "float32" for array in arrays),
        sum(plainness(value) for array in arrays for value in array.values),
        _disorder(program),
    )


def _inner_steps(step: lang.Step) -> int:
    return len(step.steps) if isinstance(step, lang.InThread) else 0


def _size(part: Any) -> int:
    match part:
        case tuple():
            return sum(_size(one) for one in part)
        case lang.Program():
            return _size(part.steps)
        case lang.Items():
            return 1 + _size(part.items) + (part.kind != "list")
        case lang.Py():
            return 1 + (part.value is True)
        case lang.NumPy():
            return 2
        case str() | None | lang.Array():
            return 0
        case lang.MakeVariable() | lang.Exit() | lang.ResumeRecording():
            extra = int(getattr(part, "raising", False)) + (getattr(part, "trainable", True) is False)
            return extra + sum(_size(getattr(part, name)) for name in holding(type(part)))
        case lang.Function() | lang.InThread():
            return 1 + _size(part.steps)
    return 1 + sum(_size(getattr(part, name)) for name in holding(type(part)))


def _late_refs(program: lang.Program) -> int:
    """Operands that are computed rather than given."""
    given = {at for at, step in enumerate(program.steps) if isinstance(step, _GIVEN)}
    calls = [step for step in program.steps if isinstance(step, (lang.Call, lang.Gradient))]
    return sum(
        ref.step not in given for step in calls for name in holding(type(step)) for ref in all_refs(getattr(step, name))
    )


def all_refs(part: Any) -> list[lang.Ref]:
    """The references in an operand, a nest, or a tuple of them (pairs of keyword arguments too)."""
    if isinstance(part, tuple):
        return [ref for one in part for ref in (all_refs(one) if isinstance(one, tuple) else refs_in(one))]
    return [] if part is None else refs_in(part)


def plainness(value: Any) -> int:
    """How plain a number is: 0 for 1, a little more for 2, 3, 0 ..., most for numbers with many digits."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, complex):
        return plainness(value.real) + (plainness(value.imag) if value.imag else 0)
    if value in PLAIN_VALUES:
        return PLAIN_VALUES.index(value) + (str(value) == "-0.0")
    return 8 if value == value and abs(value) < 100 and value * 4 == int(value * 4) else 20


def _disorder(program: lang.Program) -> int:
    """Constants and variables that come after something else."""
    late, other = 0, False
    for step in program.steps:
        given = isinstance(step, (lang.Constant, lang.MakeVariable))
        late += given and other
        other = other or not given
    return late
