"""Rows of the ops that pick, scatter, sort and group: indices, segments, partitions, the largest, running sums."""

from __future__ import annotations

from typing import Any

from adapters.arrays import array_of
from adapters.language import Array
from conformance.optables.row import NUMERIC, REAL, SIGNED, Digits, Fresh, Row, Setting, Span, integers, op_row

TAILS: tuple[tuple[int, ...], ...] = ((), (2,), (3,), (2, 2), (1,))


def _tail(draw: Digits) -> tuple[int, ...]:
    """The axes behind the first one."""
    return TAILS[draw(len(TAILS))]


def _many(draw: Digits, count: int, below: int) -> list[int]:
    return [draw(below) for _ in range(count)]


# ---------------------------------------------------------------- indices


def gather_nd(draw: Digits, dtype: str) -> Setting:
    """Indices of one axis or two, batched now and then, beyond the end one time in twelve; or of no axis."""
    how, rows = draw(6), 1 + draw(3)
    if how == 5:
        return Setting((Fresh((2, 2)), Array("int32", (rows, 0), ())))
    above = 5 if draw(12) == 11 else 0
    if how == 4:  # places in rows and columns
        deep = [draw(2) for _ in range(1 + draw(2))]
        return Setting((Fresh((2, 2, 2)), integers([[deep, deep[::-1]]])))
    if how == 3:
        indices = integers([[[draw(2)] for _ in range(rows)] for _ in range(2)])
        return Setting((Fresh((2, 2, 2)), indices), {"batch_dims": 1})
    depth = 1 + how % 2
    indices = integers([[*_many(draw, depth - 1, 2), draw(2) + above] for _ in range(rows)])
    return Setting((Fresh((2, 2, *(() if how == 2 else (2,)))), indices))


def embedding(draw: Digits, dtype: str) -> Setting:
    named: dict[str, Any] = {"max_norm": (1.0, 2.0)[draw(2)]} if draw(3) == 2 else {}
    table = Fresh((3, 2), span=Span(-3.0, 3.0, 0.25))
    return Setting((table, integers(_many(draw, 1 + draw(4), 3))), named)


def scatter_nd(draw: Digits, dtype: str) -> Setting:
    """Indices that may repeat."""
    count, tail = 1 + draw(4), _tail(draw)
    indices = integers([[draw(4)] for _ in range(count)])
    return Setting((indices, Fresh((count, *tail)), [4, *tail]))


def scatter_into(distinct: bool) -> Any:
    """A tensor, places in it (each at most once where the order would matter), and what comes there."""

    def setting(draw: Digits, dtype: str) -> Setting:
        count, tail, first = 1 + draw(3), _tail(draw), draw(4)
        places = [(first + at) % 4 for at in range(count)] if distinct else _many(draw, count, 4)
        rows = [[at] for at in places]
        if draw(3) == 2:  # rows of rows
            return Setting((Fresh((4, *tail)), integers([rows]), Fresh((1, count, *tail))))
        return Setting((Fresh((4, *tail)), integers(rows), Fresh((count, *tail))))

    return setting


def boolean_mask(draw: Digits, dtype: str) -> Setting:
    mask = array_of([draw(3) > 0 for _ in range(3)], "bool")
    if draw(3) == 2:
        return Setting((Fresh((2, 3)), mask), {"axis": 1})
    return Setting((Fresh((3, *_tail(draw))), mask))


def repeated(draw: Digits, dtype: str) -> Setting:
    axis = draw(2)
    repeats: Any = 1 + draw(3) if draw(2) else _many(draw, (2, 3)[axis], 3)
    return Setting((Fresh((2, 3)), repeats), {"axis": axis})


def reverse_sequence(draw: Digits, dtype: str) -> Setting:
    lengths = integers(_many(draw, 2, 4))
    named = {"seq_axis": 1, "batch_axis": 0}
    return Setting((Fresh((2, 3, *_tail(draw))), lengths), named)


def strided(draw: Digits, dtype: str) -> Setting:
    begin, step = [draw(2), draw(2)], [1 + draw(2), (1, 2, -1)[draw(3)]]
    begin[1] = 3 if step[1] < 0 else begin[1]
    end = [3, 0 if step[1] < 0 else 4]
    named: dict[str, Any] = {}
    if draw(3) == 2:
        named[("begin_mask", "end_mask", "new_axis_mask")[draw(3)]] = 1 + draw(2)
    return Setting((Fresh((3, 4, 2)), begin, end, step), named)


# ---------------------------------------------------------------- segments


def segments(draw: Digits, dtype: str) -> Setting:
    """Rows of sorted segments, some of them empty."""
    rows, at, ids = 1 + draw(4), 0, []
    for _ in range(rows):
        at += (0, 1, 0, 2)[draw(4)]
        ids.append(at)
    return Setting((Fresh((rows, *_tail(draw))), integers(ids)))


def unsorted_segments(draw: Digits, dtype: str) -> Setting:
    """Rows of segments in any order, one of them dropped (-1) now and then."""
    rows, many = 1 + draw(4), 2 + draw(2)
    ids = _many(draw, rows, many)
    if draw(5) == 4:
        ids[0] = -1
    return Setting((Fresh((rows, *_tail(draw))), integers(ids), many))


def partition(draw: Digits, dtype: str) -> Setting:
    rows = 2 + draw(3)
    return Setting((Fresh((rows, *_tail(draw))), integers(_many(draw, rows, 2)), 2))


