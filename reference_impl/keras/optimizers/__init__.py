"""Optimizers of Keras (``tf.keras.optimizers``): SGD, Adam, AdamW, RMSprop, Adagrad, and those of more_kinds.py.

    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))

kinds.py has the optimizers, rules.py their arithmetic, optimizer.py what they share, schedules.py learning rates that
depend on the step.
"""

from __future__ import annotations

from typing import Any

from . import legacy, schedules
from .kinds import SGD, Adagrad, Adam, AdamW, RMSprop
from .optimizer import Optimizer

_LATER = ("Adadelta", "Adafactor", "Adamax", "Ftrl", "Lamb", "Lion", "LossScaleOptimizer", "Muon", "Nadam")
_LATER += ("ScheduleFreeAdamW",)


def _known() -> dict[str, Any]:
    """All optimizers by name, and by name in small letters."""
    from .more_kinds import KINDS

    kinds = (SGD, Adam, AdamW, RMSprop, Adagrad, *KINDS)
    return {name: c for c in kinds for name in (c.__name__, c.__name__.lower())}


def get(identifier: Any) -> Optimizer:
    """An optimizer by its name or configuration, or as it is.  ValueError for what is none."""
    if isinstance(identifier, Optimizer):
        return identifier
    config = {"class_name": identifier, "config": {}} if isinstance(identifier, str) else identifier
    if isinstance(config, dict) and str(config.get("class_name", "")).lower() in _known():
        return deserialize(config)
    raise ValueError(f"Could not interpret optimizer identifier: {identifier}")


def serialize(optimizer: Any) -> Any:
    """The configuration of an optimizer, as a dict of plain values."""
    from ..serializing import serialized

    return serialized(optimizer, "keras.optimizers")


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """The optimizer of a configuration.  ValueError when its class is not known."""
    from ..serializing import deserialized

    name = config["class_name"]
    config = {**config, "class_name": name.lower()} if name.lower() in _known() else config
    return deserialized(config, _known(), custom_objects)


def __getattr__(name: str) -> Any:
    if name in _LATER:
        from . import more_kinds

        return getattr(more_kinds, name)
    from ..outside import missing

    raise missing("keras.optimizers", name)


__all__ = ["SGD", "Adagrad", "Adam", "AdamW", "Optimizer", "RMSprop", "deserialize", "get", "legacy"]
__all__ += ["schedules", "serialize"]
__all__ += list(_LATER)


def __dir__() -> list[str]:
    return sorted(__all__)
