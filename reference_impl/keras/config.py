"""``tf.keras.config``: global settings."""

from .dtype_policies import dtype_policy, set_dtype_policy
from .policy import IMAGE_DATA_FORMAT, epsilon, floatx, set_epsilon, set_floatx

__all__ = [
    "backend", "disable_interactive_logging", "disable_traceback_filtering", "dtype_policy",
    "enable_interactive_logging", "enable_traceback_filtering", "epsilon", "floatx", "image_data_format",
    "is_interactive_logging_enabled", "is_traceback_filtering_enabled", "set_dtype_policy", "set_epsilon", "set_floatx",
]  # fmt: skip

_SETTINGS = {"interactive logging": True, "traceback filtering": True}


def backend() -> str:
    """The library that Keras computes with."""
    return "tensorflow"


def image_data_format() -> str:
    """Always "channels_last"."""
    return IMAGE_DATA_FORMAT


def is_interactive_logging_enabled() -> bool:
    """The setting of the next two functions; ``fit`` prints nothing either way."""
    return _SETTINGS["interactive logging"]


def enable_interactive_logging() -> None:
    """Turn the setting on."""
    _SETTINGS["interactive logging"] = True


def disable_interactive_logging() -> None:
    """Turn the setting off."""
    _SETTINGS["interactive logging"] = False


def is_traceback_filtering_enabled() -> bool:
    """The setting of the next two functions; tracebacks are short here anyway."""
    return _SETTINGS["traceback filtering"]


def enable_traceback_filtering() -> None:
    """Turn the setting on."""
    _SETTINGS["traceback filtering"] = True


def disable_traceback_filtering() -> None:
    """Turn the setting off."""
    _SETTINGS["traceback filtering"] = False
