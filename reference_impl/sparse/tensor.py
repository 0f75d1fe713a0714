"""``SparseTensor``: the values of a tensor that are not zero, and where they are.

``watch`` watches its values; as a target or source of a gradient it is refused, its values are not.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..foundation.building import Undense
from ..tensors.conversion import convert_to_tensor
from ..tensors.shapes import TensorShape
from ..tensors.tensor import EagerTensor, wrap


class SparseTensor:
    """``values[k]`` is the element at ``indices[k]`` of a tensor of shape ``dense_shape``."""

    __slots__ = ("__weakref__", "_indices", "_shape", "_values")

    def __init__(self, indices: Any, values: Any, dense_shape: Any):
        self._indices, self._values, self._shape = _int64(indices), convert_to_tensor(values), _int64(dense_shape)
        if type(self._indices) is EagerTensor and type(self._values) is EagerTensor:
            _check(self._indices.shape, self._values.shape, self._shape.shape)

    @property
    def indices(self) -> Any:
        """Where the values are, int64 of shape (n, rank)."""
        return self._indices

    @property
    def values(self) -> Any:
        """The values, of shape (n,)."""
        return self._values

    @property
    def dense_shape(self) -> Any:
        """The shape of the dense tensor, int64 of shape (rank,)."""
        return self._shape

    @property
    def shape(self) -> TensorShape:
        """The shape of the dense tensor."""
        return TensorShape([int(d) for d in self._shape._a])

    @property
    def dtype(self) -> Any:
        """The dtype of the values."""
        return self._values.dtype

    def get_shape(self) -> TensorShape:
        """The shape of the dense tensor."""
        return self.shape

    def with_values(self, new_values: Any) -> SparseTensor:
        """Other values in the same places."""
        return SparseTensor(self._indices, new_values, self._shape)

    def __mul__(self, other: Any) -> SparseTensor:
        from .functions import times

        return times(self, other)

    def __truediv__(self, other: Any) -> SparseTensor:
        from .functions import over

        return over(self, other)

    def __str__(self) -> str:
        return f"SparseTensor(indices={self._indices!s}, values={self._values!s}, dense_shape={self._shape!s})"

    __repr__ = __str__

    def _summary_(self, short: Any, summarize: int) -> str:
        """As ``tf.print`` writes it; ``short`` writes a tensor."""
        indices, values, shape = (short(part) for part in self._parts_())
        return f"'SparseTensor(indices={indices}, values={values}, shape={shape})'"

    # ------------------------------------------------------------------------------------ what tapes see

    def _parts_(self) -> list:
        return [self._indices, self._values, self._shape]

    def _with_parts_(self, parts: list) -> SparseTensor:
        made = object.__new__(SparseTensor)
        made._indices, made._values, made._shape = parts
        return made

    def _dense_(self, want: Any = None) -> Any:
        raise Undense(f"Attempt to convert a value ({self}) with an unsupported type ({type(self)}) to a Tensor.", self)

    def _each_(self, function: Any) -> SparseTensor:
        return self.with_values(function(self._values))

    def _called_(error: Undense, function: Any, args: tuple, kwargs: dict) -> Any:
        if function.__name__ in ("cast", "identity", "abs", "sign") and args and type(args[0]) is SparseTensor:
            return args[0]._each_(lambda values: function(values, *args[1:], **kwargs))
        raise ValueError(str(error)) from None


def _int64(value: Any) -> Any:
    tensor = convert_to_tensor(value, np.int64) if not isinstance(value, EagerTensor) else value
    return wrap(tensor._a.astype(np.int64)) if type(tensor) is EagerTensor and tensor._a.dtype != np.int64 else tensor


def _check(indices: TensorShape, values: TensorShape, shape: TensorShape) -> None:
    """TensorFlow's errors for parts that do not belong together."""
    if indices.rank != 2:
        raise ValueError(f"Shape {indices} must have rank 2")
    for mine, other in ((indices[0], values[0]), (indices[1], shape[0])):
        if mine != other:
            raise ValueError(f"Dimensions {mine} and {other} are not compatible")
