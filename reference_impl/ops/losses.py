"""Losses of classification: softmax and sigmoid cross entropy, and their relatives.

The softmax losses are kernels with two outputs, the loss and its gradient, as in TensorFlow: the second derivative
comes through the second output.
"""

from __future__ import annotations

import math as _math
from typing import Any

import numpy as np

from ..errors import invalid
from ..tapes.beside import noting_wholes
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, wrap
from .activations import relu
from .arguments import check
from .arithmetic import add, exp, log
from .casting import cast
from .comparison import greater_equal, less_equal
from .declare import kernel, public
from .elementwise import abs as absolute
from .exponential import log1p
from .kernels import exponentials
from .kernels.refusals import brackets
from .logic import logical_and
from .selection import select_alike
from .shaping import reshape, transpose
from .softmax import no_fraction


def _surprise(x: Any) -> tuple[Any, Any]:
    """The negative logarithm of the softmax, in which no zero is negative, and the softmax."""
    shifted = x - np.maximum.reduce(x, axis=-1, keepdims=True)
    powers = exponentials.exp(shifted)
    total = np.add.reduce(powers, axis=-1, keepdims=True, dtype=x.dtype)
    return np.log(total) - shifted, powers / total


def _dense(x: Any, labels: Any) -> tuple[Any, Any]:
    if not x.size:
        return np.zeros(x.shape[:-1], x.dtype), np.zeros_like(x)
    logs, probabilities = _surprise(x)
    return np.add.reduce(labels * logs, axis=-1, dtype=x.dtype), probabilities - labels


def _column(F: Any, dy: Any) -> Any:
    return F.reshape(dy, shape=(*F.shape(dy), 1))


def _by_logits(F: Any, dy: Any, y: Any, x: Any) -> Any:
    """The upstream of the loss times the stored gradient, plus what arrives at that stored gradient itself."""
    g = _column(F, dy[0]) * y[1] if dy[0] is not None else None
    if dy[1] is None:
        return g
    probabilities = F.softmax(x)
    rows = F.shape(x)
    inner = F.matmul(F.reshape(dy[1], shape=(rows[0], 1, rows[1])), F.reshape(probabilities, shape=(*rows, 1)))
    more = (dy[1] - F.reshape(inner, shape=(rows[0], 1))) * probabilities
    return more if g is None else g + more


def _dense_by_logits(F: Any, dy: Any, y: Any, x: Any, _labels: Any) -> Any:
    loss = dy[0] if dy[0] is not None else F.zeros_like(y[0])
    return _by_logits(F, (loss, dy[1]), y, x)


def _dense_by_labels(F: Any, dy: Any, y: Any, x: Any, _labels: Any) -> Any:
    loss = dy[0] if dy[0] is not None else F.zeros_like(y[0])
    return _column(F, loss) * -F.log_softmax(x)


softmax_xent = kernel(
    "softmax_xent", "SoftmaxCrossEntropyWithLogits", forward=_dense, absent=True,
    gradient=(_dense_by_logits, _dense_by_labels),
)  # fmt: skip


def _sparse(x: Any, labels: np.ndarray) -> tuple[Any, Any]:
    logs, probabilities = _surprise(x)
    hot = labels[:, None] == np.arange(x.shape[-1])
    loss = np.add.reduce(np.where(hot, logs, np.zeros_like(logs)), axis=-1, dtype=x.dtype)
    return loss, probabilities - hot.astype(x.dtype)


def _sparse_gradient(F: Any, dy: Any, y: Any, x: Any, labels: np.ndarray) -> Any:
    loss = dy[0] if dy[0] is not None else F.zeros_like(y[0])
    return (_by_logits(F, (loss, dy[1]), y, x),)


sparse_xent = kernel(
    "sparse_xent", "SparseSoftmaxCrossEntropyWithLogits", forward=_sparse, gradient=_sparse_gradient, absent=True
)  # fmt: skip


def _given(name: str, labels: Any, logits: Any) -> None:
    if labels is None or logits is None:
        raise ValueError(
            f"Both `labels` and `logits` must be provided for {name}Received: labels={labels} and logits={logits}"
        )


@public("nn.softmax_cross_entropy_with_logits")
def softmax_cross_entropy_with_logits(
    labels: Any, logits: Any, axis: int | None = -1, name: str | None = None
) -> EagerTensor:
    """-sum(labels log_softmax(logits)) along ``axis`` (``tf.nn.softmax_cross_entropy_with_logits``)."""
    _given("softmax_cross_entropy_with_logits", labels, logits)
    axis = -1 if axis is None else axis
    x, y = convert_to_tensor(logits), convert_to_tensor(labels)
    narrow = x.dtype.name in ("float16", "bfloat16")
    precise = cast(x, "float32") if narrow else x
    if y._a.dtype is not precise._a.dtype:
        y = cast(y, precise.dtype)
    rank = precise._a.ndim
    if axis != -1:
        _check_axis(axis, rank)
        order = [k for k in range(rank) if k != axis % rank] + [axis % rank]
        precise, y = transpose(precise, order), transpose(y, order)
    shape = precise._a.shape
    precise, y = _rows(precise), _rows(y)
    check("SoftmaxCrossEntropyWithLogits", name, features=precise, labels=y)
    if any(a != b and 1 not in (a, b) for a, b in zip(precise._a.shape, y._a.shape)):
        sizes = f"logits_size={brackets(precise._a.shape)} labels_size={brackets(y._a.shape)}"
        raise invalid("SoftmaxCrossEntropyWithLogits", f"logits and labels must be broadcastable: {sizes}", name)
    loss, _ = softmax_xent(precise, y)
    loss = reshape(loss, shape[:-1])
    return cast(loss, x.dtype) if narrow else loss


