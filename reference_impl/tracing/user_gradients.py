"""Gradient functions that users wrote (``custom_gradient``) in a graph: traced when a gradient is first asked for.

The record that such a function asks for becomes a step.  Its gradient function is traced into a graph of its own, which
sees the values of the graph around it, and is repeated for every gradient that is asked for.
"""

from __future__ import annotations

import functools
from typing import Any

from ..tapes.recording import record
from .graph import Graph, building
from .steps import World, filled
from .structure import mapped, tensors_in
from .symbols import GraphObject, SymbolicTensor


class RecordStep:
    """A record with a user's gradient function."""

    __slots__ = ("gradient", "inputs", "op", "outputs")

    def __init__(self, graph: Graph, op: Any, inputs: tuple, outputs: tuple, attributes: dict):
        self.op, self.gradient = op, UserGradient(graph, attributes["backward"])
        self.inputs, self.outputs = mapped(inputs, graph.placed), mapped(outputs, graph.placed)

    def run(self, env: list) -> None:
        """Make the record for the values in ``env``."""
        backward = functools.partial(self.gradient.run, env)
        record(self.op, filled(self.inputs, env), filled(self.outputs, env), {"backward": backward})


def add_record(graph: Graph, op: Any, inputs: tuple, outputs: tuple, attributes: dict) -> None:
    """Add a record to a graph under construction."""
    step = RecordStep(graph, op, inputs, outputs, attributes)
    for world, env in zip(graph.worlds, graph.envs):
        with world:
            step.run(env)
    graph.steps.append(step)


class UserGradient:
    """A gradient function, and the graphs made of it, by the shapes of its upstream gradients."""

    __slots__ = ("backward", "graph", "traced")

    def __init__(self, graph: Graph, backward: Any):
        self.graph, self.backward = graph, backward
        self.traced: dict[tuple, Graph] = {}

    def run(self, env: list, *upstream: Any) -> list:
        """The gradients, in terms of the values ``env`` of the graph around."""
        key = tuple((t._a.dtype, t._a.shape) for t in tensors_in(upstream)) + tuple(u is None for u in upstream)
        if key not in self.traced:
            self.traced[key] = self._trace(env, upstream)
        graph = self.traced[key]
        return graph.run([*tensors_in(upstream), *(self._outside(x, env) for x in graph.externals)])

    def _trace(self, env: list, upstream: tuple) -> Graph:
        root = self.graph.root
        graph = Graph("gradient", [World(root.resources)], self.graph, [env])
        with building(graph):
            returned = self.backward(*graph.parameters([upstream], "upstream"))
        graph.finish(returned)
        return graph

    def _outside(self, external: Any, env: list) -> Any:
        """The value of what a gradient graph captured."""
        if isinstance(external, (SymbolicTensor, GraphObject)):
            owner = self.graph
            return env[external._slot if external._graph is owner else owner.captured(external)]
        slot = self.graph.place_of(external)
        return external if slot is None else env[slot]