def stitch(draw: Digits, dtype: str) -> Setting:
    """Two pieces; an index given twice takes the last."""
    tail, twice, alone = _tail(draw), draw(3) == 2, draw(3) == 2
    first = integers(0 if alone else [0, 2])
    second = integers([1, 2 if twice or alone else 3])
    return Setting(([first, second], [Fresh(tail if alone else (2, *tail)), Fresh((2, *tail))]))


# ---------------------------------------------------------------- order


def top_k(draw: Digits, dtype: str) -> Setting:
    named: dict[str, Any] = {"k": 1 + draw(3)}
    shape, fill = ((3,), (2, 3), (2, 2, 4))[draw(3)], "apart" if draw(4) else "any"
    return Setting((Fresh(shape, fill),), named | ({"sorted": False} if draw(3) == 2 else {}))


def ordered(draw: Digits, dtype: str) -> Setting:
    shape = ((3,), (2, 3), (3, 2))[draw(3)]
    named: dict[str, Any] = {"axis": draw(len(shape))} if draw(2) else {}
    if draw(2):
        named["direction"] = "DESCENDING"
    return Setting((Fresh(shape, "apart" if draw(4) else "any"),), named)


def approx_top_k(draw: Digits, dtype: str) -> Setting:
    """The kernel of a CPU, which is exact; now and then what it lacks."""
    shape = (*((), (2,), (2, 1))[draw(3)], 1 + draw(4))
    named: dict[str, Any] = {"recall_target": 0.5} if draw(3) == 2 else {}
    if draw(12) == 11:
        named["reduction_dimension"] = len(shape) - 1
    return Setting((Fresh(shape), 1 + draw(shape[-1])), named, then=("attribute.values",))


def isotonic(draw: Digits, dtype: str) -> Setting:
    """Sequences along either axis of a matrix; of a vector or of three axes now and then."""
    shape = ((2, 3), (4,), (2, 2, 3), (1, 5), (2, 0), (0,), (3, 4), ())[draw(8)]
    named: dict[str, Any] = {"decreasing": False} if draw(3) == 2 else {}
    if len(shape) > 1 and draw(3) == 2:
        named["axis"] = 0
    return Setting((Fresh(shape),), named)


def nth_element(draw: Digits, dtype: str) -> Setting:
    values = Fresh(((3,), (2, 3))[draw(2)], "apart" if draw(4) else "any")
    return Setting((), {"input": values, "n": draw(3), "reverse": draw(2) == 1})


def running(draw: Digits, dtype: str) -> Setting:
    shape = ((3,), (2, 3), (2, 1, 2))[draw(3)]
    named: dict[str, Any] = {"axis": draw(len(shape))} if draw(2) else {}
    named |= {name: True for name in ("exclusive", "reverse") if draw(2)}
    return Setting((Fresh(shape),), named)


_TIED: dict[str, Any] = {"ties": True, "kinks": (1.0, 2.0, 2.0)}
_UNTRACED: dict[str, Any] = {"unasked": ("jacobian", "forward_mode")}
_SEGMENTS = ("sum", "mean", "max", "min", "prod")
_UNSORTED = ("sum", "mean", "max", "min", "prod", "sqrt_n")


def _grouped(name: str, kind: str, setting: Any) -> Row:
    how: dict[str, Any] = _TIED if kind in ("max", "min") else {"kinks": (0.0, 1.0, 2.0)}
    curve = "curved" if kind == "prod" else "linear"
    dtypes = {
        "sum": NUMERIC,
        "prod": NUMERIC,
        "max": SIGNED,
        "min": SIGNED,
        "mean": NUMERIC if name == "segment" else SIGNED,
    }.get(kind, REAL)
    return op_row(f"math.{name}_{kind}", setting, dtypes, curve, **how)


ROWS: tuple[Row, ...] = (
    op_row("gather_nd", gather_nd, NUMERIC, "linear"),
    op_row("nn.embedding_lookup", embedding, REAL, "curved"),
    op_row("scatter_nd", scatter_nd, NUMERIC, "linear"),
    op_row("tensor_scatter_nd_update", scatter_into(True), NUMERIC, "linear"),
    op_row("tensor_scatter_nd_add", scatter_into(False), NUMERIC, "linear"),
    op_row("tensor_scatter_nd_sub", scatter_into(False), NUMERIC, "linear"),
    op_row("tensor_scatter_nd_max", scatter_into(True), SIGNED, "linear", **_TIED),
    op_row("tensor_scatter_nd_min", scatter_into(True), SIGNED, "linear", **_TIED),
    op_row("boolean_mask", boolean_mask, NUMERIC, "linear"),
    op_row("repeat", repeated, NUMERIC, "linear"),
    op_row("reverse_sequence", reverse_sequence, NUMERIC, "linear"),
    op_row("strided_slice", strided, NUMERIC, "linear"),
    *(_grouped("segment", kind, segments) for kind in _SEGMENTS),
    *(_grouped("unsorted_segment", kind, unsorted_segments) for kind in _UNSORTED),
    op_row("dynamic_partition", partition, NUMERIC, "linear", unasked=("jacobian",)),
    op_row("dynamic_stitch", stitch, NUMERIC, "linear"),
    op_row("math.top_k", top_k, SIGNED, "linear", **_TIED),
    op_row("math.approx_max_k", approx_top_k, REAL - {"float64"}, "linear", **_TIED, **_UNTRACED),
    op_row("nn.isotonic_regression", isotonic, SIGNED, "linear", **_TIED, **_UNTRACED),
    op_row("sort", ordered, SIGNED, "linear", **_TIED),
    op_row("raw_ops.NthElement", nth_element, SIGNED, "linear", **_TIED),
    op_row("math.cumulative_logsumexp", running, REAL, kinks=(0.0, 30.0), often=2),
)
