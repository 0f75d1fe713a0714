"""Discrete cosine transforms, and what the recognition of speech makes of them (``tf.signal``)."""

from __future__ import annotations

import math as _math
from typing import Any

import numpy as np

from ..dtypes import as_dtype, float32
from ..ops.arithmetic import exp, log, maximum, minimum, rsqrt, sqrt
from ..ops.casting import cast
from ..ops.complex_numbers import complex, real
from ..ops.declare import public
from ..ops.fourier import irfft, rfft
from ..ops.gathering import gather
from ..ops.joining import split
from ..ops.making import linspace
from ..ops.making import range as _range
from ..ops.shaping import concat, reshape
from ..ops.squeezing import expand_dims
from ..ops.tiling import pad
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor


def _validated(x: Any, kind: int, n: int | None, axis: int, norm: str | None) -> None:
    if axis != -1:
        raise NotImplementedError(f"axis must be -1. Got: {axis}")
    if n is not None and n < 1:
        raise ValueError("n should be a positive integer or None")
    if kind not in (1, 2, 3, 4):
        raise ValueError("Types I, II, III and IV (I)DCT are supported.")
    if kind == 1 and norm == "ortho":
        raise ValueError("Normalization is not supported for the Type-I DCT.")
    if kind == 1 and x.shape[-1] < 2:
        raise ValueError("Type-I DCT requires the dimension to be greater than one.")
    if norm not in (None, "ortho"):
        raise ValueError(f"Unknown normalization. Expected None or 'ortho', got: {norm}")


def _of_length(x: EagerTensor, n: int) -> EagerTensor:
    """The last axis cut, or filled up with zeros."""
    have = x._a.shape[-1]
    return x[..., 0:n] if n <= have else pad(x, [[0, 0]] * (x._a.ndim - 1) + [[0, n - have]])


def _turned(size: EagerTensor, zero: EagerTensor, sign: int) -> EagerTensor:
    """Twice the roots of unity by which the spectrum is turned."""
    angles = _range(size)
    angles = (-angles if sign < 0 else angles) * _math.pi * 0.5 / size
    return 2.0 * exp(complex(zero, angles))


def _weights(first: EagerTensor, others: EagerTensor, size: int) -> EagerTensor:
    return pad(expand_dims(first, 0), [[0, size - 1]], constant_values=others)


def _first(x: EagerTensor, size: EagerTensor, norm: str | None) -> EagerTensor:
    return real(rfft(concat([x, x[..., -2:0:-1]], -1)))


def _second(x: EagerTensor, size: EagerTensor, norm: str | None) -> EagerTensor:
    n, zero = x._a.shape[-1], convert_to_tensor(0.0, x.dtype)
    turned = _turned(size, zero, -1)
    found = real(rfft(x, fft_length=[2 * n])[..., :n] * turned)
    if norm != "ortho":
        return found
    first = 0.5 * rsqrt(size)
    return found * _weights(first, first * _math.sqrt(2.0), n)


def _third(x: EagerTensor, size: EagerTensor, norm: str | None) -> EagerTensor:
    n, zero = x._a.shape[-1], convert_to_tensor(0.0, x.dtype)
    if norm == "ortho":
        first = sqrt(size)
        x = x * _weights(first, first * _math.sqrt(0.5), n)
    else:
        x = x * size
    return real(irfft(_turned(size, zero, 1) * complex(x, zero), fft_length=[2 * n]))[..., :n]


def _fourth(x: EagerTensor, size: EagerTensor, norm: str | None) -> EagerTensor:
    found = _transformed(x, 2, 2 * x._a.shape[-1], None)[..., 1::2]
    return found * (_math.sqrt(0.5) * rsqrt(size)) if norm == "ortho" else found


_KINDS = {1: _first, 2: _second, 3: _third, 4: _fourth}


def _transformed(x: Any, kind: int, n: int | None, norm: str | None) -> EagerTensor:
    x = convert_to_tensor(x)
    x = x if n is None else _of_length(x, n)
    return _KINDS[kind](x, cast(convert_to_tensor(x._a.shape[-1]), x.dtype), norm)


