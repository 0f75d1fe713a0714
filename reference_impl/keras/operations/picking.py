"""Functions of ``keras.ops`` that take elements by place or by condition, and put them there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import reference_impl as tf

from ...ops.blocks_in_place import dynamic_update_slice
from ...tensors.tensor import EagerTensor
from ..policy import standardize_dtype
from .promotion import canonical_axis, is_number, pair, shape_of, tensor, truth
from .shaping import swapaxes


def take(x: Any, indices: Any, axis: int | None = None) -> EagerTensor:
    """Elements at places along an axis; negative ones count from the end."""
    x, indices = tensor(x), tensor(indices)
    if axis is None:
        x, axis = tf.reshape(x, [-1]), 0
    return tf.gather(x, _from_the_front(indices, tf.shape(x)[axis]), axis=axis)


def _from_the_front(places: EagerTensor, size: Any) -> EagerTensor:
    return tf.where(places < 0, places + tf.cast(size, places.dtype), places)


def take_along_axis(x: Any, indices: Any, axis: int | None = None) -> EagerTensor:
    """For each place, the element at the index that stands there; the other axes are broadcast."""
    x, indices = tensor(x), tensor(indices, "int64")
    if axis is None:
        if len(indices.shape) != 1:
            raise ValueError(f"`indices` must be 1D if axis=None. Received: indices.shape={indices.shape}")
        return take_along_axis(tf.reshape(x, [-1]), indices, 0)
    rank = len(x.shape)
    if rank != len(indices.shape):
        raise ValueError(
            f"`x` and `indices` must have the same number of dimensions, but receive shape {list(x.shape)} and "
            f"{list(indices.shape)}."
        )
    x, indices = _broadcast_but(x, indices, canonical_axis(axis, rank))
    indices = _from_the_front(indices, tf.shape(x)[axis])
    x, indices = swapaxes(x, axis, -1), swapaxes(indices, axis, -1)
    sizes = tf.shape(indices)
    rows = tf.gather(tf.reshape(x, [-1, tf.shape(x)[-1]]), tf.reshape(indices, [-1, sizes[-1]]), batch_dims=1)
    return swapaxes(tf.reshape(rows, sizes), axis, -1)


def _broadcast_but(x: EagerTensor, indices: EagerTensor, axis: int) -> tuple[EagerTensor, EagerTensor]:
    """Two tensors broadcast to one another along all axes but one."""
    known = [[1 if k == axis else size for k, size in enumerate(v.shape)] for v in (x, indices)]
    if known[0] == known[1] and None not in known[0]:
        return x, indices
    common = []
    for a, b in zip(shape_of(x), shape_of(indices)):
        both = isinstance(a, int) and isinstance(b, int)
        if both and len(common) != axis and 1 not in (a, b) and a != b:
            wanted = [*x.shape[:axis], indices.shape[axis], *x.shape[axis + 1 :]]
            raise ValueError(
                f"Cannot broadcast shape, the failure dim has value {a}, which cannot be broadcasted to {b}. Input "
                f"shapes are: {wanted} and {list(indices.shape)}."
            )
        common.append((b if a == 1 else a) if both else tf.maximum(a, b))
    found = []
    for v in (x, indices):
        sizes = list(common)
        sizes[axis] = shape_of(v)[axis]
        found.append(tf.broadcast_to(v, sizes))
    return found[0], found[1]


def nonzero(x: Any) -> list[EagerTensor]:
    """The places of what is not zero, int32, axis by axis."""
    x = tensor(x)
    return [tf.cast(k, "int32") for k in tf.unstack(tf.where(truth(x)), len(x.shape), axis=1)]


def where(condition: Any, x1: Any = None, x2: Any = None) -> Any:
    """Elements of one or the other tensor; alone, the places of what is true.  ValueError for one tensor only."""
    if (x1 is None) != (x2 is None):
        raise ValueError("`x1` and `x2` either both should be `None` or both should have non-None value.")
    return nonzero(truth(condition)) if x1 is None else tf.where(truth(condition), *pair(x1, x2))


def select(condlist: Any, choicelist: Any, default: Any = 0) -> EagerTensor:
    """Elements of the first tensor whose condition holds.  ValueError for what are no lists, or empty ones."""
    if not isinstance(condlist, (list, tuple)) or not isinstance(choicelist, (list, tuple)):
        raise ValueError(
            f"condlist and choicelist must be lists. Received: type(condlist) = {type(condlist)}, type(choicelist) = "
            f"{type(choicelist)}"
        )
    if not condlist or not choicelist:
        raise ValueError(
            f"condlist and choicelist must not be empty. Received: condlist = {list(condlist)}, choicelist = "
            f"{list(choicelist)}"
        )
    if len(condlist) != len(choicelist):
        raise ValueError(f"condlist must have length equal to choicelist ({len(condlist)} vs {len(choicelist)})")
    kinds = [type(x)() if is_number(x) else tensor(x).dtype.as_numpy_dtype for x in (default, *choicelist)]
    dtype = np.result_type(*kinds)  # by NumPy's rules, not by Keras's
    found = tf.cast(tensor(default), dtype)
    for condition, choice in zip(reversed(condlist), reversed(choicelist)):
        found = tf.where(truth(condition), tf.cast(tensor(choice), dtype), found)
    return found


def slice_update(inputs: Any, start_indices: Any, updates: Any) -> EagerTensor:
    """A tensor with a block replaced, moved to where it fits; TensorFlow's op for it has no gradient (LookupError)."""
    return dynamic_update_slice(tensor(inputs), tensor(updates), start_indices)


