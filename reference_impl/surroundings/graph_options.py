"""What belongs to graphs and is accepted in eager mode: ``Graph.gradient_override_map``, ``AggregationMethod``."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from ..ops.declare import publish


class AggregationMethod:
    """How ``gradients`` adds up what arrives at a tensor; all of them give the same sum here."""

    ADD_N = 0
    DEFAULT = ADD_N
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


class Graph:
    """Stands for a graph where only its options are asked for."""

    @contextlib.contextmanager
    def gradient_override_map(self, op_type_map: Any) -> Iterator[None]:
        """Context manager: kernels made in this graph have the gradients registered under other names.

        Eager ops are made in no graph, so tapes ignore it.  TypeError unless it maps strings to strings.
        """
        if not isinstance(op_type_map, dict) or not all(isinstance(s, str) for kv in op_type_map.items() for s in kv):
            raise TypeError("op_type_map must be a dictionary mapping strings to strings")
        yield


publish("AggregationMethod", AggregationMethod)
publish("Graph", Graph)
