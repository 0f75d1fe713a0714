"""What happens to calls while a ``tf.function`` is being traced: they go into its graph instead of being carried out.

``Building(graph)`` stands in ``active.cur`` during a trace, in the place of the active tapes, so that ops notice it
without a test of their own.  ``intercepted`` is the decorator for public functions and methods that are no ops.
"""

from __future__ import annotations

import functools
from typing import Any

from ..tapes.recording import active


class Building:
    """The graph that calls on this thread go into."""

    __slots__ = ("graph",)
    records: tuple = ()
    stack: tuple = ()
    traces: tuple = ()
    accumulators = False

    def __init__(self, graph: Any):
        self.graph = graph


def graph_being_built() -> Any:
    """The graph that calls on this thread go into, None outside a trace."""
    cur = active.cur
    return cur.graph if type(cur) is Building else None


def makes_a_graph() -> bool:
    """Whether TensorFlow would be making a graph: of a function, of its gradient, or of the rows of a jacobian."""
    return bool(active.vectorizing or active.pretending or graph_being_built())


class Undense(ValueError):
    """A value of several tensors stands where one is needed; its type may know what the function is to do with it."""

    def __init__(self, text: str, value: Any):
        super().__init__(text)
        self.value = value


def intercepted(function: Any) -> Any:
    """Decorator: during a trace a call of ``function`` goes into the graph.

    A ragged or sparse argument may answer itself, by the function ``_called_`` of its type; a linear operator
    (``_unfolds_``) does so in a trace, too, as it is no value but a Python object made of some.
    """

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        cur = active.cur
        if type(cur) is Building:
            operator = next((a for a in args if hasattr(type(a), "_unfolds_")), None)
            if operator is not None:
                return operator._called_(None, function, args, kwargs)
            return cur.graph.call(call, args, kwargs)
        try:
            return function(*args, **kwargs)
        except Undense as error:
            return type(error.value)._called_(error, function, args, kwargs)

    return call


def at_once(function: Any) -> Any:
    """Decorator: during a trace ``function`` is carried out at once, on values from outside the trace."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        cur = active.cur
        if type(cur) is not Building:
            return function(*args, **kwargs)
        active.cur = None
        try:
            return function(*args, **kwargs)
        finally:
            active.cur = cur

    return call
