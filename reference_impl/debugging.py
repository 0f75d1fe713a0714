"""``tf.debugging``: checks that raise."""

# ruff: noqa: F401  # this file lists names

from .checks.assertions import (
    Assert,
    assert_equal,
    assert_greater,
    assert_greater_equal,
    assert_less,
    assert_less_equal,
    assert_near,
    assert_negative,
    assert_non_negative,
    assert_non_positive,
    assert_none_equal,
    assert_positive,
)
from .checks.shape_assertions import (
    assert_all_finite,
    assert_integer,
    assert_proper_iterable,
    assert_rank,
    assert_rank_at_least,
    assert_rank_in,
    assert_same_float_dtype,
    assert_scalar,
    assert_shapes,
    assert_type,
    is_numeric_tensor,
)
from .ops.checks import check_numerics

_SETTINGS = {"traceback_filtering": True, "log_device_placement": False}


def __getattr__(name: str) -> object:
    """Checks of all numbers are loaded when they are first used."""
    if name not in ("disable_check_numerics", "enable_check_numerics"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .checks import numerics

    return getattr(numerics, name)


def __dir__() -> list[str]:
    return sorted({*globals(), "disable_check_numerics", "enable_check_numerics"})


def is_traceback_filtering_enabled() -> bool:
    """The setting of the next two functions; tracebacks are short here anyway."""
    return _SETTINGS["traceback_filtering"]


def enable_traceback_filtering() -> None:
    """Turn the setting on."""
    _SETTINGS["traceback_filtering"] = True


def disable_traceback_filtering() -> None:
    """Turn the setting off."""
    _SETTINGS["traceback_filtering"] = False


def get_log_device_placement() -> bool:
    """The setting of ``set_log_device_placement``; there is one device, so nothing is logged."""
    return _SETTINGS["log_device_placement"]


def set_log_device_placement(enabled: bool) -> None:
    """Change the setting."""
    _SETTINGS["log_device_placement"] = enabled
