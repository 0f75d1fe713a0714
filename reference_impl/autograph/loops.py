"""``while`` and ``for`` as rewritten code calls them: Python loops, or loops in a graph when a tensor decides."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..foundation.building import graph_being_built, intercepted
from ..ops.declare import NAMES
from ..ops.indexing import get_item
from ..tapes.recording import active
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, is_tensor, wrap
from ..tensors.variable import ResourceVariable
from ..tracing.control_flow import new_branch
from ..tracing.graph import building
from ..tracing.loops import graph_loop
from ..tracing.spec import TensorSpec
from ..tracing.structure import leaves, mapped
from ..tracing.symbols import SymbolicTensor
from .conditions import VALUE, and_
from .undefined import Undefined

_LIMITS = (
    "See https://github.com/tensorflow/tensorflow/blob/master/tensorflow/python/autograph/g3doc/reference/"
    "limitations.md#consistency-of-control-flow-types for more info."
)


def while_stmt(
    test: Any, body: Any, get: Any, set_: Any, symbols: tuple[str, ...], returns: bool, options: Any
) -> None:
    """``while test(): body()``."""
    first = test()
    if is_tensor(first) and graph_being_built() is not None:
        _refuse_returns(returns)
        _staged(test, body, get, set_, symbols, options)
        return
    going = first
    while going:
        body()
        going = test()
        if is_tensor(going) and graph_being_built() is not None:
            raise NotImplementedError(
                "The condition of while loop started as non-Tensor, then changed to Tensor. This may happen either "
                "because variables changed type, or when a break or return statement inside the loop depends on a "
                f"Tensor condition. In both cases, changing to a TF loop should remove the error.\n{_LIMITS}"
            )


def for_stmt(
    items: Any, going: Any, body: Any, get: Any, set_: Any, symbols: tuple[str, ...], returns: bool, options: Any
) -> None:
    """``for item in items: body(item)``, as long as ``going()`` is True."""
    if is_tensor(items) and graph_being_built() is not None:
        _refuse_returns(returns)
        _for_rows(convert_to_tensor(items), going, body, get, set_, symbols, options)
        return
    if getattr(type(items), "_opaque_", False) and graph_being_built() is not None:
        _refuse_returns(returns)
        _for_elements(items, going, body, get, set_, symbols, options)
        return
    for item in items:
        body(item)
        if going is None:
            continue
        more = going()
        if is_tensor(more) and graph_being_built() is not None:
            raise NotImplementedError(
                "break and return statements which depend on a TF condition are not supported in Python for loops. Did "
                f"you intend to make it a TF loop?\n{_LIMITS}"
            )
        if not more:
            break


def _refuse_returns(returns: bool) -> None:
    if returns:
        raise NotImplementedError(
            "a return statement cannot be placed inside this TensorFlow loop; this may happen if a return statement "
            "depends on a static Python condition such as a hyperparameter"
        )


def _for_rows(items: Any, going: Any, body: Any, get: Any, set_: Any, symbols: tuple[str, ...], options: Any) -> None:
    if items.shape.rank == 0:
        raise ValueError("iteration over a 0-d tensor")
    count = NAMES["shape"](items)[0]  # of the rows that there are in a call, which may be others than in the first
    at: list[Any] = [convert_to_tensor(0)]

    def test() -> Any:
        inside = at[0] < count
        return inside if going is None else and_(lambda: inside, going)

    def step() -> None:
        body(_row(items, at[0]))
        at[0] = at[0] + 1

    def put(values: tuple) -> None:
        at[0] = values[0]
        set_(values[1:])

    _staged(test, step, lambda: (at[0], *get()), put, ("ag_position", *symbols), options)


def _for_elements(
    items: Any, going: Any, body: Any, get: Any, set_: Any, symbols: tuple[str, ...], options: Any
) -> None:
    """A loop over the elements of a dataset, or over those that an iterator has left."""
    from ..data.in_graphs import iterator_over

    iterator = iterator_over(items)

    def test() -> Any:
        return iterator.advance() if going is None else and_(going, iterator.advance)

    _staged(test, lambda: body(iterator.current()), get, set_, symbols, options)
    if iterator is not items:
        set_(tuple([mapped(value, _cut_off) for value in get()]))


def _cut_off(value: Any) -> Any:
    """A result of a loop over a dataset, through which TensorFlow has no gradient: it is one of the dataset's."""
    is_result = isinstance(value, SymbolicTensor) and (value.dtype.is_floating or value.dtype.is_complex)
    return NAMES["stop_gradient"](value) if is_result else value


@intercepted
def _row(items: Any, k: Any) -> Any:
    """``items[k]``; of no rows, zeros, with which a body is traced."""
    if active.pretending and not items._a.shape[0]:
        return wrap(np.zeros(items._a.shape[1:], items._a.dtype)[()])
    return get_item(items, k)


