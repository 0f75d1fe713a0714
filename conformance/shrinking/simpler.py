"""Ways to make a program simpler: each pass lists candidates.

A shrinker takes a candidate when it still fails and weighs less (`weight.weight`), so passes may propose freely and
always end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from adapters import language as lang
from adapters.references import holding
from conformance.shrinking.rewrite import (
    arrays_in,
    change_arrays,
    change_refs,
    drop,
    drop_steps,
    keep_members,
    with_step,
)
from conformance.shrinking.weight import PLAIN_VALUES, all_refs, plainness

Pass = Callable[[lang.Program], Iterator[lang.Program]]

# ---------------------------------------------------------------- fewer steps


def without_blocks(program: lang.Program) -> Iterator[lang.Program]:
    """Halves, quarters ... of the steps dropped, the end first."""
    count = len(program.steps)
    size = count // 2
    while size > 1:
        for start in range(count - size, -1, -size):
            yield drop(program, range(start, start + size))
        size //= 2


def without_a_step(program: lang.Program) -> Iterator[lang.Program]:
    """Each step dropped with what needs it, the last first. Leaving a block is dropped only with entering it."""
    for at in reversed(range(len(program.steps))):
        step = program.steps[at]
        if isinstance(step, lang.Exit):
            continue
        if isinstance(step, lang.Enter):
            yield drop(program, {at, *_matching_exit(program, at)})
        else:
            yield drop(program, {at})


def _matching_exit(program: lang.Program, at: int) -> set[int]:
    context = program.steps[at].context  # type: ignore[union-attr]
    for later in range(at + 1, len(program.steps)):
        step = program.steps[later]
        if isinstance(step, lang.Exit) and step.context == context:
            return {later}
    return set()


def around_a_call(program: lang.Program) -> Iterator[lang.Program]:
    """Each call dropped, one of its operands standing in for its result."""
    for at in reversed(range(len(program.steps))):
        step = program.steps[at]
        if isinstance(step, (lang.Call, lang.Invoke)):
            for operand in dict.fromkeys(all_refs(step.args)):
                yield drop(program, {at}, {at: operand})


def one_tape_for_two(program: lang.Program) -> Iterator[lang.Program]:
    """One tape does what two did."""
    tapes = [at for at, step in enumerate(program.steps) if isinstance(step, lang.MakeTape)]
    for early, late in ((early, late) for early in tapes for late in tapes if early < late):
        own = {
            at
            for at, step in enumerate(program.steps)
            if isinstance(step, (lang.Enter, lang.Exit)) and step.context == lang.Ref(late)
        }
        yield drop(program, {late, *own}, {late: lang.Ref(early)})


def threads_inline(program: lang.Program) -> Iterator[lang.Program]:
    """The steps of a thread run in the program's own thread, or fewer of them."""
    for at, step in enumerate(program.steps):
        if not isinstance(step, lang.InThread):
            continue
        yield _inlined(program, at, step)
        for inner in reversed(range(len(step.steps))):
            if not any(
                ref.part is not None for later in program.steps[at:] for ref in _all_refs_of(later) if ref.step == at
            ):
                yield with_step(program, at, lang.InThread(drop_steps(step.steps, {inner}, {})))


def _all_refs_of(step: Any) -> list[lang.Ref]:
    return [ref for name in holding(type(step)) for ref in all_refs(getattr(step, name))]


def _inlined(program: lang.Program, at: int, thread: lang.InThread) -> lang.Program:
    extra = len(thread.steps) - 1

    def inner(ref: lang.Ref) -> lang.Operand:
        return replace(ref, step=ref.step + at)

    def outer(ref: lang.Ref) -> lang.Operand:
        if ref.step == at and ref.part is not None:
            return lang.Ref(at + ref.part)
        return replace(ref, step=ref.step + extra) if ref.step > at else ref

    hoisted = tuple(_lowered(change_refs(step, inner), 1) for step in thread.steps)
    after = tuple(change_refs(step, outer) for step in program.steps[at + 1 :])
    return lang.Program((*program.steps[:at], *hoisted, *after))


def _lowered(part: Any, up: int) -> Any:
    match part:
        case lang.Ref():
            return replace(part, up=part.up - 1) if part.up >= up else part
        case tuple():
            return tuple(_lowered(one, up) for one in part)
        case lang.Function():
            return replace(part, steps=_lowered(part.steps, up + 1), returns=_lowered(part.returns, up + 1))
        case lang.InThread():
            return replace(part, steps=_lowered(part.steps, up + 1))
        case lang.Items():
            return replace(part, items=_lowered(part.items, up))
        case str() | None:
            return part
    found = {name: _lowered(getattr(part, name), up) for name in holding(type(part))}
    return replace(part, **found) if found else part


# ---------------------------------------------------------------- smaller steps


def plainer_steps(program: lang.Program) -> Iterator[lang.Program]:
    """Options left out, nests with fewer members or none, tapes and variables of the ordinary kind."""
    for at, step in enumerate(program.steps):
        for plainer in _plainer(step):
            yield with_step(program, at, plainer)


