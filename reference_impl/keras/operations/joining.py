"""Functions of ``keras.ops`` that put tensors together and take them apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import reference_impl as tf

from ...tensors.tensor import EagerTensor
from .promotion import both, of_one_dtype, shape_of, tensor


def concatenate(xs: Any, axis: int = 0) -> EagerTensor:
    """One after another along an axis."""
    return tf.concat(of_one_dtype([tensor(x) for x in xs]), axis)


def stack(x: Any, axis: int = 0) -> EagerTensor:
    """Along a new axis."""
    return tf.stack(of_one_dtype(x), axis)


def hstack(xs: Any) -> EagerTensor:
    """Along the second axis; vectors along their only one."""
    xs = of_one_dtype(xs)
    return tf.concat(xs, 0 if len(xs[0].shape) == 1 else 1)


def vstack(xs: Any) -> EagerTensor:
    """Along the first axis."""
    return tf.concat(of_one_dtype(xs), 0)


def dstack(xs: Any) -> EagerTensor:
    """Along the third axis; numbers, vectors and matrices get the axes they lack."""
    wide = []
    for x in of_one_dtype([tensor(x) for x in xs]):
        rank = len(x.shape)
        if rank == 0:
            x = tf.reshape(x, (1, 1, 1))
        elif rank == 1:
            x = tf.expand_dims(tf.expand_dims(x, 0), 2)
        wide.append(tf.expand_dims(x, 2) if rank == 2 else x)
    return tf.concat(wide, 2)


def append(x1: Any, x2: Any, axis: int | None = None) -> EagerTensor:
    """One tensor and another behind it, along an axis or all as one."""
    a, b = both(x1, x2)
    if axis is None:
        return tf.concat([tf.reshape(a, [-1]), tf.reshape(b, [-1])], 0)
    return tf.concat([a, b], axis)


def split(x: Any, indices_or_sections: Any, axis: int = 0) -> list[EagerTensor]:
    """Parts along an axis: so many equal ones, or those between places."""
    x = tensor(x)
    if isinstance(indices_or_sections, int):
        return tf.split(x, indices_or_sections, axis)
    ends = tensor(indices_or_sections)
    sizes = tf.concat([ends[0:1], ends[1:] - ends[:-1], x.shape[axis] - ends[-1:]], 0)
    return tf.split(x, sizes, axis)


def array_split(x: Any, indices_or_sections: int, axis: int = 0) -> list[EagerTensor]:
    """So many parts along an axis, the first ones larger by one where they cannot be equal.

    TypeError and ValueError for numbers of parts that are none.
    """
    if not isinstance(indices_or_sections, int):
        raise TypeError(
            f"Argument `indices_or_sections` must be of type `int`. Received: indices_or_sections={indices_or_sections}"
        )
    if indices_or_sections <= 0:
        raise ValueError(
            "Argument `indices_or_sections` must be a positive integer. Received: "
            f"indices_or_sections={indices_or_sections}"
        )
    if not isinstance(axis, int):
        raise TypeError(f"Argument `axis` must be of type `int`. Received: {axis}")
    x = tensor(x)
    size, larger = divmod(shape_of(x)[axis], indices_or_sections)
    return tf.split(x, [size + 1] * larger + [size] * (indices_or_sections - larger), axis)


def hsplit(x: Any, indices_or_sections: Any) -> list[EagerTensor]:
    """Parts along the second axis; of vectors along their only one."""
    x = tensor(x)
    return split(x, indices_or_sections, axis=0 if len(x.shape) == 1 else 1)


TABLE: dict[str, Callable[..., Any]] = {
    "concatenate": concatenate, "stack": stack, "hstack": hstack, "vstack": vstack, "dstack": dstack,
    "append": append, "split": split, "array_split": array_split, "hsplit": hsplit,
    "vsplit": lambda x, indices_or_sections: split(x, indices_or_sections, axis=0),
    "dsplit": lambda x, indices_or_sections: split(x, indices_or_sections, axis=2),
    "unstack": lambda x, num=None, axis=0: tf.unstack(tensor(x), num, axis),
    "meshgrid": lambda *x, indexing="xy": tf.meshgrid(*x, indexing=indexing),
}  # fmt: skip
