"""Moves in the life of tapes: make and enter, leave, re-enter, watch, stop and resume, reset, look at variables."""

from __future__ import annotations

from adapters import language as lang
from conformance.generating.moves import values
from conformance.generating.moves.draft import Choice, Draft, Tape, Value
from conformance.optable import row
from conformance.optables.row import Digits

_ODD_FLAGS: tuple[tuple[lang.Operand, bool], ...] = (  # with what each counts as
    (lang.Py(1), True),
    (lang.NumPy(lang.Array("bool", (), (True,))), True),
    (lang.Py(0), False),
    (lang.Py(None), False),
)


def tape(draft: Draft, choice: Choice) -> None:
    """One to three nested tapes: (_, how many, settings, what they watch, which leaves, oddities)."""
    _, count, settings, watching, which, _ = choice
    leaves = leaf_values(draft)
    if not leaves:
        leaves = [draft.constant(values.make("float32", (), 0, 0))]
    draw, flags = Digits(watching), Digits(settings)
    for _ in range(1 + count % 3):
        made = open_tape(draft, persistent=flags(3) == 1, accessed=flags(5) != 4)
        _watch_leaves(draft, made, leaves, draw(6), which)


def open_tape(
    draft: Draft, persistent: bool = False, accessed: bool = True, odd: int | None = None, enter: bool = True
) -> Tape:
    """Make a tape and enter it. `odd` picks a `persistent` argument that is no Python bool, in place of it."""
    flag: lang.Operand = lang.Py(persistent)
    if odd is not None:
        flag, persistent = _ODD_FLAGS[odd % len(_ODD_FLAGS)]
    ref = draft.add(lang.MakeTape(flag, lang.Py(accessed)))
    made = Tape(len(draft.tapes), ref, persistent, accessed)
    draft.tapes.append(made)
    if enter:
        draft.add(lang.Enter(ref))
        made.entered = made.active = True
    return made


def leaf_values(draft: Draft) -> list[Value]:
    """Floating constants and variables alive."""
    return [value for value in draft.alive if value.leaf and value.floating]


def _watch_leaves(draft: Draft, made: Tape, leaves: list[Value], how: int, which: int) -> None:
    too = not made.accessed and how in (1, 4)  # variables that the tape will not notice are watched now and then
    constants = [value for value in leaves if not value.variable or too]
    if not constants or how == 5:
        return
    if how in (0, 1) or len(constants) == 1:
        for value in constants[-4:]:
            draft.watch(made, value)
    elif how == 2:
        _watch_nest(draft, made, constants[-3:], which)
    else:
        draft.watch(made, constants[-1 - which % len(constants)])


def _watch_nest(draft: Draft, made: Tape, chosen: list[Value], which: int) -> None:
    kind = ("list", "tuple", "dict")[which % 3]
    keys = tuple("abcdefgh"[: len(chosen)]) if kind == "dict" else ()
    draft.add(lang.Watch(made.ref, lang.Items(kind, tuple(value.ref for value in chosen), keys)))
    for value in chosen:
        draft.mark_watched(made, value)


def watch(draft: Draft, choice: Choice) -> None:
    """Watch a value, perhaps late, perhaps again, perhaps one that is no float: (_, tape, value, how, ...)."""
    found = pick(draft, choice[1], [one for one in draft.tapes if one.active] or draft.tapes)
    if found is None or not draft.alive:
        tape(draft, (0, 0, 0, 0, 0, 0))
        return
    how = choice[3] % 6
    floats = [value for value in draft.alive if value.floating]
    strangers = [value for value in floats if found.number not in value.known and not value.variable]
    fits = (strangers if how < 2 else floats if how < 5 else []) or draft.alive
    chosen = fits[-1 - choice[2] % len(fits)]
    if how == 4 and found.products:
        chosen = _used_before_watched(draft, found, choice)
    draft.watch(found, chosen)


