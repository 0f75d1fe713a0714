"""Calls of ops whose operands must fit one another: the whole setting is drawn, then placed into the program.

`prepare(draft, row, choice)` makes the operands (constants and variables that the recording tapes watch, or values
alive that happen to fit); `commit(draft, prepared)` adds the call. What the call makes is asked of the reference
engine; where that refuses, the call stands all the same, and nothing is built on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from adapters import language as lang
from adapters import load
from adapters.arrays import from_numpy
from adapters.backend import Backend
from adapters.observations import Nest, Outcome, Tensor
from conformance.generating.moves import fillings, values
from conformance.generating.moves.draft import Choice, Draft, Value, literal
from conformance.optables.row import COMPLEX, FLOATING, INTEGER, Digits, Fresh, Made, Result, Row

LARGEST = 256  # elements of a result that is built upon
_COMMON = ("float32",) * 10 + ("float64",) * 2


@dataclass(slots=True)
class Prepared:
    """A call whose operands are in the program. `floats`: the floating values among them, in order."""

    row: Row
    args: tuple[lang.Operand, ...]
    named: tuple[tuple[str, lang.Operand], ...]
    then: tuple[str | Made, ...]
    floats: list[Value] = field(default_factory=list)


@dataclass(slots=True)
class _Placing:
    """Turns the parts of a setting into operands."""

    draft: Draft
    row: Row
    dtype: str
    seed: int
    aim: str
    reuse: Digits
    floats: list[Value] = field(default_factory=list)

    def operand(self, part: Any) -> lang.Operand:
        match part:
            case Fresh():
                return self.fresh(part).ref
            case lang.Array():
                return self.draft.constant(part).ref
            case Made(op, args, named):
                made = tuple(self.operand(one) for one in args)
                by_name = tuple((name, self.operand(one)) for name, one in named.items())
                return self.draft.add(lang.Call(op, made, by_name))
            case list() | tuple():
                return lang.Items(type(part).__name__, tuple(self.operand(one) for one in part))
        return literal(part)

    def fresh(self, part: Fresh) -> Value:
        """An operand: one time in four a value alive of the shape and dtype, else a new one."""
        dtype = part.dtype or self.dtype
        fits = [one for one in self.draft.alive if _fits(one, part, dtype)] if self.reuse(4) == 3 else []
        value = fits[-1 - self.reuse(3) % len(fits)] if fits else self.new(part, dtype)
        if fits:
            self.watch(value)
        self.floats.append(value)
        return value

    def watch(self, value: Value) -> None:
        """Have tapes that record know a value, which may come from before them."""
        for tape in self.draft.recording():
            if tape.number not in value.known and not value.variable:
                self.draft.watch(tape, value)

    def new(self, part: Fresh, dtype: str) -> Value:
        self.seed += 101
        array = fillings.filled(part, dtype, self.seed, self.aim, self.row)
        if self.reuse(5) == 4:
            return self.draft.variable(array)
        value = self.draft.constant(array)
        if value.floating and self.reuse(12) != 11:
            self.watch(value)
        return value


def _fits(value: Value, part: Fresh, dtype: str) -> bool:
    same = value.dtype == dtype and value.array.shape == part.shape
    return same and part.fill == "any" and bool(value.array.size) and part.span.holds(value.array)


def dtype_of(row: Row, draw: Digits) -> str:
    """Mostly float32; each other dtype of the row now and then, complex ones more often."""
    common = _COMMON[draw(len(_COMMON))]
    others = sorted(row.dtypes)
    if common in row.dtypes and draw(2 if COMPLEX & row.dtypes else 3 if INTEGER & row.dtypes else 4):
        return common
    return others[draw(len(others))]


def prepare(draft: Draft, row: Row, choice: Choice, dtype: str | None = None) -> Prepared:
    """Draw a setting and put its operands into the program."""
    _, _, first, second, attributes, variation = choice
    assert row.setting is not None
    dtype = dtype or dtype_of(row, Digits(second))
    setting = row.setting(Digits(attributes), dtype)
    calm = variation % 16 != 15
    aims = fillings.AIMS[: fillings.CALM] if calm else fillings.wild(row)
    aim = aims[(variation // 16) % len(aims)]
    placing = _Placing(draft, row, dtype, second % 99_991, aim, Digits(variation // 64 + first))
    args = tuple(placing.operand(part) for part in setting.args)
    named = tuple((name, placing.operand(part)) for name, part in setting.named.items())
    return Prepared(row, args, named, setting.then, placing.floats)


def commit(draft: Draft, prepared: Prepared) -> list[Value]:
    """Add the call, and what makes dense tensors of its result."""
    ref = draft.add(lang.Call(prepared.row.name, prepared.args, prepared.named))
    draft.unvectorized |= "jacobian" in prepared.row.unasked
    for op in prepared.then:
        ref = _following(draft, op, ref)
    made = [draft.keep(Value(place, dtype, array)) for place, dtype, array in _results(draft, ref)]
    draft.record(prepared.row, prepared.floats, made)
    return made


def _following(draft: Draft, op: str | Made, ref: lang.Ref) -> lang.Ref:
    """A call that takes what the last one made, perhaps through calls of its own."""
    if isinstance(op, str):
        return draft.add(lang.Call(op, (ref,)))

    def placed(one: Any) -> lang.Operand:
        match one:
            case Result():
                return ref
            case Made():
                return _following(draft, one, ref)
        return literal(one)

    args = tuple(placed(one) for one in op.args)
    return draft.add(lang.Call(op.op, args, tuple((name, placed(one)) for name, one in op.named.items())))


def call(draft: Draft, row: Row, choice: Choice) -> list[Value]:
    """Draw, place and call."""
    return commit(draft, prepare(draft, row, choice))


def probe(row: Row) -> lang.Program:
    """One call of an op in its simplest setting."""
    draft = Draft()
    dtype = "float32" if "float32" in row.dtypes else sorted(row.dtypes)[0]
    prepared = prepare(draft, row, (0, 0, 0, 0, 0, 0), dtype)
    draft.add(lang.Call(row.name, prepared.args, prepared.named))
    return lang.Program(tuple(draft.steps))


# ---------------------------------------------------------------- what a call makes


def _results(draft: Draft, ref: lang.Ref) -> list[tuple[lang.Ref, str, np.ndarray]]:
    """The floating tensors that the step of `ref` makes, as the reference engine has them."""
    outcome = _outcome(draft.steps, ref.step)
    parts = [(ref, outcome)]
    if isinstance(outcome, Nest):
        parts = [(lang.Ref(ref.step, at), part) for at, part in enumerate(outcome.items)]
    found = []
    for place, part in parts:
        if isinstance(part, Tensor) and part.array.dtype in FLOATING and len(part.array.values) <= LARGEST:
            found.append((place, part.array.dtype, _rough(values.sketch(part.array))))
    return found


def _rough(array: np.ndarray) -> np.ndarray:
    """Four digits of each number: the last bits differ between processors, and programs must not."""
    parts = (array.real, array.imag) if array.dtype.kind == "c" else (array,)
    rounded = [np.array([float(f"{one:.4g}") for one in part.ravel()]).reshape(part.shape) for part in parts]
    return rounded[0] + 1j * rounded[1] if len(rounded) > 1 else rounded[0]


@cache
def _engine() -> Backend:
    return load("reference")


def _outcome(steps: Sequence[lang.Step], at: int) -> Outcome | None:
    """Run the call at a step with what it needs, outside of all tapes; None where that is not possible."""
    from adapters.interpreter import run

    needed = _needed(steps, at)
    if needed is None:
        return None
    kept = tuple(step if index in needed else lang.Constant(_NOTHING) for index, step in enumerate(steps[: at + 1]))
    return run(lang.Program(kept), _engine())[at].outcome


_NOTHING = from_numpy(np.zeros((), np.float32))
_PLAIN = (lang.Constant, lang.MakeVariable, lang.Call)


def _needed(steps: Sequence[lang.Step], at: int) -> set[int] | None:
    """The steps that a call rests on; None where one of them is more than a plain call."""
    from adapters.references import needs

    found, open_ = set(), [at]
    while open_:
        index = open_.pop()
        if index in found:
            continue
        found.add(index)
        if not isinstance(steps[index], _PLAIN):
            return None
        open_ += [ref.step for ref in needs(steps[index])]
    return found
