"""Maps and folds over tensors without rows in a graph: loops of no turns, whose bodies are traced all the same.

A loop over rows reads them from an array of tensors.  Where that has no elements nothing would tell that the results
rest on the rows, and on what the body uses, so the body is traced with a row of zeros, and is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..foundation.building import graph_being_built
from ..ops.declare import NAMES
from ..tensors.tensor import wrap
from .call import call
from .control_flow import as_result, position
from .graph import building
from .loops import LoopPart, loop_graph
from .regions import Loop
from .structure import leaves, mapped
from .symbols import SymbolicTensor


class NoTurns(Loop):
    """A loop of no turns: it returns its state, and tensors without rows of the given shapes and dtypes."""

    __slots__ = ("empty", "kept")

    def __init__(self, body: Any, count: int, kept: int, empty: list):
        super().__init__(None, body, count)
        self.kept, self.empty = kept, empty

    def run(self, values: list) -> list:
        """The state and the empty tensors."""
        state = [NAMES["identity"](x) for x in values[: self.kept]]
        return [*state, *(wrap(np.zeros(shape, dtype)) for shape, dtype in self.empty)]


def is_of_no_rows(x: Any) -> bool:
    """Whether a graph is being built, and a loop in it over the rows of a tensor is known to have no turns.

    That is so of what the graph is given; how many rows other tensors have may depend on values.
    """
    if graph_being_built() is None or x.shape.as_list()[:1] != [0]:
        return False
    return not isinstance(x, SymbolicTensor) or x._slot in x._graph.inputs


def without_rows(body: Callable, state: list, elems: list, dtypes: list) -> list:
    """The state, and a tensor without rows for each of ``dtypes``.

    ``body(state, row)`` gives a list: what one turn makes of the state and a row of the tensors ``elems``.
    """
    graph = graph_being_built()
    initial = mapped([*state, *elems], as_result)
    inner, parameters = loop_graph(graph, "while_body", initial, [x._static for x in initial])
    inner.loops = True
    with building(inner):
        rows = [_row(x) for x in parameters[len(state) :]]
        inner.finish(mapped(list(body(parameters[: len(state)], rows)), as_result))
    made = list(leaves(inner.structure))
    empty = [((0, *_sizes(x)), dtype.numpy) for x, dtype in zip(made[-len(dtypes) :], dtypes)]
    captured: list[Any] = []
    places = [len(initial) + position(captured, x) for x in inner.externals]
    part = LoopPart(inner, len(initial), places)
    return call(NoTurns(part, len(initial), len(state), empty), [*initial, *captured])


def _row(x: Any) -> Any:
    return NAMES["reduce_sum"](x, 0) if x.dtype.is_numeric else NAMES["zeros"](x.shape[1:], x.dtype)


def _sizes(x: Any) -> tuple:
    return tuple(n or 0 for n in getattr(x, "_static", None) or ())
