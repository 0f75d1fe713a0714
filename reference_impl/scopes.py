"""Where code runs: eagerly or in a graph, and the scopes that TensorFlow has for graphs and that change nothing here."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from .building import graph_being_built
from .recording import active


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


class name_scope:
    """Context manager (``tf.name_scope``): gives its name, which ops do not take over here."""

    def __init__(self, name: str):
        if not isinstance(name, str):
            raise ValueError("name for name_scope must be a string.")
        self._name = name

    @property
    def name(self) -> str:
        """The name."""
        return self._name

    def __enter__(self) -> str:
        return f"{self._name}/" if self._name else ""

    def __exit__(self, *_: object) -> None:
        pass


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
    """Context manager without effect: everything is on the CPU."""
    return _Nothing()


def group(*inputs: Any, **kwargs: Any) -> None:
    """Nothing: ops have run already."""


def no_op(name: str | None = None) -> None:
    """Nothing."""
