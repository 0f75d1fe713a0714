"""Moves that use tapes wrongly, or at the edge of what is meant: each makes one or two steps that may raise.

A choice reads (_, kind, tape, value, detail, seed). Wrong calls in the middle of a program also show that the tape
still works afterwards.
"""

from __future__ import annotations

from collections.abc import Callable

from adapters import language as lang
from conformance.generating.moves import tapes, values
from conformance.generating.moves.asking import all_sources, ask, bare, end_recording, latest, nest, safe_targets
from conformance.generating.moves.draft import Draft, Tape, Value
from conformance.optables.row import Digits

_NOT_TENSORS: tuple[lang.Operand, ...] = (
    lang.Py(None),
    lang.Py(3.0),
    lang.NumPy(lang.Array("float32", (2,), (1.0, 2.0))),
    lang.Py("x"),
    lang.Py(3),
    lang.NumPy(lang.Array("float32", (), (1.0,))),
    lang.Py(True),
)
_BAD_CHOICES: tuple[lang.Operand, ...] = (
    lang.Py("ZERO"),
    lang.Py(None),
    lang.Py("nonsense"),
    lang.Py(0),
    lang.Py(True),
    lang.Py(""),
)


def misuse(draft: Draft, choice: tuple[int, ...]) -> None:
    """One wrong or odd use."""
    _, kind, which, value, detail, seed = choice
    if not draft.alive:
        draft.constant(values.make("float32", (), 0, seed))
    entered = [tape for tape in draft.tapes if tape.entered]
    found = tapes.pick(draft, which, entered) or tapes.open_tape(draft)
    one = draft.alive[-1 - value % len(draft.alive)]
    KINDS[kind % len(KINDS)](draft, found, one, Digits(detail))


def _again(draft: Draft, found: Tape, one: Value, draw: Digits) -> None:
    """Ask twice."""
    target = latest(found, draw(3)) or one
    sources = all_sources(found.sources[-3:] or [one])
    ask(draft, found, bare(target), sources)
    ask(draft, found, bare(latest(found, draw(2)) or one), sources)


def _never_entered(draft: Draft, found: Tape, one: Value, draw: Digits) -> None:
    made = tapes.open_tape(draft, persistent=draw(2) == 1, enter=False)
    _state_calls(made, one)[draw(6)](draft)


def _state_calls(found: Tape, one: Value) -> list[Callable[[Draft], object]]:
    return [
        lambda draft: ask(draft, found, bare(one), bare(one)),
        lambda draft: draft.add(lang.StopRecording(found.ref)),
        lambda draft: draft.add(lang.Reset(found.ref)),
        lambda draft: draft.watch(found, one),
        lambda draft: draft.add(lang.Exit(found.ref)),
        lambda draft: draft.add(lang.WatchedVariables(found.ref)),
    ]


def _out_of_block(draft: Draft, found: Tape, one: Value, draw: Digits) -> None:
    """Stop, reset, watch or exit a tape that was left."""
    left = [tape for tape in draft.tapes if not tape.active and tape.entered]
    target = left[-1] if left else found
    how = 1 + draw(4)
    if target.active and how in (1, 2):
        _reenter_active(draft, target, one, draw)
        return
    _state_calls(target, one)[how](draft)
    if how == 4 and target.active:
        target.active = False


def _reenter_active(draft: Draft, found: Tape, one: Value, draw: Digits) -> None:
    active = [tape for tape in draft.tapes if tape.recording]
    target = active[-1] if active else found
    draft.add(lang.Enter(target.ref))
    target.active, target.ended = True, False


def _watch_wrong(draft: Draft, found: Tape, one: Value, draw: Digits) -> None:
    wrong = _NOT_TENSORS[draw(len(_NOT_TENSORS))]
    forms: tuple[lang.Operand, ...] = (
        wrong,
        lang.Items("list", (one.ref, wrong)),
        lang.Items("list", (wrong, one.ref)),
        lang.Items("dict", (wrong, one.ref), ("b", "a")),
        lang.Items("list", ()),
    )
    how = draw(len(forms))
    draft.add(lang.Watch(found.ref, forms[how]))
    if how in (1, 3):
        draft.mark_watched(found, one)


def _wrong_target(draft: Draft, found: Tape, one: Value, draw: Digits) -> None:
    wrong = _NOT_TENSORS[draw(len(_NOT_TENSORS))]
    target = wrong if draw(2) else lang.Items("list", (one.ref, wrong))
    _ask_raw(draft, found, target, (found.sources[-1] if found.sources else one).ref, None)


def _wrong_source(draft: Draft, found: Tape, one: Value, draw: Digits) -> None:
    wrong = _NOT_TENSORS[draw(len(_NOT_TENSORS))]
    sources = wrong if draw(2) else lang.Items("list", (one.ref, wrong))
    _ask_raw(draft, found, (latest(found) or one).ref, sources, None)


def _wrong_unconnected(draft: Draft, found: Tape, one: Value, draw: Digits) -> None:
    source = found.sources[-1] if found.sources else one
    _ask_raw(draft, found, (latest(found) or one).ref, source.ref, _BAD_CHOICES[draw(len(_BAD_CHOICES))])


def _ask_raw(
    draft: Draft, found: Tape, target: lang.Operand, sources: lang.Operand, option: lang.Operand | None
) -> None:
    """A call that fails: a tape whose block is open stops recording all the same, a consumed one stays consumed."""
    draft.add(lang.Gradient(found.ref, target, sources, None, option))
    end_recording(found)


