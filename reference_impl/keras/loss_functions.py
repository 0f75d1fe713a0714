"""Losses as functions ``(y_true, y_pred)``: one number for each example."""

from __future__ import annotations

import warnings
from typing import Any

from .. import math, nn
from ..ops.casting import cast
from ..ops.selection import where
from ..ops.squeezing import expand_dims, squeeze
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, is_tensor
from . import masks
from .logits import logits_of
from .policy import epsilon


def _pair(y_true: Any, y_pred: Any) -> tuple[EagerTensor, EagerTensor]:
    """Both as tensors of the dtype of the predictions and of one rank."""
    y_pred = convert_to_tensor(y_pred)
    return same_rank(as_dtype_of(y_true, y_pred), y_pred)


def as_dtype_of(value: Any, like: EagerTensor) -> EagerTensor:
    """A value as a tensor of the dtype of another."""
    if is_tensor(value):
        value = convert_to_tensor(value)
        return value if value.dtype is like.dtype else cast(value, like.dtype)
    return cast(convert_to_tensor(value), like.dtype)


def same_rank(a: EagerTensor, b: EagerTensor, expand_rank_1: bool = True) -> tuple[EagerTensor, EagerTensor]:
    """Two tensors, of which one gets or loses a last axis of size 1 if the ranks differ by one."""
    rank_a, rank_b = len(a.shape), len(b.shape)
    if rank_a == rank_b + 1 and a.shape[-1] == 1:
        return (a, expand_dims(b, -1)) if rank_b == 1 and expand_rank_1 else (squeeze(a, [-1]), b)
    if rank_b == rank_a + 1 and b.shape[-1] == 1:
        return (expand_dims(a, -1), b) if rank_a == 1 and expand_rank_1 else (a, squeeze(b, [-1]))
    return a, b


def mean_squared_error(y_true: Any, y_pred: Any) -> EagerTensor:
    """The mean of ``(y_true - y_pred) ** 2`` over the last axis."""
    y_true, y_pred = _pair(y_true, y_pred)
    return math.reduce_mean(math.square(y_true - y_pred), axis=-1)


def mean_absolute_error(y_true: Any, y_pred: Any) -> EagerTensor:
    """The mean of ``abs(y_true - y_pred)`` over the last axis."""
    y_true, y_pred = _pair(y_true, y_pred)
    return math.reduce_mean(math.abs(y_true - y_pred), axis=-1)


def mean_absolute_percentage_error(y_true: Any, y_pred: Any) -> EagerTensor:
    """100 times the mean of ``abs((y_true - y_pred) / y_true)`` over the last axis."""
    y_true, y_pred = _pair(y_true, y_pred)
    return 100.0 * math.reduce_mean(math.abs((y_true - y_pred) / math.maximum(math.abs(y_true), epsilon())), axis=-1)


def mean_squared_logarithmic_error(y_true: Any, y_pred: Any) -> EagerTensor:
    """The mean of ``(log(y_true + 1) - log(y_pred + 1)) ** 2`` over the last axis."""
    y_true, y_pred = _pair(y_true, y_pred)
    first = math.log(math.maximum(y_pred, epsilon()) + 1.0)
    second = math.log(math.maximum(y_true, epsilon()) + 1.0)
    return math.reduce_mean(math.square(first - second), axis=-1)


def huber(y_true: Any, y_pred: Any, delta: float = 1.0) -> EagerTensor:
    """Half the square of an error up to ``delta``, linear beyond; the mean over the last axis (Huber, 1964)."""
    y_true, y_pred = _pair(y_true, y_pred)
    limit, half = convert_to_tensor(delta, y_pred.dtype), convert_to_tensor(0.5, y_pred.dtype)
    error = math.subtract(y_pred, y_true)
    size = math.abs(error)
    each = where(size <= limit, half * math.square(error), limit * size - half * math.square(limit))
    return math.reduce_mean(each, axis=-1)


