"""Rows of a table by sparse ids, added up or averaged for each example (``tf.nn.embedding_lookup_sparse``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ops.declare import NAMES
from ..tensors.tensor import EagerTensor
from .functions import fill_empty_rows, reshape, retain
from .segments import segment_mean, segment_sqrt_n, segment_sum
from .tensor import SparseTensor

_BY_SEGMENTS = {"mean": segment_mean, "sqrtn": segment_sqrt_n, "sum": segment_sum}


def embedding_lookup_sparse(
    params: Any, sp_ids: SparseTensor, sp_weights: SparseTensor | None, combiner: str | None = None,
    max_norm: float | None = None, name: str | None = None, allow_fast_lookup: bool = False,
) -> EagerTensor:  # fmt: skip
    """For each row of ``sp_ids`` the sum (or weighted mean) of the rows of ``params`` that it names.

    Ids and weights are sparse or ragged.  ValueError for another ``combiner`` than mean, sqrtn and sum.
    """
    combiner = "mean" if combiner is None else combiner
    if combiner not in _BY_SEGMENTS:
        raise ValueError(f"combiner must be one of 'mean', 'sqrtn' or 'sum', got {combiner}")
    segments, ids = _rows_and_values(sp_ids)
    weights = None if sp_weights is None else _rows_and_values(sp_weights)[1]
    if weights is not None and weights.shape != ids.shape:
        raise ValueError(f"Shapes {tuple(ids.shape)} and {tuple(weights.shape)} are incompatible")
    count = int(segments[-1]) + 1 if len(segments) else 0
    unique, places = NAMES["unique"](ids)
    table = NAMES["nn.embedding_lookup"](params, unique, max_norm=max_norm)
    if weights is None:
        return _BY_SEGMENTS[combiner](table, places, segments)
    rows = NAMES["gather"](table, places)
    add = NAMES["math.unsorted_segment_sum"]
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


def _pruned(ids: SparseTensor, weights: SparseTensor | None, combiner: str | None) -> tuple:
    """Without negative ids and, unless rows are added up, without weights that are not positive."""
    kept = np.asarray(ids.values._a) >= 0
    if weights is not None and combiner != "sum":
        kept &= np.asarray(weights.values._a) > 0
    return retain(ids, kept), None if weights is None else retain(weights, kept)


def safe_embedding_lookup_sparse(
    embedding_weights: Any, sparse_ids: SparseTensor, sparse_weights: SparseTensor | None = None,
    combiner: str | None = "mean", default_id: int | None = None, max_norm: float | None = None,
    name: str | None = None, allow_fast_lookup: bool = False,
) -> EagerTensor:  # fmt: skip
    """As ``embedding_lookup_sparse``; rows without a valid id give zeros, or the row of ``default_id``.

    (``tf.nn.safe_embedding_lookup_sparse``)  ValueError without weights.
    """
    if embedding_weights is None or (isinstance(embedding_weights, list) and not embedding_weights):
        raise ValueError(f"Missing embedding_weights {embedding_weights}.")
    lead = tuple(int(d) for d in sparse_ids.dense_shape._a[:-1])
    ids = reshape(sparse_ids, [int(np.prod(lead)), int(sparse_ids.dense_shape._a[-1])])
    weights = None if sparse_weights is None else SparseTensor(ids.indices, sparse_weights.values, ids.dense_shape)
    ids, weights = _pruned(ids, weights, combiner)
    ids, empty = fill_empty_rows(ids, default_id or 0)
    if weights is not None:
        weights, _ = fill_empty_rows(weights, 1.0)
    result = embedding_lookup_sparse(embedding_weights, ids, weights, combiner, max_norm)
    width = result._a.shape[1]
    if default_id is None:
        rows = NAMES["tile"](NAMES["reshape"](empty, [-1, 1]), [1, width])
        result = NAMES["where"](rows, NAMES["zeros_like"](result), result)
    return NAMES["reshape"](result, (*lead, width))
