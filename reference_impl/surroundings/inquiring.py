"""What programs ask about tensors and shapes without computing: static values, shapes that broadcast, traces."""

from __future__ import annotations

import enum
import time
from itertools import zip_longest
from typing import Any

import numpy as np

from ..foundation.building import graph_being_built, intercepted
from ..tensors.conversion import convert_to_tensor
from ..tensors.shapes import TensorShape
from ..tensors.tensor import EagerTensor
from ..tracing.symbols import SymbolicTensor


class VariableSynchronization(enum.Enum):
    """When a variable that has copies on several devices is synchronized (``tf.VariableSynchronization``)."""

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


class VariableAggregationV2(enum.Enum):
    """How updates of a variable on several devices become one (``tf.VariableAggregation``)."""

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3

    def __eq__(self, other: object) -> bool:
        return isinstance(other, enum.Enum) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)


class _FirstVariableAggregation(enum.Enum):
    """The aggregation of a variable that was given none: TensorFlow 1's, equal to those of TensorFlow 2."""

    NONE = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, enum.Enum) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)


_FirstVariableAggregation.__name__ = _FirstVariableAggregation.__qualname__ = "VariableAggregation"
NO_AGGREGATION = _FirstVariableAggregation.NONE
VariableAggregation = VariableAggregationV2


def _together(a: int | None, b: int | None) -> int | None:
    """The size of an axis that broadcasts from two.  ValueError where they do not."""
    if a == 1 or b == 1:
        return b if a == 1 else a
    if a is None or b is None:
        return b if a is None else a
    if a != b:
        raise ValueError
    return a


def broadcast_static_shape(shape_x: TensorShape, shape_y: TensorShape) -> TensorShape:
    """The shape to which two known shapes broadcast (``tf.broadcast_static_shape``).  ValueError where they do not."""
    if shape_x.rank is None or shape_y.rank is None:
        return TensorShape(None)
    pairs = zip_longest(reversed(shape_x.as_list()), reversed(shape_y.as_list()), fillvalue=1)
    try:
        return TensorShape([_together(a, b) for a, b in pairs][::-1])
    except ValueError:
        raise ValueError(
            "Incompatible shapes for broadcasting. Two shapes are compatible if for each dimension pair they are "
            f"either equal or one of them is 1. Received: {shape_x} and {shape_y}."
        ) from None


def get_static_value(tensor: Any, partial: bool = False) -> np.ndarray | np.generic | None:
    """The value of a tensor as an array, None where it is not known yet (``tf.get_static_value``)."""
    if isinstance(tensor, SymbolicTensor):
        return None
    return tensor.numpy() if isinstance(tensor, EagerTensor) else tensor


def inside_function() -> bool:
    """Whether a ``tf.function`` is being traced (``tf.inside_function``)."""
    return graph_being_built() is not None


def is_symbolic_tensor(tensor: Any) -> bool:
    """Whether it is a tensor of a trace, without a value (``tf.is_symbolic_tensor``)."""
    return isinstance(tensor, SymbolicTensor)


@intercepted
def timestamp(name: str | None = None) -> EagerTensor:
    """The seconds since 1970 (``tf.timestamp``)."""
    return convert_to_tensor(np.float64(time.time()))
