"""Metrics of overlaps and fits: IoU and its kin, FBetaScore and F1Score, R2Score."""

from __future__ import annotations

import warnings
from typing import Any

import reference_impl as tf

from ..tensors.tensor import EagerTensor
from .loss_functions import same_rank
from .metrics import Metric
from .policy import epsilon


class IoU(Metric):
    """The mean, over some classes, of places that labels and predictions share over places of either."""

    direction = 1

    def __init__(
        self, num_classes: int, target_class_ids: Any, name: str | None = None, dtype: Any = None,
        ignore_class: int | None = None, sparse_y_true: bool = True, sparse_y_pred: bool = True, axis: int = -1,
    ):  # fmt: skip
        super().__init__(name=name, dtype=dtype or "int")
        if max(target_class_ids) >= num_classes:
            raise ValueError(f"Target class id {max(target_class_ids)} is out of range, which is [{0}, {num_classes}).")
        self.num_classes, self.target_class_ids, self.ignore_class = num_classes, list(target_class_ids), ignore_class
        self.sparse_y_true, self.sparse_y_pred, self.axis = sparse_y_true, sparse_y_pred, axis
        shape = (num_classes, num_classes)
        self.total_cm = self.add_variable(shape, "zeros", self._dtype, name="total_confusion_matrix")

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Add a batch of classes, or of numbers for each class where they are not sparse."""
        labels, guesses = (
            tf.reshape(tf.cast(x if sparse else tf.argmax(x, self.axis), self._dtype), [-1])
            for x, sparse in ((y_true, self.sparse_y_true), (y_pred, self.sparse_y_pred))
        )
        weights = tf.cast(1 if sample_weight is None else sample_weight, self._dtype)
        if "float" in str(getattr(sample_weight, "dtype", "")) and "int" in self._dtype:
            warnings.warn(
                "You are passing weight as `float`, but dtype is `int`. This may result in an incorrect weight due to "
                "type casting Consider using integer weights.",
                stacklevel=2,
            )
        weights = tf.reshape(weights, [-1]) if len(weights.shape) > 1 else weights
        weights = tf.broadcast_to(weights, tf.shape(labels))
        known = (labels >= 0) & (labels < self.num_classes) & (guesses >= 0) & (guesses < self.num_classes)
        if self.ignore_class is not None:
            known = known & (labels != self.ignore_class)
        weights = tf.where(known, weights, tf.zeros_like(weights))
        places = tf.where(known, labels * self.num_classes + guesses, tf.zeros_like(labels))
        counts = tf.math.unsorted_segment_sum(weights, tf.cast(places, "int64"), self.num_classes**2)
        self.total_cm.assign(self.total_cm + tf.reshape(counts, [self.num_classes, self.num_classes]))

    def result(self) -> EagerTensor:
        """The mean over the classes that occur."""
        matrix = tf.convert_to_tensor(self.total_cm)
        both = tf.linalg.diag_part(matrix)
        either = tf.reduce_sum(matrix, 0) + tf.reduce_sum(matrix, 1) - both
        both, either = (tf.cast(tf.gather(x, self.target_class_ids), "float32") for x in (both, either))
        there = either > 1e-9
        shares = tf.where(there, both / (either + epsilon()), tf.zeros_like(both))
        return tf.reduce_sum(shares) / (tf.reduce_sum(tf.cast(there, "float32")) + epsilon())


class BinaryIoU(IoU):
    """IoU of probabilities, decided by a threshold."""

    def __init__(
        self, target_class_ids: Any = (0, 1), threshold: float = 0.5, name: str | None = None, dtype: Any = None
    ):
        super().__init__(2, target_class_ids, name=name, dtype=dtype)
        self.threshold = threshold

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Add a batch of labels and probabilities."""
        super().update_state(y_true, tf.cast(y_pred, "float32") >= self.threshold, sample_weight)


class MeanIoU(IoU):
    """IoU of all classes."""

    def __init__(
        self, num_classes: int, name: str | None = None, dtype: Any = None, ignore_class: int | None = None,
        sparse_y_true: bool = True, sparse_y_pred: bool = True, axis: int = -1,
    ):  # fmt: skip
        super().__init__(num_classes, range(num_classes), name, dtype, ignore_class, sparse_y_true, sparse_y_pred, axis)


