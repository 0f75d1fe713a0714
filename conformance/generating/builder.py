"""Turn a list of independent choices into a program: `build(choices)`.

Each choice is six small integers; the first picks a move, the others say how. Operands are "the k-th value back among
those that fit", everything modulo what is there, so every list of choices is a program, and so is every list with some
choices removed or made smaller. What the choices leave open is wrapped up: blocks are closed from the inside out, and
a tape that was never asked is asked for a gradient, so no program is empty of meaning.

`build` is pure: the same choices give the same program.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from adapters.language import Program
from conformance.generating.moves import (
    asking,
    calls,
    costly,
    functions,
    gathers,
    leaves,
    misuse,
    tapes,
    threads,
    traced,
    values,
)
from conformance.generating.moves.draft import Choice, Draft, Tape
from conformance.optable import row
from conformance.optables.row import CALM

Move = Callable[[Draft, Choice], object]

MOVES: tuple[tuple[str, Move], ...] = (
    ("op", calls.op),
    ("constant", leaves.constant),
    ("variable", leaves.variable),
    ("tape", tapes.tape),
    ("gradient", asking.gradient),
    ("leave", tapes.leave),
    ("watch", tapes.watch),
    ("reenter", tapes.reenter),
    ("stop", tapes.stop),
    ("reset", tapes.reset),
    ("assign", leaves.assign),
    ("read", leaves.read),
    ("look", leaves.look),
    ("watched_variables", tapes.watched_variables),
    ("misuse", misuse.misuse),
    ("thread", threads.thread),
    ("gathers", gathers.gathers),
    ("custom_gradient", functions.custom_gradient),
    ("custom_of_two", functions.custom_of_two),
    ("custom_with_variable", functions.custom_with_variable),
    ("recomputed", functions.recomputed),
    ("function", functions.function),
    ("jacobian", costly.jacobian),
    ("forward", costly.forward),
    ("traced", traced.traced),
)
NUMBER = {name: at for at, (name, _) in enumerate(MOVES)}


def build(choices: Sequence[Choice]) -> Program:
    """The program that the choices describe. Any sequence of 6-tuples of non-negative integers is fine."""
    draft = Draft()
    with np.errstate(all="ignore"):
        for choice in choices:
            _apply(draft, choice)
        _wrap_up(draft)
    return Program(tuple(draft.steps))


def _apply(draft: Draft, choice: Choice) -> None:
    name, move = MOVES[choice[0] % len(MOVES)]
    if name == "op" and not draft.tapes:
        _start(draft)
    move(draft, choice)


def _start(draft: Draft) -> None:
    """An op before any tape would be lost on all of them: open one that watches what there is."""
    if not tapes.leaf_values(draft):
        draft.constant(values.make("float32", (), 0, 0))
    tapes.tape(draft, (0, 0, 0, 0, 0, 0))


def _wrap_up(draft: Draft) -> None:
    """Close what is open, from the inside out, and ask what was not asked."""
    if not draft.tapes:
        _apply(draft, (NUMBER["op"], 0, 0, 0, 0, 0))
    for tape in [one for one in reversed(draft.tapes) if one.active]:
        tapes.close(draft, tape)
        _ask_last(draft, tape)
    for tape in draft.tapes:
        _ask_last(draft, tape)
    if not draft.asked_gradient:
        _something_to_ask(draft)


def _ask_last(draft: Draft, tape: Tape) -> None:
    target = asking.latest(tape)
    if tape.asked or target is None or not tape.sources:
        return
    strangers = [value for value in tapes.leaf_values(draft) if value not in tape.sources and value in target.upstream]
    asking.ask(draft, tape, asking.bare(target), asking.all_sources(tape.sources[-4:] + strangers[-1:]))


def _something_to_ask(draft: Draft) -> None:
    """Tapes that saw nothing: one more sees a product, and is asked."""
    calm = [value for value in tapes.leaf_values(draft) if value.array.size and CALM.holds(value.array)]
    value = calm[-1] if calm else draft.constant(values.make("float32", (), 0, 0))
    tape = tapes.open_tape(draft)
    draft.watch(tape, value)
    calls.commit(draft, calls.Plan(row("operator.mul"), (value, value), {}, value.array * value.array))
    tapes.close(draft, tape)
    _ask_last(draft, tape)
