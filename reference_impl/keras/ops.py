"""``tf.keras.ops``: Keras's NumPy-like functions, on tensors at once and on KerasTensors as operations of a graph.

Layers and losses of one's own call them (``keras.ops.mean(x, axis=-1)``); functional models are made of them, too, by
operators on KerasTensors.  ``dir`` lists them; ``numpy``, ``nn``, ``linalg`` and ``image`` hold some of them again.
"""

from __future__ import annotations

import functools
import types
from typing import Any

from .operations import IMAGE, NN, NUMPY, TABLE, table_of
from .symbolic import Operation, symbols_in


def _class_name(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


@functools.cache
def _operation_class(name: str) -> type[Operation]:
    """The class of an operation, by which summaries and names know it: ``GetItem`` for ``get_item``."""
    return type(_class_name(name), (Operation,), {"__doc__": f"``keras.ops.{name}``.", "__module__": __name__})


def _public(name: str, function: Any) -> Any:
    called = _CALLED.get(name, name)

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if symbols_in(args, kwargs):
            if name in _WINDOWS:
                x = args[0] if args else kwargs["x"]
                raise TypeError(
                    f"{_class_name(name)} operation does not support symbolic tensors. Received input x = {x} of type "
                    f"{type(x)}"
                )
            return _operation_class(called)(function)(*args, **kwargs)
        return function(*args, **kwargs)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = function.__doc__ if function.__name__ != "<lambda>" else None
    call.__doc__ = call.__doc__ or f"``keras.ops.{name}``; on KerasTensors an operation of a graph."
    return call


_WINDOWS = ("bartlett", "blackman", "hamming", "hanning", "kaiser")
_CALLED = {"abs": "absolute", "concat": "concatenate"}
_EAGER = (
    "shape", "convert_to_numpy", "is_tensor", "zeros", "ones", "empty", "full", "arange", "eye", "identity", "tri",
    "custom_gradient", "vectorize", "dtype",
)  # fmt: skip
_AT_ONCE = {name: f if name in _EAGER else _public(name, f) for name, f in TABLE.items()}
_IMAGE = {name: _public(name, f) for name, f in table_of(IMAGE).items()}
globals().update(_AT_ONCE)

_LINALG = (
    "cholesky", "cholesky_inverse", "det", "eig", "eigh", "inv", "jvp", "lstsq", "lu_factor", "matrix_rank", "norm",
    "pinv", "qr", "solve", "solve_triangular", "svd",
)  # fmt: skip
# What Keras has in ``keras.ops`` alone, although it stands among those of NumPy here.
_ALONE = (
    "cast", "convert_to_numpy", "convert_to_tensor", "dtype", "erf", "erfc", "erfinv", "in_top_k", "is_tensor",
    "logsumexp", "multi_hot", "one_hot", "rearrange", "rsqrt", "saturate_cast", "scatter", "scatter_update", "shape",
    "slice", "slice_update", "stop_gradient", "top_k", "unstack", "cdist",
)  # fmt: skip


def _part(name: str, functions: dict[str, Any]) -> types.ModuleType:
    part = types.ModuleType(f"{__name__}.{name}", f"``keras.ops.{name}``.")
    vars(part).update(functions)
    part.__all__ = sorted(functions)  # type: ignore[attr-defined]
    return part


def _some(names: Any) -> dict[str, Any]:
    return {name: _AT_ONCE[name] for name in names}


image = _part("image", _IMAGE)
linalg = _part("linalg", _some(_LINALG))
nn = _part("nn", _some([*table_of(NN), "one_hot", "multi_hot", "polar"]))
numpy = _part("numpy", _some([name for name in [*table_of(NUMPY), "slogdet"] if name not in _ALONE]))
__all__: list[str] = ["image", "linalg", "nn", "numpy"]
__all__ += list(TABLE)


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    from .outside import missing

    raise missing("keras.ops", name)
