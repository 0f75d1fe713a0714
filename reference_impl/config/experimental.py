"""``tf.config.experimental``: older names of what ``tf.config`` has, memory, and switches of kernels."""

from __future__ import annotations

from typing import Any, NoReturn

from .devices import (
    LogicalDeviceConfiguration,
    PhysicalDevice,
    get_logical_device_configuration,
    get_visible_devices,
    known,
    list_logical_devices,
    list_physical_devices,
    set_logical_device_configuration,
    set_visible_devices,
)

VirtualDeviceConfiguration = LogicalDeviceConfiguration
get_virtual_device_configuration = get_logical_device_configuration
set_virtual_device_configuration = set_logical_device_configuration

__all__ = [
    "VirtualDeviceConfiguration", "disable_mlir_bridge", "enable_mlir_bridge", "enable_op_determinism",
    "enable_tensor_float_32_execution", "get_device_details", "get_device_policy", "get_memory_growth",
    "get_memory_info", "get_memory_usage", "get_synchronous_execution", "get_virtual_device_configuration",
    "get_visible_devices", "list_logical_devices", "list_physical_devices", "reset_memory_stats", "set_device_policy",
    "set_memory_growth", "set_synchronous_execution", "set_virtual_device_configuration", "set_visible_devices",
    "tensor_float_32_execution_enabled",
]  # fmt: skip

_SETTINGS: dict[str, Any] = {"tensor float 32": True, "policy": "silent", "synchronous": True}
_POLICIES = ("silent", "silent_for_int32", "warn", "explicit")


def enable_op_determinism() -> None:
    """Ask that ops give the same on every run.  They always do here."""


def enable_mlir_bridge() -> None:
    """A switch of TensorFlow's compiler, which is not here."""


def disable_mlir_bridge() -> None:
    """A switch of TensorFlow's compiler, which is not here."""


def tensor_float_32_execution_enabled() -> bool:
    """The setting of the next function."""
    return _SETTINGS["tensor float 32"]


def enable_tensor_float_32_execution(enabled: bool) -> None:
    """Allow products of less precision on devices that have them; the CPU has none."""
    _SETTINGS["tensor float 32"] = enabled


def get_device_details(device: PhysicalDevice) -> dict[str, Any]:
    """Nothing is known of the CPU.  ValueError for what is no device."""
    known(device)
    return {}


def get_memory_growth(device: PhysicalDevice) -> bool:
    """ValueError for what is no device, KeyError for the CPU, for which there is no such setting."""
    raise KeyError(known(device))


def set_memory_growth(device: PhysicalDevice, enable: bool) -> None:
    """ValueError: for what is no device, and for the CPU, whose memory always grows."""
    known(device)
    raise ValueError("Cannot set memory growth on non-GPU and non-Pluggable devices")


def _no_statistics(device: str, refusal: str) -> NoReturn:
    """The ValueError for questions about memory, which the CPU does not count."""
    text = str(device)
    raise ValueError(refusal if "CPU" in text.upper() else f"No matching devices found for '{text}'")


def get_memory_info(device: str) -> dict[str, int]:
    """ValueError: the CPU does not count its memory."""
    _no_statistics(device, f"Allocator stats not available for device '{device}'")


def get_memory_usage(device: str) -> int:
    """ValueError: the CPU does not count its memory."""
    _no_statistics(device, f"Allocator stats not available for device '{device}'")


def reset_memory_stats(device: str) -> None:
    """ValueError: the CPU does not count its memory."""
    _no_statistics(device, f"Cannot reset memory stats for device '{device}'")


def get_synchronous_execution() -> bool:
    """The setting of the next function; ops always end before they return."""
    return _SETTINGS["synchronous"]


def set_synchronous_execution(enable: bool | None) -> None:
    """Change the setting."""
    _SETTINGS["synchronous"] = enable is not False


def get_device_policy() -> str:
    """The setting of the next function."""
    return _SETTINGS["policy"]


def set_device_policy(device_policy: str | None) -> None:
    """What to do with operands on other devices.  ValueError for an unknown word; there is one device."""
    if device_policy not in (None, *_POLICIES):
        raise ValueError(f"Not a valid device policy: {device_policy}")
    _SETTINGS["policy"] = device_policy or "silent"
