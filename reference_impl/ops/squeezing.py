"""Axes of size one put in and taken out: expand_dims, squeeze."""

from __future__ import annotations

from typing import Any

from ..errors import invalid
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .arguments import whole
from .declare import kernel, public
from .shaping import ints

_ALL = "float complex int bool string"


def _back(F: Any, dy: Any, _y: Any, _x: Any, shape: tuple[int, ...]) -> Any:
    return F.reshape(dy, shape=F.shape(_x))


def _reshaped(x: Any, shape: tuple[int, ...]) -> Any:
    return x.reshape(shape)[()]


expand_dims_ = kernel("expand_dims", "ExpandDims", types=_ALL, forward=_reshaped, gradient=_back)
squeeze_ = kernel("squeeze", "Squeeze", types=_ALL, forward=_reshaped, gradient=_back)


@public("expand_dims")
def expand_dims(input: Any, axis: Any, name: str | None = None) -> EagerTensor:
    """``input`` with a new axis of size 1 at ``axis`` (``tf.expand_dims``)."""
    x = convert_to_tensor(input)
    (axis,), rank, shape = ints(whole("ExpandDims", "dim", axis, name)), x._a.ndim, x._a.shape
    if not -rank - 1 <= axis <= rank:
        text = f"Tried to expand dim index {axis} for tensor with {rank} dimensions."
        raise invalid("ExpandDims", text, name)
    axis %= rank + 1
    return expand_dims_(x, shape=(*shape[:axis], 1, *shape[axis:]))


@public("squeeze")
def squeeze(input: Any, axis: Any = None, name: str | None = None) -> EagerTensor:
    """``input`` without the axes of size 1, or without those given (``tf.squeeze``)."""
    x = convert_to_tensor(input)
    rank, shape = x._a.ndim, x._a.shape
    given = () if axis is None else ints(axis)
    for a in given:
        if not -rank <= a < rank:
            text = f"Tried to squeeze dim index {a} for tensor with {rank} dimensions."
            raise invalid("Squeeze", text, name)
    gone = {a % rank for a in given}
    for a in sorted(gone):
        if shape[a] != 1:
            raise invalid("Squeeze", f"Can not squeeze dim[{a}], expected a dimension of 1, got {shape[a]}", name)
    left = tuple(d for k, d in enumerate(shape) if (k not in gone if gone else d != 1))
    return squeeze_(x, shape=left)
