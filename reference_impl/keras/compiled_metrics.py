"""The metrics of ``compile``: made when the first batch shows what "accuracy" means, updated together."""

from __future__ import annotations

from typing import Any

from . import metrics
from .metrics import Metric


class CompiledMetrics(Metric):
    """A list of metrics and a list of weighted ones, as one metric whose result is a dict."""

    def __init__(self, given: Any, weighted: Any):
        super().__init__(name="compile_metrics")
        self._given, self._given_weighted = _listed(given), _listed(weighted)
        self._plain: list[Metric] = []
        self._weighted: list[Metric] = []
        self.built = False

    @property
    def metrics(self) -> list[Metric]:
        """The metrics, once they are made."""
        return [*self._plain, *self._weighted]

    @property
    def variables(self) -> list[Any]:
        """The states of all."""
        return [v for m in self.metrics for v in m.variables]

    def reset_state(self) -> None:
        """Begin anew."""
        for metric in self.metrics:
            metric.reset_state()

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Add a batch; weights count for the weighted ones alone."""
        if not self.built:
            self._plain = [_made(m, y_true, y_pred) for m in self._given]
            self._weighted = [_made(m, y_true, y_pred) for m in self._given_weighted]
            self.built = True
        for metric in self._plain:
            metric.update_state(y_true, y_pred)
        for metric in self._weighted:
            metric.update_state(y_true, y_pred, sample_weight)

    def result(self) -> dict[str, Any]:
        """The results by name; a name that occurs again gets "weighted_" or a number."""
        found: dict[str, Any] = {}
        for metric in self.metrics:
            name = metric.name
            if name in found and any(metric is m for m in self._weighted):
                name = f"weighted_{name}"
            number, taken = 1, name
            while taken in found:
                taken, number = f"{name}_{number}", number + 1
            found[taken] = metric.result()
        return found


def _listed(given: Any) -> list:
    if given is None:
        return []
    flat: list = []
    for each in given if isinstance(given, (list, tuple)) else [given]:
        flat += _listed(each) if isinstance(each, (list, tuple)) else [each]
    return flat


def _made(given: Any, y_true: Any, y_pred: Any) -> Metric:
    if not isinstance(given, str):
        return metrics.get(given)
    lowered = given.lower()
    if lowered in ("accuracy", "acc"):
        made: Metric = _kind(metrics.BinaryAccuracy, "CategoricalAccuracy", y_true, y_pred)()
    elif lowered in ("crossentropy", "ce"):
        made = _kind(metrics.BinaryCrossentropy, "CategoricalCrossentropy", y_true, y_pred)()
    else:
        made = metrics.get(given)
    made.name = given
    return made


def _kind(binary: Any, name: str, y_true: Any, y_pred: Any) -> Any:
    """The class by shapes: one prediction, or numbers of classes, or one-hot rows for labels."""
    if y_pred.shape[-1] == 1:
        return binary
    by_number = len(y_true.shape) < len(y_pred.shape) or (y_true.shape[-1] == 1 and y_pred.shape[-1] > 1)
    return getattr(metrics, f"Sparse{name}" if by_number else name)
