"""How Keras adds a bias: as the op of its own that TensorFlow has for it, where the bias fits the channels."""

from __future__ import annotations

from typing import Any

from .. import math
from ..ops.layers import bias_add
from ..ops.squeezing import squeeze
from ..tensors.conversion import convert_to_tensor


def add_bias(x: Any, bias: Any) -> Any:
    """``x + bias``; by ``tf.nn.bias_add`` where ``bias`` has one axis longer than 1 that is the channels of ``x``.

    Its gradient sums over the axes that the upstream has, which shows where the upstream is of another shape.
    """
    shape, long = list(x.shape), [d for d in bias.shape if d is None or d > 1]
    if len(shape) < 2 or len(long) != 1 or long[0] is None or long[0] not in (shape[1], shape[-1]):
        return math.add(x, bias)
    vector = convert_to_tensor(bias)
    if len(bias.shape) > 1:
        vector = squeeze(vector)
    return bias_add(x, vector, data_format="NHWC" if shape[-1] == long[0] else "NCHW")
