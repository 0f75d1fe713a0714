"""Metrics of Keras (``tf.keras.metrics``): objects that add up over batches.

metric = Mean()
metric.update_state(loss)    # or metric(loss), which returns the result
metric.result(); metric.reset_state()
"""

from __future__ import annotations

import importlib
import inspect
from typing import Any

from .. import math, nn
from ..ops.casting import cast
from ..ops.extremes import argmax
from ..ops.making import shape as dynamic_shape
from ..ops.making import zeros
from ..ops.shaping import broadcast_to, reshape
from ..ops.squeezing import squeeze
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from . import dtype_policies, initializers, loss_functions, stateless
from .loss_functions import as_dtype_of, same_rank
from .losses import masked_weights
from .masks import mask_of
from .naming import auto_name, scope
from .policy import floatx
from .variables import Variable

_NOT_GIVEN = ("name", "thresholds")  # what configurations leave out: a metric makes it of other arguments


class Metric:
    """Base class: subclasses write ``update_state`` and ``result`` and make their variables with ``add_variable``."""

    direction = 0  # 1 where more is better, -1 where less is, 0 where nobody says

    def __init__(self, dtype: Any = None, name: str | None = None):
        self.name = name or auto_name(type(self).__name__)
        self._dtype = dtype_policies.get(dtype or floatx()).compute_dtype
        self._own: list[Variable] = []

    @property
    def dtype(self) -> str:
        """The dtype of the state."""
        return self._dtype

    @property
    def variables(self) -> list[Variable]:
        """The state."""
        inner = [m for m in vars(self).values() if isinstance(m, Metric)]
        return self._own + [v for m in inner for v in m.variables]

    def add_variable(
        self, shape: Any = (), initializer: Any = "zeros", dtype: Any = None, aggregation: Any = "sum",
        name: str | None = None,
    ) -> Variable:  # fmt: skip
        """A new variable of the state."""
        if "_own" not in self.__dict__:
            raise RuntimeError("You forgot to call `super().__init__()` in the `__init__()` method. Go add it!")
        with scope(self.name.replace("/", ">"), self):
            variable = Variable(
                initializers.get("zeros" if initializer is None else initializer), shape=shape, dtype=dtype,
                trainable=False, name=name,
            )  # fmt: skip
        self._own.append(variable)
        return variable

    def add_weight(
        self, shape: Any = (), initializer: Any = None, dtype: Any = None, name: str | None = None
    ) -> Variable:
        """As ``add_variable``."""
        return self.add_variable(shape, initializer, dtype, name=name)

    def reset_state(self) -> None:
        """Begin anew."""
        for v in self.variables:
            v.assign(zeros(v.shape, v.dtype))

    def update_state(self, *args: Any, **kwargs: Any) -> None:
        """Add a batch."""
        raise NotImplementedError("subclasses of Metric write `update_state`")

    def result(self) -> Any:
        """The value so far."""
        raise NotImplementedError("subclasses of Metric write `result`")

    def stateless_update_state(self, metric_variables: Any, *args: Any, **kwargs: Any) -> list[Any]:
        """The state after a batch, for a state given as a list of values; the metric stays as it is."""
        return stateless.updated(self, metric_variables, lambda: self.update_state(*args, **kwargs))

    def stateless_result(self, metric_variables: Any) -> Any:
        """The value of a state given as a list of values."""
        return stateless.found(self, metric_variables)

    def stateless_reset_state(self) -> list[Any]:
        """The state to begin with."""
        return stateless.updated(self, None, self.reset_state)

    def get_config(self) -> dict[str, Any]:
        """The name and the dtype, and what else it was made with."""
        own = [n for n in inspect.signature(type(self).__init__).parameters if n in vars(self) and n not in _NOT_GIVEN]
        return {"name": self.name, "dtype": self._dtype, **{n: getattr(self, n) for n in own}}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """A metric from its arguments."""
        return cls(**config)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self.update_state(*args, **kwargs)
        return self.result()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} name={self.name}>"


class Sum(Metric):
    """The sum of values."""

    def __init__(self, name: str = "sum", dtype: Any = None):
        super().__init__(name=name, dtype=dtype)
        self.total = self.add_variable((), "zeros", self._dtype, name="total")

    def update_state(self, values: Any, sample_weight: Any = None) -> None:
        """Add values, weighted."""
        values, _ = _by_sample(values, sample_weight, math.reduce_sum, self._dtype)
        self.total.assign_add(math.reduce_sum(values))

    def result(self) -> EagerTensor:
        """The sum."""
        return cast(self.total, self._dtype)


