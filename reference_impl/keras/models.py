"""``tf.keras.models``: Model and Sequential."""

from .model import Model, Sequential

__all__ = ["Model", "Sequential"]
