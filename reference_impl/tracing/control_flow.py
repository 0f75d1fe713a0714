"""cond, case, switch_case and while_loop: plain Python in eager mode, one op each in a graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import nest
from ..building import graph_being_built
from ..conversion import convert_to_tensor
from ..dtypes import bool_
from ..errors import InvalidArgumentError
from ..shapes import TensorShape
from ..tensor import EagerTensor, is_tensor, wrap
from ..variable import ResourceVariable
from .call import Choice, GraphRegion, Loop, call
from .graph import Graph, World, building
from .spec import TensorSpec
from .structure import leaves, mapped
from .symbols import GraphObject, SymbolicTensor, tuple_of

_NONE_TRUE = "Input error: None of conditions evaluated as True:"


def cond(pred: Any, true_fn: Any = None, false_fn: Any = None, name: str | None = None) -> Any:
    """``true_fn()`` if ``pred`` is True, else ``false_fn()`` (``tf.cond``); in a graph both are traced."""
    if not callable(true_fn):
        raise TypeError("'true_fn' must be callable.")
    if not callable(false_fn):
        raise TypeError("'false_fn' must be callable.")
    graph = graph_being_built()
    if graph is None:
        return true_fn() if pred else false_fn()
    if isinstance(pred, bool):
        raise TypeError("pred must not be a Python bool", pred)
    pred = convert_to_tensor(pred)
    _scalar_predicate(pred)
    branches = [traced_branch(graph, f"cond_{word}", f) for f, word in ((true_fn, "true"), (false_fn, "false"))]
    _same_branches(branches, ("true_fn", "false_fn"))
    return choose(graph, pred, branches)


def _scalar_predicate(pred: Any) -> None:
    if pred.shape.rank not in (None, 0):
        text = f"The second input must be a scalar, but it has shape {_brackets(pred.shape)}"
        raise InvalidArgumentError(None, None, f"{text} [Op:If] name: ")


def _brackets(shape: TensorShape) -> str:
    return "[" + ",".join(map(str, shape.as_list())) + "]"


def new_branch(graph: Graph, name: str) -> Graph:
    """A graph without parameters inside another one."""
    return Graph(name, [World(w.resources, w.values) for w in graph.worlds], graph)


def traced_branch(graph: Graph, name: str, function: Callable[[], Any]) -> Graph:
    """A graph of a function without parameters, inside another graph."""
    branch = new_branch(graph, name)
    with building(branch):
        branch.finish(mapped(function(), as_result))
    return branch


def as_result(value: Any) -> Any:
    """What a branch or loop body returns, as a tensor; None and objects stay."""
    if value is None or isinstance(value, (SymbolicTensor, GraphObject)) or hasattr(type(value), "_elements_"):
        return value
    value = convert_to_tensor(value)
    return graph_being_built().symbol_for(value) if type(value) is EagerTensor else value


def _same_branches(branches: list[Graph], names: tuple[str, ...]) -> None:
    """TypeError unless all branches return the same structure and dtypes."""
    first = branches[0].structure
    counts = [len(list(leaves(b.structure))) for b in branches]
    if len(set(counts)) > 1:
        raise AssertionError(counts)
    for name, branch in zip(names[1:], branches[1:]):
        try:
            nest.assert_same_structure(first, branch.structure)
            for a, b in zip(leaves(first), leaves(branch.structure)):
                _same_type(a, b)
        except (TypeError, ValueError) as error:
            text = (
                f"{names[0]} and {name} arguments to tf.cond must have the same number, type, and overall structure of "
                f"return values.\n\n{names[0]} output: {first}\n{name} output: {branch.structure}\n\nError details:\n"
                f"{error}"
            )
            raise TypeError(text) from None


def _same_type(a: Any, b: Any) -> None:
    if (a is None) != (b is None):
        raise TypeError(f"{a} and {b} have different types")
    if isinstance(a, SymbolicTensor) and isinstance(b, SymbolicTensor) and a.dtype is not b.dtype:
        raise TypeError(f"{a} and {b} have different types")


def choose(graph: Graph, index: Any, branches: list[Graph]) -> Any:
    """The call of one of several graphs, chosen by an index or a truth value."""
    captured: list[Any] = []
    regions = []
    for branch in branches:
        regions.append(GraphRegion(branch, [_position(captured, x) for x in branch.externals], False))
    result = call(Choice(regions), [index, *captured])
    for k, symbol in enumerate(leaves(result)):
        if isinstance(symbol, SymbolicTensor):
            symbol._static = _merged_shape([list(leaves(b.structure))[k] for b in branches])
    return result


def _position(values: list, value: Any) -> int:
    for k, known in enumerate(values):
        if known is value:
            return k
    values.append(value)
    return len(values) - 1


def _merged_shape(symbols: list) -> tuple | None:
    shapes = [s._static for s in symbols]
    if any(s is None or len(s) != len(shapes[0]) for s in shapes):
        return None
    return tuple(sizes[0] if all(d == sizes[0] for d in sizes) else None for sizes in zip(*shapes))


# ---------------------------------------------------------------------------------------------- many branches


def switch_case(branch_index: Any, branch_fns: Any, default: Any = None, name: str = "switch_case") -> Any:
    """The function at ``branch_index``, called; out of range: the default, or the last one (``tf.switch_case``)."""
    functions = _indexed(branch_fns)
    if default is not None and not callable(default):
        raise TypeError("The default must be callable.")
    index = convert_to_tensor(branch_index)
    if not index.dtype.is_integer:
        raise TypeError(f"'branch_index' must be an integer Tensor, got {index.dtype}")
    functions = [*functions, default or functions[-1]]
    graph = graph_being_built()
    if graph is None:
        k = int(index._a)
        return functions[k if 0 <= k < len(functions) else len(functions) - 1]()
    branches = [traced_branch(graph, f"branch_{k}", f) for k, f in enumerate(functions)]
    _same_branches(branches, tuple(f"branch {k}" for k in range(len(branches))))
    return choose(graph, index, branches)


def _indexed(branch_fns: Any) -> list:
    """The branch functions in the order of their indices."""
    if not isinstance(branch_fns, (dict, list, tuple)):
        raise TypeError("'branch_fns' must be a dict, list, or tuple")
    if isinstance(branch_fns, dict):
        branch_fns = list(branch_fns.items())
    if not branch_fns:
        raise ValueError("Must provide at least one item in 'branch_fns'")
    if all(callable(f) for f in branch_fns):
        return list(branch_fns)
    for entry in branch_fns:
        if not isinstance(entry, tuple) or len(entry) != 2:
            raise TypeError(f"Each entry in 'branch_fns' must be a 2-tuple. Received {entry}.")
        if not isinstance(entry[0], int):
            raise TypeError(f"key must be a Python `int`, got {type(entry[0])}")
        if not callable(entry[1]):
            raise TypeError(f"fn for key {entry[0]} must be callable.")
    keys = [k for k, _ in branch_fns]
    if sorted(keys) != list(range(len(keys))):
        shown = "{" + ",".join(map(str, sorted(keys))) + "}"
        raise ValueError(f"branch indices (keys) must form contiguous range of [0 to {len(keys)}) but found {shown}")
    return [f for _, f in sorted(branch_fns, key=lambda entry: entry[0])]


def case(
    pred_fn_pairs: Any, default: Any = None, exclusive: bool = False, strict: bool = False, name: str = "case"
) -> Any:
    """The function of the first pair whose predicate is True, or the default, called (``tf.case``)."""
    pairs = _checked_pairs(pred_fn_pairs)
    if default is not None and not callable(default):
        raise TypeError("default must be callable.")
    if graph_being_built() is None:
        for pred, function in pairs:
            if bool(pred):
                return function()
        if default is not None:
            return default()
        raise _none_true(pairs)
    (pred, function), *rest = pairs
    if rest or default is not None:
        return cond(pred, function, (lambda: case(rest, default)) if rest else default)
    return cond(pred, function, lambda: _failing(function, pred))


def _failing(function: Any, pred: Any) -> Any:
    """What a branch that must not be reached returns."""
    from ..ops.declare import NAMES

    assertion = NAMES.get("debugging.Assert") or NAMES.get("Assert")
    if assertion is not None:
        assertion(pred, [_NONE_TRUE])
    return function()


def _checked_pairs(pred_fn_pairs: Any) -> list:
    if not isinstance(pred_fn_pairs, (list, tuple, dict)):
        raise TypeError("'pred_fn_pairs' must be a list, tuple, or dict.")
    pairs = list(pred_fn_pairs.items()) if isinstance(pred_fn_pairs, dict) else list(pred_fn_pairs)
    checked = []
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(f"Each entry in 'pred_fn_pairs' must be a 2-tuple. Received {pair}.")
        pred, function = pair
        pred = pred.deref() if hasattr(pred, "deref") else pred
        if is_tensor(pred) and pred.dtype is not bool_:
            raise TypeError(f"pred must be Tensor of type bool: {pred}")
        if not callable(function):
            raise TypeError(f"fn for pred {pred} must be callable.")
        checked.append((pred, function))
    return checked


def _none_true(pairs: list) -> InvalidArgumentError:
    first = pairs[0][0]
    shown = "\n".join(str(bool(p)) for p, _ in pairs)
    return InvalidArgumentError(
        None, None, f"Expected '{first!s}' to be true. Summarized data: {_NONE_TRUE.encode()!r}\n{shown}"
    )


# ---------------------------------------------------------------------------------------------- loops


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
    structure = list(loop_vars)
    limit = None if limit is None else int(limit)
    done = 0
    while condition(*loop_vars):
        loop_vars = body(*loop_vars)
        nest.assert_same_structure(structure, list(loop_vars))
        done += 1
        if limit is not None and done >= limit:
            break
    return mapped(loop_vars, _as_eager)


def _as_eager(value: Any) -> Any:
    return value if hasattr(type(value), "_elements_") or value is None else convert_to_tensor(value)


def graph_loop(condition: Any, body: Any, loop_vars: Any, invariants: Any, limit: Any, check: Any = None) -> Any:
    """A loop in the graph under construction; ``check(before, after, invariants)`` judges what the body returns."""
    graph = graph_being_built()
    initial = mapped(list(loop_vars), as_result)
    shapes = _static_shapes(initial, invariants)
    tests, bodies = (_loop_graph(graph, name, initial, shapes) for name in ("while_cond", "while_body"))
    with building(tests[0]):
        tests[0].finish(as_result(condition(*tests[1])))
    with building(bodies[0]):
        returned = body(*bodies[1])
        if len(initial) == 1 and not isinstance(returned, (list, tuple)):
            returned = [returned]
        returned = mapped(list(returned), as_result)
        nest.assert_same_structure(list(initial), returned)
        (check or _unchanged)(bodies[1], returned, shapes)
        bodies[0].finish(returned)
    return _loop_call(tests[0], bodies[0], initial, limit, type(loop_vars))


def _static_shapes(initial: list, invariants: Any) -> list:
    """The shape of each leaf of the loop variables, as far as it stays the same."""
    flat = list(leaves(initial))
    if invariants is None:
        return [v._static if isinstance(v, SymbolicTensor) else _known_shape(v) for v in flat]
    given = nest.flatten(invariants)
    return [tuple_of(TensorShape(getattr(s, "shape", s))) for s in given]


def _known_shape(value: Any) -> tuple | None:
    return value._a.shape if type(value) is EagerTensor else None


def _loop_graph(graph: Graph, name: str, initial: list, shapes: list) -> tuple[Graph, list]:
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


def _loop_call(test: Graph, body: Graph, initial: list, limit: Any, kind: type) -> Any:
    captured: list[Any] = []
    count = len(initial)
    regions = []
    for graph in (test, body):
        places = [count + _position(captured, x) for x in graph.externals]
        regions.append(_LoopPart(graph, count, places))
    result = call(Loop(*regions, count, None if limit is None else _limit(limit)), [*initial, *captured])
    for old, new in zip(leaves(body.structure), leaves(result)):
        if isinstance(new, SymbolicTensor):
            new._static = _merged_shape([new, old]) if new._static != old._static else new._static
    return tuple(result) if kind is tuple else result


def _limit(limit: Any) -> int:
    if isinstance(limit, SymbolicTensor):
        raise NotImplementedError("maximum_iterations that depends on a tensor of the function")
    return int(limit)


class _LoopPart(GraphRegion):
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
