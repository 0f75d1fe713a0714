"""What is made of a decomposition into triangles, and eigenvalues of three diagonals (``tf.linalg``)."""

from __future__ import annotations

import math as _math
import warnings
from typing import Any

import numpy as np

from ..dtypes import float32, int32
from ..errors import invalid
from ..ops.arithmetic import conj, maximum, minimum, sqrt, square
from ..ops.casting import cast
from ..ops.complex_numbers import real
from ..ops.declare import MISSING, NAMES, kernel, public
from ..ops.decompositions import triangular_solve
from ..ops.diagonals import band_part, set_diag
from ..ops.elementwise import abs as absolute
from ..ops.extremes import reduce_max, reduce_min
from ..ops.gathering import gather, gather_nd
from ..ops.making import eye, ones
from ..ops.matrix import matmul
from ..ops.selection import where
from ..ops.shaping import broadcast_to, concat, reshape
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, wrap


def _factors(lower_upper: Any, perm: Any) -> tuple[EagerTensor, EagerTensor]:
    """Both as tensors.  ValueError where they do not fit."""
    packed, order = convert_to_tensor(lower_upper, dtype_hint=float32), convert_to_tensor(perm, dtype_hint=int32)
    if packed._a.ndim < 2:
        raise ValueError("Input `lower_upper` must have at least 2 dimensions.")
    if packed._a.ndim != order._a.ndim + 1:
        raise ValueError("`rank(lower_upper)` must equal `rank(perm) + 1`")
    if packed._a.shape[-2] != packed._a.shape[-1]:
        raise ValueError("`lower_upper` must be square.")
    return packed, order


def _unit_lower(packed: EagerTensor) -> EagerTensor:
    return set_diag(band_part(packed, -1, 0), ones(packed._a.shape[:-1], packed.dtype))


def _in_batches(x: EagerTensor, order: np.ndarray) -> EagerTensor:
    """Rows of each matrix of a batch (n, rows, columns) in an order of its own."""
    count, size = order.shape
    places = np.stack([np.broadcast_to(np.arange(count, dtype=order.dtype)[:, None], (count, size)), order], axis=-1)
    return gather_nd(x, places)


def _permuted(rhs: EagerTensor, order: EagerTensor) -> EagerTensor:
    if rhs._a.ndim == 2 and order._a.ndim == 1:
        return gather(rhs, order, axis=-2)
    rows, columns = rhs._a.shape[-2:]
    batch = np.broadcast_shapes(rhs._a.shape[:-2], order._a.shape[:-1])
    wide = reshape(broadcast_to(rhs, (*batch, rows, columns)), [-1, rows, columns])
    orders = np.broadcast_to(order._a, (*batch, rows)).reshape(-1, rows)
    return reshape(_in_batches(wide, orders), (*batch, rows, columns))


@public("linalg.lu_solve")
def lu_solve(
    lower_upper: Any, perm: Any, rhs: Any, validate_args: bool = False, name: str | None = None
) -> EagerTensor:
    """X of A X = rhs, from what ``tf.linalg.lu`` gives of A (``tf.linalg.lu_solve``).  ValueError if sizes differ."""
    packed, order = convert_to_tensor(lower_upper, dtype_hint=float32), convert_to_tensor(perm, dtype_hint=int32)
    right = convert_to_tensor(rhs, dtype_hint=packed.dtype)
    packed, order = _factors(packed, order)
    if right._a.ndim < 2:
        raise ValueError("Input `rhs` must have at least 2 dimensions.")
    if packed._a.shape[-1] != right._a.shape[-2]:
        raise ValueError("`lower_upper.shape[-1]` must equal `rhs.shape[-1]`.")
    permuted = _permuted(right, order)
    return triangular_solve(packed, triangular_solve(_unit_lower(packed), permuted), lower=False)


@public("linalg.lu_matrix_inverse")
def lu_matrix_inverse(lower_upper: Any, perm: Any, validate_args: bool = False, name: str | None = None) -> EagerTensor:
    """The inverse of A, from what ``tf.linalg.lu`` gives of it (``tf.linalg.lu_matrix_inverse``)."""
    packed, order = _factors(lower_upper, perm)
    shape = packed._a.shape
    return lu_solve(packed, order, eye(shape[-1], batch_shape=shape[:-2], dtype=packed.dtype))


@public("linalg.lu_reconstruct")
def lu_reconstruct(lower_upper: Any, perm: Any, validate_args: bool = False, name: str | None = None) -> EagerTensor:
    """A again, from what ``tf.linalg.lu`` gives of it (``tf.linalg.lu_reconstruct``)."""
    packed, order = _factors(lower_upper, perm)
    x = matmul(_unit_lower(packed), band_part(packed, 0, -1))
    shape = packed._a.shape
    if len(shape) == 2:
        return gather(x, NAMES["math.invert_permutation"](order))
    count, size = _math.prod(shape[:-2]), shape[-1]
    back = np.argsort(np.asarray(order._a).reshape(count, size), axis=-1).astype(order._a.dtype)
    return reshape(_in_batches(reshape(x, [count, size, size]), back), shape)


# --------------------------------------------------------------------------------------- the logarithm of a matrix


def _logarithms(x: Any) -> Any:
    from scipy.linalg import logm as of_one

    flat = x.reshape((-1, *x.shape[-2:])).astype(np.complex128)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what SciPy thinks of the error is no answer of TensorFlow's
        return np.array([of_one(one) for one in flat], x.dtype).reshape(x.shape)


logm_ = kernel("logm", "MatrixLogarithm", forward=_logarithms, gradient=MISSING)


