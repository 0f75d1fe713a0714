"""How far sequences are from each other: edit_distance."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import kernel_name
from ..errors import invalid
from ..foundation.building import intercepted
from ..tensors.tensor import EagerTensor, wrap


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
