"""Functions of ``keras.ops`` that are more than one call: NumPy's ways of taking, padding, slicing, mixing dtypes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

import reference_impl as tf

from ..tensors.tensor import EagerTensor
from .policy import epsilon, floatx, standardize_dtype
from .symbolic import KerasTensor
from .variables import Variable

_ORDER = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64")


def tensor(x: Any, dtype: Any = None) -> EagerTensor:
    """A tensor; Python floats have the default dtype of Keras, integers int32."""
    if isinstance(x, Variable):
        x = x.value
    if dtype is not None:
        made = tf.convert_to_tensor(x)
        return made if made.dtype.name == standardize_dtype(dtype) else tf.cast(made, standardize_dtype(dtype))
    return tf.convert_to_tensor(x)


def floating(x: Any) -> EagerTensor:
    """A tensor of floats."""
    x = tensor(x)
    return x if x.dtype.is_floating or x.dtype.is_complex else tf.cast(x, floatx())


def _scalar(x: Any) -> bool:
    return isinstance(x, (bool, int, float)) and not isinstance(x, np.generic)


def pair(a: Any, b: Any) -> tuple[EagerTensor, EagerTensor]:
    """Two tensors of one dtype."""
    if _scalar(a) and not _scalar(b):
        b, a = pair(b, a)
        return a, b
    a = tensor(a)
    if _scalar(b):
        whole = not a.dtype.is_floating
        dtype = floatx() if whole and isinstance(b, float) else "int32" if a.dtype.is_bool else a.dtype.name
        return (a if a.dtype.name == dtype else tf.cast(a, dtype)), tf.cast(tensor(b), dtype)
    b = tensor(b)
    if a.dtype is b.dtype or not {a.dtype.name, b.dtype.name} <= set(_ORDER):
        return a, b
    wide = max(a.dtype.name, b.dtype.name, key=_ORDER.index)
    return tf.cast(a, wide), tf.cast(b, wide)


def axes_of(axis: Any) -> Any:
    return list(axis) if isinstance(axis, tuple) else axis


def summed(x: Any) -> EagerTensor:
    x = tensor(x)
    small = x.dtype.is_bool or (x.dtype.is_integer and x.dtype.size < 4)
    return tf.cast(x, "uint32" if x.dtype.name.startswith("u") else "int32") if small else x


def truth(x: Any) -> EagerTensor:
    return tf.cast(tensor(x), "bool")


def matmul(x1: Any, x2: Any) -> EagerTensor:
    """The product of matrices, and of vectors."""
    a, b = pair(x1, x2)
    if len(a.shape) == 1 or len(b.shape) == 1:
        return tf.tensordot(a, b, [[-1], [0 if len(b.shape) == 1 else len(b.shape) - 2]])
    return tf.matmul(a, b)


def dot(x1: Any, x2: Any) -> EagerTensor:
    """NumPy's dot: over the last axis and the one before the last."""
    a, b = pair(x1, x2)
    if not len(a.shape) or not len(b.shape):
        return a * b
    return tf.tensordot(a, b, [[-1], [0 if len(b.shape) == 1 else len(b.shape) - 2]])


def take(x: Any, indices: Any, axis: int | None = None) -> EagerTensor:
    """Elements at indices along an axis; negative ones count from the end."""
    x, indices = tensor(x), tensor(indices)
    if axis is None:
        x, axis = tf.reshape(x, [-1]), 0
    count = tf.cast(tf.shape(x)[axis], indices.dtype)
    return tf.gather(x, tf.where(indices < 0, indices + count, indices), axis=axis)


def take_along_axis(x: Any, indices: Any, axis: int | None = None) -> EagerTensor:
    """For each place, the element at the index that stands there."""
    x, indices = tensor(x), tensor(indices)
    if axis is None:
        x, indices, axis = tf.reshape(x, [-1]), tf.reshape(indices, [-1]), 0
    axis = axis % len(x.shape)
    last = [k for k in range(len(x.shape)) if k != axis] + [axis]
    back = [last.index(k) for k in range(len(last))]
    moved, places = tf.transpose(x, last), tf.transpose(indices, last)
    places = tf.where(places < 0, places + tf.cast(tf.shape(moved)[-1], places.dtype), places)
    return tf.transpose(tf.gather(moved, places, batch_dims=len(last) - 1, axis=-1), back)


