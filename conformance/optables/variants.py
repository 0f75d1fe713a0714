"""Rows of kernels that make variants or take them: compressed sparse matrices and lists of tensors.

Programs cannot look into a variant, so each is made just before the call, or opened by a call that follows.
"""

from __future__ import annotations

from typing import Any

from adapters.language import Array
from conformance.optables.row import (
    NUMERIC,
    WIDE_NUMBERS,
    Digits,
    DType,
    Fresh,
    Made,
    Result,
    Row,
    Setting,
    integers,
    op_row,
)
from conformance.optables.sparse import longs, places

_UNTRACED: dict[str, Any] = {"unasked": ("jacobian", "forward_mode")}
MATRICES: tuple[tuple[int, ...], ...] = ((2, 3), (3, 2), (2, 2, 3), (3, 3))


# ---------------------------------------------------------------- compressed sparse matrices


def _from_dense(draw: Digits, shape: tuple[int, ...]) -> Made:
    at = longs(places(draw, shape))
    return Made("raw_ops.DenseToCSRSparseMatrix", (), {"dense_input": Fresh(shape), "indices": at})


def _from_parts(draw: Digits, shape: tuple[int, ...]) -> Made:
    at = places(draw, shape)
    parts = {"indices": longs(at), "values": Fresh((len(at),)), "dense_shape": longs(list(shape))}
    return Made("raw_ops.SparseTensorToCSRSparseMatrix", (), parts)


def _matrix(draw: Digits, shape: tuple[int, ...]) -> Made:
    return _from_parts(draw, shape) if draw(2) else _from_dense(draw, shape)


def _dense(dtype: str) -> Made:
    return Made("raw_ops.CSRSparseMatrixToDense", (), {"sparse_input": Result(), "type": DType(dtype)})


def _made_by(function: Any) -> Any:
    """The call that makes a matrix, which is opened afterwards."""

    def setting(draw: Digits, dtype: str) -> Setting:
        made = function(draw, MATRICES[draw(len(MATRICES))])
        return Setting((), made.named, (_dense(dtype),))

    return setting


def opened(name: str) -> Any:
    """The call that opens a matrix, made just before."""

    def setting(draw: Digits, dtype: str) -> Setting:
        return Setting((), {name: _matrix(draw, MATRICES[draw(len(MATRICES))]), "type": DType(dtype)})

    return setting


def transposed(draw: Digits, dtype: str) -> Setting:
    named = {"input": _matrix(draw, MATRICES[draw(len(MATRICES))]), "type": DType(dtype), "conjugate": draw(2) == 1}
    return Setting((), named, (_dense(dtype),))


def _turns(draw: Digits) -> dict[str, bool]:
    """Each operand as it is, transposed or adjoint."""
    found = {}
    for operand in "ab":
        kind = ("", "transpose", "adjoint")[draw(3)]
        if kind:
            found[f"{kind}_{operand}"] = True
    return found


