"""Pools of ``keras.ops``: the largest or the mean of windows, of a given size or of a given number."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

import reference_impl as tf

from ...tensors.tensor import EagerTensor
from .layouts import channels_to_first, channels_to_last, layout, per_axis, tf_layout
from .promotion import tensor


def _pool(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(
        inputs: Any, pool_size: Any, strides: Any = None, padding: str = "valid", data_format: Any = None
    ) -> EagerTensor:
        x, first = tensor(inputs), layout(data_format) == "channels_first"
        name = tf_layout("channels_last", len(x.shape))
        x = channels_to_last(x) if first else x
        found = function(x, pool_size, pool_size if strides is None else strides, padding.upper(), name)
        return channels_to_first(found) if first else found

    return call


def _windows(size: int, count: int) -> tuple[int, np.ndarray]:
    """The size of the smaller windows, and for each window its place among all small ones and then all larger ones."""
    small = math.ceil(size / count)
    steps = np.arange(count + 1, dtype=np.float32) * np.float32(size) / np.float32(count)
    starts = np.minimum(np.floor(steps[:-1]).astype(np.int32), size - 1)
    ends = np.minimum(np.ceil(steps[1:]).astype(np.int32), size)
    larger = ends - starts == small + 1
    return small, np.where(larger, starts + max(1, size - small + 1), starts).astype(np.int32)


def _along(x: EagerTensor, axis: int, count: int, kind: str) -> EagerTensor:
    """So many windows along an axis: of two pools, one with larger windows, the ones that are wanted."""
    small, places = _windows(x.shape[axis], count)
    space = len(x.shape) - 2
    both = []
    for size in (small, small + 1):
        window = tuple(size if k == axis - 1 else 1 for k in range(space))
        both.append(
            tf.nn.pool(
                x,
                window_shape=window,
                pooling_type=kind,
                strides=(1,) * space,
                padding="VALID",
                data_format=tf_layout("channels_last", space + 2),
            )
        )
    return tf.gather(tf.concat(both, axis), places, axis=axis)


def _adaptive(kind: str, name: str) -> Callable[..., Any]:
    def call(inputs: Any, output_size: Any, data_format: Any = None) -> EagerTensor:
        x, data_format = tensor(inputs), layout(data_format)
        space = len(x.shape) - 2
        if space not in (1, 2, 3):
            raise ValueError(f"{name} supports 1D, 2D, or 3D inputs only.")
        x = channels_to_last(x) if data_format == "channels_first" else x
        if None in tuple(x.shape)[1:-1]:
            what = "Input length" if space == 1 else "Input spatial dimensions"
            raise ValueError(f"{what} must be statically known for adaptive pooling")
        for axis, count in enumerate(per_axis(output_size, space), 1):
            x = _along(x, axis, count, kind)
        return channels_to_first(x) if data_format == "channels_first" else x

    return call


TABLE: dict[str, Callable[..., Any]] = {
    "max_pool": _pool(tf.nn.max_pool), "average_pool": _pool(tf.nn.avg_pool),
    "adaptive_max_pool": _adaptive("MAX", "adaptive_max_pool"),
    "adaptive_average_pool": _adaptive("AVG", "adaptive_average_pool"),
}  # fmt: skip
