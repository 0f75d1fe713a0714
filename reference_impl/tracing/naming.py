"""What calls are called in a graph, and what stands for calls with effects outside it while a graph is being built."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_LABELS = {
    "multiply": "mul", "add": "add", "subtract": "sub", "divide": "truediv", "pow": "pow", "negative": "Neg",
    "reduce_sum": "Sum", "reduce_mean": "Mean", "reduce_max": "Max", "reduce_min": "Min", "reduce_prod": "Prod",
    "constant": "Const", "matmul": "MatMul", "get_item": "strided_slice", "read": "ReadVariableOp", "zeros": "zeros",
    "ones": "ones", "zeros_like": "zeros_like", "ones_like": "ones_like", "floordiv": "floordiv", "floormod": "mod",
    "stack": "stack", "gather": "GatherV2", "where": "SelectV2", "cond": "cond", "while_loop": "while",
}  # fmt: skip


def label_of(function: Any) -> str:
    """The name of the node for a call, as TensorFlow would call it in the common cases."""
    name = getattr(function, "__name__", "op")
    return _LABELS.get(name) or "".join(word.capitalize() for word in name.split("_")) or "op"


def _nothing(*_args: Any, **_kwargs: Any) -> None:
    """In the place of a call that only has an effect."""


def _zeros_of(_function: Any, _inputs: Any, Tout: Any = None, *_args: Any, **_kwargs: Any) -> Any:
    """In the place of a Python function whose results are not known: zeros of the dtypes it declares."""
    import numpy as np

    from ..dtypes import as_dtype
    from ..tensor import wrap

    if isinstance(Tout, (list, tuple)):
        return [wrap(np.zeros((), as_dtype(t).numpy)[()]) for t in Tout]
    return wrap(np.zeros((), as_dtype(Tout).numpy)[()])


_PRETENDED: dict[str, Callable[..., Any]] = {
    "print": _nothing, "print_v2": _nothing, "py_function": _zeros_of, "numpy_function": _zeros_of, "Assert": _nothing,
}  # fmt: skip


def pretended(function: Any) -> Callable[..., Any] | None:
    """What is called in a function's place while a graph is built: None for a function without effects."""
    name = getattr(function, "__name__", "")
    if name.startswith("assert_"):
        return _nothing
    return _PRETENDED.get(name)
