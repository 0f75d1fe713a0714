"""Follow the references of a program: check that each points at something, list what an operand needs.

A reference points somewhere when the step it names comes earlier in its scope (for an enclosing scope: earlier than the
step that holds the body), when the scope exists, and when a parameter's function has that many parameters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from adapters.language import Array, Function, InThread, Items, Param, Program, Ref, Step


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a reference stands: how many steps came before, and the functions around."""

    steps: int
    outer: Scope | None = None
    parameters: int | None = None  # None outside functions: the program itself and the steps of a thread


def dangling(program: Program) -> str | None:
    """A sentence about the first reference that points nowhere, or None when there is none."""
    for index, step in enumerate(program.steps):
        for fault in _faults(step, Scope(index)):
            return f"step {index}: {fault}"
    return None


def needs(part: Any, up: int = 0) -> Iterator[Ref]:
    """The references by which `part` (a step or an operand) reaches the scope `up` levels outside it."""
    match part:
        case Ref():
            if part.up == up:
                yield part
        case Function():
            for inner in (*part.steps, part.returns):
                yield from needs(inner, up + 1)
        case InThread():
            for inner in part.steps:
                yield from needs(inner, up + 1)
        case tuple():
            for inner in part:
                yield from needs(inner, up)
        case Items():
            yield from needs(part.items, up)
        case _:
            for name in holding(type(part)):
                yield from needs(getattr(part, name), up)


def holding(kind: type) -> tuple[str, ...]:
    """The names of the fields of a step or operand class that can hold operands."""
    if kind not in _HOLDING:
        _HOLDING[kind] = _holding(kind)
    return _HOLDING[kind]


_HOLDING: dict[type, tuple[str, ...]] = {}


def _holding(kind: type) -> tuple[str, ...]:
    if kind is Array or not is_dataclass(kind):
        return ()
    plain = ("str", "int", "bool", "str | None", "int | None", "Any", "Array")
    return tuple(field.name for field in fields(kind) if field.type not in plain)


def _faults(part: Any, scope: Scope) -> Iterator[str]:
    match part:
        case Ref():
            yield from _ref_faults(part, scope)
        case Param():
            yield from _param_faults(part, scope)
        case Function():
            yield from _body_faults(part.steps, scope, part.parameters)
            yield from _faults(part.returns, Scope(len(part.steps), scope, part.parameters))
        case InThread():
            yield from _body_faults(part.steps, scope, None)
        case tuple():
            for inner in part:
                yield from _faults(inner, scope)
        case _:
            for name in holding(type(part)):
                yield from _faults(getattr(part, name), scope)


def _body_faults(steps: tuple[Step, ...], outer: Scope, parameters: int | None) -> Iterator[str]:
    for index, step in enumerate(steps):
        for fault in _faults(step, Scope(index, outer, parameters)):
            yield f"inner step {index}: {fault}"


def _ref_faults(ref: Ref, scope: Scope) -> Iterator[str]:
    reached: Scope | None = scope
    for _ in range(ref.up):
        reached = reached.outer if reached else None
    if reached is None:
        yield f"a reference goes {ref.up} scopes outward, where there is none"
    elif not 0 <= ref.step < reached.steps:
        yield f"a reference to step {ref.step} points nowhere, only {reached.steps} steps come before it"


def _param_faults(param: Param, scope: Scope) -> Iterator[str]:
    functions = []
    reached: Scope | None = scope
    while reached is not None:
        if reached.parameters is not None:
            functions.append(reached.parameters)
        reached = reached.outer
    if param.up >= len(functions):
        yield f"parameter {param.index} stands in no function {param.up} levels outward"
    elif not 0 <= param.index < functions[param.up]:
        yield f"parameter {param.index} does not exist, the function has {functions[param.up]}"
