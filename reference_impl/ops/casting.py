"""Changing dtype, and the ops that return their argument: cast, identity, stop_gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import as_dtype, kernel_name, of
from ..errors import UnimplementedError, invalid
from ..foundation.warnings_log import warn
from ..tensors.conversion import convert_to_tensor
from ..tensors.slices import IndexedSlices
from ..tensors.tensor import EagerTensor
from .declare import kernel, public, unary

_ALL = "float complex int bool string"
_DIFFERENTIABLE = "fcV"


def _cast_gradient(F: Any, dy: Any, _y: Any, x: Any, dtype: np.dtype) -> Any:
    source = F.dtype(x)
    if F.recording and isinstance(dy, (np.ndarray, np.generic)):
        dy.dtype.base_dtype  # noqa: B018 - TensorFlow asks for it, and stumbles over what a user returned
    have = dtype if type(dy) is IndexedSlices else F.dtype(dy)
    if source.kind not in _DIFFERENTIABLE or have.kind not in _DIFFERENTIABLE:
        return None
    if have.kind == "c" and source.kind != "c":
        discards(have, source)
    if type(dy) is IndexedSlices:
        return dy._map(lambda values: F.cast(values, dtype=source))
    return F.cast_to_complex(dy, dtype=source) if source.kind == "c" else F.cast(dy, dtype=source)


def discards(have: np.dtype, want: np.dtype) -> None:
    warn(
        f"You are casting an input of type {of(have).name} to an incompatible dtype {of(want).name}.  This will "
        "discard the imaginary part and may not be what you intended."
    )


def _convert(a: Any, dtype: np.dtype) -> Any:
    if (a.dtype.kind == "O") != (dtype.kind == "O"):
        text = f"Cast {kernel_name(a.dtype)} to {kernel_name(dtype)} is not supported"
        raise UnimplementedError(None, None, invalid("Cast", text).message)
    if a.dtype.kind == "c" and dtype.kind not in "cb":
        a = a.real
    return a.astype(dtype)


cast_ = kernel("cast", "Cast", types=_ALL, sparse=True, forward=_convert, gradient=_cast_gradient)
# its gradient may warn, which the walk must not repeat
cast_to_complex = kernel(
    "cast_to_complex", "Cast", types=_ALL, sparse=True, ordered=True,
    forward=_convert, gradient=_cast_gradient,
)  # fmt: skip
_identity = unary(
    "", f="identity", kernel="Identity", forward=lambda a: a, types=_ALL, sparse=True, gradient=lambda F, dy, _y, _x: dy
)  # fmt: skip


@public("cast")
def cast(x: Any, dtype: Any, name: str | None = None) -> Any:
    """``x`` with another dtype (``tf.cast``); a tensor that has it already is returned as it is."""
    want = as_dtype(dtype)
    if type(x) is IndexedSlices:
        return x if x.dtype is want else x._map(lambda v: cast(v, want))
    if hasattr(type(x), "_dense_") and x.dtype is want:
        return x  # a variable, unread
    x = convert_to_tensor(x)
    if x.dtype is want:
        return x
    if want.is_complex and x._a.dtype.kind in _DIFFERENTIABLE:
        return cast_to_complex(x, dtype=want.numpy)
    if want.is_floating and x._a.dtype.kind == "c":
        discards(x._a.dtype, want.numpy)
    return cast_(x, dtype=want.numpy)


@public("identity")
def identity(input: Any, name: str | None = None) -> Any:
    """A new tensor with the same value (``tf.identity``); of slices, slices of new tensors."""
    if type(input) is IndexedSlices:
        parts = (input.values, input.indices, input.dense_shape)
        return IndexedSlices(*[None if part is None else _identity(part) for part in parts])
    return _identity(input)


@public("stop_gradient")
def stop_gradient(input: Any, name: str | None = None) -> Any:
    """A new tensor with the same value, through which nothing is differentiated (``tf.stop_gradient``)."""
    if type(input) is IndexedSlices:
        return input._map(stop_gradient)
    peek = getattr(type(input), "_peek", None)
    a = peek(input) if peek is not None else convert_to_tensor(input)._a
    out = object.__new__(EagerTensor)
    out._a, out._n = a, None
    return out


def _clip_gradient(F: Any, dy: Any, _y: Any, x: Any, low: Any, high: Any) -> Any:
    below, above, zeros = F.less(x, low), F.greater(x, high), F.zeros_like(dy)
    return F.select_alike(F.logical_or(below, above), zeros, dy)


clip_kernel = kernel(
    "clip", "ClipByValue", broadcasting=True, forward=lambda x, low, high: np.minimum(np.maximum(x, low), high),
    gradient=(
        _clip_gradient,
        lambda F, dy, _y, x, low, _high: F.select_alike(F.less(x, low), dy, F.zeros_like(dy)),
        lambda F, dy, _y, x, _low, high: F.select_alike(F.greater(x, high), dy, F.zeros_like(dy)),
    ),
)  # fmt: skip


@public("saturate_cast dtypes.saturate_cast")
def saturate_cast(value: Any, dtype: Any, name: str | None = None) -> EagerTensor:
    """``value`` with another dtype, clipped to the numbers it can hold (``tf.saturate_cast``)."""
    value, want = convert_to_tensor(value), as_dtype(dtype)
    low, high = _limits(value.dtype, want)
    return cast(clip_kernel(value, low, high), want)


def _limits(have: Any, want: Any) -> tuple[Any, Any]:
    """The numbers of ``have`` nearest to the ends of ``want`` that still fit into it."""
    kind = have.as_numpy_dtype
    low, high = kind(max(have.min, want.min)), kind(min(float(have.max), float(want.max)))
    if have.is_floating:
        if int(low) < int(want.min):
            low = np.nextafter(low, kind(0))
        if int(high) > int(want.max):
            high = np.nextafter(high, kind(0))
    return low, high
