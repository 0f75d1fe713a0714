"""Calls in a program that are Python's own rather than the implementation's.

`python_call(op)` gives the function for an op whose name starts with one of these words, or None for a public name of
the implementation:

- `operator.NAME`: a function of Python's `operator` module (`operator.mul`, `operator.getitem`, `operator.iadd`)
- `method.NAME`: the method of the first argument; `attribute.NAME`: its attribute
- `python.NAME`: a builtin that users apply to tensors (`python.float`, `python.repr`, `python.list` ...),
  `python.deepcopy`, `python.copy`, `python.type_name`, and `python.raise` (a class name and a message)
- `numpy.NAME`: a function of NumPy applied to the implementation's values (`numpy.array`, `numpy.square`)
"""

from __future__ import annotations

import builtins
import copy
import operator
from collections.abc import Callable
from functools import cache
from typing import Any, NoReturn

import numpy as np

PREFIXES = ("operator", "method", "attribute", "python", "numpy")

_BUILTINS = (
    "abs", "bool", "complex", "divmod", "float", "hash", "int", "isinstance", "iter", "len", "list", "max", "min",
    "next", "pow", "range", "repr", "round", "sorted", "str", "sum", "tuple",
)  # fmt: skip


def _raise(class_name: str, message: str = "") -> NoReturn:
    cls = getattr(builtins, class_name, None)
    if not (isinstance(cls, type) and issubclass(cls, Exception)):
        raise TypeError(f"{class_name!r} is no exception class of Python")
    raise cls(message)


def _method(name: str) -> Callable[..., Any]:
    def call(receiver: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(receiver, name)(*args, **kwargs)

    return call


_PYTHON: dict[str, Callable[..., Any]] = {
    **{name: getattr(builtins, name) for name in _BUILTINS},
    "raise": _raise,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "type_name": lambda value: type(value).__name__,
}


@cache
def python_call(op: str) -> Callable[..., Any] | None:
    """The Python function behind `op`, or None when `op` names something of the implementation's.

    LookupError when the first word is one of `PREFIXES` and nothing of that name exists.
    """
    prefix, _, name = op.partition(".")
    match prefix:
        case "operator":
            found = getattr(operator, name, None)
        case "method":
            found = _method(name)
        case "attribute":
            found = operator.attrgetter(name)
        case "python":
            found = _PYTHON.get(name)
        case "numpy":
            found = operator.attrgetter(name)(np)
        case _:
            return None
    if found is None:
        raise LookupError(f"Python has no {op}")
    return found
