"""Rows of a table by sparse ids, added up or averaged for each example (``tf.nn.embedding_lookup_sparse``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ops.declare import NAMES
from ..tensors.tensor import EagerTensor
from .tensor import SparseTensor

_COMBINERS = ("mean", "sqrtn", "sum")


def embedding_lookup_sparse(
    params: Any, sp_ids: SparseTensor, sp_weights: SparseTensor | None, combiner: str | None = None,
    max_norm: float | None = None, name: str | None = None, allow_fast_lookup: bool = False,
) -> EagerTensor:  # fmt: skip
    """For each row of ``sp_ids`` the sum (or weighted mean) of the rows of ``params`` that it names.

    Ids and weights are sparse or ragged.  ValueError for another ``combiner`` than mean, sqrtn and sum.
    """
    combiner = "mean" if combiner is None else combiner
    if combiner not in _COMBINERS:
        raise ValueError(f"combiner must be one of 'mean', 'sqrtn' or 'sum', got {combiner}")
    segments, ids = _rows_and_values(sp_ids)
    weights = None if sp_weights is None else _rows_and_values(sp_weights)[1]
    if weights is not None and weights.shape != ids.shape:
        raise ValueError(f"Shapes {tuple(ids.shape)} and {tuple(weights.shape)} are incompatible")
    count = int(segments[-1]) + 1 if len(segments) else 0
    unique, places = np.unique(ids._a, return_inverse=True)
    table = NAMES["nn.embedding_lookup"](params, unique, max_norm=max_norm)
    rows = NAMES["gather"](table, places.reshape(-1))
    add = NAMES["math.unsorted_segment_sum"]
    if weights is None:
        total = add(rows, segments, count)
        sizes = np.bincount(segments, minlength=count).astype(rows.dtype.numpy)[:, None]
        if combiner == "sum":
            return total
        return total / (sizes if combiner == "mean" else np.sqrt(sizes))
    weights = NAMES["cast"](weights, rows.dtype)
    total = add(rows * NAMES["expand_dims"](weights, -1), segments, count)
    if combiner == "sum":
        return total
    scale = add(weights if combiner == "mean" else weights * weights, segments, count)
    scale = scale if combiner == "mean" else NAMES["sqrt"](scale)
    return NAMES["math.divide_no_nan"](total, NAMES["expand_dims"](scale, -1))


def _rows_and_values(rows: Any) -> tuple[Any, Any]:
    """The row number of each value, an array, and the values of a sparse or ragged tensor of two axes."""
    if type(rows) is SparseTensor:
        return rows.indices._a[:, 0], rows.values
    return rows.value_rowids()._a, rows.values
