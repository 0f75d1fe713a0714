"""Plant an edit in an engine that is loaded already: `Spare().swap(edits)` exchanges the code of the functions changed.

Loading a copy of the engine takes longer than asking it most questions, so a copy is loaded once, before processes are
forked, and each process changes its own. Where code ran while the engine was imported, or is not loaded yet, nothing is
exchanged and `swap` says so: then a copy has to be loaded.
"""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from types import CodeType, FunctionType
from typing import Any

from tests.mutants.planting import Edit, Stale, copy_of_the_engine, file_of, source_of
from tests.mutants.reaching import functions_of


class Spare:
    """A copy of the engine that has run nothing, and its functions by their code."""

    def __init__(self) -> None:
        self.engine = copy_of_the_engine()
        self._functions: dict[CodeType, list[FunctionType]] = defaultdict(list)
        self._before: list[tuple[FunctionType, CodeType]] = []
        for one in gc.get_objects():
            if type(one) is FunctionType and str(one.__globals__.get("__name__")).startswith(self.engine.__name__):
                self._functions[one.__code__].append(one)

    def swap(self, edits: Sequence[Edit]) -> bool:
        """Exchange the code; False, and nothing done, where that would not be the same as loading an edited copy."""
        if functions_of(edits) is None:
            return False
        found: list[tuple[FunctionType, CodeType]] = []
        for edit in edits:
            old, new = compiled(edit.module), _compile(edit.module, edit.apply(source_of(edit.module)))
            if not _alike(old, new) or not self._find(old, new, False, found):
                return False
        self._before = [(function, function.__code__) for function, _ in found]
        for function, code in found:
            function.__code__ = code
        return True

    def restore(self) -> None:
        """Exchange back what the last swap did; what ran since may have left something in caches."""
        for function, code in self._before:
            function.__code__ = code
        self._before = []

    def _find(self, old: CodeType, new: CodeType, above: bool, found: list[tuple[FunctionType, CodeType]]) -> bool:
        """Collect what is to be exchanged below a piece of code whose own instructions are taken care of."""
        for before, after in zip(_inner(old), _inner(new), strict=True):
            if _same(before, after):
                continue
            here = self._functions.get(before, [])
            if any(len(before.co_freevars) != len(after.co_freevars) for _ in here):
                return False
            found += [(one, after) for one in here]
            safe = above or bool(here)
            if not (safe or _alike(before, after)) or len(_inner(before)) != len(_inner(after)):
                return False
            if not self._find(before, after, safe, found):
                return False
        return True


def _compile(module: str, text: str) -> CodeType:
    return compile(text.encode(), str(file_of(module)), "exec", dont_inherit=True)


@cache
def compiled(module: str) -> CodeType:
    """The code of a module as it is."""
    return _compile(module, source_of(module))


def _inner(code: CodeType) -> list[CodeType]:
    return [one for one in code.co_consts if isinstance(one, CodeType)]


def _alike(a: CodeType, b: CodeType) -> bool:
    """Whether two pieces do the same, whatever the functions inside them do."""
    return _own(a) == _own(b) and len(_inner(a)) == len(_inner(b))


def _same(a: CodeType, b: CodeType) -> bool:
    """Whether two pieces do the same, on whatever lines they stand."""
    return _alike(a, b) and all(map(_same, _inner(a), _inner(b)))


def _own(code: CodeType) -> tuple[Any, ...]:
    return (code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, tuple(_plain(code)))


def _plain(code: CodeType) -> Iterator[Any]:
    """Constants with their types, for 1, 1.0 and True are equal."""
    for one in code.co_consts:
        yield "code" if isinstance(one, CodeType) else (type(one), repr(one))


def prepared(edits: Iterable[Edit]) -> None:
    """Read once, before processes are forked, what each would read of the engine's source."""
    for edit in edits:
        with suppress(Stale):
            functions_of((edit,))
        compiled(edit.module)
