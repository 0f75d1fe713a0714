"""The largest and smallest elements along axes, and where they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import as_dtype, int64
from ..errors import invalid
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .declare import MISSING, kernel, public
from .kernels.whole_numbers import highest, lowest
from .reductions import axes_of, kept_shape


def _shared(F: Any, dy: Any, y: Any, x: Any, axis: tuple[int, ...], keepdims: bool) -> Any:
    """The upstream, divided evenly among the elements that equal the extreme."""
    kept = kept_shape(F.shape(x), axis)
    if not keepdims:
        y, dy = F.reshape(y, shape=kept), F.reshape(dy, shape=kept)
    chosen = F.cast(F.equal(y, x), dtype=F.dtype(dy))
    count = F.reshape(F.sum(chosen, axis=axis, keepdims=False), shape=kept)
    return chosen / count * dy


def _reduced(ufunc: np.ufunc, start: Any) -> Any:
    def forward(x: Any, axis: tuple[int, ...], keepdims: bool) -> Any:
        if not x.size:
            return ufunc.reduce(x, axis=axis, keepdims=keepdims, initial=start(x.dtype))
        return ufunc.reduce(x, axis=axis, keepdims=keepdims)

    return forward


max_ = kernel("max", "Max", forward=_reduced(np.maximum, lowest), gradient=_shared)
min_ = kernel("min", "Min", forward=_reduced(np.minimum, highest), gradient=_shared)


@public("reduce_max math.reduce_max")
def reduce_max(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> EagerTensor:
    """The largest element over ``axis`` (``tf.reduce_max``); ties share the gradient evenly."""
    x = convert_to_tensor(input_tensor)
    max_.op.check(x._a.dtype, name)
    return max_(x, axis=axes_of("Max", axis, x._a.ndim), keepdims=bool(keepdims))


@public("reduce_min math.reduce_min")
def reduce_min(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> EagerTensor:
    """The smallest element over ``axis`` (``tf.reduce_min``); ties share the gradient evenly."""
    x = convert_to_tensor(input_tensor)
    min_.op.check(x._a.dtype, name)
    return min_(x, axis=axes_of("Min", axis, x._a.ndim), keepdims=bool(keepdims))


def _position(function: Any, worst: float) -> Any:
    def forward(x: Any, axis: int, dtype: np.dtype) -> Any:
        if x.dtype.kind in "fV" and np.isnan(x).any():  # a nan is never the extreme
            x = np.where(np.isnan(x), x.dtype.type(worst), x)
        return function(x, axis=axis).astype(dtype)

    return forward


arg_max = kernel("arg_max", "ArgMax", forward=_position(np.argmax, -np.inf), gradient=None)
arg_min = kernel("arg_min", "ArgMin", forward=_position(np.argmin, np.inf), gradient=None)


def _where(op: Any, name: str, x: Any, axis: Any, output_type: Any) -> EagerTensor:
    x = convert_to_tensor(x)
    axis, rank = 0 if axis is None else int(axis), x._a.ndim
    if not -rank <= axis < rank:
        raise invalid(name, f"Expected dimension in the range [{-rank}, {rank}), but got {axis}")
    if x._a.shape[axis] == 0:
        raise invalid(name, f"Reduction axis {axis} is empty in shape [{','.join(map(str, x._a.shape))}]")
    return op(x, axis=axis % rank, dtype=as_dtype(output_type).numpy)


@public("argmax math.argmax")
def argmax(input: Any, axis: Any = None, output_type: Any = int64, name: str | None = None) -> EagerTensor:
    """The index of the first largest element along ``axis``, 0 by default (``tf.argmax``)."""
    return _where(arg_max, "ArgMax", input, axis, output_type)


@public("argmin math.argmin")
def argmin(input: Any, axis: Any = None, output_type: Any = int64, name: str | None = None) -> EagerTensor:
    """The index of the first smallest element along ``axis``, 0 by default (``tf.argmin``)."""
    return _where(arg_min, "ArgMin", input, axis, output_type)


def _truth(name: str, kernel_name: str, ufunc: np.ufunc) -> Any:
    forward = lambda x, axis, keepdims: ufunc.reduce(x, axis=axis, keepdims=keepdims)
    return kernel(name, kernel_name, forward=forward, gradient=MISSING)


all_ = _truth("all", "All", np.logical_and)
any_ = _truth("any", "Any", np.logical_or)


def _of_bools(op: Any, x: Any, axis: Any, keepdims: bool, name: str | None) -> EagerTensor:
    x = convert_to_tensor(x)
    if x._a.dtype.kind != "b":
        word = op.op.kernel
        text = f"cannot compute {word} as input #0(zero-based) was expected to be a bool tensor but is a "
        raise invalid(word, text + f"{_word(x)} tensor", name, node=False)
    return op(x, axis=axes_of(op.op.kernel, axis, x._a.ndim), keepdims=bool(keepdims))


def _word(x: EagerTensor) -> str:
    from ..dtypes import kernel_name

    return kernel_name(x._a.dtype)


@public("reduce_all math.reduce_all")
def reduce_all(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> EagerTensor:
    """Whether all elements over ``axis`` are true (``tf.reduce_all``)."""
    return _of_bools(all_, input_tensor, axis, keepdims, name)


@public("reduce_any math.reduce_any")
def reduce_any(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> EagerTensor:
    """Whether any element over ``axis`` is true (``tf.reduce_any``)."""
    return _of_bools(any_, input_tensor, axis, keepdims, name)
