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

    ValueError for another ``combiner`` than mean, sqrtn and sum.  ``max_norm`` is not taken.
    """
    combiner = "mean" if combiner is None else combiner
    if combiner not in _COMBINERS:
        raise ValueError(f"combiner must be one of 'mean', 'sqrtn' or 'sum', got {combiner}")
    if max_norm is not None:
        raise NotImplementedError("embedding_lookup_sparse with max_norm")
    segments = sp_ids.indices._a[:, 0]
    count = int(segments[-1]) + 1 if len(segments) else 0
    unique, places = np.unique(sp_ids.values._a, return_inverse=True)
    table = NAMES["nn.embedding_lookup"](params, unique)
    rows = NAMES["gather"](table, places.reshape(-1))
    add = NAMES["math.unsorted_segment_sum"]
    if sp_weights is None:
        total = add(rows, segments, count)
        sizes = np.bincount(segments, minlength=count).astype(rows.dtype.numpy)[:, None]
        if combiner == "sum":
            return total
        return total / (sizes if combiner == "mean" else np.sqrt(sizes))
    weights = NAMES["cast"](sp_weights.values, rows.dtype)
    total = add(rows * NAMES["expand_dims"](weights, -1), segments, count)
    if combiner == "sum":
        return total
    scale = add(weights if combiner == "mean" else weights * weights, segments, count)
    scale = scale if combiner == "mean" else NAMES["sqrt"](scale)
    return NAMES["math.divide_no_nan"](total, NAMES["expand_dims"](scale, -1))
