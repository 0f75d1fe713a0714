"""Cross entropies of ``keras.ops``, element by element or along an axis, and connectionist temporal classification."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import reference_impl as tf

from ...tensors.tensor import EagerTensor
from .. import loss_functions
from ..loss_functions import check_shapes, known_logits
from ..policy import epsilon
from .promotion import result_type, tensor


def _clipped(x: EagerTensor) -> EagerTensor:
    return tf.clip_by_value(x, epsilon(), 1.0 - epsilon())


def binary_crossentropy(target: Any, output: Any, from_logits: bool = False) -> EagerTensor:
    """The cross entropy of each probability (or logit) of yes.  ValueError for different shapes."""
    target, output = tensor(target), tensor(output)
    check_shapes(target, output)
    output, is_logits = known_logits(output, from_logits, "Sigmoid", "binary_crossentropy")
    if is_logits:
        return tf.nn.sigmoid_cross_entropy_with_logits(labels=target, logits=output)
    p = _clipped(output)
    return -(target * tf.math.log(p) + (1 - target) * tf.math.log(1 - p))


def categorical_crossentropy(target: Any, output: Any, from_logits: bool = False, axis: int = -1) -> EagerTensor:
    """The cross entropy of probabilities (or logits) of classes along an axis; ValueError for different shapes."""
    target, output = tensor(target), tensor(output)
    if not len(target.shape):
        raise ValueError(
            "Arguments `target` and `output` must be at least rank 1. Received: "
            f"target.shape={target.shape}, output.shape={output.shape}"
        )
    check_shapes(target, output)
    output, is_logits = known_logits(output, from_logits, "Softmax", "categorical_crossentropy")
    if is_logits:
        return tf.nn.softmax_cross_entropy_with_logits(labels=target, logits=output, axis=axis)
    p = _clipped(output / tf.reduce_sum(output, axis, keepdims=True))
    return -tf.reduce_sum(target * tf.math.log(p), axis)


def ctc_loss(target: Any, output: Any, target_length: Any, output_length: Any, mask_index: int = 0) -> EagerTensor:
    """Minus the logarithm of the probability of labels [batch, labels] by logits [batch, steps, classes]."""
    output = tensor(output)
    dtype = result_type(output.dtype, "float32")
    found = tf.nn.ctc_loss(
        labels=tensor(target, "int32"), logits=tf.cast(output, "float32" if dtype == "float64" else dtype),
        label_length=target_length, logit_length=output_length, blank_index=mask_index, logits_time_major=False,
    )  # fmt: skip
    return tf.cast(found, dtype)


def ctc_decode(
    inputs: Any, sequence_lengths: Any, strategy: str = "greedy", beam_width: int = 100, top_paths: int = 1,
    merge_repeated: bool = True, mask_index: int | None = 0,
) -> tuple[EagerTensor, EagerTensor]:  # fmt: skip
    """The likeliest labels [paths, batch, steps] (int32, -1 where there are none) of logits, and their scores.

    ValueError for strategies but "greedy" and "beam_search".
    """
    x = tensor(inputs)
    batch, steps, classes = (tf.shape(x)[k] for k in range(3))
    x = tf.cast(tf.transpose(x, (1, 0, 2)), result_type(x.dtype, "float32"))
    lengths = tensor(sequence_lengths, "int32")
    if strategy == "greedy":
        decoded, scores = tf.nn.ctc_greedy_decoder(x, lengths, merge_repeated=merge_repeated, blank_index=mask_index)
    elif strategy == "beam_search":
        if mask_index is not None:  # TensorFlow's is the last class
            x = tf.concat([x[..., :mask_index], x[..., mask_index + 1 :], x[..., mask_index : mask_index + 1]], -1)
        decoded, scores = tf.nn.ctc_beam_search_decoder(x, lengths, beam_width=beam_width, top_paths=top_paths)
    else:
        raise ValueError(f"Invalid strategy {strategy}. Supported values are 'greedy' and 'beam_search'.")
    shape = tf.cast(tf.stack([batch, steps]), "int64")
    paths = [tf.sparse.to_dense(tf.SparseTensor(p.indices, p.values, shape), default_value=-1) for p in decoded]
    found = tf.cast(tf.stack(paths, 0), "int32")
    if strategy == "beam_search" and mask_index is not None:
        place = mask_index + classes if mask_index < 0 else mask_index
        found = tf.where(found >= place, found + 1, found)
    return found, scores


def sparse_categorical_crossentropy(target: Any, output: Any, from_logits: bool = False, axis: int = -1) -> EagerTensor:
    """The cross entropy of probabilities (or logits) of classes along the last axis; labels are class numbers."""
    return loss_functions.sparse_categorical_crossentropy(target, output, from_logits, axis=axis)


TABLE: dict[str, Callable[..., Any]] = {
    "binary_crossentropy": binary_crossentropy, "categorical_crossentropy": categorical_crossentropy,
    "sparse_categorical_crossentropy": sparse_categorical_crossentropy, "ctc_loss": ctc_loss, "ctc_decode": ctc_decode,
}  # fmt: skip
