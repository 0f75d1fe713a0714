"""Functional: a model of what stands between KerasTensors (``tf.keras.Model(inputs, outputs)``).

    x = tf.keras.Input((4,))
    y = tf.keras.layers.Dense(2)(x)
    model = tf.keras.Model(x, y)

Inputs and outputs are KerasTensors, or lists or dicts of them; any KerasTensor may be an input or an output, so that
parts of a model are models, too, with the same layers.
"""

from __future__ import annotations

import warnings
from typing import Any

from .. import nest
from ..ops.casting import cast
from ..ops.squeezing import expand_dims, squeeze
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import is_tensor
from . import masks
from .graphs import CallGraph, copied, is_input
from .layer import Layer
from .model import Model
from .specs import InputSpec
from .symbolic import KerasTensor
from .training import Trainer


class Functional(Model):
    """``Functional(inputs, outputs, name=None)``: what ``Model(inputs, outputs)`` makes."""

    _takes_anything = True

    def __init__(self, inputs: Any, outputs: Any, name: str | None = None, trainable: bool = True, **kwargs: Any):
        _check_keras_tensors("inputs", inputs)
        _check_keras_tensors("outputs", outputs)
        Trainer.__init__(self, name=name, autocast=False, **kwargs)
        flat = nest.flatten(inputs)
        for which in (flat, nest.flatten(outputs)):
            if not which:
                word = "inputs" if which is flat else "outputs"
                raise ValueError(f"`{word}` argument cannot be empty. Received:\ninputs={inputs}\noutputs={outputs}")
        if not all(is_input(x) for x in flat):
            inputs, outputs = copied(inputs, outputs)
            flat = nest.flatten(inputs)
        graph = CallGraph(flat, nest.flatten(outputs), outputs)
        for key, value in (("_graph", graph), ("_inputs_struct", inputs), ("_outputs_struct", outputs)):
            object.__setattr__(self, key, value)
        for layer in self.layers:
            self._notice(layer)
        if not trainable:
            self.trainable = False
        self.built = True
        self.input_spec = _specs(inputs)
        self.output_names = [x._keras_history.operation.name for x in graph.outputs]

    # ------------------------------------------------------------------------------------ what it is

    @property
    def operations(self) -> list[Any]:
        """The layers and operations in the order in which they are carried out."""
        return list(self._graph.operations)

    @property
    def layers(self) -> list[Layer]:
        """The layers in the order in which they are carried out."""
        return [operation for operation in self._graph.operations if isinstance(operation, Layer)]

    @layers.setter
    def layers(self, _: Any) -> None:
        raise AttributeError("`Model.layers` attribute is reserved and should not be used. Please use another name.")

    @property
    def input(self) -> Any:
        """The KerasTensors it begins with, as they were given."""
        return self._inputs_struct

    @property
    def output(self) -> Any:
        """The KerasTensors it ends with, as they were given."""
        return self._outputs_struct

    @property
    def inputs(self) -> list[KerasTensor]:
        """The KerasTensors it begins with, as a list."""
        return self._graph.inputs

    @property
    def outputs(self) -> list[KerasTensor]:
        """The KerasTensors it ends with, as a list."""
        return self._graph.outputs

    @property
    def input_shape(self) -> Any:
        """The shape of the input; of several a list."""
        return _single([x.shape for x in self.inputs])

    @property
    def output_shape(self) -> Any:
        """The shape of the output; of several a list."""
        return _single([x.shape for x in self.outputs])

    def get_config(self) -> dict[str, Any]:
        """The layers, and how they are called; of a subclass whose arguments are others, what its class says."""
        from .graph_configs import functional_config

        own = type(self).__init__ not in (Functional.__init__, Model.__init__)
        return super().get_config() if own else functional_config(self)

    def _tracked_(self) -> dict[str, Any]:
        """What checkpoints and saved models see: the layers by their places, and what else was set."""
        own = {k: v for k, v in sorted(vars(self).items()) if k not in _HIDDEN}
        return {**own, "_operations": {str(k): layer for k, layer in enumerate(self._graph.operations)}}

    # ------------------------------------------------------------------------------------ calls

    def build(self, input_shape: Any = None) -> None:
        """Nothing: its layers are built."""

    def compute_output_spec(self, inputs: Any, training: Any = None, mask: Any = None, **kwargs: Any) -> Any:
        """KerasTensors like the outputs; at once, when the shapes are those it was made with."""
        given = nest.flatten(inputs)
        if len(given) == len(self.inputs) and all(x.shape == y.shape for x, y in zip(given, self.inputs)):
            made = nest.map_structure(lambda y: KerasTensor(y.shape, y.dtype), self._outputs_struct)
            return _single(made)
        return super().compute_output_spec(inputs, **kwargs)

    def call(self, inputs: Any, training: Any = None, mask: Any = None, **kwargs: Any) -> Any:
        """The outputs, in the structure they were given in; of a list of one, the one."""
        values = self._standardized(inputs)
        for x, m in zip(values, nest.flatten(mask) if mask is not None else ()):
            masks.attach(x, m)

        def call(node: Any, args: tuple, own: dict[str, Any]) -> Any:
            if training is not None and getattr(node.operation, "_takes_training", False):
                own["training"] = training
            return node.operation(*args, **own)

        return _single(self._graph.run(values, call))

    def _standardized(self, inputs: Any) -> list[Any]:
        """The inputs as a list of tensors with the dtypes and ranks that the model was made with."""
        wanted = self._inputs_struct
        if isinstance(wanted, list) and len(wanted) == 1 and (is_tensor(inputs) or isinstance(inputs, KerasTensor)):
            inputs = [inputs]
        elif isinstance(inputs, dict) and not isinstance(wanted, dict):
            inputs = _picked(inputs, wanted)
        _warn_of_structure(inputs, wanted)
        return [fitted(x, like) for x, like in zip(nest.flatten(inputs), self.inputs)]


