"""map_fn, vectorized_map, scan, foldl and foldr: a function applied along the first axis of tensors."""

from __future__ import annotations

import functools
from typing import Any

from .. import nest
from ..dtypes import as_dtype
from ..foundation.building import graph_being_built
from ..ops.declare import NAMES
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .loops import graph_loop, while_loop
from .no_rows import is_of_no_rows, without_rows
from .polymorphic import Function
from .structure import leaves, mapped
from .tensor_array import TensorArray


def _count(flat: list) -> Any:
    """How many rows there are: in a graph that is found out in every call, for it may depend on values."""
    if flat[0].shape.rank == 0:
        raise ValueError("Elements in elems must be 1+ dimensional Tensors, not scalars")
    dynamic = graph_being_built() is not None or not flat[0].shape.rank
    return NAMES["shape"](flat[0])[0] if dynamic else flat[0].shape.as_list()[0]


def _rows(flat: list, count: Any) -> list:
    """An array of the rows of each tensor."""
    return [_array(t.dtype, count).unstack(t) for t in flat]


def _array(dtype: Any, size: Any) -> Any:
    return TensorArray(dtype, size=size, dynamic_size=False, infer_shape=True, clear_after_read=False)


def _as_tensors(elems: Any) -> tuple[Any, list]:
    packed = mapped(elems, convert_to_tensor)
    return packed, list(leaves(packed))


def _known_rows(result: Any, rows: EagerTensor) -> Any:
    """``result`` with its first size known, where that of ``rows`` is."""
    count = rows.shape.as_list()[0] if rows.shape.rank else None
    for t in leaves(result):
        if graph_being_built() is not None and count is not None and t.shape.rank is not None:
            t.set_shape([count, *t.shape.as_list()[1:]])
    return result


def map_fn(
    fn: Any, elems: Any, dtype: Any = None, parallel_iterations: Any = None, back_prop: bool = True,
    swap_memory: bool = False, infer_shape: bool = True, name: str | None = None, fn_output_signature: Any = None,
) -> Any:  # fmt: skip
    """``fn`` of each row of ``elems`` (any nest of tensors), stacked (``tf.map_fn``).

    The results have the dtypes of ``elems`` unless ``fn_output_signature`` says otherwise.
    """
    if not callable(fn):
        raise TypeError(f"The provided function {fn.__name__} is not callable.fn must be callable.")
    signature = dtype if fn_output_signature is None else fn_output_signature
    if hasattr(type(elems), "_pairwise_"):  # ragged: each row has a size of its own
        return _joined([fn(row) for row in elems])
    if not nest.flatten(elems):
        raise ValueError(
            "elems must be a Tensor or (possibly nested) sequence of Tensors. "
            f"Got {elems}, which does not contain any Tensors."
        )
    return _map_rows(fn, elems, signature, while_loop)


def _map_rows(fn: Any, elems: Any, signature: Any, loop: Any) -> Any:
    """``fn`` of each row, by a loop that ``loop(condition, body, loop_vars)`` runs."""
    elems, flat = _as_tensors(elems)
    structure = elems if signature is None else signature
    if signature is None:
        signature = mapped(elems, lambda t: t.dtype)
    count = _count(flat)
    dtypes = [as_dtype(getattr(s, "dtype", s)) for s in nest.flatten(signature)]
    if is_of_no_rows(flat[0]):

        def once(_: list, row: list) -> list:
            result = fn(nest.pack_sequence_as(elems, row))
            nest.assert_same_structure(structure, result)
            return nest.flatten(result)

        return nest.pack_sequence_as(signature, without_rows(once, [], flat, dtypes))
    rows = _rows(flat, count)

    def body(i: Any, arrays: Any) -> tuple:
        result = fn(nest.pack_sequence_as(elems, [r.read(i) for r in rows]))
        nest.assert_same_structure(structure, result)
        return i + 1, [a.write(i, v) for a, v in zip(arrays, nest.flatten(result))]

    arrays = [_array(d, count) for d in dtypes]
    _, arrays = loop(lambda i, _: i < count, body, (convert_to_tensor(0), arrays))
    return _known_rows(nest.pack_sequence_as(signature, [a.stack() for a in arrays]), flat[0])


def _joined(rows: list) -> Any:
    """What was made of the rows of a ragged tensor: a tensor, or a ragged one where they differ in size."""
    rows = [row if hasattr(type(row), "_pairwise_") else convert_to_tensor(row) for row in rows]
    if len({tuple(row.shape) for row in rows}) == 1 and not rows[0].shape.rank:
        return NAMES["stack"](rows)
    from ..ragged.functions import stack

    return stack(rows)


def vectorized_map(fn: Any, elems: Any, fallback_to_while_loop: bool = True, warn: bool = True) -> Any:
    """``fn`` of each row of ``elems``, stacked (``tf.vectorized_map``); its results may have any dtypes."""
    if graph_being_built() is None:
        return Function(lambda given: _each_row(fn, given), None, False, False)(mapped(elems, convert_to_tensor))
    return _each_row(fn, mapped(elems, convert_to_tensor))


