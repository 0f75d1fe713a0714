"""Constraints: functions that optimizers apply to a variable after each step (``tf.keras.constraints``)."""

from __future__ import annotations

from typing import Any

from ..math import maximum, reduce_sum, sqrt, square
from ..ops.casting import cast
from ..ops.norms import clip_by_value
from ..tensors.tensor import EagerTensor
from .backend import epsilon


class Constraint:
    """Base class: subclasses have ``__call__(w)``, which gives the new value."""

    def __call__(self, w: Any) -> Any:
        return w

    def get_config(self) -> dict:
        """The arguments it was made with."""
        return dict(vars(self))

    @classmethod
    def from_config(cls, config: dict) -> Constraint:
        """A constraint from its arguments."""
        return cls(**config)


class NonNeg(Constraint):
    """No number below zero."""

    def __call__(self, w: Any) -> EagerTensor:
        return maximum(w, cast(0, w.dtype))


class MaxNorm(Constraint):
    """Norms along ``axis`` of at most ``max_value``."""

    def __init__(self, max_value: float = 2, axis: Any = 0):
        self.max_value, self.axis = max_value, axis

    def __call__(self, w: Any) -> EagerTensor:
        norms = _norms(w, self.axis)
        return w * (clip_by_value(norms, 0, self.max_value) / (epsilon() + norms))


class UnitNorm(Constraint):
    """Norms along ``axis`` of 1."""

    def __init__(self, axis: Any = 0):
        self.axis = axis

    def __call__(self, w: Any) -> EagerTensor:
        return w / (epsilon() + _norms(w, self.axis))


class MinMaxNorm(Constraint):
    """Norms along ``axis`` between two values; ``rate``: how much of the way there is gone in a step."""

    def __init__(self, min_value: float = 0.0, max_value: float = 1.0, rate: float = 1.0, axis: Any = 0):
        self.min_value, self.max_value, self.rate, self.axis = min_value, max_value, rate, axis

    def __call__(self, w: Any) -> EagerTensor:
        norms = _norms(w, self.axis)
        wanted = self.rate * clip_by_value(norms, self.min_value, self.max_value) + (1 - self.rate) * norms
        return w * (wanted / (epsilon() + norms))


def _norms(w: Any, axis: Any) -> Any:
    return sqrt(reduce_sum(square(w), axis=axis, keepdims=True))


max_norm, non_neg, unit_norm, min_max_norm = MaxNorm, NonNeg, UnitNorm, MinMaxNorm
_KINDS = (Constraint, MaxNorm, MinMaxNorm, NonNeg, UnitNorm)
_BY_NAME = {c.__name__: c for c in _KINDS} | {
    "constraint": Constraint, "max_norm": MaxNorm, "min_max_norm": MinMaxNorm, "non_neg": NonNeg, "unit_norm": UnitNorm,
}  # fmt: skip


def get(identifier: Any) -> Any:
    """A constraint by its name or class, or as it is; None for None.  ValueError for what is none."""
    if identifier is None:
        return None
    found = deserialize(identifier) if isinstance(identifier, dict) else identifier
    found = _BY_NAME.get(found) if isinstance(found, str) else found
    if not callable(found):
        raise ValueError(f"Could not interpret constraint identifier: {identifier}")
    return found() if isinstance(found, type) else found


def serialize(constraint: Any) -> Any:
    """The configuration of a constraint, as a dict of plain values."""
    from .serializing import serialized

    return serialized(constraint, "keras.constraints")


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """The constraint of a configuration, or the class of a name.  ValueError when it is not known."""
    from .serializing import deserialized

    return deserialized(config, _BY_NAME, custom_objects)


__all__ = [
    "Constraint", "MaxNorm", "MinMaxNorm", "NonNeg", "UnitNorm", "deserialize", "get", "max_norm", "min_max_norm",
    "non_neg", "serialize", "unit_norm",
]  # fmt: skip


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    from .outside import missing

    raise missing("keras.constraints", name)
