"""What stands between KerasTensors: the calls in the order of Keras, and how they are carried out on tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import nest
from .symbolic import KerasTensor, Node, nodes_of


class CallGraph:
    """The calls that lead from ``inputs`` to ``outputs``, both flat lists of KerasTensors.

    ValueError when an output depends on something else.
    """

    def __init__(self, inputs: list[KerasTensor], outputs: list[KerasTensor], structure: Any):
        self.inputs, self.outputs, self.structure = inputs, outputs, structure
        self._order: dict[int, int] = {}  # id of an operation -> when the search met it
        nodes = self._sorted_nodes()
        depths = self._depths(nodes)
        self.by_depth = _grouped(depths)
        self._check_computable()
        self._check_names()
        self.run([None] * len(inputs), lambda node, *_: [None] * len(node.outputs))

    # ------------------------------------------------------------------------------------ order

    def _sorted_nodes(self) -> list[Node]:
        """Depth first from the outputs; a node stands after those that it needs."""
        done: dict[int, Node] = {}
        declared = {id(x) for x in self.inputs}
        for output in self.outputs:
            stack = [(output, False)]
            while stack:
                tensor, after = stack.pop()
                history = getattr(tensor, "_keras_history", None)
                if history is None:
                    continue
                node = nodes_of(history.operation)[history.node_index]
                if id(node) in done:
                    continue
                if after:
                    done[id(node)] = node
                elif node.is_input or id(tensor) not in declared:
                    self._order.setdefault(id(history.operation), len(self._order))
                    stack.append((tensor, True))
                    stack.extend((x, False) for x in reversed(node.input_tensors))
        return list(done.values())

    def _depths(self, nodes: list[Node]) -> dict[Node, int]:
        """How many calls a node is away from the outputs, at most."""
        inside, depths, of_operations = {id(n) for n in nodes}, {}, {}
        for node in reversed(nodes):
            depth = max(depths.setdefault(node, 0), of_operations.get(id(node.operation), 0))
            of_operations[id(node.operation)] = depths[node] = depth
            for parent in node.parent_nodes:
                if id(parent) in inside:
                    depths[parent] = max(depth + 1, depths.get(parent, 0))
        operations = {id(n.operation): n.operation for n in nodes}
        for x in self.inputs:
            node = nodes_of(x._keras_history.operation)[x._keras_history.node_index]
            if node.is_input and id(node.operation) not in operations:
                operations[id(node.operation)] = node.operation
                of_operations[id(node.operation)] = depths[node] = 0
                self._order[id(node.operation)] = -1
        order = sorted(operations, key=lambda key: (-of_operations[key], self._order[key]))
        self.operations = [operations[key] for key in order]
        return depths

    def _check_computable(self) -> None:
        known, passed = {id(x) for x in self.inputs}, []
        for nodes in self.by_depth:
            for node in nodes:
                for x in node.input_tensors:
                    if id(x) not in known:
                        raise ValueError(
                            f"Graph disconnected: cannot find parent for tensor {x} at operation "
                            f"'{node.operation}'. The following previous operations were accessed without issue: "
                            f"{passed}"
                        )
                    passed.append(node.operation.name)
                known.update(id(y) for y in node.outputs)

    def _check_names(self) -> None:
        names = [operation.name for operation in self.operations]
        for name in names:
            if names.count(name) != 1:
                raise ValueError(
                    f'The name "{name}" is used {names.count(name)} times in the model. All operation names should be '
                    "unique."
                )

    # ------------------------------------------------------------------------------------ running

    def run(self, values: list[Any], call: Callable[..., Any]) -> Any:
        """``call(node, args, kwargs)`` for each call; what becomes of the outputs, in their structure."""
        found = {id(x): value for x, value in zip(self.inputs, values)}
        for nodes in self.by_depth:
            for node in nodes:
                if node.is_input or any(id(x) not in found for x in node.input_tensors):
                    continue
                made = call(node, *node.filled_in(found))
                found.update({id(x): y for x, y in zip(node.outputs, nest.flatten(made))})
        for k, x in enumerate(self.outputs):
            if id(x) not in found:
                raise ValueError(f"Output with path `{self._path(k)}` is not connected to `inputs`")
        return nest.pack_sequence_as(self.structure, [found[id(x)] for x in self.outputs])

    def _path(self, place: int) -> str:
        """Where an output stands in the structure, with points between the keys."""
        if isinstance(self.structure, dict):
            return str(sorted(self.structure)[place])
        return str(place) if isinstance(self.structure, (list, tuple)) else ""


def _grouped(depths: dict[Node, int]) -> list[list[Node]]:
    groups: dict[int, list[Node]] = {}
    for node, depth in depths.items():
        groups.setdefault(depth, []).append(node)
    return [groups[depth] for depth in sorted(groups, reverse=True)]


def copied(inputs: Any, outputs: Any) -> tuple[Any, Any]:
    """The calls between KerasTensors once more, from new Inputs in the places of those that are none."""
    from .inputs import Input

    flat = nest.flatten(inputs)
    new: dict[int, Any] = {}
    for x in flat:
        new[id(x)] = x if is_input(x) else Input(batch_shape=x.shape, dtype=x.dtype, name=f"{x.name}CLONE")

    def copy(x: KerasTensor) -> KerasTensor:
        if id(x) not in new:
            new[id(x)] = KerasTensor(x.shape, x.dtype, name=x.name)
        return new[id(x)]

    graph = CallGraph(flat, nest.flatten(outputs), outputs)
    for nodes in graph.by_depth:
        for node in nodes:
            if not node.is_input:
                Node(
                    node.operation, *node.filled_in({id(x): copy(x) for x in node.input_tensors}), map_copy(node, copy)
                )
    wanted = [copy(y) for y in nest.flatten(outputs)]
    return (
        nest.pack_sequence_as(inputs, [new[id(x)] for x in flat]),
        nest.pack_sequence_as(outputs, wanted),
    )


def map_copy(node: Node, copy: Callable[[KerasTensor], KerasTensor]) -> list[KerasTensor]:
    """Copies of what came out of a call."""
    return [copy(y) for y in node.outputs]


def is_input(tensor: Any) -> bool:
    """Whether a KerasTensor was made by ``Input``."""
    history = tensor._keras_history
    return nodes_of(history.operation)[history.node_index].is_input