def split(x: Any, indices_or_sections: Any, axis: int = 0) -> list[EagerTensor]:
    """Parts along an axis: so many equal ones, or those between indices."""
    x = tensor(x)
    if isinstance(indices_or_sections, int):
        return tf.split(x, indices_or_sections, axis)
    ends = [0, *map(int, indices_or_sections), x.shape[axis]]
    return tf.split(x, [b - a for a, b in pairwise(ends)], axis)


def squeeze(x: Any, axis: Any = None) -> EagerTensor:
    """Without axes of size 1."""
    return tf.squeeze(tensor(x), axes_of(axis) if axis is not None else None)


def moments(x: Any, axes: Any, keepdims: bool = False, synchronized: bool = False) -> tuple[EagerTensor, EagerTensor]:
    """Mean and variance."""
    return tf.nn.moments(tensor(x), axes_of(axes), keepdims=keepdims)


def normalize(x: Any, axis: int = -1, order: int = 2, epsilon: float | None = None) -> EagerTensor:
    """The norms along an axis made 1."""
    x, small = floating(x), 1e-7 if epsilon is None else epsilon
    if order == 2:
        return x * tf.math.rsqrt(tf.maximum(tf.reduce_sum(tf.square(x), axis, True), small**2))
    return x / tf.maximum(tf.norm(x, order, axis, True), small)


def one_hot(x: Any, num_classes: int, axis: int = -1, dtype: Any = None, sparse: bool = False) -> EagerTensor:
    """Class numbers as rows with a single 1."""
    return tf.one_hot(tf.cast(tensor(x), "int64"), num_classes, axis=axis, dtype=dtype or floatx())


def where(condition: Any, x1: Any = None, x2: Any = None) -> Any:
    """Elements of one or the other tensor; alone, the places of what is True."""
    if x1 is None:
        return tf.unstack(tf.cast(tf.where(truth(condition)), "int32"), axis=-1)
    return tf.where(truth(condition), *pair(x1, x2))


def shape(x: Any) -> tuple:
    """The sizes, with tensors for those that are not known; of a KerasTensor with None."""
    if isinstance(x, KerasTensor):
        return x.shape
    x = tensor(x)
    known = tuple(x.shape)
    return tuple(tf.shape(x)[k] if size is None else size for k, size in enumerate(known))


def pad(x: Any, pad_width: Any, mode: str = "constant", constant_values: Any = None) -> EagerTensor:
    """Around the tensor, zeros, a value, or a reflection."""
    x = tensor(x)
    widths = [[pad_width] * 2] * len(x.shape) if isinstance(pad_width, int) else [list(w) for w in pad_width]
    widths = widths * len(x.shape) if len(widths) == 1 else widths
    return tf.pad(x, widths, mode.upper(), 0 if constant_values is None else constant_values)


def slice_of(inputs: Any, start_indices: Any, shape: Any) -> EagerTensor:
    """A block of a tensor."""
    return tf.slice(tensor(inputs), start_indices, shape)


def slice_update(inputs: Any, start_indices: Any, updates: Any) -> EagerTensor:
    """A tensor with a block replaced."""
    x, new = tensor(inputs), tensor(updates)
    grid = tf.stack(tf.meshgrid(*[tf.range(s) for s in new.shape], indexing="ij"), -1) + tf.cast(start_indices, "int32")
    return tf.tensor_scatter_nd_update(x, grid, new)


def arange(start: Any, stop: Any = None, step: Any = None, dtype: Any = None) -> EagerTensor:
    """Numbers in steps."""
    dtype = dtype or ("int32" if all(isinstance(v, (int, type(None))) for v in (start, stop, step)) else floatx())
    first, last = (0, start) if stop is None else (start, stop)
    return tf.range(first, last, 1 if step is None else step, dtype=dtype)


