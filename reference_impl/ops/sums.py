"""add_n, and the sum of several gradients of one tensor, dense or sparse."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from sys import getrefcount
from typing import Any

import numpy as np

from ..dtypes import kernel_name
from ..errors import OpError, invalid
from ..foundation.building import Building, makes_a_graph
from ..tapes.recording import active
from ..tensors.conversion import convert_to_tensor
from ..tensors.slices import IndexedSlices
from ..tensors.tensor import EagerTensor
from .declare import Op, apply, kernel, public
from .kernels import no_rows
from .run import make_binary
from .scatter import densified

LARGE = 1 << 16  # elements, from which fresh memory costs more than a sum
_AT_ONCE = 9  # arrays that TensorFlow adds from left to right


def added(*xs: Any) -> Any:
    """The sum of two arrays or more, in the order of TensorFlow's kernel: the first of them (so many that whole eights
    are left: at most nine) one after another, then the sum of each eight that follow."""
    count = len(xs)
    if count <= _AT_ONCE:
        return _left_to_right(xs)
    first = (count - 2) % 8 + 2
    total = _left_to_right(xs[:first])
    for k in range(first, count, 8):
        total = total + _left_to_right(xs[k : k + 8])
    return total


def _left_to_right(xs: Sequence[Any]) -> Any:
    total = xs[0] + xs[1]
    for x in xs[2:]:
        if type(total) is np.ndarray and type(x) is np.ndarray and x.dtype == total.dtype:
            total += x  # it is ours; the shapes are the same
        else:
            total = total + x
    return total


def used_up(xs: list) -> Any:
    """``added`` of a list, which is empty afterwards: a large array that stood there alone takes the sum."""
    total = xs[0]
    if type(total) is np.ndarray and total.size > LARGE and len(xs) <= _AT_ONCE:
        a, b = xs[:2]
        del xs[:2], total
        spare = None
        if type(b) is np.ndarray and a.shape == b.shape and a.dtype == b.dtype:
            # Two references: the variable, and the one that is counting.
            if getrefcount(a) == 2 and _has_memory(a):
                spare = a
            elif getrefcount(b) == 2 and _has_memory(b):
                spare = b
        total = a + b if spare is None else np.add(a, b, out=spare)
        if not xs:
            return total
        xs.insert(0, total)
    total = added(*xs)
    xs.clear()
    return total


def _has_memory(a: np.ndarray) -> bool:
    """True for an array that is no view, and may be written to."""
    return a.base is None and a.flags.writeable


sum_all = kernel("add_n", "AddN", sparse=True, forward=added, gradient=lambda F, dy, _y, *_xs: (dy,) * len(_xs))

_passed = lambda F, dy, _y, _a, _b: dy
_two = Op("sum_two", "AddN", operator.add, (_passed, _passed), 2, {"broadcasting": False, "sparse": True})
sum_two = make_binary(_two)  # AddN of two in the form that costs least


@public("add_n math.add_n")
def add_n(inputs: Any, name: str | None = None) -> EagerTensor:
    """The sum of a list of tensors of one shape and dtype (``tf.add_n``): up to nine from left to right; of more, what
    follows the first is added in sums of eight, as TensorFlow's kernel does."""
    summands = list(inputs)
    if not summands or any(x is None for x in summands):
        raise ValueError(
            "Inputs must be an iterable of at least one Tensor/IndexedSlices with the same dtype and shape."
        )
    given = [x if type(x) is IndexedSlices else convert_to_tensor(x) for x in summands]
    if len(given) > 1 and given[0].dtype.numpy.kind in "bO":
        sum_all.op.check(given[0].dtype.numpy, name)
    graph = bool(active.vectorizing or type(active.cur) is Building)
    return _sum(given, name, graph)


