"""Moves that cost TensorFlow 20 to 130 milliseconds each: jacobians and forward mode. Campaigns give them quotas.

A jacobian choice reads (_, tape, target, sources, options, seed); a forward one (_, first row, value, second row,
attributes, seed).
"""

from __future__ import annotations

import numpy as np

from adapters import language as lang
from conformance.generating.moves import calls, settings, values
from conformance.generating.moves.asking import (
    Nested,
    all_sources,
    answering,
    bare,
    end_recording,
    gradient,
    latest,
    nest,
)
from conformance.generating.moves.draft import Choice, Draft, Tape, Value
from conformance.generating.moves.tapes import leaf_values, open_tape
from conformance.optable import TABLE, position
from conformance.optables.row import Digits


def jacobian(draft: Draft, choice: Choice) -> None:
    """Ask a tape for a jacobian or a batch jacobian; where none can answer, open one.

    A gradient in its place where a list of tensors was scattered or split, or where a function branches:
    TensorFlow 2.21 cannot vectorize the former, nor the latter for a persistent tape. So it is after ops whose rows say
    that they are not drawn in jacobians.
    """
    _, which, target, sources, options, seed = choice
    if draft.unvectorized:
        gradient(draft, choice)
        return
    found = answering(draft, which)
    wanted = latest(found, target % 3) if found else None
    if found is None or wanted is None or (found.consumed and which % 4):
        _something_to_ask(draft, persistent=which % 2 == 1, seed=seed)
        return
    draw = Digits(options)
    asked = _sources(found, wanted, sources)
    batch = _fits_a_batch(wanted, asked) and draw(2) == 1
    ref = draft.add(
        lang.Jacobian(
            found.ref,
            wanted.ref,
            asked.operand,
            batch,
            unconnected_gradients=(None, None, None, lang.Py("zero"))[draw(4)],
            experimental_use_pfor=(None, None, None, lang.Py(False))[draw(4)],
        )
    )
    found.asked += 1
    draft.asked_gradient = True
    end_recording(found)
    if len(asked.flat) == 1 and not batch and asked.flat[0] in wanted.upstream:
        source = asked.flat[0]
        made = np.ones((*wanted.array.shape, *source.array.shape))
        if made.size <= calls.LARGEST:
            draft.keep(Value(ref, source.dtype, made))


def _something_to_ask(draft: Draft, persistent: bool, seed: int) -> None:
    """A new tape that has seen a square: the next jacobian asks it."""
    opened = open_tape(draft, persistent)
    leaves = leaf_values(draft)[-2:] or [draft.constant(values.make("float32", (2,), 0, seed))]
    for value in leaves:
        draft.watch(opened, value)
    calls.op(draft, (0, position("math.square"), 0, 0, 0, 0))


def _sources(found: Tape, wanted: Value, number: int) -> Nested:
    known = [one for one in found.sources if one in wanted.upstream] or found.sources or [wanted]
    draw = Digits(number)
    match draw(4):
        case 2:
            return all_sources(known[-2:])
        case 3:
            return nest("list", (known[-1], found.sources[0] if found.sources else wanted))
    return bare(known[-1 - draw(3) % len(known)])


def _fits_a_batch(wanted: Value, asked: Nested) -> bool:
    if not isinstance(asked.operand, lang.Ref):
        return False
    target, source = wanted.array.shape, asked.flat[0].array.shape
    return len(target) > 1 and len(source) > 1 and target[0] == source[0] > 0


def forward(draft: Draft, choice: Choice) -> None:
    """A forward accumulator around one or two ops, asked for the jvp of what they made."""
    _, first, which, second, detail, seed = choice
    if TABLE[first % len(TABLE)].setting is not None:
        _forward_of_setting(draft, choice)
        return
    fits = [one for one in draft.alive if one.floating and one.array.size and not one.variable]
    x = fits[-1 - which % len(fits)] if fits else draft.constant(values.make("float32", (2,), 0, seed))
    tangent = values.make(x.dtype, x.array.shape, values.STYLE["dyadic"], seed)
    draw = Digits(detail)
    given = lang.NumPy(tangent) if draw(3) == 2 else draft.constant(tangent).ref
    draft.alive.remove(x)
    draft.keep(x)  # the nearest operand for the ops that follow
    accumulator = draft.add(lang.MakeAccumulator(x.ref, given))
    draft.add(lang.Enter(accumulator))
    made = calls.op(draft, (0, first, 0, second, draw(64), seed & ~15)) or [x]
    if draw(2):
        made = calls.op(draft, (0, second, 0, first, draw(64), seed & ~15)) or made
    draft.add(lang.Exit(accumulator, raising=draw(8) == 7))
    zero = lang.Py("zero") if draw(4) == 3 else None
    asked: lang.Operand = made[-1].ref if draw(3) else lang.Items("list", (made[-1].ref, x.ref))
    draft.add(lang.Jvp(accumulator, asked, zero))


def _forward_of_setting(draft: Draft, choice: Choice) -> None:
    """An accumulator over an operand of an op that has a setting."""
    _, first, which, second, detail, seed = choice
    row = TABLE[first % len(TABLE)]
    prepared = settings.prepare(draft, row, (0, first, which, second, detail, seed & ~15))
    primals = [one for one in prepared.floats if one.array.size and not one.variable]
    if not primals or "forward_mode" in row.unasked:
        settings.commit(draft, prepared)
        return
    x = primals[which % len(primals)]
    tangent = draft.constant(values.make(x.dtype, x.array.shape, values.STYLE["dyadic"], seed))
    accumulator = draft.add(lang.MakeAccumulator(x.ref, tangent.ref))
    draft.add(lang.Enter(accumulator))
    made = settings.commit(draft, prepared) or [x]
    draft.add(lang.Exit(accumulator))
    draft.add(lang.Jvp(accumulator, made[which // 2 % len(made)].ref))
