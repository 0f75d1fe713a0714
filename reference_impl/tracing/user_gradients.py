"""Gradient functions that users wrote (``custom_gradient``) in a graph: traced when a gradient is first asked for.

The record that such a function asks for becomes a step.  Its gradient function is traced into a graph of its own, which
sees the values of the graph around it, and is repeated for every gradient that is asked for.
"""

from __future__ import annotations

from typing import Any

from ..tapes.recording import record
from .checked_gradients import IdentityNode
from .graph import Graph, building
from .regions import unfindable
from .steps import World, filled
from .structure import mapped, tensors_in
from .symbols import GraphObject, SymbolicTensor


class RecordStep:
    """A record with a user's gradient function."""

    __slots__ = ("gradient", "inputs", "node", "op", "outputs")

    def __init__(self, graph: Graph, op: Any, inputs: tuple, outputs: tuple, attributes: dict):
        asked = attributes["backward"]
        self.op, self.gradient = op, UserGradient(graph, asked.backward)
        self.node = IdentityNode(graph, asked.function, asked.results, inputs)
        self.inputs, self.outputs = mapped(inputs, graph.placed), mapped(outputs, graph.placed)

    def run(self, env: list) -> None:
        """Make the record for the values in ``env``."""
        backward = Backward(self.gradient, self.node, env)
        record(self.op, filled(self.inputs, env), filled(self.outputs, env), {"backward": backward})


def add_record(graph: Graph, op: Any, inputs: tuple, outputs: tuple, attributes: dict) -> None:
    """Add a record to a graph under construction."""
    step = RecordStep(graph, op, inputs, outputs, attributes)
    for world, env in zip(graph.worlds, graph.envs):
        with world:
            step.run(env)
    graph.steps.append(step)


class Backward:
    """A gradient function with the values of one run of the graph around it."""

    __slots__ = ("env", "gradient", "node")

    def __init__(self, gradient: UserGradient, node: IdentityNode, env: list):
        self.gradient, self.node, self.env = gradient, node, env

    def __call__(self, *upstream: Any) -> list:
        return self.gradient.run(self.env, *upstream)

    def judge(self, upstream: list, in_graph: bool, needed: list[bool]) -> None:
        """Judge what it returned for ``upstream``: as a graph does, or as a tape."""
        found = self.gradient.returned(upstream)
        if in_graph:
            with building(self.gradient.graph):  # where variables are shown without their values
                self.node.judge(found, needed)
        else:
            self.node.count(found)


class UserGradient:
    """A gradient function, and the graphs made of it, by the shapes of its upstream gradients."""

    __slots__ = ("backward", "graph", "traced")

    def __init__(self, graph: Graph, backward: Any):
        self.graph, self.backward = graph, backward
        self.traced: dict[tuple, Graph] = {}

    def run(self, env: list, *upstream: Any) -> list:
        """The gradients, in terms of the values ``env`` of the graph around."""
        key = _key(upstream)
        if key not in self.traced:
            self.traced[key] = self._trace(env, upstream)
        graph = self.traced[key]
        return graph.run([*tensors_in(upstream), *(self._outside(x, env) for x in graph.externals)])

    def returned(self, upstream: Any) -> list:
        """What the function returned when it was traced for such upstream gradients."""
        return self.traced[_key(upstream)].structure

    def _trace(self, env: list, upstream: tuple) -> Graph:
        root = self.graph.root
        graph = Graph("gradient", [World(root.resources)], self.graph, [env])
        with building(graph):
            returned = self.backward(*graph.parameters([upstream], "upstream"))
        graph.finish(returned)
        if not (self.graph.branch or self.graph.given_envs):
            for x in graph.externals:
                if not isinstance(x, (SymbolicTensor, GraphObject)):
                    self.graph.read_late(x)
        self._check_reach(graph)
        return graph

    def _check_reach(self, graph: Graph) -> None:
        """The errors for values that TensorFlow does not find from the gradient of a branch or of a loop's body."""
        around: Any = self.graph
        while around is not None and not (around.branch or around.loops):
            around = around.parent
        outside = [x for x in graph.externals if not isinstance(x, (SymbolicTensor, GraphObject))]
        if around is not None and outside:
            raise unfindable(_not_of_branch() if around.branch else _not_of_loop(outside[0]))
        if self.graph.branch and any(isinstance(x, SymbolicTensor) and self._from_around(x) for x in graph.externals):
            raise AssertionError

    def _from_around(self, symbol: SymbolicTensor) -> bool:
        """Whether a value is of a graph around the one of the function, which has returned."""
        return symbol._graph is not self.graph and symbol._graph.finished

    def _outside(self, external: Any, env: list) -> Any:
        """The value of what a gradient graph captured."""
        if isinstance(external, (SymbolicTensor, GraphObject)):
            owner = self.graph
            return env[external._slot if external._graph is owner else owner.captured(external)]
        slot = self.graph.late_place_of(external)
        found = None if slot is None or slot >= len(env) else env[slot]
        return external if found is None else found


def _not_of_branch() -> Exception:
    return AttributeError("Tensor.graph is undefined when eager execution is enabled.")


def _not_of_loop(outside: Any) -> Exception:
    x = getattr(outside, "_handle", outside)
    name = "gradients/while_grad/gradients/while/IdentityN_grad/mul/y:0"
    return ValueError(
        f'Tensor Tensor("{name}", shape={x.shape}, dtype={x.dtype.name}) which captures {x} is in list of '
        "internal_captures but not in internal_capture_to_output."
    )


def _key(upstream: Any) -> tuple:
    """The dtypes and shapes of upstream gradients, and which there are."""
    return tuple((t._a.dtype, t._a.shape) for t in tensors_in(upstream)) + tuple(u is None for u in upstream)
