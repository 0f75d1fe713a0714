"""Rows of ragged tensors: their kernels under `tf.raw_ops`, which take splits and values by themselves, what makes
variants of them, and methods of `tf.RaggedTensor`.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from adapters.language import Array
from conformance.optables.row import NUMERIC, WIDE_NUMBERS, Digits, DType, Fresh, Made, Row, Setting, integers, op_row
from conformance.optables.sparse import longs

TAILS: tuple[tuple[int, ...], ...] = ((), (2,), (1, 2))
_UNTRACED: dict[str, Any] = {"unasked": ("jacobian", "forward_mode")}


def splits_of(draw: Digits, rows: int) -> list[int]:
    """Row splits of so many rows, some of them empty."""
    found = [0]
    for _ in range(rows):
        found.append(found[-1] + draw(3))
    return found


def nested(draw: Digits, levels: int) -> tuple[list[list[int]], int]:
    """Splits of one or two levels, and how many values there are: at least one."""
    found = [splits_of(draw, 1 + draw(3))]
    while len(found) < levels:
        found.append(splits_of(draw, found[-1][-1]))
    if not found[-1][-1]:
        found = [[0, 1]] * levels
    return found, found[-1][-1]


def _by_rows(splits: list[int]) -> list[int]:
    return [row for row, (a, b) in enumerate(pairwise(splits)) for _ in range(b - a)]


def _partition(draw: Digits, levels: list[list[int]]) -> tuple[list[Array], list[str]]:
    """The levels as splits, or as row numbers after the number of rows."""
    if draw(2):
        return [longs(part) for part in levels], ["ROW_SPLITS"] * len(levels)
    rows = [longs(_by_rows(part)) for part in levels]
    return [longs(len(levels[0]) - 1), *rows], ["FIRST_DIM_SIZE"] + ["VALUE_ROWIDS"] * len(rows)


def to_dense(draw: Digits, dtype: str) -> Setting:
    levels, count = nested(draw, 1 + draw(2))
    tail = TAILS[draw(2)]
    parts, kinds = _partition(draw, levels)
    sizes = [-1] * (1 + len(levels)) + list(tail)
    if draw(2):
        sizes[0] = 1 + draw(4)
    if draw(2):
        sizes[1] = 1 + draw(3)
    shape = integers(-1) if draw(4) == 3 else integers(sizes, "int64")
    default = Fresh(tail if draw(2) else ())
    named = {"shape": shape, "values": Fresh((count, *tail)), "default_value": default}
    return Setting((), {**named, "row_partition_tensors": parts, "row_partition_types": kinds})


def to_sparse(draw: Digits, dtype: str) -> Setting:
    levels, count = nested(draw, 1 + draw(2))
    values = Fresh((count, *TAILS[draw(3)]))
    return Setting((), {"rt_nested_splits": [longs(part) for part in levels], "rt_dense_values": values})


def gathered(draw: Digits, dtype: str) -> Setting:
    levels, count = nested(draw, 1 + draw(2))
    rows = len(levels[0]) - 1
    wide = draw(3) == 2
    picked = [draw(rows) for _ in range(4 if wide else 1 + draw(4))]
    at = integers([picked[:2], picked[2:]] if wide else picked, ("int32", "int64")[draw(2)])
    values = Fresh((count, *TAILS[draw(2)]))
    named = {"params_nested_splits": [longs(part) for part in levels], "params_dense_values": values, "indices": at}
    return Setting((), {**named, "OUTPUT_RAGGED_RANK": len(levels) + int(wide)})


def filled(draw: Digits, dtype: str) -> Setting:
    levels, count = nested(draw, 1)
    ids = _by_rows(levels[0])
    if draw(3) == 2:
        ids = ids[::-1]
    named = {"value_rowids": longs(ids), "values": Fresh((count,)), "nrows": longs(len(levels[0]) + draw(2))}
    return Setting((), {**named, "default_value": Fresh(())})


# ---------------------------------------------------------------- variants


def through_variants(draw: Digits, dtype: str) -> Setting:
    """A ragged tensor put into one variant, or a variant for each row, and taken out again."""
    levels, count = nested(draw, 1 + draw(2))
    batched = draw(2) == 1
    if draw(4) == 3:
        levels = []
    values = Fresh((count, *TAILS[draw(2)]))
    named = {"rt_nested_splits": [longs(part) for part in levels], "rt_dense_values": values, "batched_input": batched}
    rank = len(levels)
    inner = -1 if not levels and batched else rank - 1 if batched else rank
    output = 0 if inner == -1 else inner + int(batched)
    made = Made("raw_ops.RaggedTensorToVariant", (), named)
    ranks = {"input_ragged_rank": inner, "output_ragged_rank": output, "Tvalues": DType(dtype)}
    return Setting((), {"encoded_ragged": made, **ranks})


def through_components(draw: Digits, dtype: str) -> Setting:
    """Several tensors put into one variant and taken out again."""
    shapes = [((2,), (), (2, 2))[draw(3)] for _ in range(1 + draw(3))]
    parts: list[Any] = [Fresh(shape) for shape in shapes]
    kinds = [DType(dtype) for _ in shapes]
    if draw(3) == 2:
        parts, kinds = [*parts, longs([1, 2])], [*kinds, DType("int64")]
    made = Made("raw_ops.CompositeTensorVariantFromComponents", (), {"components": parts, "metadata": ""})
    return Setting((), {"encoded": made, "metadata": "", "Tcomponents": kinds})


# ---------------------------------------------------------------- methods


def _method(then: tuple[str, ...] = ()) -> Any:
    def setting(draw: Digits, dtype: str) -> Setting:
        levels, count = nested(draw, 1)
        made = Made("RaggedTensor.from_row_splits", (Fresh((count, *TAILS[draw(2)])), longs(levels[0])))
        return Setting((made,), then=then)

    return setting


def _raw(name: str, setting: Any, dtypes: frozenset[str] = NUMERIC, **more: Any) -> Row:
    return op_row(f"raw_ops.{name}", setting, dtypes, "linear", **more)


ROWS: tuple[Row, ...] = (
    _raw("RaggedTensorToTensor", to_dense),
    _raw("RaggedTensorToSparse", to_sparse),
    _raw("RaggedGather", gathered),
    _raw("RaggedFillEmptyRows", filled, WIDE_NUMBERS),
    _raw("RaggedTensorFromVariant", through_variants, **_UNTRACED),
    _raw("CompositeTensorVariantToComponents", through_components, **_UNTRACED),
    op_row("RaggedTensor.to_tensor", _method(), NUMERIC, "linear"),
    op_row("RaggedTensor.to_sparse", _method(("attribute.values",)), NUMERIC, "linear"),
)
