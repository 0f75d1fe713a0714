"""What a recorded op takes: bytes while its tape is alive, and how time grows with the length of a chain."""

from __future__ import annotations

import gc
import math
import tracemalloc

import numpy as np

import reference_impl as tf
from benchmarks import data

_OPS = 9_999


def exponent(times: dict[int, float]) -> float:
    """The power of the length that the time grows with: the slope of a line through the logarithms."""
    return float(np.polyfit([math.log(n) for n in times], [math.log(t) for t in times.values()], 1)[0])


def bytes_an_op(shape: tuple[int, ...]) -> float:
    """Bytes that are alive for each op of a recorded chain: results, identities and records."""
    x = tf.constant(data.start(shape))
    addend = tf.constant(np.float32(0.7))
    with tf.GradientTape() as tape:
        tape.watch(x)
        gc.collect()
        tracemalloc.start()
        y = x
        for _ in range(_OPS // 3):
            y = tf.sin(y) * y + addend
        gc.collect()
        alive = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
    return alive / _OPS
