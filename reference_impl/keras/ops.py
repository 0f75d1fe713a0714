"""``tf.keras.ops``: Keras's NumPy-like functions, on tensors at once and on KerasTensors as operations of a graph.

Layers of one's own call them (``keras.ops.mean(x, axis=-1)``); functional models are made of them, too, by operators
on KerasTensors.  ``dir`` lists them; the tables of ops_tables.py say what each is.
"""

from __future__ import annotations

import functools
from typing import Any

from .ops_tables import TABLE
from .symbolic import Operation, symbols_in


def _class_name(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


@functools.cache
def _operation_class(name: str) -> type[Operation]:
    """The class of an operation, by which summaries and names know it: ``GetItem`` for ``get_item``."""
    return type(_class_name(name), (Operation,), {"__doc__": f"``keras.ops.{name}``.", "__module__": __name__})


def _public(name: str, function: Any) -> Any:
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if symbols_in(args, kwargs):
            return _operation_class(_CALLED.get(name, name))(function)(*args, **kwargs)
        return function(*args, **kwargs)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"``keras.ops.{name}``; on KerasTensors an operation of a graph."
    return call


_CALLED = {"abs": "absolute", "concat": "concatenate"}
_EAGER = (
    "shape",
    "convert_to_tensor",
    "convert_to_numpy",
    "is_tensor",
    "ndim",
    "dtype",
    "zeros",
    "ones",
    "full",
    "arange",
)
globals().update({name: f if name in _EAGER else _public(name, f) for name, f in TABLE.items()})
__all__: list[str] = []
__all__.extend(TABLE)


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    from .outside import missing

    raise missing("keras.ops", name)