def scatter(indices: Any, values: Any, shape: Any) -> EagerTensor:
    """Zeros with values at places; added where places meet."""
    return tf.scatter_nd(indices, values, shape)


def scatter_update(inputs: Any, indices: Any, updates: Any, reduction: str | None = None) -> EagerTensor:
    """A tensor with elements (or slices) at places replaced, added to, multiplied, or the larger or smaller taken.

    ValueError for a reduction that is none of "add", "max", "min", "mul".
    """
    kinds = {
        None: tf.tensor_scatter_nd_update, "add": tf.tensor_scatter_nd_add, "max": tf.tensor_scatter_nd_max,
        "min": tf.tensor_scatter_nd_min, "mul": _multiplied,
    }  # fmt: skip
    name = None if reduction is None else reduction.lower()
    if name not in kinds:
        raise ValueError(f"Invalid reduction: {name}. Supported values are: None, 'add', 'max', 'min', 'mul'.")
    return kinds[name](tensor(inputs), tensor(indices), tensor(updates))


def _multiplied(x: EagerTensor, indices: EagerTensor, updates: EagerTensor) -> EagerTensor:
    """One update after another."""

    def step(k: Any, found: Any) -> tuple[Any, Any]:
        place = indices[k : k + 1]
        return k + 1, tf.tensor_scatter_nd_update(found, place, tf.gather_nd(found, place) * updates[k])

    return tf.while_loop(lambda k, _: k < tf.shape(indices)[0], step, [0, x])[1]


def unravel_index(indices: Any, shape: Any) -> tuple[EagerTensor, ...]:
    """Places in the order of reading as places along each axis.  ValueError for sizes that are not known."""
    places = tensor(indices)
    if None in shape:
        raise ValueError(f"`shape` argument cannot contain `None`. Received: shape={shape}")
    found = []
    for size in reversed(shape) if len(places.shape) == 1 else shape:  # as TensorFlow's Keras goes about it
        found.append(places % size)
        places = places // size
    return tuple(reversed(found))


def one_hot(x: Any, num_classes: int, axis: int = -1, dtype: Any = None, sparse: bool = False) -> Any:
    """Class numbers as rows with a single 1."""
    x, dtype = tensor(x, "int64"), standardize_dtype(dtype)
    on, off = (True, False) if dtype == "bool" else (None, None)
    if sparse:
        return _sparse_one_hot(x, num_classes, axis, dtype)
    return tf.one_hot(x, num_classes, on_value=on, off_value=off, axis=axis, dtype=dtype)


def _sparse_one_hot(x: EagerTensor, num_classes: int, axis: int, dtype: str) -> Any:
    """Rows with one entry each; it is 0 where the class number is negative."""
    sizes, rank = [int(size) for size in x.shape], len(x.shape) + 1
    places = tf.meshgrid(*[tf.range(size, dtype="int64") for size in sizes], indexing="ij")
    places.insert(axis % rank, tf.maximum(x, 0))
    sizes.insert(axis % rank, num_classes)
    flat = tf.reshape(tf.stack(places, -1), [-1, rank])
    return tf.SparseTensor(flat, tf.cast(tf.reshape(x >= 0, [-1]), dtype), sizes)


def multi_hot(
    inputs: Any, num_classes: int | None = None, axis: int = -1, dtype: Any = None, sparse: bool = False, **kwargs: Any
) -> Any:
    """Rows of class numbers as rows with a 1 for each of them.  ValueError without the number of classes."""
    count = kwargs.pop("num_tokens", None) if num_classes is None else num_classes
    if count is None:
        raise ValueError("Argument `num_classes` must be specified.")
    x = tensor(inputs)
    along = 1 if len(x.shape) > 1 else 0
    if sparse:
        name = standardize_dtype(dtype)
        each = one_hot(x, count, axis=axis, dtype="int8" if name == "bool" else name, sparse=True)
        return tf.cast(tf.sparse.reduce_max(each, axis=along, output_is_sparse=True), name)
    each = one_hot(x, count, axis=axis, dtype=dtype)
    return tf.reduce_any(each, along) if each.dtype.is_bool else tf.reduce_max(each, along)


TABLE: dict[str, Callable[..., Any]] = {
    "take": take, "take_along_axis": take_along_axis, "nonzero": nonzero, "where": where, "select": select,
    "get_item": lambda x, key: tensor(x)[key],
    "slice": lambda inputs, start_indices, shape: tf.slice(tensor(inputs), start_indices, shape),
    "slice_update": slice_update, "scatter": scatter,
    "scatter_update": scatter_update, "unravel_index": unravel_index, "one_hot": one_hot, "multi_hot": multi_hot,
}  # fmt: skip
