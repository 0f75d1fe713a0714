"""Reading one call of a program: its attributes, and the arrays that its operands are.

`attributes_of(row, call)` gives the plain values among what a call takes; `operands_of(program, at, want)` the arrays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from adapters import language as lang
from adapters.observations import Done, Nest, Observation, Outcome, RaggedTensor, SparseSlices, Tensor
from adapters.references import needs
from conformance.optables.row import Row

_ANSWERS = (Tensor, Nest, SparseSlices, RaggedTensor, Done)


def answered(seen: Observation) -> bool:
    """Whether a call gave a value."""
    return isinstance(seen.outcome, _ANSWERS)


def attributes_of(row: Row, call: lang.Call) -> Iterator[tuple[str, lang.Operand]]:
    """The attributes of a call by name; those that a setting passes by position are called `#0`, `#1` ..."""
    operands = 0 if row.setting is not None else 1 if row.operands[0] == "list" else len(row.operands)
    for at, operand in enumerate(call.args[operands:]):
        name = row.positional[at] if row.setting is None and at < len(row.positional) else f"#{operands + at}"
        if _plain(operand):
            yield name, operand
    yield from ((name, operand) for name, operand in call.kwargs if _plain(operand))


def _plain(operand: lang.Operand) -> bool:
    match operand:
        case lang.Items(items=items):
            return all(map(_plain, items))
        case lang.Slice(start, stop, step):
            return all(map(_plain, (start, stop, step)))
    return isinstance(operand, lang.Py | lang.DTypeName | lang.Marker)


def kind_of(operand: lang.Operand) -> str:
    """`a number`, `a list`, `a tuple`, `a slice`; the text of anything else, of which there are never many."""
    match operand:
        case lang.Py(value) if isinstance(value, int | float | complex) and not isinstance(value, bool):
            return "a number"
        case lang.Items(kind):
            return f"a {kind}"
        case lang.Slice():
            return "a slice"
    return spelled(operand)


def spelled(operand: lang.Operand) -> str:
    """An attribute's value as text."""
    match operand:
        case lang.Py(value):
            return repr(value)
        case lang.DTypeName(name) | lang.Marker(name):
            return name
        case lang.Items(kind, items):
            inner = ", ".join(map(spelled, items))
            return f"({inner})" if kind == "tuple" else f"[{inner}]"
        case lang.Slice(start, stop, step):
            return ":".join("" if one == lang.Py(None) else spelled(one) for one in (start, stop, step))
    raise TypeError(f"{operand!r} is no attribute")


def operands_of(program: lang.Program, at: int, want: Sequence[Observation] | None) -> list[lang.Array]:
    """The arrays that the call at a step takes, as far as they are known.

    What a reference stands for is known of constants and, where there are answers, of everything that was answered by
    a tensor. Behind what is none (a sparse tensor, a list) stand the operands of the call that made it.
    """
    call = program.steps[at]
    assert isinstance(call, lang.Call)
    found: list[lang.Array] = []
    for operand in (*call.args, *(one for _, one in call.kwargs)):
        found += _arrays(program, operand, want)
    return found


def _arrays(program: lang.Program, operand: lang.Operand, want: Sequence[Observation] | None) -> list[lang.Array]:
    match operand:
        case lang.NumPy(array):
            return [array]
        case lang.Items(items=items):
            return [array for item in items for array in _arrays(program, item, want)]
        case lang.Ref(step, part, up) if up == 0:
            return _behind(program, step, part, want)
    return []


def _behind(program: lang.Program, at: int, part: int | None, want: Sequence[Observation] | None) -> list[lang.Array]:
    match program.steps[at]:
        case lang.Constant(array):
            return [array]
        case lang.MakeVariable(lang.NumPy(array)) if not _assigned(program, at):
            return [array]
    known = _tensor(want[at].outcome, part) if want is not None else None
    if known is not None:
        return [known]
    step = program.steps[at]
    return operands_of(program, at, want) if isinstance(step, lang.Call) else []


def _assigned(program: lang.Program, at: int) -> bool:
    return any(isinstance(step, lang.Assign) and lang.Ref(at) in needs(step) for step in program.steps)


def _tensor(outcome: Outcome, part: int | None) -> lang.Array | None:
    if isinstance(outcome, Nest) and part is not None:
        return _tensor(outcome.items[part], None)
    match outcome:
        case Tensor(array):
            return array
        case SparseSlices(Tensor(array)) | RaggedTensor(Tensor(array)):
            return array
    return None
