"""Inverses, factorizations and solutions of linear systems by NumPy, with TensorFlow's errors and conventions."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from ...errors import invalid
from . import householder
from .eigen_signs import as_tensorflow

Qr = namedtuple("Qr", ("q", "r"))
Lu = namedtuple("Lu", ("lu", "p"))


def _adjoint(a: Any) -> Any:
    return np.conjugate(a.swapaxes(-1, -2))


def inverse(a: Any, adjoint: bool) -> Any:
    """The inverse; InvalidArgumentError for a singular matrix."""
    if a.dtype == np.float16:  # which LAPACK does not have
        return inverse(a.astype(np.float32), adjoint).astype(a.dtype)
    try:
        _refuse_pivots(a)
        return np.linalg.inv(_adjoint(a) if adjoint else a)
    except np.linalg.LinAlgError:
        raise invalid("MatrixInverse", "Input is not invertible.") from None


def solve(a: Any, b: Any, adjoint: bool) -> Any:
    """The solution of a x = b; InvalidArgumentError for a singular matrix."""
    try:
        _refuse_pivots(a)
        return np.linalg.solve(_adjoint(a) if adjoint else a, b)
    except np.linalg.LinAlgError:
        raise invalid("MatrixSolve", "Input matrix is not invertible.") from None


def triangular_solve(a: Any, b: Any, lower: bool, adjoint: bool) -> Any:
    """Substitution, by products with reciprocals as in TensorFlow; only the named triangle of a is read."""
    a = np.tril(a) if lower else np.triu(a)
    if adjoint:
        a, lower = _adjoint(a), not lower
    size = a.shape[-1]
    rows: list[Any] = [None] * size
    order = range(size) if lower else range(size - 1, -1, -1)
    for i in order:
        known = range(i) if lower else range(i + 1, size)
        total = b[..., i, :]
        for j in known:
            total = total - a[..., i, j, None] * rows[j]
        rows[i] = total * (1.0 / a[..., i, i, None])
    return np.stack(rows, axis=-2) if size else b


def cholesky(a: Any) -> Any:
    """The lower root, from the lower triangle of a; nan, or complex 0, where a matrix is not positive definite."""
    low = np.tril(a)
    whole = low + _adjoint(np.tril(a, -1))
    try:
        return np.linalg.cholesky(whole)
    except np.linalg.LinAlgError:
        flat = whole.reshape((-1, *whole.shape[-2:]))
        return np.stack([_root_or_nan(m) for m in flat]).reshape(whole.shape)


def _root_or_nan(m: Any) -> Any:
    try:
        return np.linalg.cholesky(m)
    except np.linalg.LinAlgError:
        return np.tril(np.full_like(m, 0 if m.dtype.kind == "c" else np.nan))


def qr(a: Any, full_matrices: bool) -> tuple:
    """Orthogonal and upper triangular factors."""
    if type(a) is np.ndarray and min(a.shape[-2:]) < householder.LARGEST:
        return householder.qr(a, full_matrices)
    q, r = np.linalg.qr(a, mode="complete" if full_matrices else "reduced")
    return q, r


def eigh(a: Any, compute_v: bool) -> tuple:
    """Eigenvalues, in the dtype of a, and vectors, with TensorFlow's signs (nothing when they are not asked for)."""
    if type(a) is np.ndarray and not np.isfinite(np.tril(a)).all():
        return _unbounded_eigenvalues(a, compute_v)
    if not compute_v:
        return np.linalg.eigvalsh(a).astype(a.dtype), np.zeros((0,), a.dtype)
    own = getattr(type(a), "__eigenvectors__", None)  # of array types that carry an error bound
    if own is not None:
        e, v = own(a, as_tensorflow)
    else:
        e, v = np.linalg.eigh(a)
        v = as_tensorflow(a, v)
    return e.astype(a.dtype), v


def _unbounded_eigenvalues(a: np.ndarray, compute_v: bool) -> tuple:
    """Of matrices that are not finite: TensorFlow refuses them unless infinity stands on the diagonal alone."""
    lost = ~np.isfinite(np.tril(a)).all(axis=(-2, -1))
    if np.isnan(np.tril(a)).any() or not np.isfinite(np.tril(a, -1)).all():
        text = "Self-adjoint eigen decomposition was not successful. The input might not be valid."
        raise invalid("SelfAdjointEigV2", text)
    e, v = eigh(np.where(lost[..., None, None], 0, a).astype(a.dtype), compute_v)
    e = np.where(lost[..., None], np.nan, e).astype(a.dtype)
    return e, np.where(lost[..., None, None], np.eye(a.shape[-1]), v).astype(a.dtype) if compute_v else v


