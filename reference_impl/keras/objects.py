"""``serialize_keras_object`` and ``deserialize_keras_object``: any object of Keras as plain values, and back."""

from __future__ import annotations

import importlib
from typing import Any

from .configuring import layer_of, serialized_layer
from .constraints import Constraint
from .initializers import Initializer
from .layer import Layer
from .losses import Loss
from .metrics import Metric
from .optimizers import Optimizer
from .optimizers.schedules import LearningRateSchedule
from .regularizers import Regularizer
from .serializing import deserialized, serialized

_HOMES = (
    (LearningRateSchedule, "optimizers.schedules"), (Optimizer, "optimizers"), (Loss, "losses"), (Metric, "metrics"),
    (Initializer, "initializers"), (Regularizer, "regularizers"), (Constraint, "constraints"),
)  # fmt: skip


def serialize_keras_object(obj: Any) -> Any:
    """An object as ``{"module", "class_name", "config", "registered_name"}``; lists and dicts of them; plain values."""
    if obj is None or isinstance(obj, (str, bool, int, float)):
        return obj
    if isinstance(obj, (list, tuple)):
        return [serialize_keras_object(v) for v in obj]
    if isinstance(obj, dict):
        return {k: serialize_keras_object(v) for k, v in obj.items()}
    if isinstance(obj, Layer):
        return serialized_layer(obj)
    home = next((name for kind, name in _HOMES if isinstance(obj, kind)), "")
    return serialized(obj, f"keras.{home}" if home else "builtins")


def deserialize_keras_object(config: Any, custom_objects: Any = None, safe_mode: bool = True, **_: Any) -> Any:
    """The object of a configuration.  ValueError when its class is not known."""
    if isinstance(config, (list, tuple)):
        return [deserialize_keras_object(v, custom_objects) for v in config]
    if not isinstance(config, dict) or "class_name" not in config:
        return config
    home = str(config.get("module") or "").removeprefix("keras.")
    names = [name for _, name in _HOMES]
    if home in names:
        module = importlib.import_module(f"{__package__}.{home}")
        known = {n: getattr(module, n) for n in (config["class_name"],) if n in dir(module)}
        return deserialized(config, known, custom_objects)
    if config["class_name"] == "function":
        from . import activations

        return deserialized(config, vars(activations), custom_objects)
    return layer_of(config, custom_objects)
