"""Functions of ``keras.ops`` that change shapes and the order of elements."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np

import reference_impl as tf

from ...tensors.tensor import EagerTensor
from ..symbolic import KerasTensor
from .promotion import canonical_axis, listed, shape_of, tensor


def reshape(x: Any, newshape: Any) -> EagerTensor:
    """The elements in another shape; one size may be -1.  ValueError for sizes that are none."""
    if not tf.is_tensor(newshape) and not isinstance(newshape, KerasTensor):
        try:
            newshape = tuple(newshape)
        except TypeError:
            newshape = (newshape,)
        _check_sizes(newshape)
    return tf.reshape(tensor(x), newshape)


def _check_sizes(newshape: tuple) -> None:
    known = [size for size in newshape if isinstance(size, (int, np.integer))]
    if any(size < -1 for size in known):
        raise ValueError(
            "Each dimension in `newshape` must be a non-negative integer, or `-1` for a single unknown dimension. "
            f"Received: newshape={newshape}."
        )
    if known.count(-1) > 1:
        raise ValueError(
            f"There must be at most one unknown dimension (-1) in `newshape`. Received: newshape={newshape}."
        )


def transpose(x: Any, axes: Any = None) -> EagerTensor:
    """The axes in another order.  ValueError for axes that are not there, or named twice."""
    x = tensor(x)
    if axes:
        given = list(axes)
        axes = tuple(canonical_axis(axis, len(x.shape)) for axis in given)
        if len(set(axes)) != len(axes):
            raise ValueError(
                "`axes` must be a valid permutation of the input dimensions (no duplicates). Received: "
                f"axes={list(axes)} for input of rank {len(x.shape)}."
            )
    return tf.transpose(x, axes)


def expand_dims(x: Any, axis: Any) -> EagerTensor:
    """With new axes of size 1 at these places of the result."""
    x, axes = tensor(x), listed(axis)
    rank = len(x.shape) + len(axes)
    for a in sorted(canonical_axis(a, rank) for a in axes):
        x = tf.expand_dims(x, a)
    return x


def squeeze(x: Any, axis: Any = None) -> EagerTensor:
    """Without axes of size 1.  ValueError for an axis of another size."""
    x, axes = tensor(x), listed(axis)
    if axes is None:
        return tf.squeeze(x)
    for a in axes:
        if tuple(x.shape)[a] != 1:
            raise ValueError(f"Cannot squeeze axis={a}, because the dimension is not 1.")
    return tf.squeeze(x, sorted(canonical_axis(a, len(x.shape)) for a in axes))


def flip(x: Any, axis: Any = None) -> EagerTensor:
    """Backwards along axes, or along all."""
    x = tensor(x)
    rank = len(x.shape)
    axes = range(rank) if axis is None else [canonical_axis(a, rank) for a in listed(axis)]
    return tf.reverse(x, list(axes))


def roll(x: Any, shift: Any, axis: Any = None) -> EagerTensor:
    """Elements moved along an axis, or in the order of reading; what leaves comes in again."""
    x = tensor(x)
    if axis is not None:
        return tf.roll(x, shift, axis)
    return tf.reshape(tf.roll(tf.reshape(x, [-1]), shift, 0), tf.shape(x))


def rot90(array: Any, k: int = 1, axes: Any = (0, 1)) -> EagerTensor:
    """Turned ``k`` times by a right angle, from the first of two axes towards the second.

    ValueError for fewer than two axes, and for axes that are not two different ones.
    """
    x = tensor(array)
    rank = len(x.shape)
    if rank < 2:
        raise ValueError(f"Input array must have at least 2 dimensions. Received: array.ndim={rank}")
    if len(axes) != 2 or axes[0] == axes[1]:
        raise ValueError(f"Invalid axes: {axes}. Axes must be a tuple of two different dimensions.")
    if k % 4 == 0:
        return x
    turned = [axis % rank if axis < 0 else axis for axis in axes]
    order = [*(axis for axis in range(rank) if axis not in turned), *turned]
    return tf.transpose(_turned(tf.transpose(x, order), k % 4), [order.index(axis) for axis in range(rank)])


def _turned(x: EagerTensor, k: int) -> EagerTensor:
    """The last two axes turned as TensorFlow's Keras does it: two turns mix up what is not square."""
    sizes, rank = shape_of(x), len(x.shape)
    flipped = [*range(rank - 2), rank - 1, rank - 2]
    shape = [*sizes[:-2], *(sizes[-1:-3:-1] if k % 2 else sizes[-2:])]
    x = tf.transpose(tf.reverse(x, [rank - 1]), flipped)
    x = tf.reshape(x, shape) if k > 1 else x
    for _ in range(k - 1):
        x = tf.transpose(tf.reverse(x, [rank - 1]), flipped)
    return tf.reshape(x, shape)