def svd(a: Any, compute_uv: bool, full_matrices: bool, inside: bool = False) -> tuple:
    """Singular values and vectors, the right ones as columns (nothing when they are not asked for).

    ``inside`` a gradient the signs of the vectors cancel: array types with an error bound may answer otherwise there.
    """
    if not compute_uv:
        nothing = np.zeros((0,), a.dtype)
        if type(a) is np.ndarray and not np.isfinite(a).all():
            return _singular_or_nan(a, False)[1].astype(a.dtype), nothing, nothing
        return np.linalg.svd(a, compute_uv=False).astype(a.dtype), nothing, nothing
    own = getattr(type(a), "__singular_vectors__", None) if inside else None
    if type(a) is np.ndarray and not np.isfinite(a).all():
        u, s, vh = _singular_or_nan(a, full_matrices)
        return s.astype(a.dtype), u, _adjoint(vh)
    u, s, vh = np.linalg.svd(a, full_matrices=full_matrices) if own is None else own(a)
    return s.astype(a.dtype), u, _adjoint(vh)


def _singular_or_nan(a: np.ndarray, full_matrices: bool) -> tuple:
    """The factors of matrices of which some are not finite: nan throughout for those."""
    lost = ~np.isfinite(a).all(axis=(-2, -1), keepdims=True)
    u, s, vh = np.linalg.svd(np.where(lost, 0, a), full_matrices=full_matrices)
    return np.where(lost, np.nan, u).astype(a.dtype), np.where(lost[..., 0], np.nan, s), np.where(lost, np.nan, vh)


def least_squares(a: Any, b: Any, regular: float, fast: bool) -> Any:
    """The smallest x that brings a x nearest to b, by singular values; zeros where a number in ``a`` is not finite.

    As TensorFlow's orthogonal factors do, it never squares ``a``, and looks at no ``regular``.  Array types that carry
    an error bound have least squares of their own.
    """
    own = getattr(type(a), "__least_squares__", None)
    if own is not None:
        return own(a, b)
    finite = np.isfinite(a).all(axis=(-2, -1), keepdims=True)
    inverse = np.linalg.pinv(np.where(finite, a, 0), rcond=np.finfo(a.dtype).eps)
    return np.where(finite, np.matmul(inverse, b), 0).astype(a.dtype, copy=False)


def root(a: Any) -> Any:
    """The principal square root, by eigenvectors; array types that carry an error bound have a root of their own."""
    own = getattr(type(a), "__matrix_root__", None)
    if own is not None:
        return own(a)
    e, v = np.linalg.eig(a)
    r = np.matmul(v * np.sqrt(e.astype(np.complex128))[..., None, :], np.linalg.inv(v))
    return r.astype(a.dtype) if a.dtype.kind == "c" else r.real.astype(a.dtype)


def lu(a: Any) -> tuple:
    """Both factors in one matrix by partial pivoting, and the rows in the order they were taken."""
    if not a.size:
        return a, np.zeros(a.shape[:-1], np.int32)
    flat = a.reshape((-1, *a.shape[-2:]))
    done = [_factored(np.array(m)) for m in flat]
    if any(_least(m) == 0 for m, _ in done):
        raise invalid("Lu", "Input is not invertible.")
    factors = np.stack([d[0] for d in done]).reshape(a.shape)
    return factors, np.stack([d[1] for d in done]).reshape(a.shape[:-1]).astype(np.int32)


def _factored(m: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    order = np.arange(len(m))
    for k in range(len(m)):
        pivot = k + _largest(np.abs(m[k:, k]))
        m[[k, pivot]], order[[k, pivot]] = m[[pivot, k]], order[[pivot, k]]
        if m[k, k]:
            m[k + 1 :, k] /= m[k, k]
            m[k + 1 :, k + 1 :] -= np.outer(m[k + 1 :, k], m[k, k + 1 :])
    return m, order


def _largest(sizes: np.ndarray) -> int:
    """The place of the largest; a nan is larger than nothing, and nothing than a nan at the first place."""
    return 0 if np.isnan(sizes[0]) else int(np.argmax(np.where(np.isnan(sizes), -1, sizes)))


def _least(factors: np.ndarray) -> float:
    """The size of the smallest pivot, 0 where the first is nan: then nothing is smaller."""
    sizes = np.abs(np.diagonal(factors))
    return 0.0 if np.isnan(sizes[0]) else float(np.nanmin(sizes))


def _refuse_pivots(a: Any) -> None:
    """LinAlgError for matrices with nan or infinity whose pivots TensorFlow refuses; NumPy goes on with them."""
    if type(a) is not np.ndarray or not a.size or np.isfinite(a).all():
        return
    if any(_least(_factored(np.array(m))[0]) == 0 for m in a.reshape((-1, *a.shape[-2:]))):
        raise np.linalg.LinAlgError
