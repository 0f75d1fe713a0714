"""Regularizers: functions of a variable whose values are added to its layer's ``losses``."""

from __future__ import annotations

from typing import Any

from ..math import abs as absolute
from ..math import reduce_sum, square
from ..tensors.tensor import EagerTensor


class Regularizer:
    """Base class: subclasses have ``__call__(x)``, which gives a scalar."""

    def __call__(self, x: Any) -> Any:
        return 0.0


class L1L2(Regularizer):
    """``l1 * sum(abs(x)) + l2 * sum(x ** 2)``."""

    def __init__(self, l1: float = 0.0, l2: float = 0.0):
        self.l1, self.l2 = float(0.0 if l1 is None else l1), float(0.0 if l2 is None else l2)

    def __call__(self, x: Any) -> EagerTensor:
        total = 0.0
        if self.l1:
            total += self.l1 * reduce_sum(absolute(x))
        if self.l2:
            total += self.l2 * reduce_sum(square(x))
        return total


class L1(L1L2):
    """``l1 * sum(abs(x))``."""

    def __init__(self, l1: float = 0.01):
        super().__init__(l1=0.01 if l1 is None else l1)


class L2(L1L2):
    """``l2 * sum(x ** 2)``."""

    def __init__(self, l2: float = 0.01):
        super().__init__(l2=0.01 if l2 is None else l2)


l1, l2, l1_l2 = L1, L2, L1L2
_BY_NAME = {"l1": L1, "l2": L2, "L1": L1, "L2": L2, "L1L2": L1L2}


def get(identifier: Any) -> Any:
    """A regularizer by its name, or as it is; None for None.  ValueError for what is none."""
    if identifier is None:
        return None
    found = _BY_NAME[identifier]() if identifier in list(_BY_NAME) else identifier
    if callable(found):
        return found
    raise ValueError(f"Could not interpret regularizer identifier: {identifier}")


__all__ = ["L1", "L1L2", "L2", "Regularizer", "get", "l1", "l1_l2", "l2"]


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    from .outside import missing

    raise missing("keras.regularizers", name)
