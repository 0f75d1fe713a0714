"""``tf.keras.models``: Model, Sequential, and copies of models."""

from typing import Any

from .model import Model, Sequential

__all__ = ["Model", "Sequential"]
_LATER = ("clone_model", "model_from_json")
__all__ += list(_LATER)


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    if name in _LATER:  # with functional models, which are loaded when one is made
        from .cloning import clone_model
        from .graph_configs import model_of_json

        return clone_model if name == "clone_model" else model_of_json
    from .outside import missing

    raise missing("keras.models", name)
