"""``keras.ops.segment_sum`` and its kin: rows brought together by the numbers of their segments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import reference_impl as tf

from ...tensors.tensor import EagerTensor
from .promotion import tensor


def _check(data: EagerTensor, ids: EagerTensor) -> None:
    rank = len(ids.shape)
    if rank > 1:
        raise ValueError(
            f"Argument `segment_ids` should be an 1-D vector, got shape: {rank}. Consider either flatten input with "
            "segment_ids.reshape((-1)) and data.reshape((-1, ) + data.shape[len(segment_ids.shape):]) or vectorize "
            "with vmap."
        )
    if None not in (ids.shape[0], data.shape[0]) and ids.shape[0] != data.shape[0]:
        raise ValueError(
            f"Argument `segment_ids` and `data` should have same leading dimension. Got {ids.shape} v.s. {data.shape}."
        )


def _segments(in_order: Callable[..., Any], in_any: Callable[..., Any], distinct: bool) -> Callable[..., Any]:
    def call(data: Any, segment_ids: Any, num_segments: Any = None, sorted: bool = False) -> EagerTensor:
        data, ids = tensor(data), tensor(segment_ids)
        _check(data, ids)
        if sorted and num_segments is not None:
            raise ValueError(
                "Argument `num_segments` cannot be set when sorted is True when using the tensorflow backend."
                f"Received: num_segments={num_segments}, sorted={sorted}."
            )
        if sorted:
            return in_order(data, ids)
        if num_segments is None:
            last = tf.shape(tf.unique(ids)[0])[0] if distinct else tf.cast(tf.reduce_max(ids) + 1, tf.int32)
            return in_any(data, ids, last)
        return in_any(data, ids, num_segments)

    return call


TABLE: dict[str, Callable[..., Any]] = {
    "segment_sum": _segments(tf.math.segment_sum, tf.math.unsorted_segment_sum, True),
    "segment_max": _segments(tf.math.segment_max, tf.math.unsorted_segment_max, False),
    "segment_min": _segments(tf.math.segment_min, tf.math.unsorted_segment_min, False),
    "segment_prod": _segments(tf.math.segment_prod, tf.math.unsorted_segment_prod, False),
}
