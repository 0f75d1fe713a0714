"""Input: the shape that a Sequential model begins with (``tf.keras.Input``)."""

from __future__ import annotations

from typing import Any

from . import calling
from .layer import Layer
from .naming import auto_name
from .policy import standardize_dtype


class InputLayer(Layer):
    """The first entry of a Sequential model: ``batch_shape`` is ``(batch_size, *shape)``."""

    def __init__(
        self, shape: Any = None, batch_size: int | None = None, dtype: Any = None, batch_shape: Any = None,
        name: str | None = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(name=name)
        self.batch_shape = (batch_size, *shape) if batch_shape is None else tuple(batch_shape)
        self._dtype = standardize_dtype(dtype)
        self._build_at_init()

    def call(self, inputs: Any = None) -> Any:
        """The inputs."""
        return inputs


class Placeholder:
    """What ``Input`` returns; a Sequential model takes it, layers and ops refuse it."""

    _is_placeholder = True

    def __init__(self, layer: InputLayer, name: str):
        self.layer = layer
        self.shape, self.dtype, self.name = layer.batch_shape, layer._dtype, name

    def __repr__(self) -> str:
        return f"<KerasTensor shape={self.shape}, dtype={self.dtype}, sparse=False, ragged=False, name={self.name}>"

    def _dense_(self, want: Any = None) -> Any:
        calling.refuse_placeholder()


def Input(
    shape: Any = None, batch_size: int | None = None, dtype: Any = None, batch_shape: Any = None,
    name: str | None = None, **kwargs: Any,
) -> Placeholder:  # fmt: skip
    """A placeholder with a shape, for the head of a Sequential model."""
    return Placeholder(InputLayer(shape, batch_size, dtype, batch_shape, name), name or auto_name("keras_tensor"))
