"""Rules for NumPy's linear algebra: first-order perturbation bounds from the computed inverse, doubled.

A matrix so near to singular that the first order says nothing has no bound. Vectors of decompositions (eigh, svd, eig)
are determined up to signs alone, so they have none either; their values do. Where the engine chooses the signs itself
(`eigenvectors`), or they cancel inside a gradient (`singular_vectors`), it asks for the bounds of one choice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from conformance.judging.bounded.array import Bounded, BoundError, lift
from conformance.judging.bounded.formats import Format, format_of
from conformance.judging.bounded.functions import FUNCTIONS
from conformance.judging.bounded.run import note_ambiguous

_GROWTH = 1.0  # units in the last place that elimination adds, times the size of the matrix


def _plain(a: Bounded) -> Any:
    """The reference value in a dtype that LAPACK knows."""
    return a.x.astype(np.complex128 if a.fmt.is_complex else np.float64)


def _own_error(a: Bounded) -> Any:
    """The inherited errors, and what a backward stable algorithm adds to the matrix, element by element."""
    n = a.x.shape[-1] if a.x.ndim else 1
    x = np.abs(_plain(a))
    largest = x.max(axis=(-2, -1), keepdims=True, initial=0.0) if a.x.ndim >= 2 else x
    return a.error().astype(np.float64) + _GROWTH * n * a.fmt.ulp * largest


def _made(fmt: Format, x: Any, e: Any) -> Bounded:
    """The result, with the rounding of the result itself and of the plain arithmetic of the reference."""
    e = np.where(np.isnan(e), np.inf, e) + np.abs(x) * fmt.ulp
    return Bounded(fmt, np.asarray(x).astype(fmt.wide)[()], np.asarray(e).astype(fmt.wide_real)[()])


def _inverse(a: Bounded) -> tuple[Any, Any]:
    """The inverse and |inverse|; infinite where first order says nothing. np.linalg.LinAlgError where singular."""
    inverse = np.linalg.inv(_plain(a))
    size = np.abs(inverse)
    shaken = np.matmul(size, _own_error(a)).sum(axis=-1).max(axis=-1, initial=0.0)
    return inverse, np.where((shaken < 0.5)[..., None, None], size, np.inf)


def inv(a: Bounded) -> Bounded:
    """|dX| <= |X| |dA| |X|."""
    inverse, size = _inverse(a)
    return _made(a.fmt, inverse, 2.0 * np.matmul(np.matmul(size, _own_error(a)), size))


def solve(a: Any, b: Any) -> Bounded:
    """|dx| <= |A^-1| (|dA| |x| + |db|)."""
    dtype = np.result_type(a.dtype, b.dtype)
    a, b = lift(a, dtype), lift(b, dtype)
    if b.ndim == 1:
        return solve(a, b.reshape((-1, 1))).reshape((-1,))
    x = np.linalg.solve(_plain(a), _plain(b))
    moved = np.matmul(_own_error(a), np.abs(x)) + b.error().astype(np.float64)
    return _made(a.fmt, x, 2.0 * np.matmul(_inverse(a)[1], moved))


def least_squares(a: Bounded, b: Bounded) -> Bounded:
    """|dx| <= |X| (|dA| |x| + |db|) + |X X^H| |dA|^H |r| + |1 - X A| |dA|^H |X^H x|, as orthogonal factors are off.

    X is the pseudoinverse, r the residual. A matrix near one of smaller rank has no bound.
    """
    plain, right = _plain(a), _plain(b)
    inverse = np.linalg.pinv(plain)
    x = np.matmul(inverse, right)
    change = _own_error(a)
    own = b.error().astype(np.float64) + _GROWTH * a.shape[-2] * b.fmt.ulp * np.abs(right).max(
        -2, keepdims=True, initial=0
    )
    size, back = np.abs(inverse), np.swapaxes(change, -1, -2)
    turned = np.swapaxes(inverse.conj(), -1, -2)
    off = np.matmul(size, np.matmul(change, np.abs(x)) + own)
    off += np.matmul(np.abs(np.matmul(inverse, turned)), np.matmul(back, np.abs(right - np.matmul(plain, x))))
    beside = np.abs(np.eye(plain.shape[-1]) - np.matmul(inverse, plain))
    off += np.matmul(beside, np.matmul(back, np.abs(np.matmul(turned, x))))
    least = np.linalg.svd(plain, compute_uv=False).min(axis=-1, initial=np.inf)[..., None, None]
    known = least > 4.0 * _norm_of_change(a)[..., None, None]
    return _made(a.fmt, x, np.where(known, 2.0 * off, np.inf))


def det(a: Bounded) -> Bounded:
    """|d det| <= |det| sum |A^-1|^T |dA|; of a singular matrix nothing is known but that it is small."""
    x = np.linalg.det(_plain(a))
    try:
        size = np.swapaxes(_inverse(a)[1], -1, -2)
    except np.linalg.LinAlgError:
        return _made(a.fmt, x, np.full(np.shape(x), np.inf))
    return _made(a.fmt, x, 2.0 * np.abs(x) * (size * _own_error(a)).sum(axis=(-2, -1)))


def slogdet(a: Bounded) -> tuple[Any, Bounded]:
    """The sign (a decision) and the logarithm of the determinant's modulus."""
    sign, log = np.linalg.slogdet(_plain(a))
    whole = det(a)
    relative = whole.error().astype(np.float64) / np.maximum(np.abs(whole.x).astype(np.float64), np.finfo(float).tiny)
    if not np.all(relative < 1):
        note_ambiguous("the sign of a determinant within its error bound of zero")
    off = np.where(relative < 0.5, 2.0 * relative, np.inf) + a.fmt.ulp
    made = _made(a.fmt, log, off)
    fmt = a.fmt
    turned = off.astype(fmt.wide_real) if fmt.is_complex else None  # the sign is a rounded number of modulus 1
    return np.linalg.slogdet(np.eye(1))._replace(
        sign=Bounded(fmt, np.asarray(sign).astype(fmt.wide)[()], turned), logabsdet=_real(made)
    )