def _nested_stop(draft: Draft, found: Tape, one: Value, draw: Digits) -> None:
    if not found.recording:
        _out_of_block(draft, found, one, draw)
        return
    found.pauses.append(draft.add(lang.StopRecording(found.ref)))
    draft.add(lang.StopRecording(found.ref))


def _ask_while_stopped(draft: Draft, found: Tape, one: Value, draw: Digits) -> None:
    if not found.recording or not found.products:
        _again(draft, found, one, draw)
        return
    context = draft.add(lang.StopRecording(found.ref))
    ask(draft, found, bare(latest(found) or one), all_sources(found.sources[-3:] or [one]))
    draft.add(lang.ResumeRecording(context, raising=draw(4) == 3))


def _odd_flags(draft: Draft, found: Tape, one: Value, draw: Digits) -> None:
    """A tape made with `persistent=1` or the like; it watches, so that asking it shows something."""
    made = tapes.open_tape(draft, persistent=draw(2) == 0, odd=draw(4))
    if one.floating:
        draft.watch(made, one)


def _integers(draft: Draft, found: Tape, one: Value, draw: Digits) -> None:
    """Watch an integer several times: five warnings, then silence."""
    dtype = ("int32", "int64", "bool")[draw(3)]
    whole = next((value for value in draft.alive if value.dtype == dtype), None)
    whole = whole or draft.constant(values.make(dtype, (), 0, 0))
    for _ in range((1, 1, 6, 7)[draw(4)]):
        draft.add(lang.Watch(found.ref, whole.ref))


def _mixed_dtypes(draft: Draft, found: Tape, one: Value, draw: Digits) -> None:
    """An op whose operands do not go together: the error comes in the forward pass, and the tape goes on."""
    others = [value for value in draft.alive if value.dtype != one.dtype]
    other = others[-1] if others else draft.constant(values.make("int32" if one.floating else "float32", (), 0, 0))
    draft.add(lang.Call(("operator.mul", "operator.add", "math.maximum")[draw(3)], (one.ref, other.ref)))


def _wrong_shapes(draft: Draft, found: Tape, one: Value, draw: Digits) -> None:
    shape = (
        (*one.array.shape[:-1], one.array.shape[-1] + 5) if one.array.ndim and one.array.shape[-1] > 1 else (2, 0, 3)
    )
    other = draft.constant(values.make(one.dtype, shape, 0, 0))
    if one.array.ndim and one.array.shape[-1] > 1:
        draft.add(lang.Call(("operator.mul", "operator.add")[draw(2)], (one.ref, other.ref)))
    else:
        draft.add(lang.Call("reshape", (one.ref, lang.Items("list", (lang.Py(7),)))))


def _wrong_axis(draft: Draft, found: Tape, one: Value, draw: Digits) -> None:
    name = ("reduce_sum", "reduce_max", "reduce_mean")[draw(3)]
    axis = one.array.ndim + draw(2)
    draft.add(lang.Call(name, (one.ref,), (("axis", lang.Py(axis)),)))


def _ask_inside(draft: Draft, found: Tape, one: Value, draw: Digits) -> None:
    """Ask inside the block; a tape that is not persistent stops recording then."""
    if not found.recording:
        _again(draft, found, one, draw)
        return
    target = latest(found, draw(2))
    if target is None:
        return
    ask(draft, found, bare(target), all_sources(found.sources[-2:] or [one]))
    if draw(2):
        draft.watch(found, one)


def _wrong_assign(draft: Draft, found: Tape, one: Value, draw: Digits) -> None:
    variables = [value for value in draft.alive if value.variable and value.dtype != "bool"]
    target = variables[-1] if variables else draft.variable(values.make("float32", (2,), 0, 0))
    dtype = "int32" if draw(2) and target.dtype != "int32" else target.dtype
    shape = (*target.array.shape, 3) if dtype == target.dtype else target.array.shape
    draft.add(lang.Assign(target.ref, lang.NumPy(values.make(dtype, shape, 0, 0)), "assign"))


def _target_is_source(draft: Draft, found: Tape, one: Value, draw: Digits) -> None:
    nested = nest("list", (one, one)) if draw(2) and safe_targets((one, one)) else bare(one)
    ask(draft, found, nested, bare(one))


def _after_the_block(draft: Draft, found: Tape, one: Value, draw: Digits) -> None:
    """An op after the block was left (perhaps by an exception) is not recorded: ask for it."""
    if not found.active or not found.sources:
        _again(draft, found, one, draw)
        return
    tapes.close(draft, found, raising=draw(3) != 2)
    source = found.sources[-1]
    late = draft.add(lang.Call("operator.mul", (source.ref, source.ref)))
    draft.keep(Value(late, source.dtype, source.array * source.array))
    target = lang.Items("list", ((latest(found) or source).ref, late)) if draw(2) else late
    draft.add(lang.Gradient(found.ref, target, source.ref))
    found.asked += 1
    draft.asked_gradient = True


KINDS: tuple[Callable[[Draft, Tape, Value, Digits], None], ...] = (
    _again, _never_entered, _out_of_block, _reenter_active, _watch_wrong, _wrong_target, _wrong_source,
    _wrong_unconnected, _nested_stop, _ask_while_stopped, _odd_flags, _integers, _mixed_dtypes, _wrong_shapes,
    _wrong_axis, _ask_inside, _wrong_assign, _target_is_source, _integers, _integers, _integers,
    _after_the_block,
)  # fmt: skip
