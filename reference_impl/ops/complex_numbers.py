"""Complex numbers: complex, real, imag, angle (conj is in arithmetic.py, the absolute value in elementwise.py)."""

from __future__ import annotations

import math as _math
from typing import Any

import numpy as np

from ..dtypes import float32, float64
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .declare import kernel, public, tensors, unary
from .run import incompatible

_COMPLEX = {np.dtype(np.float32): np.dtype(np.complex64), np.dtype(np.float64): np.dtype(np.complex128)}


def _joined(a: Any, b: Any) -> Any:
    """a + bi, also for infinite b, which no arithmetic gives."""
    dtype = _COMPLEX[a.dtype]
    if isinstance(a, (np.ndarray, np.generic)) and isinstance(b, (np.ndarray, np.generic)):
        try:
            z = np.empty(np.broadcast_shapes(a.shape, b.shape), dtype)
        except ValueError:
            raise incompatible(complex_.op, a, b, None) from None
        z.real, z.imag = a, b
        return z[()]
    return a.astype(dtype) + b.astype(dtype) * dtype.type(1j)


complex_ = kernel(
    "complex", "Complex", forward=_joined, broadcasting=True,
    gradient=(lambda F, dy, _z, _a, _b: F.real(dy), lambda F, dy, _z, _a, _b: F.imag(dy)),
)  # fmt: skip
real_ = unary(
    "", f="real", kernel="Real", forward=lambda z: z.real,
    gradient=lambda F, dy, _y, _z: F.complex(dy, F.number(0, dy)),
)  # fmt: skip
imag_ = unary(
    "", f="imag", kernel="Imag", forward=lambda z: z.imag,
    gradient=lambda F, dy, _y, _z: F.complex(F.number(0, dy), dy),
)  # fmt: skip


def _angle_gradient(F: Any, dy: Any, _y: Any, z: Any) -> Any:
    turned = F.reciprocal(F.complex(F.imag(z), F.real(z)))
    return F.complex_product(-F.complex(dy, F.zeros_like(dy)), turned)


angle_ = unary(
    "", f="angle", kernel="Angle", forward=lambda z: np.arctan2(z.imag, z.real),
    gradient=_angle_gradient,
)  # fmt: skip
complex_abs = unary(
    "", f="complex_abs", kernel="ComplexAbs", forward=np.absolute,
    gradient=lambda F, dy, y, z: F.div_no_nan(
        F.complex(dy, F.zeros_like(dy)) * z, F.complex(y, F.zeros_like(y))
    ),
)  # fmt: skip


@public("complex dtypes.complex")
def complex(real: Any, imag: Any, name: str | None = None) -> EagerTensor:
    """real + imag i, of two float32 or two float64 tensors (``tf.complex``).  TypeError for other dtypes."""
    real, imag = convert_to_tensor(real), convert_to_tensor(imag)
    if real.dtype is not imag.dtype or real._a.dtype not in _COMPLEX:
        raise TypeError(
            f"The `real` and `imag` components have incorrect types: {real.dtype.name} {imag.dtype.name}. "
            f"They must be consistent, and one of {[float32, float64]}"
        )
    return complex_(real, imag)


tensors.complex = complex


@public("math.real")
def real(input: Any, name: str | None = None) -> EagerTensor:
    """The real part; a real tensor is returned as it is (``tf.math.real``)."""
    z = convert_to_tensor(input)
    if z.dtype.is_complex:
        return real_(z, name)
    if z.dtype.is_numeric:
        return z
    raise TypeError(f"input must be a numeric tensor, but got tensor with dtype {z.dtype}")


tensors.real = real


@public("math.imag")
def imag(input: Any, name: str | None = None) -> EagerTensor:
    """The imaginary part, zeros for a real tensor (``tf.math.imag``)."""
    from .making import zeros_like

    z = convert_to_tensor(input)
    return imag_(z, name) if z.dtype.is_complex else zeros_like(z)


tensors.imag = imag  # gradient functions take parts of real upstreams as well


@public("math.angle")
def angle(input: Any, name: str | None = None) -> EagerTensor:
    """The argument of a complex number; for a real one, pi where it is negative, else 0 (``tf.math.angle``)."""
    z = convert_to_tensor(input)
    if z.dtype.is_complex:
        return angle_(z, name)
    if not z.dtype.is_floating:
        _refuse(z)
    from .arithmetic import multiply
    from .comparison import less
    from .making import ones_like, zeros_like
    from .selection import where

    return where(less(z, 0), multiply(_math.pi, ones_like(z)), zeros_like(z), name)


def _refuse(z: EagerTensor) -> None:
    from ..tensors.conversion import cannot_convert

    raise cannot_convert(_math.pi if z.dtype.is_integer else 0, z._a.dtype)
