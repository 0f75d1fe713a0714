"""Kernels of ragged tensors as TensorFlow has them under ``tf.raw_ops``: row splits and values by themselves.

Splits, row numbers and shapes are constants to every tape; values and what fills gaps have gradients, those of values
mostly as slices.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ..errors import invalid, unnamed
from ..ops.declare import MISSING, kernel, public
from ..ops.kernels.refusals import brackets
from ..ops.scatter import scatter_set
from ..sparse.fitting import negative, rows_inside
from ..sparse.merging import fill_gradients, filled, filling
from ..tensors.conversion import convert_to_tensor
from ..tensors.slices import IndexedSlices
from ..tensors.tensor import EagerTensor, wrap

RaggedTensorToSparse_ = namedtuple("RaggedTensorToSparse", ("sparse_indices", "sparse_values", "sparse_dense_shape"))
RaggedGather_ = namedtuple("RaggedGather", ("output_nested_splits", "output_dense_values"))
RaggedFillEmptyRows_ = namedtuple(
    "RaggedFillEmptyRows", ("output_value_rowids", "output_values", "empty_row_indicator", "reverse_index_map")
)


def _array(value: Any) -> Any:
    return np.asarray(convert_to_tensor(value)._a)


def _rows(F: Any, x: Any, at: Any) -> Any:
    return F.gather(x, wrap(at) if F.recording else at, literal=0, axis=0, batch_dims=0)


def _slices(F: Any, values: Any, at: Any, shape: tuple[int, ...]) -> IndexedSlices:
    sizes = np.array(shape, np.int32)
    return IndexedSlices(values, wrap(at), wrap(sizes)) if F.recording else IndexedSlices(values, at, sizes)


# ------------------------------------------------------------------------------------------------------- to dense


def _children(kind: str, part: Any, parents: int) -> list[tuple[int, int]]:
    """(parent, place in its row) of each item of a level, in order."""
    if kind == "ROW_SPLITS":
        lengths = np.diff(part)
    else:
        lengths = np.bincount(part, minlength=parents)
    return [(row, k) for row, length in enumerate(lengths) for k in range(int(length))]


def _sources(kinds: Sequence[str], parts: Sequence[Any], asked: Sequence[int], count: int) -> Any:
    """For each place of the dense tensor the value that stands there, -1 for none: of the shape ``asked`` for.

    Sizes below 0 are those of the longest row.
    """
    first = kinds[0] == "FIRST_DIM_SIZE"
    levels = list(zip(kinds, parts))[1:] if first else list(zip(kinds, parts))
    rows = int(parts[0]) if first else len(parts[0]) - 1
    found: list[tuple[int, ...]] = [(row,) for row in range(rows)]
    sizes = [rows]
    for kind, part in levels:
        below = _children(kind, part, len(found))
        sizes.append(max((k + 1 for _, k in below), default=0))
        found = [(*found[row], k) for row, k in below]
    sizes = [mine if want < 0 else want for mine, want in zip(sizes, asked)]
    source = np.full(sizes, -1, np.int32)
    for value, place in enumerate(found[:count]):
        if all(k < size for k, size in zip(place, sizes)):
            source[place] = value
    return source


def _filled(values: Any, default: Any, source: Any) -> Any:
    base = np.broadcast_to(default, (*source.shape, *values.shape[1:]))
    places = np.nonzero(source >= 0)
    return scatter_set(base, places, values[source[places]])


def _filled_gradient(F: Any, dy: Any, _y: Any, _values: Any, _default: Any, source: Any) -> tuple:
    """Slices for the values, the sum of the rest for what filled the gaps."""
    tail, flat = F.shape(dy)[source.ndim :], source.reshape(-1)
    rows = F.reshape(dy, shape=(flat.size, *tail))
    picked = _rows(F, rows, np.nonzero(flat >= 0)[0])
    rest = _rows(F, rows, np.nonzero(flat < 0)[0])
    shape = F.shape(_default)
    own = len(shape) - next((k for k, size in enumerate(shape) if size != 1), len(shape))
    by_default = F.reshape(F.sum(rest, axis=tuple(range(1 + len(tail) - own)), keepdims=False), shape=shape)
    return _slices(F, picked, flat[flat >= 0], F.shape(_values)), by_default


to_tensor_ = kernel(
    "ragged_to_tensor", "RaggedTensorToTensor", ordered=True, forward=_filled, gradient=_filled_gradient
)


@public("raw_ops.RaggedTensorToTensor")
def RaggedTensorToTensor(
    *, shape: Any, values: Any, default_value: Any, row_partition_tensors: Any, row_partition_types: Sequence[str],
    name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """A tensor of the rows, filled up or cut off to a shape in which -1 leaves a size open."""
    x = convert_to_tensor(values)
    default = convert_to_tensor(default_value, x.dtype)
    parts = [_array(part) for part in row_partition_tensors]
    rank = sum(kind != "FIRST_DIM_SIZE" for kind in row_partition_types) + x._a.ndim
    asked = _array(shape)
    _check_ranks(x._a.shape, default._a.shape, asked, rank, len(parts), name)
    sizes = [-1] * rank if not asked.ndim else [int(size) for size in asked]
    source = _sources(row_partition_types, parts, sizes, x._a.shape[0])
    return to_tensor_(x, default, source=source)


def _check_ranks(
    values: tuple[int, ...], default: tuple[int, ...], asked: Any, rank: int, count: int, name: str | None
) -> None:
    text = ""
    mine, other = (str(list(s)).replace(" ", "") for s in (default, values))
    both = f"default_value.shape={mine} and rt_input.flat_values.shape={other} are incompatible: "
    if not asked.ndim and asked != -1:
        text = "The only valid scalar shape tensor is the fully unknown shape specified as -1."
    elif asked.ndim and len(asked) != rank:
        shape = "[" + ",".join("?" if size < 0 else str(size) for size in asked.tolist()) + "]"
        text = (
            f"rt_input.shape and shape={shape} are incompatible: rt_input.rank = {rank} but shape.rank = {len(asked)}"
        )
    elif len(default) >= len(values):
        text = f"{both}default_value.rank = {len(default)}  must be less than rt_input.flat_values.rank = {len(values)}"
    else:
        for k, (d, e) in enumerate(zip(default, values[1:])):
            if d not in (1, e):
                at = k - len(default)
                text = f"{both}default_value.shape[{at}] = {d} but rt_input.flat_values.shape[{at}] = {e}"
    if text:
        raise invalid("RaggedTensorToTensor", text, name, sizes=f"num_row_partition_tensors_{count}")


# ------------------------------------------------------------------------------------------------------ to sparse


def _places(splits: Sequence[Any], tail: tuple[int, ...]) -> tuple[Any, Any]:
    """The place of each number of the values, and the bounding shape."""
    rows = len(splits[0]) - 1
    found: list[tuple[int, ...]] = [(row,) for row in range(rows)]
    sizes = [rows]
    for part in splits:
        below = _children("ROW_SPLITS", part, len(found))
        sizes.append(int(np.diff(part).max(initial=0)))
        found = [(*found[row], k) for row, k in below]
    inner = list(np.ndindex(*tail))
    at = [(*place, *one) for place in found for one in inner]
    return np.array(at, np.int64).reshape(len(at), 1 + len(splits) + len(tail)), np.array([*sizes, *tail], np.int64)


to_sparse_ = kernel(
    "ragged_to_sparse", "RaggedTensorToSparse",
    forward=lambda values, at, shape: (at, values.reshape((-1,)), shape),
    gradient=lambda F, dy, _y, _values, at, shape: F.reshape(dy[1], shape=F.shape(_values)),
)  # fmt: skip


@public("raw_ops.RaggedTensorToSparse")
def RaggedTensorToSparse(*, rt_nested_splits: Any, rt_dense_values: Any, name: str | None = None) -> Any:
    """The parts of a sparse tensor of the bounding shape."""
    x, splits = convert_to_tensor(rt_dense_values), [_array(part) for part in rt_nested_splits]
    counts = [*(len(part) - 1 for part in splits[1:]), x._a.shape[0]]
    for part, count in zip(splits, counts):
        text = _misfit(part, count)
        if text:
            raise invalid("RaggedTensorToSparse", text, name, sizes=f"RAGGED_RANK_{len(splits)}")
    at, shape = _places(splits, x._a.shape[1:])
    return RaggedTensorToSparse_(*to_sparse_(x, at=at, shape=shape))


def _misfit(splits: Any, count: int) -> str:
    if splits[0] != 0:
        return "First value of ragged splits must be 0."
    for one, following in pairwise(splits):
        if following < one:
            return f"Ragged splits should be non decreasing, but we got {one} followed by {following}"
    return (
        ""
        if splits[-1] == count
        else "Final value of ragged splits must match the length the corresponding ragged values."
    )


# --------------------------------------------------------------------------------------------------------- gather


def _picked_rows(splits: Sequence[Any], rows: Any) -> tuple[list[Any], Any]:
    """The splits below the picked rows, and the values they hold."""
    made, chosen = [], rows
    for part in splits:
        lengths = np.diff(part)[chosen]
        made.append(np.concatenate([[0], np.cumsum(lengths)]).astype(part.dtype))
        spans = [np.arange(part[row], part[row + 1]) for row in chosen]
        chosen = np.concatenate(spans) if spans else np.zeros(0, np.int64)
    return made, chosen.astype(splits[-1].dtype)


gather_ = kernel(
    "ragged_gather", "RaggedGather", sparse=True, ordered=True,
    forward=lambda values, splits, at: (*splits, values[at]),
    gradient=lambda F, dy, _y, _values, splits, at: _slices(F, dy[-1], at, F.shape(_values)),
)  # fmt: skip


@public("raw_ops.RaggedGather")
def RaggedGather(
    *, params_nested_splits: Any, params_dense_values: Any, indices: Any, OUTPUT_RAGGED_RANK: int,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Rows by number; every axis of the indices but the last makes another level of rows."""
    splits, at = [_array(part) for part in params_nested_splits], _array(indices)
    if OUTPUT_RAGGED_RANK is None:
        raise TypeError("Expected int for argument 'OUTPUT_RAGGED_RANK' not None.")
    count = len(splits[0]) - 1
    for k, row in enumerate(at.reshape(-1)):
        if not 0 <= row < count:
            ranks = f"OUTPUT_RAGGED_RANK_{OUTPUT_RAGGED_RANK}_PARAMS_RAGGED_RANK_{len(splits)}"
            raise unnamed("RaggedGather", f"indices[{k}] = {row} is not in [0, {count})", name, sizes=ranks)
    values = convert_to_tensor(params_dense_values)
    lengths = [*(len(part) - 1 for part in splits[1:]), values._a.shape[0]]
    if any(part[-1] > length for part, length in zip(splits, lengths)):
        raise unnamed("RaggedGather", "Ragged splits must not point past values", name)
    below, places = _picked_rows(splits, at.reshape(-1))
    above = [
        np.arange(int(np.prod(at.shape[: k + 1])) + 1).astype(splits[0].dtype) * at.shape[k + 1]
        for k in range(at.ndim - 1)
    ]
    *made, values = gather_(values, splits=(*above, *below), at=places)
    return RaggedGather_(list(made), values)