@public("signal.dct")
def dct(
    input: Any, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None, name: str | None = None
) -> EagerTensor:
    """A discrete cosine transform, of type I to IV, along the last axis (``tf.signal.dct``).

    ``n`` cuts or pads it, ``norm="ortho"`` makes it orthogonal.  ValueError for others, NotImplementedError for axes.
    """
    _validated(input, type, n, axis, norm)
    return _transformed(input, type, n, norm)


@public("signal.idct")
def idct(
    input: Any, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None, name: str | None = None
) -> EagerTensor:
    """The inverse of ``dct`` of the same type, but for a factor where ``norm`` is None (``tf.signal.idct``)."""
    _validated(input, type, n, axis, norm)
    return _transformed(input, {1: 1, 2: 3, 3: 2, 4: 4}[type], n, norm)


@public("signal.mfccs_from_log_mel_spectrograms")
def mfccs_from_log_mel_spectrograms(log_mel_spectrograms: Any, name: str | None = None) -> EagerTensor:
    """Cepstral coefficients of logarithms of spectra (``tf.signal.mfccs_from_log_mel_spectrograms``)."""
    x = convert_to_tensor(log_mel_spectrograms)
    bins = x._a.shape[-1]
    if not bins:
        raise ValueError(f"num_mel_bins must be positive. Got: {x}")
    found = dct(x, type=2)
    return found * rsqrt(cast(convert_to_tensor(bins), found.dtype) * 2.0)


_BREAK, _Q = 700.0, 1127.0  # hertz, and mels for each factor of e above it


def _mel(hertz: Any) -> EagerTensor:
    return _Q * log(1.0 + convert_to_tensor(hertz) / _BREAK)


def _bands(count: Any, sample_rate: Any, low: Any, high: Any, dtype: Any) -> None:
    """ValueError for bands that make no sense."""
    if count <= 0:
        raise ValueError(f"num_mel_bins must be positive. Got: {count}")
    if low < 0.0:
        raise ValueError(f"lower_edge_hertz must be non-negative. Got: {low}")
    if low >= high:
        raise ValueError(f"lower_edge_hertz {low:.1f} >= upper_edge_hertz {high:.1f}")
    if sample_rate <= 0.0:
        raise ValueError(f"sample_rate must be positive. Got: {sample_rate}")
    if high > sample_rate / 2:
        raise ValueError(
            "upper_edge_hertz must not be larger than the Nyquist frequency (sample_rate / 2). "
            f"Got {high} for sample_rate: {sample_rate}"
        )
    if not dtype.is_floating:
        raise ValueError(f"dtype must be a floating point type. Got: {dtype}")


@public("signal.linear_to_mel_weight_matrix")
def linear_to_mel_weight_matrix(
    num_mel_bins: Any = 20, num_spectrogram_bins: Any = 129, sample_rate: Any = 8000, lower_edge_hertz: Any = 125.0,
    upper_edge_hertz: Any = 3800.0, dtype: Any = float32, name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """Weights (spectrogram bins, mel bins) by which a spectrum becomes one of equal steps to the ear.

    ValueError for bands out of range (``tf.signal.linear_to_mel_weight_matrix``).
    """
    want = as_dtype(dtype)
    rate = sample_rate._a if isinstance(sample_rate, EagerTensor) else sample_rate
    _bands(num_mel_bins, rate, lower_edge_hertz, upper_edge_hertz, want)
    low, high = (convert_to_tensor(edge, want) for edge in (lower_edge_hertz, upper_edge_hertz))
    zero = convert_to_tensor(0.0, want)
    linear = linspace(zero, cast(rate, want) / 2.0, num_spectrogram_bins)[1:]
    bins = expand_dims(_mel(linear), 1)
    edges = linspace(_mel(low), _mel(high), num_mel_bins + 2)
    windows = np.arange(num_mel_bins)[:, None] + np.arange(3)
    parts = split(gather(edges, windows), 3, axis=1)
    lower, centre, upper = (reshape(t, [1, num_mel_bins]) for t in parts)
    rising, falling = (bins - lower) / (centre - lower), (upper - bins) / (upper - centre)
    return pad(maximum(zero, minimum(rising, falling)), [[1, 0], [0, 0]])
