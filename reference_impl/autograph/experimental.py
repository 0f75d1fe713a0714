"""``tf.autograph.experimental``."""

from __future__ import annotations

from typing import Any

MARK = "_not_to_be_converted"


def do_not_convert(func: Any = None) -> Any:
    """Decorator: calls of the function are not converted."""
    if func is None:
        return do_not_convert
    import functools

    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return func(*args, **kwargs)

    setattr(wrapper, MARK, True)
    return wrapper


def set_loop_options(*_args: Any, **_options: Any) -> None:
    """Accepted; loops take their shapes from what the body returns."""
