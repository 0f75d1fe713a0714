"""The devices that programs ask for: one CPU."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple


class PhysicalDevice(NamedTuple):
    """A device by its name and kind."""

    name: str
    device_type: str


class LogicalDevice(NamedTuple):
    """A device as ops name it, by its name and kind."""

    name: str
    device_type: str


class LogicalDeviceConfiguration(NamedTuple):
    """What a part of a device is to have (``tf.config.LogicalDeviceConfiguration``)."""

    memory_limit: int | None = None
    experimental_priority: int | None = None
    experimental_device_ordinal: int | None = None


CPU = PhysicalDevice("/physical_device:CPU:0", "CPU")
_VISIBLE = [CPU]


def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The CPU, or nothing for another kind."""
    return [CPU] if device_type in (None, "CPU") else []


def list_logical_devices(device_type: str | None = None) -> list[LogicalDevice]:
    """The CPU as ops name it, or nothing for another kind."""
    return [LogicalDevice("/device:CPU:0", "CPU")] if device_type in (None, "CPU") else []


def get_visible_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The devices that were made visible, of one kind or of all."""
    return [device for device in _VISIBLE if device_type in (None, device.device_type)]


def set_visible_devices(devices: Any, device_type: str | None = None) -> None:
    """Make devices visible: those of one kind, or of all.

    ValueError for what is no device or one of another kind, RuntimeError where the CPU would vanish: ops are on it.
    """
    several = isinstance(devices, Sequence) and not isinstance(devices, (str, PhysicalDevice))
    given = list(devices) if several else [devices]
    for device in given:
        known(device)
        if device_type is not None and device.device_type != device_type:
            raise ValueError(f"Unrecognized device: {device!r}")
    if device_type in (None, "CPU") and CPU not in given:
        raise RuntimeError("Visible devices cannot be modified after being initialized")


def known(device: Any) -> PhysicalDevice:
    """A device that there is.  ValueError for anything else."""
    if device != CPU:
        raise ValueError(f"Unrecognized device: {device!r}")
    return CPU


def get_logical_device_configuration(device: PhysicalDevice) -> list[LogicalDeviceConfiguration] | None:
    """None: no device is divided."""
    known(device)
    return None


def set_logical_device_configuration(
    device: PhysicalDevice, logical_devices: Sequence[LogicalDeviceConfiguration]
) -> None:
    """Devices are not divided.  ValueError for what is no device, else RuntimeError, as once ops have run."""
    known(device)
    raise RuntimeError("Virtual devices cannot be modified after being initialized")
