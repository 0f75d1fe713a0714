"""Configurations of functional and Sequential models, and models of them (``get_config``, ``from_config``, JSON)."""

from __future__ import annotations

import functools
import json
from typing import Any

import numpy as np

from .. import nest
from ..dtypes import DType, as_dtype
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from ..tensors.variable import ResourceVariable
from .calling import mapped
from .configuring import layer_of, plain, serialized_layer
from .layer import Layer
from .serializing import serialized
from .symbolic import KerasTensor, nodes_of

_NN = frozenset(
    [
        "Relu", "Relu6", "Sigmoid", "Softplus", "Softsign", "Silu", "LogSigmoid", "LeakyRelu", "HardSigmoid",
        "HardSilu", "Elu", "Selu", "Gelu", "Celu", "Glu", "HardTanh", "TanhShrink", "Softmax", "LogSoftmax", "OneHot",
        "BinaryCrossentropy", "CategoricalCrossentropy", "Moments", "Normalize",
    ]
)  # fmt: skip
_PARTS = frozenset(["__slice__", "__ellipsis__", "__numpy__", "__tensor__"])


def functional_config(model: Any) -> dict[str, Any]:
    """Layers and operations with the calls between inputs and outputs."""
    graph = model._graph
    inside = {id(node) for nodes in graph.by_depth for node in nodes}
    places = {
        id(node): place
        for operation in graph.operations
        for place, node in enumerate(n for n in nodes_of(operation) if id(n) in inside)
    }

    def history(x: KerasTensor) -> list[Any]:
        made = x._keras_history
        return [made.operation.name, places[id(nodes_of(made.operation)[made.node_index])], made.tensor_index]

    def argument(x: Any) -> Any:
        if isinstance(x, KerasTensor):
            held = {"shape": x.shape, "dtype": x.dtype, "keras_history": history(x)}
            return {"class_name": "__keras_tensor__", "config": held}
        return _written(x)

    layers = []
    for operation in graph.operations:
        calls = [n for n in nodes_of(operation) if id(n) in inside and not n.is_input]
        told = [{"args": tuple(mapped(n.args, argument)), "kwargs": mapped(n.kwargs, argument)} for n in calls]
        layers.append({**_of_operation(operation), "name": operation.name, "inbound_nodes": told})
    return {
        "name": model.name, "trainable": model.trainable, "layers": layers,
        "input_layers": nest.map_structure(history, model._inputs_struct),
        "output_layers": nest.map_structure(history, model._outputs_struct),
    }  # fmt: skip


def _written(x: Any) -> Any:
    """An argument that is no KerasTensor, as Keras writes it: slices, ``...``, arrays and tensors by their parts."""
    if isinstance(x, slice):
        return {"class_name": "__slice__", "config": {"start": x.start, "stop": x.stop, "step": x.step}}
    if x is Ellipsis:
        return {"class_name": "__ellipsis__", "config": {}}
    if isinstance(x, DType):
        return x.name
    if isinstance(x, (np.ndarray, EagerTensor, ResourceVariable)):
        kind = "__numpy__" if isinstance(x, np.ndarray) else "__tensor__"
        array = np.asarray(x)
        return {"class_name": kind, "config": {"value": array.tolist(), "dtype": array.dtype.name}}
    return plain("", x)


def _read(config: dict[str, Any]) -> Any:
    """What ``_written`` wrote of parts, made again."""
    held = config["config"]
    match config["class_name"]:
        case "__slice__":
            return slice(held["start"], held["stop"], held["step"])
        case "__ellipsis__":
            return Ellipsis
        case "__numpy__":
            return np.array(held["value"], as_dtype(held["dtype"]).as_numpy_dtype)
        case _:
            return convert_to_tensor(held["value"], dtype=held["dtype"])


def _of_operation(operation: Any) -> dict[str, Any]:
    if isinstance(operation, Layer):
        return serialized_layer(operation)
    name = type(operation).__name__
    home = "keras.src.ops.nn" if name in _NN else "keras.src.ops.numpy"
    return {"module": home, "class_name": name, "config": {"name": operation.name}, "registered_name": name}


