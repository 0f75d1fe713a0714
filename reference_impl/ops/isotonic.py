"""Isotonic regression: the monotone sequences nearest to given ones."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from ..dtypes import kernel_name
from ..errors import InvalidArgumentError, invalid
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .arithmetic import negative
from .declare import kernel, public
from .scatter import scatter_add
from .segments import _constant, _rows
from .shaping import transpose
from .softmax import no_fraction

IsotonicRegression = namedtuple("IsotonicRegression", ("output", "segments"))


def _pools(row: Any) -> list[int]:
    """How many neighbours are pooled, pool by pool: their mean exceeds no mean before it."""
    sums: list[Any] = []
    sizes: list[int] = []
    for k in range(row.shape[0]):
        sums.append(row[k])
        sizes.append(1)
        while len(sums) > 1 and sums[-1] / sizes[-1] > sums[-2] / sizes[-2]:
            total, size = sums.pop(), sizes.pop()
            sums[-1], sizes[-1] = sums[-1] + total, sizes[-1] + size
    return sizes


def _numbered(x: Any) -> np.ndarray:
    """For each element of rows the number of its pool."""
    rows = x.reshape((-1, x.shape[-1]))
    found = [np.repeat(np.arange(len(sizes)), sizes) for sizes in (_pools(rows[k]) for k in range(rows.shape[0]))]
    return np.array(found, np.int32).reshape(x.shape)


def _unique(segments: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Numbers that differ from one first index to the next, and how often each occurs (0 for those in between)."""
    flat = segments.reshape(segments.shape[0], -1).astype(np.int64)
    flat = flat + (np.arange(flat.shape[0]) * (flat.max(initial=0) + 1))[:, None]
    return flat, np.bincount(flat.ravel())


def _regressed(x: Any, dtype: np.dtype) -> tuple:
    x = x.astype(dtype)
    if not x.ndim or not x.size:
        return x, np.zeros(x.shape, np.int32)
    segments = _numbered(x)
    ids, counts = _unique(segments.reshape(-1, segments.shape[-1]))
    sums = scatter_add((counts.size,), ids.ravel(), x.reshape(-1))
    return (sums / counts.astype(dtype))[ids].reshape(x.shape), segments


def _gradient(F: Any, dy: Any, y: Any, _x: Any, dtype: np.dtype) -> Any:
    """The mean of the upstream over each pool of each first index, as rows of a matrix whatever the rank was."""
    segments = np.asarray(y[1])
    if not segments.size:
        _refuse_nothing(segments.shape)
    ids, counts = _unique(segments)
    flat, divisors = F.reshape(dy[0], shape=(-1,)), counts.astype(F.dtype(dy[0]))
    means = F.unsorted_segment_sum(flat, ids=ids.ravel(), count=counts.size) / _constant(F, divisors)
    return _rows(F, means, ids)


def _refuse_nothing(shape: tuple[int, ...]) -> None:
    """TensorFlow's errors for an upstream without rows, or of rows without elements, whose numbers it counts from."""
    if not shape[0]:
        text = (
            "Value for attr 'num_split' of 0 must be at least minimum 1\n\t; NodeDef: {{node Split}}; Op<name=Split; "
        )
        text += "signature=split_dim:int32, value:T -> output:num_split*T; attr=num_split:int,min=1; attr=T:type>"
        raise invalid("Split", text, node=False)
    raise invalid("UnsortedSegmentSum", "Input num_segments == -2147483647 must not be negative.")


isotonic_ = kernel("isotonic_regression", "IsotonicRegression", forward=_regressed, gradient=_gradient)
_KEPT = ("float", "half", "bfloat16")


@public("nn.isotonic_regression")
def isotonic_regression(
    inputs: Any, decreasing: bool = True, axis: int = -1, name: str | None = None
) -> tuple[EagerTensor, EagerTensor]:
    """The nearest monotone sequences along ``axis`` and the pools of equal values (``tf.nn.isotonic_regression``).

    The pair has names where it comes from the kernel as it is: decreasing, along the last axis.  As TensorFlow's, the
    gradient fits matrices only.  InvalidArgumentError for an axis that is not there.
    """
    x = convert_to_tensor(inputs)
    isotonic_.op.check(x._a.dtype, name)
    word = kernel_name(x._a.dtype)
    dtype = x._a.dtype if word in _KEPT else np.dtype(np.float32 if word in ("int8", "int16") else np.float64)
    rank = x._a.ndim
    if axis in (-1, rank - 1):
        return _solved(x, decreasing, dtype)
    if axis < -rank or axis >= rank:
        text = f"`dim` must be in the range [{-rank}, {rank}) where {rank} is the number of dimensions in the input. "
        raise InvalidArgumentError(None, None, f"{text}Received: dim={axis}")
    if isinstance(axis, float):
        no_fraction(axis % rank, axis % rank + 1, rank - 1)
    swapped = list(range(rank))
    swapped[axis], swapped[-1] = swapped[-1], swapped[axis]
    output, segments = (transpose(v, swapped) for v in _solved(transpose(x, swapped), decreasing, dtype))
    return output, segments


def _solved(x: EagerTensor, decreasing: bool, dtype: np.dtype) -> tuple[EagerTensor, EagerTensor]:
    if decreasing:
        return IsotonicRegression(*isotonic_(x, dtype=dtype))
    output, segments = isotonic_(negative(x), dtype=dtype)
    return negative(output), segments
