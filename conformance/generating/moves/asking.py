"""Moves that ask a tape: gradients of nests of targets with respect to nests of sources, with every option.

A gradient choice reads (_, tape, target, sources, options, seed). Never are there fewer output gradients than targets:
TensorFlow 2.21 reads past the end of the list then, and its process dies.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from adapters import language as lang
from conformance.generating.moves import values
from conformance.generating.moves.draft import Choice, Draft, Tape, Value
from conformance.generating.moves.tapes import leaf_values, open_tape
from conformance.optables.row import Digits


@dataclass(frozen=True, slots=True)
class Nested:
    """An operand made of values, and those values in the order in which TensorFlow flattens it."""

    operand: lang.Operand
    flat: tuple[Value, ...]


def gradient(draft: Draft, choice: Choice) -> None:
    """Ask a tape for a gradient; where none can answer, an ordinary tape is opened instead."""
    _, which, target, sources, options, seed = choice
    found = answering(draft, which)
    if found is None or not draft.alive:
        leaves = leaf_values(draft) or [draft.constant(values.make("float32", (), 0, 0))]
        opened = open_tape(draft)
        for value in leaves[-3:]:
            draft.watch(opened, value)
        return
    wanted = _targets(draft, found, target)
    asked = _sources(draft, found, wanted, sources)
    draw = Digits(options)
    ask(draft, found, wanted, asked, _output_gradients(draft, wanted, asked, draw, seed), _unconnected(draw))


def answering(draft: Draft, which: int) -> Tape | None:
    """The `which`-th tape back that can still answer (one time in eight: any tape)."""
    able = [tape for tape in draft.tapes if tape.entered and not tape.consumed and tape.products]
    pool = able if able and which % 8 != 7 else [tape for tape in draft.tapes if tape.entered]
    return pool[-1 - (which // 8) % len(pool)] if pool else None


def ask(
    draft: Draft,
    found: Tape,
    wanted: Nested,
    asked: Nested,
    output_gradients: lang.Operand | None = None,
    unconnected: lang.Operand | None = None,
) -> list[Value]:
    """A gradient step, and the values that it probably made."""
    if draft.odd_gradients:
        asked = _leaves_only(asked)
    ref = draft.add(lang.Gradient(found.ref, wanted.operand, asked.operand, output_gradients, unconnected))
    usable = not found.consumed
    found.asked += 1
    draft.asked_gradient = True
    end_recording(found)
    bare = isinstance(asked.operand, lang.Ref)
    if not usable or not (bare or _plain_nest(asked.operand)):
        return []
    made = [
        _answer(draft, found, wanted, source, ref if bare else lang.Ref(ref.step, at))
        for at, source in enumerate(asked.flat)
    ]
    return [value for value in made if value is not None]


def _leaves_only(asked: Nested) -> Nested:
    """TensorFlow 2.21 dies where gradients of a source that an op made cannot be added."""
    if all(one.leaf for one in asked.flat):
        return asked
    return nest("list", tuple(one for one in asked.flat if one.leaf))


def end_recording(found: Tape) -> None:
    """Asking a tape inside its block ends its recording unless it is persistent; the block stays open."""
    if found.active and not found.persistent and not found.pauses:
        found.ended = True


def _plain_nest(operand: lang.Operand) -> bool:
    return isinstance(operand, lang.Items) and operand.kind in ("list", "tuple")


def _answer(draft: Draft, found: Tape, wanted: Nested, source: Value, ref: lang.Ref) -> Value | None:
    number = found.number
    if number not in source.known or source.sparse:
        return None
    if not any(number in one.known and (one is source or source in one.upstream) for one in wanted.flat):
        return None
    made = Value(ref, source.dtype, np.ones_like(source.array))
    made.upstream = {value for one in wanted.flat for value in (one, *one.upstream)}
    made.close = any(one.close for one in wanted.flat)
    for tape in draft.recording():
        if any(tape.number in one.bent for one in wanted.flat):
            made.known.add(tape.number)
            made.bent.add(tape.number)
            tape.products.append(made)
    return draft.keep(made)


def latest(found: Tape, back: int = 0) -> Value | None:
    """The `back`-th latest floating product of a tape."""
    return found.products[-1 - back % len(found.products)] if found.products else None


def _targets(draft: Draft, found: Tape, number: int) -> Nested:
    wanted = _drawn_targets(draft, found, Digits(number))
    return wanted if safe_targets(wanted.flat) else bare(wanted.flat[0])


def safe_targets(flat: tuple[Value, ...]) -> bool:
    """A bool asked for twice kills TensorFlow 2.21: it cannot add the two seeds, and does not check."""
    whole = [id(value) for value in flat if value.dtype == "bool"]
    return len(set(whole)) == len(whole)


def _drawn_targets(draft: Draft, found: Tape, draw: Digits) -> Nested:
    how = draw(14)
    first = latest(found, draw(3)) or draft.alive[-1]
    second = latest(found, draw(5)) or first
    match how:
        case 6 | 7:
            return nest(("list", "tuple")[how - 6], (first, second))
        case 8:
            return nest("dict", (first, second), ("b", "a")[:: -1 if draw(2) else 1])
        case 9:
            return nest("list", (first, first))
        case 10:
            return bare(draft.alive[-1 - draw(6) % len(draft.alive)])
        case 11:
            source = found.sources[-1] if found.sources else first
            return bare(source) if draw(2) else nest("list", (first, source))
        case 12:
            return nest("list", (first, draft.alive[draw(6) % len(draft.alive)], second))
        case 13:
            return nest("list", (first,)) if draw(2) else deep(first, second)
    return bare(first)


def _sources(draft: Draft, found: Tape, wanted: Nested, number: int) -> Nested:
    draw = Digits(number)
    how = draw(16)
    known = found.sources[-4:] or leaf_values(draft)[-2:] or draft.alive[-1:]
    one = known[draw(4) % len(known)]
    inner = latest(found, 1 + draw(4)) or one
    match how:
        case 4 | 5:
            return bare(one)
        case 6:
            return nest("list", (*known, inner))
        case 7:
            return nest("list", (*known, draft.alive[-1 - draw(8) % len(draft.alive)]))
        case 8:
            return nest("dict", (one, known[-1]), ("b", "a"))
        case 9:
            return nest("tuple", (one, inner)) if draw(2) else deep(one, inner)
        case 10:
            return nest("list", (one, one))
        case 11:
            return bare(inner)
        case 12:
            return nest(("list", "tuple", "dict")[draw(3)], ()) if draw(3) == 2 else nest("list", (one, inner))
        case 13:
            return nest("list", (one, wanted.flat[0]))
        case 14:
            return bare(draft.alive[-1 - draw(8) % len(draft.alive)])
    return all_sources(known)


def all_sources(known: list[Value]) -> Nested:
    """All of them: bare where there is one, else a list."""
    return bare(known[0]) if len(known) == 1 else nest("list", tuple(known))


def bare(value: Value) -> Nested:
    """A value standing alone."""
    return Nested(value.ref, (value,))


def nest(kind: str, members: tuple[Value, ...], keys: tuple[str, ...] = ()) -> Nested:
    """A list, tuple or dict of values; a dict is flattened by its sorted keys."""
    if kind != "dict":
        return Nested(lang.Items(kind, tuple(value.ref for value in members)), members)
    order = sorted(range(len(members)), key=lambda at: keys[at])
    operand = lang.Items("dict", tuple(value.ref for value in members), keys[: len(members)])
    return Nested(operand, tuple(members[at] for at in order))


def deep(first: Value, second: Value) -> Nested:
    """A nest of nests: `[first, (second,)]`."""
    return Nested(lang.Items("list", (first.ref, lang.Items("tuple", (second.ref,)))), (first, second))


def _output_gradients(draft: Draft, wanted: Nested, asked: Nested, draw: Digits, seed: int) -> lang.Operand | None:
    how = draw(10)
    if how < 7 or not wanted.flat:
        return None
    right = [_upstream(draft, value, seed + at) for at, value in enumerate(wanted.flat)]
    fitting = _seeds_meet(wanted.flat, asked.flat) or any(value.close for value in wanted.flat)
    if how < 9 or fitting:
        if isinstance(wanted.operand, lang.Ref):
            return right[0] if draw(2) else lang.Items("list", (right[0],))
        return lang.Items("list", tuple(right))
    return _odd_output_gradients(wanted, right, draw)


def _seeds_meet(targets: tuple[Value, ...], sources: tuple[Value, ...]) -> bool:
    """Whether a target's seed may be added to something: TensorFlow 2.21 may die where that fails."""
    if len(targets) < 2:
        return False
    twice = len({id(one) for one in targets}) < len(targets)
    fed = any(one in other.upstream for one in targets for other in targets)
    return twice or fed or any(one is other for one in targets for other in sources)


