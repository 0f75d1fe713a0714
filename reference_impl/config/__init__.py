"""``tf.config``: switches, and the one device that there is.

Programs ask for devices and set up memory, threads and graph optimizers before they start.  There is one CPU here and
no optimizer, so settings are kept and given back, and what TensorFlow refuses on a machine without other devices is
refused.
"""

from __future__ import annotations

from . import experimental, optimizer, threading
from .devices import (
    LogicalDevice,
    LogicalDeviceConfiguration,
    PhysicalDevice,
    get_logical_device_configuration,
    get_visible_devices,
    list_logical_devices,
    list_physical_devices,
    set_logical_device_configuration,
    set_visible_devices,
)

__all__ = [
    "LogicalDevice", "LogicalDeviceConfiguration", "PhysicalDevice", "experimental",
    "experimental_functions_run_eagerly", "experimental_run_functions_eagerly", "functions_run_eagerly",
    "get_logical_device_configuration", "get_soft_device_placement", "get_visible_devices", "list_logical_devices",
    "list_physical_devices", "optimizer", "run_functions_eagerly", "set_logical_device_configuration",
    "set_soft_device_placement", "set_visible_devices", "threading",
]  # fmt: skip

_SETTINGS = {"soft device placement": True}


def run_functions_eagerly(run_eagerly: bool) -> None:
    """Whether functions run their Python bodies on every call instead of their graphs."""
    from ..tracing.polymorphic import run_functions_eagerly

    run_functions_eagerly(run_eagerly)


def functions_run_eagerly() -> bool:
    """Whether functions run their Python bodies on every call."""
    from ..tracing.polymorphic import functions_run_eagerly

    return functions_run_eagerly()


def experimental_run_functions_eagerly(run_eagerly: bool) -> None:
    """The older name of ``run_functions_eagerly``."""
    run_functions_eagerly(run_eagerly)


def experimental_functions_run_eagerly() -> bool:
    """The older name of ``functions_run_eagerly``."""
    return functions_run_eagerly()


def get_soft_device_placement() -> bool:
    """The setting of ``set_soft_device_placement``; all ops are on the one device anyway."""
    return _SETTINGS["soft device placement"]


def set_soft_device_placement(enabled: bool) -> None:
    """Change the setting."""
    _SETTINGS["soft device placement"] = enabled
