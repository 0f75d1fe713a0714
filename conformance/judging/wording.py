"""Outcomes in words, for traces and titles: `worded(outcome)` is `f32[2] [1, 2]`, `None`, `raised ValueError: ...`."""

from __future__ import annotations

from typing import Any

from adapters.language import Array
from adapters.observations import (
    Crashed,
    Done,
    Host,
    Nest,
    Nothing,
    Outcome,
    RaggedTensor,
    Raised,
    Skipped,
    SparseSlices,
    Tensor,
    TimedOut,
    Unsupported,
    Variable,
)  # fmt: skip

_SHOWN = 8  # elements of an array
_SHORT = {
    "float32": "f32",
    "float64": "f64",
    "float16": "f16",
    "bfloat16": "bf16",
    "complex64": "c64",
    "complex128": "c128",
}


def worded(outcome: Outcome) -> str:
    """One line for an outcome."""
    match outcome:
        case Tensor(array=array):
            return worded_array(array)
        case Host(type_name=name, array=array):
            return f"{name} {_values(array)}"
        case SparseSlices():
            return f"IndexedSlices(values={worded(outcome.values)}, indices={worded(outcome.indices)})"
        case RaggedTensor():
            return f"ragged(values={worded(outcome.values)}, row_splits={worded(outcome.row_splits)})"
        case Nest(kind=kind, items=items, keys=keys):
            return _nest(kind, [worded(item) for item in items], keys)
        case Raised(cls=cls, message=message):
            return f"raised {cls}: {message}"
    return _plain(outcome)


def _plain(outcome: Outcome) -> str:
    match outcome:
        case Nothing():
            return "None"
        case Done():
            return "done"
        case Variable(step=step):
            return f"the variable of step {step}"
        case Skipped():
            return "skipped"
        case Unsupported(reason=reason):
            return f"unsupported: {reason}"
        case Crashed(reason=reason):
            return f"crashed: {reason}"
        case TimedOut(seconds=seconds):
            return f"timed out after {seconds:g} s"
    return repr(outcome)


def _nest(kind: str, items: list[str], keys: tuple[Any, ...]) -> str:
    inside = ", ".join(items)
    if keys:
        inside = ", ".join(f"{key!r}: {item}" for key, item in zip(keys, items, strict=True))
        return "{" + inside + "}" if kind == "dict" else f"{kind}({inside})"
    return f"[{inside}]" if kind == "list" else f"({inside})"


def worded_array(array: Array) -> str:
    """dtype, shape and values, the first few of many."""
    return f"{_SHORT.get(array.dtype, array.dtype)}{list(array.shape)} {_values(array)}"


def _values(array: Array) -> str:
    texts = [_number(value, array.dtype) for value in array.values[:_SHOWN]]
    if not array.shape:
        return texts[0] if texts else ""
    more = f", ... {len(array.values) - _SHOWN} more" if len(array.values) > _SHOWN else ""
    return f"[{', '.join(texts)}{more}]"


def _number(value: Any, dtype: str) -> str:
    """As many digits as tell the numbers of a dtype apart."""
    if not isinstance(value, float):
        return str(value)
    return repr(value).removesuffix(".0") if dtype == "float64" else f"{value:.9g}"
