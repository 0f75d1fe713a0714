"""The move that calls an op: pick a row of the table, operands that fit it, and attributes.

A choice reads (_, row, first operand, second operand, attributes, variation). Where the row does not fit what is alive
(wrong dtype, out of its calm span, shapes that do not go together) the next rows are tried in order, so that nearly
every call succeeds; a *wild* variation accepts results that are not finite.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from adapters import language as lang
from conformance.generating.moves import settings, values
from conformance.generating.moves.draft import Choice, Draft, Value
from conformance.optable import TABLE, row
from conformance.optables.row import COMPLEX, INTEGER, Digits, Row

TRIES = 12
LARGEST = 64  # elements
WILD = 15  # the variation that leaves an op's calm span

SketchErrors = (ValueError, IndexError, TypeError, ZeroDivisionError)


@dataclass(frozen=True, slots=True)
class Plan:
    """A call that will go well, as far as the sketch can tell."""

    row: Row
    operands: tuple[Value | lang.Operand, ...]
    attributes: dict[str, Any]
    made: Any


def op(draft: Draft, choice: Choice) -> list[Value]:
    """Call an op. Returns the values made."""
    _, first_row, first, second, attributes, variation = choice
    for offset in range(TRIES):
        found = TABLE[(first_row + offset) % len(TABLE)]
        if found.setting is not None:
            return settings.call(draft, found, choice)
        plan = plan_call(draft, found, first, second, attributes, variation)
        if plan is not None:
            return commit(draft, plan)
    value = any_value(draft)
    return commit(draft, Plan(row("identity"), (value,), {}, value.array))


def commit(draft: Draft, plan: Plan) -> list[Value]:
    """Add a planned call to the program."""
    made = draft.call(plan.row, plan.operands, plan.attributes, plan.made)
    if plan.row.name == "gather" and not plan.attributes.get("axis"):
        for operand in plan.operands:
            if isinstance(operand, Value):
                operand.sparse = True
    return made


def any_value(draft: Draft) -> Value:
    """The last floating value alive; a new constant where there is none."""
    found = next((value for value in reversed(draft.alive) if value.floating), None)
    return found or draft.constant(values.make("float32", (), 0, 0))


def plan_call(draft: Draft, found: Row, first: int, second: int, attributes: int, variation: int) -> Plan | None:
    """A call of a row, or None where nothing alive fits it."""
    wild = variation % 16 == WILD
    main = _main_operand(draft, found, first, wild)
    if main is None:
        return None
    draw = Digits(second)
    operands = _operands(draft, found, main, draw, variation)
    if operands is None:
        return None
    arrays = tuple(_array(operand) for operand in operands)
    try:
        drawn = found.attributes(Digits(attributes), tuple(arrays[found.main :]))
        made = found.forward(*arrays, **drawn)
    except SketchErrors:
        return None
    if not _dtypes_go_together(found, main, drawn) or not _acceptable(made, wild):
        return None
    return Plan(found, _placed(draft, operands), drawn, made)


def fitting(draft: Draft, found: Row, wild: bool = False) -> list[Value]:
    """Values alive that can be the main operand of a row, oldest first; those that a recording tape knows come last."""
    span = found.span(0)
    active = {tape.number for tape in draft.recording()}
    fits = [
        value
        for value in draft.alive
        if value.dtype in found.dtypes and value.array.ndim >= found.rank and (wild or span.holds(value.array))
    ]
    if not active:
        return fits
    return [value for value in fits if not _tracked(value, active)] + [
        value for value in fits if _tracked(value, active)
    ]


def _tracked(value: Value, active: set[int]) -> bool:
    return bool(value.known & active) or (value.variable and value.trainable)


def _main_operand(draft: Draft, found: Row, first: int, wild: bool) -> Value | None:
    fits = fitting(draft, found, wild)
    if not fits:
        return None
    active = {tape.number for tape in draft.recording()}
    known = [value for value in fits if _tracked(value, active)]
    pool = fits if first % 8 == 7 or not known else known
    return pool[-1 - first % len(pool)]


def _operands(draft: Draft, found: Row, main: Value, draw: Digits, variation: int) -> tuple[Any, ...] | None:
    if found.operands[0] == "list":
        return _several(draft, found, main, draw)
    operands: list[Any] = []
    for position, kind in enumerate(found.operands):
        if position == found.main:
            operands.append(main)
            continue
        partner = _partner(draft, found, kind, position, main, draw, variation)
        if partner is None:
            return None
        operands.append(partner)
    return tuple(operands)


def _several(draft: Draft, found: Row, main: Value, draw: Digits) -> tuple[Any, ...]:
    fits = [value for value in draft.alive if value.dtype == main.dtype and _joins(found, value.array, main.array)]
    return (main, *(fits[-1 - draw(4) % len(fits)] for _ in range(draw(3))))


def _joins(found: Row, one: np.ndarray, other: np.ndarray) -> bool:
    if found.name == "clip_by_global_norm":
        return True
    return one.shape == other.shape


def _partner(draft: Draft, found: Row, kind: str, position: int, main: Value, draw: Digits, variation: int) -> Any:
    match kind:
        case "mask":
            return _mask(draft, main, draw, variation)
        case "matmul" | "vector":
            return _factor(draft, main, draw, variation, kind == "vector")
        case "same":
            return _alive_partner(draft, found, position, main, draw, lambda shape: shape == main.array.shape)
    return _broadcast_partner(draft, found, position, main, draw, variation)


def _broadcast_partner(draft: Draft, found: Row, position: int, main: Value, draw: Digits, variation: int) -> Any:
    mode = draw(8)
    wild = variation % 16 == WILD
    if mode == 4 and (wild or found.span(position).holds(main.array)):
        return main
    if mode == 5 and main.dtype not in COMPLEX and main.dtype != "bool":
        return lang.Py(_number(found, position, main, draw, wild))
    if mode in (6, 7):
        fresh = _fresh_partner(found, main, draw, variation)
        if wild or found.span(position).holds(values.sketch(fresh)):
            return fresh if mode == 6 else lang.NumPy(fresh)
    alive = _alive_partner(draft, found, position, main, draw, lambda shape: _broadcasts(shape, main.array.shape))
    if alive is None and main.dtype != "bool":
        return values.make(main.dtype, (), values.STYLE["ones"], 0)
    return alive


def _alive_partner(draft: Draft, found: Row, position: int, main: Value, draw: Digits, shaped: Any) -> Value | None:
    span = found.span(position)
    fits = [
        value
        for value in draft.alive
        if value.dtype == main.dtype and shaped(value.array.shape) and span.holds(value.array)
    ]
    return fits[-1 - draw(6) % len(fits)] if fits else None


def _number(found: Row, position: int, main: Value, draw: Digits, wild: bool) -> Any:
    pool: Sequence[float] = (2.0, 3.0, 0.5, 1.0, -1.0, 0.0, *found.kinks)
    calm = [one for one in pool if wild or found.span(position).holds(np.asarray(one))]
    number = calm[draw(len(calm))] if calm else 1.0
    if not math.isfinite(number):
        return 1 if main.dtype in INTEGER else number
    if main.dtype in INTEGER:
        return int(number) or 1
    return int(number) if number == int(number) and draw(3) == 2 else number


def _fresh_partner(found: Row, main: Value, draw: Digits, variation: int) -> lang.Array:
    shape = main.array.shape
    if found.ties and draw(2):
        return values.tied_with(main.array, main.dtype, variation)
    shapes = (shape, (), shape[-1:], (*shape[:-1], 1) if shape else (1,), (2, *shape), (1, *shape))
    style = values.STYLE[("positive dyadic", "dyadic", "kinks", "positive")[draw(4)]]
    return values.make(main.dtype, shapes[draw(len(shapes))], style, variation, found.kinks)


def _mask(draft: Draft, main: Value, draw: Digits, variation: int) -> Any:
    fits = [
        value for value in draft.alive if value.dtype == "bool" and _broadcasts(value.array.shape, main.array.shape)
    ]
    if fits and draw(4):
        return fits[-1 - draw(4) % len(fits)]
    return values.make("bool", main.array.shape, values.STYLE["dyadic"], variation)


def _factor(draft: Draft, main: Value, draw: Digits, variation: int, vector: bool) -> Any:
    inner = main.array.shape[-1]
    rank = 1 if vector else 2
    fits = [
        value
        for value in draft.alive
        if value.dtype == main.dtype and value.array.ndim == rank and value.array.shape[0] == inner
    ]
    if fits and draw(3):
        return fits[-1 - draw(4) % len(fits)]
    shape = (inner,) if vector else (inner, 1 + draw(3))
    return values.make(main.dtype, shape, values.STYLE["dyadic"], variation)


def _broadcasts(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(left == right or 1 in (left, right) for left, right in zip(reversed(one), reversed(other)))


def _array(operand: Any) -> np.ndarray:
    match operand:
        case Value():
            return operand.array
        case lang.Array():
            return values.sketch(operand)
        case lang.NumPy():
            return values.sketch(operand.array)
    return np.asarray(operand.value)


def _placed(draft: Draft, operands: tuple[Any, ...]) -> tuple[Value | lang.Operand, ...]:
    """Fresh arrays among the operands become constant steps, just before the call."""
    return tuple(draft.constant(one) if isinstance(one, lang.Array) else one for one in operands)


def _dtypes_go_together(found: Row, main: Value, drawn: dict[str, Any]) -> bool:
    if found.result != "cast":
        return True
    return drawn["dtype"].name != "bool" or main.dtype not in COMPLEX


def _acceptable(made: Any, wild: bool) -> bool:
    parts = made if isinstance(made, (list, tuple)) else (made,)
    for part in parts:
        if isinstance(part, list):
            continue
        size = np.abs(part)
        if size.size > LARGEST or (not wild and size.size and not bool((size <= 1e4).all())):
            return False
    return bool(parts)