def log_cosh(y_true: Any, y_pred: Any) -> EagerTensor:
    """The mean of ``log(cosh(y_pred - y_true))`` over the last axis."""
    y_true, y_pred = _pair(y_true, y_pred)
    x = y_pred - y_true
    return math.reduce_mean(x + math.softplus(x * -2.0) - math.log(convert_to_tensor(2.0, x.dtype)), axis=-1)


def cosine_similarity(y_true: Any, y_pred: Any, axis: int = -1) -> EagerTensor:
    """Minus the cosine of the angle: -1 for equal directions."""
    y_true, y_pred = _pair(y_true, y_pred)
    return -math.reduce_sum(_unit(y_true, axis) * _unit(y_pred, axis), axis=axis)


def _unit(x: EagerTensor, axis: int) -> EagerTensor:
    length = math.sqrt(math.maximum(math.reduce_sum(math.square(x), axis=axis, keepdims=True), epsilon()))
    return x / length


def _hinge_labels(y_true: EagerTensor) -> EagerTensor:
    """Labels 0 and 1 as -1 and 1; others as they are."""
    binary = math.reduce_all(math.logical_or(math.equal(y_true, 0), math.equal(y_true, 1)))
    return where(binary, 2.0 * y_true - 1.0, y_true)


def hinge(y_true: Any, y_pred: Any) -> EagerTensor:
    """The mean of ``max(1 - y_true * y_pred, 0)`` over the last axis; labels are -1 and 1, or 0 and 1."""
    y_pred = convert_to_tensor(y_pred)
    labels = _hinge_labels(as_dtype_of(y_true, y_pred))
    return math.reduce_mean(math.maximum(1.0 - labels * y_pred, 0.0), axis=-1)


def squared_hinge(y_true: Any, y_pred: Any) -> EagerTensor:
    """The mean of ``max(1 - y_true * y_pred, 0) ** 2`` over the last axis."""
    y_pred = convert_to_tensor(y_pred)
    labels = _hinge_labels(as_dtype_of(y_true, y_pred))
    return math.reduce_mean(math.square(math.maximum(1.0 - labels * y_pred, 0.0)), axis=-1)


def categorical_hinge(y_true: Any, y_pred: Any) -> EagerTensor:
    """``max(best of the wrong classes - right class + 1, 0)`` for one-hot labels."""
    y_pred = convert_to_tensor(y_pred)
    labels = as_dtype_of(y_true, y_pred)
    right = math.reduce_sum(labels * y_pred, axis=-1)
    wrong = math.reduce_max((1.0 - labels) * y_pred, axis=-1)
    return math.maximum(wrong - right + 1.0, 0.0)


def kl_divergence(y_true: Any, y_pred: Any) -> EagerTensor:
    """The sum of ``y_true * log(y_true / y_pred)`` over the last axis."""
    y_pred = convert_to_tensor(y_pred)
    p, q = _clipped(as_dtype_of(y_true, y_pred), 1.0), _clipped(y_pred, 1.0)
    return math.reduce_sum(p * math.log(p / q), axis=-1)


def _clipped(x: EagerTensor, most: float) -> EagerTensor:
    return math.minimum(math.maximum(x, epsilon()), most)


def poisson(y_true: Any, y_pred: Any) -> EagerTensor:
    """The mean of ``y_pred - y_true * log(y_pred)`` over the last axis."""
    y_pred = convert_to_tensor(y_pred)
    return math.reduce_mean(y_pred - as_dtype_of(y_true, y_pred) * math.log(y_pred + epsilon()), axis=-1)


def known_logits(y_pred: EagerTensor, from_logits: bool, kind: str, name: str) -> tuple[EagerTensor, bool]:
    """The logits that probabilities were computed from, if that is known."""
    logits = logits_of(y_pred)
    if logits is None:
        return y_pred, from_logits
    if from_logits:
        warnings.warn(
            f'"`{name}` received `from_logits=True`, but the `output` argument was produced by a {kind} activation and '
            "thus does not represent logits. Was this intended?",
            stacklevel=3,
        )
    return logits, True


