"""What a value looks like: the backend describes the implementation's own kinds, this module Python's and NumPy's."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from adapters.arrays import from_numpy
from adapters.backend import Backend
from adapters.language import Array
from adapters.observations import Done, Host, Nest, Nothing, Outcome, Variable

_NUMBERS = ((bool, "bool"), (int, "int64"), (float, "float64"), (complex, "complex128"))


def describe(value: Any, backend: Backend, variables: dict[Hashable, int], step: int) -> Outcome:
    """The outcome for `value`, seen at `step`. `variables` maps variables to the steps that made them.

    A variable that nothing of the program made (an op did) is named by the step at which it was first seen. A value of
    no describable kind (a tape, a function) is `Done`.
    """
    if value is None:
        return Nothing()
    outcome = backend.observe(value)
    if outcome is not None:
        return outcome
    key = backend.variable_key(value)
    if key is not None:
        return Variable(variables.setdefault(key, step))
    if isinstance(value, (list, tuple, dict)):
        held = value.values() if isinstance(value, dict) else value
        return _nest(value, tuple([describe(item, backend, variables, step) for item in held]))
    return _host(value)


def _nest(value: Any, items: tuple[Outcome, ...]) -> Nest:
    if isinstance(value, dict):
        return Nest("dict", items, tuple(value))
    if isinstance(value, tuple):
        # a named tuple shows its field names: users read `.values` of what top_k returns
        return Nest("tuple", items, tuple(getattr(value, "_fields", ())))
    return Nest("list", items)


def _host(value: Any) -> Outcome:
    if isinstance(value, np.ndarray):
        return Host("ndarray", from_numpy(value))
    if isinstance(value, np.generic):
        return Host(type(value).__name__.rstrip("_"), from_numpy(value))
    if isinstance(value, (str, bytes)):
        return Host("bytes" if isinstance(value, bytes) else "str", from_numpy(value))
    for kind, dtype in _NUMBERS:
        if isinstance(value, kind):
            return Host(kind.__name__, Array(dtype, (), (value,)))
    return Done()
