"""Whether a fault is attributed to the right rule or op: `is_right(row, mutant, shown)`.

A fault of a rule is, when a pinned program of that rule shows it: a report says its id. A fault in the code of ops is,
when the op that the report names runs the changed code. An op does so when its declaration says so (it is among those
that `tables.users_of` finds, or a classic fault names it), or when the changed code runs less often without it: a fault
in what `tanh` and `gelu` share is shown by either. A fault that is in no op is neither right nor wrong.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

from adapters.language import Program
from adapters.local import LocalTape
from conformance.generating.features import ops_of
from conformance.judging.causes import title
from conformance.judging.judge import Judged
from conformance.shrinking.culprit import named, without
from tests.mutants.planting import Edit, file_of, source_of
from tests.mutants.registry import RULE, Mutant

HERE = str(Path(__file__).parent)
_MEANS = ("planting.py", "registry.py")  # functions of these plant faults and are none
_OPERATORS = {"mul": "multiply", "sub": "subtract", "neg": "negative", "truediv": "divide", "getitem": "strided_slice"}


@dataclass(frozen=True, slots=True)
class Shown:
    """A small program that shows a fault, at which step, and the tapes with and without the fault."""

    program: Program
    step: int
    faulty: LocalTape
    healthy: LocalTape

    @property
    def op(self) -> str:
        """The op that a report names."""
        return named(self.program, self.step)

    def title(self, judged: Judged) -> str:
        """What a report says of it."""
        difference = judged.comparison.difference
        return judged.title if difference is None else title(self.program, difference, self.op)


def step_of(judged: Judged) -> int:
    """The step at which a judged program differs; 0 where it does not."""
    return 0 if judged.comparison.difference is None else judged.comparison.difference.step


def is_right(mutant: Mutant, pinned_by: Sequence[str], shown: Shown) -> bool | None:
    """Whether the report names the rule that is broken, or an op that runs the changed code; None where the fault is in
    no op."""
    if mutant.origin == RULE:
        return mutant.about[0] in pinned_by
    ops = [name for name in mutant.about if not name.isupper()]
    if not ops:
        return None
    declared = shown.op in ops or _plain(shown.op) in {_plain(name) for name in ops}
    return declared or runs_it(mutant, shown)


def _plain(name: str) -> str:
    """An op's last word, the same for `operator.mul` and `math.multiply`."""
    last = name.rpartition(".")[2]
    return _OPERATORS.get(last, last)


def runs_it(mutant: Mutant, shown: Shown) -> bool:
    """Whether the changed code runs less often when what the named op was given is differentiated in its place."""
    if shown.op not in ops_of(shown.program):
        return False
    with_it = Program(shown.program.steps[: shown.step + 1])
    return times(mutant, shown, with_it) > times(mutant, shown, without(with_it, shown.step, shown.op))


def times(mutant: Mutant, shown: Shown, program: Program) -> int:
    """How often the changed code runs: an edit's lines in the healthy engine, a planted function in the faulty one."""
    tape = shown.healthy if mutant.plant is None else shown.faulty
    pieces = tuple(piece for edit in mutant.edits for piece in _pieces(edit))
    count = 0

    def line(frame: Any, event: str, _: Any) -> Any:
        nonlocal count
        count += event == "line" and any(frame.f_lineno in piece.lines for piece in pieces if piece.fits(frame.f_code))
        return line

    def call(frame: Any, event: str, _: Any) -> Any:
        nonlocal count
        code = frame.f_code
        if mutant.plant is not None:
            count += code.co_filename.startswith(HERE) and not code.co_filename.endswith(_MEANS)
            return None
        return line if any(piece.fits(code) for piece in pieces) else None

    threading.settrace(call)
    sys.settrace(call)
    try:
        tape.run(program)
    finally:
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]
    return count


@dataclass(frozen=True, slots=True)
class _Piece:
    """A function that holds changed code, and the lines of that code."""

    code: CodeType
    lines: range

    def fits(self, code: CodeType) -> bool:
        return code.co_filename == self.code.co_filename and code == self.code


@cache
def _pieces(edit: Edit) -> tuple[_Piece, ...]:
    text, file = source_of(edit.module), str(file_of(edit.module))
    start = edit.place(text)
    begin, end = _position(text, start), _position(text, start + len(edit.before))
    lines = range(begin[0], end[0] + 1)
    codes = list(_codes(compile(text, file, "exec", dont_inherit=True)))
    inside = [code for code in codes if any(begin <= one < end for one, _ in _places(code))]
    if not inside:  # folded into a larger constant: the smallest instruction around it
        around = [(max(one for one, _ in spans), code) for code in codes if (spans := _around(code, begin, end))]
        inside = [code for first, code in around if first == max(first for first, _ in around)]
    return tuple(_Piece(code, lines) for code in inside)


Position = tuple[int, int]  # line (from 1) and column in bytes


def _places(code: CodeType) -> Iterator[tuple[Position, Position]]:
    """Where the instructions of a piece of code begin and end."""
    for line, last, column, after in code.co_positions():
        if line is not None and last is not None:
            yield (line, column or 0), (last, after or 0)


def _around(code: CodeType, begin: Position, end: Position) -> list[tuple[Position, Position]]:
    return [(one, last) for one, last in _places(code) if one <= begin and end <= last]


def _position(text: str, place: int) -> Position:
    begin = text.rfind("\n", 0, place) + 1
    return text.count("\n", 0, place) + 1, len(text[begin:place].encode())


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _codes(one)
