"""``tf.keras.backend``: global settings."""

from typing import Any

from .naming import auto_name, reset_names
from .policy import epsilon, floatx, set_epsilon, set_floatx


def clear_session(free_memory: bool = True) -> None:
    """Count names from the beginning again."""
    reset_names()


def get_uid(prefix: str = "") -> int:
    """How many names with a prefix were made, this one included."""
    name = auto_name(prefix)
    return int(name.rpartition("_")[2]) + 1 if name != prefix else 1


def image_data_format() -> str:
    """Always "channels_last"."""
    return "channels_last"


__all__ = ["clear_session", "epsilon", "floatx", "get_uid", "image_data_format", "set_epsilon", "set_floatx"]


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    from .outside import missing

    raise missing("keras.backend", name)
