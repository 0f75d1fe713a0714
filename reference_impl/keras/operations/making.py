"""Functions of ``keras.ops`` that make tensors of no others: fills, rows of numbers, windows; and conversions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

import reference_impl as tf

from ...tensors.tensor import EagerTensor, is_tensor
from ..policy import floatx, standardize_dtype
from .elementwise import clip
from .promotion import dtype_of, is_whole, result_type, shape_of, tensor


def _named(dtype: Any) -> str | None:
    return None if dtype is None else standardize_dtype(dtype)


def full(shape: Any, fill_value: Any, dtype: Any = None) -> EagerTensor:
    """A value at every place."""
    return tf.broadcast_to(tensor(fill_value, _named(dtype) or floatx()), shape)


def full_like(x: Any, fill_value: Any, dtype: Any = None) -> EagerTensor:
    """A value at every place of a tensor like another."""
    x = tensor(x)
    return tf.broadcast_to(tensor(fill_value, _named(dtype) or x.dtype), tf.shape(x))


def arange(start: Any, stop: Any = None, step: Any = None, dtype: Any = None) -> EagerTensor:
    """Numbers in steps."""
    if dtype is None:
        dtype = result_type(*(dtype_of(v) for v in (start, stop, step) if v is not None))
    name, step = standardize_dtype(dtype), 1 if step is None else step
    try:
        return tf.range(start, stop, delta=step, dtype=name)
    except tf.errors.NotFoundError:
        return tf.cast(tf.range(start, stop, delta=step, dtype="float32"), name)


def linspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, retstep: bool = False, dtype: Any = None, axis: int = 0
) -> Any:
    """So many numbers at equal distances; with ``retstep`` the distance, too.  ValueError for fewer than none."""
    if num < 0:
        raise ValueError(f"`num` must be a non-negative integer. Received: num={num}")
    dtype = result_type(dtype_of(start), dtype_of(stop), float) if dtype is None else standardize_dtype(dtype)
    start, stop = tensor(start, dtype), tensor(stop, dtype)
    step = tensor(np.nan)
    if endpoint:
        found = tf.linspace(start, stop, num, axis=axis)
        if num > 1:
            step = (stop - start) / (tf.cast(num, dtype) - 1)
    else:
        if num > 0:
            step = (stop - start) / tf.cast(num, dtype)
        if num > 1:
            stop = tf.cast(stop, step.dtype) - step
            start = tf.cast(start, stop.dtype)
        found = tf.linspace(start, stop, num, axis=axis)
    found = tf.cast(tf.floor(found) if is_whole(dtype) else found, dtype)
    return (found, step) if retstep else found


def logspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, base: Any = 10, dtype: Any = None, axis: int = 0
) -> EagerTensor:
    """Powers of a base, the exponents at equal distances."""
    found = linspace(start, stop, num, endpoint, dtype=_named(dtype), axis=axis)
    return tf.pow(tf.cast(base, found.dtype), found)


def geomspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0
) -> EagerTensor:
    """So many numbers, each the same number of times the one before."""
    dtype = _named(dtype)
    start, stop = tensor(start), tensor(stop)
    first = tf.math.log(tf.cast(tf.abs(start), dtype or floatx()))
    last = tf.math.log(tf.cast(tf.abs(stop), dtype or floatx()))
    ten = tf.math.log(tf.constant(10.0, first.dtype))
    found = logspace(first / ten, last / ten, num, endpoint, 10, dtype, axis)
    return found * tf.cast(tf.sign(tf.cast(start, first.dtype)), found.dtype)


def eye(N: Any, M: Any = None, k: Any = 0, dtype: Any = None) -> EagerTensor:
    """Ones on the ``k``-th diagonal.  TypeError for sizes that are no whole numbers."""
    if _is_float(N):
        raise TypeError("Argument `N` must be an integer or an integer tensor.")
    if _is_float(M):
        raise TypeError("Argument `M` must be an integer, an integer tensor, or `None`.")
    dtype, M = dtype or floatx(), N if M is None else M
    if isinstance(k, int) and k == 0:
        return tf.eye(N, M, dtype=dtype)
    rows = (tf.maximum(-k, 0), tf.maximum(N - M + k, 0))
    return tf.pad(tf.eye(tf.minimum(M - k, N + k), dtype=dtype), (rows, (tf.maximum(k, 0), tf.maximum(M - N - k, 0))))


def _is_float(size: Any) -> bool:
    return isinstance(size, float) or (hasattr(size, "dtype") and "float" in standardize_dtype(size.dtype))


def tri(N: int, M: int | None = None, k: int = 0, dtype: Any = None) -> EagerTensor:
    """Ones on and below the ``k``-th diagonal."""
    M, dtype = N if M is None else M, standardize_dtype(dtype or floatx())
    if k < 0:
        if -k - 1 > N:
            return tf.zeros([N, M], dtype)
        above = tf.linalg.band_part(tf.ones([N, M], "bool"), -k - 1, -1)
        return tf.cast(tf.logical_not(above), dtype)
    ones = tf.ones([N, M], dtype)
    return ones if k > M else tf.linalg.band_part(ones, -1, k)


def bartlett(x: Any) -> EagerTensor:
    """A window that is a triangle."""
    x = tensor(x, floatx())
    if x == 0:
        return tf.constant([])
    if x == 1:
        return tf.ones([1])
    n = tf.range(x)
    return tf.where(n <= (x - 1) / 2, 2.0 * n / (x - 1), 2.0 - 2.0 * n / (x - 1))


def blackman(x: Any) -> EagerTensor:
    """A window of two cosines."""
    x = tf.cast(x, floatx())
    n, last = tf.range(x, dtype=floatx()), tf.cast(x - 1, floatx())
    alone = tf.equal(last, 0)
    last = tf.where(alone, tf.ones_like(last), last)
    window = 0.42 - 0.5 * tf.cos(2 * np.pi * n / last) + 0.08 * tf.cos(4 * np.pi * n / last)
    return tf.where(alone, tf.ones_like(window), window)


def _window(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x: function(tensor(x, tf.int32), periodic=False)


def like(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, dtype=None: function(tensor(x), dtype=_named(dtype))


def saturate_cast(x: Any, dtype: Any) -> EagerTensor:
    """Cast to a dtype, what it does not hold to the nearest that it holds."""
    x, name = tensor(x), standardize_dtype(dtype)
    (in_least, in_most), (least, most) = _limits(x.dtype.name), _limits(name)
    kind = x.dtype.as_numpy_dtype
    with np.errstate(all="ignore"):
        low, high = np.maximum(in_least, least).astype(kind), np.minimum(in_most, most).astype(kind)
        if low < least:
            low = np.nextafter(low, np.asarray(0, kind), dtype=kind)
        if high > most:
            high = np.nextafter(high, np.asarray(0, kind), dtype=kind)
    return tf.cast(clip(x, low, high), name)


def _limits(name: str) -> tuple[Any, Any]:
    if name == "bool":
        return 0, 1
    info = ml_dtypes.iinfo(name) if is_whole(name) else ml_dtypes.finfo(name)
    return info.min, info.max


def is_a_tensor(x: Any) -> bool:
    """Whether a value is a tensor."""
    return is_tensor(x)


def to_numpy(x: Any) -> np.ndarray:
    """The elements as an ndarray."""
    return np.array(x)


TABLE: dict[str, Callable[..., Any]] = {
    "zeros": lambda shape, dtype=None: tf.zeros(shape, standardize_dtype(dtype)),
    "ones": lambda shape, dtype=None: tf.ones(shape, standardize_dtype(dtype)),
    "empty": lambda shape, dtype=None: tf.zeros(shape, standardize_dtype(dtype)), "full": full, "arange": arange,
    "linspace": linspace, "logspace": logspace, "geomspace": geomspace, "eye": eye,
    "identity": lambda n, dtype=None: eye(n, n, dtype=dtype), "tri": tri, "bartlett": bartlett, "blackman": blackman,
    "hamming": _window(tf.signal.hamming_window), "hanning": _window(tf.signal.hann_window),
    "kaiser": lambda x, beta: tf.signal.kaiser_window(tensor(x, tf.int32), beta=beta), "full_like": full_like,
    "zeros_like": like(tf.zeros_like), "ones_like": like(tf.ones_like), "empty_like": like(tf.zeros_like),
    "array": lambda x, dtype=None: tensor(x, _named(dtype)),
    "cast": lambda x, dtype: tf.cast(tensor(x), standardize_dtype(dtype)), "saturate_cast": saturate_cast,
    "convert_to_tensor": lambda x, dtype=None, sparse=None, ragged=None: tensor(x, dtype),
    "convert_to_numpy": to_numpy, "is_tensor": is_a_tensor, "ndim": lambda x: len(shape_of(x)),
    "size": lambda x: tf.size(tensor(x)), "shape": shape_of, "dtype": lambda x: standardize_dtype(x.dtype),
}  # fmt: skip
