"""``tf.keras.models``: Model, Sequential, and copies of models."""

from typing import Any

from .model import Model, Sequential

__all__ = ["Model", "Sequential"]
_LATER = ("clone_model",)
__all__ += list(_LATER)


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    if name in _LATER:  # with functional models, which are loaded when one is made
        from .cloning import clone_model

        return clone_model
    from .outside import missing

    raise missing("keras.models", name)
