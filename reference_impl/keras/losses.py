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
from . import dtype_policies, masks
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
from .policy import floatx

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
        self._dtype = dtype_policies.get(dtype or floatx()).compute_dtype

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

    def get_config(self) -> dict:
        """The name and the reduction."""
        return {"name": self.name, "reduction": self.reduction}

    @classmethod
    def from_config(cls, config: dict) -> Any:
        """A loss from its arguments."""
        return cls(**config)

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
    if reduction in (None, "none") or tuple(values.shape) in ((), (0,)):
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


def loss_class(class_name: str, fn: Any, name: str | None = None, late: tuple[str, ...] = (), **options: Any) -> type:
    """The class of a loss by a function; ``options`` are its parameters and their defaults, ``late`` ones last."""
    default_name = name or fn.__name__
    order = (*(k for k in options if k not in late), "reduction", "name", *late, "dtype")

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


MeanSquaredError = loss_class("MeanSquaredError", mean_squared_error)
MeanAbsoluteError = loss_class("MeanAbsoluteError", mean_absolute_error)
MeanAbsolutePercentageError = loss_class("MeanAbsolutePercentageError", mean_absolute_percentage_error)
MeanSquaredLogarithmicError = loss_class("MeanSquaredLogarithmicError", mean_squared_logarithmic_error)
CosineSimilarity = loss_class("CosineSimilarity", cosine_similarity, axis=-1)
Huber = loss_class("Huber", huber, "huber_loss", delta=1.0)
LogCosh = loss_class("LogCosh", log_cosh)
Hinge = loss_class("Hinge", hinge)
SquaredHinge = loss_class("SquaredHinge", squared_hinge)
CategoricalHinge = loss_class("CategoricalHinge", categorical_hinge)
KLDivergence = loss_class("KLDivergence", kl_divergence)
Poisson = loss_class("Poisson", poisson)
BinaryCrossentropy = loss_class(
    "BinaryCrossentropy", binary_crossentropy, from_logits=False, label_smoothing=0.0, axis=-1
)
CategoricalCrossentropy = loss_class(
    "CategoricalCrossentropy", categorical_crossentropy, from_logits=False, label_smoothing=0.0, axis=-1
)
SparseCategoricalCrossentropy = loss_class(
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


# Those of more_losses.py, which is loaded when one of them is first used.
_LATER = (
    "BinaryFocalCrossentropy", "CategoricalFocalCrossentropy", "CategoricalGeneralizedCrossEntropy", "Circle", "Dice",
    "CTC", "Tversky",
    "binary_focal_crossentropy", "categorical_focal_crossentropy", "categorical_generalized_cross_entropy",
    "circle", "ctc", "dice", "tversky",
)  # fmt: skip


def _known() -> dict[str, Any]:
    """All losses by name."""
    from . import more_losses

    return {**_BY_NAME, **{name: getattr(more_losses, name) for name in _LATER}}


def get(identifier: Any) -> Any:
    """A loss by its name or configuration, or as it is.  ValueError for what is none."""
    if identifier is None:
        return None
    found = identifier
    if isinstance(identifier, str):
        found = _BY_NAME.get(identifier) or _known().get(identifier)
    elif isinstance(identifier, dict):
        found = deserialize(identifier)
    if callable(found):
        return found() if isinstance(found, type) else found
    raise ValueError(f"Could not interpret loss identifier: {identifier}")


def serialize(loss: Any) -> Any:
    """The configuration of a loss, as a dict of plain values; of a function its name."""
    from .serializing import serialized

    return serialized(loss, "keras.losses")


def deserialize(name: Any, custom_objects: Any = None) -> Any:
    """The loss of a configuration or a name.  ValueError when it is not known."""
    from .serializing import deserialized

    return deserialized(name, _known(), custom_objects)


__all__ = ["Loss", "deserialize", "get", "serialize"] + list(_BY_NAME)
__all__ += list(_LATER)


def __getattr__(name: str) -> Any:
    if name in _LATER:
        from . import more_losses

        return getattr(more_losses, name)
    from .outside import missing

    raise missing("keras.losses", name)


def __dir__() -> list[str]:
    return sorted(__all__)
