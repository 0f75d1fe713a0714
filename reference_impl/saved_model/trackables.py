"""What hangs on an object, by name: the variables, functions, containers and objects that are saved with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..surroundings.modules import Module
from ..tensors.variable import ResourceVariable
from ..tracing.concrete import ConcreteFunction
from ..tracing.polymorphic import Function


def inner_variable(value: Any) -> Any:
    """The ``tf.Variable`` that a variable is, or that a variable of Keras is around; None for anything else."""
    if isinstance(value, ResourceVariable):
        return value
    return value.value if hasattr(type(value), "_should_act_as_resource_variable") else None


def is_object(value: Any) -> bool:
    """True for modules, layers, optimizers, metrics, checkpoints and loaded objects."""
    return (
        isinstance(value, Module)
        or hasattr(value, "_store")
        or hasattr(type(value), "_tracked_")
        or _keras_state(value)
    )


def _keras_state(value: Any) -> bool:
    return type(value).__module__.startswith(__name__.partition(".")[0] + ".keras.") and hasattr(value, "variables")


def is_trackable(value: Any) -> bool:
    """True for what can be saved."""
    return (
        isinstance(value, (Function, ConcreteFunction))
        or inner_variable(value) is not None
        or is_object(value)
        or (isinstance(value, (list, tuple, dict)) and bool(list(children(value))))
    )


def children(value: Any) -> Iterator[tuple[str, Any]]:
    """The names and values of what hangs on an object or is in a container."""
    if isinstance(value, dict):
        pairs = [(k, v) for k, v in value.items() if isinstance(k, str)]
    elif isinstance(value, (list, tuple)):
        pairs = [(str(k), v) for k, v in enumerate(value)]
    elif hasattr(type(value), "_tracked_"):
        pairs = list(value._tracked_().items())
    elif hasattr(value, "apply_gradients"):
        pairs = [("_iterations", value._iterations), ("_learning_rate", value._learning_rate)]
        pairs += [("_variables", list(value._variables)), ("_trainable_variables", list(value._trainable_variables))]
    else:
        pairs = [(k, v) for k, v in sorted(vars(value).items()) if k not in ("_name_scope", "_store", "_own", "_given")]
    for name, child in pairs:
        if is_trackable(child):
            yield name, child


def functions(value: Any) -> Iterator[tuple[str, Function]]:
    """The traced functions among an object's methods."""
    seen: set[str] = set()
    for cls in type(value).__mro__:
        for name, member in vars(cls).items():
            if isinstance(member, Function) and name not in seen:
                seen.add(name)
                yield name, getattr(value, name)
