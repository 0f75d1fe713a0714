"""TensorSpec: the dtype and the (partly known) shape of an argument (``tf.TensorSpec``)."""

from __future__ import annotations

import abc
from typing import Any

from ..dtypes import as_dtype, float32
from ..tensors.shapes import TensorShape
from ..tensors.tensor import EagerTensor


class TypeSpec(abc.ABC):
    """What there is to know of a value without it (``tf.TypeSpec``): the base of all specs."""

    __slots__ = ()

    @property
    @abc.abstractmethod
    def value_type(self) -> type:
        """The class of the values."""

    @abc.abstractmethod
    def most_specific_common_supertype(self, others: Any) -> Any:
        """The narrowest spec that takes all; None when there is none."""

    def most_specific_compatible_type(self, other: Any) -> Any:
        """The narrowest spec that takes both.  ValueError when there is none."""
        found = self.most_specific_common_supertype([other])
        if found is None:
            raise ValueError(f"No TypeSpec is compatible with both {self} and {other}")
        return found


def general_shape(a: TensorShape, b: TensorShape) -> TensorShape:
    """The narrowest shape that both are of."""
    if a.rank is None or a.rank != b.rank:
        return TensorShape(None)
    return TensorShape([m if m == n else None for m, n in zip(a.as_list(), b.as_list())])


class TensorSpec(TypeSpec):
    """``TensorSpec(shape, dtype=tf.float32, name=None)``: which tensors an argument may be."""

    __slots__ = ("_dtype", "_name", "_shape")

    def __init__(self, shape: Any, dtype: Any = float32, name: str | None = None):
        self._shape, self._dtype, self._name = TensorShape(shape), as_dtype(dtype), name

    @property
    def shape(self) -> TensorShape:
        """The shape; sizes that may vary are None."""
        return self._shape

    @property
    def dtype(self) -> Any:
        """The dtype."""
        return self._dtype

    @property
    def name(self) -> str | None:
        """What the argument is called."""
        return self._name

    @classmethod
    def from_spec(cls, spec: TensorSpec, name: str | None = None) -> TensorSpec:
        """The same with another name."""
        return cls(spec.shape, spec.dtype, name or spec.name)

    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> TensorSpec:
        """The spec of a tensor.  ValueError for anything else."""
        if not isinstance(tensor, EagerTensor):
            raise ValueError(f"`tensor` should be a tf.Tensor, but got type {type(tensor)}.")
        return cls(tensor.shape, tensor.dtype, name)

    def is_compatible_with(self, value: Any) -> bool:
        """True when a tensor or another spec has this dtype and a shape that fits."""
        if not hasattr(value, "dtype") or not hasattr(value, "shape"):
            return False
        return as_dtype(value.dtype) is self._dtype and self._shape.is_compatible_with(value.shape)

    @property
    def value_type(self) -> type:
        """The class of the values."""
        return EagerTensor

    def is_subtype_of(self, other: Any) -> bool:
        """True when every tensor of this spec is one of the other."""
        return type(other) is TensorSpec and other.takes(self)

    def most_specific_common_supertype(self, others: Any) -> TensorSpec | None:
        """The narrowest spec that takes all; None when dtypes differ."""
        shape = self._shape
        for other in others:
            if type(other) is not TensorSpec or other.dtype is not self._dtype:
                return None
            shape = general_shape(shape, other.shape)
        return TensorSpec(shape, self._dtype, self._name)

    def takes(self, other: TensorSpec) -> bool:
        """True when every tensor of the other spec is one of this."""
        if other.dtype is not self._dtype:
            return False
        mine, its = self._shape, other.shape
        if mine.rank is None:
            return True
        if its.rank != mine.rank:
            return False
        return all(a is None or a == b for a, b in zip(mine.as_list(), its.as_list()))

    def __eq__(self, other: Any) -> bool:
        if type(other) is not TensorSpec:
            return NotImplemented
        return (self._dtype, self._shape._dims, self._name) == (other._dtype, other._shape._dims, other._name)

    def __hash__(self) -> int:
        return hash((self._dtype.name, self._shape))

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self._shape}, dtype={self._dtype!r}, name={self._name!r})"


def spec_of(value: Any, name: str | None = None) -> TensorSpec:
    """The spec of a tensor, symbolic ones included."""
    if type(value) is EagerTensor:
        return TensorSpec(value._a.shape, value.dtype, name)
    return TensorSpec(value.shape, value.dtype, name)
