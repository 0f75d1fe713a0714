"""Model, to be subclassed, and Sequential, a list of layers (``tf.keras.Model``, ``tf.keras.Sequential``).

Both are layers.  ``compile``, ``fit``, ``evaluate`` and ``predict`` are in training.py.
"""

from __future__ import annotations

from typing import Any

from ..ops.making import zeros
from .inputs import InputLayer, Placeholder
from .layer import Layer
from .naming import rehearsal
from .training import Trainer


class Model(Trainer):
    """A layer with ``layers``, ``compile`` and ``fit``; subclasses write ``call``."""

    def __init__(self, *args: Any, **kwargs: Any):
        if args or "inputs" in kwargs or "outputs" in kwargs:
            raise AttributeError(
                "the functional API of Keras is not part of this engine: subclass Model and write `call` "
                "(docs/around.md)"
            )
        super().__init__(**kwargs)

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


class Sequential(Model):
    """``Sequential([layer, layer ...])``: each layer on the output of the one before."""

    def __init__(self, layers: Any = None, trainable: bool = True, name: str | None = None):
        super().__init__(trainable=trainable, name=name)
        self._input: InputLayer | None = None
        for layer in layers or ():
            self._take(layer)
        self._settle()

    def add(self, layer: Any, rebuild: bool = True) -> None:
        """Append a layer.  ValueError for what is none."""
        self._take(layer)
        self.built = False
        self._settle()

    def pop(self, rebuild: bool = True) -> Layer:
        """Take the last layer away."""
        layer = self._layers[-1]
        self._store.remove(layer)
        self._settle()
        return layer

    def _take(self, layer: Any) -> None:
        if isinstance(layer, Placeholder):
            layer = layer.layer
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
        if self._input is None:
            raise AttributeError(f"Sequential model '{self.name}' has no defined input shape yet.")
        return self._input.batch_shape

    @property
    def output_shape(self) -> tuple:
        """The shape of the outputs, with None for the batch.  AttributeError before it is known."""
        if not self._layers or self._layers[-1]._shown_shape is None:
            raise AttributeError(f"Sequential model '{self.name}' has no defined output shape yet.")
        return self._layers[-1]._shown_shape

    def _tracked_(self) -> dict[str, Any]:
        """What checkpoints and saved models see: the layers under the names that TensorFlow gives them."""
        own = {k: v for k, v in sorted(vars(self).items()) if k not in ("_store", "_input", "_losses", "_given")}
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
        dtype = self._input._dtype if self._input is not None else self._dtype
        try:
            with rehearsal(flat=False):
                x = zeros([1 if s is None else s for s in input_shape], dtype)
                for layer in self._layers:
                    x = layer(x)
                    if hasattr(x, "shape"):
                        object.__setattr__(layer, "_shown_shape", (input_shape[0], *x.shape[1:]))
        except NotImplementedError:  # a layer that has no call to try
            return

    def call(self, inputs: Any, training: Any = None, mask: Any = None, **kwargs: Any) -> Any:
        """What comes out of the last layer."""
        x = inputs
        for layer in self._layers:
            x = layer(x, training=training) if layer._takes_training and training is not None else layer(x)
        return x
