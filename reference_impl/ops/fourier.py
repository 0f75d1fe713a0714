"""Fourier transforms of one to three axes: fft, ifft, rfft, irfft, and the shift of the zero frequency."""

from __future__ import annotations

import math as _math
from typing import Any

import numpy as np

from ..dtypes import float32, int32
from ..errors import invalid, unnamed
from ..tensors.conversion import convert_to_tensor
from ..tensors.slices import IndexedSlices
from ..tensors.tensor import EagerTensor, wrap
from .declare import kernel, public
from .kernels.refusals import brackets, refuse, sized
from .shaping import ints
from .tiling import pad, roll


def _last(rank: int) -> tuple[int, ...]:
    return tuple(range(-rank, 0))


def _check_rank(kernel_name: str, shape: tuple[int, ...], rank: int, name: str | None = None) -> None:
    text = f"Input must have rank of at least {rank} but got: {brackets(shape)}"
    refuse(kernel_name, len(shape) < rank, text, name)


def _pair(rank: int, letters: str) -> tuple[Any, Any]:
    """The forward and the inverse transform over the last ``rank`` axes; each is the other's gradient, rescaled."""
    size = lambda F, dy: _math.prod(F.shape(dy)[-rank:])
    axes = _last(rank)
    forward = kernel(
        f"fft{rank}", f"FFT{letters}", inputs="input", fits=lambda x: _check_rank(f"FFT{letters}", x.shape, rank),
        forward=lambda x: np.fft.fftn(x, axes=axes).astype(x.dtype) if x.size else x,
        gradient=lambda F, dy, _y, _x: getattr(F, f"ifft{rank}")(dy) * size(F, dy),
    )  # fmt: skip
    inverse = kernel(
        f"ifft{rank}", f"IFFT{letters}", inputs="input", fits=lambda x: _check_rank(f"IFFT{letters}", x.shape, rank),
        forward=lambda x: np.fft.ifftn(x, axes=axes).astype(x.dtype) if x.size else x,
        gradient=lambda F, dy, _y, _x: getattr(F, f"fft{rank}")(dy) * (1.0 / (size(F, dy) or 1)),
    )  # fmt: skip
    return forward, inverse


fft_, ifft_ = _pair(1, "")
fft2_, ifft2_ = _pair(2, "2D")
fft3_, ifft3_ = _pair(3, "3D")


def _constant(F: Any, a: np.ndarray) -> Any:
    return wrap(a) if F.recording else a


def _fitting(F: Any, kernel_name: str, a: Any, b: Any) -> None:
    """TensorFlow's error where a transform of another length than its input makes shapes that do not broadcast."""
    shapes = F.shape(a), F.shape(b)
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        left, right = (f"[{','.join(map(str, shape))}]" for shape in shapes)
        raise invalid(kernel_name, f"Incompatible shapes: {left} vs. {right}") from None


def _columns(dy: Any) -> Any:
    """An upstream of which columns are read.  TypeError for slices, as in TensorFlow."""
    if type(dy) is IndexedSlices:
        raise TypeError("'IndexedSlices' object is not subscriptable")
    return dy


def _rfft_gradient(F: Any, dy: Any, _y: Any, _x: Any, length: int) -> Any:
    dy = _columns(dy)
    size = F.shape(_x)[-1]
    signs = (1 - 2 * (np.arange(size) % 2)).astype(F.dtype(dy)) * (1 - length % 2)
    first = F.strided_slice(dy, index=(Ellipsis, slice(0, 1)))
    last = F.strided_slice(dy, index=(Ellipsis, slice(-1, None)))
    signs = _constant(F, signs)
    _fitting(F, "Mul", last, signs)
    extra = first + last * signs
    whole = F.irfft(dy, length=length) * size
    _fitting(F, "AddV2", whole, extra)
    return 0.5 * (whole + F.real(extra))


def _irfft_gradient(F: Any, dy: Any, _y: Any, _x: Any, length: int) -> Any:
    whole = F.rfft(dy, length=length)
    weights = _constant(F, _mirrored(F.shape(_x)[-1], length, F.shape(dy)[-1]).astype(F.dtype(_x)))
    _fitting(F, "Mul", whole, weights)
    return whole * weights


