"""``tf.config``: switches."""

from __future__ import annotations

from typing import NamedTuple


def run_functions_eagerly(run_eagerly: bool) -> None:
    """Whether functions run their Python bodies on every call instead of their graphs."""
    from .tracing.polymorphic import run_functions_eagerly

    run_functions_eagerly(run_eagerly)


def functions_run_eagerly() -> bool:
    """Whether functions run their Python bodies on every call."""
    from .tracing.polymorphic import functions_run_eagerly

    return functions_run_eagerly()


def experimental_run_functions_eagerly(run_eagerly: bool) -> None:
    """The older name of ``run_functions_eagerly``."""
    run_functions_eagerly(run_eagerly)


class PhysicalDevice(NamedTuple):
    """A device by its name and kind."""

    name: str
    device_type: str


def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The CPU, or nothing for another kind."""
    return [PhysicalDevice("/physical_device:CPU:0", "CPU")] if device_type in (None, "CPU") else []
