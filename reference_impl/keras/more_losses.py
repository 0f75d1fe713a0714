"""Less common losses as functions: focal cross entropies, dice, tversky, circle, generalised cross entropy, CTC."""

from __future__ import annotations

from typing import Any

import reference_impl as tf

from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from . import masks
from .loss_functions import as_dtype_of
from .losses import loss_class
from .operations.crossentropies import ctc_loss
from .policy import epsilon


def _clipped(x: Any) -> EagerTensor:
    return tf.maximum(tf.minimum(x, 1.0 - epsilon()), epsilon())


def binary_focal_crossentropy(
    y_true: Any, y_pred: Any, apply_class_balancing: bool = False, alpha: float = 0.25, gamma: float = 2.0,
    from_logits: bool = False, label_smoothing: float = 0.0, axis: int = -1,
) -> EagerTensor:  # fmt: skip
    """The cross entropy of yes and no, where what is right already counts little (Lin et al., 2018)."""
    y_pred = convert_to_tensor(y_pred)
    labels = as_dtype_of(y_true, y_pred)
    if label_smoothing:
        labels = labels * (1.0 - label_smoothing) + 0.5 * label_smoothing
    p = tf.sigmoid(y_pred) if from_logits else y_pred
    clipped = _clipped(p)
    entropy = -(labels * tf.math.log(clipped) + (1.0 - labels) * tf.math.log(1.0 - clipped))
    each = tf.pow(1.0 - (labels * p + (1 - labels) * (1 - p)), gamma) * entropy
    if apply_class_balancing:
        each = (labels * alpha + (1 - labels) * (1 - alpha)) * each
    return tf.reduce_mean(each, axis)


def categorical_focal_crossentropy(
    y_true: Any, y_pred: Any, alpha: float = 0.25, gamma: float = 2.0, from_logits: bool = False,
    label_smoothing: float = 0.0, axis: int = -1,
) -> EagerTensor:  # fmt: skip
    """The cross entropy of classes, where what is right already counts little (Lin et al., 2018)."""
    y_pred = convert_to_tensor(y_pred)
    labels = as_dtype_of(y_true, y_pred)
    if label_smoothing:
        labels = labels * (1.0 - label_smoothing) + label_smoothing / labels.shape[-1]
    p = tf.nn.softmax(y_pred, axis) if from_logits else y_pred
    p = _clipped(p / tf.reduce_sum(p, axis, keepdims=True))
    return tf.reduce_sum(tf.pow(1.0 - p, gamma) * alpha * (-labels * tf.math.log(p)), axis)


def dice(y_true: Any, y_pred: Any, axis: Any = None) -> EagerTensor:
    """One less twice the overlap over the sum of both; over all axes, or some."""
    y_pred = convert_to_tensor(y_pred)
    labels = as_dtype_of(y_true, y_pred)
    overlap = tf.reduce_sum(labels * y_pred, axis)
    return 1 - 2.0 * overlap / (tf.reduce_sum(labels, axis) + tf.reduce_sum(y_pred, axis) + epsilon())


def tversky(y_true: Any, y_pred: Any, alpha: float = 0.5, beta: float = 0.5, axis: Any = None) -> EagerTensor:
    """One less the overlap over itself and what is missed or too much, weighted (Salehi et al., 2017)."""
    y_pred = convert_to_tensor(y_pred)
    labels = as_dtype_of(y_true, y_pred)
    overlap = tf.reduce_sum(labels * y_pred, axis)
    missed, extra = tf.reduce_sum((1 - y_pred) * labels, axis), tf.reduce_sum(y_pred * (1 - labels), axis)
    return 1 - overlap / (overlap + missed * alpha + extra * beta + epsilon())


