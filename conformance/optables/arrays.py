"""Rows of the ops that move elements about: shapes, joins, splits, indexing, padding, casts; and matrix products."""

from __future__ import annotations

from typing import Any

import numpy as np

from conformance.optables.row import ANY, ANYWHERE, COMPLEX, FLOATING, NUMERIC, SIGNED, WIDE, Digits, DType, Row, Span

Operands = tuple[np.ndarray, ...]
MOVED = Span(-1e4, 1e4)


def _divisors(number: int) -> list[int]:
    return [one for one in range(1, number + 1) if number % one == 0] or [0]


def _new_shape(draw: Digits, operands: Operands) -> dict[str, Any]:
    size = operands[0].size
    how = draw(4)
    if how == 0 or not size:
        return {"shape": [-1] if size else [0]}
    first = _divisors(size)[draw(len(_divisors(size)))]
    return {"shape": ([size], [first, size // first], [-1, first])[how - 1]}


def _permutation(draw: Digits, operands: Operands) -> dict[str, Any]:
    rank = operands[0].ndim
    if draw(2) == 0 or rank < 2:
        return {}
    turn = draw(rank)
    return {"perm": [(at + turn) % rank for at in range(rank)]}


def _join_axis(draw: Digits, operands: Operands) -> dict[str, Any]:
    return {"axis": draw(2 * operands[0].ndim) - operands[0].ndim if draw(2) else 0}


def _stack_axis(draw: Digits, operands: Operands) -> dict[str, Any]:
    rank = operands[0].ndim + 1
    return {"axis": draw(2 * rank) - rank} if draw(2) else {}


def _pieces(draw: Digits, operands: Operands) -> dict[str, Any]:
    shape = operands[0].shape
    axis = draw(len(shape))
    length = shape[axis]
    if length > 1 and draw(2):
        return {"num_or_size_splits": [1, length - 1], "axis": axis}
    found = _divisors(length)
    return {"num_or_size_splits": found[-1 - draw(len(found))] or 1, "axis": axis}


def _unstack_axis(draw: Digits, operands: Operands) -> dict[str, Any]:
    return {"axis": draw(operands[0].ndim)} if draw(2) else {}


def _index(draw: Digits, operands: Operands) -> dict[str, Any]:
    first, rank = operands[0].shape[0], operands[0].ndim
    how = draw(9)
    forms: list[Any] = [
        draw(first) if first else slice(None),
        -1 if first else slice(None),
        slice(None, max(first - 1, 1)),
        slice(None, None, -1),
        slice(1, None),
        (Ellipsis, None),
        slice(None, None, 2),
        (slice(None), slice(0, 1)) if rank > 1 else slice(0, 0),
        (None, slice(None)),
    ]
    return {"index": forms[how]}


def _slice(draw: Digits, operands: Operands) -> dict[str, Any]:
    begin = [draw(2) if length > 1 else 0 for length in operands[0].shape]
    return {"begin": begin, "size": [-1 if draw(2) else length - at for at, length in zip(begin, operands[0].shape)]}


def _rows(draw: Digits, operands: Operands) -> dict[str, Any]:
    shape = operands[0].shape
    axis = draw(len(shape)) if draw(3) == 2 else 0
    length = shape[axis]
    if not length:
        raise ValueError("there is nothing to gather along an empty axis")
    if axis and shape[0] and draw(2):
        rows = [[draw(length) for _ in range(2)] for _ in range(shape[0])]
        return {"indices": rows, "batch_dims": 1, **({"axis": axis} if axis > 1 or draw(2) else {})}
    nothing = 0 in (*shape[:axis], *shape[axis + 1 :])  # then no index is looked at
    found: dict[str, Any] = {"indices": [draw(length) + 9 * nothing for _ in range(1 + draw(3))]}
    if draw(5) == 4:
        found["indices"] = draw(length)
    if axis:
        found["axis"] = axis if draw(2) else axis - len(shape)
    return found


def _squeezed(draw: Digits, operands: Operands) -> dict[str, Any]:
    ones = [axis for axis, length in enumerate(operands[0].shape) if length == 1]
    return {"axis": ones[:1]} if ones and draw(2) else {}


def _new_axis(draw: Digits, operands: Operands) -> dict[str, Any]:
    rank = operands[0].ndim + 1
    return {"axis": draw(2 * rank) - rank}


def _multiples(draw: Digits, operands: Operands) -> dict[str, Any]:
    return {"multiples": [1 + draw(2) for _ in operands[0].shape]}


def _paddings(draw: Digits, operands: Operands) -> dict[str, Any]:
    mode = ("CONSTANT", "REFLECT", "SYMMETRIC")[draw(3)]
    found: dict[str, Any] = {"paddings": [[draw(2), draw(2)] for _ in operands[0].shape]}
    if mode != "CONSTANT":
        found["mode"] = mode
    elif draw(4) == 3:
        found["constant_values"] = 2
    return found


def _flipped(draw: Digits, operands: Operands) -> dict[str, Any]:
    return {"axis": [draw(operands[0].ndim)] if operands[0].ndim else []}


def _dtype(draw: Digits, operands: Operands) -> dict[str, Any]:
    names = ("float32", "float64", "float16", "bfloat16", "int32", "complex64", "bool", "int64", "complex128")
    return {"dtype": DType(names[draw(len(names))])}


def _wider(draw: Digits, operands: Operands) -> dict[str, Any]:
    return {"shape": [1 + draw(2), *operands[0].shape]}


def _shift(draw: Digits, operands: Operands) -> dict[str, Any]:
    return {"shift": draw(3) - 1, "axis": draw(operands[0].ndim)}


def _product(draw: Digits, operands: Operands) -> dict[str, Any]:
    """Partners are sought for plain products, so only square operands are transposed."""
    square = all(one.shape[-1] == one.shape[-2] for one in operands)
    how = draw(4) if square else 0
    return ({}, {"transpose_a": True}, {"transpose_b": True}, {"transpose_a": True, "transpose_b": True})[how]


def _reshape(x: np.ndarray, shape: list[int]) -> np.ndarray:
    return np.reshape(x, shape)


def _concat(*xs: np.ndarray, axis: int) -> np.ndarray:
    return np.concatenate(xs, axis)


def _stack(*xs: np.ndarray, axis: int = 0) -> np.ndarray:
    return np.stack(xs, axis)


def _split(x: np.ndarray, num_or_size_splits: Any, axis: int) -> list[np.ndarray]:
    if isinstance(num_or_size_splits, list):
        return list(np.split(x, np.cumsum(num_or_size_splits)[:-1], axis))
    return list(np.split(x, num_or_size_splits, axis))


def _unstack(x: np.ndarray, axis: int = 0) -> list[np.ndarray]:
    return list(np.moveaxis(x, axis, 0))


def _begin_size(x: np.ndarray, begin: list[int], size: list[int]) -> np.ndarray:
    return x[tuple(slice(at, None if n == -1 else at + n) for at, n in zip(begin, size))]


def _gather(x: np.ndarray, indices: Any, axis: int = 0, batch_dims: int = 0) -> np.ndarray:
    if batch_dims:
        rows = [_gather(row, one, max(axis - 1, 0)) for row, one in zip(x, indices)]
        return np.stack(rows)
    return np.take(x, np.asarray(indices, dtype=np.int64), axis=axis, mode="raise" if x.size else "clip")


def _squeeze(x: np.ndarray, axis: Any = None) -> np.ndarray:
    return np.squeeze(x, None if axis is None else tuple(axis))


def _tile(x: np.ndarray, multiples: list[int]) -> np.ndarray:
    return np.tile(x, multiples)


def _pad(x: np.ndarray, paddings: Any, mode: str = "CONSTANT", constant_values: float = 0) -> np.ndarray:
    if mode == "CONSTANT":
        return np.pad(x, paddings, constant_values=constant_values)
    least = 1 if mode == "REFLECT" else 0
    if any(max(pair) > length - least for pair, length in zip(paddings, x.shape)):
        raise ValueError("padding reaches beyond the array")
    return np.pad(x, paddings, mode="reflect" if mode == "REFLECT" else "symmetric")


def _cast(x: np.ndarray, dtype: DType) -> np.ndarray:
    kinds = {"f": float, "b": bool if dtype.name == "bool" else float, "i": np.int64, "c": complex}
    kind = kinds[dtype.name[0]]
    return (x.real if x.dtype.kind == "c" and kind is not complex else x).astype(kind)


def _matmul(x: np.ndarray, y: np.ndarray, transpose_a: bool = False, transpose_b: bool = False) -> np.ndarray:
    return np.matmul(np.swapaxes(x, -1, -2) if transpose_a else x, np.swapaxes(y, -1, -2) if transpose_b else y)


def _add_n(*xs: np.ndarray) -> np.ndarray:
    return np.sum(np.stack(xs), 0)


def _moves(name: str, forward: Any, attributes: Any, **more: Any) -> Row:
    more = {"dtypes": ANY, "spans": (MOVED,), "curve": "linear", "exact": True, **more}
    return Row(name, forward, attributes=attributes, **more)


_SHAPES = (
    _moves("reshape", _reshape, _new_shape, positional=("shape",), weight=4),
    _moves("transpose", lambda x, perm=None: np.transpose(x, perm), _permutation, weight=3),
    _moves("squeeze", _squeeze, _squeezed),
    _moves("expand_dims", np.expand_dims, _new_axis),
    _moves("broadcast_to", np.broadcast_to, _wider, positional=("shape",), weight=2),
    _moves("tile", _tile, _multiples, positional=("multiples",), rank=1),
    _moves("pad", _pad, _paddings, positional=("paddings",), rank=1, dtypes=NUMERIC),
    _moves("reverse", lambda x, axis: np.flip(x, tuple(axis)), _flipped),
    _moves("roll", np.roll, _shift, rank=1, dtypes=NUMERIC, weight=1),
)

_JOINS = (
    _moves("concat", _concat, _join_axis, operands=("list",), rank=1, weight=4),
    _moves("stack", _stack, _stack_axis, operands=("list",), weight=4),
    _moves("split", _split, _pieces, rank=1, positional=("num_or_size_splits",), weight=3),
    _moves("unstack", _unstack, _unstack_axis, rank=1, weight=3),
    _moves("add_n", _add_n, lambda draw, operands: {}, operands=("list",), dtypes=NUMERIC, weight=3),
)

_INDEXING = (
    _moves("operator.getitem", lambda x, index: x[index], _index, rank=1, positional=("index",), weight=5),
    _moves("slice", _begin_size, _slice, rank=1),
    _moves("gather", _gather, _rows, rank=1, positional=("indices",), weight=4),
)

_CASTS = (
    Row(
        "cast",
        _cast,
        attributes=_dtype,
        positional=("dtype",),
        dtypes=SIGNED | COMPLEX,
        spans=(ANYWHERE,),
        curve="linear",
        exact=True,
        result="cast",
        weight=3,
    ),
    Row(
        "complex",
        lambda x, y: x + 1j * y,
        operands=("x", "same"),
        dtypes=WIDE,
        spans=(ANYWHERE,),
        curve="linear",
        exact=True,
        result="complex",
        weight=1,
    ),
)

_PRODUCTS = (
    Row(
        "linalg.matmul",
        _matmul,
        operands=("x", "matmul"),
        attributes=_product,
        dtypes=NUMERIC,
        rank=2,
        curve="bilinear",
        exact=True,
        ulps="sum",
        weight=6,
    ),
    Row(
        "operator.matmul",
        np.matmul,
        operands=("x", "matmul"),
        dtypes=FLOATING,
        rank=2,
        curve="bilinear",
        exact=True,
        ulps="sum",
    ),
    Row(
        "linalg.matvec",
        lambda a, b: np.matmul(a, b[..., None])[..., 0],
        operands=("x", "vector"),
        dtypes=NUMERIC,
        rank=2,
        curve="bilinear",
        exact=True,
        ulps="sum",
        weight=1,
    ),
)

ROWS = _SHAPES + _JOINS + _INDEXING + _CASTS + _PRODUCTS
