"""How often whole numbers occur, and between which bounds numbers stand: bincount, Bucketize."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ..dtypes import as_dtype, int32
from ..errors import invalid
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .declare import MISSING, kernel, public
from .shaping import reshape


def _misfit(numbers: np.ndarray, weights: np.ndarray, most: Any) -> str | None:
    """What is not counted."""
    if numbers.ndim > 2:
        return f"Shape must be at most rank 2 but is rank {numbers.ndim}"
    if numbers.size and numbers.min() < 0:
        return "Input arr must be non-negative!"
    if most is not None and most < 0:
        return f"size ({most}) must be non-negative"
    if weights.size not in (0, numbers.size):
        text = "`weights` must be the same shape as `arr` or a length-0 `Tensor`, in which case it acts as all weights"
        return f"{text} equal to 1. Received [{weights.size}]"
    return None


def _counted(x: Any, w: Any, least: int, most: int | None, binary: bool, weighed: bool) -> np.ndarray:
    """Counts (or sums of weights) of a vector, or of each row of a matrix."""
    numbers, weights = np.asarray(x), np.asarray(w)
    misfit = _misfit(numbers, weights, most)
    if misfit:
        raise invalid("DenseBincount", misfit)
    rows = np.atleast_2d(numbers).astype(np.int64)  # fractions are cut off
    length = max(int(rows.max(initial=-1)) + 1, least)
    length = length if most is None else min(length, most)
    inside = rows < length
    places = (np.arange(len(rows))[:, None] * length + rows)[inside]
    if weighed:
        each = weights.reshape(rows.shape) if weights.size else np.ones(rows.shape, weights.dtype)
        found = np.bincount(places, each[inside], minlength=length * len(rows))
    else:
        found = np.bincount(places, minlength=length * len(rows))
    found = np.minimum(found, 1) if binary else found
    return found.reshape((length,) if numbers.ndim < 2 else (len(rows), length)).astype(weights.dtype)


counted_ = kernel("dense_bincount", "DenseBincount", forward=_counted, gradient=MISSING)


@public("math.bincount")
def bincount(
    arr: Any, weights: Any = None, minlength: Any = None, maxlength: Any = None, dtype: Any = int32,
    name: str | None = None, axis: Any = None, binary_output: bool = False,
) -> EagerTensor:  # fmt: skip
    """How often each whole number occurs, or (``axis=-1``) occurs in each row (``tf.math.bincount``).

    The weights have no gradient, which is a LookupError.  ValueError for other axes, and for weights of what only
    says whether a number occurs.
    """
    if binary_output and weights is not None:
        raise ValueError("Arguments `binary_output` and `weights` are mutually exclusive. Please specify only one.")
    if axis not in (None, 0, -1):
        raise ValueError(f"Unsupported value for argument axis={axis}. Only 0 and -1 are currently supported.")
    numbers = convert_to_tensor(arr)
    weighed = weights is not None
    weights = convert_to_tensor(weights if weighed else np.zeros(0, as_dtype(dtype).numpy))
    if axis != -1:
        numbers = reshape(numbers, [-1])
    return counted_(
        numbers, weights, least=0 if minlength is None else int(minlength), binary=binary_output, weighed=weighed,
        most=None if maxlength is None else int(maxlength),
    )  # fmt: skip


def _bucket(x: Any, boundaries: tuple[float, ...]) -> Any:
    return np.asarray(np.searchsorted(np.array(boundaries, np.float32), x, side="right")).astype(np.int32)


bucketize_ = kernel("bucketize", "Bucketize", inputs="input", forward=_bucket, gradient=MISSING)


@public("raw_ops.Bucketize")
def Bucketize(*, input: Any, boundaries: Any, name: str | None = None) -> EagerTensor:
    """How many of the boundaries are not above each element, int32.  InvalidArgumentError for those out of order."""
    bounds = tuple(float(b) for b in boundaries)
    if any(b < a for a, b in pairwise(bounds)):
        raise invalid("Bucketize", "Expected sorted boundaries", name)
    return bucketize_(convert_to_tensor(input), boundaries=bounds)