class Mean(Metric):
    """The weighted mean of values; 0 before there are any."""

    def __init__(self, name: str = "mean", dtype: Any = None):
        super().__init__(name=name, dtype=dtype)
        self.total = self.add_variable((), "zeros", self._dtype, name="total")
        self.count = self.add_variable((), "zeros", self._dtype, name="count")

    def update_state(self, values: Any, sample_weight: Any = None) -> None:
        """Add values, one for each example or a single one, weighted."""
        values, weights = _by_sample(values, sample_weight, math.reduce_mean, self._dtype)
        self.total.assign_add(math.reduce_sum(values))
        if weights is not None:
            count: Any = math.reduce_sum(weights)
        else:
            count = dynamic_shape(values)[0] if len(values.shape) else 1
        self.count.assign_add(cast(count, self._dtype))

    def result(self) -> EagerTensor:
        """The mean."""
        return math.divide_no_nan(convert_to_tensor(self.total), convert_to_tensor(self.count))


def _by_sample(values: Any, weights: Any, reduce: Any, dtype: str) -> tuple[EagerTensor, EagerTensor | None]:
    """One value and one weight for each example."""
    values = cast(values, dtype)
    if weights is not None:
        values, weights = same_rank(values, cast(weights, dtype))
        rank, wanted = len(values.shape), len(weights.shape)
        if rank > wanted:
            values = reduce(values, axis=list(range(wanted, rank)))
        weights = broadcast_to(weights, dynamic_shape(values))
        values = values * weights
        if wanted > 1:
            weights = reduce(weights, axis=list(range(1, wanted)))
    if len(values.shape) > 1:
        values = reduce(values, axis=list(range(1, len(values.shape))))
    return values, weights