@public("linalg.logm")
def logm(input: Any, name: str | None = None) -> EagerTensor:
    """The principal logarithm of complex square matrices (``tf.linalg.logm``), which has no gradient."""
    x = convert_to_tensor(input)
    logm_.op.check(x._a.dtype, name)
    if x._a.ndim < 2 or x._a.shape[-2] != x._a.shape[-1]:
        raise invalid("MatrixLogarithm", "Input matrix must be square.", name)
    return logm_(x)


# ------------------------------------------------------------------------------- eigenvalues of three diagonals


def _smaller(alpha: np.ndarray, squares: np.ndarray, least: Any, first: Any, x: np.ndarray) -> np.ndarray:
    """How many eigenvalues are smaller than each x, by a Sturm sequence."""
    q = alpha[0] - x
    count = (q < 0).astype(np.int32)
    q = np.where(alpha[0] == x, first, q)
    for a, b in zip(alpha[1:], squares):
        q = a - b / q - x
        count = np.where(q <= least, count + 1, count)
        q = np.where(q <= least, np.minimum(q, -least), q)
    return count


def _enclosure(alpha: EagerTensor, sizes: EagerTensor) -> tuple[EagerTensor, EagerTensor, EagerTensor]:
    """Bounds of all eigenvalues by Gershgorin's circles, and the largest absolute value of these."""
    limits = np.finfo(alpha._a.dtype)
    sums = concat([sizes[:1], sizes[:-1] + sizes[1:], sizes[-1:]], 0)
    high = minimum(convert_to_tensor(limits.max, alpha.dtype), reduce_max(alpha + sums))
    low = maximum(convert_to_tensor(limits.min, alpha.dtype), reduce_min(alpha - sums))
    return low, high, maximum(absolute(low), absolute(high))


def _wanted(select: str, select_range: Any, size: int) -> np.ndarray | None:
    """The numbers of the eigenvalues that are wanted; None where an interval says which."""
    if select == "a":
        return np.arange(size)
    if select not in ("i", "v"):
        raise ValueError("'select must have a value in {'a', 'i', 'v'}.")
    first, last = (int(v) if select == "i" else float(v) for v in select_range)
    if select == "v":
        NAMES["debugging.assert_less"](first, last, message="Got empty interval in select_range.")
        return None
    NAMES["debugging.assert_less_equal"](first, last, message="Got empty index range in select_range.")
    return np.arange(first, last + 1)


def _bisected(alpha: EagerTensor, beta: EagerTensor, select: str, select_range: Any, tol: Any) -> EagerTensor:
    """All eigenvalues at once between bounds that are halved; what has a gradient are the bounds."""
    if alpha.dtype.is_complex:
        alpha, squares = real(alpha), real(conj(beta) * beta)
        sizes = sqrt(squares)
    else:
        squares, sizes = square(beta), absolute(beta)
    kind, limits = alpha._a.dtype.type, np.finfo(alpha._a.dtype)
    low, high, norm = _enclosure(alpha, sizes)
    safe = max(kind(1) / limits.max, (kind(1) + limits.eps) * limits.tiny)
    pivot = safe * maximum(convert_to_tensor(kind(1)), reduce_max(squares))
    first = square(kind(limits.eps) * sizes[0])
    allowed = max(kind(limits.eps) * norm._a, kind(tol or 0))
    slack = cast(alpha._a.shape[0], alpha.dtype) * 2.1 * limits.eps * norm
    wanted = _wanted(select, select_range, alpha._a.shape[0])
    if select == "v":
        low, high = (convert_to_tensor(v, alpha.dtype) for v in select_range)
    low, high = low - slack - 2 * 2.1 * pivot, high + slack + 2.1 * pivot
    smaller = lambda x: _smaller(alpha._a, squares._a, pivot._a, first._a, x)  # noqa: E731  # these numbers throughout
    if wanted is None:
        wanted = np.arange(int(smaller(low._a)), int(smaller(high._a)))
    return _narrowed(low, high, wanted, smaller, allowed)


def _narrowed(low: EagerTensor, high: EagerTensor, wanted: np.ndarray, smaller: Any, allowed: Any) -> EagerTensor:
    limits = np.finfo(low._a.dtype)
    high = minimum(high, convert_to_tensor(limits.max, high.dtype))
    low = maximum(low, convert_to_tensor(limits.min, low.dtype))
    low, high = broadcast_to(low, wanted.shape), broadcast_to(high, wanted.shape)
    for _ in range(limits.nmant + 1):
        if not allowed < np.max(high._a - low._a, initial=-np.inf):
            break
        middle = 0.5 * low + 0.5 * high
        counts = smaller(middle._a)
        low = where(wrap(counts <= wanted), middle, low)
        high = where(wrap(counts > wanted), middle, high)
    return 0.5 * low + 0.5 * high


@public("linalg.eigh_tridiagonal")
def eigh_tridiagonal(
    alpha: Any, beta: Any, eigvals_only: bool = True, select: str = "a", select_range: Any = None, tol: Any = None,
    name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """Eigenvalues of the Hermitian matrix with diagonals alpha and beta (``tf.linalg.eigh_tridiagonal``), in order.

    As in TensorFlow a gradient is that of the bounds between which they are sought. Eigenvectors are left out:
    NotImplementedError. ValueError for two dtypes and for an unknown ``select``.
    """
    x = convert_to_tensor(alpha)
    if x._a.shape[0] <= 1:
        return real(x)
    y = convert_to_tensor(beta)
    if x.dtype != y.dtype:
        raise ValueError("'alpha' and 'beta' must have the same type.")
    if not eigvals_only:
        raise NotImplementedError("eigh_tridiagonal gives no eigenvectors here: linalg.eigh does")
    return _bisected(x, y, select, select_range, tol)
