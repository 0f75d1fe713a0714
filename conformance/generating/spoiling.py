"""Calls with one wrong argument: `spoiled(program, op, number)`.

A call of the op that the program makes, with the steps that its operands need, and with one argument spoiled: another
dtype, an axis more or less, a row less, a number far out, None, a word that nobody knows, a list too short. `number`
picks which. An engine must refuse it as TensorFlow does, or take it as TensorFlow does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from adapters import language as lang
from adapters.references import needs
from conformance.generating import sources
from conformance.generating.sources import Fits, Ops
from conformance.optable import TABLE, indices
from conformance.shrinking.rewrite import drop

_FLOATS = ("float16", "bfloat16", "float32", "float64")
_WHOLE = ("int32", "int64")
_STRIDE, _STEP = 1_000_003, 7  # between attempts; between the arguments spoiled in two turns
_PURE = (lang.Constant, lang.MakeVariable, lang.Call, lang.Ragged)
_TRIES = 20  # programs of an op that are drawn until one holds a call that can be spoiled


def wrong_calls(seed: int, start: int, count: int, ops: Ops = None, fits: Fits | None = None) -> Iterator[lang.Program]:
    """Wrong calls `start .. start + count` of a seed: the ops in turn, each time another argument spoiled.

    Where nothing of an op's calls can be spoiled (they take no argument), the next op has its turn.
    """
    names = [TABLE[at].name for at in indices(ops or "*") if not TABLE[at].when_named or ops is not None]
    for index in range(start, start + count):
        turn, which = divmod(index, len(names))
        tries = (
            _drawn(seed, index + attempt * len(names) * _STRIDE, name, turn * _STEP + seed, fits)
            for name in names[which:] + names[:which]
            for attempt in range(_TRIES)
        )
        yield next(program for program in tries if program is not None)


def _drawn(seed: int, index: int, op: str, number: int, fits: Fits | None) -> lang.Program | None:
    ((_, program),) = sources.seeded(seed, index, 1, op, None, fits)
    return spoiled(program, op, number)


def spoiled(program: lang.Program, op: str, number: int) -> lang.Program | None:
    """The smallest program that makes the spoiled call; None where the program holds no call that can be spoiled."""
    for at, step in enumerate(program.steps):
        if isinstance(step, lang.Call) and step.op == op:
            kept = _needed(program, at)
            choices = list(_spoils(program, step)) if kept is not None else []
            if kept is not None and choices:
                place, made = choices[number % len(choices)]
                return _assembled(program, at, kept, _with(step, place, made, lang.Ref(at)), made)
    return None


def _needed(program: lang.Program, at: int) -> list[int] | None:
    """The steps that the call at `at` needs, in order; None where one of them is about tapes or threads."""
    found: set[int] = set()
    waiting = [ref.step for ref in needs(program.steps[at])]
    while waiting:
        index = waiting.pop()
        if index in found:
            continue
        if not isinstance(program.steps[index], _PURE):
            return None
        found.add(index)
        waiting += [ref.step for ref in needs(program.steps[index])]
    return sorted(found)


def _assembled(program: lang.Program, at: int, kept: list[int], call: lang.Call, made: Any) -> lang.Program:
    """The steps that are kept before `at`, the constant that was made, if one was, and the call."""
    extra = (lang.Constant(made),) if isinstance(made, lang.Array) else ()
    whole = lang.Program((*program.steps[:at], *extra, call))
    return drop(whole, set(range(at)).difference(kept))


def _with(call: lang.Call, place: tuple, made: Any, constant: lang.Ref) -> lang.Call:
    """The call with an operand in a place: the one made, or the constant that an array is to be."""
    operand = constant if isinstance(made, lang.Array) else made
    kind, which = place
    if kind == "args":
        return replace(call, args=(*call.args[:which], operand, *call.args[which + 1 :]))
    name = call.kwargs[which][0]
    return replace(call, kwargs=(*call.kwargs[:which], (name, operand), *call.kwargs[which + 1 :]))


def _spoils(program: lang.Program, call: lang.Call) -> Iterator[tuple[tuple, Any]]:
    """Every place of the call with every wrong argument for it: an operand, or an array for a new constant."""
    named = [operand for _, operand in call.kwargs]
    for kind, operands in (("args", call.args), ("kwargs", named)):
        for which, operand in enumerate(operands):
            for made in _wrong(program, operand):
                yield (kind, which), made


def _wrong(program: lang.Program, operand: lang.Operand) -> Iterator[lang.Operand | lang.Array]:
    match operand:
        case lang.Py(value) if isinstance(value, bool) or value is None:
            return
        case lang.Py(value) if isinstance(value, int):
            yield from (lang.Py(other) for other in (-1, -7, 9, 0, value + 1, 1.5, None) if other != value)
        case lang.Py(value) if isinstance(value, str):
            yield lang.Py("BAD")
        case lang.Items("list" | "tuple", items) if items and all(isinstance(item, lang.Py) for item in items):
            yield from _wrong_lists(operand)
        case lang.NumPy(array) if array.shape and array.shape[0]:
            yield lang.NumPy(_rows_less(array))
        case lang.Ref(step, None, 0):
            numbers = _array_of(program, step)
            if numbers is not None:
                yield from wrong_arrays(numbers)


def _wrong_lists(given: lang.Items) -> Iterator[lang.Items]:
    items = given.items
    yield replace(given, items=items[:-1])
    yield replace(given, items=(*items, items[-1]))
    for at, item in enumerate(items):
        if isinstance(item, lang.Py) and isinstance(item.value, int) and not isinstance(item.value, bool):
            for other in (-1, -5, 11, 0):
                yield replace(given, items=(*items[:at], lang.Py(other), *items[at + 1 :]))


def _array_of(program: lang.Program, step: int) -> lang.Array | None:
    """The numbers of a constant, or those that a variable starts with."""
    match program.steps[step]:
        case lang.Constant(array):
            return array
        case lang.MakeVariable(lang.Ref(initial)):
            return _array_of(program, initial)
    return None


def wrong_arrays(array: lang.Array) -> Iterator[lang.Array]:
    """Other shapes, other dtypes, and for whole numbers elements that lie out of every range."""
    shape, values = array.shape, array.values
    yield replace(array, shape=(1, *shape))
    if shape and values:
        yield _rows_less(array)
        yield replace(array, shape=(len(values),)) if len(shape) > 1 else replace(array, shape=(), values=values[:1])
    if shape and shape[-1] > 1 and values:
        last = shape[-1]
        yield replace(
            array,
            shape=(*shape[:-1], last - 1),
            values=tuple(v for at, v in enumerate(values) if at % last != last - 1),
        )
    if array.dtype in _WHOLE:
        yield from (replace(array, values=(far, *values[1:])) for far in (-1, 50) if values)
        yield replace(array, dtype="float32", values=tuple(map(float, values)))
    elif array.dtype in _FLOATS:
        yield replace(array, dtype="float32" if array.dtype == "float64" else "float64")
        yield replace(array, dtype="int32", values=tuple(int(v) if abs(v) < 1e6 else 0 for v in values))
        yield replace(array, dtype="string", values=("a",) * len(values))


def _rows_less(array: lang.Array) -> lang.Array:
    rows = array.shape[0]
    kept = len(array.values) - len(array.values) // rows
    return replace(array, shape=(rows - 1, *array.shape[1:]), values=array.values[:kept])