def _plainer(step: Any) -> Iterator[Any]:
    match step:
        case lang.Gradient():
            for name in ("unconnected_gradients", "output_gradients"):
                if getattr(step, name) is not None:
                    yield _left_out(step, name)
            yield from _smaller_nests(step, ("target", "sources"))
        case lang.Jacobian():
            for name in ("unconnected_gradients", "parallel_iterations", "experimental_use_pfor"):
                if getattr(step, name) is not None:
                    yield _left_out(step, name)
            yield from _smaller_nests(step, ("sources",))
        case lang.Watch():
            yield from _smaller_nests(step, ("tensor",))
        case lang.MakeTape():
            yield lang.MakeTape()
            yield replace(step, persistent=lang.Py(False))
            yield replace(step, watch_accessed_variables=lang.Py(True))
        case lang.MakeVariable():
            if isinstance(step.initial, lang.NumPy):
                yield lang.Constant(step.initial.array)
            yield replace(step, trainable=True)
        case lang.Exit() | lang.ResumeRecording():
            yield replace(step, raising=False)
        case lang.Call():
            for name, _ in step.kwargs:
                yield replace(step, kwargs=tuple(pair for pair in step.kwargs if pair[0] != name))
            if len(step.args) == 1 and isinstance(step.args[0], lang.Items):
                yield from (replace(step, args=(items,)) for items in _fewer(step.args[0]))


def _left_out(step: Any, name: str) -> Any:
    return replace(step, **{name: None})


def _smaller_nests(step: Any, names: tuple[str, ...]) -> Iterator[Any]:
    for name in names:
        nest = getattr(step, name)
        if not isinstance(nest, lang.Items):
            continue
        everything = range(len(nest.items))
        for kept in everything:
            single = keep_members(step, name, [kept])
            yield replace(single, **{name: nest.items[kept]})
            yield single
        for lost in everything:
            yield keep_members(step, name, [at for at in everything if at != lost])


def _fewer(items: lang.Items) -> Iterator[lang.Items]:
    if not items.keys and len(items.items) > 1:
        for lost in range(len(items.items)):
            yield replace(items, items=items.items[:lost] + items.items[lost + 1 :])


def given_operands(program: lang.Program) -> Iterator[lang.Program]:
    """Operands replaced by constants and variables of the program."""
    leaves = [at for at, step in enumerate(program.steps) if isinstance(step, (lang.Constant, lang.MakeVariable))]
    for at, step in enumerate(program.steps):
        if not isinstance(step, (lang.Call, lang.Gradient)):
            continue
        for ref in dict.fromkeys(_all_refs_of(step)):
            if ref.step in leaves or isinstance(program.steps[ref.step], lang.MakeTape):
                continue
            for leaf in leaves[:3]:
                if leaf < at:
                    yield with_step(program, at, change_refs(step, _swap(ref, lang.Ref(leaf))))


def _swap(old: lang.Ref, new: lang.Ref) -> Callable[[lang.Ref], lang.Operand]:
    return lambda ref: new if ref == old else ref


def given_first(program: lang.Program) -> Iterator[lang.Program]:
    """Constants and variables moved to the front."""
    front = [at for at, step in enumerate(program.steps) if isinstance(step, lang.Constant)]
    order = front + [at for at in range(len(program.steps)) if at not in set(front)]
    places = {old: new for new, old in enumerate(order)}
    moved = [change_refs(program.steps[at], lambda ref: replace(ref, step=places[ref.step])) for at in order]
    yield lang.Program(tuple(moved))


# ---------------------------------------------------------------- smaller values


def smaller_arrays(program: lang.Program) -> Iterator[lang.Program]:
    """All arrays in float32, all scalar, all plain; then each by itself; then single values."""
    yield change_arrays(program, lambda array: in_dtype(array, "float32"))
    yield change_arrays(program, _scalar)
    yield change_arrays(program, _counting)
    arrays = list(arrays_in(program))
    for which, array in enumerate(arrays):
        for smaller in (_scalar(array), _first(array), _pair(array), _counting(array), in_dtype(array, "float32")):
            if smaller != array:
                yield _with_array(program, which, smaller)
    for which, array in enumerate(arrays):
        for at, value in enumerate(array.values):
            for plain in PLAIN_VALUES:
                if array.dtype != "bool" and plainness(plain) < plainness(value):
                    yield _with_array(program, which, _with_value(array, at, plain))


def _with_array(program: lang.Program, which: int, array: lang.Array) -> lang.Program:
    counter = iter(range(len(program.steps) * 50))
    return change_arrays(program, lambda old: array if next(counter) == which else old)


def in_dtype(array: lang.Array, dtype: str) -> lang.Array:
    """A floating or complex array in another floating dtype, values kept where they fit."""
    from conformance.generating.moves.values import exact

    if array.dtype in ("bool", "string") or array.dtype.startswith(("int", "uint")) or array.dtype == dtype:
        return array
    return exact(dtype, array.shape, [value.real if isinstance(value, complex) else value for value in array.values])


def _scalar(array: lang.Array) -> lang.Array:
    return lang.Array(array.dtype, (), array.values[:1]) if array.shape and array.values else array


def _first(array: lang.Array) -> lang.Array:
    """The first slice along the first axis."""
    if not array.shape or not array.values:
        return array
    size = len(array.values) // array.shape[0]
    return lang.Array(array.dtype, array.shape[1:], array.values[:size])


def _pair(array: lang.Array) -> lang.Array:
    """The same rank with one element along each axis."""
    return lang.Array(array.dtype, (1,) * len(array.shape), array.values[:1]) if array.values else array


def _counting(array: lang.Array) -> lang.Array:
    if array.dtype == "bool" or array.dtype == "string":
        return array
    make = {"f": float, "b": float, "i": int, "u": int, "c": complex}[array.dtype[0]]
    return lang.Array(array.dtype, array.shape, tuple(make(at + 1) for at in range(len(array.values))))


def _with_value(array: lang.Array, at: int, value: float) -> lang.Array:
    kind = type(array.values[at])
    return replace(array, values=(*array.values[:at], kind(value), *array.values[at + 1 :]))


FEWER_STEPS: tuple[Pass, ...] = (without_blocks, without_a_step, around_a_call, one_tape_for_two, threads_inline)
PASSES: tuple[Pass, ...] = (*FEWER_STEPS, plainer_steps, given_operands, smaller_arrays, given_first)
