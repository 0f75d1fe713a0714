"""The move that runs steps in another thread: which tapes record is a matter of each thread.

A choice reads (_, kind, tape, value, row, seed). Inside the thread, the program's values are one scope outward.
"""

from __future__ import annotations

from collections.abc import Callable

from adapters import language as lang
from conformance.generating.moves import tapes, values
from conformance.generating.moves.asking import latest
from conformance.generating.moves.draft import Draft, Tape, Value
from conformance.optable import row

_OPS = ("math.square", "math.exp", "math.sin", "operator.neg")


def thread(draft: Draft, choice: tuple[int, ...]) -> None:
    """Run an op, a watch, a gradient, or a whole tape in another thread."""
    _, kind, which, value, detail, seed = choice
    floats = [one for one in draft.alive if one.floating] or [draft.constant(values.make("float32", (), 0, seed))]
    one = floats[-1 - value % len(floats)]
    found = tapes.pick(draft, which, [tape for tape in draft.tapes if tape.entered]) or tapes.open_tape(draft)
    KINDS[kind % len(KINDS)](draft, found, one, detail)


def _out(ref: lang.Ref) -> lang.Ref:
    return lang.Ref(ref.step, ref.part, ref.up + 1)


def _square(operand: lang.Operand, detail: int) -> lang.Call:
    name = _OPS[detail % len(_OPS)]
    return lang.Call(name, (operand,))


def _own_tape(draft: Draft, found: Tape, one: Value, detail: int) -> None:
    """A tape of the thread's own, beside the tapes of the main thread."""
    x = _out(one.ref)
    draft.add(
        lang.InThread(
            (
                lang.MakeTape(),
                lang.Enter(lang.Ref(0)),
                lang.Watch(lang.Ref(0), x),
                _square(x, detail),
                lang.Exit(lang.Ref(0)),
                lang.Gradient(lang.Ref(0), lang.Ref(3), x),
            )
        )
    )


def _op(draft: Draft, found: Tape, one: Value, detail: int) -> None:
    """An op of the thread is recorded by no tape of ours; its result is used afterwards."""
    ref = draft.add(lang.InThread((_square(_out(one.ref), detail),)))
    made = row(_OPS[detail % len(_OPS)]).forward(one.array)
    draft.keep(Value(lang.Ref(ref.step, 0), one.dtype, made))


def _watch(draft: Draft, found: Tape, one: Value, detail: int) -> None:
    """A watch in a thread where no tape is active is dropped; with one of the thread's own active it holds."""
    steps: tuple[lang.Step, ...] = (lang.Watch(_out(found.ref), _out(one.ref)),)
    if detail % 2:
        steps = (lang.MakeTape(), lang.Enter(lang.Ref(0)), *steps, lang.Exit(lang.Ref(0)))
    draft.add(lang.InThread(steps))


def _gradient(draft: Draft, found: Tape, one: Value, detail: int) -> None:
    """Ask a tape of the main thread from another one.

    Not while a tape that is not persistent records here: TensorFlow 2.21 frees it there and its process dies here.
    """
    if found.active and not found.persistent:
        tapes.close(draft, found)
    target = latest(found) or one
    source = found.sources[-1] if found.sources else one
    draft.add(lang.InThread((lang.Gradient(_out(found.ref), _out(target.ref), _out(source.ref)),)))
    found.asked += 1
    draft.asked_gradient = True


def _enter_there(draft: Draft, found: Tape, one: Value, detail: int) -> None:
    """Enter a new tape in the other thread; it records there alone."""
    made = tapes.open_tape(draft, persistent=bool(detail % 2), enter=False)
    tape, x = _out(made.ref), _out(one.ref)
    steps = (lang.Enter(tape), lang.Watch(tape, x), _square(x, detail // 2), lang.Exit(tape))
    ref = draft.add(lang.InThread(steps))
    draft.add(lang.Gradient(made.ref, lang.Ref(ref.step, 2), one.ref))
    made.entered = True
    made.asked += 1
    draft.asked_gradient = True


KINDS: tuple[Callable[[Draft, Tape, Value, int], None], ...] = (_own_tape, _op, _watch, _gradient, _enter_there)
