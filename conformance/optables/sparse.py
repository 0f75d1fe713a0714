"""Rows of sparse tensors: their kernels under `tf.raw_ops`, which take indices, values and shapes by themselves, and
`tf.sparse`, whose functions take and give sparse tensors.

Places are drawn without repetition and in order, except where an op is about their order.
"""

from __future__ import annotations

from typing import Any

from adapters.language import Array
from conformance.optables.row import (
    FLOATING,
    NUMERIC,
    REAL,
    SIGNED,
    WIDE,
    WIDE_NUMBERS,
    Digits,
    Fresh,
    Made,
    Row,
    Setting,
    Span,
    integers,
    op_row,
)

AWAY = Span(-4.0, 4.0, 0.25)
SHAPES: tuple[tuple[int, ...], ...] = ((2, 3), (4, 2), (3, 3), (2, 2, 2))

Places = list[list[int]]


def places(draw: Digits, shape: tuple[int, ...], most: int = 4) -> Places:
    """Some places of a tensor, at least one, in order."""
    total = 1
    for size in shape:
        total *= size
    count, start, step = 1 + draw(most), draw(total), (1, 3, 5)[draw(3)]
    flat = sorted({(start + step * k) % total for k in range(count)})
    return [_place(one, shape) for one in flat]


def _place(flat: int, shape: tuple[int, ...]) -> list[int]:
    found = []
    for size in reversed(shape):
        flat, at = divmod(flat, size)
        found.append(at)
    return found[::-1]


def longs(values: Any) -> Array:
    """A constant of int64."""
    return integers(values, "int64")


def parts(draw: Digits, span: Span | None = None) -> tuple[Array, Fresh, Array, tuple[int, ...]]:
    """Indices, values and shape of a sparse tensor, and that shape as a tuple."""
    shape = SHAPES[draw(len(SHAPES))]
    at = places(draw, shape)
    values = Fresh((len(at),)) if span is None else Fresh((len(at),), span=span)
    return longs(at), values, longs(list(shape)), shape


def sparse_tensor(at: Array, values: Any, shape: Array) -> Made:
    """A sparse tensor, made just before the call."""
    return Made("SparseTensor", (at, values, shape))


# ---------------------------------------------------------------- rows picked and reduced by segments


def _picked(draw: Digits) -> tuple[Array, Array, int]:
    """Rows of three, the segments they join, with gaps now and then, and how many segments there are."""
    count = 1 + draw(5)
    rows = [draw(3) for _ in range(count)]
    ids, at = [], draw(2)
    for _ in range(count):
        ids.append(at)
        at += draw(3) % 2 + (draw(8) == 7)
    kind = ("int32", "int64")[draw(2)]
    return integers(rows, kind), integers(ids, ("int32", "int64")[draw(2)]), ids[-1] + 1


def _segments(counted: bool) -> Any:
    def setting(draw: Digits, dtype: str) -> Setting:
        tail = ((2,), (), (1, 2))[draw(3)]
        rows, ids, size = _picked(draw)
        named = {"data": Fresh((3, *tail)), "indices": rows, "segment_ids": ids}
        if counted:
            named["num_segments"] = integers(size + draw(3))
        if draw(3) == 2:
            named["sparse_gradient"] = True
        return Setting((), named)

    return setting


# ---------------------------------------------------------------- one sparse tensor


def dense(draw: Digits, dtype: str) -> Setting:
    at, values, shape, _ = parts(draw)
    if draw(2):
        at, shape = integers(_nested(at)), integers(list(shape.values))
    return Setting(
        (), {"sparse_indices": at, "output_shape": shape, "sparse_values": values, "default_value": Fresh(())}
    )


def _nested(at: Array) -> Places:
    width = at.shape[1]
    return [list(at.values[k * width : (k + 1) * width]) for k in range(at.shape[0])]


def softmaxed(draw: Digits, dtype: str) -> Setting:
    at, values, shape, _ = parts(draw)
    return Setting((), {"sp_indices": at, "sp_values": values, "sp_shape": shape})


def reordered(draw: Digits, dtype: str) -> Setting:
    at, values, shape, _ = parts(draw)
    turned = _nested(at)
    turned = turned[::-1] if draw(2) else turned[1:] + turned[:1]
    return Setting((), {"input_indices": longs(turned), "input_values": values, "input_shape": shape})


def summed(draw: Digits, dtype: str) -> Setting:
    at, values, shape, whole = parts(draw)
    rank = len(whole)
    axes = ([0], [-1], list(range(rank)), [rank - 1, 0])[draw(4)]
    named = {"input_indices": at, "input_values": values, "input_shape": shape, "reduction_axes": integers(axes)}
    return Setting((), {**named, **({"keep_dims": True} if draw(2) else {})})


def sliced(draw: Digits, dtype: str) -> Setting:
    at, values, shape, whole = parts(draw)
    start = [draw(2) for _ in whole]
    size = [1 + draw(size) for size in whole]
    named = {"indices": at, "values": values, "shape": shape, "start": longs(start), "size": longs(size)}
    return Setting((), named)


def filled(draw: Digits, dtype: str) -> Setting:
    at, values, shape, _ = parts(draw)
    named = {"indices": at, "values": values, "dense_shape": shape, "default_value": Fresh(())}
    return Setting((), named)


# ---------------------------------------------------------------- with another tensor


def elementwise(divides: bool) -> Any:
    def setting(draw: Digits, dtype: str) -> Setting:
        at, values, shape, whole = parts(draw)
        other = (whole, whole[-1:], (1, *whole[1:]), (*whole[:-1], 1), whole)[draw(5)]
        dense = Fresh(other, span=AWAY) if divides else Fresh(other)
        return Setting((), {"sp_indices": at, "sp_values": values, "sp_shape": shape, "dense": dense})

    return setting