def swapaxes(x: Any, axis1: int, axis2: int) -> EagerTensor:
    """Two axes in each other's places."""
    x = tensor(x)
    first, second = canonical_axis(axis1, len(x.shape)), canonical_axis(axis2, len(x.shape))
    if first == second:
        return x
    order = list(range(len(x.shape)))
    order[first], order[second] = second, first
    return tf.transpose(x, order)


def moveaxis(x: Any, source: Any, destination: Any) -> EagerTensor:
    """Axes moved to other places.  ValueError where not as many places are named as axes."""
    x = tensor(x)
    rank = len(x.shape)
    froms = tuple(canonical_axis(a, rank) for a in listed(source))
    tos = tuple(canonical_axis(a, rank) for a in listed(destination))
    if len(froms) != len(tos):
        raise ValueError(
            f"Inconsistent number of `source` and `destination`. Received: source={source}, destination={destination}"
        )
    if froms == tos:
        return x
    order = [k for k in range(rank) if k not in froms]
    for to, origin in sorted(zip(tos, froms)):
        order.insert(to, origin)
    return tf.transpose(x, order)


def tile(x: Any, repeats: Any) -> EagerTensor:
    """The whole tensor so many times along each axis; the last axes where fewer numbers are given."""
    x = tensor(x)
    counts = [repeats] if isinstance(repeats, int) else list(repeats)
    counts = [1] * (len(x.shape) - len(counts)) + counts
    while len(counts) > len(x.shape):
        x = tf.expand_dims(x, 0)
    return tf.tile(x, counts)


def repeat(x: Any, repeats: Any, axis: int | None = None) -> EagerTensor:
    """Each element so many times."""
    return tf.repeat(tensor(x), repeats, axis)


def pad(x: Any, pad_width: Any, mode: str = "constant", constant_values: Any = None) -> EagerTensor:
    """Around the tensor, zeros, a value, or a reflection; ``pad_width`` [axes, 2] says how much before and behind.

    ValueError for a value where ``mode`` has none, and for widths of another number of axes.
    """
    x, widths = tensor(x), _widths(pad_width)
    if len(widths) > 1 and len(widths) != len(x.shape):
        raise ValueError(
            f"`pad_width` must have the same length as `x.shape`. Received: pad_width={widths} (of length "
            f"{len(widths)}) and x.shape={x.shape} (of length {len(x.shape)})"
        )
    if constant_values is None:
        return tf.pad(x, tensor(widths, "int32"), mode.upper())
    if mode != "constant":
        raise ValueError(
            f"Argument `constant_values` can only be provided when `mode == 'constant'`. Received: mode={mode}"
        )
    return tf.pad(x, tensor(widths, "int32"), constant_values=constant_values)


def _widths(pad_width: Any) -> Any:
    if isinstance(pad_width, int):
        return ((pad_width, pad_width),)
    if isinstance(pad_width, (tuple, list)) and isinstance(pad_width[0], int):
        return (pad_width,)
    if any(len(width) != len(pad_width[0]) for width in pad_width):
        raise ValueError(f"`pad_width` should be a list of tuples of length 1 or 2. Received: pad_width={pad_width}")
    return [(width[0], width[0]) if len(width) == 1 else width for width in pad_width]


_AXES = re.compile(r"\w+|\(.*?\)")


def rearrange(tensor: Any, pattern: str, **axes_lengths: int) -> EagerTensor:
    """Axes split, moved and joined as a pattern says: ``"b (h w) c -> b c h w"``, with a length for what is split."""
    from .promotion import tensor as made

    x = made(tensor)
    given, wanted = (
        [group.strip("()").split() for group in _AXES.findall(side)] for side in re.split(r"\s*->\s*", pattern)
    )
    lengths = dict(axes_lengths)
    for names, size in zip(given, shape_of(x)):
        if len(names) == 1:
            lengths[names[0]] = size
        for open_ in [name for name in names if name not in lengths][:1]:
            lengths[open_] = size // math.prod(lengths[name] for name in names if name != open_)
    flat = [name for names in given for name in names]
    x = tf.reshape(x, [lengths[name] for name in flat])
    x = tf.transpose(x, [flat.index(name) for names in wanted for name in names])
    return tf.reshape(x, [math.prod(lengths[name] for name in names) for names in wanted])


TABLE: dict[str, Callable[..., Any]] = {
    "reshape": reshape, "transpose": transpose, "expand_dims": expand_dims, "squeeze": squeeze, "flip": flip,
    "fliplr": lambda x: tf.reverse(tensor(x), [1]), "flipud": lambda x: tf.reverse(tensor(x), [0]), "roll": roll,
    "rot90": rot90, "swapaxes": swapaxes, "moveaxis": moveaxis, "tile": tile, "repeat": repeat, "pad": pad,
    "ravel": lambda x: tf.reshape(tensor(x), [-1]),
    "broadcast_to": lambda x, shape: tf.broadcast_to(tensor(x), shape), "rearrange": rearrange,
}  # fmt: skip