# ----------------------------------------------------------------------------------------------------- empty rows

kernel("ragged_fill_grad", "RaggedFillEmptyRowsGrad", forward=fill_gradients, gradient=MISSING)
fill_ = kernel(
    "ragged_fill", "RaggedFillEmptyRows", forward=filled,
    gradient=lambda F, dy, _y, _values, _default, plan: F.ragged_fill_grad(dy[1], places=plan[3]),
)  # fmt: skip


def _unfilled(ids: Any, values: tuple[int, ...], rows: Any, default: tuple[int, ...]) -> str | None:
    """What is wrong with the row of each value, the values, the number of rows or what fills them."""
    for word, rank, shape in (("value_rowids", 1, ids.shape), ("values", 1, values)):
        if len(shape) != rank:
            return f"{word} must be a vector, saw: {brackets(shape)}"
    if len(ids) != values[0]:
        return f"The length of `values` ({values[0]}) must match the first dimension of `value_rowids` ({len(ids)})."
    for word, shape in (("default_value", default), ("nrows", rows.shape)):
        if shape:
            return f"{word} must be a scalar, saw: {brackets(shape)}"
    return negative([rows]) or rows_inside(ids, int(rows))


@public("raw_ops.RaggedFillEmptyRows")
def RaggedFillEmptyRows(
    *, value_rowids: Any, values: Any, nrows: Any, default_value: Any, name: str | None = None
) -> Any:
    """One value put into every row that has none."""
    ids, rows, x = _array(value_rowids), _array(nrows), convert_to_tensor(values)
    default = convert_to_tensor(default_value, x.dtype)
    misfit = _unfilled(ids, x._a.shape, rows, default._a.shape)
    if misfit is not None:
        raise invalid("RaggedFillEmptyRows", misfit, name)
    count = int(rows)
    rows, *rest = filling(ids.reshape(-1, 1), count)
    plan = (rows[:, 0], *rest)
    return RaggedFillEmptyRows_(*fill_(x, default, plan=plan))