def _sum(given: list, name: str | None, graph: bool) -> EagerTensor:
    """The sum of Tensors and slices; ``graph``: one is made, which compares all dtypes first."""
    want = None if graph else _wanted(given)
    xs = tuple(convert_to_tensor(x, want) for x in given)
    if len(xs) == 1:
        return xs[0]
    _check(xs, name, graph)
    return apply(sum_all.op, xs, {})


def _wanted(given: list) -> Any:
    """The dtype that is asked for outside a graph: that of the first dense one, when others are sparse."""
    dense = [x for x in given if type(x) is EagerTensor]
    return None if not 0 < len(dense) < len(given) else dense[0].dtype


def _check(xs: tuple[EagerTensor, ...], name: str | None, graph: bool) -> None:
    first = xs[0]._a
    for k, x in enumerate(xs):
        if x._a.dtype != first.dtype:
            if not graph:
                sum_all.op.check(first.dtype)
            want, got = kernel_name(first.dtype), kernel_name(x._a.dtype)
            text = f"input #{k}(zero-based) was expected to be a {want} tensor but is a {got} tensor"
            raise invalid("AddN", f"cannot compute AddN as {text}", name, node=False)
    for k, x in enumerate(xs):
        if x._a.shape != first.shape:
            a, b = ("[" + ",".join(map(str, s)) + "]" for s in (first.shape, x._a.shape))
            text = f"must have the same size and shape.  Input 0: {a} != input {k}: {b}"
            raise invalid("AddN", f"Inputs to operation AddN of type AddN {text}", name, count=len(xs))


def aggregate(values: list[Any], raw: bool, graph: bool = False) -> Any:
    """The sum of the gradients that arrived at one tensor: arrays when ``raw``, else Tensors.

    ``graph``: it is that of a function's gradient, of which TensorFlow makes a graph.
    All sparse: the rows of all, one after another.  Any dense one among them: dense.
    """
    if active.rowless and (error := _unlike(values)) is not None:
        raise error
    if not raw and _alike(values):
        return sum_two(*values) if len(values) == 2 else apply(sum_all.op, tuple(values), {})
    if all(type(v) is IndexedSlices for v in values):
        return _concatenated(values, raw)
    if raw:
        return added(*[densified(v) for v in values])
    if not all(type(v) in (EagerTensor, IndexedSlices) for v in values):
        raise AssertionError  # a number or array that a user's gradient function returned, as in TensorFlow
    return _sum(values, None, graph or makes_a_graph())


def _unlike(values: list[Any]) -> OpError | None:
    """The error of a sum of which there are no rows; those of slices have lost their count."""
    if all(type(v) is IndexedSlices for v in values):
        return None
    shapes = [no_rows.of_slices(v.values.shape) if type(v) is IndexedSlices else v.shape for v in values]
    return no_rows.unlike([tuple(shape) for shape in shapes])


def _alike(values: list[Any]) -> bool:
    """True for dense Tensors of one dtype and shape."""
    first = values[0]
    if type(first) is not EagerTensor:
        return False
    a = first._a
    if type(a) is np.float32 and all([type(v) is EagerTensor and type(v._a) is np.float32 for v in values]):
        return True  # which takes longer to find out by dtypes and shapes
    dtype, shape = a.dtype, a.shape
    for v in values[1:]:
        if type(v) is not EagerTensor:
            return False
        if v._a.dtype is not dtype or v._a.shape != shape:
            return False
    return True


def _concatenated(values: list[IndexedSlices], raw: bool) -> IndexedSlices:
    shape = values[0].dense_shape
    if raw:
        rows = np.concatenate([v.values for v in values])
        return IndexedSlices(rows, np.concatenate([v.indices for v in values]), shape)
    from .casting import cast
    from .shaping import concat

    wide = "int64" if any(v.indices.dtype.name == "int64" for v in values) else "int32"
    indices = concat([cast(v.indices, wide) for v in values], 0)
    return IndexedSlices(concat([v.values for v in values], 0), indices, shape)
