"""Fourier transforms of three axes of real numbers, which have no gradient in TensorFlow."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import complex64, float32
from ..errors import unnamed
from ..ops.declare import MISSING, kernel, public
from ..ops.fourier import _complex, _padded
from ..ops.kernels.refusals import sized
from ..ops.shaping import ints
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor

_LAST = (-3, -2, -1)


def _transform(name: str, letters: str, function: Any, types: str, dtype: Any) -> Any:
    forward = lambda x, length, axes: function(x, length, axes).astype(dtype(x))  # noqa: E731  # one of two alike
    return kernel(name, letters, types=types, forward=forward, gradient=MISSING)


rfft3_ = _transform("rfft3", "RFFT3D", np.fft.rfftn, "float", lambda x: _complex(x.dtype))
irfft3_ = _transform("irfft3", "IRFFT3D", np.fft.irfftn, "complex", lambda z: z.real.dtype)


def _real(value: Any) -> EagerTensor:
    x = convert_to_tensor(value, dtype_hint=float32)
    if x.dtype.name not in ("float32", "float64"):
        raise ValueError(f"RFFT requires tf.float32 or tf.float64 inputs, got: {x}")
    return x


def _complexes(value: Any) -> EagerTensor:
    z = convert_to_tensor(value, dtype_hint=complex64)
    if not z.dtype.is_complex:
        raise ValueError(f"IRFFT requires tf.complex64 or tf.complex128 inputs, got: {z}")
    return z


def _halved(length: tuple[int, ...]) -> tuple[int, ...]:
    return (*length[:-1], length[-1] // 2 + 1)


def _doubled(shape: tuple[int, ...]) -> tuple[int, ...]:
    return (*shape[:-1], max(0, 2 * (shape[-1] - 1)))


def _three(length: tuple[int, ...], kernel_name: str) -> tuple[int, ...]:
    sized(length)
    if len(length) != 3:
        raise unnamed(kernel_name, "fft_length must have shape [3]")
    for k, n in enumerate(length):
        if n < 0:
            raise unnamed(kernel_name, f"fft_length[{k}] must >= 0, but got: {n}")
    return length


@public("signal.rfft3d")
def rfft3d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> EagerTensor:
    """The transform of the last three axes of a real tensor, half of the last one (``tf.signal.rfft3d``)."""
    x = _real(input_tensor)
    x.shape.with_rank_at_least(3)
    length = _three(x._a.shape[-3:] if fft_length is None else ints(fft_length), "RFFT3D")
    return rfft3_(_padded(x, *length), length=length, axes=_LAST)


@public("signal.irfft3d")
def irfft3d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> EagerTensor:
    """The inverse of ``rfft3d`` (``tf.signal.irfft3d``)."""
    z = convert_to_tensor(input_tensor, dtype_hint=complex64)
    z.shape.with_rank_at_least(3)
    z = _complexes(z)
    length = _three(_doubled(z._a.shape[-3:]) if fft_length is None else ints(fft_length), "IRFFT3D")
    return irfft3_(_padded(z, *_halved(length)), length=length, axes=_LAST)
