"""``variable_creator_scope``: functions that are asked for each variable before it is made."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

_ARGUMENTS = (
    "initial_value", "trainable", "validate_shape", "caching_device", "name", "variable_def", "dtype", "import_scope",
    "constraint", "synchronization", "aggregation", "shape", "experimental_enable_variable_lifting",
)  # fmt: skip
_DEFAULTS = {"validate_shape": True, "experimental_enable_variable_lifting": True}


class _Creators(threading.local):
    stack: tuple[Callable[..., Any], ...] = ()


_creators = _Creators()


class Created(type):
    """The class of the class of variables: a call of that goes through the creators around it."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if not _creators.stack or cls.__name__ != "ResourceVariable":
            return type.__call__(cls, *args, **kwargs)
        given = {name: _DEFAULTS.get(name) for name in _ARGUMENTS} | dict(zip(_ARGUMENTS, args)) | kwargs
        make: Callable[..., Any] = lambda **options: type.__call__(cls, **options)  # noqa: E731
        for creator in _creators.stack:
            make = _after(creator, make)
        return make(**given)


def _after(creator: Callable[..., Any], following: Callable[..., Any]) -> Callable[..., Any]:
    return lambda **options: creator(following, **options)


@contextlib.contextmanager
def variable_creator_scope(variable_creator: Callable[..., Any]) -> Iterator[None]:
    """Context manager: ``variable_creator(next_creator, **kwargs)`` makes the variables.

    It returns a variable, mostly that of ``next_creator(**kwargs)`` with other arguments; the innermost creator is
    asked first.  Holds on this thread.
    """
    outer = _creators.stack
    _creators.stack = (*outer, variable_creator)
    try:
        yield
    finally:
        _creators.stack = outer
