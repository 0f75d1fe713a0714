"""cond, case, switch_case and while_loop: plain Python in eager mode, one op each in a graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import nest
from ..dtypes import bool_, kernel_name
from ..errors import InvalidArgumentError
from ..foundation.building import graph_being_built
from ..tensors.conversion import convert_to_tensor, unsupported
from ..tensors.shapes import TensorShape
from ..tensors.tensor import EagerTensor, is_tensor
from .call import call
from .graph import Graph, building
from .regions import Choice, GraphRegion
from .steps import World
from .structure import leaves, mapped
from .symbols import GraphObject, SymbolicTensor

_NONE_TRUE = "Input error: None of conditions evaluated as True:"


def cond(pred: Any, true_fn: Any = None, false_fn: Any = None, name: str | None = None) -> Any:
    """``true_fn()`` if ``pred`` is True, else ``false_fn()`` (``tf.cond``); in a graph both are traced."""
    if not callable(true_fn):
        raise TypeError("'true_fn' must be callable.")
    if not callable(false_fn):
        raise TypeError("'false_fn' must be callable.")
    graph = graph_being_built()
    if graph is None:
        if pred is None:
            raise unsupported(pred)
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
    if pred.dtype is not bool_:
        raise InvalidArgumentError(
            None, None,
            f"Input 'pred' passed {kernel_name(pred.dtype.numpy)} expected bool while building NodeDef "
            "'cond/switch_pred/_2' using Op<name=Switch; signature=data:T, pred:bool -> output_false:T, output_true:T; "
            "attr=T:type>",
        )  # fmt: skip


def _brackets(shape: TensorShape) -> str:
    return "[" + ",".join(map(str, shape.as_list())) + "]"


def new_branch(graph: Graph, name: str) -> Graph:
    """A graph without parameters inside another one."""
    branch = Graph(name, [World(w.resources, w.values) for w in graph.worlds], graph)
    branch.branch = True
    return branch


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
        regions.append(GraphRegion(branch, [position(captured, x) for x in branch.externals], False))
    result = call(Choice(regions), [index, *captured])
    for k, symbol in enumerate(leaves(result)):
        if isinstance(symbol, SymbolicTensor):
            symbol._static = merged_shape([list(leaves(b.structure))[k] for b in branches])
    return result


def position(values: list, value: Any) -> int:
    for k, known in enumerate(values):
        if known is value:
            return k
    values.append(value)
    return len(values) - 1


def merged_shape(symbols: list) -> tuple | None:
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
