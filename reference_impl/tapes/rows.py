"""Rows: many upstream gradients at once, as one array type that gradient rules take for a single one.

``Rows(a)`` stands for the arrays ``a[0], a[1], ...``; its ``shape`` is that of one of them.  It takes part in NumPy by
NEP 13 and NEP 18: ufuncs, reductions, indexing and the functions in the table below run on all rows at once, every
other function runs row by row.  What cannot be done either way raises ``Unbatched``, and the caller goes back to
one row at a time.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy import ascontiguousarray, float32, matmul, ndarray
from numpy.lib.mixins import NDArrayOperatorsMixin


class Unbatched(AttributeError, TypeError):
    """An operation that cannot run on many rows at once."""


class Unvectorized(ValueError):
    """An operation on many rows that TensorFlow does not vectorize, although it can be done."""


class Rows:
    """``a``: an array with the rows along its first axis."""

    __slots__ = ("a",)

    def __init__(self, a: Any):
        self.a = a

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one row."""
        return self.a.shape[1:]

    @property
    def dtype(self) -> np.dtype:
        """The element type."""
        return self.a.dtype

    @property
    def ndim(self) -> int:
        """The number of axes of one row."""
        return self.a.ndim - 1

    @property
    def size(self) -> int:
        """The number of elements of one row."""
        return self.a.size // len(self.a) if len(self.a) else int(np.prod(self.shape))

    @property
    def real(self) -> Rows:
        """Real parts."""
        return Rows(self.a.real)

    @property
    def imag(self) -> Rows:
        """Imaginary parts."""
        return Rows(self.a.imag)

    def reshape(self, *shape: Any) -> Rows:
        """Every row in another shape."""
        want = shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape
        return Rows(self.a.reshape(len(self.a), *want))

    def transpose(self, *axes: Any) -> Rows:
        """Every row with its axes in another order, reversed by default."""
        order = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes
        order = tuple(order) if order else tuple(reversed(range(self.ndim)))
        return Rows(self.a.transpose((0, *(k % self.ndim + 1 for k in order))))

    def swapaxes(self, i: int, j: int) -> Rows:
        """Every row with two axes exchanged."""
        return Rows(self.a.swapaxes(i % self.ndim + 1, j % self.ndim + 1))

    def astype(self, dtype: Any) -> Rows:
        """Every row with another dtype."""
        return Rows(self.a.astype(dtype))

    def copy(self) -> Rows:
        """A copy."""
        return Rows(self.a.copy())

    def take(self, indices: Any, axis: int = 0) -> Rows:
        """Every row's entries at ``indices`` along an axis."""
        return Rows(self.a.take(indices, axis=axis % self.ndim + 1))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise Unbatched(f"the attribute {name} of many rows")

    def __getitem__(self, key: Any) -> Rows:
        parts = key if isinstance(key, tuple) else (key,)
        return Rows(self.a[(slice(None), *parts)]) if _adjacent(parts) else _each(lambda row: row[key], (self,), {})

    def __bool__(self) -> bool:
        raise Unbatched("the truth of many rows")

    __float__ = __int__ = __index__ = __len__ = __bool__  # type: ignore[assignment]

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        raise Unbatched("many rows as one array")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if len(inputs) == 2 and method == "__call__" and not options:
            x, y = inputs
            if type(x) is ndarray:
                if x.ndim < y.a.ndim:
                    if ufunc is matmul:  # many small products by a transposed view take twice the time
                        x = ascontiguousarray(x)
                    return Rows(ufunc(x, y.a))
            elif type(y) is Rows:
                if type(x) is Rows and x.a.ndim == y.a.ndim:
                    return Rows(ufunc(x.a, y.a))
            elif type(y) is ndarray and y.ndim < x.a.ndim:
                return Rows(ufunc(x.a, y))
        if method == "__call__" and "out" not in options:
            result = ufunc(*_aligned(inputs), **options)
            return tuple(map(Rows, result)) if type(result) is tuple else Rows(result)
        if method in ("reduce", "accumulate") and len(inputs) == 1 and "out" not in options:
            axis = options.pop("axis", 0)
            return Rows(getattr(ufunc, method)(inputs[0].a, axis=_shifted(axis, self.ndim), **options))
        raise Unbatched(f"{ufunc.__name__}.{method}")

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        together = _TOGETHER.get(function)
        if together is not None:
            return together(*args, **options)
        return _each(function, args, options)

    @staticmethod
    def __scatter_add__(shape: tuple[int, ...], index: Any, values: Rows) -> Rows:
        from ..ops.scatter import scatter_add

        parts = index if isinstance(index, tuple) else (index,)
        if not _adjacent(parts):
            return _each(lambda row: scatter_add(shape, index, row), (values,), {})
        return Rows(scatter_add((len(values.a), *shape), (slice(None), *parts), values.a))

    @staticmethod
    def __scatter_set__(base: Any, index: Any, values: Any) -> Rows:
        from ..ops.scatter import scatter_set

        return _each(lambda b, v: scatter_set(b, index, v), (base, values), {})


def _quick(name: str, function: Any, reflected: bool) -> None:
    """An arithmetic operator that goes straight to the arrays where their axes fit as they are."""
    otherwise = vars(NDArrayOperatorsMixin)[name]

    def method(self: Rows, other: Any) -> Any:
        a, kind = self.a, type(other)
        if kind is Rows and other.a.ndim == a.ndim:
            return Rows(function(a, other.a))
        if (kind is ndarray and other.ndim < a.ndim) or kind is float or kind is float32:
            return Rows(function(other, a) if reflected else function(a, other))
        return otherwise(self, other)

    setattr(Rows, name, method)


