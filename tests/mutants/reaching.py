"""Which functions of the engine a program enters: only programs that enter the function of an edit can show the fault.

`entered(tape, program)` are the answers and the functions that run; `functions_of(edits)` those that an edit changes,
or None where its code may run at any time: outside functions, in a cached one, or while the engine is imported.
"""

from __future__ import annotations

import ast
import sys
import threading
from collections.abc import Sequence
from functools import cache
from typing import Any

from adapters.language import Program
from adapters.local import LocalTape
from adapters.observations import Observation
from tests.mutants.planting import Edit, copy_of_the_engine, file_of, snapshot, source_of

Function = tuple[str, int]  # a file below the engine's folder, and the first line
Span = tuple[int, int]
_KEPT = ("cache", "lru_cache", "cached_property")


def entered(tape: LocalTape, program: Program) -> tuple[tuple[Observation, ...], frozenset[Function]]:
    """The answers to a program, and the functions of the engine's files that run."""
    with _Watch() as seen:
        answers = tape.run(program)
    return answers, frozenset(seen)


class _Watch:
    """Notes every function of the engine that is entered inside the block, on any thread."""

    def __init__(self) -> None:
        self.seen: set[Any] = set()

    def __enter__(self) -> set[Function]:
        self.found: set[Function] = set()
        threading.settrace(self._call)
        sys.settrace(self._call)
        return self.found

    def __exit__(self, *_: Any) -> None:
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]
        root = str(snapshot())
        codes = (code for code in self.seen if code.co_filename.startswith(root))
        self.found.update((code.co_filename.removeprefix(root), code.co_firstlineno) for code in codes)

    def _call(self, frame: Any, event: str, _: Any) -> None:
        self.seen.add(frame.f_code)


@cache
def _while_imported() -> frozenset[Function]:
    with _Watch() as seen:
        copy_of_the_engine()
    return frozenset(seen)


def functions_of(edits: Sequence[Edit]) -> frozenset[Function] | None:
    """The functions that edits change; None where no program can be left out."""
    changed: set[Function] = set()
    for edit in edits:
        span = _span(edit)
        if span is None:
            return None
        path = str(file_of(edit.module)).removeprefix(str(snapshot()))
        changed |= {(path, line) for line in range(span[0], span[1] + 1)}
    return None if changed & _while_imported() else frozenset(changed)


def _span(edit: Edit) -> Span | None:
    """The lines of the innermost function, or of the top-level statement with lambdas, around an edit."""
    text = source_of(edit.module)
    line = text.count("\n", 0, edit.place(text)) + 1
    inner: Span | None = None
    for node, span in _functions(edit.module):
        if span[0] <= line <= span[1] and (inner is None or span[0] >= inner[0]):
            if any(word in ast.unparse(each) for each in node.decorator_list for word in _KEPT):
                return None
            inner = span
    return inner or next((span for span in _statements(edit.module) if span[0] <= line <= span[1]), None)


@cache
def _functions(module: str) -> tuple[tuple[ast.FunctionDef, Span], ...]:
    nodes = (node for node in ast.walk(_tree(module)) if isinstance(node, ast.FunctionDef))
    return tuple((node, (_first_line(node), node.end_lineno or node.lineno)) for node in nodes)


def _first_line(node: ast.FunctionDef) -> int:
    return min((each.lineno for each in node.decorator_list), default=node.lineno)


@cache
def _statements(module: str) -> tuple[Span, ...]:
    """Top-level statements in which everything that can be changed is in lambdas."""
    return tuple(
        (one.lineno, one.end_lineno or one.lineno)
        for one in _tree(module).body
        if any(isinstance(node, ast.Lambda) for node in ast.walk(one))
    )


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(source_of(module))
