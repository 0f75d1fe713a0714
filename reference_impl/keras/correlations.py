"""Metrics of how far predictions move with labels: PearsonCorrelation, ConcordanceCorrelation."""

from __future__ import annotations

from typing import Any

import reference_impl as tf

from ..tensors.tensor import EagerTensor
from .loss_functions import as_dtype_of, same_rank
from .metrics import MeanMetricWrapper
from .operations.reducing import mean, std, var
from .policy import epsilon


def _pair(y_true: Any, y_pred: Any) -> tuple[EagerTensor, EagerTensor]:
    y_pred = tf.convert_to_tensor(y_pred)
    return same_rank(as_dtype_of(y_true, y_pred), y_pred)


def pearson_correlation(y_true: Any, y_pred: Any, axis: Any = -1) -> EagerTensor:
    """The correlation of labels and predictions along an axis, between -1 and 1."""
    units = []
    for x in _pair(y_true, y_pred):
        apart = x - mean(x, axis, keepdims=True)
        units.append(apart / std(apart, axis, keepdims=True))
    return mean(units[0] * units[1], axis)


def concordance_correlation(y_true: Any, y_pred: Any, axis: Any = -1) -> EagerTensor:
    """How near labels and predictions are to the line on which they are equal, along an axis (as Keras computes it)."""
    y_true, y_pred = _pair(y_true, y_pred)
    of_true, of_pred = (mean(x, axis, keepdims=True) for x in (y_true, y_pred))
    spread = var(y_true - of_true, axis, keepdims=True) + var(y_pred - of_pred, axis, keepdims=True)
    covariance = (y_true - of_pred) * (y_pred - of_pred)
    return mean(2 * covariance / (spread + tf.square(of_true - of_pred) + epsilon()), axis)


class _Correlation(MeanMetricWrapper):
    direction = 1
    _function: Any = None

    def __init__(self, name: str, dtype: Any, axis: Any):
        super().__init__(type(self)._function, name=name, dtype=dtype, axis=axis)
        self.axis = axis

    def get_config(self) -> dict:
        """The arguments it was made with."""
        return {"name": self.name, "dtype": self.dtype, "axis": self.axis}

    @classmethod
    def from_config(cls, config: dict) -> Any:
        """A metric from its arguments."""
        return cls(**config)


class PearsonCorrelation(_Correlation):
    """The mean correlation of labels and predictions."""

    _function = staticmethod(pearson_correlation)

    def __init__(self, name: str = "pearson_correlation", dtype: Any = None, axis: Any = -1):
        super().__init__(name, dtype, axis)


class ConcordanceCorrelation(_Correlation):
    """The mean concordance of labels and predictions."""

    _function = staticmethod(concordance_correlation)

    def __init__(self, name: str = "concordance_correlation", dtype: Any = None, axis: Any = -1):
        super().__init__(name, dtype, axis)