class MeanMetricWrapper(Mean):
    """The mean of a function of (y_true, y_pred)."""

    def __init__(self, fn: Any, name: str | None = None, dtype: Any = None, **kwargs: Any):
        super().__init__(name=name or getattr(fn, "__name__", "mean"), dtype=dtype)
        self._fn, self._fn_kwargs = fn, kwargs

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Add a batch of labels and predictions."""
        values = self._fn(y_true, y_pred, **self._fn_kwargs)
        super().update_state(values, masked_weights(mask_of(y_pred), sample_weight, "sum", self._dtype))


def accuracy(y_true: Any, y_pred: Any) -> EagerTensor:
    """1 where labels and predictions are equal."""
    y_pred = convert_to_tensor(y_pred)
    y_true, y_pred = same_rank(as_dtype_of(y_true, y_pred), y_pred)
    return cast(math.equal(y_true, y_pred), floatx())


def binary_accuracy(y_true: Any, y_pred: Any, threshold: float = 0.5) -> EagerTensor:
    """1 where a prediction is on the side of ``threshold`` that its label says."""
    y_true, y_pred = same_rank(convert_to_tensor(y_true), convert_to_tensor(y_pred))
    return cast(math.equal(y_true, cast(y_pred > threshold, y_true.dtype)), floatx())


def categorical_accuracy(y_true: Any, y_pred: Any) -> EagerTensor:
    """1 where the largest prediction is that of the class of a one-hot label."""
    return cast(math.equal(argmax(y_true, axis=-1), argmax(y_pred, axis=-1)), floatx())


def sparse_categorical_accuracy(y_true: Any, y_pred: Any) -> EagerTensor:
    """1 where the largest prediction is that of the class a label names."""
    y_pred, labels = convert_to_tensor(y_pred), convert_to_tensor(y_true)
    column = len(labels.shape) == len(y_pred.shape) and labels.shape[-1] == 1
    if column:
        labels = squeeze(labels, [-1])
    return cast(math.equal(cast(labels, "int64"), argmax(y_pred, axis=-1)), floatx())


def top_k_categorical_accuracy(y_true: Any, y_pred: Any, k: int = 5) -> EagerTensor:
    """1 where the class of a one-hot label is among the ``k`` largest predictions."""
    return sparse_top_k_categorical_accuracy(argmax(y_true, axis=-1), y_pred, k)


def sparse_top_k_categorical_accuracy(y_true: Any, y_pred: Any, k: int = 5) -> EagerTensor:
    """1 where the class a label names is among the ``k`` largest predictions."""
    y_pred, labels = convert_to_tensor(y_pred), cast(y_true, "int32")
    size = dynamic_shape(labels)
    rows = reshape(y_pred, [-1, y_pred.shape[-1]])
    found = nn.in_top_k(reshape(labels, [-1]), rows, k)
    return reshape(cast(found, floatx()), size)


def _metric(class_name: str, fn: Any, name: str, **options: Any) -> type:
    """The class of a mean of a function; ``options`` are the parameters before or after ``name`` and ``dtype``."""
    order = (
        (*options, "name", "dtype")
        if class_name.endswith(("Entropy", "KCategoricalAccuracy"))
        else ("name", "dtype", *options)
    )

    def start(self: Any, *args: Any, **kwargs: Any) -> None:
        given = {**dict(zip(order, args)), **kwargs}
        own = {k: given.pop(k, default) for k, default in options.items()}
        MeanMetricWrapper.__init__(self, fn, given.pop("name", name), given.pop("dtype", None), **own)
        if given:
            raise TypeError(f"{class_name}.__init__() got an unexpected keyword argument '{next(iter(given))}'")

    better = 1 if "Accuracy" in class_name else -1
    members = {"__init__": start, "__doc__": fn.__doc__, "__module__": __name__, "direction": better}
    return type(class_name, (MeanMetricWrapper,), members)


Accuracy = _metric("Accuracy", accuracy, "accuracy")
BinaryAccuracy = _metric("BinaryAccuracy", binary_accuracy, "binary_accuracy", threshold=0.5)
CategoricalAccuracy = _metric("CategoricalAccuracy", categorical_accuracy, "categorical_accuracy")
SparseCategoricalAccuracy = _metric(
    "SparseCategoricalAccuracy", sparse_categorical_accuracy, "sparse_categorical_accuracy"
)
TopKCategoricalAccuracy = _metric(
    "TopKCategoricalAccuracy", top_k_categorical_accuracy, "top_k_categorical_accuracy", k=5
)
SparseTopKCategoricalAccuracy = _metric(
    "SparseTopKCategoricalAccuracy", sparse_top_k_categorical_accuracy, "sparse_top_k_categorical_accuracy", k=5
)
MeanSquaredError = _metric("MeanSquaredError", loss_functions.mean_squared_error, "mean_squared_error")
MeanAbsoluteError = _metric("MeanAbsoluteError", loss_functions.mean_absolute_error, "mean_absolute_error")
BinaryCrossentropy = _metric(
    "BinaryCrossentropy", loss_functions.binary_crossentropy, "binary_crossentropy", from_logits=False,
    label_smoothing=0,
)  # fmt: skip
CategoricalCrossentropy = _metric(
    "CategoricalCrossentropy", loss_functions.categorical_crossentropy, "categorical_crossentropy", from_logits=False,
    label_smoothing=0, axis=-1,
)  # fmt: skip
SparseCategoricalCrossentropy = _metric(
    "SparseCategoricalCrossentropy", loss_functions.sparse_categorical_crossentropy, "sparse_categorical_crossentropy",
    from_logits=False, axis=-1,
)  # fmt: skip
KLDivergence = _metric("KLDivergence", loss_functions.kl_divergence, "kl_divergence")


class RootMeanSquaredError(Mean):
    """The root of the mean of squared errors."""

    direction = -1

    def __init__(self, name: str = "root_mean_squared_error", dtype: Any = None):
        super().__init__(name, dtype)

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Add a batch of labels and predictions."""
        y_pred = cast(y_pred, self._dtype)
        y_true, y_pred = same_rank(cast(y_true, self._dtype), y_pred)
        super().update_state(math.square(y_pred - y_true), sample_weight)

    def result(self) -> EagerTensor:
        """The root of the mean."""
        return math.sqrt(super().result())


def cosine_similarity(y_true: Any, y_pred: Any, axis: int = -1) -> EagerTensor:
    """The cosine of the angle between labels and predictions."""
    return -loss_functions.cosine_similarity(y_true, y_pred, axis)


