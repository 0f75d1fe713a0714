"""Moves that make values to differentiate with respect to: constants, variables, assignments; and looks at values."""

from __future__ import annotations

from adapters import language as lang
from conformance.generating.moves import values
from conformance.generating.moves.draft import Choice, Draft, Value
from conformance.optable import TABLE
from conformance.optables.row import Digits


def fresh_array(choice: Choice) -> lang.Array:
    """The array that a choice describes: (_, dtype, shape, style, seed, row whose kinks are aimed at)."""
    _, dtype, shape, style, seed, row = choice
    return values.make(
        values.DTYPES[dtype % len(values.DTYPES)],
        values.SHAPES[shape % len(values.SHAPES)],
        style,
        seed,
        TABLE[row % len(TABLE)].kinks,
    )


def constant(draft: Draft, choice: Choice) -> None:
    """A constant; inside a block it is watched at once, two times in three."""
    value = draft.constant(fresh_array(choice))
    tape = draft.current()
    if tape is not None and choice[4] % 3 and value.floating:
        draft.watch(tape, value)


def variable(draft: Draft, choice: Choice) -> None:
    """A variable, one in six not trainable."""
    array = fresh_array(choice)
    draft.variable(array, trainable=choice[4] % 6 != 5)


def assign(draft: Draft, choice: Choice) -> None:
    """Assign a value of the same shape and dtype to a variable (assign, assign_add, assign_sub)."""
    variables = [value for value in draft.alive if value.variable]
    if not variables:
        variable(draft, choice)
        return
    _, which, source, how, seed, _ = choice
    target = variables[-1 - which % len(variables)]
    kinds = ("assign", "assign_add", "assign_sub") if target.dtype != "bool" else ("assign",)
    given = _assigned(draft, target, source, seed)
    draft.add(lang.Assign(target.ref, given, kinds[how % len(kinds)]))


def _assigned(draft: Draft, target: Value, source: int, seed: int) -> lang.Operand:
    fits = [
        one
        for one in draft.alive
        if one.dtype == target.dtype and one.array.shape == target.array.shape and one is not target
    ]
    if fits and source % 2:
        return fits[-1 - (source // 2) % len(fits)].ref
    return lang.NumPy(values.make(target.dtype, target.array.shape, values.STYLE["positive dyadic"], seed))


def look(draft: Draft, choice: Choice) -> None:
    """Ask whether two values are one object, read a value twice, or read a variable."""
    if not draft.alive:
        constant(draft, choice)
    _, kind, left, right, *_ = choice
    one = draft.alive[-1 - left % len(draft.alive)]
    other = draft.alive[-1 - right % len(draft.alive)]
    draw = Digits(kind)
    match draw(3):
        case 0:
            draft.add(lang.Same(one.ref, other.ref))
        case 1:
            draft.add(lang.ReadAgain(one.ref))
        case _:
            read(draft, choice)


def read(draft: Draft, choice: Choice) -> None:
    """Read a variable's value, or convert a tensor, under another name."""
    if not draft.alive:
        constant(draft, choice)
    fits = [value for value in draft.alive if value.variable] or draft.alive
    value = fits[-1 - choice[2] % len(fits)]
    name = ("method.read_value", "method.value", "convert_to_tensor", "identity")[choice[3] % 4]
    if not value.variable and name.startswith("method."):
        name = "convert_to_tensor"
    ref = draft.add(lang.Call(name, (value.ref,)))
    copy = draft.keep(Value(ref, value.dtype, value.array))
    copy.upstream = {value, *value.upstream}
    for tape in draft.recording():
        if value.variable and value.trainable and tape.accessed:
            draft.mark_watched(tape, value)
        if tape.number in value.known and value.floating:
            copy.known.add(tape.number)
            tape.products.append(copy)
            if tape.number in value.bent:
                copy.bent.add(tape.number)
