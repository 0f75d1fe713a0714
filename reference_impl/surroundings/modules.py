"""Module: an object that owns variables and other modules (``tf.Module``).

    class Dense(Module):
        def __init__(self, inputs, outputs, name=None):
            super().__init__(name=name)
            self.w = Variable(zeros([inputs, outputs]), name="w")

``Dense(2, 3).trainable_variables`` finds what hangs on the module: attributes in the order of their names, nests of
them included, its own first, then those of the modules below it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .. import nest
from ..foundation.arrivals import arrived, listeners
from ..tensors.variable import ResourceVariable
from .scopes import name_scope

_CAPITAL = re.compile(r"((?<=[a-z0-9])[A-Z]|(?!^)[A-Z](?=[a-z]))")


def snake_case(name: str) -> str:
    """The default name of a module of a class: ``MyHTTPModule2`` is ``my_http_module2``."""
    return _CAPITAL.sub(r"_\1", name).lower()


class Module:
    """``Module(name=None)``: subclass it; the name is a Python identifier, by default the class's in snake case."""

    _TF_MODULE_IGNORED_PROPERTIES = frozenset(("_name_scope",))

    def __init__(self, name: str | None = None):
        name = snake_case(type(self).__name__) if name is None else name
        if not (isinstance(name, str) and name.isidentifier()):
            raise ValueError(
                f"{name!r} is not a valid module name. Module names must be valid Python identifiers (e.g. a valid "
                "class name)."
            )
        self._name = name
        with name_scope(name) as prefix:
            self._name_scope = name_scope(prefix)

    def __setattr__(self, name: str, value: Any) -> None:
        if listeners:
            arrived(self, name, value)
        object.__setattr__(self, name, value)

    @property
    def name(self) -> str:
        """The name given, or the class's."""
        return self._name

    @property
    def name_scope(self) -> name_scope:
        """The scope that ``with_name_scope`` enters."""
        return self._name_scope

    @property
    def variables(self) -> tuple:
        """The variables of this module and of all below it."""
        return tuple(self._flatten(predicate=_is_variable))

    @property
    def trainable_variables(self) -> tuple:
        """Those of the variables that are trainable."""
        return tuple(self._flatten(predicate=lambda x: _is_variable(x) and x.trainable))

    @property
    def non_trainable_variables(self) -> tuple:
        """Those of the variables that are not trainable."""
        return tuple(self._flatten(predicate=lambda x: _is_variable(x) and not x.trainable))

    @property
    def submodules(self) -> tuple:
        """The modules below this one."""
        return tuple(self._flatten(predicate=lambda x: isinstance(x, Module)))

    def _flatten(
        self, recursive: bool = True, predicate: Callable[[Any], bool] | None = None,
        attribute_traversal_key: Any = None, with_path: bool = False, expand_composites: bool = False,
    ) -> Iterator[Any]:  # fmt: skip
        """What hangs on the module and satisfies ``predicate``, each thing once; pairs of path and thing on demand."""
        wanted = predicate or (lambda _: True)
        seen = None if with_path else {id(self)}
        for path, leaf in _walk(self, recursive, attribute_traversal_key, (), seen, (self,)):
            if wanted(leaf):
                yield (path, leaf) if with_path else leaf

    @classmethod
    def with_name_scope(cls, method: Callable[..., Any]) -> Callable[..., Any]:
        """Decorator for methods: variables made inside are named after the module."""

        @functools.wraps(method)
        def scoped(self: Any, *args: Any, **kwargs: Any) -> Any:
            with self.name_scope:
                return method(self, *args, **kwargs)

        return scoped


def _is_variable(x: Any) -> bool:
    return isinstance(x, ResourceVariable)


def _walk(module: Module, recursive: bool, key: Any, path: tuple, seen: set | None, above: tuple) -> Iterator[tuple]:
    """The leaves of a module's attributes with their paths, then those of the modules among them.

    Each thing comes once; when there is no ``seen``, once for each path to it.
    """
    below = []
    for name in sorted(vars(module), key=key):
        if name in type(module)._TF_MODULE_IGNORED_PROPERTIES:
            continue
        for inner, leaf in _leaves_of(vars(module)[name], name):
            if seen is not None:
                if id(leaf) in seen:
                    continue
                seen.add(id(leaf))
            place = (*path, name, *inner)
            yield place, leaf
            if recursive and isinstance(leaf, Module) and not any(leaf is m for m in above):
                below.append((place, leaf))
    for place, leaf in below:
        yield from _walk(leaf, recursive, key, place, seen, (*above, leaf))


def _leaves_of(attribute: Any, name: str) -> list:
    try:
        return list(_leaves(attribute))
    except TypeError as error:  # keys that do not compare
        raise ValueError(f"Error processing property {name!r} of {attribute!r}") from error


def _leaves(value: Any, path: tuple = ()) -> Iterator[tuple]:
    """The leaves of a nest with their paths: keys of mappings, positions in sequences, names of fields."""
    if isinstance(value, Mapping):
        parts = [(k, value[k]) for k in sorted(value)]
    elif nest.is_nested(value):
        names = getattr(type(value), "_fields", None) or range(len(value))
        parts = list(zip(names, value))
    else:
        yield path, value
        return
    for name, part in parts:
        yield from _leaves(part, (*path, name))
