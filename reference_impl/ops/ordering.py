"""Order: sort, argsort and top_k, all by the kernel TopKV2, and searchsorted."""

from __future__ import annotations

import math as _math
from collections import namedtuple
from typing import Any

import numpy as np

from ..dtypes import as_dtype, int32, kernel_name
from ..errors import invalid
from ..tapes.recording import active
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, wrap
from .arguments import check, refusal
from .arithmetic import negative
from .declare import kernel, public
from .kernels import ranking
from .kernels.infinities import is_plain
from .kernels.no_rows import unstacked
from .shaping import ints, transpose

TopKV2 = namedtuple("TopKV2", ("values", "indices"))


def _largest(x: Any, k: int, dtype: np.dtype) -> tuple:
    """The k largest of the last axis, largest first, and where they were; of equal ones the first comes first."""
    size = x.shape[-1]
    ascending = np.argsort(np.flip(x, -1), axis=-1, kind="stable")
    places = size - 1 - np.flip(ascending, -1)[..., :k]
    return np.take_along_axis(x, places, axis=-1), places.astype(dtype)


def _ranked(x: Any, k: int, dtype: np.dtype, ordered: bool) -> tuple:
    """As ``_largest``; the way of TensorFlow's kernel where something is no number, or order is not asked for."""
    if ranking.lacks_order(x) or (not ordered and 1 < k < x.shape[-1] and is_plain(x)):
        places = ranking.places_of_largest(x, k, ordered)
        return np.take_along_axis(x, places, axis=-1), places.astype(dtype)
    return _largest(x, k, dtype)


def _top_k_gradient(F: Any, dy: Any, y: Any, _x: Any, k: int, dtype: np.dtype, ordered: bool) -> Any:
    if not F.shape(_x)[-1]:
        raise invalid("Range", "Requires delta != 0: 0")  # where the rows start
    return _put_back(F, dy, y, _x, k, dtype)


def _put_back(F: Any, dy: Any, y: Any, _x: Any, k: int, dtype: np.dtype) -> Any:
    """The upstream of the largest values at the places where they were."""
    shape = F.shape(_x)
    if active.rowless:
        raise unstacked(1)
    places = np.asarray(F.stopped(y[1])).astype(np.int64)
    rows = _math.prod(shape[:-1])
    flat = places.reshape(rows, k) + np.arange(rows)[:, None] * shape[-1]
    upstream = F.reshape(dy[0], shape=(-1,))
    return F.reshape(F.scatter_nd(flat.reshape(-1, 1), upstream, shape=(_math.prod(shape),)), shape=shape)


top_k_ = kernel("top_k", "TopKV2", forward=_ranked, gradient=_top_k_gradient)


@public("math.top_k nn.top_k")
def top_k(input: Any, k: Any = 1, sorted: bool = True, index_type: Any = int32, name: str | None = None) -> TopKV2:
    """The ``k`` largest elements along the last axis and their indices (``tf.math.top_k``); of ties, the first.

    With ``sorted=False`` they come as TensorFlow's heap has them: the smallest of them first.
    """
    x = convert_to_tensor(input)
    (count,) = ints(k)
    check("TopKV2", name, input=x)
    shape = convert_to_tensor(k)._a.shape
    if shape:
        raise invalid("TopKV2", f"k must be scalar, got shape [{','.join(map(str, shape))}]", name)
    if count < 0:
        raise invalid("TopKV2", f"Need k >= 0, got {count}", name)
    if not x._a.ndim:
        raise invalid("TopKV2", "input must be >= 1-D, got shape []", name)
    if x._a.shape[-1] < count:
        text = f"input must have at least k columns. Had {x._a.shape[-1]}, needed {count}"
        raise invalid("TopKV2", text, name)
    return TopKV2(*top_k_(x, k=count, dtype=as_dtype(index_type).numpy, ordered=bool(sorted)))


ApproxTopK = namedtuple("ApproxTopK", ("values", "indices"))
approx_top_k_ = kernel("approx_top_k", "ApproxTopK", forward=_largest, gradient=_put_back)


def _approximated(operand: Any, k: int, reduction_dimension: int, largest: bool, name: str | None) -> ApproxTopK:
    """On a CPU TensorFlow has the exact answer, and only for the largest along the last axis, called -1."""
    x, op = convert_to_tensor(operand), approx_top_k_.op
    if k is None:
        raise TypeError("Expected int for argument 'k' not None.")
    k = int(k)
    op.check(x._a.dtype, name)
    if k < 0:
        raise invalid("ApproxTopK", f"Value for attr 'k' of {k} must be at least minimum 0", name, node=False)
    if reduction_dimension not in (-1, None) or not largest:
        raise op.refusal(kernel_name(x._a.dtype), name)
    if not x._a.ndim:
        raise invalid("ApproxTopK", "input must be >= 1-D, got shape []", name)
    if x._a.shape[-1] < k:
        raise invalid("ApproxTopK", f"input must have at least k columns. Had {x._a.shape[-1]}, needed {k}", name)
    return ApproxTopK(*approx_top_k_(x, k=k, dtype=np.dtype(np.int32)))


@public("math.approx_max_k nn.approx_max_k")
def approx_max_k(
    operand: Any, k: int, reduction_dimension: int = -1, recall_target: float = 0.95,
    reduction_input_size_override: int = -1, aggregate_to_topk: bool = True, name: str | None = None,
) -> ApproxTopK:  # fmt: skip
    """The ``k`` largest of the last axis and their indices (``tf.math.approx_max_k``), exact as on TensorFlow's CPU."""
    return _approximated(operand, k, reduction_dimension, True, name)


