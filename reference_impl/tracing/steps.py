"""Steps of a graph, the slots that their values are in, and the worlds in which they are tried while it is built."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tapes.recording import active
from ..tensors.tensor import EagerTensor, wrap
from .naming import pretended
from .structure import mapped


class Slot:
    """The place of a value among a graph's values."""

    __slots__ = ("i",)

    def __init__(self, i: int):
        self.i = i


class World:
    """One set of values for which the steps of a graph under construction are carried out.

    As a context manager: inside, this world's tapes are active, and variables have the values they have in it.
    """

    __slots__ = ("_given", "_outer", "active", "resources", "values")

    def __init__(self, resources: list, values: dict | None = None):
        self.active: Any = None
        self.resources = resources
        self.values: dict[Any, Any] = dict(values or {})

    def __enter__(self) -> None:
        self._outer, active.cur = active.cur, self.active
        active.pretending += 1
        self._given = [(r, r.value) for r in self.resources]
        for resource, _ in self._given:
            resource.value = self.values.get(resource, resource.value)

    def __exit__(self, *_: object) -> None:
        self.active, active.cur = active.cur, self._outer
        active.pretending -= 1
        for resource, outside in self._given:
            if resource.value is not outside:
                self.values[resource] = resource.value
            resource.value = outside


class Step:
    """A call: what to call, with slots for arguments, and the slots of what it returns.

    ``name``: that of the function, or of a method of an array of tensors with that of its class.
    """

    __slots__ = ("args", "flat", "function", "kwargs", "makes_object", "name", "out", "pretended")

    def __init__(self, function: Any, args: tuple, kwargs: dict):
        self.function, self.args, self.kwargs = function, args, kwargs
        self.name = getattr(function, "__name__", "")
        if getattr(function, "__qualname__", "").startswith("TensorArray."):
            self.name = f"TensorArray.{self.name}"
        self.pretended = pretended(function)
        self.flat = not kwargs and not any(isinstance(a, (list, tuple, dict, slice)) or _composite(a) for a in args)
        self.out: Any = None
        self.makes_object = False  # one with a state, such as a tape

    def result(self, env: list) -> Any:
        """What the call returns for the values in ``env``."""
        function = self.function
        if self.pretended is not None and active.pretending:
            function = self.pretended
        if self.flat:
            return function(*[env[a.i] if type(a) is Slot else a for a in self.args])
        args, kwargs = filled(self.args, env), filled(self.kwargs, env)
        return function(*args, **kwargs)

    def run(self, env: list) -> None:
        """Carry the call out, and put what it returns into ``env``."""
        stored(self.out, self.result(env), env)


def _composite(value: Any) -> bool:
    return hasattr(type(value), "_parts_")


def filled(template: Any, env: list) -> Any:
    """A nest with values in the places of slots."""
    return mapped(template, lambda v: env[v.i] if type(v) is Slot else v)


def stored(out: Any, result: Any, env: list) -> None:
    """Put the leaves of a result into their slots."""
    if type(out) is Slot:
        env[out.i] = result
    elif out is not None:
        for slot, value in zip(leaves_of(out), leaves_of(result)):
            if type(slot) is Slot:
                env[slot.i] = value


def leaves_of(value: Any) -> list:
    found: list = []
    mapped(value, found.append)
    return found


def slots_in(template: Any) -> list[Slot]:
    return [v for v in leaves_of(template) if type(v) is Slot]


def carried_out(step: Step, world: World, env: list) -> Any:
    with world:
        return step.result(env)


def harmless(env: list) -> list:
    """Values for a step that fails with those of its world: zeros for integers, identities for floats."""
    return [_harmless_value(v) if type(v) is EagerTensor else v for v in env]


def _harmless_value(tensor: EagerTensor) -> EagerTensor:
    a = tensor._a
    if a.dtype.kind in "iu":
        return wrap(np.zeros(a.shape, a.dtype)[()])
    if a.dtype.kind in "fc":
        return wrap(
            np.broadcast_to(np.eye(*a.shape[-2:], dtype=a.dtype) if a.ndim > 1 else a.dtype.type(1), a.shape)[()]
        )
    return tensor
