"""TensorShape: the static shape of a tensor, printed and compared as TensorFlow's.

``TensorShape([2, None]).as_list()``, ``TensorShape(None).rank``, ``is_compatible_with``, ``with_rank_at_least`` ...
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


class TensorShape:
    """A shape whose sizes, or rank, may be unknown (None)."""

    __slots__ = ("_dims",)

    def __init__(self, dims: Any):
        if type(dims) is tuple:
            self._dims: tuple[int | None, ...] | None = dims
        elif dims is None:
            self._dims = None
        elif isinstance(dims, TensorShape):
            self._dims = dims._dims
        elif isinstance(dims, str):
            raise TypeError(
                f"Failed to convert '{dims!r}' to a shape: '{dims!r}'could not be converted to a dimension. A shape "
                "should either be single dimension (e.g. 10), or an iterable of dimensions (e.g. [1, 10, None])."
            )
        elif hasattr(dims, "__iter__"):
            self._dims = tuple(_size(d) for d in dims)
        else:
            self._dims = (_size(dims),)
        for d in self._dims or ():
            if type(d) is not int and d is not None:
                self._dims = tuple(_size(d) for d in self._dims or ())
                break

    @property
    def rank(self) -> int | None:
        """Number of axes, None when unknown."""
        return None if self._dims is None else len(self._dims)

    ndims = rank

    @property
    def dims(self) -> list[int | None] | None:
        """The sizes as a list, None for an unknown rank."""
        return None if self._dims is None else list(self._dims)

    def as_list(self) -> list[int | None]:
        """The sizes as a list.  ValueError for an unknown rank."""
        if self._dims is None:
            raise ValueError("as_list() is not defined on an unknown TensorShape.")
        return list(self._dims)

    def num_elements(self) -> int | None:
        """Product of the sizes, None when one is unknown."""
        if not self.is_fully_defined():
            return None
        total = 1
        for d in self._dims or ():
            total *= d or 0
        return total

    def is_fully_defined(self) -> bool:
        """True when the rank and every size are known."""
        return self._dims is not None and None not in self._dims

    def assert_is_fully_defined(self) -> None:
        """ValueError unless fully defined."""
        if not self.is_fully_defined():
            raise ValueError(f"Shape {self} is not fully defined")

    def is_compatible_with(self, other: Any) -> bool:
        """True when some fully defined shape fits both."""
        other = as_shape(other)
        if self._dims is None or other._dims is None:
            return True
        if len(self._dims) != len(other._dims):
            return False
        return all(a is None or b is None or a == b for a, b in zip(self._dims, other._dims))

    def assert_is_compatible_with(self, other: Any) -> None:
        """ValueError unless compatible."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {other} are incompatible")

    def merge_with(self, other: Any) -> TensorShape:
        """The shape that fits both.  ValueError when there is none."""
        other = as_shape(other)
        if self._dims is None:
            return other
        if other._dims is None:
            return self
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {other} are not compatible")
        return TensorShape(tuple(b if a is None else a for a, b in zip(self._dims, other._dims)))

    def concatenate(self, other: Any) -> TensorShape:
        """This shape followed by the other."""
        other = as_shape(other)
        if self._dims is None or other._dims is None:
            return TensorShape(None)
        return TensorShape(self._dims + other._dims)

    def with_rank(self, rank: int) -> TensorShape:
        """This shape with the given rank.  ValueError when it has another."""
        if self._dims is None:
            return TensorShape((None,) * rank)
        if len(self._dims) != rank:
            raise ValueError(f"Shape {self} must have rank {rank}")
        return self

    def with_rank_at_least(self, rank: int) -> TensorShape:
        """This shape.  ValueError when its rank is smaller."""
        if self._dims is not None and len(self._dims) < rank:
            raise ValueError(f"Shape {self} must have rank at least {rank}")
        return self

    def __len__(self) -> int:
        if self._dims is None:
            raise ValueError("Cannot take the length of shape with unknown rank.")
        return len(self._dims)

    def __bool__(self) -> bool:
        return self._dims is not None

    def __iter__(self) -> Iterator[int | None]:
        if self._dims is None:
            raise ValueError("Cannot iterate over a shape with unknown rank.")
        return iter(self._dims)

    def __getitem__(self, key: Any) -> Any:
        if self._dims is None:
            return TensorShape(None) if isinstance(key, slice) else None
        return TensorShape(self._dims[key]) if isinstance(key, slice) else self._dims[key]

    def __add__(self, other: Any) -> TensorShape:
        return self.concatenate(other)

    def __radd__(self, other: Any) -> TensorShape:
        return as_shape(other).concatenate(self)

    def __eq__(self, other: Any) -> bool:
        try:
            other = as_shape(other)
        except (TypeError, ValueError):
            return NotImplemented
        return self._dims == other._dims

    def __hash__(self) -> int:
        return hash(self._dims)

    def __str__(self) -> str:
        return (
            "<unknown>" if self._dims is None else f"({', '.join(map(str, self._dims))}{',' * (len(self._dims) == 1)})"
        )

    def __repr__(self) -> str:
        return f"TensorShape({None if self._dims is None else list(self._dims)})"

    def __reduce__(self) -> tuple:
        return TensorShape, (self._dims,)


def _size(value: Any) -> int | None:
    if value is None:
        return None
    try:
        size = int(value.__index__())
    except AttributeError:
        raise TypeError(
            f"Dimension value must be integer or None or have an __index__ method, got value '{value!r}' with type "
            f"'{type(value)}'"
        ) from None
    if size < 0:
        raise ValueError(f"Dimension {size} must be >= 0")
    return size


def as_shape(value: Any) -> TensorShape:
    """``value`` as a TensorShape."""
    return value if isinstance(value, TensorShape) else TensorShape(value)
