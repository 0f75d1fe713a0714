"""``tf.summary.experimental``: the step that summaries have without one of their own, and the scope of their tags."""

from __future__ import annotations

from typing import Any

from .writers import state
from .writing import summary_scope

__all__ = ["get_step", "set_step", "summary_scope"]


def get_step() -> Any:
    """The default step, None where there is none."""
    return state.step


def set_step(step: Any) -> None:
    """Set the default step: a number, or a variable, which is read whenever something is written."""
    state.step = step
