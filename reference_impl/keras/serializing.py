"""Configurations: objects as dicts of plain values, and back (``serialize``, ``deserialize``), and custom classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_CUSTOM: dict[str, Any] = {}  # what register_keras_serializable and CustomObjectScope know


def serialized(value: Any, module: str) -> Any:
    """An object, or a function, as ``{"module", "class_name", "config", "registered_name"}``."""
    if value is None or isinstance(value, (str, dict)):
        return value
    if isinstance(value, type) or not hasattr(value, "get_config"):
        name = getattr(value, "__name__", value)
        return {"module": "builtins", "class_name": "function", "config": name, "registered_name": "function"}
    config = {k: serialized_rate(v) for k, v in value.get_config().items()}
    registered = next((name for name, kind in _CUSTOM.items() if kind is type(value)), None)
    home = module if registered is None else None
    return {"module": home, "class_name": type(value).__name__, "config": config, "registered_name": registered}


def serialized_rate(value: Any) -> Any:
    """A schedule as its configuration; anything else as it is."""
    from .optimizers.schedules import LearningRateSchedule

    return serialized(value, "keras.optimizers.schedules") if isinstance(value, LearningRateSchedule) else value


def deserialized(config: Any, known: Mapping[str, Any], custom_objects: Any = None) -> Any:
    """The object of a configuration, or of a name.  ValueError when its class is not known."""
    if isinstance(config, dict) and config["class_name"] == "function":
        config = config["config"]
    named = isinstance(config, str)
    name = config if named else config["class_name"]
    own = {**_CUSTOM, **(custom_objects or {})}
    found = own.get(config.get("registered_name") or name) if not named else own.get(name)
    found = known.get(name) if found is None else found
    if found is None:
        raise ValueError(f"Could not locate class '{name}'. Make sure custom classes are known: custom_objects")
    if named:
        return found
    options = {k: deserialized_object(v) for k, v in config.get("config", {}).items()}
    return found.from_config(options) if hasattr(found, "from_config") else found(**options)


def deserialized_object(value: Any) -> Any:
    """The schedule of a configuration; anything else as it is."""
    if isinstance(value, dict) and value.get("module") == "keras.optimizers.schedules":
        from .optimizers import schedules

        return deserialized(value, vars(schedules))
    return value


def register_keras_serializable(package: str = "Custom", name: str | None = None) -> Any:
    """Decorator: make a class or function known to ``deserialize`` as ``package>name``."""

    def decorate(thing: Any) -> Any:
        if isinstance(thing, type) and not hasattr(thing, "get_config"):
            raise ValueError("Cannot register a class that does not have a get_config() method.")
        _CUSTOM[f"{package}>{name or thing.__name__}"] = thing
        return thing

    return decorate


def get_registered_name(thing: Any) -> Any:
    """The name under which a class or function is registered, or its own."""
    return next((name for name, known in _CUSTOM.items() if known is thing), getattr(thing, "__name__", thing))


def get_registered_object(name: str, custom_objects: Any = None, module_objects: Any = None) -> Any:
    """What is registered under a name, or None."""
    for known in (custom_objects, _CUSTOM, module_objects):
        if known and name in known:
            return known[name]
    return None


def get_custom_objects() -> dict[str, Any]:
    """What is registered, as a dict that may be changed."""
    return _CUSTOM


class CustomObjectScope:
    """Context manager: names in ``custom_objects`` are known to ``deserialize`` inside."""

    def __init__(self, custom_objects: dict[str, Any]):
        self.custom_objects = custom_objects or {}

    def __enter__(self) -> CustomObjectScope:
        self._before = dict(_CUSTOM)
        _CUSTOM.update(self.custom_objects)
        return self

    def __exit__(self, *_: object) -> None:
        _CUSTOM.clear()
        _CUSTOM.update(self._before)


custom_object_scope = CustomObjectScope