_MEANS = (
    ("MeanAbsolutePercentageError", loss_functions.mean_absolute_percentage_error, "mean_absolute_percentage_error"),
    ("MeanSquaredLogarithmicError", loss_functions.mean_squared_logarithmic_error, "mean_squared_logarithmic_error"),
    ("LogCoshError", loss_functions.log_cosh, "logcosh"), ("Hinge", loss_functions.hinge, "hinge"),
    ("SquaredHinge", loss_functions.squared_hinge, "squared_hinge"),
    ("CategoricalHinge", loss_functions.categorical_hinge, "categorical_hinge"),
    ("Poisson", loss_functions.poisson, "poisson"),
)  # fmt: skip
globals().update({name: _metric(name, fn, default) for name, fn, default in _MEANS})
CosineSimilarity = _metric("CosineSimilarity", cosine_similarity, "cosine_similarity", axis=-1)
CosineSimilarity.direction = 1  # type: ignore[attr-defined]

_CLASSES = {c.__name__: c for c in list(globals().values()) if isinstance(c, type) and issubclass(c, Metric)}
_SHORT = {
    "mse": MeanSquaredError, "MSE": MeanSquaredError, "mae": MeanAbsoluteError, "MAE": MeanAbsoluteError,
    "mape": _CLASSES["MeanAbsolutePercentageError"], "msle": _CLASSES["MeanSquaredLogarithmicError"],
    "bce": BinaryCrossentropy, "BCE": BinaryCrossentropy, "cosine": CosineSimilarity,
}  # fmt: skip
_BY_NAME = {**_CLASSES, **_SHORT, **{auto.lower(): c for auto, c in _CLASSES.items()}}

# Modules that are loaded when a metric of theirs is first used.
_LATER = {
    "confusion": (
        "AUC", "FalseNegatives", "FalsePositives", "Precision", "PrecisionAtRecall", "Recall", "RecallAtPrecision",
        "SensitivityAtSpecificity", "SpecificityAtSensitivity", "TrueNegatives", "TruePositives",
    ),
    "correlations": (
        "ConcordanceCorrelation", "PearsonCorrelation", "concordance_correlation", "pearson_correlation",
    ),
    "more_losses": ("binary_focal_crossentropy", "categorical_focal_crossentropy"),
    "scores": (
        "BinaryIoU", "F1Score", "FBetaScore", "IoU", "MeanIoU", "OneHotIoU", "OneHotMeanIoU", "R2Score",
    ),
}  # fmt: skip
_HOMES = {name: module for module, names in _LATER.items() for name in names}
_FUNCTIONS = {
    name: getattr(loss_functions, fn)
    for fn, names in {
        "binary_crossentropy": "binary_crossentropy", "categorical_crossentropy": "categorical_crossentropy",
        "sparse_categorical_crossentropy": "sparse_categorical_crossentropy", "hinge": "hinge", "huber": "huber",
        "squared_hinge": "squared_hinge", "categorical_hinge": "categorical_hinge", "poisson": "poisson",
        "kl_divergence": "kld KLD kullback_leibler_divergence", "log_cosh": "logcosh",
        "mean_squared_error": "mse MSE", "mean_absolute_error": "mae MAE",
        "mean_absolute_percentage_error": "mape MAPE",
        "mean_squared_logarithmic_error": "msle MSLE",
    }.items()
    for name in names.split()
}  # fmt: skip


def get(identifier: Any) -> Any:
    """A metric by the name of its class or function, or as it is.  ValueError for what is none."""
    if isinstance(identifier, str):
        found = _BY_NAME.get(identifier) or _BY_NAME.get(identifier.replace("_", ""))
        if found is None:
            loose = {name.lower(): name for name in _HOMES if name[0].isupper()}
            name = loose.get(identifier.replace("_", "").lower())
            if name is None:
                raise ValueError(f"Could not interpret metric identifier: {identifier}")
            found = __getattr__(name)
        return found()
    if isinstance(identifier, Metric):
        return identifier
    if callable(identifier):
        return MeanMetricWrapper(identifier)
    raise ValueError(f"Could not interpret metric identifier: {identifier}")


__all__ = [
    "binary_accuracy", "categorical_accuracy", "get", "sparse_categorical_accuracy",
    "sparse_top_k_categorical_accuracy", "top_k_categorical_accuracy",
] + list(_CLASSES)  # fmt: skip
__all__ += list(_HOMES)
__all__ += list(_FUNCTIONS)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(f".{_HOMES[name]}", __package__), name)
    if name in _FUNCTIONS:
        return _FUNCTIONS[name]
    from .outside import missing

    raise missing("keras.metrics", name)


def __dir__() -> list[str]:
    return sorted(__all__)
