"""Change programs and keep them whole: drop steps with all that depends on them, replace operands, edit arrays.

Every function returns a new program whose references point where they did before. `drop(program, {3})` also drops the
steps that cannot do without step 3, but a nest of targets, sources or watched values only loses the member.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from adapters import language as lang
from adapters.references import holding

Change = Callable[[lang.Ref], lang.Operand | None]

# Steps of which a nest may lose members; the fields that hold it.
_LOSSY = {
    lang.Gradient: ("target", "sources"),
    lang.Watch: ("tensor",),
    lang.MakeAccumulator: (),
    lang.Jacobian: ("sources",),
    lang.Jvp: ("primals",),
}


class Gone(Exception):
    """A reference leads to what is dropped."""


def change_refs(part: Any, change: Change, up: int = 0) -> Any:
    """`part` (step, operand or tuple of them) with each reference to the scope `up` levels out changed.

    `change` sees the reference as the outer scope would write it; where it answers None, `Gone` is raised.
    """
    match part:
        case lang.Ref():
            return _changed(part, change, up)
        case lang.Function():
            steps = tuple(change_refs(step, change, up + 1) for step in part.steps)
            return replace(part, steps=steps, returns=change_refs(part.returns, change, up + 1))
        case lang.InThread():
            return replace(part, steps=tuple(change_refs(step, change, up + 1) for step in part.steps))
        case tuple():
            return tuple(change_refs(one, change, up) for one in part)
        case lang.Items():
            return replace(part, items=change_refs(part.items, change, up))
        case str() | None:
            return part
    names = holding(type(part))
    found = {name: change_refs(getattr(part, name), change, up) for name in names}
    return replace(part, **found) if found else part


def _changed(ref: lang.Ref, change: Change, up: int) -> lang.Operand:
    if ref.up != up:
        return ref
    found = change(replace(ref, up=0))
    if found is None:
        raise Gone
    return lift(found, up)


def lift(operand: lang.Operand, up: int) -> lang.Operand:
    """An operand of one scope as it is written `up` scopes further in."""
    return replace(operand, up=operand.up + up) if isinstance(operand, lang.Ref) else operand


def drop(program: lang.Program, dropped: Iterable[int], instead: dict[int, lang.Operand] | None = None) -> lang.Program:
    """The program without some steps; `instead` gives operands that take the place of a dropped step's value."""
    return lang.Program(drop_steps(program.steps, set(dropped), instead or {}))


def drop_steps(
    steps: Sequence[lang.Step], dropped: set[int], instead: dict[int, lang.Operand]
) -> tuple[lang.Step, ...]:
    """As `drop`, for the steps of any scope."""
    places: dict[int, int] = {}
    kept: list[lang.Step] = []

    def change(ref: lang.Ref) -> lang.Operand | None:
        if ref.step in places:
            return replace(ref, step=places[ref.step])
        found = instead.get(ref.step)
        if found is None or (ref.part is not None and isinstance(found, lang.Ref)):
            return None
        return change(found) if isinstance(found, lang.Ref) else found

    for at, step in enumerate(steps):
        if at in dropped:
            continue
        changed = _surviving(step, change)
        if changed is not None:
            places[at] = len(kept)
            kept.append(changed)
    return tuple(kept)


def _surviving(step: lang.Step, change: Change) -> lang.Step | None:
    try:
        return change_refs(step, change)
    except Gone:
        pass
    shorter = _without_lost_members(step, change)
    try:
        return None if shorter is None else change_refs(shorter, change)
    except Gone:
        return None


def _without_lost_members(step: lang.Step, change: Change) -> lang.Step | None:
    """A gradient or watch whose nests lose the members that are gone (and the output gradients that go with them)."""
    names = _LOSSY.get(type(step))
    if not names:
        return None
    found: lang.Step = step
    for name in names:
        nest = getattr(step, name)
        if not isinstance(nest, lang.Items):
            continue
        keep = [at for at, item in enumerate(nest.items) if _there(item, change)]
        if not keep:
            return None
        found = keep_members(found, name, keep)
    return found


def _there(item: lang.Operand, change: Change) -> bool:
    try:
        change_refs(item, change)
    except Gone:
        return False
    return True


def keep_members(step: Any, name: str, keep: Sequence[int]) -> Any:
    """A step whose nest `name` keeps some members; output gradients of dropped targets go too."""
    nest = getattr(step, name)
    changes: dict[str, Any] = {name: _members(nest, keep)}
    given = getattr(step, "output_gradients", None)
    if name == "target" and isinstance(given, lang.Items) and len(given.items) >= len(nest.items):
        surplus = range(len(nest.items), len(given.items))
        changes["output_gradients"] = _members(given, [*keep, *surplus])
    return replace(step, **changes)


def _members(nest: lang.Items, keep: Sequence[int]) -> lang.Items:
    keys = tuple(nest.keys[at] for at in keep) if nest.keys else ()
    return lang.Items(nest.kind, tuple(nest.items[at] for at in keep), keys)


def with_step(program: lang.Program, at: int, step: lang.Step) -> lang.Program:
    """The program with one step replaced."""
    return lang.Program((*program.steps[:at], step, *program.steps[at + 1 :]))


def arrays_in(part: Any) -> Iterator[lang.Array]:
    """The arrays among the steps and operands of a program or a part of one."""
    match part:
        case lang.Array():
            yield part
        case lang.Program():
            yield from arrays_in(part.steps)
        case tuple():
            for one in part:
                yield from arrays_in(one)
        case lang.Constant() | lang.NumPy():
            yield part.array
        case lang.InThread():
            yield from arrays_in(part.steps)
        case lang.Items():
            yield from arrays_in(part.items)
        case lang.Function():
            yield from arrays_in((part.steps, part.returns))
        case _:
            for name in holding(type(part)):
                yield from arrays_in(getattr(part, name))


def change_arrays(part: Any, change: Callable[[lang.Array], lang.Array]) -> Any:
    """A program (or part of one) with each array changed."""
    match part:
        case lang.Program():
            return lang.Program(change_arrays(part.steps, change))
        case lang.Constant() | lang.NumPy():
            return replace(part, array=change(part.array))
        case tuple():
            return tuple(change_arrays(one, change) for one in part)
        case lang.InThread():
            return replace(part, steps=change_arrays(part.steps, change))
        case lang.Items():
            return replace(part, items=change_arrays(part.items, change))
        case lang.Function():
            return replace(part, steps=change_arrays(part.steps, change), returns=change_arrays(part.returns, change))
        case str() | None:
            return part
    found = {name: change_arrays(getattr(part, name), change) for name in holding(type(part))}
    return replace(part, **found) if found else part