def _turns(rows: int, dtype: np.dtype) -> np.ndarray:
    """The roots of unity by which a transform over the rows multiplies, in the dtype given."""
    places = np.arange(rows)
    products = np.multiply.outer(places, places).astype(dtype)
    return np.exp(dtype.type(-2j * np.pi) * products / dtype.type(rows))


def _rfft2_gradient(F: Any, dy: Any, _y: Any, _x: Any, length: tuple[int, int]) -> Any:
    """As of one axis; the first and the last column, which have no mirror image, are transformed over the rows."""
    rows, size = F.shape(_x)[-2:]
    dtype = F.dtype(_columns(dy))
    if F.shape(dy)[-2] != rows:
        batch = F.shape(dy)[:-2]
        left, right = (
            ",".join(map(str, (*batch, *last))) for last in ((rows, rows), (F.shape(dy)[-2], min(F.shape(dy)[-1], 1)))
        )
        text = f"Matrix size-incompatible: In[0]: [{left}], In[1]: [{right}]"
        raise unnamed("BatchMatMulV2" if batch else "MatMul", text)
    turns = np.broadcast_to(_turns(rows, dtype), (*F.shape(dy)[:-2], rows, rows))
    signs = (1 - 2 * (np.arange(size) % 2)).astype(dtype) * dtype.type(1 - length[1] % 2)
    first, last = (F.strided_slice(dy, index=(Ellipsis, one)) for one in (slice(0, 1), slice(-1, None)))
    first, last = (F.matmul(_constant(F, turns), F.conj(column)) for column in (first, last))
    signs = _constant(F, signs)
    _fitting(F, "Mul", last, signs)
    extra = first + last * signs
    whole = F.irfft2(dy, length=length) * (rows * size)
    _fitting(F, "AddV2", whole, extra)
    return 0.5 * (whole + F.real(extra))


def _irfft2_gradient(F: Any, dy: Any, _y: Any, _x: Any, length: tuple[int, int]) -> Any:
    whole = F.rfft2(dy, length=length)
    weights = _constant(F, _mirrored(F.shape(_x)[-1], length[1], _math.prod(F.shape(dy)[-2:])).astype(F.dtype(_x)))
    _fitting(F, "Mul", whole, weights)
    return whole * weights


def _mirrored(columns: int, length: int, size: int) -> np.ndarray:
    """How often each column of half a spectrum stands in the whole one, divided by the size of the transform."""
    odd = length % 2
    twice = columns - 2 + odd
    refuse("Fill", twice < 0, f"Dimension {twice} must be >= 0")
    return np.array([1.0] + [2.0] * twice + [1.0] * (1 - odd)) / (size or 1)


def _half(length: int) -> int:
    """How many columns half a spectrum has, the one of nothing none."""
    return length // 2 + 1 if length else 0


def _rfft(x: Any, length: int) -> Any:
    if not length:
        return np.zeros((*x.shape[:-1], 0), _complex(x.dtype))
    return np.fft.rfft(x, length, axis=-1).astype(_complex(x.dtype))


def _irfft(z: Any, length: int) -> Any:
    if not length:
        return np.zeros((*z.shape[:-1], 0), z.real.dtype)
    return np.fft.irfft(z, length, axis=-1).astype(z.real.dtype)


def _rfft2(x: Any, length: tuple[int, int]) -> Any:
    if not all(length):
        return np.zeros((*x.shape[:-2], length[0], _half(length[1])), _complex(x.dtype))
    return np.fft.rfft2(x, length).astype(_complex(x.dtype))


def _irfft2(z: Any, length: tuple[int, int]) -> Any:
    if not all(length):
        return np.zeros((*z.shape[:-2], *length), z.real.dtype)
    return np.fft.irfft2(z, length).astype(z.real.dtype)


def _complex(dtype: np.dtype) -> np.dtype:
    return np.dtype(np.complex64 if dtype == np.float32 else np.complex128)


