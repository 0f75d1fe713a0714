"""The values that a running program has made so far, and how a reference finds one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from adapters.language import Ref

ABSENT: Any = type("Absent", (), {"__repr__": lambda self: "ABSENT", "__slots__": ()})()


class AbsentValue(Exception):
    """A step needs what an earlier one did not make."""


@dataclass(slots=True)
class Scope:
    """The values made so far by one sequence of steps, and where it stands."""

    values: list[Any]
    outer: Scope | None = None
    parameters: tuple[Any, ...] | None = None  # None where no function is: the program, the steps of a thread
    index: int = 0  # the step that is running


def scope_of(up: int, scope: Scope) -> Scope:
    """The scope `up` levels outward; AbsentValue where there is none."""
    for _ in range(up):
        if scope.outer is None:
            raise AbsentValue
        scope = scope.outer
    return scope


def parameters_of(up: int, scope: Scope) -> tuple[Any, ...]:
    """The parameters of the function `up` functions outward."""
    reached: Scope | None = scope
    while reached is not None:
        if reached.parameters is not None:
            if up == 0:
                return reached.parameters
            up -= 1
        reached = reached.outer
    raise AbsentValue


def value_of(ref: Ref, scope: Scope) -> Any:
    """What a reference points at; AbsentValue when its step made nothing, or fewer values."""
    values = (scope_of(ref.up, scope) if ref.up else scope).values
    value = values[ref.step] if ref.step < len(values) else ABSENT
    if ref.part is not None:
        value = _part_of(value, ref.part)
    if value is ABSENT:
        raise AbsentValue
    return value


def _part_of(value: Any, part: int) -> Any:
    if isinstance(value, dict):
        value = list(value.values())
    # What is no nest has no parts; indexing a tensor here would run an op.
    return value[part] if isinstance(value, (list, tuple)) and part < len(value) else ABSENT


def drop(value: Any, ref: Ref, scope: Scope) -> None:
    """Forget `value`: every step of the scope that holds it, or the one part of the nest that `ref` names."""
    if ref.part is None:
        scope.values[:] = [ABSENT if held is value else held for held in scope.values]
        return
    nest = scope.values[ref.step]
    held = list(nest.values()) if isinstance(nest, dict) else list(nest)
    held[ref.part] = ABSENT
    scope.values[ref.step] = held
