"""Losses of Keras (``tf.keras.losses``): functions of (y_true, y_pred), and objects that reduce them to a number.

``MeanSquaredError()(y_true, y_pred, sample_weight=None)``: ``reduction`` is "sum_over_batch_size" (the mean), "sum",
"none", "mean" or "mean_with_sample_weight".
"""

from __future__ import annotations

from typing import Any

from .. import math
from ..nest import map_structure
from ..ops.casting import cast
from ..ops.making import size
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from . import masks
from .loss_functions import (
    binary_crossentropy,
    categorical_crossentropy,
    categorical_hinge,
    cosine_similarity,
    hinge,
    huber,
    kl_divergence,
    log_cosh,
    mean_absolute_error,
    mean_absolute_percentage_error,
    mean_squared_error,
    mean_squared_logarithmic_error,
    poisson,
    same_rank,
    sparse_categorical_crossentropy,
    squared_hinge,
)
from .naming import auto_name, scope
from .pairing import in_pairs
from .policy import floatx, standardize_dtype

_REDUCTIONS = ("sum_over_batch_size", "sum", None, "none", "mean", "mean_with_sample_weight")


class Loss:
    """Base class: subclasses write ``call(y_true, y_pred)``, which gives a number for each example."""

    def __init__(self, name: str | None = None, reduction: Any = "sum_over_batch_size", dtype: Any = None):
        self.name = name or auto_name(type(self).__name__)
        if reduction not in _REDUCTIONS:
            raise ValueError(
                f"Invalid value for argument `reduction`. Expected one of {set(_REDUCTIONS)}. Received: "
                f"reduction={reduction}"
            )
        self.reduction = reduction
        self._dtype = floatx() if dtype is None else standardize_dtype(dtype)

    @property
    def dtype(self) -> str:
        """The dtype the loss is computed in."""
        return self._dtype

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> EagerTensor:
        with scope(self.name, self):
            mask = masks.mask_of(y_pred)
            y_pred, y_true = (map_structure(lambda leaf: _in(leaf, self._dtype), nest) for nest in (y_pred, y_true))
            values = self.call(y_true, y_pred)
            mask = _joined(mask, masks.mask_of(values))
            weights = masked_weights(mask, sample_weight, self.reduction, self._dtype)
            return reduced(values, weights, self.reduction, self._dtype)

    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The loss of each example."""
        raise NotImplementedError("subclasses of Loss write `call`")


def _in(value: Any, dtype: str) -> EagerTensor:
    """A value as a tensor of a dtype; a tensor that has it already is taken as it is."""
    t = convert_to_tensor(value)
    return t if t.dtype.name == dtype else cast(t, dtype)


def _joined(first: Any, second: Any) -> Any:
    """Where both masks, or the only one, are True."""
    return second if first is None else first if second is None else math.logical_and(first, second)


def masked_weights(mask: Any, weights: Any, reduction: Any, dtype: str) -> Any:
    """Weights of losses that leave out what is masked; means are over what is left."""
    if mask is None:
        return weights
    kept = cast(mask, dtype)
    if reduction in ("mean", "sum_over_batch_size"):
        kept = kept * math.divide_no_nan(cast(size(mask), dtype), math.reduce_sum(kept))
    if weights is None:
        return kept
    kept, weights = same_rank(kept, cast(weights, dtype))
    return weights * kept


def reduced(values: Any, sample_weight: Any, reduction: Any, dtype: str) -> EagerTensor:
    """Losses of examples, weighted, as one number."""
    values = _in(values, dtype)
    weights = None
    if sample_weight is not None:
        values, weights = same_rank(values, _in(sample_weight, dtype))
        values = values * weights
    if reduction in (None, "none") or len(values.shape) == 0:
        return values
    total = math.reduce_sum(values)
    if reduction == "sum":
        return total
    if reduction == "mean_with_sample_weight" and weights is not None:
        return math.divide_no_nan(total, math.reduce_sum(weights))
    return math.divide_no_nan(total, cast(size(values), total.dtype))


def mean_of(values: EagerTensor) -> EagerTensor:
    """The mean of losses of examples; a single number is as it is."""
    return math.reduce_mean(values) if len(values.shape) else values


class LossFunctionWrapper(Loss):
    """A loss by a function of (y_true, y_pred)."""

    def __init__(
        self, fn: Any, reduction: Any = "sum_over_batch_size", name: str | None = None, dtype: Any = None, **kwargs: Any
    ):
        super().__init__(name=name, reduction=reduction, dtype=dtype)
        self.fn, self._fn_kwargs = fn, kwargs

    def call(self, y_true: Any, y_pred: Any) -> EagerTensor:
        """The function of labels and predictions, in which one of two leaves may have a last axis of size 1 more."""
        return self.fn(*in_pairs(same_rank, y_true, y_pred), **self._fn_kwargs)

    def get_config(self) -> dict:
        """The arguments it was made with."""
        return {"name": self.name, "reduction": self.reduction, **self._fn_kwargs}

    def __repr__(self) -> str:
        return f"<LossFunctionWrapper({self.fn}, kwargs={self._fn_kwargs})>"


def _loss(class_name: str, fn: Any, name: str | None = None, **options: Any) -> type:
    """The class of a loss by a function; ``options`` are its parameters and their defaults."""
    default_name = name or fn.__name__
    order = (*options, "reduction", "name", "dtype")

    def start(self: Any, *args: Any, **kwargs: Any) -> None:
        if len(args) > len(order):
            raise TypeError(f"{class_name} takes at most {len(order)} positional arguments but {len(args)} were given")
        given = {**dict(zip(order, args)), **kwargs}
        unknown = [k for k in given if k not in order]
        if unknown:
            raise TypeError(f"{class_name}.__init__() got an unexpected keyword argument '{unknown[0]}'")
        own = {k: given.get(k, default) for k, default in options.items()}
        LossFunctionWrapper.__init__(
            self,
            fn,
            given.get("reduction", "sum_over_batch_size"),
            given.get("name", default_name),
            given.get("dtype"),
            **own,
        )
        for k, value in own.items():
            setattr(self, k, value)

    return type(class_name, (LossFunctionWrapper,), {"__init__": start, "__doc__": fn.__doc__, "__module__": __name__})


MeanSquaredError = _loss("MeanSquaredError", mean_squared_error)
MeanAbsoluteError = _loss("MeanAbsoluteError", mean_absolute_error)
MeanAbsolutePercentageError = _loss("MeanAbsolutePercentageError", mean_absolute_percentage_error)
MeanSquaredLogarithmicError = _loss("MeanSquaredLogarithmicError", mean_squared_logarithmic_error)
CosineSimilarity = _loss("CosineSimilarity", cosine_similarity, axis=-1)
Huber = _loss("Huber", huber, "huber_loss", delta=1.0)
LogCosh = _loss("LogCosh", log_cosh)
Hinge = _loss("Hinge", hinge)
SquaredHinge = _loss("SquaredHinge", squared_hinge)
CategoricalHinge = _loss("CategoricalHinge", categorical_hinge)
KLDivergence = _loss("KLDivergence", kl_divergence)
Poisson = _loss("Poisson", poisson)
BinaryCrossentropy = _loss("BinaryCrossentropy", binary_crossentropy, from_logits=False, label_smoothing=0.0, axis=-1)
CategoricalCrossentropy = _loss(
    "CategoricalCrossentropy", categorical_crossentropy, from_logits=False, label_smoothing=0.0, axis=-1
)
SparseCategoricalCrossentropy = _loss(
    "SparseCategoricalCrossentropy", sparse_categorical_crossentropy, from_logits=False, ignore_class=None
)
KLD = kld = kullback_leibler_divergence = kl_divergence
MSE = mse = mean_squared_error
MAE = mae = mean_absolute_error
MAPE = mape = mean_absolute_percentage_error
MSLE = msle = mean_squared_logarithmic_error

_PLAIN = (
    binary_crossentropy, categorical_crossentropy, categorical_hinge, cosine_similarity, hinge, huber, kl_divergence,
    log_cosh, mean_absolute_error, mean_absolute_percentage_error, mean_squared_error, mean_squared_logarithmic_error,
    poisson, sparse_categorical_crossentropy, squared_hinge,
)  # fmt: skip
_BY_NAME = {
    name: found
    for name, found in list(globals().items())
    if found in _PLAIN or (isinstance(found, type) and issubclass(found, LossFunctionWrapper))
}


def get(identifier: Any) -> Any:
    """A loss by its name, or as it is.  ValueError for what is none."""
    if identifier is None:
        return None
    found = _BY_NAME.get(identifier) if isinstance(identifier, str) else identifier
    if callable(found):
        return found() if isinstance(found, type) else found
    raise ValueError(f"Could not interpret loss identifier: {identifier}")


__all__ = ["Loss", "get"] + list(_BY_NAME)


def __getattr__(name: str) -> Any:
    from .outside import missing

    raise missing("keras.losses", name)


def __dir__() -> list[str]:
    return sorted(__all__)
