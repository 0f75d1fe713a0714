"""Functions of ``keras.ops`` that sort, search and count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import reference_impl as tf

from ...tensors.tensor import EagerTensor
from .promotion import both, canonical_axis, result_type, tensor
from .shaping import swapaxes


def sort(x: Any, axis: int | None = -1) -> EagerTensor:
    """In ascending order along an axis, or all as one."""
    x = tensor(x)
    if axis is None:
        x, axis = tf.reshape(x, [-1]), 0
    return tf.cast(tf.sort(tf.cast(x, "int8"), axis), "bool") if x.dtype.is_bool else tf.sort(x, axis)


def argsort(x: Any, axis: int | None = -1) -> EagerTensor:
    """The places of elements in ascending order."""
    x = tensor(x)
    if x.dtype.is_bool:
        x = tf.cast(x, "uint8")
    if not len(x.shape):
        return tf.cast([0], "int32")
    return tf.argsort(tf.reshape(x, [-1]), 0) if axis is None else tf.argsort(x, axis)


def argpartition(x: Any, kth: Any, axis: int | None = -1) -> EagerTensor:
    """Places such that none before the ``kth`` is of a larger whole number, and none behind of a smaller."""
    x = tensor(x, "int32")
    flat = axis is None
    x = tf.reshape(x, [-1]) if flat else swapaxes(x, axis, -1)
    count = tf.shape(x)[-1]
    kth = tf.clip_by_value(tf.cast(kth, tf.int32), 0, count - 1)
    below = tf.math.top_k(-x, kth + 1).indices
    chosen = tf.where(tf.reduce_sum(tf.one_hot(below, count, dtype=tf.int32), 0))
    left = tf.tensor_scatter_nd_update(x, chosen, tf.zeros(tf.shape(chosen)[0], tf.int32))
    found = tf.concat([below, tf.math.top_k(left, count - kth - 1).indices], -1)
    return found if flat else swapaxes(found, -1, axis)


def searchsorted(sorted_sequence: Any, values: Any, side: str = "left") -> EagerTensor:
    """Where values would stand in a sorted vector.  ValueError for more than one axis."""
    sorted_sequence, values = tensor(sorted_sequence), tensor(values)
    if len(sorted_sequence.shape) != 1:
        raise ValueError(
            "`searchsorted` only supports 1-D sorted sequences. You can use `keras.ops.vectorized_map` to extend it "
            f"to N-D sequences. Received: sorted_sequence.shape={sorted_sequence.shape}"
        )
    known = sorted_sequence.shape[0] is not None
    return tf.searchsorted(sorted_sequence, values, side=side, out_type="int32" if known else "int64")


def digitize(x: Any, bins: Any) -> EagerTensor:
    """How many of the bounds ``bins`` are not above each element, int32."""
    x = tensor(x)
    name = x.dtype.name
    if name in ("bool", "int8", "int16", "uint8", "uint16"):
        x = tf.cast(x, "int32")
    elif name == "uint32":
        x = tf.cast(x, "int64")
    elif name in ("bfloat16", "float16"):
        x = tf.cast(x, "float32")
    return tf.raw_ops.Bucketize(input=x, boundaries=[float(b) for b in bins])


def bincount(x: Any, weights: Any = None, minlength: int = 0, sparse: bool = False) -> Any:
    """How often (or with what weight) each whole number stands along the last axis."""
    x = tensor(x)
    dtype = "int32"
    if weights is not None:
        weights = tensor(weights)
        dtype = result_type(x.dtype, weights.dtype)
        if weights.dtype.name not in ("int32", "int64", "float32", "float64"):
            weights = tf.cast(weights, tf.int32 if "int" in weights.dtype.name else tf.float32)
    if x.dtype.name not in ("int32", "int64"):
        x = tf.cast(x, tf.int32)
    if sparse:
        return tf.cast(_sparse_counts(x, weights, minlength), dtype)
    return tf.cast(tf.math.bincount(x, weights=weights, minlength=minlength, axis=-1), dtype)


def _sparse_counts(x: EagerTensor, weights: Any, minlength: int) -> Any:
    """Counts with entries for the numbers that occur alone."""
    dense = tf.math.bincount(x, weights=weights, minlength=minlength, axis=-1)
    places = tf.where(tf.math.bincount(x, minlength=minlength, axis=-1) > 0)
    return tf.SparseTensor(places, tf.gather_nd(dense, places), tf.shape(dense, out_type="int64"))


def _check_histogram(bins: Any, range: Any) -> None:
    if not isinstance(bins, int):
        raise TypeError(f"Argument `bins` must be of type `int`. Received: bins={bins}")
    if bins < 0:
        raise ValueError(f"Argument `bins` should be a non-negative integer. Received: bins={bins}")
    if not range:
        return
    if len(range) < 2 or not isinstance(range, tuple):
        raise ValueError(f"Argument `range` must be a tuple of two elements. Received: range={range}")
    if range[1] < range[0]:
        raise ValueError(f"The second element of `range` must be greater than the first. Received: range={range}")


def histogram(x: Any, bins: int = 10, range: Any = None) -> tuple[EagerTensor, EagerTensor]:
    """How many elements of a vector stand in each of ``bins`` equal parts of a range; and the bounds of the parts."""
    _check_histogram(bins, range)
    x = tensor(x)
    if len(x.shape) > 1:
        raise ValueError(f"Input tensor must be 1-dimensional. Received: input.shape={x.shape}")
    low, high = (tf.reduce_min(x), tf.reduce_max(x)) if range is None else range
    x = tf.boolean_mask(x, tf.logical_and(x >= low, x <= high))
    edges = tf.cast(tf.linspace(low, high, bins + 1), x.dtype)
    places = tf.searchsorted(edges[1:-1], x, side="right")
    return tf.scatter_nd(tf.expand_dims(places, -1), tf.ones_like(places, dtype=x.dtype), (bins,)), edges


def isin(x1: Any, x2: Any, assume_unique: bool = False, invert: bool = False) -> EagerTensor:
    """Whether elements stand (or, inverted, do not) in another tensor; never where one of the two is empty."""
    a, b = both(x1, x2)
    shape = tf.shape(a)
    a, b = tf.reshape(a, [-1]), tf.reshape(b, [-1])
    if not assume_unique:
        b = tf.unique(b)[0]
    if tf.size(a) == 0 or tf.size(b) == 0:
        return tf.zeros(shape, tf.bool)
    found = tf.reduce_any(tf.equal(tf.expand_dims(a, 1), tf.expand_dims(b, 0)), 1)
    return tf.reshape(tf.logical_not(found) if invert else found, shape)


def _distinct(x: EagerTensor, axis: int | None, counted: bool) -> tuple[EagerTensor, EagerTensor, Any]:
    if axis is None:
        return tuple(tf.unique_with_counts(x)) if counted else (*tf.unique(x), None)
    op = tf.raw_ops.UniqueWithCountsV2 if counted else tf.raw_ops.UniqueV2
    found = op(x=x, axis=[axis])
    return tuple(found) if counted else (*found, None)


def _order_of(y: EagerTensor, axis: int) -> EagerTensor:
    """The order of slices along an axis: by their first element, then by the second, and so on."""
    if len(y.shape) == 1:
        return tf.argsort(y)
    axes = list(range(len(y.shape)))
    axes[0], axes[axis] = axes[axis], axes[0]
    rows = tf.transpose(y, axes)
    rows = tf.reshape(rows, [tf.shape(y)[axis], -1])

    def step(k: Any, order: Any) -> tuple[Any, Any]:
        return k - 1, tf.gather(order, tf.argsort(tf.gather(rows[:, k], order), stable=True))

    first = tf.range(tf.shape(y)[axis], dtype=tf.int32)
    return tf.while_loop(lambda k, _: k >= 0, step, [tf.shape(rows)[1] - 1, first])[1]


def _sized(y: EagerTensor, beside: list[Any], axis: int, size: Any, fill_value: Any) -> tuple[EagerTensor, list[Any]]:
    """So many slices: the first ones, and then the fill (1 for places, 0 for counts)."""
    count = tf.shape(y)[axis]
    kept = tf.range(tf.minimum(count, size))
    more = tf.maximum(0, size - count)
    y = tf.gather(y, kept, axis=axis)
    widths = [[0, more if k == axis else 0] for k in range(len(y.shape))]
    y = tf.pad(y, widths, constant_values=tf.cast(0 if fill_value is None else fill_value, y.dtype))
    filled = []
    for value, fill in zip(beside, (1, 0)):
        filled.append(None if value is None else tf.pad(tf.gather(value, kept), [[0, more]], constant_values=fill))
    return y, filled


def unique(
    x: Any, sorted: bool = True, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False,
    axis: int | None = None, size: Any = None, fill_value: Any = None,
) -> Any:  # fmt: skip
    """The distinct elements (or slices along an axis); on demand where each stands first, which one each is, how often.

    ``size`` makes them so many, the rest filled.
    """
    x = tensor(x)
    shape, flat = tf.shape(x), axis is None
    x = tf.reshape(x, [-1]) if flat else x
    axis = 0 if axis is None else canonical_axis(axis, len(x.shape))
    y, inverse, counts = _distinct(x, None if flat else axis, return_counts)
    places = None
    if return_index:
        steps = tf.range(tf.shape(x)[axis], dtype=tf.int32)
        places = tf.math.unsorted_segment_min(steps, inverse, tf.shape(y)[axis])
    if sorted:
        order = _order_of(y, axis)
        y = tf.gather(y, order, axis=axis)
        places = None if places is None else tf.gather(places, order)
        counts = None if counts is None else tf.gather(counts, order)
        if return_inverse:
            inverse = tf.gather(tf.math.invert_permutation(order), inverse)
    if size is not None:
        y, (places, counts) = _sized(y, [places, counts], axis, size, fill_value)
    if return_inverse and flat:
        inverse = tf.reshape(inverse, shape)
    found = [y] + [
        v for v, wanted in ((places, return_index), (inverse, return_inverse), (counts, return_counts)) if wanted
    ]
    return tuple(found) if len(found) > 1 else y


TABLE: dict[str, Callable[..., Any]] = {
    "sort": sort, "argsort": argsort, "argpartition": argpartition, "searchsorted": searchsorted,
    "digitize": digitize, "bincount": bincount, "histogram": histogram, "isin": isin, "unique": unique,
    "top_k": lambda x, k, sorted=True: tf.math.top_k(tensor(x), k, sorted),
    "in_top_k": lambda targets, predictions, k: tf.math.in_top_k(tensor(targets), tensor(predictions), k),
}  # fmt: skip