def _upstream(draft: Draft, value: Value, seed: int) -> lang.Operand:
    array = values.make(value.dtype, value.array.shape, values.STYLE["dyadic"], seed)
    return draft.constant(array).ref if seed % 3 else lang.NumPy(array)


def _odd_output_gradients(wanted: Nested, right: list[lang.Operand], draw: Digits) -> lang.Operand:
    """Wrong dtypes, wrong shapes, None, Python numbers, a surplus entry; always at least one entry per target.

    None only for a single target: TensorFlow 2.21 dies where it has to add a None to something.
    """
    first = wanted.flat[0]
    odd: tuple[lang.Operand, ...] = (
        lang.Py(None),
        lang.Py(2.0),
        lang.NumPy(lang.Array("float64", (), (2.0,))),
        lang.NumPy(lang.Array("float32", (3,), (1.0, 2.0, 3.0))),
        lang.Py(2),
        *(lang.NumPy(values.make(first.dtype, shape, values.STYLE["dyadic"], 7)) for shape in _near(first.array.shape)),
    )
    chosen = odd[draw(len(odd))]
    if len(wanted.flat) > 1 and chosen == lang.Py(None):
        chosen = lang.Py(2.0)
    if draw(4) == 3:
        return lang.Items("list", (*right, chosen))
    return lang.Items("list", (chosen, *right[1:]))


def _near(shape: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Shapes that a reshape may make fit: all elements in a row, one axis more; and one that lacks the last axes."""
    return (math.prod(shape),), (1, *shape), shape[:1]


def _unconnected(draw: Digits) -> lang.Operand | None:
    how = draw(12)
    if how < 7:
        return None
    return (
        lang.Py("zero"),
        lang.Marker("UnconnectedGradients.ZERO"),
        lang.Py("none"),
        lang.Py("zero"),
        (lang.Py("ZERO"), lang.Py(None), lang.Py("bad"), lang.Marker("UnconnectedGradients.NONE"))[draw(4)],
    )[how - 7]
