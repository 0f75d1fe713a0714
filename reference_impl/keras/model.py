"""Model, to be subclassed, and Sequential, a list of layers (``tf.keras.Model``, ``tf.keras.Sequential``).

Both are layers.  ``compile``, ``fit``, ``evaluate`` and ``predict`` are in training.py.
"""

from __future__ import annotations

from typing import Any

from ..surroundings.scopes import init_scope
from ..tensors.tensor import EagerTensor, is_tensor
from .inputs import InputLayer
from .layer import Layer
from .naming import auto_name
from .symbolic import KerasTensor
from .training import Trainer


class Model(Trainer):
    """A layer with ``layers``, ``compile`` and ``fit``; subclasses write ``call``."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls is Model and _is_functional(args, kwargs):
            from .functional import Functional

            return super().__new__(Functional, *args, **kwargs)
        return super().__new__(cls, *args, **kwargs)

    def __init__(self, *args: Any, **kwargs: Any):
        if _is_functional(args, kwargs):
            from .functional import Functional

            _put_in(type(self), Functional)
            Functional.__init__(self, *args, **kwargs)  # type: ignore[arg-type]
        else:
            super().__init__(*args, **kwargs)

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """A model of what ``get_config`` gave: of layers and calls, or of the arguments of its class."""
        if {"name", "layers", "input_layers", "output_layers"} <= set(config):
            from .graph_configs import functional_from

            return functional_from(cls, config, custom_objects)
        return super().from_config(config)

    def to_json(self, **kwargs: Any) -> str:
        """The model without its weights as JSON; ``keras.models.model_from_json`` makes one of it."""
        from .graph_configs import model_json

        return model_json(self, **kwargs)

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """What the model computes."""
        raise NotImplementedError(f"Model {type(self).__name__} does not have a `call()` method implemented.")

    @property
    def layers(self) -> list[Layer]:
        """The layers of the model, not those below them."""
        return list(self._flatten_layers(include_self=False, recursive=False))

    @layers.setter
    def layers(self, _: Any) -> None:
        raise AttributeError("`Model.layers` attribute is reserved and should not be used. Please use another name.")

    def get_layer(self, name: str | None = None, index: int | None = None) -> Layer:
        """The layer of a name or at a place.  ValueError when there is none."""
        if index is not None and name is not None:
            raise ValueError(f"Provide only a layer name or a layer index. Received: index={index}, name={name}.")
        if index is None and name is None:
            raise ValueError("Provide either a layer name or layer index at `get_layer`.")
        if index is not None:
            if len(self.layers) <= index:
                raise ValueError(
                    f"Was asked to retrieve layer at index {index} but model only has {len(self.layers)} layers."
                )
            return self.layers[index]
        for layer in self.layers:
            if layer.name == name:
                return layer
        raise ValueError(f"No such layer: {name}. Existing layers are: {[layer.name for layer in self.layers]}.")


def _is_functional(args: tuple, kwargs: dict[str, Any]) -> bool:
    """Whether arguments are inputs and outputs."""
    return len(args) == 2 or (len(args) == 1 and "outputs" in kwargs) or ("inputs" in kwargs and "outputs" in kwargs)


def _put_in(kind: type, functional: type) -> None:
    """Make a class derive from ``functional`` where it derives from Model, as Keras does."""
    if issubclass(kind, functional) or not issubclass(kind, Model):
        return
    for base in kind.__bases__:
        if base is not Model:
            _put_in(base, functional)
    kind.__bases__ = tuple(functional if base is Model else base for base in kind.__bases__)


class Sequential(Model):
    """``Sequential([layer, layer ...])``: each layer on the output of the one before."""

    def __init__(self, layers: Any = None, trainable: bool = True, name: str | None = None):
        super().__init__(trainable=trainable, name=name)
        self._input: InputLayer | None = None
        self._symbols: list[KerasTensor] = []
        for layer in layers or ():
            self._take(layer)
        self._settle()

    def get_config(self) -> dict[str, Any]:
        """The layers in their order."""
        from .graph_configs import sequential_config

        return sequential_config(self)

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """A model of what ``get_config`` gave."""
        from .graph_configs import sequential_from

        return sequential_from(cls, config, custom_objects) if "layers" in config else cls(**config)

    def add(self, layer: Any, rebuild: bool = True) -> None:
        """Append a layer.  ValueError for what is none."""
        self._take(layer)
        self.built = False
        self._settle()

    def pop(self, rebuild: bool = True) -> Layer:
        """Take the last layer away."""
        layer = self._layers[-1]
        self._store.remove(layer)
        del self._symbols[len(self._layers) + 1 :]
        self._settle()
        return layer

    def _take(self, layer: Any) -> None:
        if isinstance(layer, KerasTensor):
            layer = layer._keras_history.operation
        if not isinstance(layer, Layer):
            raise ValueError(
                f"Only instances of `keras.Layer` can be added to a Sequential model. Received: {layer} (of type "
                f"{type(layer)})"
            )
        if isinstance(layer, InputLayer):
            self._begin_with(layer)
            return
        if any(layer.name == other.name and layer is not other for other in self._layers):
            raise ValueError(
                f"All layers added to a Sequential model should have unique names. Name '{layer.name}' is already the "
                "name of a layer in this model. Update the `name` argument to pass a unique name."
            )
        shape = getattr(layer, "_input_shape_arg", None)
        if shape is not None and not self._layers:
            self._begin_with(InputLayer(shape))
        self._store.locked = False
        self._notice(layer)

    def _begin_with(self, layer: InputLayer) -> None:
        if self._input is not None:
            raise ValueError(
                f"Sequential model '{self.name}' has already been configured to use input shape "
                f"{self._input.batch_shape}. You cannot add a different Input layer to it."
            )
        object.__setattr__(self, "_input", layer)

    def _settle(self) -> None:
        """Build as soon as the shape of the input is known."""
        if self._input is not None and self._layers:
            self.build(self._input.batch_shape)

    @property
    def layers(self) -> list[Layer]:
        """The layers in their order."""
        return list(self._layers)

    @property
    def input_shape(self) -> tuple:
        """The shape of the inputs, with None for the batch.  AttributeError before it is known."""
        return self._symbol(0, "input shape").shape

    @property
    def output_shape(self) -> tuple:
        """The shape of the outputs, with None for the batch.  AttributeError before it is known."""
        return self._symbol(-1, "output shape").shape

    @property
    def inputs(self) -> list[KerasTensor]:
        """The KerasTensor it begins with, in a list.  AttributeError before it is known."""
        return [self._symbol(0, "inputs")]

    @property
    def outputs(self) -> list[KerasTensor]:
        """The KerasTensor it ends with, in a list.  AttributeError before it is known."""
        return [self._symbol(-1, "outputs")]

    def _symbol(self, place: int, what: str) -> KerasTensor:
        if len(self._symbols) != len(self._layers) + 1:
            raise AttributeError(f"Sequential model '{self.name}' has no defined {what} yet.")
        return self._symbols[place]

    def _tracked_(self) -> dict[str, Any]:
        """What checkpoints and saved models see: the layers under the names that TensorFlow gives them."""
        own = {
            k: v
            for k, v in sorted(vars(self).items())
            if k not in ("_store", "_input", "_symbols", "_losses", "_given")
        }
        return {**own, "_functional": {"_operations": {str(k): layer for k, layer in enumerate(self._layers, 1)}}}

    def build(self, input_shape: Any = None) -> None:
        """Build layer after layer, for an input of a shape."""
        if not self._layers:
            raise ValueError(
                f"Sequential model {self.name} cannot be built because it has no layers. Call `model.add(layer)`."
            )
        if not isinstance(input_shape, (tuple, list)) or any(isinstance(s, (tuple, list)) for s in input_shape):
            return
        if self._input is None:
            object.__setattr__(self, "_input", InputLayer(batch_shape=input_shape, dtype=self._layers[0].compute_dtype))
        assert self._input is not None
        symbols = self._symbols or [self._input.output]
        object.__setattr__(self, "_symbols", symbols)
        try:
            with init_scope():
                for layer in self._layers[len(symbols) - 1 :]:
                    symbols.append(layer(symbols[-1]))
        except NotImplementedError:  # a layer that has no call to try
            return
        auto_name("Functional")  # Keras makes a functional model here, which counts

    def _fits(self, x: Any) -> bool:
        like = self._symbols[0]
        return type(x) is EagerTensor and x.dtype.name == like.dtype and len(x.shape) == len(like.shape)

    def _fitted(self, x: Any) -> Any:
        """An input with the dtype and the rank that the model was built for, as in a functional model."""
        from .functional import fitted

        return fitted(x, self._symbols[0]) if is_tensor(x) or hasattr(x, "__array__") else x

    def call(self, inputs: Any, training: Any = None, mask: Any = None, **kwargs: Any) -> Any:
        """What comes out of the last layer."""
        x = inputs
        if self._symbols and not self._fits(x):
            x = self._fitted(x)
        for layer in self._layers:
            x = layer(x, training=training) if layer._takes_training and training is not None else layer(x)
        return x
