"""Input: a KerasTensor that models begin with (``tf.keras.Input``)."""

from __future__ import annotations

from typing import Any

from .layer import Layer
from .policy import standardize_dtype
from .symbolic import KerasTensor, Node


class InputLayer(Layer):
    """The layer behind an ``Input``: ``batch_shape`` is ``(batch_size, *shape)``."""

    def __init__(
        self, shape: Any = None, batch_size: int | None = None, dtype: Any = None, sparse: Any = None,
        ragged: Any = None, batch_shape: Any = None, input_tensor: Any = None, optional: bool = False,
        name: str | None = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(name=name)
        if input_tensor is not None:
            batch_shape, dtype = input_tensor.shape, input_tensor.dtype
        elif shape is not None and batch_shape is not None:
            raise ValueError("You cannot pass both `shape` and `batch_shape` at the same time.")
        elif batch_size is not None and batch_shape is not None:
            raise ValueError("You cannot pass both `batch_size` and `batch_shape` at the same time.")
        elif shape is None and batch_shape is None:
            raise ValueError("You must pass a `shape` argument.")
        self.batch_shape = (batch_size, *_sizes(shape)) if batch_shape is None else _sizes(batch_shape)
        self._dtype = standardize_dtype(dtype)
        self.optional = optional
        self._build_at_init()
        tensor = KerasTensor(self.batch_shape, self._dtype, name=name) if input_tensor is None else input_tensor
        Node(self, (), {}, tensor)

    def call(self, inputs: Any = None) -> Any:
        """The inputs."""
        return inputs

    def get_config(self) -> dict[str, Any]:
        """The shape, the dtype and the name."""
        return {
            "batch_shape": self.batch_shape, "dtype": self._dtype, "sparse": False, "ragged": False, "name": self.name,
            "optional": self.optional,
        }  # fmt: skip


def _sizes(shape: Any) -> tuple[int | None, ...]:
    """A shape as a tuple.  ValueError for what is none."""
    if not hasattr(shape, "__iter__"):
        raise ValueError(f"Cannot convert '{shape}' to a shape.")
    if any(isinstance(size, (str, float)) for size in shape):
        wrong = next(size for size in shape if isinstance(size, (str, float)))
        raise ValueError(
            f"Cannot convert '{tuple(shape)}' to a shape. Found invalid dimension '{wrong}' of type '{type(wrong)}'. "
        )
    return tuple(None if size is None else int(size) for size in shape)


def Input(
    shape: Any = None, batch_size: int | None = None, dtype: Any = None, sparse: Any = None, ragged: Any = None,
    batch_shape: Any = None, name: str | None = None, tensor: Any = None, optional: bool = False,
) -> KerasTensor:  # fmt: skip
    """A KerasTensor of shape ``(batch_size, *shape)``, with a layer of the same name behind it."""
    return InputLayer(shape, batch_size, dtype, sparse, ragged, batch_shape, tensor, optional, name).output
