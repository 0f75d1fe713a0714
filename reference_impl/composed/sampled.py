"""Losses over a sample of many classes (``tf.nn``): the sample has to be given."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import int64
from ..ops.arithmetic import log
from ..ops.casting import cast, stop_gradient
from ..ops.declare import public
from ..ops.joining import embedding_lookup
from ..ops.losses import sigmoid_cross_entropy_with_logits, softmax_cross_entropy_with_logits
from ..ops.making import ones, ones_like, zeros_like
from ..ops.matrix import matmul
from ..ops.shaping import concat, reshape
from ..ops.squeezing import expand_dims
from ..ops.tiling import slice_of
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, wrap


def _sum_rows(x: EagerTensor) -> EagerTensor:
    return reshape(matmul(x, ones([x._a.shape[1], 1], x.dtype)), [-1])


def _hits(labels: EagerTensor, sampled: EagerTensor, dtype: Any) -> EagerTensor:
    """The lowest float where a sampled class is one of the true ones, zeros elsewhere.

    Of a class that was sampled more than once only the last is found, as TensorFlow's kernel finds it.
    """
    ids = sampled._a
    last = np.array([one not in ids[k + 1 :] for k, one in enumerate(ids)], bool)
    hit = (labels._a[:, :, None] == ids[None, None, :]).any(axis=1) & last
    lowest = np.finfo(np.float32).min
    return cast(wrap(np.where(hit, lowest, np.float32(0))), dtype)


def _logits(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_true: int,
    sampled_values: Any,
    remove_accidental_hits: bool,
) -> tuple[EagerTensor, EagerTensor]:
    """Logits and labels of the true and the sampled classes of each row."""
    if sampled_values is None:
        raise NotImplementedError("sampled_values must be given: the engine draws no candidates")
    weights, inputs = weights if isinstance(weights, list) else [weights], convert_to_tensor(inputs)
    labels = cast(labels, int64)
    flat = reshape(labels, [-1])
    count = flat._a.shape[0]
    sampled, true_count, sampled_count = (stop_gradient(s) for s in sampled_values)
    sampled = cast(sampled, int64)
    ids = concat([flat, sampled], 0)
    rows = cast(embedding_lookup(weights, ids), inputs.dtype)
    true_rows, sampled_rows = slice_of(rows, [0, 0], [count, -1]), slice_of(rows, [count, 0], [-1, -1])
    of_sampled = matmul(inputs, sampled_rows, transpose_b=True)
    shifts = cast(embedding_lookup(biases, ids), inputs.dtype)
    true_shifts, sampled_shifts = slice_of(shifts, [0], [count]), slice_of(shifts, [count], [-1])
    dim = true_rows._a.shape[1]
    products = expand_dims(inputs, 1) * reshape(true_rows, [-1, num_true, dim])
    of_true = reshape(_sum_rows(reshape(products, [-1, dim])), [-1, num_true])
    of_true = of_true + reshape(true_shifts, [-1, num_true])
    of_sampled = of_sampled + sampled_shifts
    if remove_accidental_hits:
        of_sampled = of_sampled + _hits(labels, sampled, of_sampled.dtype)
    of_true, of_sampled = of_true - log(true_count), of_sampled - log(sampled_count)
    wanted = concat([ones_like(of_true) / num_true, zeros_like(of_sampled)], 1)
    return concat([of_true, of_sampled], 1), wanted


@public("nn.nce_loss")
def nce_loss(
    weights: Any, biases: Any, labels: Any, inputs: Any, num_sampled: Any, num_classes: Any, num_true: int = 1,
    sampled_values: Any = None, remove_accidental_hits: bool = False, name: str = "nce_loss",
) -> EagerTensor:  # fmt: skip
    """The loss of noise-contrastive estimation for each row (``tf.nn.nce_loss``).

    ``sampled_values`` (classes, how often the true ones and they are expected) must be given: NotImplementedError.
    """
    logits, wanted = _logits(weights, biases, labels, inputs, num_true, sampled_values, remove_accidental_hits)
    return _sum_rows(sigmoid_cross_entropy_with_logits(wanted, logits))


@public("nn.sampled_softmax_loss")
def sampled_softmax_loss(
    weights: Any, biases: Any, labels: Any, inputs: Any, num_sampled: Any, num_classes: Any, num_true: int = 1,
    sampled_values: Any = None, remove_accidental_hits: bool = True, seed: Any = None,
    name: str = "sampled_softmax_loss",
) -> EagerTensor:  # fmt: skip
    """The cross entropy over true and sampled classes for each row (``tf.nn.sampled_softmax_loss``).

    ``sampled_values`` (classes, how often the true ones and they are expected) must be given: NotImplementedError.
    """
    logits, wanted = _logits(weights, biases, labels, inputs, num_true, sampled_values, remove_accidental_hits)
    return softmax_cross_entropy_with_logits(stop_gradient(wanted), logits)