def circle(
    y_true: Any, y_pred: Any, ref_labels: Any = None, ref_embeddings: Any = None, remove_diagonal: bool = True,
    gamma: float = 80, margin: float = 0.4,
) -> EagerTensor:  # fmt: skip
    """Distances between embeddings of length 1, of one class and of others (Sun et al., 2020)."""
    y_pred, labels = convert_to_tensor(y_pred), tf.cast(y_true, "int32")
    others = y_pred if ref_embeddings is None else convert_to_tensor(ref_embeddings)
    of_others = labels if ref_labels is None else tf.cast(ref_labels, "int32")
    apart = tf.maximum(1 - tf.matmul(y_pred, tf.transpose(others)), 0.0)
    same = tf.equal(tf.reshape(labels, [-1, 1]), tf.reshape(of_others, [1, -1]))
    different = tf.logical_not(same)
    if remove_diagonal:
        same = tf.logical_and(same, tf.logical_not(tf.cast(tf.eye(tf.size(labels), tf.size(of_others)), "bool")))
    parts = []
    for mask, sign, start, delta in ((same, 1.0, margin, margin), (different, -1.0, 1 + margin, 1 - margin)):
        weights = tf.maximum((start + sign * apart) * tf.cast(mask, apart.dtype), 0.0)
        each = -sign * gamma * weights * (delta - apart)
        low = tf.fill(tf.shape(each), tf.cast(float("-inf"), each.dtype))
        parts.append(tf.reduce_logsumexp(tf.where(mask, each, low), 1))
    loss = tf.math.softplus(parts[0] + parts[1])
    masks.attach(loss, loss > 0)
    return loss


def categorical_generalized_cross_entropy(y_true: Any, y_pred: Any, q: float) -> EagerTensor:
    """``(1 - p ** q) / q`` of the probability of the right class, between cross entropy and error (Zhang, 2018)."""
    y_pred = convert_to_tensor(y_pred)
    right = tf.one_hot(tf.cast(y_true, "int32"), tf.shape(y_pred)[-1], dtype=y_pred.dtype)
    return (1 - tf.pow(tf.reduce_sum(y_pred * right, -1), q)) / q


def ctc(y_true: Any, y_pred: Any) -> EagerTensor:
    """Minus the logarithm of the probability of labels [batch, labels] (0 is none) by logits [batch, steps, classes].

    ValueError for other ranks.
    """
    y_true, y_pred = convert_to_tensor(y_true), convert_to_tensor(y_pred)
    if len(y_true.shape) != 2:
        raise ValueError(
            "Targets `y_true` are expected to be a tensor of shape `(batch_size, max_length)` in integer format. "
            f"Received: y_true.shape={tuple(y_true.shape)}"
        )
    if len(y_pred.shape) != 3:
        raise ValueError(
            "Logits `y_pred` are expected to be a tensor of shape `(batch_size, max_length, num_classes)`. Received: "
            f"y_pred.shape={tuple(y_pred.shape)}"
        )
    sizes = tf.shape(y_pred)
    steps = sizes[1] * tf.ones([sizes[0]], "int32")
    labels = tf.reduce_sum(tf.cast(tf.not_equal(y_true, 0), "int32"), -1)
    return ctc_loss(y_true, y_pred, labels, steps)


BinaryFocalCrossentropy = loss_class(
    "BinaryFocalCrossentropy", binary_focal_crossentropy, apply_class_balancing=False, alpha=0.25, gamma=2.0,
    from_logits=False, label_smoothing=0.0, axis=-1,
)  # fmt: skip
CategoricalFocalCrossentropy = loss_class(
    "CategoricalFocalCrossentropy", categorical_focal_crossentropy, alpha=0.25, gamma=2.0, from_logits=False,
    label_smoothing=0.0, axis=-1,
)  # fmt: skip
CTC = loss_class("CTC", ctc)
Dice = loss_class("Dice", dice, late=("axis",), axis=None)
Tversky = loss_class("Tversky", tversky, late=("axis",), alpha=0.5, beta=0.5, axis=None)
Circle = loss_class("Circle", circle, gamma=80.0, margin=0.4, remove_diagonal=True)
CategoricalGeneralizedCrossEntropy = loss_class(
    "CategoricalGeneralizedCrossEntropy", categorical_generalized_cross_entropy, q=0.5
)
