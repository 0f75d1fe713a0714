"""A private copy of the engine for every fault, and the means to plant one.

    engine = copy_of_the_engine()                         the engine's package, loaded once more under another name
    engine = copy_of_the_engine({"walk": new_source})     the same with the source of some modules changed
    regrade(engine, "Sub", None, lambda F, dy, *rest: dy) give an op other gradient functions
    Edit("ops.arithmetic", "-dy", "dy", at=1).apply(text) change the source itself

The source is read once, from a snapshot that is taken when the first copy is made: an engine that is edited while
faults are being tried does not change under them.
"""

from __future__ import annotations

import ast
import atexit
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import itertools
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from dataclasses import replace as replace_fields
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

ENGINE = Path(__file__).resolve().parents[2] / "reference_impl"
_copies = itertools.count()

Plant = Callable[[Any], None]


class Stale(Exception):
    """The engine has changed so that a fault no longer finds the place where it belongs."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of the source of one module: the `at`-th occurrence (from 0) of `before` becomes `after`.

    line, function: the line on which it begins, without its indentation, and the function or class around it; when
    they are given, only occurrences there are counted, so that lines that come and go elsewhere in the module do not
    move the change, were they the same ones.
    """

    module: str
    before: str
    after: str
    at: int = 0
    line: str = ""
    function: str = ""

    def place(self, text: str) -> int:
        """Where it is in the source. Raises `Stale` when it is not there."""
        place, left = text.find(self.before), self.at
        while place >= 0:
            if self._is_meant(text, place):
                if left == 0:
                    return place
                left -= 1
            place = text.find(self.before, place + 1)
        raise Stale(
            f"{self.function or 'the module'} in {self.module} no longer has {self.before!r} for the {self.at + 1}. "
            f"time {self.line!r}"
        )

    def _is_meant(self, text: str, place: int) -> bool:
        return (not self.line or line_around(text, place) == self.line) and (
            not self.function or function_around(text, place) == self.function
        )

    def at_place(self, text: str, place: int) -> Edit:
        """The same change where `before` begins at that place, bound to its line and its function."""
        bound = replace_fields(self, line=line_around(text, place), function=function_around(text, place))
        count, start = 0, text.find(self.before)
        while start != place:
            count += bound._is_meant(text, start)
            start = text.find(self.before, start + 1)
        return replace_fields(bound, at=count)

    def apply(self, text: str) -> str:
        """The changed source. Raises `Stale` when the place is not there."""
        place = self.place(text)
        return text[:place] + self.after + text[place + len(self.before) :]


def line_around(text: str, place: int) -> str:
    """The line that a place is on, without its indentation."""
    end = text.find("\n", place)
    return text[text.rfind("\n", 0, place) + 1 : end if end >= 0 else len(text)].strip()


def function_around(text: str, place: int) -> str:
    """The innermost function or class whose lines a place is on, by its qualified name; empty outside of all."""
    line = text.count("\n", 0, place) + 1
    return next((name for first, last, name in _functions(text) if first <= line <= last), "")


@lru_cache(maxsize=512)
def _functions(text: str) -> tuple[tuple[int, int, str], ...]:
    """First line, last line and qualified name of every function and class, inner ones before those around them."""

    def below(node: ast.AST, around: str) -> Iterator[tuple[int, int, str]]:
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, (ast.FunctionDef, ast.ClassDef)):
                yield from below(child, around)
                continue
            name = f"{around}.{child.name}" if around else child.name
            yield from below(child, name)
            yield child.lineno, child.end_lineno or child.lineno, name

    return tuple(below(ast.parse(text), ""))


# ---------------------------------------------------------------- copies


@cache
def snapshot() -> Path:
    """The engine's folder, copied away. Removed when this process ends."""
    folder = Path(tempfile.mkdtemp(prefix="tapecheck-engine-"))
    shutil.copytree(ENGINE, folder / ENGINE.name, ignore=shutil.ignore_patterns("__pycache__"))
    atexit.register(_remove, folder, os.getpid())
    return folder / ENGINE.name