def check_shapes(target: Any, output: Any) -> None:
    """ValueError for labels and predictions of different shapes."""
    a, b = target.shape, output.shape
    if len(a) != len(b):
        raise ValueError(
            "Arguments `target` and `output` must have the same rank (ndim). Received: "
            f"target.shape={a}, output.shape={b}"
        )
    if any(m is not None and n is not None and m != n for m, n in zip(a, b)):
        raise ValueError(
            f"Arguments `target` and `output` must have the same shape. Received: target.shape={a}, output.shape={b}"
        )


def binary_crossentropy(
    y_true: Any, y_pred: Any, from_logits: bool = False, label_smoothing: float = 0.0, axis: int = -1
) -> EagerTensor:
    """The mean over an axis of the cross entropy of probabilities (or logits) of yes."""
    y_pred = convert_to_tensor(y_pred)
    labels = as_dtype_of(y_true, y_pred)
    if label_smoothing:
        labels = labels * (1.0 - label_smoothing) + 0.5 * label_smoothing
    check_shapes(labels, y_pred)
    output, is_logits = known_logits(y_pred, from_logits, "Sigmoid", "binary_crossentropy")
    if is_logits:
        each = nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=output)
    else:
        p = math.maximum(math.minimum(output, 1.0 - epsilon()), epsilon())
        each = -(labels * math.log(p) + (1 - labels) * math.log(1 - p))
    return math.reduce_mean(each, axis=axis)


def categorical_crossentropy(
    y_true: Any, y_pred: Any, from_logits: bool = False, label_smoothing: float = 0.0, axis: int = -1
) -> EagerTensor:
    """The cross entropy of probabilities (or logits) of classes along an axis; labels are one-hot."""
    y_pred = convert_to_tensor(y_pred)
    labels = as_dtype_of(y_true, y_pred)
    if label_smoothing:
        count = cast(labels.shape[-1], y_pred.dtype)
        labels = labels * (1.0 - label_smoothing) + label_smoothing / count
    check_shapes(labels, y_pred)
    output, is_logits = known_logits(y_pred, from_logits, "Softmax", "categorical_crossentropy")
    if is_logits:
        return nn.softmax_cross_entropy_with_logits(labels=labels, logits=output, axis=axis)
    output = output / math.reduce_sum(output, axis, keepdims=True)
    output = math.maximum(math.minimum(output, 1.0 - epsilon()), epsilon())
    return -math.reduce_sum(labels * math.log(output), axis)


def sparse_categorical_crossentropy(
    y_true: Any, y_pred: Any, from_logits: bool = False, ignore_class: int | None = None, axis: int = -1
) -> EagerTensor:
    """The cross entropy of probabilities (or logits) of classes along the last axis; labels are class numbers."""
    y_pred, labels = convert_to_tensor(y_pred), convert_to_tensor(y_true)
    if axis not in (-1, len(y_pred.shape) - 1):
        raise ValueError(f"Only axis=-1 is currently supported. Received: axis={axis}")
    if len(labels.shape) == len(y_pred.shape) and labels.shape[-1] == 1:
        labels = squeeze(labels, [-1])
    labels = cast(labels, "int64")
    counted = None if ignore_class is None else math.not_equal(labels, cast(ignore_class, "int64"))
    if counted is not None:
        labels = labels * cast(counted, "int64")
    if len(labels.shape) != len(y_pred.shape) - 1:
        raise ValueError(
            "Argument `output` must have rank (ndim) `target.ndim - 1`. Received: "
            f"target.shape={labels.shape}, output.shape={y_pred.shape}"
        )
    if any(m is not None and n is not None and m != n for m, n in zip(labels.shape, y_pred.shape)):
        raise ValueError(
            "Arguments `target` and `output` must have the same shape up until the last dimension: "
            f"target.shape={labels.shape}, output.shape={y_pred.shape}"
        )
    output, is_logits = known_logits(y_pred, from_logits, "Softmax", "sparse_categorical_crossentropy")
    if not is_logits:
        output = math.log(math.maximum(math.minimum(output, 1 - epsilon()), epsilon()))
    losses = nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=output)
    if counted is not None:
        losses = where(counted, losses, cast(0, losses.dtype))
        masks.attach(losses, counted)
    return losses