def std(x: Any, axis: Any = None, keepdims: bool = False) -> EagerTensor:
    """The standard deviation."""
    return tf.math.reduce_std(floating(x), axes_of(axis), keepdims)


def repeat(x: Any, repeats: Any, axis: int | None = None) -> EagerTensor:
    """Each element so many times."""
    return tf.repeat(tensor(x), repeats, axis)


def log_softmax(x: Any, axis: int = -1) -> EagerTensor:
    """The logarithm of ``softmax``."""
    return tf.nn.log_softmax(floating(x), axis)


def softmax(x: Any, axis: int = -1) -> EagerTensor:
    """Probabilities along an axis."""
    return tf.nn.softmax(floating(x), axis)


def cond(pred: Any, true_fn: Any, false_fn: Any) -> Any:
    """What one of two functions gives."""
    return tf.cond(tensor(pred), true_fn, false_fn)


def transpose(x: Any, axes: Any = None) -> EagerTensor:
    """The axes in another order."""
    return tf.transpose(tensor(x), axes)


def clip(x: Any, x_min: Any, x_max: Any) -> EagerTensor:
    """Between two bounds."""
    x = tensor(x)
    return tf.clip_by_value(x, tf.cast(x_min, x.dtype), tf.cast(x_max, x.dtype))


def swapaxes(x: Any, axis1: int, axis2: int) -> EagerTensor:
    """Two axes in each other's places."""
    x = tensor(x)
    order = list(range(len(x.shape)))
    order[axis1], order[axis2] = order[axis2], order[axis1]
    return tf.transpose(x, order)


def moveaxis(x: Any, source: Any, destination: Any) -> EagerTensor:
    """Axes moved to other places."""
    x = tensor(x)
    rank = len(x.shape)
    froms, tos = ([k % rank for k in ([v] if isinstance(v, int) else v)] for v in (source, destination))
    order = [k for k in range(rank) if k not in froms]
    for to, origin in sorted(zip(tos, froms)):
        order.insert(to, origin)
    return tf.transpose(x, order)


def stacked(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of a list of tensors of one dtype."""

    def call(xs: Any, axis: int = 0) -> EagerTensor:
        tensors = [tensor(x) for x in xs]
        wide = max((t.dtype.name for t in tensors), key=lambda n: _ORDER.index(n) if n in _ORDER else 99)
        return function([t if t.dtype.name == wide else tf.cast(t, wide) for t in tensors], axis)

    return call


def binary_crossentropy(target: Any, output: Any, from_logits: bool = False) -> EagerTensor:
    """The cross entropy of each probability (or logit) of yes."""
    labels, output = tensor(target), tensor(output)
    if from_logits:
        return tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=output)
    p = tf.clip_by_value(output, epsilon(), 1.0 - epsilon())
    return -(labels * tf.math.log(p) + (1.0 - labels) * tf.math.log(1.0 - p))


def arg(function: Callable[..., Any], x: Any, axis: int | None, keepdims: bool) -> EagerTensor:
    x = tensor(x)
    if axis is None:
        found = function(tf.reshape(x, [-1]), 0, output_type="int32")
        return tf.reshape(found, [1] * len(x.shape)) if keepdims else found
    found = function(x, axis, output_type="int32")
    return tf.expand_dims(found, axis) if keepdims else found


def flat(x: Any, axis: int | None) -> tuple[EagerTensor, int]:
    x = tensor(x)
    return (tf.reshape(x, [-1]), 0) if axis is None else (x, axis)


def segments(function: Callable[..., Any], data: Any, ids: Any, count: Any) -> EagerTensor:
    ids = tensor(ids)
    return function(tensor(data), ids, tf.reduce_max(ids) + 1 if count is None else count)


def triangle(x: Any, k: int, lower: bool) -> EagerTensor:
    x = tensor(x)
    rows, columns = tf.range(tf.shape(x)[-2])[:, None], tf.range(tf.shape(x)[-1])[None, :]
    kept = columns <= rows + k if lower else columns >= rows + k
    return tf.where(kept, x, tf.zeros_like(x))
