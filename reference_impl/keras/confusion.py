"""Metrics of right and wrong decisions at thresholds: TruePositives ..., Precision, Recall, AUC ..."""

from __future__ import annotations

from typing import Any

import numpy as np

import reference_impl as tf

from ..tensors.tensor import EagerTensor
from .loss_functions import same_rank
from .metrics import Metric
from .policy import epsilon

_LOWEST = -1e10
_KINDS = ("true_positives", "false_positives", "true_negatives", "false_negatives")


def _listed(thresholds: Any, default: float) -> list[float]:
    """Thresholds as a list.  ValueError for one that is not in [0, 1]."""
    if thresholds is None:
        return [default]
    found = list(thresholds) if isinstance(thresholds, (list, tuple)) else [thresholds]
    wrong = [t for t in found if t is None or t < 0 or t > 1]
    if wrong:
        raise ValueError(f"Threshold values must be in [0, 1]. Received: {wrong}")
    return found


def _even(thresholds: Any) -> bool:
    """Whether thresholds stand at equal distances from 0 to 1."""
    count = len(thresholds)
    if count < 3:
        return False
    return bool(np.allclose(thresholds, np.arange(count, dtype=np.float32) / (count - 1), atol=epsilon()))


class _Counting(Metric):
    """A metric that counts, for each threshold, some of the four kinds of decisions."""

    direction = 1
    thresholds: Any

    def _count(self, kinds: tuple[str, ...], shape: tuple[int, ...]) -> None:
        for kind in kinds:
            setattr(self, kind, self.add_variable(shape, "zeros", name=kind))

    def _add(
        self, y_true: Any, y_pred: Any, sample_weight: Any, top_k: Any = None, class_id: Any = None,
        label_weights: Any = None, multi_label: bool = False,
    ) -> None:  # fmt: skip
        """Count a batch."""
        thresholds = np.asarray(self.thresholds, np.float32)
        y_true, y_pred = tf.cast(y_true, "float32"), tf.cast(y_pred, "float32")
        y_pred, y_true = same_rank(y_pred, y_true)
        weights: Any = None
        if sample_weight is not None:
            weights = tf.expand_dims(tf.cast(sample_weight, "float32"), -1)
            weights = same_rank(y_true, weights, expand_rank_1=False)[1]
        if top_k is not None:
            places = tf.math.top_k(y_pred, top_k).indices
            best = tf.reduce_sum(tf.one_hot(places, tf.shape(y_pred)[-1]), -2)
            y_pred = y_pred * best + _LOWEST * (1.0 - best)
        if class_id is not None:
            y_true, y_pred = y_true[..., class_id, None], y_pred[..., class_id, None]
        weights = tf.ones_like(y_pred) if weights is None else tf.broadcast_to(weights, tf.shape(y_pred))
        if label_weights is not None:
            weights = weights * label_weights
        rows = [y_true, y_pred, weights] if multi_label else [tf.reshape(x, [-1, 1]) for x in (y_true, y_pred, weights)]
        count = _by_buckets if _even(thresholds) else _by_comparison
        for kind, found in zip(_KINDS, count(*rows, thresholds)):
            if kind in self.__dict__:
                getattr(self, kind).assign_add(found if multi_label else found[:, 0])


def _by_comparison(y_true: Any, y_pred: Any, weights: Any, thresholds: np.ndarray) -> list[EagerTensor]:
    """The four counts [thresholds, labels], every prediction compared with every threshold."""
    above = y_pred[None] > tf.constant(thresholds[:, None, None])
    yes = tf.cast(tf.cast(y_true, "bool"), "float32")[None]
    above, weights = tf.cast(above, "float32"), weights[None]
    below, no = 1.0 - above, 1.0 - yes
    return [tf.reduce_sum(a * b * weights, 1) for a, b in ((yes, above), (no, above), (no, below), (yes, below))]


def _by_buckets(y_true: Any, y_pred: Any, weights: Any, thresholds: np.ndarray) -> list[EagerTensor]:
    """The four counts [thresholds, labels], by the place of a prediction between even thresholds."""
    count = len(thresholds)
    y_pred = tf.clip_by_value(y_pred, 0.0, 1.0)
    place = tf.math.ceil(y_pred * float(count - 1)) - 1.0
    if thresholds[0] < 0.0 or thresholds[-1] > 1.0:
        place = tf.nn.relu(place)
    at = tf.one_hot(tf.cast(place, "int32"), count, axis=0)  # [thresholds, examples, labels]
    yes = tf.cast(tf.cast(y_true, "bool"), "float32")
    right, wrong = yes * weights, (1.0 - yes) * weights
    above = [tf.cumsum(tf.reduce_sum(at * x[None], 1), axis=0, reverse=True) for x in (right, wrong)]
    return [*above, tf.reduce_sum(wrong, 0)[None] - above[1], tf.reduce_sum(right, 0)[None] - above[0]]