def functional_from(cls: Any, config: dict[str, Any], custom_objects: Any = None) -> Any:
    """A functional model of a configuration: its layers are made, then called as it says."""
    made = {entry["name"]: _operation_of(entry, custom_objects) for entry in config["layers"]}
    before = {name: 0 if _is_input(operation) else len(nodes_of(operation)) for name, operation in made.items()}

    def tensor(history: Any) -> Any:
        name, node, place = history
        return nodes_of(made[name])[before[name] + node].outputs[place]

    waiting = [(entry["name"], list(entry["inbound_nodes"])) for entry in config["layers"]]
    while waiting:
        left = []
        for name, calls in waiting:
            while calls and _ready(calls[0], made, before):
                call = calls.pop(0)
                args, kwargs = (_filled(call[key], tensor) for key in ("args", "kwargs"))
                made[name](*args, **kwargs)
            if calls:
                left.append((name, calls))
        if len(left) == len(waiting) and [len(c) for _, c in left] == [len(c) for _, c in waiting]:
            raise ValueError(f"Graph disconnected: the calls of {[name for name, _ in left]} lack their inputs")
        waiting = left
    inputs, outputs = (_histories(config[key], tensor) for key in ("input_layers", "output_layers"))
    return cls(inputs, outputs, name=config.get("name"), trainable=config.get("trainable", True))


def _is_input(operation: Any) -> bool:
    return type(operation).__name__ == "InputLayer"


def _operation_of(entry: dict[str, Any], custom_objects: Any) -> Any:
    if str(entry.get("module", "")).startswith("keras.src.ops"):
        from . import ops
        from .operations import TABLE

        name = _operations()[entry["class_name"]]
        return ops._operation_class(name)(TABLE[name], name=entry["config"]["name"])
    return layer_of(entry, custom_objects)


@functools.cache
def _operations() -> dict[str, str]:
    from . import ops

    return {ops._class_name(ops._CALLED.get(name, name)): ops._CALLED.get(name, name) for name in ops.__all__}


def _ready(call: dict[str, Any], made: dict[str, Any], before: dict[str, int]) -> bool:
    histories: list[Any] = []
    _filled([call["args"], call["kwargs"]], histories.append)
    return all(len(nodes_of(made[name])) > before[name] + node for name, node, _ in histories)


def _filled(value: Any, tensor: Any) -> Any:
    """Arguments with tensors in the places of what stands for them."""
    if isinstance(value, dict):
        if value.get("class_name") == "__keras_tensor__":
            return tensor(value["config"]["keras_history"])
        if str(value.get("class_name")) in _PARTS:
            return _read(value)
        return {k: _filled(v, tensor) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_filled(v, tensor) for v in value)
    return value


def _histories(value: Any, tensor: Any) -> Any:
    if isinstance(value, dict):
        return {k: _histories(v, tensor) for k, v in value.items()}
    if len(value) == 3 and isinstance(value[0], str):
        return tensor(value)
    return type(value)(_histories(v, tensor) for v in value)


def sequential_config(model: Any) -> dict[str, Any]:
    """The layers in their order, and the shape that the model is built for."""
    from . import dtype_policies

    first = [] if model._input is None or not model.built else [model._input]
    config = {
        "name": model.name, "trainable": model.trainable, "dtype": dtype_policies.serialize(model.dtype_policy),
        "layers": [serialized_layer(layer) for layer in (*first, *model.layers)],
    }  # fmt: skip
    return {**config, "build_input_shape": model._input.batch_shape} if first else config


def sequential_from(cls: Any, config: dict[str, Any], custom_objects: Any = None) -> Any:
    """A Sequential model of a configuration."""
    model = cls(name=config.get("name"), trainable=config.get("trainable", True))
    for entry in config["layers"]:
        model.add(layer_of(entry, custom_objects))
    return model


def model_json(model: Any, **options: Any) -> str:
    """A model without its weights as JSON."""
    found = serialized_layer(model)
    if model.compiled:
        found["compile_config"] = model.get_compile_config()
    return json.dumps(found, **options)


def model_of_json(text: str, custom_objects: Any = None) -> Any:
    """The model of ``model_json``, with new weights, compiled if it was."""
    found = json.loads(text)
    model = layer_of(found, custom_objects)
    if found.get("compile_config"):
        model.compile_from_config(found["compile_config"])
    return model


def compile_config(options: dict[str, Any]) -> dict[str, Any]:
    """The arguments of ``compile`` as JSON holds them."""
    return {name: mapped(value, functools.partial(_plain_option, name)) for name, value in options.items()}


def _plain_option(name: str, value: Any) -> Any:
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    home = {"optimizer": "keras.optimizers", "loss": "keras.losses"}.get(name, "keras.metrics")
    return serialized(value, home)
