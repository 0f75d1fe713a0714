"""Windows by which frames of a signal are weighed (``tf.signal``): each a vector of ``window_length`` numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import DType, as_dtype, float32, int32
from ..ops.activations import relu
from ..ops.arithmetic import exp, multiply, pow, sqrt, square
from ..ops.casting import cast
from ..ops.cumulative import cumsum
from ..ops.declare import NAMES, public
from ..ops.elementwise import cos, sin
from ..ops.making import ones
from ..ops.making import range as _range
from ..ops.shaping import concat
from ..ops.special import bessel_i0e
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor


def _length(window_length: Any, dtype: Any) -> tuple[EagerTensor, DType]:
    """The length as a tensor and the dtype.  ValueError for other than a number and a floating dtype."""
    want = as_dtype(dtype)
    if not want.is_floating:
        raise ValueError(f"dtype must be a floating point type. Found {want}")
    length = convert_to_tensor(window_length, int32)
    length.shape.with_rank(0)
    return length, want


def _raised_cosine(window_length: Any, periodic: Any, dtype: Any, a: float, b: float) -> EagerTensor:
    length, want = _length(window_length, dtype)
    size = int(length._a)
    if size == 1:
        return ones([1], want)
    whole = int(bool(convert_to_tensor(periodic)._a))
    n = cast(convert_to_tensor(size + whole * (1 - size % 2) - 1), want)
    places = cast(_range(length), want)
    turns = multiply(convert_to_tensor(2 * np.pi, want), places) / n
    return cast(a - b * cos(turns), want)


@public("signal.hann_window")
def hann_window(window_length: Any, periodic: Any = True, dtype: Any = float32, name: str | None = None) -> EagerTensor:
    """Half of one period of 1 - cos (``tf.signal.hann_window``)."""
    return _raised_cosine(window_length, periodic, dtype, 0.5, 0.5)


@public("signal.hamming_window")
def hamming_window(
    window_length: Any, periodic: Any = True, dtype: Any = float32, name: str | None = None
) -> EagerTensor:
    """As ``hann_window``, without reaching zero (``tf.signal.hamming_window``)."""
    return _raised_cosine(window_length, periodic, dtype, 0.54, 0.46)


@public("signal.kaiser_window")
def kaiser_window(window_length: Any, beta: Any = 12.0, dtype: Any = float32, name: str | None = None) -> EagerTensor:
    """A Bessel function of the distance from the middle (``tf.signal.kaiser_window``), with a gradient by ``beta``."""
    length, want = _length(window_length, dtype)
    if int(length._a) == 1:
        return ones([1], want)
    half = (cast(length, float32) - 1.0) / 2.0
    places = cast(_range(-half, half + 0.1, dtype=float32), want)
    beta, one, half = cast(beta, want), cast(1.0, want), cast(half, want)
    height = beta * sqrt(relu(one - square(places / half)))
    return exp(height - beta) * (bessel_i0e(height) / bessel_i0e(beta))


@public("signal.kaiser_bessel_derived_window")
def kaiser_bessel_derived_window(
    window_length: Any, beta: Any = 12.0, dtype: Any = float32, name: str | None = None
) -> EagerTensor:
    """Square roots of the running sum of a Kaiser window (``tf.signal.kaiser_bessel_derived_window``)."""
    length, want = _length(window_length, dtype)
    sums = cumsum(kaiser_window(length // 2 + 1, beta, dtype=want))
    half = sqrt(sums[:-1] / sums[-1])
    return concat((half, half[::-1]), 0)


@public("signal.vorbis_window")
def vorbis_window(window_length: Any, dtype: Any = float32, name: str | None = None) -> EagerTensor:
    """The window of the Vorbis codec (``tf.signal.vorbis_window``)."""
    length, want = _length(window_length, dtype)
    places = cast(_range(length), want)
    return sin(np.pi / 2.0 * pow(sin(np.pi / cast(length, want) * (places + 0.5)), 2.0))


def reweighed(frame_step: Any, forward_window_fn: Any, frame_length: Any, dtype: Any) -> EagerTensor:
    """The window that undoes ``forward_window_fn`` when frames are added up."""
    step, length = convert_to_tensor(frame_step), convert_to_tensor(frame_length)
    step.shape.with_rank(0)
    length.shape.with_rank(0)
    window = forward_window_fn(length, dtype=dtype)
    size, hop = int(length._a), int(step._a)
    overlaps = -(-size // hop)
    power = NAMES["pad"](square(window), [(0, overlaps * hop - size)])
    power = NAMES["reduce_sum"](NAMES["reshape"](power, [overlaps, hop]), 0, keepdims=True)
    power = NAMES["reshape"](NAMES["tile"](power, [overlaps, 1]), [overlaps * hop])[:size]
    return NAMES["where"](NAMES["math.equal"](power, 0.0), NAMES["zeros_like"](window), window / power)
