"""``tf.keras.models``: Model and Sequential."""

from typing import Any

from .model import Model, Sequential

__all__ = ["Model", "Sequential"]


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    from .outside import missing

    raise missing("keras.models", name)