class OneHotIoU(IoU):
    """IoU of one-hot labels."""

    def __init__(
        self, num_classes: int, target_class_ids: Any, name: str | None = None, dtype: Any = None,
        ignore_class: int | None = None, sparse_y_pred: bool = False, axis: int = -1,
    ):  # fmt: skip
        super().__init__(num_classes, target_class_ids, name, dtype, ignore_class, False, sparse_y_pred, axis)


class OneHotMeanIoU(MeanIoU):
    """IoU of one-hot labels, of all classes."""

    def __init__(
        self, num_classes: int, name: str | None = None, dtype: Any = None, ignore_class: int | None = None,
        sparse_y_pred: bool = False, axis: int = -1,
    ):  # fmt: skip
        super().__init__(num_classes, name, dtype, ignore_class, False, sparse_y_pred, axis)


class FBetaScore(Metric):
    """The weighted harmonic mean of precision and recall, for each class or averaged."""

    direction = 1

    def __init__(
        self, average: str | None = None, beta: float = 1.0, threshold: float | None = None,
        name: str = "fbeta_score", dtype: Any = None,
    ):  # fmt: skip
        super().__init__(name=name, dtype=dtype)
        if average not in (None, "micro", "macro", "weighted"):
            raise ValueError(
                "Invalid `average` argument value. Expected one of: {None, 'micro', 'macro', 'weighted'}. Received: "
                f"average={average}"
            )
        for word, value in (("beta", beta), ("threshold", threshold)):
            if not isinstance(value, float) and (word == "beta" or value is not None):
                raise ValueError(
                    f"Invalid `{word}` argument value. It should be a Python float. Received: {word}={value} of type "
                    f"'{type(value)}'"
                )
        if beta <= 0.0:
            raise ValueError(f"Invalid `beta` argument value. It should be > 0. Received: beta={beta}")
        if threshold is not None and not 0.0 < threshold <= 1.0:
            raise ValueError(
                "Invalid `threshold` argument value. It should verify 0 < threshold <= 1. Received: "
                f"threshold={threshold}"
            )
        self.average, self.beta, self.threshold = average, beta, threshold

    def _begin(self, y_true: Any, y_pred: Any) -> None:
        if len(y_pred.shape) != 2 or len(y_true.shape) != 2:
            raise ValueError(
                "FBetaScore expects 2D inputs with shape (batch_size, output_dim). Received input shapes: "
                f"y_pred.shape={y_pred.shape} and y_true.shape={y_true.shape}."
            )
        shape = () if self.average == "micro" else (y_pred.shape[-1],)
        for name in ("true_positives", "false_positives", "false_negatives", "intermediate_weights"):
            setattr(self, name, self.add_variable(shape, "zeros", self._dtype, name=name))

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Add a batch of one-hot labels and probabilities [batch, classes]."""
        y_true, y_pred = tf.cast(y_true, self._dtype), tf.cast(y_pred, self._dtype)
        if "true_positives" not in self.__dict__:
            self._begin(y_true, y_pred)
        if self.threshold is None:
            chosen = (y_pred >= tf.reduce_max(y_pred, -1, keepdims=True)) & (tf.abs(y_pred) > 1e-9)
        else:
            chosen = y_pred > self.threshold
        y_pred = tf.cast(chosen, self._dtype)
        weights = None if sample_weight is None else tf.expand_dims(tf.cast(sample_weight, self._dtype), 1)
        for name, each in (
            ("true_positives", y_pred * y_true), ("false_positives", y_pred * (1 - y_true)),
            ("false_negatives", (1 - y_pred) * y_true), ("intermediate_weights", y_true),
        ):  # fmt: skip
            each = each if weights is None else each * weights
            getattr(self, name).assign_add(tf.reduce_sum(each, None if self.average == "micro" else 0))

    def result(self) -> EagerTensor:
        """The score; without ``average``, one for each class."""
        right = tf.convert_to_tensor(self.true_positives)
        precision = right / (right + self.false_positives + epsilon())
        recall = right / (right + self.false_negatives + epsilon())
        square = self.beta**2
        score = precision * recall / (square * precision + recall + epsilon()) * (1 + square)
        if self.average == "weighted":
            weights = tf.convert_to_tensor(self.intermediate_weights)
            return tf.reduce_sum(score * (weights / (tf.reduce_sum(weights) + epsilon())))
        return score if self.average is None else tf.reduce_mean(score)


class F1Score(FBetaScore):
    """The harmonic mean of precision and recall, for each class or averaged."""

    def __init__(
        self, average: str | None = None, threshold: float | None = None, name: str = "f1_score", dtype: Any = None
    ):
        super().__init__(average, 1.0, threshold, name, dtype)


class R2Score(Metric):
    """The share of the variance of labels that predictions explain."""

    direction = 1

    def __init__(
        self, class_aggregation: str | None = "uniform_average", num_regressors: int = 0, name: str = "r2_score",
        dtype: Any = None,
    ):  # fmt: skip
        super().__init__(name=name, dtype=dtype)
        allowed = (None, "uniform_average", "variance_weighted_average")
        if class_aggregation not in allowed:
            raise ValueError(
                f"Invalid value for argument `class_aggregation`. Expected one of {allowed}. Received: "
                f"class_aggregation={class_aggregation}"
            )
        if num_regressors < 0:
            raise ValueError(
                "Invalid value for argument `num_regressors`. Expected a value >= 0. Received: "
                f"num_regressors={num_regressors}"
            )
        self.class_aggregation, self.num_regressors = class_aggregation, num_regressors
        self.num_samples = self.add_variable((), "zeros", name="num_samples")

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Add a batch of labels and predictions [batch, outputs]."""
        y_true, y_pred = same_rank(tf.cast(y_true, self._dtype), tf.cast(y_pred, self._dtype))
        if "squared_sum" not in self.__dict__:
            if len(y_pred.shape) != 2 or len(y_true.shape) != 2:
                raise ValueError(
                    "R2Score expects 2D inputs with shape (batch_size, output_dim). Received input shapes: "
                    f"y_pred.shape={y_pred.shape} and y_true.shape={y_true.shape}."
                )
            for key, name in (
                ("squared_sum", "squared_sum"),
                ("sum", "sum"),
                ("total_mse", "residual"),
                ("count", "count"),
            ):
                setattr(self, key, self.add_variable((y_pred.shape[-1],), "zeros", name=name))
        weights = tf.cast(1 if sample_weight is None else sample_weight, self._dtype)
        weights = tf.expand_dims(weights, 1) if len(weights.shape) == 1 else weights
        weights = tf.broadcast_to(weights, tf.shape(y_true))
        self.sum.assign_add(tf.reduce_sum(y_true * weights, 0))
        self.squared_sum.assign_add(tf.reduce_sum(y_true * (y_true * weights), 0))
        self.total_mse.assign_add(tf.reduce_sum((y_true - y_pred) ** 2 * weights, 0))
        self.count.assign_add(tf.reduce_sum(weights, 0))
        self.num_samples.assign_add(tf.cast(tf.size(y_true), self.num_samples.dtype))

    def result(self) -> Any:
        """The share; without ``class_aggregation``, one for each output."""
        total = self.squared_sum - self.sum * (self.sum / self.count)
        scores = 1 - self.total_mse / total
        scores = tf.where(tf.math.is_inf(scores), tf.zeros_like(scores), scores)
        if self.class_aggregation == "uniform_average":
            score = tf.reduce_mean(scores)
        elif self.class_aggregation == "variance_weighted_average":
            score = tf.reduce_sum(total * scores) / tf.reduce_sum(total)
        else:
            score = scores
        return self._adjusted(score) if self.num_regressors else score

    def _adjusted(self, score: Any) -> Any:
        """For the number of predictors, unless there are too few examples."""
        count = float(self.num_samples)
        if self.num_regressors >= count - 1:
            said = (
                "More independent predictors than datapoints in adjusted R2 score"
                if self.num_regressors > count - 1
                else "Division by zero in Adjusted R2 score"
            )
            warnings.warn(f"{said}. Falling back to standard R2 score.", stacklevel=3)
            return score
        return 1.0 - (1.0 - score) * (count - 1.0) / (count - self.num_regressors - 1.0)
