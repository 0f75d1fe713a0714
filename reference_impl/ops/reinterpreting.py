"""Small functions made of other ops: histograms, tests of order and rank, polynomials, normalize."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import as_dtype, int32
from ..errors import invalid
from ..tensors.conversion import convert_to_tensor
from ..tensors.slices import IndexedSlices
from ..tensors.tensor import EagerTensor, wrap
from .arguments import check
from .casting import identity
from .declare import MISSING, kernel, public
from .logic import div_no_nan
from .making import zeros_like
from .norms import norm
from .sums import add_n


def _histogram(x: Any, bounds: Any, bins: int, dtype: np.dtype) -> Any:
    low, high = float(bounds[0]), float(bounds[1])
    place = np.clip(np.floor((x.ravel() - low) / ((high - low) / bins)), 0, bins - 1).astype(np.int64)
    return np.bincount(place, minlength=bins).astype(dtype)


histogram_ = kernel("histogram_fixed_width", "HistogramFixedWidth", forward=_histogram, gradient=MISSING)


@public("histogram_fixed_width")
def histogram_fixed_width(
    values: Any, value_range: Any, nbins: int = 100, dtype: Any = int32, name: str | None = None
) -> EagerTensor:
    """How many values lie in each of ``nbins`` equal parts of a range (``tf.histogram_fixed_width``)."""
    x = convert_to_tensor(values)
    bounds = convert_to_tensor(value_range, dtype_hint=x.dtype)
    return histogram_(x, bounds, bins=int(nbins), dtype=as_dtype(dtype).numpy)


@public("math.accumulate_n")
def accumulate_n(inputs: Any, shape: Any = None, tensor_dtype: Any = None, name: str | None = None) -> EagerTensor:
    """The sum of a list of tensors, as ``add_n`` (``tf.math.accumulate_n``).  ValueError for an empty or mixed list."""
    error = ValueError("inputs must be a list of at least one Tensor with the same dtype and shape")
    if not inputs or not isinstance(inputs, (list, tuple)):
        raise error
    if any(x is None or type(x) is IndexedSlices for x in inputs):
        raise error
    xs = [convert_to_tensor(x) for x in inputs]
    if any(x.dtype is not xs[0].dtype for x in xs):
        raise error
    if len(xs) == 1:
        return xs[0] if name is None else identity(xs[0])
    return add_n(xs, name)


@public("math.polyval")
def polyval(coeffs: Any, x: Any, name: str | None = None) -> EagerTensor:
    """A polynomial, its highest coefficient first, by Horner's scheme (``tf.math.polyval``)."""
    if not isinstance(coeffs, list):
        raise ValueError(f"Argument coeffs must be list type. Received type {type(coeffs)}.")
    x = convert_to_tensor(x)
    if not coeffs:
        return zeros_like(x)
    terms = [convert_to_tensor(c) for c in coeffs]
    value = terms[0]
    for term in terms[1:]:
        value = term + value * x
    return value


@public("math.reciprocal_no_nan")
def reciprocal_no_nan(x: Any, name: str | None = None) -> EagerTensor:
    """1 / x, and 0 where x is 0 (``tf.math.reciprocal_no_nan``)."""
    x = convert_to_tensor(x)
    return div_no_nan(convert_to_tensor(1, x.dtype), x, name)


def _steps_all(x: Any, test: Any) -> EagerTensor:
    flat = np.asarray(convert_to_tensor(x)._a).ravel()
    return wrap(np.bool_(np.all(test(np.diff(flat), 0))))


@public("math.is_non_decreasing")
def is_non_decreasing(x: Any, name: str | None = None) -> EagerTensor:
    """Whether no element is smaller than the one before it (``tf.math.is_non_decreasing``)."""
    return _steps_all(x, np.greater_equal)


@public("math.is_strictly_increasing")
def is_strictly_increasing(x: Any, name: str | None = None) -> EagerTensor:
    """Whether every element is larger than the one before it (``tf.math.is_strictly_increasing``)."""
    return _steps_all(x, np.greater)


@public("math.in_top_k nn.in_top_k")
def in_top_k(targets: Any, predictions: Any, k: Any, name: str | None = None) -> EagerTensor:
    """Whether each target is among the ``k`` largest predictions of its row (``tf.math.in_top_k``)."""
    rows, wanted = np.asarray(convert_to_tensor(predictions)._a), np.asarray(convert_to_tensor(targets)._a)
    check("InTopKV2", name, predictions=rows, targets=wanted)
    for word, array, rank in (("predictions", rows, 2), ("targets", wanted, 1)):
        if array.ndim != rank:
            raise invalid("InTopKV2", f"{word} must be {rank}-dimensional", name)
    if len(rows) != len(wanted):
        text = f"First dimension of predictions {len(rows)} must match length of targets {len(wanted)}"
        raise invalid("InTopKV2", text, name)
    there = (wanted >= 0) & (wanted < rows.shape[1])  # what is no class is not among any
    mine = np.take_along_axis(rows, np.where(there, wanted, 0)[:, None], axis=1)
    finite = np.isfinite(rows).all(axis=1)
    return wrap(((rows > mine).sum(axis=1) < int(k)) & finite & there)


@public("unravel_index")
def unravel_index(indices: Any, dims: Any, name: str | None = None) -> EagerTensor:
    """Flat indices as one row of coordinates for each axis (``tf.unravel_index``)."""
    at = np.asarray(convert_to_tensor(indices)._a)
    sizes = tuple(int(d) for d in np.asarray(convert_to_tensor(dims)._a))
    return wrap(np.stack(np.unravel_index(at, sizes)).astype(at.dtype))


@public("linalg.normalize")
def normalize(
    tensor: Any, ord: Any = "euclidean", axis: Any = None, name: str | None = None
) -> tuple[EagerTensor, EagerTensor]:
    """A tensor divided by its norm along ``axis``, and that norm (``tf.linalg.normalize``)."""
    from .casting import cast

    x = convert_to_tensor(tensor)
    length = cast(norm(x, ord, axis, keepdims=True), x.dtype)
    return x / length, length
