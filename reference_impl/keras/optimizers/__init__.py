"""Optimizers of Keras (``tf.keras.optimizers``): SGD, Adam, AdamW, RMSprop, Adagrad.

    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))

kinds.py has the optimizers, rules.py their arithmetic, optimizer.py what they share, schedules.py learning rates that
depend on the step.
"""

from __future__ import annotations

from typing import Any

from . import schedules
from .kinds import SGD, Adagrad, Adam, AdamW, RMSprop
from .optimizer import Optimizer

_BY_NAME = {c.__name__.lower(): c for c in (SGD, Adam, AdamW, RMSprop, Adagrad)}


def get(identifier: Any) -> Optimizer:
    """An optimizer by its name or configuration, or as it is.  ValueError for what is none."""
    if isinstance(identifier, Optimizer):
        return identifier
    config: dict = {}
    name = identifier
    if isinstance(identifier, dict):
        name, config = identifier.get("class_name", ""), identifier.get("config", {})
    if isinstance(name, str) and name.lower() in _BY_NAME:
        return _BY_NAME[name.lower()](**config)
    raise ValueError(f"Could not interpret optimizer identifier: {identifier}")


def __getattr__(name: str) -> Any:
    from ..outside import missing

    raise missing("keras.optimizers", name)


__all__ = ["SGD", "Adagrad", "Adam", "AdamW", "Optimizer", "RMSprop", "get", "schedules"]


def __dir__() -> list[str]:
    return sorted(__all__)
