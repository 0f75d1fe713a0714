"""Names of layers, optimizers and variables, and the scopes that make paths of them, as Keras 3 has them."""

from __future__ import annotations

import re
import threading
from typing import Any

from ..surroundings import scopes

_counts: dict[str, int] = {}


def snake_case(name: str) -> str:
    """``MaxPooling2D`` is ``max_pooling2d``."""
    name = re.sub(r"\W+", "", name)
    name = re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()


def auto_name(prefix: str) -> str:
    """The next name for a class: ``dense``, ``dense_1``, ``dense_2`` ..."""
    name = snake_case(prefix)
    count = _counts.get(name, 0)
    _counts[name] = count + 1
    return f"{name}_{count}" if count else name


def reset_names() -> None:
    """Count from the beginning again."""
    _counts.clear()


def checked(name: Any, class_name: str) -> str:
    """A name given, or the next one for a class.  ValueError for what is no name."""
    if name is None:
        return auto_name(class_name)
    if not isinstance(name, str) or "/" in name:
        raise ValueError(
            f"Argument `name` must be a string and cannot contain character `/`. Received: name={name} (of type "
            f"{type(name)})"
        )
    return name


class _Scopes(threading.local):
    def __init__(self) -> None:
        self.stack: list[scope] = []
        self.rehearsals = 0  # above 0 while a layer is called only to build what is below it


_scopes = _Scopes()


class scope:
    """Context manager: what is made inside has ``name`` in its path.  Entering a caller's scope twice counts once."""

    __slots__ = ("_engine_scope", "_entered", "caller", "name", "parent")

    def __init__(self, name: str, caller: Any = None):
        self.name, self.caller = name, caller
        self.parent = getattr(caller, "_parent_path", None)
        self._entered = False
        self._engine_scope: Any = None

    def __enter__(self) -> scope:
        stack = _scopes.stack
        if stack and self.caller is not None and stack[-1].caller is self.caller and stack[-1].name == self.name:
            return self
        stack.append(self)
        self._entered = True
        if not _scopes.rehearsals:
            self._engine_scope = scopes.name_scope(self.name)
            self._engine_scope.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        if self._entered:
            _scopes.stack.pop()
            self._entered = False
        if self._engine_scope is not None:
            self._engine_scope.__exit__()
            self._engine_scope = None


def current_path() -> str:
    """The names of the scopes around, with slashes between them."""
    parts: list[str] = []
    for entry in _scopes.stack:
        if entry.parent is not None:
            parts = [p for p in entry.parent.split("/") if p]
        parts.append(entry.name)
    return "/".join(parts)


class rehearsal:
    """Context manager: calls inside build layers and have no other effect: nothing is recorded, no variable changes.

    ``flat``: variables made inside are named (not their paths) after the scope around alone, as those that Keras makes
    late.
    """

    __slots__ = ("_flat", "_outside")

    def __init__(self, flat: bool):
        self._flat = flat

    def __enter__(self) -> None:
        self._outside = scopes.init_scope()
        self._outside.__enter__()
        _rehearsing.depth += 1
        _scopes.rehearsals += self._flat

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> None:
        _scopes.rehearsals -= self._flat
        _rehearsing.depth -= 1
        self._outside.__exit__(kind, value, traceback)


class _Rehearsing(threading.local):
    depth = 0


_rehearsing = _Rehearsing()


def rehearsing() -> bool:
    """True inside a ``rehearsal``."""
    return _rehearsing.depth > 0
