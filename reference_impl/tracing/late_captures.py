"""What only gradient functions in a graph read: variables and tensors that a graph captures when it is finished.

A gradient function is traced when a gradient is first asked for.  What it reads from outside is then an input of the
function whose graph it is in, and of those that call that function: second derivatives by it are possible.
"""

from __future__ import annotations

from typing import Any

from .call import call
from .steps import Slot, Step


def has_user_gradients(graph: Any) -> bool:
    """Whether a graph, or that of a function called in it, has gradient functions of users."""
    return any(type(step) is not Step or has_user_gradients(graph_called(step)) for step in getattr(graph, "steps", ()))


def graph_called(step: Any) -> Any:
    """The graph of the function that a step calls, None for another step."""
    if type(step) is not Step or step.function is not call:
        return None
    region = step.args[0]
    return region.graph if getattr(region, "places", 0) is None else None


def spread(graph: Any) -> None:
    """Have a graph hand over what functions called in it captured late."""
    for step in graph.steps:
        inner = graph_called(step)
        if inner is not None:
            spread(inner)
            values = step.args[1]
            values += [Slot(graph.read_late(x)) for x in inner.late[len(values) - len(inner.inputs) :]]