def added_to(draw: Digits, dtype: str) -> Setting:
    at, values, shape, whole = parts(draw)
    return Setting((), {"a_indices": at, "a_values": values, "a_shape": shape, "b": Fresh(whole)})


def _two(draw: Digits) -> dict[str, Any]:
    shape = SHAPES[draw(len(SHAPES))]
    a, b = places(draw, shape), places(draw, shape)
    sizes = longs(list(shape))
    return {
        "a_indices": longs(a), "a_values": Fresh((len(a),)), "a_shape": sizes, "b_indices": longs(b),
        "b_values": Fresh((len(b),)), "b_shape": sizes,
    }  # fmt: skip


def two(draw: Digits, dtype: str) -> Setting:
    return Setting((), _two(draw))


def added(draw: Digits, dtype: str) -> Setting:
    real = {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)
    threshold = Array(real, (), ((0.0, 0.0, 0.75)[draw(3)],))
    return Setting((), {**_two(draw), "thresh": threshold})


def product(draw: Digits, dtype: str) -> Setting:
    rows, inner, columns = 1 + draw(3), 1 + draw(3), 1 + draw(3)
    a, b = draw(2) == 1, draw(2) == 1
    left, right = (inner, rows) if a else (rows, inner), (columns, inner) if b else (inner, columns)
    at = places(draw, left)
    named = {"a_indices": longs(at), "a_values": Fresh((len(at),)), "a_shape": longs(list(left)), "b": Fresh(right)}
    return Setting((), {**named, "adjoint_a": a, "adjoint_b": b})


# ---------------------------------------------------------------- functions of sparse tensors


def _function(then: tuple[str, ...], *more: Any) -> Any:
    def setting(draw: Digits, dtype: str) -> Setting:
        at, values, shape, _ = parts(draw)
        return Setting((sparse_tensor(at, values, shape), *more), then=then)

    return setting


def of_two(draw: Digits, dtype: str) -> Setting:
    made = _two(draw)
    first, second = (
        sparse_tensor(made[f"{name}_indices"], made[f"{name}_values"], made[f"{name}_shape"]) for name in "ab"
    )
    return Setting((first, second), then=("attribute.values",))


def with_default(draw: Digits, dtype: str) -> Setting:
    at, values, shape, _ = parts(draw)
    return Setting((sparse_tensor(at, values, shape), *((Fresh(()),) if draw(2) else ())))


def over_axis(draw: Digits, dtype: str) -> Setting:
    at, values, shape, _ = parts(draw)
    axis = (None, 0, -1)[draw(3)]
    return Setting((sparse_tensor(at, values, shape),), {"axis": axis, "keepdims": draw(2) == 1})


def with_dense(draw: Digits, dtype: str) -> Setting:
    at, values, shape, whole = parts(draw)
    pair = (sparse_tensor(at, values, shape), Fresh(whole))
    return Setting(pair if draw(2) else pair[::-1])


def _raw(name: str, setting: Any, dtypes: frozenset[str] = WIDE, curve: str = "linear", **more: Any) -> Row:
    return op_row(f"raw_ops.{name}", setting, dtypes, curve, **more)


_VALUES = ("attribute.values",)
# TensorFlow's gradients of these, or those of their gradients, fail: in a jacobian that is about how it is traced.
_FAILING: dict[str, Any] = {"unasked": ("jacobian",)}
# Vectorized, TensorFlow 2.21 puts the gradients of these into wrong places: its jacobian is not that of its own loop.
_MISPLACED: dict[str, Any] = {"unasked": ("jacobian",)}
ROWS: tuple[Row, ...] = (
    *(
        _raw(
            f"SparseSegment{kind}{counted}",
            _segments(bool(counted)),
            SIGNED if kind == "Sum" else WIDE,
            **(_MISPLACED if counted else {}),
        )
        for kind in ("Sum", "Mean", "SqrtN")
        for counted in ("", "WithNumSegments")
    ),
    _raw("SparseToDense", dense, NUMERIC),
    _raw("SparseSoftmax", softmaxed, WIDE | {"float16"}, "curved", **_FAILING),
    _raw("SparseReorder", reordered, NUMERIC),
    _raw("SparseReduceSum", summed, NUMERIC),
    _raw("SparseSlice", sliced, NUMERIC),
    _raw("SparseFillEmptyRows", filled, NUMERIC),
    _raw("SparseDenseCwiseMul", elementwise(False), SIGNED, "bilinear"),
    _raw("SparseDenseCwiseDiv", elementwise(True), REAL, "curved"),
    _raw("SparseDenseCwiseAdd", elementwise(False), SIGNED, **_FAILING),
    _raw("SparseTensorDenseAdd", added_to, NUMERIC),
    _raw("SparseAdd", added, WIDE_NUMBERS),
    _raw("SparseSparseMaximum", two, SIGNED, ties=True, **_FAILING),
    _raw("SparseSparseMinimum", two, SIGNED, ties=True, **_FAILING),
    _raw("SparseTensorDenseMatMul", product, FLOATING, "bilinear"),
    op_row("sparse.to_dense", with_default, NUMERIC, "linear"),
    op_row("sparse.softmax", _function(_VALUES), WIDE | {"float16"}, "curved", **_FAILING),
    op_row("sparse.reduce_sum", over_axis, NUMERIC, "linear"),
    op_row("sparse.transpose", _function(_VALUES), NUMERIC, "linear"),
    op_row("sparse.add", of_two, WIDE_NUMBERS, "linear"),
    op_row("sparse.maximum", of_two, SIGNED, "linear", ties=True, **_FAILING),
)
