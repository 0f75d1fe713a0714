"""``tf.config``: switches."""

from __future__ import annotations


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
