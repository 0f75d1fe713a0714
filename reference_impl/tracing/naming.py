"""What calls are called in a graph, and what stands for calls with effects outside it while a graph is being built."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_LABELS = {
    "multiply": "mul", "add": "add", "subtract": "sub", "divide": "truediv", "truediv": "truediv", "pow": "pow",
    "negative": "Neg",
    "reduce_sum": "Sum", "reduce_mean": "Mean", "reduce_max": "Max", "reduce_min": "Min", "reduce_prod": "Prod",
    "constant": "Const", "matmul": "MatMul", "get_item": "strided_slice", "read": "ReadVariableOp", "zeros": "zeros",
    "ones": "ones", "zeros_like": "zeros_like", "ones_like": "ones_like", "floordiv": "floordiv", "floormod": "mod",
    "stack": "stack", "gather": "GatherV2", "where": "SelectV2", "cond": "cond", "while_loop": "while",
    "numpy_function": "PyFunc", "py_function": "EagerPyFunc", "iter": "OneShotIterator",
    "get_next": "IteratorGetNext", "advance": "OptionalHasValue", "current": "OptionalGetValue",
}  # fmt: skip


def label_of(function: Any) -> str:
    """The name of the node for a call, as TensorFlow would call it in the common cases."""
    name = getattr(function, "__name__", "op")
    return _LABELS.get(name) or "".join(word.capitalize() for word in name.split("_")) or "op"


def _nothing(*_args: Any, **_kwargs: Any) -> None:
    """In the place of a call that only has an effect."""


def _py_function(*args: Any, **kwargs: Any) -> Any:
    from ..user_gradients.python_functions import unknown_results

    return unknown_results(*args, **kwargs)


def _numpy_function(*args: Any, stateful: bool = True, **kwargs: Any) -> Any:
    from ..user_gradients.python_functions import unknown_results

    return unknown_results(*args, **kwargs, differentiable=False)


_PRETENDED: dict[str, Callable[..., Any]] = {
    "print_": _nothing, "py_function": _py_function, "Assert": _nothing,
    "numpy_function": _numpy_function, "table_insert": _nothing, "table_remove": _nothing, "write_file": _nothing,
}  # fmt: skip


def pretended(function: Any) -> Callable[..., Any] | None:
    """What is called in a function's place while a graph is built: None for a function without effects."""
    name = getattr(function, "__name__", "")
    if name.startswith("assert_"):
        return _nothing
    return _PRETENDED.get(name)
