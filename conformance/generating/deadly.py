"""Programs that would kill TensorFlow's process: `kills_tensorflow(program)`.

TensorFlow 2.21 does not check some calls and dies of them. They are pinned once each, behind the process protocol;
generated and shrunk programs stay clear of them, since each death costs a restart.
"""

from __future__ import annotations

from adapters import language as lang
from conformance.generating.features import refs_in
from conformance.optable import TABLE

_MAKES_BOOL = {row.name for row in TABLE if row.result == "bool"}


def kills_tensorflow(program: lang.Program) -> str | None:
    """Why a program would end TensorFlow's process, or None when nothing known would."""
    open_tapes: set[int] = set()
    for step in program.steps:
        match step:
            case lang.Enter(lang.Ref(context)):
                open_tapes.add(context)
            case lang.Exit(lang.Ref(context)):
                open_tapes.discard(context)
            case lang.Gradient():
                reason = _deadly_gradient(program, step)
                if reason:
                    return reason
            case lang.InThread():
                if _frees_an_open_tape(program, step, open_tapes):
                    return "another thread asks a tape that records here and is not persistent: it is freed under it"
    return None


def _deadly_gradient(program: lang.Program, step: lang.Gradient) -> str | None:
    targets = flat(step.target)
    given = None if step.output_gradients is None else flat(step.output_gradients)
    if given is not None and 0 < len(given) < len(targets):
        return "there are fewer output gradients than targets"
    if given is not None and len(targets) > 1 and lang.Py(None) in given[: len(targets)]:
        return "a None among several output gradients may have to be added to something"
    refs = [one for one in targets if isinstance(one, lang.Ref)]
    if any(refs.count(ref) > 1 and _is_bool(program, ref) for ref in refs):
        return "a bool is a target twice, and its seeds cannot be added"
    if (
        given is not None
        and len(targets) > 1
        and set(refs) & set(refs_in(step.sources))
        and any(isinstance(one, lang.Py) for one in given)
    ):
        return "a target among several is also a source, and odd seeds may not add up"
    return None


def _is_bool(program: lang.Program, ref: lang.Ref) -> bool:
    if ref.up or ref.step >= len(program.steps):
        return False
    match program.steps[ref.step]:
        case lang.Call(op):
            return op in _MAKES_BOOL
        case lang.Constant(array):
            return array.dtype in ("bool", "string")
    return False


def _frees_an_open_tape(program: lang.Program, thread: lang.InThread, open_tapes: set[int]) -> bool:
    for step in thread.steps:
        tape = step.tape if isinstance(step, (lang.Gradient, lang.Jacobian)) else None
        if isinstance(tape, lang.Ref) and tape.up == 1 and tape.step in open_tapes:
            made = program.steps[tape.step]
            if isinstance(made, lang.MakeTape) and made.persistent != lang.Py(True):
                return True
    return False


def flat(operand: lang.Operand) -> list[lang.Operand]:
    """The leaves of a nest, in the order in which they are written."""
    if isinstance(operand, lang.Items):
        return [leaf for item in operand.items for leaf in flat(item)]
    return [operand]
