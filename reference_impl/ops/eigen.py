"""Eigenvalues of general matrices, and tridiagonal systems."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..conversion import convert_to_tensor
from ..errors import invalid
from ..tensor import EagerTensor
from .declare import kernel, public
from .decompositions import _adjoint, _diag, _diag_part, _gaps


def _wide(dtype: np.dtype) -> np.dtype:
    return np.dtype(np.complex64 if dtype in (np.float32, np.complex64) else np.complex128)


def _eig(a: Any, compute_v: bool) -> tuple:
    dtype = _wide(a.dtype)
    if not compute_v:
        return np.linalg.eigvals(a).astype(dtype), np.zeros((0,), dtype)
    e, v = np.linalg.eig(a)
    return e.astype(dtype), v.astype(dtype)


def _eig_gradient(F: Any, dy: Any, y: Any, a: Any, compute_v: bool) -> Any:
    if not compute_v:
        turned = _adjoint(F, F.eig(a, compute_v=True)[1])
        middle = _diag(F, dy[0])
    else:
        e, v = y
        turned = _adjoint(F, v)
        vgv = F.matmul(turned, dy[1])
        along = _diag(F, _diag_part(F, F.cast(F.real(vgv), dtype=F.dtype(vgv))))
        middle = _diag(F, dy[0]) + F.conj(_gaps(F, e)) * (vgv - F.matmul(F.matmul(turned, v), along))
    g = F.solve(turned, F.matmul(middle, turned), adjoint=False)
    dtype = F.dtype(a)
    if dtype.kind == "c":
        return g
    return F.cast(F.real(g), dtype=dtype)


eig_ = kernel("eig", "Eig", forward=_eig, gradient=_eig_gradient)


def _square(x: Any, name: str | None) -> EagerTensor:
    x = convert_to_tensor(x)
    eig_.op.check(x._a.dtype, name)
    if x._a.ndim < 2 or x._a.shape[-1] != x._a.shape[-2]:
        raise invalid("Eig", "Input matrix must be square.", name)
    return x


@public("linalg.eig eig")
def eig(tensor: Any, name: str | None = None) -> tuple[EagerTensor, EagerTensor]:
    """Eigenvalues and eigenvectors of matrices, complex (``tf.linalg.eig``); their order is LAPACK's."""
    return eig_(_square(tensor, name), compute_v=True)


@public("linalg.eigvals eigvals")
def eigvals(tensor: Any, name: str | None = None) -> EagerTensor:
    """Eigenvalues of matrices, complex (``tf.linalg.eigvals``)."""
    return eig_(_square(tensor, name), compute_v=False)[0]


# ------------------------------------------------------------------------------------------- tridiagonal systems


def _dense(diagonals: Any) -> Any:
    """The matrices whose super-, main and subdiagonals are rows of three."""
    size = diagonals.shape[-1]
    at = np.arange(size)
    places = np.zeros((size, size), np.int64) - 1
    places[at[:-1], at[1:]], places[at, at], places[at[1:], at[:-1]] = at[:-1], size + at, 2 * size + at[1:]
    flat = diagonals.reshape((*diagonals.shape[:-2], 3 * size))
    whole = flat.take(np.maximum(places, 0).ravel(), axis=-1).reshape((*diagonals.shape[:-2], size, size))
    return np.where(places >= 0, whole, np.zeros((), diagonals.dtype))


def _shifted(F: Any, x: Any, step: int) -> Any:
    """Rows moved up (step 1) or down (step -1), zeros in the gap."""
    rank = F.rank(x)
    rows = slice(1, None) if step > 0 else slice(None, -1)
    part = F.strided_slice(x, index=(Ellipsis, rows, slice(None)))
    pads = ((0, 0),) * (rank - 2) + (((0, 1) if step > 0 else (1, 0)), (0, 0))
    return F.pad(part, paddings=pads)


def _transposed(F: Any, diagonals: Any) -> Any:
    shape = F.shape(diagonals)
    pads = ((0, 0),) * (len(shape) - 2)
    row = lambda k, part: F.strided_slice(diagonals, index=(Ellipsis, k, part))
    above = F.pad(row(2, slice(1, None)), paddings=(*pads, (0, 1)))
    below = F.pad(row(0, slice(None, -1)), paddings=(*pads, (1, 0)))
    return F.stack(above, row(1, slice(None)), below, axis=len(shape) - 2)


def _tridiagonal_gradient(F: Any, dy: Any, y: Any, diagonals: Any, _b: Any) -> Any:
    by_b = F.tridiagonal_solve(_transposed(F, diagonals), dy)
    last = F.rank(y) - 1
    products = [
        F.sum(by_b * other, axis=(last,), keepdims=False) for other in (_shifted(F, y, 1), y, _shifted(F, y, -1))
    ]
    return -F.stack(*products, axis=last - 1), by_b


tridiagonal_ = kernel(
    "tridiagonal_solve", "TridiagonalSolve", forward=lambda d, b: np.linalg.solve(_dense(d), b),
    gradient=_tridiagonal_gradient,
)  # fmt: skip


@public("linalg.tridiagonal_solve")
def tridiagonal_solve(
    diagonals: Any, rhs: Any, diagonals_format: str = "compact", transpose_rhs: bool = False,
    conjugate_rhs: bool = False, name: str | None = None, partial_pivoting: bool = True, perturb_singular: bool = False,
) -> EagerTensor:  # fmt: skip
    """The solution of tridiagonal systems given by their three diagonals as rows (``tf.linalg.tridiagonal_solve``)."""
    if diagonals_format != "compact" or transpose_rhs or conjugate_rhs:
        raise NotImplementedError("tridiagonal_solve takes diagonals in the compact format, without options")
    d, b = convert_to_tensor(diagonals), convert_to_tensor(rhs)
    vector = b._a.ndim == d._a.ndim - 1
    if vector:
        from .squeezing import expand_dims, squeeze

        return squeeze(tridiagonal_(d, expand_dims(b, -1)), -1)
    return tridiagonal_(d, b)
