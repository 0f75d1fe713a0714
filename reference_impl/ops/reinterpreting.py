"""Small functions made of other ops: histograms, tests of order and rank, polynomials, normalize."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import as_dtype, int32
from ..errors import InvalidArgumentError, invalid
from ..foundation.floating_point import guarded
from ..tensors.conversion import convert_to_tensor
from ..tensors.slices import IndexedSlices
from ..tensors.tensor import EagerTensor, wrap
from .arguments import check
from .casting import cast, identity
from .declare import MISSING, kernel, public
from .logic import div_no_nan
from .making import zeros_like
from .norms import clip_by_value, norm
from .rounding import floor
from .shaping import reshape
from .sums import add_n


def _histogram(x: Any, bounds: Any, bins: int, dtype: np.dtype) -> Any:
    low, high = float(bounds[0]), float(bounds[1])
    if x.dtype.kind == "f" and np.isnan(x).any():
        raise invalid("HistogramFixedWidth", "Histogram values must not contain NaN")
    place = np.clip(np.floor((x.ravel() - low) / ((high - low) / bins)), 0, bins - 1).astype(np.int64)
    return np.bincount(place, minlength=bins).astype(dtype)


histogram_ = kernel("histogram_fixed_width", "HistogramFixedWidth", forward=_histogram, gradient=MISSING)


@public("histogram_fixed_width")
def histogram_fixed_width(
    values: Any, value_range: Any, nbins: int = 100, dtype: Any = int32, name: str | None = None
) -> EagerTensor:
    """How many values lie in each of ``nbins`` equal parts of a range (``tf.histogram_fixed_width``)."""
    x = convert_to_tensor(values)
    bounds, count = convert_to_tensor(value_range, dtype_hint=x.dtype), convert_to_tensor(nbins, int32)
    check("HistogramFixedWidth", name, values=x, value_range=bounds, dtype=as_dtype(dtype))
    text = _unfit_bins(bounds._a, count._a)
    if text:
        raise invalid("HistogramFixedWidth", text, name)
    return histogram_(x, bounds, bins=int(count._a), dtype=as_dtype(dtype).numpy)


def _unfit_bins(bounds: Any, count: Any) -> str:
    if bounds.ndim != 1:
        return "value_range should be a vector."
    if bounds.size != 2:
        return "value_range should be a vector of 2 elements."
    if not bounds[0] < bounds[1]:
        span = ", ".join(f"{v:.6g}" for v in bounds.tolist())
        return f"value_range should satisfy value_range[0] < value_range[1], but got '[{span}]'"
    if count.ndim:
        return "nbins should be a scalar."
    return f"nbins should be a positive number, but got '{int(count)}'" if count <= 0 else ""


@public("histogram_fixed_width_bins")
def histogram_fixed_width_bins(
    values: Any, value_range: Any, nbins: Any = 100, dtype: Any = int32, name: str | None = None
) -> EagerTensor:
    """The part of a range in which each value lies, of ``nbins`` equal ones: int32 of the shape of ``values``.

    Values outside are in the first or the last part (``tf.histogram_fixed_width_bins``); no gradient.
    """
    x = convert_to_tensor(values)
    flat, bounds = reshape(x, [-1]), convert_to_tensor(value_range)
    count = convert_to_tensor(nbins, int32)
    if not (count._a > 0).all():
        failed = "Expected 'tf.Tensor(False, shape=(), dtype=bool)' to be true."
        text = f"{failed} Summarized data: b'nbins {count!s} must > 0'"
        raise InvalidArgumentError(None, None, text)
    parts = cast(count, x.dtype)
    place = floor(parts * ((flat - bounds[0]) / (bounds[1] - bounds[0])))
    return reshape(cast(clip_by_value(place, 0, parts - 1), int32), x._a.shape)


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
    return wrap(np.bool_(guarded(lambda: np.all(test(np.diff(flat), 0)))))


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
    rows, wanted = convert_to_tensor(predictions, "float32")._a, np.asarray(convert_to_tensor(targets)._a)
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