def _check_axis(axis: int, rank: int) -> None:
    """TensorFlow lists the axes before and after: it finds none before one that is counted from the end."""
    if axis < 0 or axis >= rank:
        start, limit = (0, axis) if axis < 0 else (axis + 1, rank)
        raise invalid("Range", f"Requires start <= limit when delta > 0: {start:g}/{limit:g}")
    if isinstance(axis, float):
        no_fraction(axis, axis + 1, rank)


def _rows(x: EagerTensor) -> EagerTensor:
    """The outer axes joined into one."""
    size = x._a.shape[-1] if x._a.ndim else 1
    return x if x._a.ndim == 2 and x._a.size else reshape(x, [-1, size])  # nothing of no columns is one row


@public("nn.sparse_softmax_cross_entropy_with_logits")
@noting_wholes
def sparse_softmax_cross_entropy_with_logits(labels: Any, logits: Any, name: str | None = None) -> EagerTensor:
    """-log_softmax(logits) at each label (``tf.nn.sparse_softmax_cross_entropy_with_logits``)."""
    _given("sparse_softmax_cross_entropy_with_logits", labels, logits)
    y, x = convert_to_tensor(labels), convert_to_tensor(logits)
    if not x._a.ndim:
        raise ValueError(f"`logits` cannot be a scalar. Received logits={x}`")
    if y._a.ndim != x._a.ndim - 1:
        raise ValueError(
            "`labels.shape.rank` must equal `logits.shape.rank - 1`. "
            f"Received: labels.shape={y.shape} of rank {y._a.ndim} and logits.shape={x.shape} of rank {x._a.ndim}"
        )
    if y._a.shape != x._a.shape[:-1]:
        raise ValueError(
            "`labels.shape` must equal `logits.shape` except for the last dimension. "
            f"Received: labels.shape={y.shape} and logits.shape={x.shape}"
        )
    precise = cast(x, "float32") if x.dtype.name == "float16" else x
    check("SparseSoftmaxCrossEntropyWithLogits", name, features=precise, labels=y)
    classes = x._a.shape[-1]
    if not classes:
        text = f"Must have at least one class, but got logits shape {brackets((y._a.size, 0))}"
        raise invalid("SparseSoftmaxCrossEntropyWithLogits", text, name)
    flat = np.asarray(y._a).reshape(-1)
    check_labels(flat, classes, name)
    loss, _ = sparse_xent(precise if x._a.ndim == 2 else reshape(precise, [-1, classes]), labels=flat)
    loss = loss if x._a.ndim == 2 else reshape(loss, y._a.shape)
    return cast(loss, x.dtype) if precise is not x else loss


def check_labels(labels: np.ndarray, classes: int, name: str | None) -> None:
    """InvalidArgumentError where a label is none of the classes."""
    bad = (labels < 0) | (labels >= classes)
    if bad.any():
        text = f"Received a label value of {labels[bad.argmax()]} which is outside the valid range of [0, {classes})."
        text = f"{text}  Label values: {' '.join(map(str, labels.tolist()))}"
        raise invalid("SparseSoftmaxCrossEntropyWithLogits", text, name)


def _same_shape(y: EagerTensor, x: EagerTensor) -> None:
    if y._a.shape != x._a.shape:
        raise ValueError(f"`logits` and `labels` must have the same shape, received ({x.shape} vs {y.shape}).")


@public("nn.sigmoid_cross_entropy_with_logits")
def sigmoid_cross_entropy_with_logits(labels: Any = None, logits: Any = None, name: str | None = None) -> EagerTensor:
    """The logistic loss of each element, safe for large logits (``tf.nn.sigmoid_cross_entropy_with_logits``)."""
    _given("sigmoid_cross_entropy_with_logits", labels, logits)
    x, y = convert_to_tensor(logits), convert_to_tensor(labels)
    _same_shape(y, x)
    zeros = wrap(np.zeros(x._a.shape, x._a.dtype)[()])
    positive = greater_equal(x, zeros)
    return add(select_alike(positive, x, zeros) - x * y, log1p(exp(select_alike(positive, -x, x))))


@public("nn.weighted_cross_entropy_with_logits")
def weighted_cross_entropy_with_logits(
    labels: Any, logits: Any, pos_weight: Any, name: str | None = None
) -> EagerTensor:
    """The logistic loss with positive labels weighted (``tf.nn.weighted_cross_entropy_with_logits``)."""
    x, y = convert_to_tensor(logits), convert_to_tensor(labels)
    _same_shape(y, x)
    weight = 1 + (pos_weight - 1) * y
    return add((1 - y) * x, weight * (log1p(exp(-absolute(x))) + relu(-x)))


@public("nn.log_poisson_loss")
def log_poisson_loss(
    targets: Any, log_input: Any, compute_full_loss: bool = False, name: str | None = None
) -> EagerTensor:
    """exp(log_input) - log_input targets, and Stirling's approximation if wanted (``tf.nn.log_poisson_loss``)."""
    x, y = convert_to_tensor(log_input), convert_to_tensor(targets)
    if y._a.shape != x._a.shape:
        raise ValueError(f"`log_input` and `targets` must have the same shape, received ({x.shape} vs {y.shape}).")
    result = exp(x) - x * y
    if not compute_full_loss:
        return result
    two_pi, half = convert_to_tensor(2 * _math.pi, y.dtype), convert_to_tensor(0.5, y.dtype)
    stirling = (y * log(y)) - y + half * log(two_pi * y)
    zeros = wrap(np.zeros(y._a.shape, y._a.dtype)[()])
    inside = logical_and(greater_equal(y, zeros), less_equal(y, wrap(np.ones(y._a.shape, y._a.dtype)[()])))
    return result + select_alike(inside, zeros, stirling)