def _real(a: Bounded) -> Bounded:
    return a.real if a.fmt.is_complex else a


def cholesky(a: Bounded, *, upper: bool = False) -> Bounded:
    """Normwise: ||dL|| <= ||A^-1|| ||dA|| ||L||."""
    x = np.linalg.cholesky(_plain(a), upper=upper)
    size = _inverse(a)[1]
    factor = np.sqrt((size**2).sum((-2, -1)) * (_own_error(a) ** 2).sum((-2, -1)) * (np.abs(x) ** 2).sum((-2, -1)))
    triangle = np.triu(np.ones(x.shape)) if upper else np.tril(np.ones(x.shape))
    return _made(a.fmt, x, np.where(triangle > 0, 2.0 * factor[..., None, None], 0.0))


def eigvalsh(a: Bounded, UPLO: str = "L") -> Bounded:  # the name is NumPy's
    """Weyl: no eigenvalue moves further than the norm of the change."""
    w = np.linalg.eigvalsh(_plain(a), UPLO)
    return _made(format_of(a.fmt.real), w, _norm_of_change(a)[..., None] + np.zeros(w.shape))


def eigh(a: Bounded, UPLO: str = "L") -> Any:  # the name is NumPy's
    """Eigenvalues with bounds, eigenvectors without."""
    found = np.linalg.eigh(_plain(a), UPLO)
    return found._replace(eigenvalues=eigvalsh(a, UPLO), eigenvectors=_unknown(a.fmt, found.eigenvectors))


def svdvals(a: Bounded) -> Bounded:
    """No singular value moves further than the norm of the change."""
    s = np.linalg.svd(_plain(a), compute_uv=False)
    return _made(format_of(a.fmt.real), s, _norm_of_change(a)[..., None] + np.zeros(s.shape))


