"""``tf.keras.models``: Model, Sequential, and copies of models."""

from typing import Any

from .cloning import clone_model
from .model import Model, Sequential

__all__ = ["Model", "Sequential", "clone_model"]


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    from .outside import missing

    raise missing("keras.models", name)
