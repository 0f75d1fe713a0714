"""Where channels stand, and numbers given once for all axes: what images, pools and convolutions ask first."""

from __future__ import annotations

from typing import Any

import reference_impl as tf

from ...tensors.tensor import EagerTensor


def layout(data_format: Any) -> str:
    """Where channels stand, "channels_last" for None.  ValueError for what says nothing."""
    if data_format is None:
        return "channels_last"
    name = str(data_format).lower()
    if name not in ("channels_first", "channels_last"):
        raise ValueError(
            "The `data_format` argument must be one of {'channels_first', 'channels_last'}. Received: "
            f"data_format={data_format}"
        )
    return name


def channels_to_last(x: EagerTensor, batched: bool = True) -> EagerTensor:
    """A tensor with channels behind the batch (or first), moved to the end."""
    rank, first = len(x.shape), int(batched)
    return tf.transpose(x, [*range(first), *range(first + 1, rank), first])


def channels_to_first(x: EagerTensor, batched: bool = True) -> EagerTensor:
    """The other way."""
    rank, first = len(x.shape), int(batched)
    return tf.transpose(x, [*range(first), rank - 1, *range(first, rank - 1)])


def tf_layout(data_format: str, rank: int) -> str:
    """TensorFlow's name of a layout.  ValueError for ranks that have none."""
    if rank not in (3, 4, 5):
        raise ValueError(f"Input rank not supported: {rank}. Expected values are [3, 4, 5]")
    space = "DHW"[5 - rank :]
    return f"N{space}C" if data_format == "channels_last" else f"NC{space}"


def per_axis(value: Any, count: int) -> tuple:
    """A number for each axis."""
    return (value,) * count if isinstance(value, int) else tuple(value)
