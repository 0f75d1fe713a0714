"""while_loop: plain Python in eager mode, one op in a graph, with its body traced once."""

from __future__ import annotations

import functools
from typing import Any

from .. import nest
from ..dtypes import int32
from ..foundation.building import graph_being_built
from ..ops.declare import NAMES
from ..tensors.conversion import convert_to_tensor
from ..tensors.shapes import TensorShape
from ..tensors.tensor import EagerTensor, wrap
from ..tensors.variable import ResourceVariable
from .call import call
from .control_flow import as_result, merged_shape, position
from .graph import Graph, building
from .regions import GraphRegion, Loop
from .spec import TensorSpec
from .steps import World
from .structure import leaves, mapped
from .symbols import GraphObject, SymbolicTensor, tuple_of


def while_loop(
    cond: Any, body: Any, loop_vars: Any, shape_invariants: Any = None, parallel_iterations: int = 10,
    back_prop: bool = True, swap_memory: bool = False, maximum_iterations: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """``loop_vars = body(*loop_vars)`` as long as ``cond(*loop_vars)`` is True; the last ones (``tf.while_loop``).

    In a graph the body is traced once; a loop variable must keep its dtype, and its shape unless
    ``shape_invariants`` leaves sizes open.
    """
    if not callable(cond):
        raise TypeError("'cond' must be callable.")
    if not callable(body):
        raise TypeError("'body' must be callable.")
    if not loop_vars:
        raise ValueError("'loop_vars' must be provided.")
    if graph_being_built() is None:
        return _eager_loop(cond, body, loop_vars, maximum_iterations)
    return graph_loop(cond, body, loop_vars, shape_invariants, maximum_iterations)


def _eager_loop(condition: Any, body: Any, loop_vars: Any, limit: Any) -> Any:
    structure: Any = mapped(loop_vars if limit is not None else list(loop_vars), _spec_of)
    limit = None if limit is None else int(limit)
    done = 0
    while condition(*loop_vars):
        loop_vars = body(*loop_vars)
        done += 1
        if limit is None:
            nest.assert_same_structure(structure, list(loop_vars))
            continue
        # with a limit there is a counter in front, and the loop variables are one
        nest.assert_same_structure([TensorSpec([], int32), structure], [done, loop_vars])
        if done >= limit:
            break
    return mapped(loop_vars, _as_eager)


def _spec_of(value: Any) -> Any:
    """What a loop variable must stay, in TensorFlow's words."""
    if value is None or hasattr(type(value), "_elements_"):
        return value
    value = convert_to_tensor(value)
    return TensorSpec(value.shape, value.dtype)


def _as_eager(value: Any) -> Any:
    return value if hasattr(type(value), "_elements_") or value is None else convert_to_tensor(value)


def graph_loop(
    condition: Any, body: Any, loop_vars: Any, invariants: Any, limit: Any, check: Any = None, dense: bool = True
) -> Any:  # fmt: skip
    """A loop in the graph under construction; ``check(before, after, invariants)`` judges what the body returns.

    ``dense``: whether its gradients are added up, and so never sparse.
    """
    if isinstance(limit, SymbolicTensor):
        return _limited(condition, body, loop_vars, invariants, limit)
    graph = graph_being_built()
    initial = mapped(list(loop_vars), as_result)
    shapes = _static_shapes(initial, invariants)
    tests, bodies = (loop_graph(graph, name, initial, shapes) for name in ("while_cond", "while_body"))
    with building(tests[0]):
        tests[0].finish(as_result(condition(*tests[1])))
    bodies[0].loops = dense
    with building(bodies[0]):
        returned = body(*bodies[1])
        if len(initial) == 1 and not isinstance(returned, (list, tuple)):
            returned = [returned]
        returned = mapped(list(returned), as_result)
        nest.assert_same_structure(list(initial), returned)
        (check or _unchanged)(bodies[1], returned, shapes)
        bodies[0].finish(returned)
    loop = functools.partial(Loop, limit=None if limit is None else int(limit), dense=dense)
    return _loop_call(tests[0], bodies[0], initial, loop, type(loop_vars))


def _static_shapes(initial: list, invariants: Any) -> list:
    """The shape of each leaf of the loop variables, as far as it stays the same."""
    flat = list(leaves(initial))
    if invariants is None:
        return [v._static if isinstance(v, SymbolicTensor) else _known_shape(v) for v in flat]
    given = nest.flatten(invariants)
    return [tuple_of(TensorShape(getattr(s, "shape", s))) for s in given]


def _known_shape(value: Any) -> tuple | None:
    return value._a.shape if type(value) is EagerTensor else None


def loop_graph(graph: Graph, name: str, initial: list, shapes: list) -> tuple[Graph, list]:
    """A graph with the loop variables as parameters, which have their initial values in the worlds."""
    inner = Graph(name, [World(w.resources, w.values) for w in graph.worlds], graph)

    def seen(value: Any, w: int) -> Any:
        if isinstance(value, (SymbolicTensor, GraphObject)):
            value = graph.envs[w][graph.slot_of(value)]
        if type(value) is EagerTensor:
            return wrap(value._a)
        return value._with_elements_(value._elements_()) if hasattr(type(value), "_elements_") else value

    nests = [mapped(initial, lambda v, w=w: seen(v, w)) for w in range(len(inner.worlds))]
    names = [v.name.partition(":")[0] if isinstance(v, SymbolicTensor) else "loop_var" for v in leaves(initial)]
    return inner, inner.parameters(nests, names, shapes)


def _unchanged(before: list, after: list, shapes: list) -> None:
    """TensorFlow's errors for a loop variable whose dtype or shape changes."""
    for old, new, shape in zip(leaves(before), leaves(after), shapes):
        if not isinstance(old, SymbolicTensor):
            continue
        if new.dtype is not old.dtype:
            raise TypeError(
                f"Loop var {old.name} enters the loop with type {old.dtype} but has type {new.dtype} after 1 "
                f"iteration. {old.name} type should remain constant."
            )
        if not TensorSpec(shape, old.dtype).takes(TensorSpec(new.shape, new.dtype)):
            raise ValueError(
                f"Input tensor `{old.name}` enters the loop with shape {old.shape}, but has shape {new.shape} after "
                "one iteration. To allow the shape to vary across iterations, use the `shape_invariants` argument of "
                "tf.while_loop to specify a less-specific shape."
            )


def _loop_call(test: Graph, body: Graph, initial: list, loop: Any, kind: type) -> Any:
    captured: list[Any] = []
    count = len(initial)
    regions = []
    for graph in (test, body):
        places = [count + position(captured, x) for x in graph.externals]
        regions.append(LoopPart(graph, count, places))
    result = call(loop(*regions, count), [*initial, *captured])
    for old, new in zip(leaves(body.structure), leaves(result)):
        if isinstance(new, SymbolicTensor):
            new._static = merged_shape([new, old]) if new._static != old._static else new._static
    return tuple(result) if kind is tuple else result


def _limited(condition: Any, body: Any, loop_vars: Any, invariants: Any, limit: SymbolicTensor) -> Any:
    """A loop of at most as many rounds as a tensor of the function says: a counter goes with it."""

    def test(k: Any, *values: Any) -> Any:
        return NAMES["logical_and"](k < limit, condition(*values))

    def step(k: Any, *values: Any) -> list:
        returned = body(*values)
        several = isinstance(returned, (list, tuple)) or len(values) > 1
        return [k + 1, *(returned if several else [returned])]

    start = [convert_to_tensor(0, limit.dtype), *loop_vars]
    shapes = None if invariants is None else [TensorShape([]), *nest.flatten(invariants)]
    result = list(graph_loop(test, step, start, shapes, None))[1:]
    return tuple(result) if isinstance(loop_vars, tuple) else result


class LoopPart(GraphRegion):
    """A condition or body: its inputs are the leaves of the loop variables and some of what is captured."""

    __slots__ = ("count",)

    def __init__(self, graph: Graph, count: int, places: list[int]):
        super().__init__(graph, places)
        self.count = count

    def run(self, values: list) -> Any:
        """Run it once."""
        flat = [v for v in leaves(values[: self.count]) if v is not None and not _plain(v)]
        return self.graph.run([*flat, *(values[p] for p in self.places or ())])


def _plain(value: Any) -> bool:
    """True for a loop variable that is no parameter of the graph."""
    return not (type(value) is EagerTensor or isinstance(value, ResourceVariable) or hasattr(type(value), "_elements_"))
