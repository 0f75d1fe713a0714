"""``tf.compat.v1.logging``: the logger ``tensorflow`` and its levels."""

from __future__ import annotations

from typing import Any

from ...foundation.warnings_log import get_logger

DEBUG, INFO, WARN, ERROR, FATAL = 10, 20, 30, 40, 50


def get_verbosity() -> int:
    """The level of the logger."""
    return get_logger().getEffectiveLevel()


def set_verbosity(v: int) -> None:
    """Set the level of the logger."""
    get_logger().setLevel(v)


def debug(msg: str, *args: Any) -> None:
    """Write a message for those who look for mistakes."""
    get_logger().debug(msg, *args)


def info(msg: str, *args: Any) -> None:
    """Write a message."""
    get_logger().info(msg, *args)


def warning(msg: str, *args: Any) -> None:
    """Write a warning."""
    get_logger().warning(msg, *args)


warn = warning


def error(msg: str, *args: Any) -> None:
    """Write an error."""
    get_logger().error(msg, *args)
