"""The loss of ``compile``: one for all outputs, or a list or dict with one for each, weighted and added up.

    model.compile("sgd", loss={"a": "mse", "b": "mae"}, loss_weights={"a": 1.0, "b": 0.5})

Where there are several, the mean of each is a metric: ``a_loss``, ``b_loss``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .. import nest
from ..math import add
from ..ops.casting import cast
from ..tensors.conversion import convert_to_tensor
from . import losses
from .metrics import Mean
from .naming import snake_case


class _Part(NamedTuple):
    """The loss of one output: where the output is (None when it is the only one), its weight, its name."""

    place: Any
    loss: Callable[..., Any]
    weight: float | None
    name: Any


class CompiledLoss:
    """``CompiledLoss(loss, loss_weights, output_names)(y_true, y_pred, sample_weight)``: a scalar, or None."""

    def __init__(self, given: Any, weights: Any, output_names: list[str] | None):
        if weights is not None and not isinstance(weights, (list, tuple, dict, float)):
            raise ValueError(
                "Expected `loss_weights` argument to be a float (single output case) or a list, tuple, or dict "
                f"(multiple output case). Received instead: loss_weights={weights} of type {type(weights)}"
            )
        self._given, self._weights, self.output_names = given, weights, output_names
        self._parts: list[_Part] | None = None
        self.metrics: list[Mean] = []

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        several = isinstance(y_pred, (list, tuple, dict))
        if several:
            y_true = self._fitted(y_true, y_pred)
        if self._parts is None:
            self._parts = self._made(y_true, y_pred) if several else [self._only(y_true, y_pred)]
            if len(self._parts) > 1:
                self.metrics = [Mean(name=f"{part.name}_loss") for part in self._parts]
        total = None
        for part, metric in zip(self._parts, self.metrics or [None]):
            value = self._value(part, y_true, y_pred, sample_weight, metric)
            total = value if total is None else add(total, value)
        return total

    def _value(self, part: _Part, y_true: Any, y_pred: Any, sample_weight: Any, metric: Any) -> Any:
        """The weighted loss of one output; the metric takes in the one without the weight."""
        label, prediction = (_at(y, part.place) for y in (y_true, y_pred))
        weights = _at(sample_weight, part.place) if nest.is_nested(sample_weight) else sample_weight
        found = part.loss(convert_to_tensor(label), prediction, *([] if weights is None else [weights]))
        value = losses.mean_of(found)
        if metric is not None:
            metric.update_state(value, sample_weight=nest.flatten(prediction)[0].shape[0])
        return value if part.weight is None else value * cast(part.weight, value.dtype)

    # ------------------------------------------------------------------------------------ which loss goes where

    def _only(self, y_true: Any, y_pred: Any) -> _Part:
        """The loss of a model with a single output."""
        given, weight = (_first(value) for value in (self._given, self._weights))
        loss = resolved(given, nest.flatten(y_true)[0] if nest.is_nested(y_true) else y_true, y_pred)
        return _Part(None, loss, weight, loss.name)

    def _made(self, y_true: Any, y_pred: Any) -> list[_Part]:
        """The losses of several outputs, in the order in which they were given."""
        given, weights = self._given, self._weights
        names = dict(zip(_places(y_pred), self.output_names or ()))
        if isinstance(given, dict) and not isinstance(y_pred, dict):
            given = self._in_order(given)
            weights = [weights[name] for name in self.output_names or ()] if isinstance(weights, dict) else weights
        if not isinstance(given, (list, tuple, dict)):
            given = {place: given for place in _places(y_pred)}
        elif not isinstance(given, dict):
            given = dict(zip(_places(y_pred), given))
        weight_of = self._weights_for(given, weights)
        parts = []
        for place, loss in given.items():
            if loss is None:
                continue
            if place not in _places(y_pred) or place not in _places(y_true):
                raise KeyError(
                    f"The path: {(place,)} in the `loss` argument, can't be found in either the model's output "
                    "(`y_pred`) or in the labels (`y_true`)."
                )
            made = resolved(loss, _at(y_true, place), _at(y_pred, place))
            name = place if isinstance(place, str) else names.get(place, made.name)
            parts.append(_Part(place, made, weight_of[place], name))
        return parts

    def _in_order(self, given: dict[str, Any]) -> list[Any]:
        if set(self.output_names or ()) != set(given):
            raise ValueError(f"Expected keys {self.output_names} in loss dict, but found loss.keys()={list(given)}")
        return [given[name] for name in self.output_names or ()]

    def _weights_for(self, given: dict[Any, Any], weights: Any) -> dict[Any, Any]:
        if weights is None or isinstance(weights, float):
            return dict.fromkeys(given, weights)
        if len(weights) != len(given):
            raise ValueError(
                f"`loss_weights` must match the number of losses, got {len(given)} losses and {len(weights)} weights."
            )
        if isinstance(weights, dict) and set(weights) == set(given):
            return weights
        return dict(zip(given, nest.flatten(weights)))

    def _fitted(self, y_true: Any, y_pred: Any) -> Any:
        """Labels in the structure of the outputs.  ValueError when they do not fit."""
        if isinstance(y_pred, dict):
            if isinstance(y_true, dict) and (set(y_true) <= set(y_pred)):
                return y_true
            flat = nest.flatten(y_true)
            if not isinstance(y_true, dict) and len(flat) == len(y_pred):
                return dict(zip(sorted(y_pred), flat))
        elif isinstance(y_true, dict):
            if set(self.output_names or ()) == set(y_true):
                return [y_true[name] for name in self.output_names or ()]
        else:
            labels = list(y_true) if isinstance(y_true, (list, tuple)) else [y_true]
            if len(labels) == len(y_pred):
                return labels
            losses_given = self._given if isinstance(self._given, (list, tuple)) else []
            places = [k for k, loss in enumerate(losses_given) if loss is not None]
            if len(labels) == len(places):
                return [dict(zip(places, labels)).get(k) for k in range(len(losses_given))]
        shown = [nest.map_structure(lambda _: "*", y) for y in (y_true, y_pred)]
        raise ValueError(f"y_true and y_pred have different structures.\ny_true: {shown[0]}\ny_pred: {shown[1]}\n")


def resolved(given: Any, y_true: Any, y_pred: Any) -> Any:
    """A loss as an object; "crossentropy" is the kind that fits labels and predictions."""
    if isinstance(given, str) and given.lower() in ("crossentropy", "ce"):
        from .compiled_metrics import kind_of

        name = {"Binary": "binary", "Categorical": "categorical", "SparseCategorical": "sparse_categorical"}
        given_function = losses.get(f"{name[kind_of(y_true, y_pred)]}_crossentropy")
        return losses.LossFunctionWrapper(given_function, name=given)
    found = losses.get(given)
    if isinstance(found, losses.Loss):
        return found
    return losses.LossFunctionWrapper(found, name=given if isinstance(given, str) else snake_case(found.__name__))


def _first(given: Any) -> Any:
    if isinstance(given, dict):
        given = list(given.values())
    return given[0] if isinstance(given, (list, tuple)) else given


def _places(values: Any) -> list[Any]:
    return list(values) if isinstance(values, dict) else list(range(len(values)))


def _at(values: Any, place: Any) -> Any:
    if place is None:
        return nest.flatten(values)[0] if nest.is_nested(values) else values
    return values[place]