def _counter(class_name: str, kind: str) -> Any:
    """The metric that counts decisions of one kind."""

    class Counter(_Counting):
        direction = 0

        def __init__(self, thresholds: Any = None, name: str | None = None, dtype: Any = None):
            super().__init__(name=name, dtype=dtype)
            self.thresholds = _listed(thresholds, 0.5)
            self.accumulator = self.add_variable((len(self.thresholds),), "zeros", name="accumulator")
            setattr(self, kind, self.accumulator)

        def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
            """Add a batch of labels and predictions."""
            self._add(y_true, y_pred, sample_weight)

        def result(self) -> EagerTensor:
            """The count; of several thresholds, a list of them."""
            found = tf.convert_to_tensor(self.accumulator)
            return found[0] if len(self.thresholds) == 1 else found

    Counter.__name__ = Counter.__qualname__ = class_name
    Counter.__doc__ = f"How many {kind.replace('_', ' ')} there are, weighted."
    return Counter


TruePositives, FalsePositives = _counter("TruePositives", _KINDS[0]), _counter("FalsePositives", _KINDS[1])
TrueNegatives, FalseNegatives = _counter("TrueNegatives", _KINDS[2]), _counter("FalseNegatives", _KINDS[3])


class Precision(_Counting):
    """The share of right ones among the decisions for yes."""

    _parts = ("true_positives", "false_positives")

    def __init__(
        self, thresholds: Any = None, top_k: int | None = None, class_id: int | None = None, name: str | None = None,
        dtype: Any = None,
    ):  # fmt: skip
        super().__init__(name=name, dtype=dtype)
        self.top_k, self.class_id = top_k, class_id
        self.thresholds = _listed(thresholds, 0.5 if top_k is None else _LOWEST)
        self._count(self._parts, (len(self.thresholds),))

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Add a batch of labels and predictions."""
        self._add(y_true, y_pred, sample_weight, self.top_k, self.class_id)

    def result(self) -> EagerTensor:
        """The share; of several thresholds, a list of them."""
        found = _share(*(getattr(self, part) for part in self._parts))
        return found[0] if len(self.thresholds) == 1 else found


class Recall(Precision):
    """The share of those decided for among all that are yes."""

    _parts = ("true_positives", "false_negatives")


def _share(part: Any, rest: Any) -> EagerTensor:
    return tf.math.divide_no_nan(tf.convert_to_tensor(part), part + rest)


class _AtBest(_Counting):
    """The best of one share among the thresholds at which another is large enough."""

    _word = ""
    _shares: tuple[tuple[str, str], tuple[str, str]]

    def __init__(self, *args: Any, **kwargs: Any):
        first = (kwargs.pop(self._word),) if self._word in kwargs else ()
        self._begin(*first, *args, **kwargs)

    def _begin(
        self, value: float, num_thresholds: int = 200, class_id: int | None = None, name: str | None = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        if value < 0 or value > 1:
            raise ValueError(f"Argument `{self._word}` must be in the range [0, 1]. Received: {self._word}={value}")
        Metric.__init__(self, name=name, dtype=dtype)
        if num_thresholds <= 0:
            raise ValueError(
                f"Argument `num_thresholds` must be an integer > 0. Received: num_thresholds={num_thresholds}"
            )
        self.value, self.class_id, self.num_thresholds = value, class_id, num_thresholds
        setattr(self, self._word, value)
        last = num_thresholds - 1
        self.thresholds = [0.5] if not last else [0.0, *((k + 1) * 1.0 / last for k in range(last - 1)), 1.0]
        self._count(_KINDS, (len(self.thresholds),))

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Add a batch of labels and predictions."""
        self._add(y_true, y_pred, sample_weight, class_id=self.class_id)

    def result(self) -> EagerTensor:
        """The best share, 0 where there is none."""
        bound, best = (_share(*(getattr(self, part) for part in parts)) for parts in self._shares)
        return tf.maximum(tf.reduce_max(tf.where(bound >= self.value, best, tf.zeros_like(best))), 0.0)


_SENSITIVITY, _SPECIFICITY = ("true_positives", "false_negatives"), ("true_negatives", "false_positives")
_PRECISION = ("true_positives", "false_positives")


class SensitivityAtSpecificity(_AtBest):
    """The best sensitivity where the specificity is at least so large."""

    _word, _shares = "specificity", (_SPECIFICITY, _SENSITIVITY)


class SpecificityAtSensitivity(_AtBest):
    """The best specificity where the sensitivity is at least so large."""

    _word, _shares = "sensitivity", (_SENSITIVITY, _SPECIFICITY)


class PrecisionAtRecall(_AtBest):
    """The best precision where the recall is at least so large."""

    _word, _shares = "recall", (_SENSITIVITY, _PRECISION)


class RecallAtPrecision(_AtBest):
    """The best recall where the precision is at least so large."""

    _word, _shares = "precision", (_PRECISION, _SENSITIVITY)


