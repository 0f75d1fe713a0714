"""Where code runs, eagerly or in a graph; scopes that name variables; scopes of TensorFlow that change nothing here."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

from ..foundation.building import graph_being_built
from ..tapes.recording import active


def executing_eagerly() -> bool:
    """False while a function is being traced (``tf.executing_eagerly``)."""
    return graph_being_built() is None


@contextlib.contextmanager
def init_scope() -> Iterator[None]:
    """Context manager: what happens inside happens now and unrecorded, also while a function is being traced."""
    outer, active.cur = active.cur, None
    try:
        yield
    finally:
        active.cur = outer


class _Names(threading.local):
    prefix = ""  # of the names of variables made on this thread: "" or "outer/inner/"


_names = _Names()


def prefixed(name: str) -> str:
    """A name with those of the scopes around it."""
    return _names.prefix + name


def get_current_name_scope() -> str:
    """The names of the scopes around it, joined by slashes (``tf.get_current_name_scope``)."""
    return _names.prefix.removesuffix("/")


class name_scope:
    """Context manager (``tf.name_scope``): variables made inside have their names prefixed; ops have none here.

    A name that ends in ``/`` stands by itself; the empty name leaves all scopes.  ``with`` gives the whole prefix.
    """

    def __init__(self, name: str):
        if not isinstance(name, str):
            raise ValueError("name for name_scope must be a string.")
        self._name = name
        self._outer: list[str] = []

    @property
    def name(self) -> str:
        """The name."""
        return self._name

    def __enter__(self) -> str:
        self._outer.append(_names.prefix)
        if not self._name:
            _names.prefix = ""
        elif self._name.endswith("/"):
            _names.prefix = self._name
        else:
            _names.prefix += self._name + "/"
        return _names.prefix

    def __exit__(self, *_: object) -> None:
        _names.prefix = self._outer.pop()


class _Nothing:
    """A context manager without effect."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass


def control_dependencies(control_inputs: Any) -> _Nothing:
    """Context manager without effect: ops always run in the order of the program."""
    if callable(control_inputs):
        control_inputs()
    return _Nothing()


def device(device_name: Any) -> _Nothing:
    """Context manager without effect: everything is on the CPU.

    ValueError for what names no device, InvalidArgumentError inside for one of another process.
    """
    from .devices import checked_device

    checked_device(device_name)
    return _Nothing()


def group(*inputs: Any, **kwargs: Any) -> None:
    """Nothing: ops have run already."""


def no_op(name: str | None = None) -> None:
    """Nothing."""
