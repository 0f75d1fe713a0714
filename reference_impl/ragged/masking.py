"""Entries of tensors and ragged tensors chosen by a mask, with the rows that they were in kept apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import InvalidArgumentError
from ..foundation.building import intercepted
from ..ops.declare import NAMES
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import wrap
from .tensor import RaggedTensor


@intercepted
def boolean_mask(data: Any, mask: Any, name: str | None = None) -> Any:
    """The entries of ``data`` where ``mask`` is True, row by row (``tf.ragged.boolean_mask``).

    ``data`` and ``mask`` are tensors or ragged tensors; the axes of ``mask`` are the first of ``data``.  Gradients flow
    to ``data``.  A tensor for a mask of one axis, otherwise ragged with as many ragged axes as the mask has, less one.

    Raises:
        ValueError: for a mask without axes, or whose sizes are not those of ``data``.
        InvalidArgumentError: where rows of both differ in length.
    """
    values = data if type(data) is RaggedTensor else convert_to_tensor(data)
    chosen = mask if type(mask) is RaggedTensor else convert_to_tensor(mask, "bool")
    rank = _rank(chosen)
    if not rank:
        raise ValueError("mask cannot be scalar.")
    if not any(type(v) is RaggedTensor for v in (values, chosen)):
        want, got = values._a.shape[:rank], chosen._a.shape
        if want != got:
            raise ValueError(f"Shapes {want} and {got} are incompatible")
    return _masked(values, chosen, rank)


def _masked(data: Any, mask: Any, rank: int) -> Any:
    if rank == 1:
        if type(data) is RaggedTensor:
            lengths = np.diff(data.row_splits._a)
            inner = _masked(data.values, wrap(np.repeat(mask._a, lengths)), 1)
            return RaggedTensor.from_row_lengths(inner, lengths[mask._a])
        return NAMES["boolean_mask"](data, mask)
    data, mask = (v if type(v) is RaggedTensor else RaggedTensor.from_tensor(v) for v in (data, mask))
    if not np.array_equal(data.row_splits._a, mask.row_splits._a):
        raise InvalidArgumentError(None, None, "Inputs must have identical ragged splits")
    inner = _masked(data.values, mask.values, rank - 1)
    if rank > 2:
        return data.with_values(inner)
    rows = mask.value_rowids()._a
    return RaggedTensor.from_row_lengths(inner, np.bincount(rows[mask.values._a], minlength=int(mask.nrows())))


def _rank(x: Any) -> int:
    return x.ragged_rank + x.flat_values._a.ndim if type(x) is RaggedTensor else x._a.ndim