def _shapes(draw: Digits, turns: dict[str, bool]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    rows, inner, columns = 1 + draw(3), 1 + draw(3), 1 + draw(3)
    batch = (2,) if draw(4) == 3 else ()
    left, right = (any(name.endswith(f"_{operand}") for name in turns) for operand in "ab")
    first = (inner, rows) if left else (rows, inner)
    return (*batch, *first), (*batch, *((columns, inner) if right else (inner, columns)))


def times_dense(draw: Digits, dtype: str) -> Setting:
    turns = _turns(draw)
    left, right = _shapes(draw, turns)
    more = {"transpose_output": True} if draw(3) == 2 else {}
    more |= {"conjugate_output": True} if draw(4) == 3 else {}
    return Setting((), {"a": _matrix(draw, left), "b": Fresh(right), **turns, **more})


def times_compressed(draw: Digits, dtype: str) -> Setting:
    turns = _turns(draw)
    left, right = _shapes(draw, turns)
    named = {"a": _matrix(draw, left), "b": _matrix(draw, right), "type": DType(dtype), **turns}
    return Setting((), named, (_dense(dtype),))


# ---------------------------------------------------------------- lists of tensors

ELEMENTS: tuple[tuple[int, ...], ...] = ((2,), (), (2, 1))


def _shape(draw: Digits, shape: tuple[int, ...]) -> Array:
    """The shape of elements, a size or all of it left open now and then."""
    if draw(4) == 3:
        return integers(-1)
    sizes = list(shape)
    if sizes and draw(3) == 2:
        sizes[0] = -1
    return integers(sizes)


def _rows(draw: Digits, shape: tuple[int, ...]) -> tuple[Made, int]:
    """A list of one to three tensors, or of none."""
    count = (2, 1, 3, 0)[draw(4)]
    named = {"tensor": Fresh((count, *shape)), "element_shape": _shape(draw, shape)}
    return Made("raw_ops.TensorListFromTensor", (), named), count


def _stacked(shape: tuple[int, ...], dtype: str) -> Made:
    sizes = list(shape) or -1
    named = {"input_handle": Result(), "element_shape": sizes, "element_dtype": DType(dtype)}
    return Made("raw_ops.TensorListStack", (), named)


def from_rows(draw: Digits, dtype: str) -> Setting:
    """A list that is read once, or twice: whole, and some of its elements."""
    shape, twice = ELEMENTS[draw(len(ELEMENTS))], draw(2)
    made, count = _rows(draw, shape)
    whole = _stacked(shape, dtype)
    if not twice or not count:
        return Setting((), made.named, (whole,))
    some = Made("raw_ops.TensorListGather", (), {**whole.named, "indices": [draw(count) for _ in range(count)]})
    return Setting((), made.named, (Made("operator.add", (some, whole)),))


def resized(draw: Digits, dtype: str) -> Setting:
    shape = ELEMENTS[draw(len(ELEMENTS))]
    made, count = _rows(draw, shape)
    size = (0, count + 1, max(0, count - 1), count + 2)[draw(4)]
    return Setting((), {"input_handle": made, "size": integers(size)}, (_stacked(shape, dtype),))


def _scattered(draw: Digits, shape: tuple[int, ...]) -> tuple[dict[str, Any], int]:
    count = (2, 1, 3, 0)[draw(4)]
    at = [draw(5) for _ in range(count)]
    named = {"tensor": Fresh((count, *shape)), "indices": integers(at), "element_shape": _shape(draw, shape)}
    return named, max(at, default=-1) + 1


def scattered(counted: bool) -> Any:
    def setting(draw: Digits, dtype: str) -> Setting:
        shape = ELEMENTS[draw(len(ELEMENTS))]
        named, least = _scattered(draw, shape)
        if counted:
            named["num_elements"] = integers(-1 if draw(3) == 2 else least + draw(3))
        return Setting((), named, (_stacked(shape, dtype),))

    return setting


def stacked(draw: Digits, dtype: str) -> Setting:
    shape = ELEMENTS[draw(len(ELEMENTS))]
    made, _ = _rows(draw, shape)
    named = {"input_handle": made, "element_shape": _shape(draw, shape), "element_dtype": DType(dtype)}
    return Setting((), named)


def gathered(draw: Digits, dtype: str) -> Setting:
    shape = ELEMENTS[draw(len(ELEMENTS))]
    made, count = _rows(draw, shape)
    at = integers([draw(count) for _ in range((2, 1, 0, 3)[draw(4)] if count else 0)])
    sizes = integers(-1 if draw(3) == 2 else list(shape))
    named = {"input_handle": made, "indices": at, "element_shape": sizes, "element_dtype": DType(dtype)}
    return Setting((), named)


def concatenated(second: bool) -> Any:
    def setting(draw: Digits, dtype: str) -> Setting:
        shape = ((2,), (2, 1), (1, 2))[draw(3)]
        made, _ = _rows(draw, shape)
        named: dict[str, Any] = {"input_handle": made, "element_dtype": DType(dtype)}
        if second:
            return Setting((), {**named, "element_shape": integers(list(shape)), "leading_dims": longs([])})
        return Setting((), {**named, "element_shape": [None, *shape[1:]] if draw(2) else list(shape)})

    return setting


def _raw(name: str, setting: Any, dtypes: frozenset[str] = WIDE_NUMBERS, curve: str = "linear") -> Row:
    return op_row(f"raw_ops.{name}", setting, dtypes, curve, **_UNTRACED, often=2 if "List" in name else 1)


ROWS: tuple[Row, ...] = (
    _raw("DenseToCSRSparseMatrix", _made_by(_from_dense)),
    _raw("SparseTensorToCSRSparseMatrix", _made_by(_from_parts)),
    _raw("CSRSparseMatrixToDense", opened("sparse_input"), NUMERIC),
    _raw("CSRSparseMatrixToSparseTensor", opened("sparse_matrix"), NUMERIC),
    _raw("SparseMatrixTranspose", transposed, NUMERIC),
    _raw("SparseMatrixMatMul", times_dense, NUMERIC, "bilinear"),
    _raw("SparseMatrixSparseMatMul", times_compressed, NUMERIC, "bilinear"),
    _raw("TensorListFromTensor", from_rows, NUMERIC),
    _raw("TensorListStack", stacked, NUMERIC),
    _raw("TensorListGather", gathered, NUMERIC),
    _raw("TensorListResize", resized, NUMERIC),
    _raw("TensorListScatter", scattered(False), NUMERIC),
    _raw("TensorListScatterV2", scattered(True), NUMERIC),
    _raw("TensorListConcat", concatenated(False), NUMERIC),
    _raw("TensorListConcatV2", concatenated(True), NUMERIC),
)
