"""How often labels met predictions (``tf.math.confusion_matrix``), made of other ops as in TensorFlow."""

from __future__ import annotations

from typing import Any

from ..dtypes import int32
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .arithmetic import add
from .casting import cast
from .declare import NAMES, public
from .scattering import scatter_nd
from .shaping import stack
from .squeezing import squeeze


@public("math.confusion_matrix")
def confusion_matrix(
    labels: Any, predictions: Any, num_classes: Any = None, weights: Any = None, dtype: Any = int32,
    name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """How often each label met each prediction (``tf.math.confusion_matrix``), or the weights of those that did."""
    pair = _squeezed(convert_to_tensor(labels), convert_to_tensor(predictions))
    rows, columns = (cast(numbers, "int64") for numbers in pair)
    for numbers, word in ((rows, "labels"), (columns, "predictions")):
        NAMES["debugging.assert_non_negative"](numbers, message=f"`{word}` contains negative values")
    if num_classes is None:
        count = add(NAMES["math.maximum"](NAMES["reduce_max"](columns), NAMES["reduce_max"](rows)), 1)
    else:
        count = cast(num_classes, "int64")
        for numbers, word in ((rows, "labels"), (columns, "predictions")):
            NAMES["debugging.assert_less"](numbers, count, message=f"`{word}` out of bound")
    if weights is not None:
        weights = convert_to_tensor(weights)
        columns.shape.assert_is_compatible_with(weights.shape)
        weights = cast(weights, dtype)
    values = NAMES["ones_like"](columns, dtype) if weights is None else weights
    return scatter_nd(stack([rows, columns], axis=1), values, stack([count, count]))


def _squeezed(labels: EagerTensor, predictions: EagerTensor) -> tuple[EagerTensor, EagerTensor]:
    """Both without a last axis of size one that the other has not."""
    more = predictions._a.ndim - labels._a.ndim
    if more == 1 and predictions._a.shape[-1] == 1:
        predictions = squeeze(predictions, [-1])
    elif more == -1 and labels._a.shape[-1] == 1:
        labels = squeeze(labels, [-1])
    return labels, predictions
