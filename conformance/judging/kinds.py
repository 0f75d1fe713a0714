"""Finer words for what was observed, as causes and reports use them: `zeros`, `nan`, `infinite` tensors ..."""

from __future__ import annotations

from math import isfinite, isnan
from typing import Any

from adapters.observations import Nest, Outcome, RaggedTensor, Raised, SparseSlices, Tensor, kind_of


def finer_kind(outcome: Outcome) -> str:
    """The kind of an outcome, with what a tensor holds (`zeros`, `tensor`, `nan`, `infinite`) and an error's class."""
    match outcome:
        case Tensor(array=array):
            return _nature(array.values)
        case Raised(cls=cls):
            return f"raised {cls}"
        case Nest(kind=kind):
            return kind
    return kind_of(outcome)


def _nature(values: tuple[Any, ...]) -> str:
    numbers = [v for v in values if isinstance(v, float | complex | int)]
    if any(_is_nan(v) for v in numbers):
        return "nan"
    if any(not _is_finite(v) for v in numbers):
        return "infinite"
    return "tensor" if any(values) else "zeros"  # also where there are no values


def _is_nan(value: Any) -> bool:
    return isnan(value.real) or isnan(value.imag) if isinstance(value, complex) else isnan(value)


def _is_finite(value: Any) -> bool:
    return isfinite(value.real) and isfinite(value.imag) if isinstance(value, complex) else isfinite(value)


def has_finite_nonzero(outcome: Outcome) -> bool:
    """Whether an outcome holds a finite floating number other than zero."""
    match outcome:
        case Tensor(array=array):
            return any(isinstance(v, float | complex) and v != 0 and _is_finite(v) for v in array.values)
        case SparseSlices() | RaggedTensor():
            return has_finite_nonzero(outcome.values)
        case Nest(items=items):
            return any(map(has_finite_nonzero, items))
    return False
