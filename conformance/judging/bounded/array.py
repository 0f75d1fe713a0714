"""`Bounded`: an array that carries, for each element, a reference value and a bound on every implementation's error.

Make one with `bounded(array)` and compute with it through NumPy as usual: ufuncs and their methods (NEP 13) and NumPy's
functions (NEP 18) follow rules that carry the bound along. Read `.x` (reference value, in a wider dtype), `.error()`
(absolute bound, zeros where nothing was rounded) and `.dtype` (the dtype of the program it stands for).

The bound is about *any* sensible implementation in the program's dtype: each operation adds its own `k` units in the
last place (`ulps.py`), sums may be taken in any order, subnormals may be flushed. Where the bound is zero no step
rounded and no order of summation could, so every implementation must give exactly `.x`. A bound of infinity says that
nothing is known: the value lies within its bound of a singularity, of an overflow or of a jump.
"""

from __future__ import annotations

import itertools
import operator
from functools import lru_cache
from typing import Any

import numpy as np

from conformance.judging.bounded.formats import Format, format_of
from conformance.judging.bounded.run import note_ambiguous, note_unbounded


class BoundError(Exception):
    """Raised when a computation has no rule that carries bounds: the program is then judged without them.

    Noted in the current run as well, in case the engine catches it.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        note_unbounded(reason)


class _RulesNoted:
    """A rule that fails with a TypeError or AttributeError met arguments that it does not know: the run must not pass
    that off as the program's own error. (A ValueError is NumPy's way to refuse shapes, and the program's own.)"""

    __slots__ = ("name",)

    def __init__(self, function: Any) -> None:
        self.name = getattr(function, "__name__", repr(function))

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, at: Any) -> None:
        if isinstance(error, TypeError | AttributeError):
            note_unbounded(f"{self.name} has no bounds for such arguments: {error}")


Parts = Any  # an ndarray or a NumPy scalar of the wide dtype

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_WORD = (1 << 64) - 1
_serial = itertools.count(1)


