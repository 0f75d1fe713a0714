"""Whether a module shaped like TensorFlow lacks what a step asks for, which is unsupported and not wrong.

    method_of(tape, "reset")                     the method, or UnsupportedStep
    taken(tape.gradient, (y, x), {"output_gradients": g})     the call; UnsupportedStep when there is no such parameter

A foreign module is asked by what is there: an attribute that is missing, a parameter that a function does not have, an
operator that a tensor does not define. An error that comes from inside a function that is there stays an error.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from adapters.backend import UnsupportedStep
from adapters.python_calls import PREFIXES

_UNARY = {"neg": "__neg__", "pos": "__pos__", "abs": "__abs__", "invert": "__invert__", "not_": "__bool__"}
_PYTHON = {
    "abs": "__abs__", "bool": "__bool__", "complex": "__complex__", "divmod": "__divmod__", "float": "__float__",
    "int": "__int__", "iter": "__iter__", "len": "__len__", "list": "__iter__", "max": "__iter__", "min": "__iter__",
    "next": "__next__", "pow": "__pow__", "range": "__index__", "round": "__round__", "sorted": "__iter__",
    "sum": "__iter__", "tuple": "__iter__",
}  # fmt: skip
_SPELLED = {"and_": "and", "or_": "or", "concat": "add"}


def method_of(receiver: Any, name: str) -> Any:
    """The method or attribute `name` of a value; UnsupportedStep when the value's class has none."""
    try:
        return getattr(receiver, name)
    except AttributeError:
        if hasattr(type(receiver), name):
            raise  # it is there: its own code failed
        raise UnsupportedStep(f"{type(receiver).__name__} has no {name}") from None


def taken(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function; UnsupportedStep when its signature has no place for one of the arguments."""
    try:
        return function(*args, **kwargs)
    except TypeError:
        fault = _unplaced(function, args, kwargs)
        if fault:
            raise UnsupportedStep(fault) from None
        raise


def _unplaced(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """Which argument the function has no parameter for, as a sentence; "" when there is one for each."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return ""  # written in C without a signature: its error stands
    name = getattr(function, "__qualname__", getattr(function, "__name__", type(function).__name__))
    kinds = {parameter.kind for parameter in parameters}
    named = {one.name for one in parameters if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)}
    if inspect.Parameter.VAR_KEYWORD not in kinds:
        unknown = [key for key in kwargs if key not in named]
        if unknown:
            return f"{name} takes no {unknown[0]}"
    places = sum(one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD) for one in parameters)
    if inspect.Parameter.VAR_POSITIONAL not in kinds and len(args) > places:
        return f"{name} takes at most {places} arguments"
    return ""


def lacking_operator(op: str, args: tuple[Any, ...], is_own: Callable[[Any], bool]) -> str:
    """A sentence when `op` (`operator.matmul`, `python.float`) needs a special method that none of the
    implementation's values among `args` has; else "". `is_own` tells those values from Python's and NumPy's."""
    prefix, _, name = op.partition(".")
    own = [one for one in args if is_own(one)]
    if not own or prefix not in ("operator", "python"):
        return ""
    methods = _special(prefix, name)
    if not methods or any(_defines(type(one), method) for one in own for method in methods):
        return ""
    return f"{type(own[0]).__name__} has no {methods[0]}"


def _defines(cls: type, method: str) -> bool:
    """Whether a class has a special method that is not merely `object`'s."""
    return getattr(cls, method, None) is not getattr(object, method, None)


def _special(prefix: str, name: str) -> tuple[str, ...]:
    if prefix == "python":
        return (_PYTHON[name],) if name in _PYTHON else ()
    if name in _UNARY:
        return (_UNARY[name],)
    if name == "getitem":
        return ("__getitem__",)
    word = _SPELLED.get(name, name)
    if word.startswith("i") and word[1:] in ("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow"):
        word = word[1:]  # in place: Python falls back to the plain operator
    return f"__{word}__", f"__r{word}__"


def called(
    op: str, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], is_own: Callable[[Any], bool]
) -> Any:
    """Call what `op` names in a foreign module; UnsupportedStep when the module or its values lack it."""
    prefix, _, name = op.partition(".")
    if prefix == "method" and args:
        return taken(method_of(args[0], name), args[1:], kwargs)
    if prefix == "attribute" and args:
        found = args[0]
        for word in name.split("."):
            found = method_of(found, word)
        return found
    if prefix in PREFIXES:
        lacking = lacking_operator(op, args, is_own)
        if lacking:
            raise UnsupportedStep(lacking)
        return function(*args, **kwargs)
    return taken(function, args, kwargs)