rfft_ = kernel("rfft", "RFFT", types="float", sparse=True, gradient=_rfft_gradient, forward=_rfft)
irfft_ = kernel("irfft", "IRFFT", types="complex", gradient=_irfft_gradient, forward=_irfft)
rfft2_ = kernel("rfft2", "RFFT2D", types="float", sparse=True, gradient=_rfft2_gradient, forward=_rfft2)
irfft2_ = kernel("irfft2", "IRFFT2D", types="complex", gradient=_irfft2_gradient, forward=_irfft2)


def _transform(op: Any, x: Any, name: str | None) -> EagerTensor:
    x = convert_to_tensor(x)
    op.op.check(x._a.dtype, name)
    if x._a.dtype.kind != "c":
        raise op.op.refusal("float" if x._a.dtype == np.float32 else "double", name)
    rank = int(op.op.kernel[-2]) if op.op.kernel.endswith("D") else 1
    _check_rank(op.op.kernel, x._a.shape, rank, name)
    return op(x)


@public("signal.fft")
def fft(input: Any, name: str | None = None) -> EagerTensor:
    """The discrete Fourier transform along the last axis of a complex tensor (``tf.signal.fft``)."""
    return _transform(fft_, input, name)


@public("signal.ifft")
def ifft(input: Any, name: str | None = None) -> EagerTensor:
    """The inverse of ``fft`` (``tf.signal.ifft``)."""
    return _transform(ifft_, input, name)


@public("signal.fft2d")
def fft2d(input: Any, name: str | None = None) -> EagerTensor:
    """The transform of the last two axes (``tf.signal.fft2d``)."""
    return _transform(fft2_, input, name)


@public("signal.ifft2d")
def ifft2d(input: Any, name: str | None = None) -> EagerTensor:
    """The inverse of ``fft2d`` (``tf.signal.ifft2d``)."""
    return _transform(ifft2_, input, name)


@public("signal.fft3d")
def fft3d(input: Any, name: str | None = None) -> EagerTensor:
    """The transform of the last three axes (``tf.signal.fft3d``)."""
    return _transform(fft3_, input, name)


@public("signal.ifft3d")
def ifft3d(input: Any, name: str | None = None) -> EagerTensor:
    """The inverse of ``fft3d`` (``tf.signal.ifft3d``)."""
    return _transform(ifft3_, input, name)


def _padded(x: EagerTensor, *lengths: int) -> EagerTensor:
    """Zeros behind the last axes, up to these lengths; an empty tensor as it is."""
    missing = [max(n - have, 0) for n, have in zip(lengths, x._a.shape[-len(lengths) :])]
    if not any(missing) or not x._a.size:
        return x
    return pad(x, [[0, 0]] * (x._a.ndim - len(lengths)) + [[0, n] for n in missing])


def _one_length(kernel_name: str, fft_length: Any) -> int:
    """The length of a transform of one axis; TensorFlow's error for a negative one or for other than one."""
    found = ints(fft_length)
    if not found and kernel_name == "IRFFT":
        raise IndexError("list index out of range")
    sized(found)
    if len(found) != 1:
        raise invalid(kernel_name, "fft_length must have shape [1]")
    if found[0] < 0:
        raise invalid(kernel_name, f"fft_length[0] must >= 0, but got: {found[0]}")
    return found[0]


