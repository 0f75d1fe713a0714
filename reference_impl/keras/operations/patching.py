"""Functions of ``keras.ops`` that move blocks of images into channels and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import reference_impl as tf

from ...tensors.tensor import EagerTensor
from .layouts import channels_to_first, channels_to_last, layout, per_axis
from .promotion import tensor


def unfold(x: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> EagerTensor:
    """Blocks of [batch, channels, rows, columns] as columns, [batch, channels * block, places]."""
    x = tensor(x)
    if len(x.shape) != 4:
        raise ValueError(f"Input must be a 4D tensor. Received: input.shape={x.shape}")
    k, d, p, s = (per_axis(v, 2) for v in (kernel_size, dilation, padding, stride))
    batch, channels = x.shape[0], x.shape[1]
    if any(width > 0 for width in p):
        x = tf.pad(x, [[0, 0], [0, 0], [p[0]] * 2, [p[1]] * 2])
    blocks = tf.image.extract_patches(channels_to_last(x), [1, *k, 1], [1, *s, 1], [1, *d, 1], "VALID")
    rows, columns = blocks.shape[1], blocks.shape[2]
    blocks = tf.transpose(tf.reshape(blocks, [batch, rows, columns, *k, channels]), [0, 5, 3, 4, 1, 2])
    return tf.reshape(blocks, [batch, channels * k[0] * k[1], rows * columns])


def fold(
    x: Any, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> EagerTensor:
    """Columns [batch, channels * block, places] back at their places in images, summed where blocks overlap."""
    x = tensor(x)
    if len(x.shape) != 3:
        raise ValueError(f"Input must be a 3D tensor. Received: input.shape={x.shape}")
    o, k, d, p, s = (per_axis(v, 2) for v in (output_size, kernel_size, dilation, padding, stride))
    channels = x.shape[1] // (k[0] * k[1])
    counts = [(o[a] + 2 * p[a] - d[a] * (k[a] - 1) - 1) // s[a] + 1 for a in (0, 1)]
    full = [o[a] + 2 * p[a] for a in (0, 1)]
    x = tf.reshape(x, [tf.shape(x)[0], channels, *k, *counts])
    # Where each element of [channels, block rows, block columns, rows, columns] goes to.
    rows, columns = (np.arange(k[a])[:, None] * d[a] + np.arange(counts[a])[None, :] * s[a] for a in (0, 1))
    grid = np.broadcast_arrays(
        np.arange(channels)[:, None, None, None, None], rows[None, :, None, :, None], columns[None, None, :, None, :]
    )
    places = tf.constant(np.stack(grid, -1).reshape(-1, 3), tf.int32)
    by_channel = tf.transpose(tf.reshape(x, [tf.shape(x)[0], -1]))
    summed = tf.scatter_nd(places, by_channel, [channels, *full, tf.shape(x)[0]])
    found = tf.transpose(summed, [3, 0, 1, 2])
    if max(p) > 0:
        found = found[:, :, p[0] : full[0] - p[0], p[1] : full[1] - p[1]]
    return found


def _blocks(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(x: Any, block_size: int, data_format: Any = "channels_last") -> EagerTensor:
        x, data_format = tensor(x), layout(data_format)
        if block_size < 2:
            raise ValueError(f"`block_size` must be at least 2. Received: block_size={block_size}")
        if data_format == "channels_last":
            return function(x, block_size)
        return channels_to_first(function(channels_to_last(x), block_size))

    return call


TABLE: dict[str, Callable[..., Any]] = {
    "unfold": unfold, "fold": fold, "depth_to_space": _blocks(tf.nn.depth_to_space),
    "space_to_depth": _blocks(tf.nn.space_to_depth),
}  # fmt: skip
