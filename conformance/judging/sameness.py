"""Whether two answers are the same to the last bit: `identical(want, got)`.

The cheap question that most comparisons begin and end with. The sign of zero counts; a NaN's sign and payload do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import copysign
from typing import Any

from adapters.language import Array
from adapters.observations import Host, Nest, Observation, Outcome, RaggedTensor, SparseSlices, Tensor


def identical(want: Sequence[Observation], got: Sequence[Observation]) -> bool:
    """Whether two runs gave the same outcomes and warnings, step by step."""
    return len(want) == len(got) and all(
        w.warnings == g.warnings and same_outcome(w.outcome, g.outcome) for w, g in zip(want, got, strict=True)
    )


def same_outcome(want: Outcome, got: Outcome) -> bool:
    """Whether two outcomes are the same to the last bit."""
    if type(want) is not type(got):
        return False
    match want, got:
        case Tensor(array=a), Tensor(array=b):
            return same_array(a, b)
        case Nest(), Nest():
            return _same_nest(want, got)
        case SparseSlices(), SparseSlices():
            return all(same_outcome(getattr(want, n), getattr(got, n)) for n in ("values", "indices", "dense_shape"))
        case RaggedTensor(), RaggedTensor():
            return same_outcome(want.values, got.values) and same_outcome(want.row_splits, got.row_splits)
        case Host(), Host():
            return want.type_name == got.type_name and same_array(want.array, got.array)
    return want == got


def _same_nest(want: Nest, got: Nest) -> bool:
    return (
        want.kind == got.kind
        and want.keys == got.keys
        and len(want.items) == len(got.items)
        and all(map(same_outcome, want.items, got.items))
    )


def same_array(a: Array, b: Array) -> bool:
    """Whether two arrays have the same dtype, shape and bits."""
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.values == b.values:
        return 0.0 not in a.values or all(map(_same_sign, a.values, b.values))
    # Unequal as tuples: still the same if all that differs is that a nan is not equal to itself.
    return len(a.values) == len(b.values) and all(map(_same_element, a.values, b.values))


def _same_sign(a: Any, b: Any) -> bool:
    if isinstance(a, complex):
        return _same_sign(a.real, b.real) and _same_sign(a.imag, b.imag)
    return not isinstance(a, float) or copysign(1.0, a) == copysign(1.0, b)


def _same_element(a: Any, b: Any) -> bool:
    if isinstance(a, complex) and isinstance(b, complex):
        return _same_element(a.real, b.real) and _same_element(a.imag, b.imag)
    if a != a:
        return b != b
    return a == b and _same_sign(a, b)
