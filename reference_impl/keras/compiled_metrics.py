"""The metrics of ``compile``: made when the first batch shows what "accuracy" means, updated together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .. import nest
from . import metrics
from .metrics import Metric
from .naming import snake_case


class CompiledMetrics(Metric):
    """Metrics and weighted ones, as one metric whose result is a dict: lists, or lists by output."""

    def __init__(self, given: Any, weighted: Any, output_names: list[str] | None = None):
        super().__init__(name="compile_metrics")
        for name, value in (("metrics", given), ("weighted_metrics", weighted)):
            if value and not isinstance(value, (list, tuple, dict)):
                raise ValueError(
                    f"Expected `{name}` argument to be a list, tuple, or dict. Received instead: {name}={value} of "
                    f"type {type(value)}"
                )
        self._given, self._given_weighted, self.output_names = given, weighted, output_names
        self._plain: list[_OfOutput] = []
        self._weighted: list[_OfOutput] = []
        self._order: list[str] = []
        self.built = False

    @property
    def metrics(self) -> list[Metric]:
        """The metrics, once they are made."""
        return [m for each in (*self._plain, *self._weighted) for m in each.metrics]

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
            self._make(y_true, y_pred)
        labels, predictions = self._flat(y_true), self._flat(y_pred)
        weights = [None] if sample_weight is None else self._flat(sample_weight)
        weights = weights if len(weights) == len(labels) else [weights[0]] * len(labels)
        for each in self._plain:
            each.update(labels[each.place], predictions[each.place])
        for each in self._weighted:
            each.update(labels[each.place], predictions[each.place], weights[each.place])

    def _make(self, y_true: Any, y_pred: Any) -> None:
        names = self.output_names
        if isinstance(y_pred, dict):
            names = names if names and set(names) == set(y_pred) else sorted(y_pred)
            self._order = list(names)
        labels, predictions = self._flat(y_true), self._flat(y_pred)
        for word, given in (("metrics", self._given), ("weighted_metrics", self._given_weighted)):
            found = _by_output(given, len(predictions), names, word)
            made = [
                _OfOutput(k, [_made(m, labels[k], predictions[k]) for m in _listed(of_one)], name)
                for k, (of_one, name) in enumerate(found) if of_one is not None
            ]  # fmt: skip
            object.__setattr__(self, "_plain" if word == "metrics" else "_weighted", made)
        self.built = True

    def _flat(self, y: Any) -> list[Any]:
        """Labels or outputs in the order of the outputs."""
        if isinstance(y, dict) and self._order:
            return [y[name] for name in self._order]
        return nest.flatten(y)

    def result(self) -> dict[str, Any]:
        """The results by name, which begins with that of the output; one that occurs again gets more of a name."""
        found: dict[str, Any] = {}
        for each in (*self._plain, *self._weighted):
            weighted = any(each is other for other in self._weighted)
            for metric in each.metrics:
                name = each.named(metric.name)
                if weighted and name in found:
                    name = each.named(f"weighted_{metric.name}")
                number, taken = 1, name
                while taken in found:
                    taken, number = f"{name}_{number}", number + 1
                found[taken] = metric.result()
        return found


@dataclass(eq=False, slots=True)
class _OfOutput:
    """The metrics of the output at a place, and the name that theirs begin with."""

    place: int
    metrics: list[Metric]
    name: str | None

    def named(self, name: str) -> str:
        return f"{self.name}_{name}" if self.name else name

    def update(self, *values: Any) -> None:
        for metric in self.metrics:
            metric.update_state(*values)


def _by_output(given: Any, count: int, names: Any, word: str) -> list[tuple[Any, str | None]]:
    """What is measured of each output, and its name.  ValueError when it is not said of which."""
    if not given:
        return []
    if count == 1:
        return [(nest.flatten(given), None)]
    if isinstance(given, (list, tuple)) and len(given) == count:
        return list(zip(given, names or [None] * count))
    if isinstance(given, dict) and names and set(given) <= set(names):
        return [(given.get(name), name) for name in names]
    raise ValueError(
        f"Invalid `{word}`. `{word}` should contain metrics objects and either be a dict or a list matching the output "
        f"names of the functional model {names} or match the output structure of the model.\nReceived: {word}={given}"
    )


def _listed(given: Any) -> list:
    return list(given) if isinstance(given, (list, tuple)) else [given]


def _made(given: Any, y_true: Any, y_pred: Any) -> Metric:
    if isinstance(given, Metric):
        return given
    if not isinstance(given, str):
        of_function = metrics.get(given)
        if hasattr(given, "__name__"):
            of_function.name = snake_case(given.__name__)
        return of_function
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
    """The class by what labels and predictions are."""
    kind = kind_of(y_true, y_pred)
    return binary if kind == "Binary" else getattr(metrics, kind.replace("Categorical", name))


def kind_of(y_true: Any, y_pred: Any) -> str:
    """By shapes: one prediction is "Binary", numbers of classes "SparseCategorical", one-hot rows "Categorical"."""
    if y_pred.shape[-1] == 1:
        return "Binary"
    by_number = len(y_true.shape) < len(y_pred.shape) or (y_true.shape[-1] == 1 and y_pred.shape[-1] > 1)
    return "SparseCategorical" if by_number else "Categorical"
