"""The NumPy engine of this project as a backend: `ReferenceBackend()`.

`ReferenceBackend(make_array=..., open_array=...)` runs the same engine on arrays of another kind: `make_array` gives
the array-like (a rational, a number with an error bound) for an exact `Array`, the engine wraps and differentiates it
as it would an ndarray, and `open_array` turns what comes out into an outcome.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from adapters.language import Array
from adapters.observations import Outcome
from adapters.tf_shaped import Hooks, TfShaped


def ReferenceBackend(
    make_array: Callable[[Array], Any] | None = None,
    open_array: Callable[[Any], Outcome | None] | None = None,
) -> TfShaped:
    """The engine behind the common interface.

    `make_array(array)`: what stands for a constant's values. `open_array(inner)`: the outcome for what a result
    wraps, or None for "describe it as usual". Both or neither are usually given.
    """
    engine = import_module("reference_impl")

    def make_tensor(array: Array) -> Any:
        assert make_array is not None
        return engine.wrap(make_array(array))

    def open_tensor(value: Any) -> Outcome | None:
        assert open_array is not None
        return open_array(engine.unwrap(value))

    import numpy as np

    hooks = Hooks(
        before=getattr(engine, "clear_log_counters", lambda: None),
        make_tensor=make_tensor if make_array else None,
        open_tensor=open_tensor if open_array else None,
        details={"numpy": np.__version__},
    )
    return TfShaped(engine, "reference", hooks=hooks)
