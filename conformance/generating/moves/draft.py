"""The program under construction, and what is roughly known of its values and tapes.

A `Draft` collects steps and remembers, for each value still alive, its dtype, a sketch of its numbers, and which tapes
know it. Moves use that to pick operands that fit, targets that depend on sources, and tapes that can answer. What a
draft believes need not be true (TensorFlow decides); it only steers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from adapters import language as lang
from conformance.generating.moves import values
from conformance.optables.row import FLOATING, DType, Row

Choice = tuple[int, ...]  # six of them: a move, and how


@dataclass(slots=True, eq=False)
class Value:
    """A value some step made. `known` and `bent` are the tapes that know it, and that know it as more than linear."""

    ref: lang.Ref
    dtype: str
    array: np.ndarray
    leaf: bool = False
    variable: bool = False
    trainable: bool = False
    known: set[int] = field(default_factory=set)
    bent: set[int] = field(default_factory=set)
    upstream: set[Value] = field(default_factory=set)  # what it was computed from, where gradients flow
    close: bool = False  # made by an op of close-fitting operands: upstreams that do not fit it are not tried
    sparse: bool = False  # its gradient may be IndexedSlices: not used as an operand's source later

    @property
    def floating(self) -> bool:
        return self.dtype in FLOATING


@dataclass(slots=True, eq=False)
class Tape:
    """A tape some step made."""

    number: int
    ref: lang.Ref
    persistent: bool
    accessed: bool
    entered: bool = False
    active: bool = False
    ended: bool = False  # asked inside its block: it records no more, though the block is open
    asked: int = 0
    pauses: list[lang.Ref] = field(default_factory=list)
    sources: list[Value] = field(default_factory=list)
    products: list[Value] = field(default_factory=list)

    @property
    def consumed(self) -> bool:
        return bool(self.asked) and not self.persistent

    @property
    def recording(self) -> bool:
        return self.active and not self.pauses and not self.ended


class Draft:
    """Steps so far, values alive, tapes made. `up` steps outward reach `outer` (inside a thread)."""

    def __init__(self) -> None:
        self.steps: list[lang.Step] = []
        self.alive: list[Value] = []
        self.tapes: list[Tape] = []
        self.asked_gradient = False
        self.odd_gradients = False  # a custom gradient may give something of another dtype or shape
        # a function branches, or scatters or splits a list, or an op is not drawn in jacobians: none goes through it
        self.unvectorized = False

    # ---------------------------------------------------------------- steps and values

    def add(self, step: lang.Step) -> lang.Ref:
        """Append a step; the reference to what it makes."""
        self.steps.append(step)
        return lang.Ref(len(self.steps) - 1)

    def keep(self, value: Value) -> Value:
        """Make a value eligible as an operand."""
        self.alive.append(value)
        return value

    def constant(self, array: lang.Array) -> Value:
        """A constant step and its value."""
        return self.keep(Value(self.add(lang.Constant(array)), array.dtype, values.sketch(array), leaf=True))

    def variable(self, array: lang.Array, trainable: bool = True) -> Value:
        """A variable step and its value."""
        ref = self.add(lang.MakeVariable(lang.NumPy(array), trainable))
        return self.keep(Value(ref, array.dtype, values.sketch(array), True, True, trainable))

    def recording(self) -> list[Tape]:
        """Tapes that record now."""
        return [tape for tape in self.tapes if tape.recording]

    def current(self) -> Tape | None:
        """The innermost tape that records now."""
        return next((tape for tape in reversed(self.tapes) if tape.recording), None)

    def watch(self, tape: Tape, value: Value) -> None:
        """A watch step."""
        self.add(lang.Watch(tape.ref, value.ref))
        self.mark_watched(tape, value)

    def mark_watched(self, tape: Tape, value: Value) -> None:
        """Remember a watch (which TensorFlow drops while no tape records on this thread)."""
        if tape.active and self.recording():
            value.known.add(tape.number)
            if value not in tape.sources:
                tape.sources.append(value)

    # ---------------------------------------------------------------- calls

    def call(
        self, row: Row, operands: Sequence[Value | lang.Operand], attributes: dict[str, Any], made: Any
    ) -> list[Value]:
        """A call step; `made` is the sketch of its result. Returns the values that it made."""
        used = [one for one in operands if isinstance(one, Value)]
        ref = self.add(call_step(row, operands, attributes))
        parts = list(made) if isinstance(made, (list, tuple)) else None
        dtype = result_dtype(row, used[0].dtype if used else "float32", attributes)
        if row.result == "same" and row.operands[0] == "mask":
            dtype = used[-1].dtype if len(used) > 1 else dtype
        found = []
        for part, array in enumerate([made] if parts is None else parts):
            if isinstance(array, list):
                continue
            place = ref if parts is None else lang.Ref(ref.step, part)
            found.append(self.keep(Value(place, dtype, np.asarray(array))))
        self.record(row, used, found)
        return found

    def record(self, row: Row, used: list[Value], made: list[Value]) -> None:
        """Remember which recording tapes know what an op made."""
        close = row.setting is not None or any(value.close for value in used)
        for value in made:
            value.close = close
        for tape in self.recording():
            for value in used:
                if value.variable and value.trainable and tape.accessed:
                    self.mark_watched(tape, value)
            number = tape.number
            knowing = [value for value in used if number in value.known and value.floating]
            if not knowing or row.curve == "cut":
                continue
            _come_from(made, used)
            bends = row.curve in ("curved", "flat") or (row.curve == "bilinear" and len(knowing) > 1)
            for value in made:
                if value.floating:
                    value.known.add(number)
                    tape.products.append(value)
                    if bends or any(number in one.bent for one in knowing):
                        value.bent.add(number)


def _come_from(made: list[Value], used: list[Value]) -> None:
    for value in made:
        for one in used:
            value.upstream.add(one)
            value.upstream |= one.upstream


def result_dtype(row: Row, dtype: str, attributes: dict[str, Any]) -> str:
    """The dtype of what a call of `row` on operands of `dtype` makes."""
    match row.result:
        case "same":
            return dtype
        case "real":
            return {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)
        case "complex":
            return {"float32": "complex64", "float64": "complex128"}.get(dtype, dtype)
        case "cast":
            return attributes["dtype"].name
    return row.result


def literal(value: Any) -> lang.Operand:
    """An attribute of a call as an operand."""
    match value:
        case None | bool() | int() | float() | complex() | str():
            return lang.Py(value)
        case DType():
            return lang.DTypeName(value.name)
        case list() | tuple():
            return lang.Items(type(value).__name__, tuple(literal(one) for one in value))
        case slice():
            return lang.Slice(literal(value.start), literal(value.stop), literal(value.step))
        case _ if value is Ellipsis:
            return lang.Marker("ellipsis")
    raise TypeError(f"no operand stands for {value!r}")


def index_literal(value: Any) -> lang.Operand:
    """An index as an operand: None is a new axis there."""
    if isinstance(value, tuple):
        return lang.Items("tuple", tuple(index_literal(one) for one in value))
    return lang.Marker("newaxis") if value is None else literal(value)


def operand_of(value: Value | lang.Operand) -> lang.Operand:
    """The operand that stands for a value."""
    return value.ref if isinstance(value, Value) else value


def call_step(row: Row, operands: Sequence[Value | lang.Operand], attributes: dict[str, Any]) -> lang.Call:
    args: tuple[lang.Operand, ...] = tuple(operand_of(one) for one in operands)
    if row.operands[0] == "list":
        args = (lang.Items("list", args),)
    spell = index_literal if row.name == "operator.getitem" else literal
    args += tuple(spell(attributes[name]) for name in row.positional if name in attributes)
    named = tuple((name, spell(value)) for name, value in attributes.items() if name not in row.positional)
    return lang.Call(row.name, args, named)
