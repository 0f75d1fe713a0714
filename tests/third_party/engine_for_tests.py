"""A library without open tapes for tests of the replay: NumPy arrays, differentiated by the reference engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import reference_impl as tf
from adapters.third_party.engine import Function
from adapters.third_party.replay import Replaying


class ReferenceEngine:
    """See `adapters/third_party/engine.py`."""

    name, version = "fake", "1"
    dtypes = ("float32", "int32", "bool")
    higher_order = True

    def __init__(self) -> None:
        self.details: dict[str, str] = {}
        self.ops: dict[str, Callable[..., Any]] = {
            "operator.add": lambda a, b: a + b,
            "operator.mul": lambda a, b: a * b,
            "math.square": tf.math.square,
            "math.exp": tf.math.exp,
            "math.floor": tf.math.floor,
            "math.less": tf.math.less,
            "clip_by_value": tf.clip_by_value,
            "reduce_sum": lambda x, axis=None: tf.reduce_sum(x, axis),
            "concat": tf.concat,
            "unstack": tf.unstack,
            "cast": tf.cast,
            "math.erf": _lacking,
        }

    def array(self, array: np.ndarray) -> Any:
        return tf.constant(array)

    def open(self, value: Any) -> np.ndarray:
        return np.asarray(value.numpy())

    def floating(self, value: Any) -> bool:
        return value.dtype.is_floating

    def zeros_like(self, value: Any) -> Any:
        return tf.zeros_like(value)

    def ones_like(self, value: Any) -> Any:
        return tf.ones_like(value)

    def vjp(self, function: Function, inputs: list[Any], seeds: list[Any | None]) -> list[Any]:
        leaves = [tf.identity(one) for one in inputs]
        with tf.GradientTape() as tape:
            tape.watch(leaves)
            outputs = function(leaves)
        weights = [tf.ones_like(y) if seed is None else seed for y, seed in zip(outputs, seeds)]
        return list(tape.gradient(outputs, leaves, output_gradients=weights))


def _lacking(x: Any) -> Any:
    raise NotImplementedError("there is no erf yet")


def backend() -> Replaying:
    """A tape of the engine."""
    return Replaying(ReferenceEngine())