@public("signal.rfft")
def rfft(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> EagerTensor:
    """The transform of a real tensor, without the half that mirrors the other (``tf.signal.rfft``)."""
    x = convert_to_tensor(input_tensor, dtype_hint=float32)
    if x.dtype.name not in ("float32", "float64"):
        raise ValueError(f"RFFT requires tf.float32 or tf.float64 inputs, got: {x}")
    x.shape.with_rank_at_least(1)
    length = x._a.shape[-1] if fft_length is None else _one_length("RFFT", fft_length)
    x = _padded(x, length)
    _long_enough("RFFT", x, length)
    return rfft_(x, length=length)


@public("signal.irfft")
def irfft(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> EagerTensor:
    """The inverse of ``rfft`` (``tf.signal.irfft``)."""
    z = convert_to_tensor(input_tensor)
    if not z.dtype.is_complex:
        raise ValueError(f"IRFFT requires tf.complex64 or tf.complex128 inputs, got: {z}")
    length = max(0, 2 * (z._a.shape[-1] - 1)) if fft_length is None else _one_length("IRFFT", fft_length)
    z = _padded(z, length // 2 + 1)
    _long_enough("IRFFT", z, _half(length))
    return irfft_(z, length=length)


def _two_lengths(x: EagerTensor, fft_length: Any, default: tuple[int, int], kernel_name: str) -> tuple[int, int]:
    """The lengths of a transform of two axes; ValueError for a vector, InvalidArgumentError for other than two."""
    if x._a.ndim < 2:
        raise ValueError(f"Shape {x.shape} must have rank at least 2")
    found = default if fft_length is None else tuple(ints(fft_length))
    sized(found)
    if len(found) != 2:
        raise unnamed(kernel_name, "fft_length must have shape [2]")
    for k, n in enumerate(found):
        if n < 0:
            raise invalid(kernel_name, f"fft_length[{k}] must >= 0, but got: {n}")
    return found


def _long_enough(kernel_name: str, x: EagerTensor, *needed: int) -> None:
    """InvalidArgumentError for an axis that is shorter than its transform: empty tensors are not padded."""
    rank = x._a.ndim
    for axis, least in zip(range(rank - len(needed), rank), needed):
        have = x._a.shape[axis]
        if have < least:
            text = f"Input dimension {axis} must have length of at least {least} but got: {have}"
            raise unnamed(kernel_name, text)


@public("signal.rfft2d")
def rfft2d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> EagerTensor:
    """The transform of the last two axes of a real tensor, half of the last one (``tf.signal.rfft2d``)."""
    x = convert_to_tensor(input_tensor, dtype_hint=float32)
    if x.dtype.name not in ("float32", "float64"):
        raise ValueError(f"RFFT requires tf.float32 or tf.float64 inputs, got: {x}")
    length = _two_lengths(x, fft_length, x._a.shape[-2:], "RFFT2D")
    x = _padded(x, *length)
    _long_enough("RFFT2D", x, *length)
    return rfft2_(x, length=length)


@public("signal.irfft2d")
def irfft2d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> EagerTensor:
    """The inverse of ``rfft2d`` (``tf.signal.irfft2d``)."""
    z = convert_to_tensor(input_tensor)
    if not z.dtype.is_complex:
        raise ValueError(f"IRFFT requires tf.complex64 or tf.complex128 inputs, got: {z}")
    default = (*z._a.shape[-2:-1], max(0, 2 * (z._a.shape[-1] - 1))) if z._a.ndim else ()
    rows, columns = _two_lengths(z, fft_length, default, "IRFFT2D")
    z = _padded(z, rows, columns // 2 + 1)
    _long_enough("IRFFT2D", z, rows, _half(columns))
    return irfft2_(z, length=(rows, columns))


def _shifted(x: Any, axes: Any, sign: int) -> EagerTensor:
    x = convert_to_tensor(x)
    rank = x._a.ndim
    if axes is None:
        chosen = tuple(range(rank))
    else:
        one, found = isinstance(axes, int), ints(convert_to_tensor(axes, int32))
        places = [a + rank if a < 0 else a for a in found]
        for k, (place, a) in enumerate(zip(places, found)):
            text = (
                f"slice index {place} of dimension 0 out of bounds."
                if one
                else f"indices[{k}] = {a} is not in [0, {rank})"
            )
            if not 0 <= place < rank:
                raise invalid("StridedSlice", text, "strided_slice/") if one else unnamed("GatherV2", text)
        chosen = tuple(places)
    half = [x._a.shape[a] // 2 for a in chosen]
    return roll(x, [sign * h for h in half], list(chosen))


@public("signal.fftshift")
def fftshift(x: Any, axes: Any = None, name: str | None = None) -> EagerTensor:
    """The zero frequency moved to the middle (``tf.signal.fftshift``)."""
    return _shifted(x, axes, 1)


@public("signal.ifftshift")
def ifftshift(x: Any, axes: Any = None, name: str | None = None) -> EagerTensor:
    """The inverse of ``fftshift`` (``tf.signal.ifftshift``)."""
    return _shifted(x, axes, -1)