def _called(fn: Any, row: Any) -> Any:
    return fn(row)


def _each_row(fn: Any, elems: Any) -> Any:
    traced = Function(functools.partial(_called, fn), None, False, False)
    if any(t.shape.rank == 0 for t in leaves(elems)):
        raise IndexError("list index out of range")
    if all(t.shape.as_list()[:1] == [0] for t in leaves(elems)):
        return _of_no_rows(traced.body(), elems)
    if all(t.shape.as_list()[:1] == [1] for t in leaves(elems)):  # no loop, but the row is gathered as in one
        result = traced.body()(mapped(elems, lambda t: NAMES["gather"](t, 0)))
        return mapped(result, lambda t: NAMES["expand_dims"](convert_to_tensor(t), 0))
    first = mapped(elems, lambda t: t[0])
    returned = traced.get_concrete_function(first).structured_outputs
    loop = functools.partial(graph_loop, invariants=None, limit=None, dense=False)
    return _map_rows(traced, elems, mapped(returned, lambda t: t.dtype), loop)


def _of_no_rows(fn: Any, elems: Any) -> Any:
    """What is made of no rows: its shape and its gradient are those of a row of zeros, of which nothing is kept."""

    def row(t: Any) -> Any:
        return NAMES["reduce_sum"](t, 0) if t.dtype.is_numeric else NAMES["zeros"](t.shape[1:], t.dtype)

    return mapped(fn(mapped(elems, row)), lambda t: NAMES["expand_dims"](convert_to_tensor(t), 0)[:0])


def scan(
    fn: Any, elems: Any, initializer: Any = None, parallel_iterations: int = 10, back_prop: bool = True,
    swap_memory: bool = False, infer_shape: bool = True, reverse: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """``a = fn(a, row)`` for each row of ``elems``, all values of ``a`` stacked (``tf.scan``)."""
    return _accumulated(fn, elems, initializer, reverse, keep=True)


def foldl(
    fn: Any, elems: Any, initializer: Any = None, parallel_iterations: int = 10, back_prop: bool = True,
    swap_memory: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """``a = fn(a, row)`` for each row of ``elems``, the last value of ``a`` (``tf.foldl``)."""
    return _accumulated(fn, elems, initializer, False, keep=False)


def foldr(
    fn: Any, elems: Any, initializer: Any = None, parallel_iterations: int = 10, back_prop: bool = True,
    swap_memory: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """``a = fn(a, row)`` for each row of ``elems`` from the last one on, the last value of ``a`` (``tf.foldr``)."""
    return _accumulated(fn, elems, initializer, True, keep=False)


def _accumulated(fn: Any, elems: Any, initializer: Any, reverse: bool, keep: bool) -> Any:
    if not callable(fn):
        raise TypeError(f"{getattr(fn, '__name__', fn)} is not callable. Please provide a callable function.")
    elems, flat = _as_tensors(elems)
    if flat[0].shape.rank == 0:
        raise IndexError("tuple index out of range")
    count = _count(flat)
    if is_of_no_rows(flat[0]) and initializer is not None:
        return _folded_nothing(fn, elems, flat, mapped(initializer, convert_to_tensor), keep)
    rows = _rows(flat, count)

    def row(i: Any) -> Any:
        return nest.pack_sequence_as(elems, [r.read(i) for r in rows])

    done = 0 if initializer is not None else 1
    first = (count - 1 if reverse else 0) if initializer is None else None
    state = row(first) if initializer is None else mapped(initializer, convert_to_tensor)
    structure = elems if initializer is None else state
    arrays = [_array(t.dtype, count) for t in leaves(state)] if keep else []
    if done:
        arrays = [a.write(first, t) for a, t in zip(arrays, leaves(state))]

    def body(step: Any, state: Any, arrays: Any) -> tuple:
        i = count - 1 - step if reverse else step
        state = fn(state, row(i))
        nest.assert_same_structure(structure, state)
        state = mapped(state, convert_to_tensor)
        return step + 1, state, [a.write(i, t) for a, t in zip(arrays, leaves(state))]

    start = (convert_to_tensor(done), state, arrays)
    _, last, arrays = while_loop(lambda step, *_: step < count, body, start)
    if not keep:
        return last
    return _known_rows(nest.pack_sequence_as(last, [a.stack() for a in arrays]), flat[0])


def _folded_nothing(fn: Any, elems: Any, flat: list, state: Any, keep: bool) -> Any:
    """What is made of no rows in a graph: the state, or no values of it."""
    given = list(leaves(state))

    def once(state_leaves: list, row: list) -> list:
        after = fn(nest.pack_sequence_as(state, state_leaves), nest.pack_sequence_as(elems, row))
        nest.assert_same_structure(state, after)
        return nest.flatten(after)

    made = without_rows(once, given, flat, [t.dtype for t in given])
    return nest.pack_sequence_as(state, made[len(given) :] if keep else made[: len(given)])