_HIDDEN = ("_store", "_losses", "_given", "_graph", "_inputs_struct", "_outputs_struct")


def _check_keras_tensors(word: str, value: Any) -> None:
    for x in nest.flatten(value):
        if not isinstance(x, KerasTensor):
            raise ValueError(
                f"All `{word}` values must be KerasTensors. Received: {word}={value} including invalid value {x} of "
                f"type {type(x)}"
            )


def _specs(inputs: Any) -> list[InputSpec]:
    """What the model wants of its inputs: all sizes but the first."""

    def spec(x: KerasTensor, name: str) -> InputSpec:
        layer = x._keras_history.operation
        shape = (None, *x.shape[1:]) if x.shape else ()
        return InputSpec(shape=shape, allow_last_axis_squeeze=True, name=name, optional=layer.optional)

    if isinstance(inputs, dict):
        return [spec(inputs[name], name) for name in sorted(inputs)]
    return [spec(x, x._keras_history.operation.name) for x in nest.flatten(inputs)]


def _single(values: Any) -> Any:
    return values[0] if isinstance(values, (list, tuple)) and len(values) == 1 else values


def _picked(inputs: dict[str, Any], wanted: Any) -> Any:
    """Inputs out of a dict, by the names of KerasTensors.  ValueError when one is missing."""
    flat = [wanted] if isinstance(wanted, KerasTensor) else list(wanted)
    if all(isinstance(x, KerasTensor) and x.name in inputs for x in flat):
        return [inputs[x.name] for x in flat]
    raise ValueError(_structures(inputs, wanted))


def _warn_of_structure(inputs: Any, wanted: Any) -> None:
    def outline(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: outline(v) for k, v in value.items()}
        return [outline(v) for v in value] if isinstance(value, (list, tuple)) else 0

    given = inputs[0] if isinstance(inputs, list) and isinstance(wanted, KerasTensor) and len(inputs) == 1 else inputs
    if outline(given) != outline(wanted):
        warnings.warn(_structures(inputs, wanted), stacklevel=6)


def _structures(inputs: Any, wanted: Any) -> str:
    names = nest.map_structure(lambda x: x.name, wanted)
    shapes = nest.map_structure(lambda x: "None" if x is None else f"Tensor(shape={x.shape})", inputs)
    return (
        f"The structure of `inputs` doesn't match the expected structure.\nExpected: {names}\nReceived: inputs={shapes}"
    )


def fitted(x: Any, like: KerasTensor) -> Any:
    """An input with the dtype and the rank of the KerasTensor in whose place it comes."""
    if x is None or isinstance(x, KerasTensor):
        return x
    tensor = x if is_tensor(x) else convert_to_tensor(x)
    given, tensor = tensor, tensor if tensor.dtype.name == like.dtype else cast(tensor, like.dtype)
    rank, wanted = len(tensor.shape), len(like.shape)
    if rank == wanted + 1 and tensor.shape[-1] == 1:
        tensor = squeeze(tensor, [-1])
    elif rank == wanted - 1 and like.shape[-1] == 1:
        tensor = expand_dims(tensor, -1)
    elif rank != wanted:
        raise ValueError(
            f"Invalid input shape for input {x} with name '{like.name}' and path ''. Expected shape {like.shape}, but "
            f"input has incompatible shape {tensor.shape}"
        )
    if tensor is not given and masks.known:
        masks.attach(tensor, masks.mask_of(given))
    return tensor
