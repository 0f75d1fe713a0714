"""Eigenvalues of general matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import invalid
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from . import matrix_fitting
from .casting import discards
from .declare import kernel, public
from .decompositions import _adjoint, _diag, _diag_part, _gaps


def _wide(dtype: np.dtype) -> np.dtype:
    return np.dtype(np.complex64 if dtype in (np.float32, np.complex64) else np.complex128)


def _eig(a: Any, compute_v: bool) -> tuple:
    dtype = _wide(a.dtype)
    if type(a) is np.ndarray and not np.isfinite(a).all():
        raise invalid("Eig", "Eigen decomposition was not successful. The input might not be valid.")
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
    discards(F.dtype(g), dtype)
    return F.cast(F.real(g), dtype=dtype)


# Its gradient may warn: the order of the walk shows in what is logged.
eig_ = kernel("eig", "Eig", forward=_eig, gradient=_eig_gradient, ordered=True)


def square(x: Any, name: str | None) -> EagerTensor:
    x = convert_to_tensor(x)
    eig_.op.check(x._a.dtype, name)
    matrix_fitting.refuse("Eig", matrix_fitting.batches("Eig", x._a.shape), name)
    if x._a.shape[-1] != x._a.shape[-2]:
        raise invalid("Eig", "Input matrix must be square.", name)
    return x


@public("linalg.eig eig")
def eig(tensor: Any, name: str | None = None) -> tuple[EagerTensor, EagerTensor]:
    """Eigenvalues and eigenvectors of matrices, complex (``tf.linalg.eig``); their order is LAPACK's."""
    return eig_(square(tensor, name), compute_v=True)


@public("linalg.eigvals eigvals")
def eigvals(tensor: Any, name: str | None = None) -> EagerTensor:
    """Eigenvalues of matrices, complex (``tf.linalg.eigvals``)."""
    return eig_(square(tensor, name), compute_v=False)[0]
