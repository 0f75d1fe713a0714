"""Signals cut into frames and put together again (``tf.signal``): frames, short-time Fourier transforms, the MDCT."""

from __future__ import annotations

import math as _math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import unnamed
from ..foundation.building import intercepted
from ..ops.declare import NAMES, public
from ..ops.fourier import irfft, rfft
from ..ops.gathering import gather
from ..ops.joining import split
from ..ops.reductions import reduce_sum
from ..ops.shaping import concat, reshape
from ..ops.shaping import transpose as _transpose
from ..ops.tiling import pad, reverse
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .cosines import dct
from .windows import hann_window, reweighed, vorbis_window


def _number(value: Any) -> EagerTensor:
    """A tensor of rank 0.  ValueError for another rank."""
    x = convert_to_tensor(value)
    x.shape.with_rank(0)
    return x


@public("signal.frame")
def frame(
    signal: Any, frame_length: Any, frame_step: Any, pad_end: bool = False, pad_value: Any = 0, axis: Any = -1,
    name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """Overlapping windows along ``axis``, in the place of which stand two axes (``tf.signal.frame``).

    ``pad_end``: the last frames reach beyond the end, where ``pad_value`` is.  ValueError for a scalar signal.
    """
    x = convert_to_tensor(signal)
    x.shape.with_rank_at_least(1)
    size, hop, axis = (int(_number(v)._a) for v in (frame_length, frame_step, axis))
    axis = list(range(x._a.ndim))[axis]
    samples = x._a.shape[axis]
    if hop == 0:
        raise unnamed("FloorDiv", "Integer division by zero", name)
    if size < 0:
        raise unnamed("Range", f"Requires start <= limit when delta > 0: 0/{size}", name)
    if pad_end:
        filling = convert_to_tensor(pad_value, x.dtype)
        filling.shape.with_rank(0)
        count = -(-samples // hop)
        missing = max(0, size + hop * (count - 1) - samples)
        widths = [[0, missing if k == axis else 0] for k in range(x._a.ndim)]
        x = pad(x, widths, constant_values=filling)
        samples = x._a.shape[axis]
    else:
        count = max(0, 1 + (samples - size) // hop)
    return _cut(x, axis, samples, (size, hop, count))


def _cut(x: EagerTensor, axis: int, samples: int, sizes: tuple[int, int, int]) -> EagerTensor:
    """Frames gathered from the longest pieces of which both frames and steps are made."""
    size, hop, count = sizes
    outer, inner = x._a.shape[:axis], x._a.shape[axis + 1 :]
    piece = _math.gcd(size, hop)
    pieces = samples // piece
    end = (*outer, pieces * piece, *inner)
    x = NAMES["strided_slice"](x, [0] * x._a.ndim, list(end))
    x = reshape(x, (*outer, pieces, piece, *inner))
    first = np.arange(count, dtype=np.int32)[:, None] * (hop // piece)
    chosen = first + np.arange(size // piece, dtype=np.int32)[None, :]
    return reshape(gather(x, chosen, axis=axis), (*outer, count, size, *inner))


@public("signal.overlap_and_add")
def overlap_and_add(signal: Any, frame_step: Any, name: str | None = None) -> EagerTensor:
    """A signal from frames, the last axis, that begin ``frame_step`` apart (``tf.signal.overlap_and_add``).

    ValueError below two axes and for a step that is no integer.
    """
    x = convert_to_tensor(signal)
    x.shape.with_rank_at_least(2)
    step = _number(frame_step)
    if not step.dtype.is_integer:
        raise ValueError(f"frame_step must be an integer. Got {step.dtype}")
    hop, outer = int(step._a), x._a.shape[:-2]
    frames, size = x._a.shape[-2:]
    total, rank = size + hop * (frames - 1), len(outer)
    if hop == size:
        return reshape(x, (*outer, total))
    parts = -(-size // hop)
    x = pad(x, [[0, 0]] * rank + [[0, parts], [0, parts * hop - size]])
    x = reshape(x, (*outer, frames + parts, parts, hop))
    x = _transpose(x, [*range(rank), rank + 1, rank, rank + 2])
    x = reshape(x, (*outer, (frames + parts) * parts, hop))
    x = x[..., : (frames + parts - 1) * parts, :]
    x = reduce_sum(reshape(x, (*outer, parts, frames + parts - 1, hop)), -3)
    return reshape(x, (*outer, (frames + parts - 1) * hop))[..., :total]


# ----------------------------------------------------------------------------------- short-time Fourier transforms


def _enclosing(size: int) -> int:
    """The least power of two that is not smaller."""
    return int(2 ** np.ceil(np.log(size) / np.log(2.0)))


@public("signal.stft")
def stft(
    signals: Any, frame_length: Any, frame_step: Any, fft_length: Any = None,
    window_fn: Callable[..., Any] | None = hann_window, pad_end: bool = False, name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """The spectrum of each frame of signals (``tf.signal.stft``), complex, in a new last axis."""
    x = convert_to_tensor(signals)
    x.shape.with_rank_at_least(1)
    length, step = _number(frame_length), _number(frame_step)
    points = _enclosing(int(length._a)) if fft_length is None else fft_length
    frames = frame(x, length, step, pad_end=pad_end)
    if window_fn is not None:
        frames = frames * window_fn(length, dtype=frames.dtype)
    return rfft(frames, [points])


@public("signal.inverse_stft_window_fn")
def inverse_stft_window_fn(
    frame_step: Any, forward_window_fn: Callable[..., Any] = hann_window, name: str | None = None
) -> Callable[..., EagerTensor]:
    """The window with which ``inverse_stft`` undoes ``stft`` (``tf.signal.inverse_stft_window_fn``)."""

    def inverse_stft_window_fn_inner(frame_length: Any, dtype: Any) -> EagerTensor:
        """The window of this length."""
        return reweighed(frame_step, forward_window_fn, frame_length, dtype)

    return intercepted(inverse_stft_window_fn_inner)


@public("signal.inverse_stft")
def inverse_stft(
    stfts: Any, frame_length: Any, frame_step: Any, fft_length: Any = None,
    window_fn: Callable[..., Any] | None = hann_window, name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """Signals from the spectra of their frames (``tf.signal.inverse_stft``)."""
    z = convert_to_tensor(stfts)
    z.shape.with_rank_at_least(2)
    length, step = _number(frame_length), _number(frame_step)
    size = int(length._a)
    points = _enclosing(size) if fft_length is None else int(_number(fft_length)._a)
    frames = irfft(z, [points])
    have = frames._a.shape[-1]
    if have > size:
        frames = frames[..., :size]
    elif have < size:
        frames = pad(frames, [[0, 0]] * (frames._a.ndim - 1) + [[0, size - have]])
    if size < 0:
        raise ValueError(f"Dimension {size} must be >= 0")
    if window_fn is not None:
        frames = frames * window_fn(length, dtype=z.dtype.real_dtype)
    return overlap_and_add(frames, step)


# -------------------------------------------------------------------------- the modified discrete cosine transform


@public("signal.mdct")
def mdct(
    signals: Any, frame_length: Any, window_fn: Callable[..., Any] | None = vorbis_window, pad_end: bool = False,
    norm: str | None = None, name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """The modified discrete cosine transform of half-overlapping frames (``tf.signal.mdct``).

    ValueError for a frame length that is no multiple of 4.
    """
    x = convert_to_tensor(signals)
    x.shape.with_rank_at_least(1)
    length = _number(frame_length)
    size = int(length._a)
    if size % 4:
        raise ValueError("The frame length must be a multiple of 4.")
    frames = frame(x, length, size // 2, pad_end=pad_end)
    window = window_fn(length, dtype=frames.dtype) if window_fn is not None else 1.0 / np.sqrt(2)
    a, b, c, d = split(frames * window, 4, axis=-1)
    folded = concat((-reverse(c, [-1]) - d, a - reverse(b, [-1])), -1)
    return dct(folded, type=4, norm=norm)


@public("signal.inverse_mdct")
def inverse_mdct(
    mdcts: Any, window_fn: Callable[..., Any] | None = vorbis_window, norm: str | None = None, name: str | None = None
) -> EagerTensor:
    """The inverse of ``mdct`` (``tf.signal.inverse_mdct``), but for the first and the last half frame."""
    x = convert_to_tensor(mdcts)
    x.shape.with_rank_at_least(2)
    half = x._a.shape[-1]
    if norm is None:
        found = 0.5 / NAMES["cast"](half, x.dtype) * dct(x, type=4)
    elif norm == "ortho":
        found = dct(x, type=4, norm="ortho")
    else:
        raise UnboundLocalError("cannot access local variable 'result_idct4' where it is not associated with a value")
    first, second = split(found, 2, axis=-1)
    frames = concat((second, -reverse(second, [-1]), -reverse(first, [-1]), -first), -1)
    window = window_fn(2 * half, dtype=x.dtype) if window_fn is not None else 1.0 / np.sqrt(2)
    return overlap_and_add(frames * window, half)
