"""Conditions as rewritten code calls them: Python's, or branches in a graph when a tensor decides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import nest
from ..foundation.building import graph_being_built
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import is_tensor
from ..tracing.control_flow import as_result, choose, cond, new_branch
from ..tracing.graph import building
from ..tracing.structure import leaves, mapped
from ..tracing.symbols import SymbolicTensor
from .lowering import VALUE
from .undefined import Undefined


def value_of(read: Callable[[], Any], name: str) -> Any:
    """The value of a name, or Undefined."""
    try:
        return read()
    except (UnboundLocalError, NameError, AttributeError, KeyError, IndexError):
        return Undefined(name)


def returned(value: Any) -> Any:
    """What a function returns: None when no return was reached."""
    return None if type(value) is Undefined else value


# ---------------------------------------------------------------------------------------------- conditions


def if_exp(test: Any, body: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
    """``body() if test else orelse()``."""
    if is_tensor(test) and graph_being_built() is not None:
        return cond(test, body, orelse)
    return body() if test else orelse()


def and_(a: Callable[[], Any], b: Callable[[], Any]) -> Any:
    """``a() and b()``."""
    first = a()
    if is_tensor(first) and graph_being_built() is not None:
        return cond(first, b, lambda: first)
    return first and b()


def or_(a: Callable[[], Any], b: Callable[[], Any]) -> Any:
    """``a() or b()``."""
    first = a()
    if is_tensor(first) and graph_being_built() is not None:
        return cond(first, lambda: first, b)
    return first or b()


def if_stmt(test: Any, body: Any, orelse: Any, get: Any, set_: Any, symbols: tuple[str, ...], count: int) -> None:
    """``if test: body() else: orelse()``; the first ``count`` symbols are needed afterwards."""
    if not is_tensor(test) or graph_being_built() is None:
        body() if test else orelse()
        return
    graph, before = graph_being_built(), get()
    branches = []
    for word, run in (("true", body), ("false", orelse)):
        set_(before)
        branch = new_branch(graph, f"if_{word}")
        with building(branch):
            run()
        branches.append((branch, get()))
    set_(before)
    (first, left), (second, right) = branches
    kept = [_judged(name, a, b) for name, a, b in zip(symbols[:count], left, right)]
    chosen = [k for k, keep in enumerate(kept) if keep]
    for branch, values in branches:
        with building(branch):
            branch.finish([mapped(values[k], as_result) for k in chosen])
    for k in chosen:
        _same_types(symbols[k], first.structure[chosen.index(k)], second.structure[chosen.index(k)])
    test = convert_to_tensor(test)
    results = iter(choose(graph, test, [first, second]))
    after = [next(results) if k in chosen else left[k] for k in range(count)]
    set_((*after, *before[count:]))


def _judged(name: str, a: Any, b: Any) -> bool:
    """True when a symbol's value is chosen by the condition, False when it is the same object either way."""
    for value, other, word in ((a, b, "main"), (b, a, "else")):
        if type(value) is Undefined and type(other) is not Undefined:
            if name == VALUE:
                raise ValueError(f"the {word} branch must also have a return statement.")
            raise ValueError(f"'{name}' must also be initialized in the {word} branch")
        if value is None and other is not None:
            shown = "retval_" if name == VALUE else name
            raise ValueError(f"'{shown}' is None at the end of the {word} branch.")
    if type(a) is Undefined or a is None:
        return False
    if a is b and not any(is_tensor(v) for v in leaves(a)):
        return False
    return not (callable(a) and not is_tensor(a)) or a is not b


def _same_types(name: str, a: Any, b: Any) -> None:
    shown = f"'{'retval_' if name == VALUE else name}'"
    try:
        nest.assert_same_structure(a, b)
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"{shown} must have the same nested structure in the main and else branches:\n\n{error}"
        ) from None
    for x, y in zip(leaves(a), leaves(b)):
        if isinstance(x, SymbolicTensor) and isinstance(y, SymbolicTensor) and x.dtype is not y.dtype:
            raise TypeError(
                f"{shown} has dtype {x.dtype.name} in the main branch, but dtype {y.dtype.name} in the else branch"
            )