@public("math.approx_min_k nn.approx_min_k")
def approx_min_k(
    operand: Any, k: int, reduction_dimension: int = -1, recall_target: float = 0.95,
    reduction_input_size_override: int = -1, aggregate_to_topk: bool = True, name: str | None = None,
) -> ApproxTopK:  # fmt: skip
    """NotFoundError: TensorFlow has no kernel for the smallest on a CPU (``tf.math.approx_min_k``)."""
    return _approximated(operand, k, reduction_dimension, False, name)


def _sorted(values: Any, axis: Any, direction: str, which: int) -> EagerTensor:
    if direction not in ("ASCENDING", "DESCENDING"):
        raise ValueError(
            f"Argument `direction` should be one of ASCENDING, DESCENDING. Received: direction={direction}"
        )
    x = convert_to_tensor(values)
    (axis,) = ints(int(axis) if isinstance(axis, float) else axis)
    if direction == "DESCENDING":
        return _descending(x, axis, which)
    if x.dtype.is_unsigned:
        turn = lambda v: x.dtype.max - v
    elif x.dtype.name == "string":
        raise refusal("Neg", "string", None)
    elif x.dtype.is_integer:
        turn = lambda v: negative(v) - 1
    else:
        turn = negative
    found = _descending(turn(x), axis, which)
    return found if which else turn(found)


def _descending(x: EagerTensor, axis: int, which: int) -> EagerTensor:
    rank = x._a.ndim
    if not -rank <= axis < rank:
        raise invalid("StridedSlice", f"slice index {axis} of dimension 0 out of bounds.", "strided_slice/")
    axis %= rank
    if axis == rank - 1:
        return top_k(x, x._a.shape[-1])[which]
    swapped = [*range(axis), rank - 1, *range(axis + 1, rank - 1), axis]
    return transpose(top_k(transpose(x, swapped), x._a.shape[axis])[which], swapped)


@public("sort")
def sort(values: Any, axis: Any = -1, direction: str = "ASCENDING", name: str | None = None) -> EagerTensor:
    """``values`` in order along ``axis`` (``tf.sort``)."""
    return _sorted(values, axis, direction, 0)


@public("argsort")
def argsort(
    values: Any, axis: Any = -1, direction: str = "ASCENDING", stable: bool = False, name: str | None = None
) -> EagerTensor:
    """The indices that put ``values`` in order along ``axis`` (``tf.argsort``)."""
    return _sorted(values, axis, direction, 1)


@public("searchsorted")
def searchsorted(
    sorted_sequence: Any, values: Any, side: str = "left", out_type: Any = int32, name: str | None = None
) -> EagerTensor:
    """Where each value belongs in a sorted sequence, row by row (``tf.searchsorted``)."""
    if side not in ("left", "right"):
        raise ValueError(f"Argument `side` must be either 'right' or 'left'. Received: `side` = '{side}'.")
    rows, wanted = (np.asarray(convert_to_tensor(v)._a) for v in (sorted_sequence, values))
    flat = wanted.reshape(-1, wanted.shape[-1])
    ordered = rows.reshape(-1, rows.shape[-1])
    if ranking.lacks_order(rows) or ranking.lacks_order(wanted):
        found = ranking.bounds(ordered, flat, side)
    else:
        found = [np.searchsorted(r, w, side) for r, w in zip(ordered, flat)]
    return wrap(np.array(found, as_dtype(out_type).numpy).reshape(wanted.shape))


def _nth(x: Any, n: int, reverse: bool) -> Any:
    if ranking.lacks_order(x):
        return ranking.nth(x, x.shape[-1] - 1 - n if reverse else n)
    ordered = np.take_along_axis(x, np.argsort(x, axis=-1, kind="stable"), axis=-1)
    return ordered[..., -1 - n if reverse else n]


def _nth_gradient(F: Any, dy: Any, y: Any, x: Any, n: int, reverse: bool) -> Any:
    """Equal elements share the upstream evenly."""
    kept = (*F.shape(y), 1)
    chosen = F.cast(F.equal(F.reshape(y, shape=kept), x), dtype=F.dtype(dy))
    count = F.reshape(F.sum(chosen, axis=(F.rank(x) - 1,), keepdims=False), shape=kept)
    return chosen / count * F.reshape(dy, shape=kept)


nth_element_ = kernel("nth_element", "NthElement", forward=_nth, gradient=_nth_gradient)


@public("raw_ops.NthElement")
def nth_element(input: Any, n: Any, reverse: bool = False, name: str | None = None) -> EagerTensor:
    """The n-th smallest (largest) element of the last axis (``tf.raw_ops.NthElement``)."""
    x, rank = convert_to_tensor(input), convert_to_tensor(n)._a.ndim
    if rank:
        raise invalid("NthElement", f"N must be scalar but has rank {rank}", name)
    (place,) = ints(n)
    text = f"n must be non-negative but is {place}" if place < 0 else ""
    if not text and not x._a.ndim:
        text = f"Input must be at least rank 1 but is rank {x._a.ndim}"
    if not text and x._a.shape[-1] <= place:
        text = f"Input must have last dimension > n = {place}"
    if text:
        raise invalid("NthElement", text, name)
    return nth_element_(x, n=place, reverse=bool(reverse))
