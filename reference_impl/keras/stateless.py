"""StatelessScope: variables have other values inside, and what is assigned to them is kept apart (``tf.keras``).

    with tf.keras.StatelessScope([(variable, tensor)]) as scope:
        y = layer.call(x)
    scope.get_current_value(variable)        # the variable itself is as it was

``layer.stateless_call`` and the metrics' ``stateless_update_state`` are made of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..ops.casting import cast
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .autocasting import casting
from .variables import Variable


class StatelessScope:
    """``StatelessScope(state_mapping=None)``: pairs of variables and the values that they have inside."""

    def __init__(self, state_mapping: Any = None, collect_losses: bool = False, initialize_variables: bool = True):
        self.collect_losses, self.initialize_variables = collect_losses, initialize_variables
        self.losses: list[Any] = []
        self.state_mapping: dict[int, Any] = {}
        for variable, value in state_mapping or ():
            if not isinstance(variable, Variable):
                raise ValueError(
                    "Invalid reference variable in StatelessScope: all keys in argument `mapping` must be Variable "
                    f"instances. Received instead: {variable}"
                )
            held = convert_to_tensor(value)
            held = held if held.dtype.name == variable.dtype else cast(held, variable.dtype)
            if tuple(variable.shape) != tuple(held.shape):
                raise ValueError(
                    "Invalid variable value in StatelessScope: all values in argument `mapping` must be tensors with "
                    f"a shape that matches the corresponding variable shape. For variable {variable}, received invalid "
                    f"value {held} with shape {held.shape}."
                )
            self.state_mapping[id(variable)] = held

    def __enter__(self) -> StatelessScope:
        self._outer = casting.stateless, casting.scopes
        casting.stateless = self
        casting.scopes = (*casting.scopes, casting.scopes[-1] if casting.scopes else None)
        return self

    def __exit__(self, *_: object) -> None:
        casting.stateless, casting.scopes = self._outer

    def add_loss(self, loss: Any) -> None:
        """Keep a loss."""
        self.losses.append(loss)

    def add_update(self, update: tuple[Any, Any]) -> None:
        """Keep the new value of a variable: ``(variable, value)``."""
        variable, value = update
        self.state_mapping[id(variable)] = value

    def get_current_value(self, variable: Any) -> EagerTensor | None:
        """The value that a variable has here, None when it was neither given nor assigned."""
        return self.state_mapping.get(id(variable))


def _check_count(name: str, given: Any, own: Any, kind: str, attribute: str) -> None:
    if len(given) != len(own):
        raise ValueError(
            f"Argument `{name}` must be a list of tensors corresponding 1:1 to {kind}().{attribute}. Received list "
            f"with length {len(given)}, but expected {len(own)} variables."
        )


def called(layer: Any, trainable: Any, others: Any, args: tuple, return_losses: bool, kwargs: dict) -> tuple:
    """Outputs, the new values of the variables that are not trained, and the losses if they are asked for."""
    kind = type(layer).__name__
    if not layer.built:
        raise ValueError(
            f"To call stateless_call, {kind} must be built (i.e. its variables must have been already created). You "
            "can build it by calling it on some data."
        )
    for name, given in (("trainable_variables", trainable), ("non_trainable_variables", others)):
        _check_count(name, given, getattr(layer, name), kind, name)
    pairs = [*zip(layer.trainable_variables, trainable), *zip(layer.non_trainable_variables, others)]
    with StatelessScope(pairs, collect_losses=return_losses) as scope:
        layer._clear_losses()
        outputs = layer.call(*args, **kwargs)
        losses = layer.losses if return_losses else None
        layer._clear_losses()
    after = [scope.get_current_value(v) for v in layer.non_trainable_variables]
    return (outputs, after, losses) if return_losses else (outputs, after)


def updated(metric: Any, given: Any, change: Any) -> list[Any]:
    """The state of a metric after a change, beginning with some values (None: with those it has)."""
    scope = _of_metric(metric, given)
    with scope:
        change()
    return _values(scope, metric.variables)


def found(metric: Any, given: Any) -> Any:
    """The result of a metric in a state."""
    with _of_metric(metric, given):
        return metric.result()


def _of_metric(metric: Any, given: Any) -> StatelessScope:
    if given is None:
        return StatelessScope()
    _check_count("metric_variables", given, metric.variables, type(metric).__name__, "variables")
    return StatelessScope(list(zip(metric.variables, given)))


def _values(scope: StatelessScope, variables: Iterable[Any]) -> list[Any]:
    values = [(v, scope.get_current_value(v)) for v in variables]
    return [v if value is None else value for v, value in values]