class Bounded:
    """See the module docstring. `e` is None where the whole array is exact.

    `key` says where the array comes from: two arrays with equal keys were computed by the same operations from the
    same constants, so they are equal to the bit in any implementation. `tags` says the same of single elements.
    """

    __slots__ = ("e", "fmt", "key", "tags", "x")
    __array_priority__ = 1000.0

    def __init__(self, fmt: Format, x: Parts, e: Parts | None, key: int | None = None, tags: Parts | None = None):
        self.fmt = fmt
        self.x = x
        self.e = e
        self.key = next(_serial) * 0x9FB21C651E98DF25 & _WORD if key is None else key
        self.tags = tags

    # ---------------------------------------------------------- looking

    @property
    def dtype(self) -> np.dtype:
        return self.fmt.dtype

    @property
    def shape(self) -> tuple[int, ...]:
        return self.x.shape

    @property
    def ndim(self) -> int:
        return self.x.ndim

    @property
    def size(self) -> int:
        return self.x.size

    @property
    def itemsize(self) -> int:
        return self.fmt.dtype.itemsize

    @property
    def nbytes(self) -> int:
        return self.x.size * self.fmt.dtype.itemsize

    def error(self) -> Parts:
        """The absolute bound of each element (of its modulus, for complex dtypes), as the wide real dtype."""
        return np.zeros(self.x.shape, self.fmt.wide_real)[()] if self.e is None else self.e

    def identities(self) -> Parts:
        """A number per element that is equal where elements are equal to the bit in any implementation."""
        if self.tags is None:
            count = np.arange(self.x.size, dtype=np.uint64).reshape(self.x.shape)
            self.tags = (count * _GOLDEN + np.uint64(self.key))[()]
        return self.tags

    def __repr__(self) -> str:
        return f"Bounded({self.dtype.name}, x={self.x!r}, e={self.error()!r})"

    def __len__(self) -> int:
        if not self.x.ndim:
            raise TypeError("len() of unsized object")
        return len(self.x)

    def __iter__(self) -> Any:
        return (self[i] for i in range(len(self)))

    # ---------------------------------------------------------- structure

    def spread(self, move: Any) -> Bounded:
        """Apply a function that only moves elements about to value, bound and tags alike."""
        if self.e is None:
            return Bounded(self.fmt, move(self.x), None)
        return Bounded(self.fmt, move(self.x), move(self.e), None, move(self.identities()))

    def __getitem__(self, index: Any) -> Bounded:
        return self.spread(operator.itemgetter(index))

    def __setitem__(self, index: Any, value: Any) -> None:
        raise BoundError("bounded arrays are never changed in place")

    def reshape(self, *shape: Any, **options: Any) -> Bounded:
        made = self.spread(lambda part: part.reshape(*shape, **options)[()])
        return made

    def transpose(self, *axes: Any) -> Bounded:
        return self.spread(lambda part: part.transpose(*axes))

    def swapaxes(self, first: int, second: int) -> Bounded:
        return self.spread(lambda part: part.swapaxes(first, second))

    def squeeze(self, axis: Any = None) -> Bounded:
        return self.spread(lambda part: part.squeeze(axis)[()])

    def ravel(self, order: str = "C") -> Bounded:
        return self.spread(lambda part: part.ravel(order))

    flatten = ravel

    def repeat(self, repeats: Any, axis: int | None = None) -> Bounded:
        return self.spread(lambda part: part.repeat(repeats, axis))

    def take(self, indices: Any, axis: int | None = None, mode: str = "raise") -> Bounded:
        return self.spread(lambda part: part.take(indices, axis=axis, mode=mode))

    def diagonal(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Bounded:
        return self.spread(lambda part: part.diagonal(offset, axis1, axis2))

    def copy(self, order: str = "C") -> Bounded:
        return self

    def view(self, *arguments: Any) -> Bounded:
        if arguments:
            raise BoundError("a bounded array cannot be reinterpreted as another dtype")
        return self

    @property
    def T(self) -> Bounded:  # the name is NumPy's
        return self.transpose()

    @property
    def mT(self) -> Bounded:  # the name is NumPy's
        return self.swapaxes(-1, -2)

    # ---------------------------------------------------------- complex parts

    @property
    def real(self) -> Bounded:
        return self._part("real")

    @property
    def imag(self) -> Bounded:
        return self._part("imag")

    def _part(self, name: str) -> Bounded:
        fmt = format_of(self.fmt.real)
        return Bounded(fmt, getattr(self.x, name), self.e, derived(name, self))

    def conj(self) -> Bounded:
        return np.conjugate(self)

    conjugate = conj

    # ---------------------------------------------------------- conversions

    def astype(self, dtype: Any, *order: Any, **options: Any) -> Any:
        from conformance.judging.bounded.convert import converted

        return converted(self, np.dtype(dtype))

    def __bool__(self) -> bool:
        return bool(np.not_equal(self, 0))

    def __float__(self) -> float:
        self._decide("a Python float was taken of a rounded value")
        return float(self.x)

    def __int__(self) -> int:
        self._decide("a Python int was taken of a rounded value")
        return int(self.x)

    def __complex__(self) -> complex:
        self._decide("a Python complex was taken of a rounded value")
        return complex(self.x)

    def item(self, *arguments: Any) -> Any:
        self._decide("a Python number was taken of a rounded value")
        return self.x.astype(self.dtype).item(*arguments)

    def tolist(self) -> Any:
        self._decide("Python numbers were taken of rounded values")
        return self.x.astype(self.dtype).tolist()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """A plain array, where nothing is lost by it. BoundError where values were rounded."""
        if self.e is not None and np.any(self.e):
            raise BoundError("a bounded array was turned into a plain one, which would lose its bound")
        return np.asarray(self.x.astype(self.dtype), dtype=dtype)

    def __loosen__(self, ulps: float) -> Bounded:
        """The same values with a wider bound: for kernels that other implementations compute by another method, whose
        error the steps of this one do not show."""
        size = np.abs(self.x)
        return Bounded(self.fmt, self.x, self.error() + size * (ulps * self.fmt.ulp) + self.fmt.flush, self.key)

    def _decide(self, reason: str) -> None:
        if self.e is not None and np.any(self.e):
            note_ambiguous(reason)

    def __neg__(self) -> Bounded:
        return np.negative(self)

    def __pos__(self) -> Bounded:
        return self

    def __abs__(self) -> Bounded:
        return np.absolute(self)

    # ---------------------------------------------------------- reductions by method

    def sum(self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        return np.add.reduce(self, axis=axis, dtype=dtype, keepdims=keepdims)

    def prod(self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        return np.multiply.reduce(self, axis=axis, dtype=dtype, keepdims=keepdims)

    def max(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        return np.maximum.reduce(self, axis=axis, keepdims=keepdims)

    def min(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        return np.minimum.reduce(self, axis=axis, keepdims=keepdims)

    def mean(self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        return np.mean(self, axis=axis, keepdims=keepdims)

    def any(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        return np.any(np.not_equal(self, 0), axis=axis, keepdims=keepdims)

    def all(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        return np.all(np.not_equal(self, 0), axis=axis, keepdims=keepdims)

    def argmax(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        return np.argmax(self, axis=axis, keepdims=keepdims)

    def argmin(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        return np.argmin(self, axis=axis, keepdims=keepdims)

    def cumsum(self, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        return np.cumsum(self, axis=axis)

    def round(self, decimals: int = 0, out: Any = None) -> Any:
        return np.round(self, decimals)

    def clip(self, low: Any = None, high: Any = None, out: Any = None) -> Any:
        return np.clip(self, low, high)

    def dot(self, other: Any) -> Any:
        return np.dot(self, other)

    # ---------------------------------------------------------- NumPy's protocols

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        from conformance.judging.bounded.dispatch import apply_ufunc

        if not all(map(_is_ours, inputs)):
            return NotImplemented  # an array of another kind around bounded ones: it takes itself apart
        with np.errstate(all="ignore"), _RulesNoted(ufunc):
            return apply_ufunc(ufunc, method, inputs, options)

    def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Any:
        from conformance.judging.bounded.dispatch import apply_function

        if not all(kind is Bounded or issubclass(kind, np.ndarray) for kind in types):
            return NotImplemented
        with np.errstate(all="ignore"), _RulesNoted(function):
            return apply_function(function, arguments, options)


def _is_ours(value: Any) -> bool:
    """Whether a value is bounded, NumPy's own, or nothing that takes part in NumPy's protocols."""
    kind = type(value)
    return kind is Bounded or issubclass(kind, np.ndarray | np.generic) or not hasattr(kind, "__array_ufunc__")


def derived(name: str, *parents: Any) -> int:
    """The key of what operation `name` makes of arrays (or hashable settings)."""
    return hash((name, *(parent.key if type(parent) is Bounded else parent for parent in parents))) & _WORD


def lift(value: Any, dtype: np.dtype) -> Bounded:
    """A value as `Bounded` of `dtype`: plain arrays and numbers count as exact (subnormal ones may be read as zero)."""
    if type(value) is Bounded:
        return value if value.fmt.dtype == dtype else value.astype(dtype)
    if isinstance(value, bool | int | float):
        return _lifted_number(value, type(value), str(value), dtype)
    return _lifted_array(np.asarray(value).astype(dtype))


@lru_cache(maxsize=4096)
def _lifted_number(value: Any, kind: type, text: str, dtype: np.dtype) -> Bounded:
    # `kind` and `text` keep 1, 1.0 and True, and 0.0 and -0.0, apart in the cache.
    return _lifted_array(np.asarray(value).astype(dtype))


def _lifted_array(array: np.ndarray) -> Bounded:
    fmt = format_of(array.dtype)
    if fmt is None:
        raise BoundError(f"no bounds for dtype {array.dtype}")
    x = array.astype(fmt.wide)[()]
    size = np.abs(x)
    e = None
    if fmt.flushes:
        below = (size < fmt.tiny) & (size > 0)
        e = np.where(below, size, 0.0)[()] if below.any() else None
    return Bounded(fmt, x, e, hash((fmt.name, array.shape, array.tobytes())) & _WORD)


def bounded(array: Any) -> Bounded:
    """A floating or complex array as exactly known `Bounded` values (also of shape ())."""
    return lift(array, np.asarray(array).dtype)


_OPERATORS = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "truediv": np.true_divide, "floordiv": np.floor_divide,
    "mod": np.remainder, "pow": np.power, "matmul": np.matmul,
}  # fmt: skip
_COMPARISONS = {
    "lt": np.less, "le": np.less_equal, "eq": np.equal, "ne": np.not_equal, "gt": np.greater, "ge": np.greater_equal,
}  # fmt: skip
_KNOWN = (Bounded, np.ndarray, np.generic, bool, int, float, complex)


def _operator(ufunc: np.ufunc, swapped: bool = False) -> Any:
    def operate(self: Bounded, other: Any) -> Any:
        if not isinstance(other, _KNOWN):
            return NotImplemented  # a tensor, which knows what to do with an array
        return ufunc(other, self) if swapped else ufunc(self, other)

    return operate


for _name, _ufunc in _OPERATORS.items():
    setattr(Bounded, f"__{_name}__", _operator(_ufunc))
    setattr(Bounded, f"__r{_name}__", _operator(_ufunc, swapped=True))
for _name, _ufunc in _COMPARISONS.items():
    setattr(Bounded, f"__{_name}__", _operator(_ufunc))
Bounded.__hash__ = object.__hash__


def _scatter_add(shape: tuple[int, ...], index: Any, values: Bounded) -> Bounded:
    from conformance.judging.bounded.scatter import scatter_add

    return scatter_add(shape, index, values)


def _scatter_set(base: Any, index: Any, values: Any) -> Bounded:
    from conformance.judging.bounded.scatter import scatter_set

    return scatter_set(base, index, values)


# The engine's own protocol for placing values: looked up on the type, called with the values.
Bounded.__scatter_add__ = staticmethod(_scatter_add)
Bounded.__scatter_set__ = staticmethod(_scatter_set)
