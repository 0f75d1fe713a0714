"""Regularizers: functions of a variable whose values are added to its layer's ``losses``."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..dtypes import as_dtype
from ..math import abs as absolute
from ..math import reduce_sum, square
from ..ops.shaping import transpose
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor


class Regularizer:
    """Base class: subclasses have ``__call__(x)``, which gives a scalar."""

    def __call__(self, x: Any) -> Any:
        return 0.0

    def get_config(self) -> dict:
        """The arguments it was made with."""
        raise NotImplementedError(f"{self} does not implement get_config()")

    @classmethod
    def from_config(cls, config: dict) -> Any:
        """A regularizer from its arguments."""
        return cls(**config)


def _penalty(value: Any, name: str) -> float:
    """A number that is not negative.  ValueError for others."""
    if not isinstance(value, (float, int)) or not math.isfinite(value) or value < 0:
        raise ValueError(f"Invalid value for argument {name}: expected a non-negative float.Received: {name}={value}")
    return float(value)


class L1L2(Regularizer):
    """``l1 * sum(abs(x)) + l2 * sum(x ** 2)``."""

    def __init__(self, l1: float = 0.0, l2: float = 0.0):
        self.l1, self.l2 = _penalty(0.0 if l1 is None else l1, "l1"), _penalty(0.0 if l2 is None else l2, "l2")

    def __call__(self, x: Any) -> EagerTensor:
        total = convert_to_tensor(0.0, as_dtype(x.dtype))
        if self.l1:
            total += self.l1 * reduce_sum(absolute(x))
        if self.l2:
            total += self.l2 * reduce_sum(square(x))
        return total

    def get_config(self) -> dict:
        """The factors."""
        return {"l1": self.l1, "l2": self.l2}


class L1(L1L2):
    """``l1 * sum(abs(x))``."""

    def __init__(self, l1: float = 0.01):
        super().__init__(l1=0.01 if l1 is None else l1)

    def get_config(self) -> dict[str, Any]:
        """The factor, as float32 has it."""
        return {"l1": float(np.float32(self.l1))}


class L2(L1L2):
    """``l2 * sum(x ** 2)``."""

    def __init__(self, l2: float = 0.01):
        super().__init__(l2=0.01 if l2 is None else l2)

    def get_config(self) -> dict[str, Any]:
        """The factor."""
        return {"l2": self.l2}


class OrthogonalRegularizer(Regularizer):
    """The mean size of products of different rows (or columns) of a matrix, each of length 1, times ``factor``.

    ValueError for a factor that is negative, for other modes than "rows" and "columns", and for what is no matrix.
    """

    def __init__(self, factor: float = 0.01, mode: str = "rows"):
        _penalty(factor, "factor")
        if mode not in ("rows", "columns"):
            raise ValueError(
                f'Invalid value for argument `mode`. Expected one of {{"rows", "columns"}}. Received: mode={mode}'
            )
        self.factor, self.mode = float(np.float32(factor)), mode

    def __call__(self, x: Any) -> EagerTensor:
        from .operations.making import eye
        from .operations.normalizing import normalize
        from .operations.products import matmul

        if len(x.shape) != 2:
            raise ValueError(f"Inputs to OrthogonalRegularizer must have rank 2. Received: inputs.shape={x.shape}")
        rows = self.mode == "rows"
        units = normalize(x, axis=1 if rows else 0)
        size, turned = units.shape[0 if rows else 1], transpose(units)
        products = matmul(units, turned) if rows else matmul(turned, units)
        others = products * (1.0 - eye(size, dtype=units.dtype.name))
        return self.factor * 0.5 * reduce_sum(absolute(others)) / (size * (size - 1.0) / 2.0)

    def get_config(self) -> dict:
        """The factor and the mode."""
        return {"factor": float(self.factor), "mode": self.mode}


l1, l2, l1_l2, orthogonal_regularizer = L1, L2, L1L2, OrthogonalRegularizer
_KINDS = (Regularizer, L1, L2, L1L2, OrthogonalRegularizer)
_BY_NAME = {kind.__name__: kind for kind in _KINDS} | {
    "regularizer": Regularizer, "l1": L1, "l2": L2, "l1l2": L1L2,
    "orthogonal_regularizer": OrthogonalRegularizer,
}  # fmt: skip


def get(identifier: Any) -> Any:
    """A regularizer by its name, or as it is; None for None.  ValueError for what is none."""
    if identifier is None:
        return None
    found = deserialize(identifier) if isinstance(identifier, dict) else identifier
    found = _BY_NAME.get(found) if isinstance(found, str) else found
    if callable(found):
        return found() if isinstance(found, type) else found
    raise ValueError(f"Could not interpret regularizer identifier: {identifier}")


def serialize(regularizer: Any) -> Any:
    """The configuration of a regularizer, as a dict of plain values."""
    from .serializing import serialized

    return serialized(regularizer, "keras.regularizers")


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """The regularizer of a configuration, or the class of a name.  ValueError when it is not known."""
    from .serializing import deserialized

    return deserialized(config, _BY_NAME, custom_objects)


__all__ = [
    "L1", "L1L2", "L2", "OrthogonalRegularizer", "Regularizer", "deserialize", "get", "l1", "l1_l2", "l2",
    "orthogonal_regularizer", "serialize",
]  # fmt: skip


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    from .outside import missing

    raise missing("keras.regularizers", name)