def svd(a: Bounded, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    """Singular values with bounds, vectors without."""
    if not compute_uv:
        return svdvals(a)
    found = np.linalg.svd(_plain(a), full_matrices)
    return found._replace(U=_unknown(a.fmt, found.U), S=svdvals(a), Vh=_unknown(a.fmt, found.Vh))


def qr(a: Bounded, mode: str = "reduced") -> Any:
    """Both factors, by first-order perturbation; none where the leading columns are nearly dependent."""
    if mode not in ("reduced", "complete"):
        raise BoundError(f"qr in the mode {mode} has no bounds")
    found = np.linalg.qr(_plain(a), mode)
    rows, columns = a.shape[-2:]
    leading = found.R[..., : min(rows, columns), : min(rows, columns)]
    try:
        size = np.abs(np.linalg.inv(leading)) if min(rows, columns) else leading
    except np.linalg.LinAlgError:
        return found._replace(Q=_unknown(a.fmt, found.Q), R=_unknown(a.fmt, found.R))
    shaken = _norm(size) * _norm(_own_error(a))
    turned = np.where(shaken < 0.25, 4.0 * shaken, np.inf)[..., None, None]
    moved = turned * _norm(np.abs(found.R))[..., None, None]
    upper = np.triu(np.ones(found.R.shape[-2:]))
    q = _made(a.fmt, found.Q, turned + np.zeros(found.Q.shape))
    return found._replace(Q=q, R=_made(a.fmt, found.R, np.where(upper > 0, moved, 0.0)))


def _norm(a: Any) -> Any:
    return np.sqrt((np.abs(a) ** 2).sum(axis=(-2, -1)))


def eigenvectors(a: Bounded, choose: Callable[[Any, Any], Any]) -> Any:
    """eigh with vectors of chosen signs: `choose` gets the matrices and LAPACK's vectors, in the program's dtype.

    Where two values lie so close that rounding tells them apart, it decides the signs of all vectors: none has a bound.
    """
    found = np.linalg.eigh(_plain(a))
    vectors = choose(_plain(a).astype(a.dtype), found.eigenvectors)
    turned = _turned(a, found.eigenvalues)
    turned = np.where(np.isinf(turned).any(axis=-1, keepdims=True), np.inf, turned)
    if a.shape[-1] == 1:
        return found._replace(eigenvalues=eigvalsh(a), eigenvectors=Bounded(a.fmt, vectors.astype(a.fmt.wide), None))
    bounded = _made(a.fmt, vectors, turned[..., None, :] + np.zeros(vectors.shape))
    return found._replace(eigenvalues=eigvalsh(a), eigenvectors=bounded)


def singular_vectors(a: Bounded) -> Any:
    """svd for use inside a gradient, where the signs of vectors cancel: their bounds are those of one choice."""
    found = np.linalg.svd(_plain(a), full_matrices=False)
    turned = _turned(a, found.S)
    u = _made(a.fmt, found.U, turned[..., None, :] + np.zeros(found.U.shape))
    vh = _made(a.fmt, found.Vh, turned[..., :, None] + np.zeros(found.Vh.shape))
    return found._replace(U=u, S=svdvals(a), Vh=vh)


def _turned(a: Bounded, values: Any) -> Any:
    """How far each vector may turn: the change over the distance to the nearest other value."""
    gaps = np.abs(values[..., :, None] - values[..., None, :])
    gaps = np.where(np.eye(values.shape[-1]) > 0, np.inf, gaps).min(axis=-1, initial=np.inf)
    change = _norm_of_change(a)[..., None]
    return np.where(gaps > 4.0 * change, 4.0 * change / gaps, np.inf)


def eig(a: Bounded) -> Any:
    """Neither values nor vectors have bounds: their order, and the phases of vectors, are anybody's choice."""
    found = np.linalg.eig(_plain(a))
    fmt = format_of(np.dtype(np.complex64 if a.fmt.wide_real == np.float64 else np.complex128))
    alone = a.shape[-1] == 1
    values, vectors = (_unknown(fmt, part) for part in found)
    if alone:  # of a single number there is no choice
        values, vectors = (
            Bounded(fmt, part.x, a.error()[..., 0] if at == 0 else None) for at, part in enumerate((values, vectors))
        )
    return found._replace(eigenvalues=values, eigenvectors=vectors)


def eigvals(a: Bounded) -> Bounded:
    """As `eig`."""
    return eig(a).eigenvalues


def matrix_root(a: Bounded) -> Bounded:
    """The principal square root: R dR + dR R = dA bounds the change of R."""
    plain = _plain(a)
    e, v = np.linalg.eig(plain)
    x = np.matmul(v * np.sqrt(e.astype(np.complex128))[..., None, :], np.linalg.inv(v))
    n = x.shape[-1]
    eye = np.eye(n)
    sum_of_both = np.einsum("ij,...kl->...ikjl", eye, x) + np.einsum("...ij,kl->...ikjl", np.swapaxes(x, -1, -2), eye)
    system = np.linalg.inv(sum_of_both.reshape((*x.shape[:-2], n * n, n * n)))
    change = _own_error(a).reshape((*x.shape[:-2], n * n, 1))
    off = 4.0 * np.matmul(np.abs(system), change).max(axis=(-2, -1))[..., None, None]
    return _made(a.fmt, x if a.fmt.is_complex else x.real, off + np.zeros(x.shape))


def _norm_of_change(a: Bounded) -> Any:
    return 2.0 * np.sqrt((_own_error(a) ** 2).sum(axis=(-2, -1)))


def _unknown(fmt: Format, x: Any) -> Bounded:
    return Bounded(fmt, x.astype(fmt.wide), np.full(x.shape, np.inf, fmt.wide_real))


FUNCTIONS.update({
    np.linalg.inv: inv, np.linalg.solve: solve, np.linalg.det: det, np.linalg.slogdet: slogdet,
    np.linalg.cholesky: cholesky, np.linalg.eigh: eigh, np.linalg.eigvalsh: eigvalsh, np.linalg.svd: svd,
    np.linalg.svdvals: svdvals, np.linalg.qr: qr, np.linalg.eig: eig, np.linalg.eigvals: eigvals,
})  # fmt: skip
# The engine's own protocols, looked up on the type.
Bounded.__least_squares__ = staticmethod(least_squares)
Bounded.__matrix_root__ = staticmethod(matrix_root)
Bounded.__eigenvectors__ = staticmethod(eigenvectors)
Bounded.__singular_vectors__ = staticmethod(singular_vectors)
