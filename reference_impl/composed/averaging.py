"""Means of losses over a batch, and statistics of which means and variances are made (``tf.nn``)."""

from __future__ import annotations

import math as _math
from typing import Any

from ..dtypes import float32
from ..ops.arithmetic import add, multiply, reciprocal, square, subtract
from ..ops.casting import cast
from ..ops.declare import NAMES, public
from ..ops.layers import batch_normalization
from ..ops.logic import divide_no_nan, squared_difference
from ..ops.reductions import reduce_sum
from ..ops.squeezing import expand_dims, squeeze
from ..surroundings.replicas import check_replica_context
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor


@public("nn.sufficient_statistics")
def sufficient_statistics(
    x: Any, axes: Any, shift: Any = None, keepdims: bool = False, name: str | None = None
) -> tuple[EagerTensor, EagerTensor, EagerTensor, EagerTensor | None]:
    """How many elements, their sum, the sum of their squares, and the shift taken from them before.

    (``tf.nn.sufficient_statistics``)
    """
    over = list(set(axes))
    x = convert_to_tensor(x)
    sizes = x.shape.as_list()
    count = convert_to_tensor(_math.prod(sizes[d] for d in over), x.dtype)
    if shift is not None:
        shift = convert_to_tensor(shift)
        first, second = subtract(x, shift), squared_difference(x, shift)
    else:
        first, second = x, square(x)
    return count, reduce_sum(first, over, keepdims), reduce_sum(second, over, keepdims), shift


@public("nn.normalize_moments")
def normalize_moments(
    counts: Any, mean_ss: Any, variance_ss: Any, shift: Any, name: str | None = None
) -> tuple[EagerTensor, EagerTensor]:
    """Mean and variance from what ``sufficient_statistics`` gives (``tf.nn.normalize_moments``)."""
    share = reciprocal(counts)
    shifted = multiply(mean_ss, share)
    mean = shifted if shift is None else add(shifted, shift)
    return mean, subtract(multiply(variance_ss, share), square(shifted))


@public("nn.batch_norm_with_global_normalization")
def batch_norm_with_global_normalization(
    input: Any, mean: Any, variance: Any, beta: Any, gamma: Any, variance_epsilon: Any, scale_after_normalization: Any,
    name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """``tf.nn.batch_normalization``, with its scale left out on demand."""
    return batch_normalization(
        input, mean, variance, beta, gamma if scale_after_normalization else None, variance_epsilon
    )  # fmt: skip


@public("nn.scale_regularization_loss")
def scale_regularization_loss(regularization_loss: Any) -> EagerTensor:
    """The sum of a loss, for the one replica that there is (``tf.nn.scale_regularization_loss``)."""
    check_replica_context("scale_regularization_loss")
    return reduce_sum(regularization_loss) / 1


def _weighted(losses: EagerTensor, sample_weight: Any) -> EagerTensor:
    """Losses times weights, both float32, of which one may have an axis of size 1 more at its end."""
    losses, weights = cast(losses, float32), cast(convert_to_tensor(sample_weight), float32)
    if weights._a.ndim:
        if weights._a.ndim - losses._a.ndim == 1:
            weights = squeeze(weights, [-1])
        elif losses._a.ndim - weights._a.ndim == 1:
            weights = expand_dims(weights, -1)
    return multiply(losses, weights)


@public("nn.compute_average_loss")
def compute_average_loss(
    per_example_loss: Any, sample_weight: Any = None, global_batch_size: Any = None
) -> EagerTensor:
    """The sum of losses, weighted if weights are given, over the batch size (``tf.nn.compute_average_loss``).

    ValueError for a scalar loss and for a batch size of several numbers; TypeError for one that is no integer.
    """
    check_replica_context("compute_average_loss")
    losses = convert_to_tensor(per_example_loss)
    dtype = losses.dtype
    if not losses._a.ndim:
        raise ValueError(
            "Invalid value passed for `per_example_loss`. Expected a tensor with at least rank 1. "
            f"Received per_example_loss={losses} with rank 0"
        )
    if sample_weight is not None:
        losses = _weighted(losses, sample_weight)
    losses = cast(losses, dtype)
    size = convert_to_tensor(losses._a.shape[0]) if global_batch_size is None else global_batch_size
    debugging = {name: NAMES[f"debugging.assert_{name}"] for name in ("scalar", "integer", "non_negative")}
    debugging["scalar"](size, message="global_batch_size must be scalar.")
    debugging["integer"](size, message="global_batch_size must be an integer.")
    debugging["non_negative"](size, message="global_batch_size must be non-negative.")
    return divide_no_nan(reduce_sum(losses), cast(size, dtype))
