"""Reductions over segments: rows that carry the same number, sorted (segment_*) or not (unsorted_segment_*)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..errors import unnamed
from ..tapes.beside import noting_wholes
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, wrap
from .arguments import check
from .arithmetic import sqrt
from .declare import kernel, public
from .kernels import unordered
from .kernels.segment_checks import check_numbers
from .kernels.whole_numbers import quotient
from .scatter import scatter_add
from .shaping import ints


def _rows(F: Any, x: Any, ids: np.ndarray) -> Any:
    return F.gather(x, wrap(ids) if F.recording else ids, literal=0, axis=0, batch_dims=0)


def _reduced(x: Any, ids: np.ndarray, count: int, ufunc: np.ufunc, empty: Any) -> Any:
    """``ufunc`` over the rows of each segment; rows with a negative number belong to none."""
    tail = x.shape[ids.ndim :]
    flat, numbers = x.reshape((ids.size, *tail)), ids.ravel()
    parts = []
    for k in range(count):
        rows = np.nonzero(numbers == k)[0]
        parts.append(ufunc.reduce(flat[rows], axis=0) if rows.size else np.full(tail, empty, x.dtype))
    found = np.stack(parts) if parts else np.zeros((0, *tail), x.dtype)
    return found if found.dtype == x.dtype else found.astype(x.dtype)  # NumPy's products of int32 are int64


def _extreme(x: Any, ids: np.ndarray, count: int, ufunc: np.ufunc, empty: Any, begins: bool) -> Any:
    """The largest or smallest of each segment; ``begins``: the kernel begins with the value of an empty one.

    The other kernel passes over what is no number in whole vector registers.
    """
    if not unordered.disordered(x):
        return _reduced(x, ids, count, ufunc, empty)
    tail = x.shape[ids.ndim :]
    size = math.prod(tail)
    flat, numbers = x.reshape((ids.size, size)), ids.ravel()
    beats, nothing = np.greater if ufunc is np.maximum else np.less, np.full(size, empty, x.dtype)
    passed = 0 if begins else size - size % (32 // max(x.itemsize, 4))
    found = []
    for k in range(count):
        rows = flat[numbers == k]
        stands = unordered.last_unless(beats, rows, nothing if begins or not len(rows) else None)
        if passed and len(rows):
            inner = (np.fmax if ufunc is np.maximum else np.fmin).reduce(rows[:, :passed], axis=0)
            end = -np.inf if ufunc is np.maximum else np.inf
            stands = np.concatenate([np.where(np.isnan(inner), x.dtype.type(end), inner), stands[passed:]])
        found.append(stands.reshape(tail))
    return np.stack(found)


def _summed(x: Any, ids: np.ndarray, count: int) -> Any:
    tail = x.shape[ids.ndim :]
    kept = np.nonzero(ids.ravel() >= 0)[0]
    return scatter_add((count, *tail), ids.ravel()[kept], x.reshape((ids.size, *tail))[kept])


def _divided(F: Any, dy: Any, x: Any, ids: np.ndarray, count: int) -> Any:
    """The upstream of each segment, divided by how many rows it has; a dtype without a sum counts nothing."""
    if F.recording:
        segment_sum_.op.check(F.dtype(dy))
    rows = np.bincount(ids[ids >= 0].ravel(), minlength=count).astype(F.dtype(dy))
    return dy / _constant(F, rows.reshape((count,) + (1,) * (F.rank(x) - 1)))


segment_sum_ = kernel(
    "segment_sum", "SegmentSum", forward=_summed, inputs="data",
    gradient=lambda F, dy, _y, _x, ids, count: _rows(F, dy, ids)
)  # fmt: skip
segment_mean_ = kernel(
    "segment_mean", "SegmentMean",
    forward=lambda x, ids, count: quotient(_summed(x, ids, count), _divisor(x, ids, count)),
    gradient=lambda F, dy, _y, _x, ids, count: _rows(F, _divided(F, dy, _x, ids, count), ids),
)  # fmt: skip


def _constant(F: Any, a: np.ndarray) -> Any:
    return wrap(a) if F.recording else a


def _divisor(x: Any, ids: np.ndarray, count: int) -> Any:
    rows = np.maximum(np.bincount(ids.ravel(), minlength=count), 1).astype(x.dtype)
    return rows.reshape((count,) + (1,) * (x.ndim - 1))


def _shared(F: Any, dy: Any, y: Any, x: Any, ids: np.ndarray, count: int) -> Any:
    """The upstream of a segment, divided evenly among its rows that equal the extreme."""
    chosen = F.equal(x, _rows(F, y, ids))
    number = F.segment_sum(F.cast(chosen, dtype=F.dtype(dy)), ids=ids, count=count)
    return F.where(chosen, _rows(F, dy / number, ids), F.zeros_like(x))


def _of_products(F: Any, dy: Any, y: Any, x: Any, ids: np.ndarray, count: int) -> Any:
    """The product of the others: by division, or, at the one zero of a segment, the product of the rest."""
    zero = F.equal(x, F.zeros_like(x))
    zeros = F.segment_sum(F.cast(zero, dtype=np.dtype(np.int32)), ids=ids, count=count)
    dy = F.where(F.greater(zeros, F.ones_like(zeros)), F.zeros_like(dy), dy)
    filled = F.where(zero, F.ones_like(x), x)
    rest = _rows(F, F.segment_prod(filled, ids=ids, count=count), ids)
    return _rows(F, dy, ids) * F.where(zero, rest, _rows(F, y, ids) / filled)


segment_max_ = kernel(
    "segment_max", "SegmentMax", gradient=_shared,
    forward=lambda x, ids, count: _extreme(x, ids, count, np.maximum, 0, False),
)  # fmt: skip
segment_min_ = kernel(
    "segment_min", "SegmentMin", gradient=_shared,
    forward=lambda x, ids, count: _extreme(x, ids, count, np.minimum, 0, False),
)  # fmt: skip
segment_prod_ = kernel(
    "segment_prod", "SegmentProd", gradient=_of_products,
    forward=lambda x, ids, count: _reduced(x, ids, count, np.multiply, 1),
)  # fmt: skip


def _segments(op: Any, data: Any, segment_ids: Any, name: str | None) -> EagerTensor:
    x, ids = convert_to_tensor(data), np.asarray(convert_to_tensor(segment_ids)._a)
    check(op.op.kernel, name, data=x, segment_ids=ids)
    if ids.ndim != 1:
        raise unnamed(op.op.kernel, "segment_ids should be a vector.", name)
    if not x._a.ndim:
        raise unnamed(op.op.kernel, "input must be at least rank 1", name)
    if x._a.shape[:1] != ids.shape:
        raise unnamed(op.op.kernel, "segment_ids should be the same size as dimension 0 of input.", name)
    if ids.size and (np.diff(ids) < 0).any():
        raise unnamed(op.op.kernel, "segment ids are not increasing", name)
    if ids.size and ids[-1] < 0:
        raise unnamed(op.op.kernel, "segment ids must be >= 0", name)
    if ids.size and ids[0] < 0:
        why = "possibly because 'segment_ids' input is not sorted."
        raise unnamed(op.op.kernel, f"Segment id {ids[0]} out of range [0, {int(ids[-1]) + 1}), {why}", name)
    return op(x, ids=ids, count=int(ids[-1]) + 1 if ids.size else 0)


def _public_segment(name: str, op: Any, says: str) -> Any:
    def function(data: Any, segment_ids: Any, name: str | None = None) -> EagerTensor:
        return _segments(op, data, segment_ids, name)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{says} of the rows of each segment (``tf.math.{name}``); the numbers must not decrease."
    return public(f"math.{name}")(noting_wholes(function))


segment_sum = _public_segment("segment_sum", segment_sum_, "The sum")
segment_mean = _public_segment("segment_mean", segment_mean_, "The mean")
segment_max = _public_segment("segment_max", segment_max_, "The maximum")
segment_min = _public_segment("segment_min", segment_min_, "The minimum")
segment_prod = _public_segment("segment_prod", segment_prod_, "The product")

# ------------------------------------------------------------------------------------------------- unsorted


def _wide(mask: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    return np.broadcast_to(mask.reshape(mask.shape + (1,) * (len(shape) - mask.ndim)), shape)


def _rows_or_zero(F: Any, x: Any, ids: np.ndarray, shape: tuple[int, ...]) -> Any:
    """The row of each number, zeros for negative numbers."""
    rows = _rows(F, x, np.maximum(ids, 0))
    return F.where(_constant(F, _wide(ids >= 0, shape)), rows, F.zeros_like(rows))


unsorted_sum_ = kernel(
    "unsorted_segment_sum", "UnsortedSegmentSum", forward=_summed, inputs="data",
    gradient=lambda F, dy, _y, _x, ids, count: _rows_or_zero(F, dy, ids, ids.shape + F.shape(dy)[1:]),
)  # fmt: skip


def _unsorted_shared(F: Any, dy: Any, y: Any, x: Any, ids: np.ndarray, count: int) -> Any:
    shape = F.shape(x)
    chosen = F.logical_and(F.equal(x, _rows_or_zero(F, y, ids, shape)), _constant(F, _wide(ids >= 0, shape)))
    number = F.unsorted_segment_sum(F.cast(chosen, dtype=F.dtype(dy)), ids=ids, count=count)
    rows = _rows_or_zero(F, dy / number, ids, shape)
    return F.where(chosen, rows, F.zeros_like(rows))


def _unsorted_of_products(F: Any, dy: Any, y: Any, x: Any, ids: np.ndarray, count: int) -> Any:
    zero = F.equal(x, F.zeros_like(x))
    zeros = F.unsorted_segment_sum(F.cast(zero, dtype=np.dtype(np.int32)), ids=ids, count=count)
    dy = F.where(F.greater(zeros, F.ones_like(zeros)), F.zeros_like(dy), dy)
    rest = F.unsorted_segment_prod(F.where(zero, F.ones_like(x), x), ids=ids, count=count)
    clipped = np.maximum(ids, 0)
    others = F.where(zero, _rows(F, rest, clipped), _rows(F, y, clipped) / x)
    return _rows_or_zero(F, dy, ids, F.shape(x)) * others


def _end(dtype: np.dtype, sign: int) -> Any:
    """The value of an empty segment: the lowest number for max (sign -1), the highest for min."""
    if dtype.kind in "iu":
        return np.iinfo(dtype).min if sign < 0 else np.iinfo(dtype).max
    from ..dtypes import of

    return of(dtype).min if sign < 0 else of(dtype).max


unsorted_max_ = kernel(
    "unsorted_segment_max", "UnsortedSegmentMax", gradient=_unsorted_shared,
    forward=lambda x, ids, count: _extreme(x, ids, count, np.maximum, _end(x.dtype, -1), True),
)  # fmt: skip
unsorted_min_ = kernel(
    "unsorted_segment_min", "UnsortedSegmentMin", gradient=_unsorted_shared,
    forward=lambda x, ids, count: _extreme(x, ids, count, np.minimum, _end(x.dtype, 1), True),
)  # fmt: skip
unsorted_prod_ = kernel(
    "unsorted_segment_prod", "UnsortedSegmentProd", gradient=_unsorted_of_products,
    forward=lambda x, ids, count: _reduced(x, ids, count, np.multiply, 1),
)  # fmt: skip


def _unsorted(op: Any, data: Any, segment_ids: Any, num_segments: Any, name: str | None) -> EagerTensor:
    x, ids = convert_to_tensor(data), np.asarray(convert_to_tensor(segment_ids)._a)
    kernel_name = op.op.kernel
    check(kernel_name, name, data=x, segment_ids=ids)
    counts = convert_to_tensor(num_segments)._a.shape if num_segments is not None else ()
    if counts:
        shape = str(list(counts)).replace(" ", "")
        raise unnamed(kernel_name, f"num_segments should be a scalar, not shape {shape}", name)
    (count,) = ints(num_segments)
    check_numbers(kernel_name, x._a.shape, ids, count, name)
    if not x._a.size:  # then TensorFlow looks at no number of a segment
        ids = np.full_like(ids, -1)
    return op(x, ids=ids, count=count)


def _public_unsorted(name: str, op: Any, says: str) -> Any:
    def function(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> EagerTensor:
        return _unsorted(op, data, segment_ids, num_segments, name)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{says} of the rows of each segment (``tf.math.{name}``); negative numbers are left out."
    return public(f"math.{name}")(noting_wholes(function))


unsorted_segment_sum = _public_unsorted("unsorted_segment_sum", unsorted_sum_, "The sum")
unsorted_segment_max = _public_unsorted("unsorted_segment_max", unsorted_max_, "The maximum")
unsorted_segment_min = _public_unsorted("unsorted_segment_min", unsorted_min_, "The minimum")
unsorted_segment_prod = _public_unsorted("unsorted_segment_prod", unsorted_prod_, "The product")


def _sizes(x: EagerTensor, segment_ids: Any, count: int) -> EagerTensor:
    """How many rows each segment has, at least 1, shaped to divide its sum."""
    ids = np.asarray(convert_to_tensor(segment_ids)._a)
    check_numbers("UnsortedSegmentSum", ids.shape, ids, count)  # they are counted where rows are empty, too
    rows = np.maximum(np.bincount(ids[ids >= 0].ravel(), minlength=count), 1).astype(x._a.dtype)
    return wrap(rows.reshape((count,) + (1,) * (x._a.ndim - ids.ndim)))


def _countable(data: Any, num_segments: Any) -> EagerTensor:
    """Data that are no strings, for segments whose number is whole: their rows are counted first."""
    x = convert_to_tensor(data)
    if x.dtype.name == "string":
        raise TypeError("Cannot convert 1 to EagerTensor of dtype string")
    if num_segments is not None:
        check("UnsortedSegmentSum", None, num_segments=convert_to_tensor(num_segments))
    return x


@public("math.unsorted_segment_mean")
def unsorted_segment_mean(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> EagerTensor:
    """The mean of the rows of each segment (``tf.math.unsorted_segment_mean``)."""
    x = _countable(data, num_segments)
    total = _unsorted(unsorted_sum_, x, segment_ids, num_segments, name or "")
    return total / _sizes(x, segment_ids, ints(num_segments)[0])


@public("math.unsorted_segment_sqrt_n")
def unsorted_segment_sqrt_n(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> EagerTensor:
    """The sum over each segment by the root of its size (``tf.math.unsorted_segment_sqrt_n``)."""
    x = _countable(data, num_segments)
    total = _unsorted(unsorted_sum_, x, segment_ids, num_segments, name or "")
    return total / sqrt(_sizes(x, segment_ids, ints(num_segments)[0]))
