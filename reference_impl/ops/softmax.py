"""softmax and log_softmax: ops on the last axis; another axis is swapped with it before and after."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import InvalidArgumentError, invalid
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .arguments import refusal
from .declare import OPS, public, unary
from .kernels import exponentials
from .shaping import transpose


def _shifted(x: Any) -> Any:
    return x - np.maximum.reduce(x, axis=-1, keepdims=True) if x.size else x


def _softmax(x: Any) -> Any:
    e = exponentials.exp(_shifted(x))
    return e * np.reciprocal(np.add.reduce(e, axis=-1, keepdims=True, dtype=e.dtype))  # as TensorFlow rounds it


def _log_softmax(x: Any) -> Any:
    shifted = _shifted(x)
    return shifted - np.log(np.add.reduce(exponentials.exp(shifted), axis=-1, keepdims=True, dtype=x.dtype))


def _last(F: Any, x: Any) -> Any:
    last = -1 if x is None else F.rank(x) - 1  # an upstream may be of a wrong rank, or none at all
    return F.sum(x, axis=(last,), keepdims=True)


softmax_ = unary(
    "", f="softmax", kernel="Softmax", forward=_softmax,
    gradient=lambda F, dy, y, _x: (dy - _last(F, dy * y)) * y,
)  # fmt: skip
log_softmax_ = unary(
    "", f="log_softmax", kernel="LogSoftmax", forward=_log_softmax,
    gradient=lambda F, dy, y, _x: dy - _last(F, dy) * F.exp(y),
)  # fmt: skip


def no_fraction(axis: float, start: float, limit: int) -> None:
    """TensorFlow's error for a float for an axis: the axes behind it, or all in their order, are no axes then."""
    if start > limit:
        raise invalid("Range", f"Requires start <= limit when delta > 0: {start:g}/{limit}")
    raise refusal("Transpose", "float", None, "Tperm")


def _along(op: Any, kernel: str, logits: Any, axis: int | None, name: str | None) -> EagerTensor:
    x = convert_to_tensor(logits)
    rank = x._a.ndim
    axis = -1 if axis is None else axis if isinstance(axis, float) else int(axis)
    if axis == -1 or axis == rank - 1:
        OPS[kernel].check(x._a.dtype, name)
        if not rank:
            raise invalid(kernel, "logits must have >= 1 dimension, got []", name)
        return op(x, name)
    if not -rank <= axis < rank:
        raise InvalidArgumentError(
            None, None,
            f"`dim` must be in the range [{-rank}, {rank}) where {rank} is the number of dimensions in the input. "
            f"Received: dim={axis}",
        )  # fmt: skip
    if isinstance(axis, float):
        axis = axis % rank
        no_fraction(axis, axis + 1, rank - 1)
    perm = list(range(rank))
    perm[axis], perm[-1] = perm[-1], perm[axis]
    return transpose(op(transpose(x, perm)), perm)


@public("nn.softmax math.softmax")
def softmax(logits: Any, axis: int | None = None, name: str | None = None) -> EagerTensor:
    """Exponentials divided by their sum along ``axis``, the last by default (``tf.nn.softmax``)."""
    return _along(softmax_, "Softmax", logits, axis, name)


@public("nn.log_softmax math.log_softmax")
def log_softmax(logits: Any, axis: int | None = None, name: str | None = None) -> EagerTensor:
    """The logarithm of softmax (``tf.nn.log_softmax``)."""
    return _along(log_softmax_, "LogSoftmax", logits, axis, name)
