"""NumPy's functions (NEP 18) on bounded arrays: those that move elements about, and those made of ufuncs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from conformance.judging.bounded import decisions, sums
from conformance.judging.bounded.array import Bounded, BoundError, lift
from conformance.judging.bounded.formats import format_of
from conformance.judging.bounded.run import note_ambiguous

FUNCTIONS: dict[Any, Callable[..., Any]] = {}


def _rule(*functions: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def register(rule: Callable[..., Any]) -> Callable[..., Any]:
        for function in functions:
            FUNCTIONS[function] = rule
        return rule

    return register


# ---------------------------------------------------------------- moving the elements of one array


def _moving(function: Any) -> Callable[..., Any]:
    def rule(a: Any, *arguments: Any, **options: Any) -> Any:
        return a.spread(lambda part: function(part, *arguments, **options))

    return rule


for _function in (
    np.reshape, np.transpose, np.matrix_transpose, np.moveaxis, np.swapaxes, np.rollaxis, np.squeeze, np.ravel,
    np.expand_dims, np.broadcast_to, np.take, np.take_along_axis, np.repeat, np.tile, np.flip, np.fliplr, np.flipud,
    np.roll, np.rot90, np.diagonal, np.diag, np.diagflat, np.tril, np.triu, np.compress, np.resize, np.delete,
    np.linalg.diagonal,
):  # fmt: skip
    FUNCTIONS[_function] = _moving(_function)


@_rule(np.atleast_1d, np.atleast_2d, np.atleast_3d)
def _at_least(*arrays: Any) -> Any:
    made = [a if a.ndim else a.reshape(1) for a in arrays]
    return made[0] if len(made) == 1 else made


@_rule(np.split, np.array_split, np.vsplit, np.hsplit, np.dsplit)
def _split(a: Bounded, sections: Any, axis: int = 0) -> list[Any]:
    edges = np.array_split(np.arange(a.shape[axis]), sections, axis=0)
    return [a.take(edge, axis) for edge in edges]


@_rule(*(getattr(np, name) for name in ("unstack",) if hasattr(np, name)))  # since NumPy 2.1
def _unstack(a: Bounded, *, axis: int = 0) -> tuple[Any, ...]:
    return tuple(a.take(i, axis) for i in range(a.shape[axis]))


@_rule(np.copy)
def _copy(a: Bounded, *arguments: Any, **options: Any) -> Bounded:
    return a


# ---------------------------------------------------------------- several arrays


def _common(arrays: Any) -> list[Bounded]:
    dtype = np.result_type(*(a.dtype if hasattr(a, "dtype") else a for a in arrays))
    return [lift(a, dtype) for a in arrays]


def _together(function: Any) -> Callable[..., Any]:
    def rule(arrays: Any, *arguments: Any, **options: Any) -> Any:
        options.pop("out", None)
        options.pop("dtype", None)
        return _merged(_common(list(arrays)), lambda parts: function(parts, *arguments, **options))

    return rule


def _merged(arrays: list[Bounded], merge: Callable[[list[Any]], Any]) -> Bounded:
    x = merge([a.x for a in arrays])
    if all(a.e is None for a in arrays):
        return Bounded(arrays[0].fmt, x, None)
    return Bounded(arrays[0].fmt, x, merge([a.error() for a in arrays]), None, merge([a.identities() for a in arrays]))


for _function in (np.concatenate, np.stack, np.vstack, np.hstack, np.dstack, np.column_stack):
    FUNCTIONS[_function] = _together(_function)


@_rule(np.append)
def _append(a: Any, values: Any, axis: int | None = None) -> Any:
    parts = _common([a, values])
    return np.concatenate([p.ravel() for p in parts] if axis is None else parts, axis=axis or 0)


@_rule(np.where)
def _where(condition: Any, *choices: Any) -> Any:
    if isinstance(condition, Bounded):
        condition = np.not_equal(condition, 0)
    if not choices:
        return np.nonzero(condition)
    a, b = _common(choices)
    return _merged([a, b], lambda parts: np.where(condition, *parts)[()])


@_rule(np.select)
def _select(conditions: Any, choices: Any, default: Any = 0) -> Any:
    made = default
    for condition, choice in reversed(list(zip(conditions, choices, strict=True))):
        made = np.where(condition, choice, made)
    return made


@_rule(np.broadcast_arrays)
def _broadcast_arrays(*arrays: Any, **options: Any) -> tuple[Any, ...]:
    shape = np.broadcast_shapes(*(np.shape(a) for a in arrays))
    return tuple(np.broadcast_to(a, shape) for a in arrays)


@_rule(np.meshgrid)
def _meshgrid(*arrays: Any, indexing: str = "xy", **options: Any) -> Any:
    count = [np.arange(np.size(a)) for a in arrays]
    grids = np.meshgrid(*count, indexing=indexing)
    return [np.take(np.ravel(a), grid) for a, grid in zip(arrays, grids, strict=True)]


@_rule(np.pad)
def _pad(a: Bounded, widths: Any, mode: str = "constant", **options: Any) -> Any:
    if mode != "constant":
        return a.spread(lambda part: np.pad(part, widths, mode=mode, **options))
    fill = options.get("constant_values", 0)
    inside = np.pad(np.ones(a.shape, np.bool_), widths)
    at = np.pad(np.arange(a.size).reshape(a.shape), widths)
    if not a.size:
        return np.broadcast_to(lift(fill, a.dtype), inside.shape)
    return np.where(inside, np.take(a.ravel(), at), lift(fill, a.dtype))


@_rule(np.insert)
def _insert(a: Bounded, at: Any, values: Any, axis: int | None = None) -> Any:
    fill = lift(values, a.dtype)
    return _merged([a, fill], lambda parts: np.insert(parts[0], at, parts[1], axis=axis))


# ---------------------------------------------------------------- arrays of a like shape and dtype, plain facts


def _filled_like(a: Any, value: Any, dtype: Any, shape: Any) -> Any:
    """A constant array; of a floating dtype it is bounded too, so that what is made of it is."""
    dtype = a.dtype if dtype is None else np.dtype(dtype)
    shape = np.shape(a) if shape is None else shape
    if isinstance(value, Bounded):
        return np.broadcast_to(value.astype(dtype), shape)
    made = np.full(shape, value, dtype)[()]
    return made if format_of(dtype) is None else lift(made, dtype)


@_rule(np.zeros_like, np.empty_like)
def _zeros_like(a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None, **more: Any) -> Any:
    return _filled_like(a, 0, dtype, shape)


@_rule(np.ones_like)
def _ones_like(a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None, **more: Any) -> Any:
    return _filled_like(a, 1, dtype, shape)


@_rule(np.full_like)
def _full_like(
    a: Any, fill: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None, **more: Any
) -> Any:
    return _filled_like(a, fill, dtype, shape)


FUNCTIONS[np.shape] = lambda a: a.shape
FUNCTIONS[np.ndim] = lambda a: a.ndim
FUNCTIONS[np.size] = lambda a, axis=None: a.size if axis is None else a.shape[axis]
FUNCTIONS[np.iscomplexobj] = lambda a: a.fmt.is_complex
FUNCTIONS[np.isrealobj] = lambda a: not a.fmt.is_complex
FUNCTIONS[np.real] = lambda a: a.real
FUNCTIONS[np.imag] = lambda a: a.imag
FUNCTIONS[np.result_type] = lambda *items: np.result_type(*(i.dtype if isinstance(i, Bounded) else i for i in items))
FUNCTIONS[np.can_cast] = lambda a, to, casting="safe": np.can_cast(a.dtype, to, casting)
FUNCTIONS[np.common_type] = lambda *arrays: np.result_type(*(a.dtype for a in arrays)).type


@_rule(np.angle)
def _angle(a: Bounded, deg: bool = False) -> Any:
    made = np.arctan2(a.imag, a.real)
    return np.rad2deg(made) if deg else made


# ---------------------------------------------------------------- reductions


@_rule(np.sum)
def _sum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, **options: Any) -> Any:
    return np.add.reduce(a, axis=axis, dtype=dtype, keepdims=keepdims is True, **_given(options))


@_rule(np.prod)
def _prod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, **options: Any) -> Any:
    return np.multiply.reduce(a, axis=axis, dtype=dtype, keepdims=keepdims is True, **_given(options))


@_rule(np.max, np.amax)
def _max(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, **options: Any) -> Any:
    return np.maximum.reduce(a, axis=axis, keepdims=keepdims is True, **_given(options))


@_rule(np.min, np.amin)
def _min(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, **options: Any) -> Any:
    return np.minimum.reduce(a, axis=axis, keepdims=keepdims is True, **_given(options))


def _given(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not np._NoValue}


@_rule(np.mean)
def _mean(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, **options: Any) -> Any:
    total = np.add.reduce(a, axis=axis, dtype=dtype, keepdims=keepdims is True)
    return total / (a.size // max(np.size(total), 1))


@_rule(np.var)
def _var(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: int = 0, keepdims: Any = False, **more: Any
) -> Any:
    away = a - _mean(a, axis=axis, keepdims=True)
    squares = np.square(away) if not a.fmt.is_complex else (away * np.conjugate(away)).real
    total = np.add.reduce(squares, axis=axis, keepdims=keepdims is True)
    return total / (a.size // max(np.size(total), 1) - ddof)


@_rule(np.std)
def _std(a: Any, *arguments: Any, **options: Any) -> Any:
    return np.sqrt(_var(a, *arguments, **options))


@_rule(np.cumsum)
def _cumsum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    return np.add.accumulate(a.ravel() if axis is None else a, axis=axis or 0, dtype=dtype)


@_rule(np.cumprod)
def _cumprod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    return np.multiply.accumulate(a.ravel() if axis is None else a, axis=axis or 0, dtype=dtype)


@_rule(np.diff)
def _diff(a: Any, n: int = 1, axis: int = -1) -> Any:
    for _ in range(n):
        count = np.arange(a.shape[axis])
        a = np.subtract(np.take(a, count[1:], axis), np.take(a, count[:-1], axis))
    return a


@_rule(np.any)
def _any(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, **options: Any) -> Any:
    return np.any(np.not_equal(a, 0), axis=axis, keepdims=keepdims is True)


@_rule(np.all)
def _all(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, **options: Any) -> Any:
    return np.all(np.not_equal(a, 0), axis=axis, keepdims=keepdims is True)


@_rule(np.trace, np.linalg.trace)
def _trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, **options: Any) -> Any:
    return np.add.reduce(np.diagonal(a, offset, axis1, axis2), axis=-1)


# ---------------------------------------------------------------- products


@_rule(np.dot)
def _dot(a: Any, b: Any, out: Any = None) -> Any:
    a, b = _common([a, b])
    if not a.ndim or not b.ndim:
        return np.multiply(a, b)
    if b.ndim <= 2 and (a.ndim <= 2 or b.ndim == 1):
        return np.matmul(a, b)
    return _tensordot(a, b, (a.ndim - 1, b.ndim - 2))


@_rule(np.inner)
def _inner(a: Any, b: Any) -> Any:
    a, b = _common([a, b])
    return np.multiply(a, b) if not a.ndim or not b.ndim else _tensordot(a, b, (-1, -1))


@_rule(np.outer)
def _outer(a: Any, b: Any, out: Any = None) -> Any:
    return np.multiply(np.reshape(a, (-1, 1)), np.reshape(b, (1, -1)))


@_rule(np.vdot)
def _vdot(a: Any, b: Any) -> Any:
    a, b = _common([a, b])
    return np.matmul(np.conjugate(a.ravel()), b.ravel())


@_rule(np.tensordot)
def _tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    a, b = _common([a, b])
    if isinstance(axes, int):
        first, second = list(range(a.ndim - axes, a.ndim)), list(range(axes))
    else:
        first, second = (list(np.atleast_1d(part)) for part in axes)
    depth = int(np.prod([a.shape[i] for i in first], dtype=int))
    return sums.contraction(lambda p, q: np.tensordot(p, q, (first, second)), (a, b), depth)


@_rule(np.kron)
def _kron(a: Any, b: Any) -> Any:
    a, b = _common([a, b])
    return sums.contraction(np.kron, (a, b), 1)


@_rule(np.cross)
def _cross(a: Any, b: Any, *arguments: Any, **options: Any) -> Any:
    a, b = _common([a, b])
    axis = options.get("axis", -1)
    (a0, a1, a2), (b0, b1, b2) = (tuple(np.take(v, i, axis) for i in range(3)) for v in (a, b))
    return np.stack([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0], axis=axis)


@_rule(np.einsum)
def _einsum(subscripts: Any, *operands: Any, **options: Any) -> Any:
    if not isinstance(subscripts, str):
        raise BoundError("einsum without subscripts as text has no bounds")
    return sums.einsum(subscripts, *operands)


# ---------------------------------------------------------------- decisions and orders


@_rule(np.argmax)
def _argmax(a: Bounded, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
    return decisions.extreme_position(np.argmax, a, axis, keepdims is True)


@_rule(np.argmin)
def _argmin(a: Bounded, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
    return decisions.extreme_position(np.argmin, a, axis, keepdims is True)


@_rule(np.argsort)
def _argsort(a: Bounded, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Any:
    return decisions.order(a, axis, kind, stable)


@_rule(np.sort)
def _sort(a: Bounded, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Any:
    if axis is None:
        a, axis = a.ravel(), 0
    return np.take_along_axis(a, np.argsort(a.x, axis=axis, kind="stable"), axis)


@_rule(np.nonzero)
def _nonzero(a: Bounded) -> Any:
    return np.nonzero(np.not_equal(a, 0))


@_rule(np.argwhere)
def _argwhere(a: Bounded) -> Any:
    return np.argwhere(np.not_equal(a, 0))


@_rule(np.count_nonzero)
def _count_nonzero(a: Bounded, axis: Any = None, *, keepdims: bool = False) -> Any:
    return np.count_nonzero(np.not_equal(a, 0), axis=axis, keepdims=keepdims)


@_rule(np.round, np.around)
def _round(a: Bounded, decimals: int = 0, out: Any = None) -> Any:
    if decimals:
        raise BoundError("rounding to decimals has no bounds")
    return np.rint(a)


@_rule(np.clip)
def _clip(a: Any, low: Any = None, high: Any = None, out: Any = None, **options: Any) -> Any:
    made = a if low is None else np.maximum(a, low)
    return made if high is None else np.minimum(made, high)


@_rule(np.nan_to_num)
def _nan_to_num(a: Bounded, copy: bool = True, nan: float = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    made = np.where(np.isnan(a), lift(nan, a.dtype), a)
    largest = lift(np.array(format_of(a.dtype).max, a.dtype), a.dtype)
    top = largest if posinf is None else lift(posinf, a.dtype)
    bottom = np.negative(largest) if neginf is None else lift(neginf, a.dtype)
    return np.where(np.isinf(a), np.where(np.greater(a, 0), top, bottom), made)


@_rule(np.array_equal)
def _array_equal(a: Any, b: Any, equal_nan: bool = False) -> bool:
    return np.shape(a) == np.shape(b) and bool(np.all(np.equal(a, b)))


@_rule(np.sinc)
def _sinc(a: Bounded) -> Any:
    y = np.multiply(a, np.asarray(np.pi, a.dtype))
    return np.where(np.equal(a, 0), lift(1.0, a.dtype), np.divide(np.sin(y), y))


@_rule(np.unique)
def _unique(a: Bounded, *arguments: Any, **options: Any) -> Any:
    """Values are told apart on the reference: in doubt wherever one was rounded and there are others."""
    if a.e is not None and np.any(a.e) and a.size > 1:
        note_ambiguous("unique among rounded values")
    found = np.unique(a.x, *arguments, **options)
    values = found[0] if isinstance(found, tuple) else found
    e = None if a.e is None else np.full(values.shape, np.max(a.e, initial=0.0))
    made = Bounded(a.fmt, values, e)
    return (made, *found[1:]) if isinstance(found, tuple) else made