class AUC(_Counting):
    """The area under a curve: "ROC", "PR" (precision and recall) or "PRGAIN", by sums over thresholds."""

    def __init__(
        self, num_thresholds: int = 200, curve: str = "ROC", summation_method: str = "interpolation",
        name: str | None = None, dtype: Any = None, thresholds: Any = None, multi_label: bool = False,
        num_labels: int | None = None, label_weights: Any = None, from_logits: bool = False,
    ):  # fmt: skip
        if thresholds is None and num_thresholds <= 1:
            raise ValueError(
                f"Argument `num_thresholds` must be an integer > 1. Received: num_thresholds={num_thresholds}"
            )
        self.curve = _one_of("curve", curve, ("ROC", "PR", "PRGAIN"))
        self.summation_method = _one_of("summation_method", summation_method, ("interpolation", "majoring", "minoring"))
        super().__init__(name=name, dtype=dtype)
        inner = sorted(thresholds) if thresholds is not None else _between(num_thresholds)
        self.num_thresholds = len(inner) + 2
        self.thresholds = [0.0 - epsilon(), *inner, 1.0 + epsilon()]
        self.multi_label, self.num_labels, self._from_logits = multi_label, num_labels, from_logits
        self.label_weights = None if label_weights is None else tf.constant(label_weights, "float32")
        if num_labels and not multi_label:
            raise ValueError("`num_labels` is needed only when `multi_label` is True.")
        if num_labels or not multi_label:
            self._count(_KINDS, (self.num_thresholds, *([num_labels] if num_labels else [])))

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Add a batch of labels and predictions."""
        y_pred = tf.convert_to_tensor(y_pred)
        if _KINDS[0] not in self.__dict__:
            self._count(_KINDS, (self.num_thresholds, y_pred.shape[1]))
        y_pred = tf.sigmoid(y_pred) if self._from_logits else y_pred
        by_label = None if self.multi_label else self.label_weights
        self._add(y_true, y_pred, sample_weight, label_weights=by_label, multi_label=self.multi_label)

    def result(self) -> EagerTensor:
        """The area; of several labels, the mean of their areas."""
        if self.curve == "PR" and self.summation_method == "interpolation":
            parts = self._interpolated()
        else:
            x, y = self._curve()
            first, second = y[:-1], y[1:]
            heights = {
                "interpolation": lambda: (first + second) / 2.0, "minoring": lambda: tf.minimum(first, second),
                "majoring": lambda: tf.maximum(first, second),
            }[self.summation_method]()  # fmt: skip
            parts = (x[:-1] - x[1:]) * heights
        if not self.multi_label:
            return tf.reduce_sum(parts)
        areas = tf.reduce_sum(parts, 0)
        if self.label_weights is None:
            return tf.reduce_mean(areas)
        return tf.math.divide_no_nan(tf.reduce_sum(areas * self.label_weights), tf.reduce_sum(self.label_weights))

    def _counts(self) -> list[EagerTensor]:
        return [tf.convert_to_tensor(getattr(self, kind)) for kind in _KINDS]

    def _curve(self) -> tuple[EagerTensor, EagerTensor]:
        """The points of the curve, one for each threshold."""
        tp, fp, tn, fn = self._counts()
        recall = _share(tp, fn)
        if self.curve == "ROC":
            return _share(fp, tn), recall
        if self.curve == "PR":
            return recall, _share(tp, fp)
        scale = tf.math.divide_no_nan(tp + fn, tn + fp)
        gain_of_recall = 1.0 - scale * tf.math.divide_no_nan(fn, tp)
        gain_of_precision = 1.0 - scale * tf.math.divide_no_nan(fp, tp)
        none = tf.equal(tp, 0.0)
        gain_of_recall = tf.where(none, tf.zeros_like(tp), gain_of_recall)
        return tf.maximum(gain_of_recall, 0.0), tf.where(none, tf.ones_like(tp), gain_of_precision)

    def _interpolated(self) -> EagerTensor:
        """The parts of the area under precision and recall (Davis and Goadrich, 2006)."""
        tp, fp, _, fn = self._counts()
        total = tp + fp
        gained, more = tp[:-1] - tp[1:], total[:-1] - total[1:]
        slope = tf.math.divide_no_nan(gained, tf.maximum(more, 0.0))
        start = tp[1:] - slope * total[1:]
        both = tf.logical_and(total[:-1] > 0, total[1:] > 0)
        ratio = tf.where(both, tf.math.divide_no_nan(total[:-1], tf.maximum(total[1:], 0.0)), tf.ones_like(start))
        parts = slope * (gained + start * tf.math.log(ratio))
        return tf.math.divide_no_nan(parts, tf.maximum(tp[1:] + fn[1:], 0.0))


def _between(count: int) -> list[float]:
    return [(k + 1) * 1.0 / (count - 1) for k in range(count - 2)]


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> str:
    for known in allowed:
        if str(value).lower() == known.lower():
            return known
    what = {"curve": "AUC curve", "summation_method": "AUC summation method"}[name]
    raise ValueError(f'Invalid {what} value: "{value}".')
