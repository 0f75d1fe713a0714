"""`tapecheck smoke NAME`: is the adapter itself all right? Step kind by step kind, a sentence for each fault.

A fault told here is the adapter's: it loses a dtype, answers in the wrong kind, keeps something of one program for the
next. Whether the tape is right is not asked. What the tape does not have is passed over.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from adapters import Tape, open_tape
from adapters import language as lang
from adapters.arrays import array_of
from adapters.backend import capabilities_of
from adapters.language import Array, Program, Ref
from adapters.observations import (
    Done,
    Nest,
    Nothing,
    Observation,
    Raised,
    Skipped,
    Tensor,
    Unsupported,
    Variable,
    kind_of,
)
from adapters.protocol import claims_of
from conformance.bringing import protocol_check
from conformance.capabilities.probes import op_probe
from conformance.judging.sameness import identical
from conformance.optable import TABLE

_X = lang.Constant(array_of([1.5, -2.0]))
_ARRAYS = (
    array_of(1.5), array_of([0.1, -0.0, 3.0e38]), Array("float32", (0, 2), ()), array_of([[1.0, 2.0], [3.0, 4.0]]),
    array_of([float("inf"), float("-inf"), float("nan")]), array_of(0.1, "float64"), array_of([1.5], "float16"),
    array_of([1.5], "bfloat16"), array_of([1 + 2j], "complex64"), array_of([-3, 4]), array_of([1 << 40], "int64"),
    array_of([True, False]),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that is looked at. `fault(tape)` gives a sentence, "" when all is well, None when there is nothing."""

    name: str
    fault: Callable[[Tape], str | None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The grammar of the command."""
    parser.add_argument("implementation")


def main(asked: argparse.Namespace, command: str) -> int:
    """Print a line for each check; 0 when there is no fault, 1 when there is one."""
    bad = 0
    with open_tape(asked.implementation) as tape:
        for name, fault in faults(tape):
            bad += bool(fault)
            _tell(name, fault)
    for name, fault in protocol_check.faults(asked.implementation):
        bad += bool(fault)
        _tell(f"protocol, {name}", fault)
    print(f"{bad} fault{'' if bad == 1 else 's'} of the adapter." if bad else "The adapter is all right.")
    return 1 if bad else 0


def _tell(name: str, fault: str | None) -> None:
    word = "none here" if fault is None else "fault" if fault else "ok"
    print(f"  {word:<10}{name}{': ' + fault if fault else ''}")


def faults(tape: Tape) -> Iterator[tuple[str, str | None]]:
    """Each check's name and what is wrong: "" for nothing, None where the tape does not have what is looked at."""
    for check in CHECKS:
        yield check.name, check.fault(tape)


# ---------------------------------------------------------------- checks


def _identity(tape: Tape) -> str:
    who = tape.identity()
    if not (isinstance(who.name, str) and who.name and isinstance(who.version, str) and who.version):
        return "identity() must give a name and a version, both text"
    return ""


def _claims(tape: Tape) -> str:
    try:
        capabilities_of(claims_of(tape.capabilities()), "capabilities()")
    except ValueError as error:
        return str(error)
    return ""


def _constants(tape: Tape) -> str:
    claimed = tape.capabilities().dtypes
    for array in _ARRAYS:
        seen = tape.run(Program((lang.Constant(array),)))[0].outcome
        where = f"a {array.dtype} constant of shape {list(array.shape)}"
        if isinstance(seen, Unsupported):
            if claimed is not None and array.dtype in claimed:
                return f"{where} is unsupported although the dtype is claimed: {seen.reason}"
            continue
        if not isinstance(seen, Tensor):
            return f"{where} is observed as {_said(seen)}, not as a tensor"
        if not identical((Observation(Tensor(array)),), (Observation(seen),)):
            return f"{where} comes back as {seen.array.dtype} of shape {list(seen.array.shape)}, {seen.array.values}"
    return ""


def _unknown_op(tape: Tape) -> str:
    seen = tape.run(Program((_X, lang.Call("no.such_op", (Ref(0),)))))[1].outcome
    if isinstance(seen, Unsupported):
        return ""
    return f"an op that nobody has must raise UnsupportedStep; it was observed as {_said(seen)}"


def _calls(tape: Tape) -> str | None:
    found = _an_op(tape)
    if found is None:
        return "none of the ops of the table works on calm operands: " + _why_no_op(tape)
    seen = tape.run(found)[-1].outcome
    return "" if isinstance(seen, Tensor | Nest) else f"the result of {_op(found)} is observed as {_said(seen)}"


def _tapes(tape: Tape) -> str:
    steps = (_X, lang.MakeTape(), lang.Enter(Ref(1)), lang.Watch(Ref(1), Ref(0)), lang.Exit(Ref(1)))
    for step, seen in zip(steps[1:], tape.run(Program(steps))[1:]):
        if not isinstance(seen.outcome, Done):
            return f"the step {type(step).__name__} must give nothing to see; it was observed as {_said(seen.outcome)}"
    return ""


def _gradients(tape: Tape) -> str | None:
    program = _a_gradient(tape, lambda ref: ref)
    if program is None:
        return None
    seen = tape.run(program)[-1].outcome
    if isinstance(seen, Tensor | Nothing):
        return ""
    return f"the gradient of one source must be a tensor or None; it was observed as {_said(seen)}"


def _items(kind: str, keys: tuple[str, ...], ref: Ref) -> lang.Items:
    return lang.Items(kind, (ref,), keys)


def _nests(tape: Tape) -> str | None:
    for kind, keys in (("list", ()), ("tuple", ()), ("dict", ("a",))):
        program = _a_gradient(tape, partial(_items, kind, keys))
        if program is None:
            return None
        seen = tape.run(program)[-1].outcome
        if isinstance(seen, Unsupported):
            continue
        if not isinstance(seen, Nest) or seen.kind != kind or len(seen.items) != 1:
            return f"sources in a {kind} must give a {kind} of as many gradients; it was observed as {_said(seen)}"
    return ""


def _variables(tape: Tape) -> str | None:
    seen = tape.run(Program((_X, lang.MakeVariable(Ref(0)), lang.Assign(Ref(1), Ref(0)))))
    if isinstance(seen[1].outcome, Unsupported):
        return None
    if seen[1].outcome != Variable(1):
        return f"a variable must be known by variable_key; it was observed as {_said(seen[1].outcome)}"
    if not isinstance(seen[2].outcome, Variable | Unsupported | Nothing | Done):
        return f"assigning to a variable is observed as {_said(seen[2].outcome)}"
    return ""


def _skipping(tape: Tape) -> str:
    seen = tape.run(Program((_X, lang.Call("no.such_op", (Ref(0),)), lang.Call("no.such_op", (Ref(1),)))))
    return (
        ""
        if isinstance(seen[2].outcome, Skipped)
        else f"a step without its operand is observed as {_said(seen[2].outcome)}"
    )


def _nothing_left(tape: Tape) -> str | None:
    """A tape that a program leaves open must not be there for the next."""
    program = _a_gradient(tape, lambda ref: ref)
    if program is None:
        return None
    before = tape.run(program)
    tape.run(Program((_X, lang.MakeTape(), lang.Enter(Ref(1)), lang.Watch(Ref(1), Ref(0)))))
    after = tape.run(program)
    if not identical(before, after):
        return "a program answers otherwise after one that left its tape open: program_scope() does not clear away"
    return "" if identical(after, tape.run(program)) else "the same program answers now one way, now another"


def _an_op(tape: Tape) -> Program | None:
    programs = [op_probe(row) for row in TABLE]
    return next((one for one, seen in zip(programs, tape.run_many(programs)) if _made(seen)), None)


def _made(answers: Sequence[Observation]) -> bool:
    return isinstance(answers[-1].outcome, Tensor)


def _why_no_op(tape: Tape) -> str:
    programs = [op_probe(row) for row in TABLE]
    for one, seen in zip(programs, tape.run_many(programs)):
        if isinstance(seen[-1].outcome, Raised):
            return f"{_op(one)} {_said(seen[-1].outcome)}"
    return "all of them are unsupported"


def _op(program: Program) -> str:
    return next((step.op for step in reversed(program.steps) if isinstance(step, lang.Call)), "")


def _a_gradient(tape: Tape, sources: Callable[[Ref], Any]) -> Program | None:
    """A program whose last step asks for a gradient through an op that the tape has."""
    found = _an_op(tape)
    if found is None:
        return None
    *leaves, call = found.steps
    at = len(leaves)
    shifted: list[lang.Step] = [
        lang.MakeTape(),
        lang.Enter(Ref(at)),
        lang.Watch(Ref(at), Ref(0)),
        call,
        lang.Exit(Ref(at)),
    ]
    return Program((*leaves, *shifted, lang.Gradient(Ref(at), Ref(at + 3), sources(Ref(0)))))


def _said(outcome: Any) -> str:
    if isinstance(outcome, Raised):
        return f"raised {outcome.cls}: {outcome.message[:100]}"
    return kind_of(outcome)


CHECKS = (
    Check("identity", _identity),
    Check("capabilities", _claims),
    Check("constants of every dtype, to the last bit", _constants),
    Check("an op that does not exist", _unknown_op),
    Check("calling an op", _calls),
    Check("making, entering, watching and leaving a tape", _tapes),
    Check("a gradient", _gradients),
    Check("gradients of nests", _nests),
    Check("variables", _variables),
    Check("a step without its operand", _skipping),
    Check("nothing is left for the next program", _nothing_left),
)
