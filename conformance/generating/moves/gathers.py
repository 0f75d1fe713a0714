"""The move that gathers rows of one value several times: its gradient is IndexedSlices, whose order shows the walk.

A choice reads (_, how many, value, how they are joined, indices, seed).
"""

from __future__ import annotations

from conformance.generating.moves import calls, values
from conformance.generating.moves.calls import Plan
from conformance.generating.moves.draft import Choice, Draft, Value
from conformance.generating.moves.tapes import tape
from conformance.optable import row
from conformance.optables.row import Digits

_JOINS = ("operator.add", "operator.mul", "operator.sub", "add_n")


def gathers(draft: Draft, choice: Choice) -> None:
    """Two or three gathers of equal length, each perhaps weighed, and then joined."""
    _, count, which, how, indices, seed = choice
    if not draft.tapes:
        tape(draft, (0, 0, 0, 0, 0, 0))
    x = _gathered(draft, which, seed)
    draw, joins = Digits(indices), Digits(how)
    length = 1 + draw(2)
    parts = [
        _part(draft, x, [draw(x.array.shape[0]) for _ in range(length)], joins, seed + at)
        for at in range(2 + count % 2)
    ]
    joined = parts[0]
    name = _JOINS[joins(len(_JOINS))]
    if name == "add_n":
        calls.commit(draft, Plan(row(name), tuple(parts), {}, sum(part.array for part in parts)))
        return
    for part in parts[1:]:
        forward = row(name).forward
        (joined,) = calls.commit(draft, Plan(row(name), (joined, part), {}, forward(joined.array, part.array)))


def _gathered(draft: Draft, which: int, seed: int) -> Value:
    fits = [
        one
        for one in draft.alive
        if one.floating and one.leaf and one.array.ndim and one.array.shape[0] and bool((abs(one.array) < 30).all())
    ]
    if fits:
        return fits[-1 - which % len(fits)]
    fresh = draft.constant(values.make("float32", (3,), values.STYLE["dyadic"], seed))
    current = draft.current()
    if current is not None:
        draft.watch(current, fresh)
    return fresh


def _part(draft: Draft, x: Value, rows: list[int], joins: Digits, seed: int) -> Value:
    (part,) = calls.commit(draft, Plan(row("gather"), (x,), {"indices": rows}, x.array[rows]))
    if joins(2) and x.dtype != "bool":
        scale = draft.constant(values.make(x.dtype, (), values.STYLE["positive dyadic"], seed))
        (part,) = calls.commit(draft, Plan(row("operator.mul"), (part, scale), {}, part.array * scale.array))
    return part
