"""Functions of ``keras.ops`` about frequencies and complex numbers; spectra are pairs of real and imaginary parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import reference_impl as tf

from ...tensors.tensor import EagerTensor
from .promotion import floating, tensor


def _complex_of(x: Any) -> EagerTensor:
    """A complex tensor of a pair of its parts.  ValueError for what is no pair of floats of one shape."""
    if not isinstance(x, (tuple, list)) or len(x) != 2:
        raise ValueError(f"Input `x` should be a tuple of two tensors - real and imaginary.Received: x={x}")
    real, imaginary = (tensor(part) for part in x)
    if real.shape != imaginary.shape:
        raise ValueError(
            "Input `x` should be a tuple of two tensors - real and imaginary.Both the real and imaginary parts should "
            f"have the same shape. Received: x[0].shape = {real.shape}, x[1].shape = {imaginary.shape}"
        )
    if not real.dtype.is_floating or not imaginary.dtype.is_floating:
        raise ValueError(f"At least one tensor in input `x` is not of type float.Received: x={x}.")
    return tf.complex(real, imaginary)


def _parts(x: EagerTensor) -> tuple[EagerTensor, EagerTensor]:
    return tf.math.real(x), tf.math.imag(x)


def ifft2(x: Any) -> tuple[EagerTensor, EagerTensor]:
    """The inverse of ``fft2``."""
    real, imaginary = x
    rows, columns = (tf.cast(tf.shape(real)[k], real.dtype) for k in (-2, -1))
    a, b = _parts(tf.signal.fft2d(_complex_of((real, -imaginary))))
    return a / (rows * columns), -b / (rows * columns)


def _lengths(fft_length: Any) -> Any:
    return None if fft_length is None else [fft_length]


def rfft(x: Any, fft_length: int | None = None) -> tuple[EagerTensor, EagerTensor]:
    """The frequencies of real numbers along the last axis."""
    return _parts(tf.signal.rfft(tensor(x), _lengths(fft_length)))


def irfft(x: Any, fft_length: int | None = None) -> EagerTensor:
    """Real numbers of their frequencies."""
    return tf.signal.irfft(_complex_of(x), _lengths(fft_length))


def _check_stride(sequence_stride: Any) -> None:
    if not isinstance(sequence_stride, int) or sequence_stride <= 0:
        raise ValueError(f"`sequence_stride` must be a positive integer. Received: sequence_stride={sequence_stride}")


def _window(window: Any, length: int, fft_length: int, dtype: Any) -> EagerTensor:
    """A window in the middle of ``fft_length`` elements.  ValueError for one of another shape."""
    if isinstance(window, str):
        make = tf.signal.hann_window if window == "hann" else tf.signal.hamming_window
        window = make(length, periodic=True, dtype=dtype)
    window = tensor(window, dtype)
    if len(window.shape) != 1 or window.shape[-1] != length:
        raise ValueError(
            f"The shape of `window` must be equal to [sequence_length].Received: window shape={window.shape}"
        )
    before = (fft_length - length) // 2
    return tf.pad(window, [[before, fft_length - length - before]])


def _weighing(window: Any, length: int, fft_length: int, dtype: Any) -> Callable[..., Any]:
    """A window as TensorFlow's transforms ask for it; what is known is made outside of functions under construction."""
    if tf.is_tensor(window):
        made = _window(window, length, fft_length, dtype)
    else:
        with tf.init_scope():
            made = _window(window, length, fft_length, dtype)
    return lambda frame_step, dtype: made


def stft(
    x: Any, sequence_length: int, sequence_stride: int, fft_length: int, window: Any = "hann", center: bool = True
) -> tuple[EagerTensor, EagerTensor]:
    """The frequencies of pieces along the last axis.  TypeError and ValueError for dtypes, lengths and windows."""
    _check_stride(sequence_stride)
    x = tensor(x)
    if x.dtype.name not in ("float32", "float64"):
        raise TypeError(f"Invalid input type. Expected `float32` or `float64`. Received: input type={x.dtype}")
    if fft_length < sequence_length:
        raise ValueError(
            "`fft_length` must equal or larger than `sequence_length`. Received: "
            f"sequence_length={sequence_length}, fft_length={fft_length}"
        )
    if isinstance(window, str) and window not in ("hann", "hamming"):
        raise ValueError(
            f'If a string is passed to `window`, it must be one of `"hann"`, `"hamming"`. Received: window={window}'
        )
    if center:
        x = tf.pad(x, [[0, 0]] * (len(x.shape) - 1) + [[fft_length // 2] * 2], mode="REFLECT")
    weigh = None
    if window is not None:
        weigh = _weighing(window, sequence_length, fft_length, x.dtype)
    return _parts(tf.signal.stft(x, fft_length, sequence_stride, fft_length, window_fn=weigh))


def istft(
    x: Any, sequence_length: int, sequence_stride: int, fft_length: int, length: int | None = None,
    window: Any = "hann", center: bool = True,
) -> EagerTensor:  # fmt: skip
    """What ``stft`` gave these frequencies of."""
    _check_stride(sequence_stride)
    spectrum = _complex_of(x)
    weigh = None
    if window is not None:
        forward = _weighing(window, sequence_length, fft_length, tf.math.real(spectrum).dtype)
        weigh = tf.signal.inverse_stft_window_fn(sequence_stride, forward)
    found = tf.signal.inverse_stft(spectrum, fft_length, sequence_stride, fft_length, window_fn=weigh)
    start = 0 if center is False else fft_length // 2
    if length is not None:
        return found[..., start : start + length]
    if center is True:
        return found[..., start : -(fft_length // 2)]
    return found[..., start : fft_length + sequence_stride * (tf.shape(spectrum)[-2] - 1)]


def polar(abs_: Any, angle: Any) -> EagerTensor:
    """Complex numbers of sizes and angles."""
    sizes, angle = tensor(abs_), tensor(angle)
    turned = floating(angle)
    return _complex_of((sizes * tf.cos(turned), sizes * tf.sin(turned)))


def view_as_complex(x: Any) -> EagerTensor:
    """Pairs along the last axis as complex numbers.  ValueError where there are none."""
    x = tensor(x)
    if len(x.shape) < 1 or x.shape[-1] != 2:
        raise ValueError(f"Last dimension of input must be size 2 (real and imaginary). Received shape: {x.shape}")
    return tf.cast(x[..., 0], "complex64") + 1j * tf.cast(x[..., 1], "complex64")


def extract_sequences(x: Any, sequence_length: int, sequence_stride: int) -> EagerTensor:
    """Pieces along the last axis, a stride apart."""
    return tf.signal.frame(tensor(x), sequence_length, sequence_stride, pad_end=False, axis=-1)


TABLE: dict[str, Callable[..., Any]] = {
    "fft": lambda x: _parts(tf.signal.fft(_complex_of(x))), "fft2": lambda x: _parts(tf.signal.fft2d(_complex_of(x))),
    "ifft2": ifft2, "rfft": rfft, "irfft": irfft, "stft": stft, "istft": istft, "polar": polar,
    "view_as_complex": view_as_complex, "view_as_real": lambda x: tf.stack(_parts(tensor(x)), -1),
    "extract_sequences": extract_sequences,
}  # fmt: skip