def _remove(folder: Path, owner: int) -> None:
    if os.getpid() == owner:  # a forked child leaves its parent's files alone
        shutil.rmtree(folder, ignore_errors=True)


def source_of(module: str) -> str:
    """The source of a module of the engine (`walk`, `ops.arithmetic`; a package by its own name)."""
    return file_of(module).read_text(encoding="utf-8")


def file_of(module: str) -> Path:
    """The file of a module of the engine."""
    path = snapshot().joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def modules() -> tuple[str, ...]:
    """Every module of the engine, by its dotted name inside the package (the package itself is `__init__`)."""
    found = []
    for path in sorted(snapshot().rglob("*.py")):
        words = path.relative_to(snapshot()).with_suffix("").parts
        found.append(".".join(words[:-1] if len(words) > 1 and words[-1] == "__init__" else words))
    return tuple(found)


class _Edited(importlib.machinery.SourceFileLoader):
    """Loads a module from its file, with another text."""

    def __init__(self, fullname: str, path: str, text: str) -> None:
        super().__init__(fullname, path)
        self._text = text

    def get_code(self, fullname: str) -> Any:
        return self.source_to_code(self._text.encode(), self.path)


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the changed modules of copies; all others are found as usual."""

    def __init__(self) -> None:
        self.texts: dict[str, tuple[str, str]] = {}

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        if fullname not in self.texts:
            return None
        file, text = self.texts[fullname]
        inside = [str(Path(file).parent)] if file.endswith("__init__.py") else None
        return importlib.util.spec_from_file_location(
            fullname, file, loader=_Edited(fullname, file, text), submodule_search_locations=inside
        )


_finder = _Finder()


def copy_of_the_engine(texts: Mapping[str, str] | None = None) -> Any:
    """The engine's package, loaded once more under another name, with the source of some modules replaced."""
    name = f"planted_engine_{next(_copies)}"
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
    for module, text in (texts or {}).items():
        if module != "__init__":
            _finder.texts[f"{name}.{module}"] = (str(file_of(module)), text)
    own = (texts or {}).get("__init__")
    path = str(snapshot() / "__init__.py")
    loader = None if own is None else _Edited(name, path, own)
    spec = importlib.util.spec_from_file_location(
        name, path, loader=loader, submodule_search_locations=[str(snapshot())]
    )
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def edited(edits: tuple[Edit, ...]) -> Any:
    """A copy of the engine with all these edits. Raises `Stale` when one finds no place."""
    texts: dict[str, str] = {}
    for edit in edits:
        texts[edit.module] = edit.apply(texts.get(edit.module) or source_of(edit.module))
    return copy_of_the_engine(texts)


# ---------------------------------------------------------------- planting in a copy that is loaded


def part(engine: Any, name: str) -> Any:
    """A module of a copy of the engine."""
    return importlib.import_module(f"{engine.__name__}.{name}")


def op(engine: Any, kernel: str) -> Any:
    """The declaration of an op of a copy, by TensorFlow's kernel name."""
    return part(engine, "ops.declare").OPS[kernel]


def regrade(engine: Any, kernel: str, *gradients: Any) -> None:
    """Give an op other gradient functions (None keeps one). They may use only what the op's own ones keep."""
    declared = op(engine, kernel)
    old = declared.gradients
    new = tuple(after or before for before, after in zip(old, gradients))
    declared.gradient, declared.gradients = (new if type(declared.gradient) is tuple else new[0]), new


def wrap_gradient(engine: Any, kernel: str, make: Callable[[Any], Any]) -> None:
    """Replace the single gradient function of a general op by `make(old)`."""
    declared = op(engine, kernel)
    declared.gradient = make(declared.gradient)
    declared.gradients = None if declared.gradients is None else (declared.gradient,)


def replace(owner: Any, name: str, make: Callable[[Any], Any]) -> None:
    """Put `make(old)` in the place of an attribute."""
    setattr(owner, name, make(getattr(owner, name)))


def exact_walk_only(engine: Any) -> None:
    """Leave out the engine's short cut for walks in which the order of arrival cannot show."""
    part(engine, "tapes.walk").run_plain = lambda *args: None