def _by_matrix(a: Any, b: Any) -> Any:
    """Many matrices times one: a product of two matrices, a third of the time of as many products as there are rows."""
    if a.ndim == 3 and type(b) is ndarray and b.ndim == 2 and type(a) is ndarray:
        count, n, m = a.shape
        return (a.reshape(count * n, m) @ b).reshape(count, n, b.shape[1])
    return operator.matmul(a, b)


for _name in ("add", "sub", "mul", "truediv", "matmul"):
    _quick(f"__{_name}__", _by_matrix if _name == "matmul" else getattr(operator, _name), False)
    _quick(f"__r{_name}__", getattr(operator, _name), True)
for _name, _operator in vars(NDArrayOperatorsMixin).items():
    if _name.startswith("__") and callable(_operator) and _name not in vars(Rows):
        setattr(Rows, _name, _operator)


def _adjacent(parts: tuple) -> bool:
    """True unless arrays in an index stand apart, in which case NumPy would move their axes to the front."""
    places = [k for k, p in enumerate(parts) if isinstance(p, (np.ndarray, list, Rows)) or (places_int(p, parts))]
    return not places or places[-1] - places[0] + 1 == len(places)


def places_int(part: Any, parts: tuple) -> bool:
    """True for an int that stands beside arrays in an index, where it counts as one."""
    return isinstance(part, (int, np.integer)) and any(isinstance(p, (np.ndarray, list)) for p in parts)


def _aligned(values: Any) -> list:
    """Rows with size-1 axes put behind the first, so that they broadcast against the others from the right."""
    rank = max(v.ndim for v in values if hasattr(v, "ndim"))
    out = []
    for v in values:
        if type(v) is Rows:
            a = v.a
            v = a if a.ndim > rank else a.reshape(a.shape[:1] + (1,) * (rank + 1 - a.ndim) + a.shape[1:])
        out.append(v)
    return out


def _shifted(axis: Any, rank: int) -> Any:
    if axis is None:
        return tuple(range(1, rank + 1))
    return tuple(k % rank + 1 for k in axis) if isinstance(axis, tuple) else axis % rank + 1


def _found(value: Any) -> list[Rows]:
    if type(value) is Rows:
        return [value]
    if isinstance(value, (list, tuple)):
        return [r for v in value for r in _found(v)]
    return []


def _at(value: Any, k: int) -> Any:
    """``value`` with every Rows in it replaced by its row ``k``."""
    if type(value) is Rows:
        return value.a[k]
    if isinstance(value, (list, tuple)):
        return type(value)(_at(v, k) for v in value)
    return value


def by_row(function: Callable, *args: Any, **options: Any) -> Any:
    """``function`` called with one row of every Rows among its arguments at a time; its results as Rows again.

    A None, or a tuple with Nones, must be None in every row.
    """
    return _each(function, args, options)


def _each(function: Callable, args: Any, options: dict) -> Any:
    """``function`` row by row."""
    count = len(_found([*args, *options.values()])[0].a)
    if not count:
        raise Unbatched("no rows")
    results = [function(*_at(list(args), k), **{n: _at(v, k) for n, v in options.items()}) for k in range(count)]
    if type(results[0]) is tuple:
        return tuple(_stacked(column) for column in zip(*results))
    return _stacked(results)


def _stacked(column: Any) -> Any:
    if all(v is None for v in column):
        return None
    if not all(hasattr(v, "dtype") for v in column):
        raise Unbatched("results that are no arrays")
    return Rows(np.stack(column))


def _where(condition: Any, x: Any, y: Any) -> Rows:
    return Rows(np.where(*_aligned((condition, np.asarray(x) if type(x) is not Rows else x, y))))


def _broadcast_to(x: Rows, shape: tuple[int, ...]) -> Rows:
    a = x.a.reshape(x.a.shape[:1] + (1,) * (len(shape) - x.ndim) + x.shape)
    return Rows(np.broadcast_to(a, (len(a), *shape)))


def _alike(values: Any) -> list:
    """Arrays with a first axis for the rows, also those that were the same in every row."""
    count = len(_found(list(values))[0].a)
    return [v.a if type(v) is Rows else np.broadcast_to(v, (count, *np.shape(v))) for v in values]


def _concatenate(values: Any, axis: int = 0) -> Rows:
    return Rows(np.concatenate(_alike(values), axis=axis % values[0].ndim + 1))


def _stack(values: Any, axis: int = 0) -> Rows:
    return Rows(np.stack(_alike(values), axis=axis % (values[0].ndim + 1) + 1))


def _moveaxis(x: Rows, source: Any, destination: Any) -> Rows:
    if isinstance(source, (tuple, list)):
        return Rows(np.moveaxis(x.a, _shifted(tuple(source), x.ndim), _shifted(tuple(destination), x.ndim)))
    return Rows(np.moveaxis(x.a, source % x.ndim + 1, destination % x.ndim + 1))


_TOGETHER: dict[Any, Callable] = {
    np.where: _where,
    np.broadcast_to: _broadcast_to,
    np.concatenate: _concatenate,
    np.stack: _stack,
    np.moveaxis: _moveaxis,
    np.real: lambda x: Rows(x.a.real),
    np.imag: lambda x: Rows(x.a.imag),
    np.zeros_like: lambda x, *args, **options: Rows(np.zeros_like(x.a, *args, **options)),
    np.ones_like: lambda x, *args, **options: Rows(np.ones_like(x.a, *args, **options)),
    np.expand_dims: lambda x, axis: Rows(np.expand_dims(x.a, axis % (x.ndim + 1) + 1)),
    np.transpose: lambda x, axes=None: x.transpose(*(() if axes is None else (axes,))),
    np.swapaxes: lambda x, i, j: x.swapaxes(i, j),
    np.reshape: lambda x, shape: x.reshape(shape),
}