def _used_before_watched(draft: Draft, found: Tape, choice: Choice) -> Value:
    """A constant that multiplies something known, and is watched only then: the watch counts all the same."""
    known = found.products[-1]
    late = draft.constant(values.make(known.dtype, (), values.STYLE["positive dyadic"], choice[4]))
    draft.call(row("operator.mul"), (known, late), {}, known.array * late.array)
    return late


def leave(draft: Draft, choice: Choice) -> None:
    """Leave a block: mostly the innermost; one time in eight because an exception passes through."""
    active = [one for one in draft.tapes if one.active]
    if not active:
        tape(draft, (0, choice[1], choice[2], choice[3], 0, 0))
        return
    found = active[-1] if choice[1] % 4 < 3 else active[-1 - choice[2] % len(active)]
    close(draft, found, raising=choice[3] % 8 == 7)


def close(draft: Draft, found: Tape, raising: bool = False) -> None:
    """Resume recording where it was stopped, then leave the tape's block."""
    while found.pauses:
        draft.add(lang.ResumeRecording(found.pauses.pop()))
    draft.add(lang.Exit(found.ref, raising))
    found.active = found.ended = False


def reenter(draft: Draft, choice: Choice) -> None:
    """Enter a tape again that was left; a consumed one starts anew."""
    left = [one for one in draft.tapes if not one.active]
    found = pick(draft, choice[1], left)
    if found is None:
        leave(draft, (0, 0, 0, 0, 0, 0))
        return
    draft.add(lang.Enter(found.ref))
    if found.consumed:
        forget(draft, found)
        found.asked = 0
    found.entered = found.active = True
    found.ended = False
    leaves = [value for value in leaf_values(draft) if not value.variable]
    if leaves and not found.sources and choice[3] % 4:
        draft.watch(found, leaves[-1 - choice[2] % len(leaves)])


def stop(draft: Draft, choice: Choice) -> None:
    """Stop recording on a tape, or resume where it is stopped."""
    stopped = [one for one in draft.tapes if one.pauses and one.active]
    if stopped and choice[2] % 4:
        found = stopped[-1 - choice[1] % len(stopped)]
        draft.add(lang.ResumeRecording(found.pauses.pop()))
        return
    active = [one for one in draft.tapes if one.recording]
    if not active:
        tape(draft, (0, choice[1], choice[2], 0, 0, 0))
        return
    found = active[-1 - choice[1] % len(active)]
    found.pauses.append(draft.add(lang.StopRecording(found.ref)))


def reset(draft: Draft, choice: Choice) -> None:
    """Reset a tape that is recording; two times in three something is watched again."""
    active = [one for one in draft.tapes if one.recording]
    if not active:
        tape(draft, (0, choice[1], choice[2], 0, 0, 0))
        return
    found = active[-1 - choice[1] % len(active)]
    draft.add(lang.Reset(found.ref))
    forget(draft, found)
    leaves = leaf_values(draft)
    if leaves and choice[3] % 3:
        draft.watch(found, leaves[-1 - choice[2] % len(leaves)])


def forget(draft: Draft, found: Tape) -> None:
    """The tape's trace and watches are gone."""
    for value in draft.alive:
        value.known.discard(found.number)
        value.bent.discard(found.number)
    found.sources.clear()
    found.products.clear()


def watched_variables(draft: Draft, choice: Choice) -> None:
    """Ask a tape which variables it watched; mostly some are read just before, the last made first."""
    found = pick(draft, choice[1], draft.tapes)
    if found is None:
        tape(draft, (0, 0, 0, 0, 0, 0))
        return
    if found.recording and choice[2] % 3:
        made = [value for value in draft.alive if value.variable and value.floating][-2:]
        while len(made) < 2:
            made.append(draft.variable(values.make("float32", (), 0, 0), trainable=choice[3] % 4 != 3))
        for value in reversed(made):
            draft.call(row("identity"), (value,), {}, value.array)
    draft.add(lang.WatchedVariables(found.ref))


def pick(draft: Draft, which: int, among: list[Tape]) -> Tape | None:
    """The `which`-th tape back among some, or None."""
    return among[-1 - which % len(among)] if among else None