def _staged(test: Any, body: Any, get: Any, set_: Any, symbols: tuple[str, ...], options: Any) -> None:
    """A loop in the graph; its variables are the symbols."""
    before = list(get())
    invariants = _invariants(before, options)
    new: list[str] = []
    if any(_absent(v) for v in before):
        given, before = before, _with_placeholders(body, get, set_, before, symbols)
        new = [n for n, v, w in zip(symbols, given, before) if _absent(v) and not _absent(w)]
    fixed = [k for k, v in enumerate(before) if not _loopable(v)]
    moving = [k for k in range(len(before)) if k not in fixed]

    def put(values: Any) -> None:
        full = list(before)
        for k, v in zip(moving, values):
            full[k] = v
        set_(tuple(full))

    def condition(*values: Any) -> Any:
        put(values)
        return test()

    def once(*values: Any) -> list:
        put(values)
        body()
        after = get()
        for k in fixed:
            if after[k] is not before[k]:
                kind = type(after[k]).__name__
                if isinstance(before[k], (str, bytes)) and is_tensor(after[k]):
                    raise TypeError(
                        f"'{symbols[k]}' has dtype string before the loop, but dtype {after[k].dtype.name} after one "
                        "iteration"
                    )
                raise TypeError(
                    f"'{symbols[k]}' must be a tensor or stay the same in a loop on tensors, but became {kind}"
                )
        for k in moving:
            if after[k] is None:
                raise ValueError(f"'{symbols[k]}' is None at the end of the iteration.")
        return [after[k] for k in moving]

    shapes = [invariants.get(k) for k in moving]
    check = _checker([symbols[k] for k in moving])
    initial = [before[k] for k in moving]
    runs = condition(*initial) if new else None
    result = graph_loop(condition, once, initial, shapes if any(s is not None for s in shapes) else None, None, check)
    put(result)
    if new:
        names = ", ".join("the function return value" if name == VALUE else name for name in new)
        NAMES["debugging.Assert"](runs, [f"loop must iterate at least once to initialize {names}"])


def _loopable(value: Any) -> bool:
    """True for what can be a loop variable: tensors and numbers, and nests of them."""
    flat = list(leaves(value))
    plain = (int, float, bool, complex, EagerTensor, ResourceVariable)
    return bool(flat) and all(isinstance(v, plain) or hasattr(type(v), "_elements_") for v in flat)


def _invariants(before: list, options: Any) -> dict[int, Any]:
    """Shapes set with set_loop_options, by position; the others as they are."""
    given = (options() if options is not None else {}).get("shape_invariants") or ()
    found: dict[int, Any] = {}
    for value, shape in given:
        for k, known in enumerate(before):
            if known is value:
                found[k] = shape
    if found:
        for k, known in enumerate(before):
            found.setdefault(k, known.shape if hasattr(known, "shape") else ())
    return found


def _absent(value: Any) -> bool:
    """Whether a name has no value yet, or None, in the place of which a loop may put one."""
    return value is None or type(value) is Undefined


def _with_placeholders(body: Any, get: Any, set_: Any, before: list, symbols: tuple[str, ...]) -> list:
    """Zeros for names that have no value before a loop, of the dtype and shape they have after a round.

    ValueError for one that has a value then for which there is no zero.
    """
    graph = graph_being_built()
    scratch = new_branch(graph, "while_probe")
    with building(scratch):
        _probed(body, before, symbols)
    after = get()
    set_(tuple(before))
    made = []
    for name, old, new in zip(symbols, before, after):
        if not _absent(old) or type(new) is Undefined or (new is None and old is None):
            made.append(old)
            continue
        for value in leaves(new):
            _check_zero(name, value)
        made.append(mapped(new, _zeros_like))
    scratch.finish(None)
    return made


def _probed(body: Any, before: list, symbols: tuple[str, ...]) -> None:
    """Carry a body out to see what it makes of names without a value.  ValueError where it cannot do with a None."""
    try:
        body()
    except ValueError as error:
        for name, old in zip(symbols, before):
            if old is None and f"'{name}' is None at the end of the" in str(error):
                raise ValueError(f"'{name}' is not allowed to be None before the loop") from None
        raise


def _check_zero(name: str, value: Any) -> None:
    """ValueError for a value without a zero, such as a tensor whose sizes are not known."""
    open_ = isinstance(value, SymbolicTensor) and not value.shape.is_fully_defined()
    if (is_tensor(value) and not open_) or isinstance(value, (int, float, bool)) or hasattr(type(value), "_elements_"):
        return
    text = f"'{name}' must be defined before the loop"
    if value is not None and not open_:
        text += (
            "\nNote: AutoGraph tried to define it automatically, but ran into a TypeError: Found an unsupported type "
            f"'{type(value).__name__}' while creating placeholder for {value}. Supported types include Tensor, int, "
            "float, bool, list, tuple or dict."
        )
    raise ValueError(text)


def _zeros_like(value: Any) -> Any:
    if isinstance(value, (int, float, bool, complex)):
        return type(value)(0)
    if not is_tensor(value):
        return value
    shape = value.shape
    return NAMES["zeros"]([d or 0 for d in shape.as_list()] if shape.rank else [], value.dtype)


def _checker(names: list[str]) -> Any:
    """The judgement of loop variables by their names in the program."""

    def check(before: list, after: list, shapes: list) -> None:
        labels = [name for name, v in zip(names, before) for _ in leaves(v)]
        for name, old, new, shape in zip(labels, leaves(before), leaves(after), shapes):
            if not isinstance(old, SymbolicTensor):
                continue
            if new.dtype is not old.dtype:
                raise TypeError(
                    f"'{name}' has dtype {old.dtype.name} before the loop, but dtype {new.dtype.name} after one "
                    "iteration"
                )
            if not TensorSpec(shape, old.dtype).takes(TensorSpec(new.shape, new.dtype)):
                raise ValueError(
                    f"'{name}' has shape {old.shape} before the loop, but shape {new.shape} after one iteration. Use "
                    "tf.autograph.experimental.set_loop_options to set shape invariants."
                )

    return check
