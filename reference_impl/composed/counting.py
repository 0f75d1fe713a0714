"""Bins of a histogram, tensors stacked by a graph, and how far sequences are from each other."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import int32, kernel_name
from ..errors import InvalidArgumentError, invalid
from ..foundation.building import graph_being_built, intercepted
from ..ops.casting import cast
from ..ops.declare import NAMES
from ..ops.rounding import floor
from ..ops.shaping import stack
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, wrap


@intercepted
def histogram_fixed_width_bins(
    values: Any, value_range: Any, nbins: Any = 100, dtype: Any = int32, name: str | None = None
) -> EagerTensor:
    """The number of the bin of each value, of ``nbins`` bins of one width; the outer ones take what lies outside.

    int32, whatever ``dtype`` says, as in TensorFlow.
    InvalidArgumentError for no bins.
    """
    x = convert_to_tensor(values)
    limits, count = convert_to_tensor(value_range, x.dtype), convert_to_tensor(nbins, int32)
    if int(count._a) <= 0:
        text = "Expected 'tf.Tensor(False, shape=(), dtype=bool)' to be true. Summarized data: b'nbins "
        raise InvalidArgumentError(None, None, f"{text}{count!s} must > 0'")
    scaled = NAMES["truediv"](x - limits[0], limits[1] - limits[0])
    place = floor(NAMES["multiply"](cast(count, x.dtype), scaled))
    return cast(NAMES["clip_by_value"](place, 0, cast(count - 1, x.dtype)), int32)


def parallel_stack(values: Any, name: str = "parallel_stack") -> EagerTensor:
    """Tensors stacked along a new first axis, in functions alone.  RuntimeError in eager mode."""
    if graph_being_built() is None:
        raise RuntimeError("tf.parallel_stack() is not compatible with eager execution.")
    return stack(values)


def _sequences(value: Any) -> dict[tuple[int, ...], list]:
    found: dict[tuple[int, ...], list] = {}
    for at, member in zip(value.indices._a.tolist(), value.values._a.tolist()):
        found.setdefault(tuple(at[:-1]), []).append(member)
    return found


def _distance(a: list, b: list) -> int:
    """How many members must be put in, taken out or replaced to make one sequence of the other."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (x != y))
    return row[-1]


@intercepted
def edit_distance(hypothesis: Any, truth: Any, normalize: bool = True, name: str = "edit_distance") -> EagerTensor:
    """Levenshtein's distance of the sequences along the last axis of two sparse tensors, float32.

    With ``normalize`` over the length of the truth, infinite where that is 0 and the other is not.  TypeError for what
    is not sparse, InvalidArgumentError for different dtypes.  No gradient.
    """
    from ..sparse import SparseTensor

    for word, value in (("Hypothesis", hypothesis), ("Truth", truth)):
        if type(value) is not SparseTensor:
            raise TypeError(f"{word} must be a SparseTensor.")
    kinds = [kernel_name(v.values._a.dtype) for v in (hypothesis, truth)]
    if kinds[0] != kinds[1]:
        text = f"cannot compute EditDistance as input #4(zero-based) was expected to be a {kinds[0]} tensor but is a "
        raise invalid("EditDistance", f"{text}{kinds[1]} tensor", name, node=False)
    mine, its = _sequences(hypothesis), _sequences(truth)
    sizes = [v.dense_shape._a.tolist()[:-1] for v in (hypothesis, truth)]
    found = np.zeros([max(pair) for pair in zip(*sizes)], np.float32)
    for at in np.ndindex(found.shape):
        a, b = mine.get(at, []), its.get(at, [])
        found[at] = _distance(a, b)
        if normalize:
            found[at] = found[at] / len(b) if b else (np.inf if a else 0)
    return wrap(found[()])
