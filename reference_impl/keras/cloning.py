"""``tf.keras.models.clone_model``: a model of new layers with the same arguments, and new weights."""

from __future__ import annotations

import inspect
from typing import Any

from .. import nest
from .functional import Functional
from .inputs import Input
from .layer import Layer
from .model import Model, Sequential


def clone_model(
    model: Any, input_tensors: Any = None, clone_function: Any = None, call_function: Any = None,
    recursive: bool = False,
) -> Model:  # fmt: skip
    """A copy of a Sequential or functional model; ``clone_function(layer)`` makes the layers.

    Of a subclassed model, one made with the same arguments.  ValueError for a ``clone_function`` then.
    """
    cache: dict[int, Any] = {}

    def clone(layer: Any) -> Any:
        if id(layer) not in cache:
            inside = recursive and isinstance(layer, (Sequential, Functional))
            if inside:
                cache[id(layer)] = clone_model(layer, None, clone_function, call_function, True)
            else:
                cache[id(layer)] = (clone_function or _copied)(layer)
        return cache[id(layer)]

    if isinstance(model, Sequential):
        return _sequential(model, clone, input_tensors)
    if isinstance(model, Functional):
        return _functional(model, clone, call_function, input_tensors)
    if clone_function is not None or input_tensors is not None:
        raise ValueError(
            "Arguments `clone_function` and `input_tensors` are only supported for Sequential models or Functional "
            f"models. Received model of type '{type(model).__name__}', with clone_function={clone_function} and "
            f"input_tensors={input_tensors}"
        )
    return _copied(model)


def _sequential(model: Sequential, clone: Any, input_tensors: Any) -> Sequential:
    layers = [clone(layer) for layer in model.layers]
    if input_tensors is not None:
        layers.insert(0, nest.flatten(input_tensors)[0])
    elif model._input is not None:
        layers.insert(0, Input(batch_shape=model._input.batch_shape, dtype=model._input.dtype, name=model._input.name))
    return Sequential(layers, name=model.name, trainable=model.trainable)


def _functional(model: Functional, clone: Any, call_function: Any, input_tensors: Any) -> Functional:
    given = None if input_tensors is None else nest.flatten(input_tensors)
    inputs = given or [
        Input(batch_shape=x.shape, dtype=x.dtype, name=x._keras_history.operation.name) for x in model.inputs
    ]

    def call(node: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
        if not isinstance(node.operation, Layer):
            return type(node.operation)(node.operation.call, node.operation.name)(*args, **kwargs)
        layer = clone(node.operation)
        return layer(*args, **kwargs) if call_function is None else call_function(layer, *args, **kwargs)

    outputs = model._graph.run(inputs, call)
    return Functional(nest.pack_sequence_as(model.input, inputs), outputs, name=model.name)


def _copied(layer: Any) -> Any:
    """A new layer with the arguments of one."""
    if isinstance(layer, (Sequential, Functional)):
        return clone_model(layer)
    kind = type(layer)
    if kind.get_config is not Layer.get_config or kind.__module__.startswith(__package__ or ""):
        return kind.from_config(layer.get_config())
    args, kwargs = layer._given
    parameters = inspect.signature(kind.__init__).parameters
    if "name" in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        kwargs = {**kwargs, "name": layer.name}
    return kind(*args, **kwargs)
