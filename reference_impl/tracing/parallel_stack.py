"""``tf.parallel_stack``, which is for graphs alone: while one is built it is known to be."""

from __future__ import annotations

from typing import Any

from ..foundation.building import graph_being_built
from ..ops.shaping import stack
from ..tensors.tensor import EagerTensor


def parallel_stack(values: Any, name: str = "parallel_stack") -> EagerTensor:
    """Tensors stacked along a new first axis, in functions alone.  RuntimeError in eager mode."""
    if graph_being_built() is None:
        raise RuntimeError("tf.parallel_stack() is not compatible with eager execution.")
    return stack(values)
