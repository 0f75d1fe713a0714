"""Functions of ragged tensors: making them, mapping their values and joining their rows."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from ..ops.declare import NAMES
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, wrap
from .tensor import RaggedTensor


def constant(
    pylist: Any, dtype: Any = None, ragged_rank: Any = None, inner_shape: Any = None, name: Any = None,
    row_splits_dtype: Any = None,
) -> RaggedTensor:  # fmt: skip
    """Nested lists as a ragged tensor (``tf.ragged.constant``)."""
    values, splits = list(pylist), []
    depth = _depth(values) - 1 if ragged_rank is None else int(ragged_rank)
    for _ in builtins.range(depth):
        splits.append(np.concatenate([[0], np.cumsum([len(v) for v in values])]).astype(np.int64))
        values = [item for v in values for item in v]
    flat = convert_to_tensor(values, dtype) if values or dtype is not None else convert_to_tensor(np.zeros(0, "f4"))
    return RaggedTensor.from_nested_row_splits(flat, splits)


def _depth(value: Any) -> int:
    return 1 + max((_depth(v) for v in value), default=0) if isinstance(value, (list, tuple, np.ndarray)) else 0


def map_flat_values(op: Any, *args: Any, **kwargs: Any) -> Any:
    """``op`` of the innermost values of its ragged arguments (``tf.ragged.map_flat_values``)."""
    first = next((a for a in (*args, *kwargs.values()) if type(a) is RaggedTensor), None)
    if first is None:
        return op(*args, **kwargs)
    bare = {k: v.flat_values if type(v) is RaggedTensor else v for k, v in kwargs.items()}
    return first.with_flat_values(op(*(a.flat_values if type(a) is RaggedTensor else a for a in args), **bare))


def range(
    starts: Any, limits: Any = None, deltas: Any = 1, dtype: Any = None, name: Any = None, row_splits_dtype: Any = None
) -> RaggedTensor:
    """A row of numbers for each limit (``tf.ragged.range``)."""
    if limits is None:
        starts, limits = 0, starts
    a, b, d = (convert_to_tensor(v, dtype)._a for v in (starts, limits, deltas))
    rows = [np.arange(*v, dtype=b.dtype) for v in zip(*np.broadcast_arrays(a, b, d))]
    return RaggedTensor.from_row_lengths(np.concatenate(rows), [len(r) for r in rows])


def row_splits_to_segment_ids(splits: Any, name: Any = None, out_type: Any = None) -> EagerTensor:
    """The row of each value (``tf.ragged.row_splits_to_segment_ids``)."""
    a = convert_to_tensor(splits)._a
    return wrap(np.repeat(np.arange(len(a) - 1), np.diff(a)))


def stack(values: Any, axis: int = 0, name: Any = None) -> RaggedTensor:
    """Tensors or ragged tensors as the rows of a ragged one (``tf.ragged.stack`` along axis 0)."""
    if axis != 0:
        raise NotImplementedError("ragged.stack along an inner axis")
    rows = [v if type(v) is RaggedTensor else convert_to_tensor(v) for v in values]
    lengths = [int(v.nrows()) if type(v) is RaggedTensor else v._a.shape[0] for v in rows]
    return RaggedTensor.from_row_lengths(concatenated(rows, 0), lengths)


def concatenated(values: Any, axis: int) -> Any:
    """``tf.concat`` of tensors of which some are ragged."""
    if not any(type(v) is RaggedTensor for v in values):
        return NAMES["concat"](values, axis)
    rows = [v if type(v) is RaggedTensor else RaggedTensor.from_tensor(v) for v in values]
    joined = concatenated([r.values for r in rows], 0)
    lengths = [np.diff(r.row_splits._a) for r in rows]
    if axis == 0:
        return RaggedTensor.from_row_lengths(joined, np.concatenate(lengths))
    base = np.cumsum([0, *[int(n.sum()) for n in lengths]])
    whole = RaggedTensor.from_row_lengths(joined, np.concatenate(lengths))
    count = len(lengths[0])
    order = np.arange(len(rows) * count).reshape(len(rows), count).T.reshape(-1)
    assert base[-1] == sum(int(n.sum()) for n in lengths)
    return RaggedTensor.from_row_lengths(whole._gathered_(order).values, np.sum(lengths, axis=0))


def pairwise(function: Any, x: Any, y: Any) -> RaggedTensor:
    """An elementwise function of two operands, one or both ragged."""
    if type(x) is RaggedTensor and type(y) is RaggedTensor:
        return x.with_flat_values(function(x.flat_values, y.flat_values))
    ragged = x if type(x) is RaggedTensor else y
    other = convert_to_tensor(y if ragged is x else x, dtype=ragged.dtype)
    if other._a.ndim:
        rows = other._a.shape[0]
        if rows != 1:
            other = NAMES["gather"](NAMES["reshape"](other, [rows]), ragged.value_rowids())
    values = ragged.flat_values
    if other._a.ndim:  # TensorFlow broadcasts by gathering, which shows in the kind of gradient
        values = NAMES["gather"](values, np.arange(values._a.shape[0]))
    first, second = (values, other) if ragged is x else (other, values)
    return ragged.with_flat_values(function(first, second))
