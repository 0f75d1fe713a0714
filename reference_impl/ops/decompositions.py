"""Inverses, determinants, decompositions and solvers of matrices, over the last two axes."""

from __future__ import annotations

import math as _math
from collections import namedtuple
from typing import Any

import numpy as np

from ..errors import invalid
from ..tensors.conversion import convert_to_tensor
from ..tensors.slices import IndexedSlices
from ..tensors.tensor import EagerTensor, wrap
from . import matrix_fitting
from .arguments import check
from .arithmetic import log
from .comparison import greater
from .complex_numbers import real
from .declare import MISSING, kernel, public
from .diagonals import diag_part
from .extremes import reduce_max
from .kernels import solvers
from .matrix import matmul
from .reductions import reduce_sum
from .selection import where
from .shaping import _reduce_to
from .squeezing import expand_dims

_MAIN = {"band": (0, 0), "align": "RIGHT_LEFT"}


def _adjoint(F: Any, x: Any) -> Any:
    rank = F.rank(x)
    return F.conj(F.transpose(x, perm=(*range(rank - 2), rank - 1, rank - 2)))


def _diag(F: Any, d: Any) -> Any:
    size = F.shape(d)[-1] if F.rank(d) else 0  # which the kernel refuses
    return F.matrix_diag(d, rows=size, columns=size, padding=0, **_MAIN)


def _diag_part(F: Any, x: Any) -> Any:
    return F.matrix_diag_part(x, padding=0, **_MAIN)


def _expand(F: Any, x: Any, axis: int) -> Any:
    shape = F.shape(x)
    at = len(shape) + 1 + axis
    return F.reshape(x, shape=(*shape[:at], 1, *shape[at:]))


def _inverse_gradient(F: Any, dy: Any, y: Any, _x: Any, adjoint: bool) -> Any:
    return -F.matmul(y, F.matmul(dy, y, aa=adjoint, ab=not adjoint), aa=not adjoint)


inv_ = kernel("inv", "MatrixInverse", forward=solvers.inverse, gradient=_inverse_gradient)


def _times_inverse(F: Any, factor: Any, x: Any) -> Any:
    """``factor``, one number per matrix, times the adjoint inverse of x."""
    inverse = F.inv(x, adjoint=True)
    return F.reshape(factor, shape=(*F.shape(x)[:-2], 1, 1)) * inverse


det_ = kernel(
    "det", "MatrixDeterminant", forward=np.linalg.det, gradient=lambda F, dy, y, x: _times_inverse(F, dy * y, x)
)  # fmt: skip


def _sign_and_log(x: Any) -> tuple:
    """Both in the dtype of x, also where that is complex."""
    sign, log_size = np.linalg.slogdet(x)
    if type(sign) is not type(x):  # of one matrix: numbers of NumPy's
        sign = sign if log_size == log_size else x.dtype.type(np.nan)
    elif type(x) is np.ndarray:
        sign = np.where(np.isnan(log_size), x.dtype.type(np.nan), sign)
    return sign, log_size.astype(x.dtype)


slogdet_ = kernel(
    "slogdet", "LogMatrixDeterminant", forward=_sign_and_log,
    gradient=lambda F, dy, _y, x: _times_inverse(F, dy[1], x),
)  # fmt: skip


def _cholesky_gradient(F: Any, dy: Any, y: Any, _x: Any) -> Any:
    shape = F.shape(y)
    eye = np.array(np.broadcast_to(np.eye(shape[-1], dtype=F.dtype(y)), shape))
    inverse = F.triangular_solve(y, wrap(eye) if F.recording else eye, lower=True, adjoint=False)
    middle = F.matmul(y, dy, aa=True)
    middle = F.matrix_set_diag(middle, 0.5 * _diag_part(F, middle), **_MAIN)
    middle = F.band_part(middle, lower=-1, upper=0)
    g = F.matmul(F.matmul(inverse, middle, aa=True), inverse)
    return (g + _adjoint(F, g)) * 0.5


cholesky_ = kernel("cholesky", "Cholesky", forward=solvers.cholesky, gradient=_cholesky_gradient)


def _solve_gradient(F: Any, dy: Any, y: Any, a: Any, _b: Any, adjoint: bool) -> Any:
    by_b = F.solve(a, dy, adjoint=not adjoint)
    return (-F.matmul(y, by_b, ab=True) if adjoint else -F.matmul(by_b, y, ab=True)), by_b


solve_ = kernel(
    "solve", "MatrixSolve", forward=solvers.solve, gradient=_solve_gradient, inputs="matrix rhs",
    fits=lambda a, b, adjoint: _check_solved(a, b, None),
)  # fmt: skip


def _check_solved(a: Any, b: Any, name: str | None) -> None:
    matrix_fitting.refuse("MatrixSolve", matrix_fitting.solved("MatrixSolve", a.shape, b.shape), name)


def _check_triangular(a: Any, b: Any, lower: bool, adjoint: bool, name: str | None = None) -> None:
    misfit = matrix_fitting.triangular(a.shape, b.shape, lower, adjoint)
    matrix_fitting.refuse("MatrixTriangularSolve", misfit, name)


def _triangular_gradient(F: Any, dy: Any, y: Any, a: Any, _b: Any, lower: bool, adjoint: bool) -> Any:
    by_b = F.triangular_solve(a, dy, lower=lower, adjoint=not adjoint)
    by_a = -F.matmul(y, by_b, ab=True) if adjoint else -F.matmul(by_b, y, ab=True)
    by_a = F.band_part(by_a, lower=-1, upper=0) if lower else F.band_part(by_a, lower=0, upper=-1)
    if F.shape(a)[:-2] == F.shape(_b)[:-2]:  # nothing was broadcast, whatever the upstream is
        return by_a, by_b
    return _reduce_to(F, by_a, F.shape(a)), _reduce_to(F, by_b, F.shape(_b))


triangular_solve_ = kernel(
    "triangular_solve", "MatrixTriangularSolve", forward=solvers.triangular_solve, gradient=_triangular_gradient,
    inputs="matrix rhs", fits=_check_triangular,
)  # fmt: skip


# ----------------------------------------------------------------------------------------- QR, eigenvalues, SVD


def _by_triangle(F: Any, x: Any, r: Any) -> Any:
    return _adjoint(F, F.triangular_solve(r, _adjoint(F, x), lower=False, adjoint=False))


def _square_or_deep(F: Any, q: Any, r: Any, dq: Any, dr: Any) -> Any:
    qdq, rdr = F.matmul(q, dq, aa=True), F.matmul(r, dr, ab=True)
    lower = F.band_part((qdq - _adjoint(F, qdq)) + (rdr - _adjoint(F, rdr)), lower=-1, upper=0)
    first = F.matmul(q, dr + _by_triangle(F, lower, r))
    second = _by_triangle(F, dq - F.matmul(q, qdq), r)
    if F.dtype(q).kind != "c":
        return first + second
    m = rdr - _adjoint(F, qdq)
    on_diagonal = F.matrix_set_diag(F.zeros_like(m), _diag_part(F, m), **_MAIN)
    correction = on_diagonal - F.cast(F.real(on_diagonal), dtype=F.dtype(q))
    return first + second + _by_triangle(F, F.matmul(q, _adjoint(F, correction)), r)


def _part(F: Any, x: Any, start: int, stop: int) -> Any:
    return F.strided_slice(x, index=(Ellipsis, slice(None), slice(start, stop)))


def _qr_gradient(F: Any, dy: Any, y: Any, a: Any, full_matrices: bool) -> Any:
    q, r = y
    rows, columns = F.shape(q)[-2], F.shape(r)[-1]
    if F.shape(r)[-2] > columns and F.shape(q)[-1] == rows:
        raise NotImplementedError(
            "QrGrad not implemented when nrows > ncols and full_matrices is true. Received r.shape="
            f"{F.shape(r)} with nrows={F.shape(r)[-2]}and ncols={columns}."
        )
    if rows < columns and type(dy[1]) is IndexedSlices:
        raise TypeError("'IndexedSlices' object is not subscriptable")
    dq, dr = (F.dense(d) for d in dy)
    if rows >= columns:
        return _square_or_deep(F, q, r, dq, dr)
    late, dv = _part(F, a, rows, columns), _part(F, dr, rows, columns)
    dx = _square_or_deep(F, q, _part(F, r, 0, rows), dq + F.matmul(late, dv, ab=True), _part(F, dr, 0, rows))
    return F.concat(dx, F.matmul(q, dv), axis=F.rank(a) - 1)


qr_ = kernel("qr", "Qr", sparse=True, forward=solvers.qr, gradient=_qr_gradient)


def _safe_reciprocal(F: Any, x: Any) -> Any:
    return x * F.reciprocal(x * x + 1e-20)


def _gaps(F: Any, e: Any) -> Any:
    """1 / (e_j - e_i) off the diagonal, 0 on it and where two are equal."""
    f = _safe_reciprocal(F, _expand(F, e, -2) - _expand(F, e, -1))
    return F.matrix_set_diag(f, F.zeros_like(e), **_MAIN)


def _eigh_gradient(F: Any, dy: Any, y: Any, x: Any, compute_v: bool) -> Any:
    middle = _diag(F, dy[0])
    if compute_v:
        v = y[1]
        middle = middle + _gaps(F, y[0]) * F.matmul(v, dy[1], aa=True)
    else:
        v = F.eigh(x, compute_v=True)[1]
    g = F.matmul(v, F.matmul(middle, v, ab=True))
    g = F.band_part(g + _adjoint(F, g), lower=-1, upper=0)
    return F.matrix_set_diag(g, 0.5 * _diag_part(F, g), **_MAIN)


eigh_ = kernel("eigh", "SelfAdjointEigV2", forward=solvers.eigh, gradient=_eigh_gradient)


def _svd_gradient(F: Any, dy: Any, y: Any, a: Any, compute_uv: bool, full_matrices: bool, inside: bool = False) -> Any:
    dtype = F.dtype(a)
    if compute_uv and IndexedSlices in map(type, dy[1:]):
        raise AttributeError("'IndexedSlices' object has no attribute 'get_shape'")
    ds = F.dense(dy[0])
    ds = _diag(F, F.cast(ds, dtype=dtype) if F.dtype(ds) != dtype else ds)
    if not compute_uv:
        _, u, v = F.svd(a, compute_uv=True, full_matrices=False, inside=True)
        return _like(F, F.matmul(u, F.matmul(ds, v, ab=True)), a)
    s, u, v = y
    _, du, dv = dy
    s = F.cast(s, dtype=dtype) if F.dtype(s) != dtype else s
    rows, columns = F.shape(a)[-2:]
    turned = rows > columns
    if turned:
        rows, columns, u, v, du, dv = columns, rows, v, u, dv, du
    if full_matrices and abs(rows - columns) > 1:
        raise NotImplementedError(
            "svd gradient is not implemented for abs(m - n) > 1 when full_matrices is True. Received: "
            f"m={rows} and n={columns} from op input={a} with shape={F.shape(a)}."
        )
    g = _svd_whole(F, s, u, v, ds, du, dv, (rows, columns), full_matrices)
    return _adjoint(F, g) if turned else _like(F, g, a)


def _like(F: Any, g: Any, a: Any) -> Any:
    """A gradient, which TensorFlow says has the shape of what was decomposed; a wrong upstream makes another."""
    if F.recording:
        g.set_shape(F.shape(a))
    return g


def _svd_whole(F: Any, s: Any, u: Any, v: Any, ds: Any, du: Any, dv: Any, size: tuple[int, int], full: bool) -> Any:
    rows, columns = size
    f, inverse, diagonal = _gaps(F, F.square(s)), _diag(F, _safe_reciprocal(F, s)), _diag(F, s)
    v1, dv1 = _part(F, v, 0, rows), _part(F, dv, 0, rows)
    vdv = F.matmul(v1, dv1, aa=True)
    fu, fv = f * F.matmul(u, du, aa=True), f * vdv
    inner = ds + F.matmul(fu + _adjoint(F, fu), diagonal) + F.matmul(diagonal, fv + _adjoint(F, fv))
    g = F.matmul(u, F.matmul(inner, v1, ab=True))
    if rows != columns:
        turned = _adjoint(F, dv1)
        rest = turned - F.matmul(F.matmul(turned, v1), v1, ab=True)
        if full:
            v2, dv2 = _part(F, v, rows, columns), _part(F, dv, rows, columns)
            rest = rest - F.matmul(F.matmul(v1, dv2, aa=True), v2, ab=True)
        g = g + F.matmul(F.matmul(u, inverse), rest)
    if F.dtype(u).kind == "c":
        phase = _diag(F, _diag_part(F, vdv))
        g = g + 0.5 * F.matmul(u, F.matmul(F.matmul(inverse, _adjoint(F, phase) - phase), v1, ab=True))
    return g


svd_ = kernel("svd", "Svd", sparse=True, forward=solvers.svd, gradient=_svd_gradient)


def _kronecker(F: Any, a: Any, b: Any) -> Any:
    *batch, n, _ = F.shape(a)
    m = F.shape(b)[-1]
    product = F.reshape(a, shape=(*batch, n, 1, n, 1)) * F.reshape(b, shape=(*batch, 1, m, 1, m))
    return F.reshape(product, shape=(*batch, n * m, n * m))


def _swapped(F: Any, x: Any) -> Any:
    rank = F.rank(x)
    return F.transpose(x, perm=(*range(rank - 2), rank - 1, rank - 2))


def _root_gradient(F: Any, dy: Any, y: Any, _x: Any) -> Any:
    """The Sylvester equation R dR + dR R = dA, solved as a system of n^2 equations."""
    shape = F.shape(y)
    n = shape[-1]
    eye = np.array(np.broadcast_to(np.eye(n, dtype=F.dtype(y)), shape))
    eye = wrap(eye) if F.recording else eye
    system = _kronecker(F, eye, _swapped(F, y)) + _kronecker(F, y, eye)
    right = F.reshape(_swapped(F, dy), shape=(*shape[:-2], n * n, 1))
    return _swapped(F, F.reshape(F.solve(system, right, adjoint=False), shape=shape))


sqrtm_ = kernel("sqrtm", "MatrixSquareRoot", forward=solvers.root, gradient=_root_gradient)
lu_ = kernel("lu", "Lu", forward=solvers.lu, gradient=MISSING)


# -------------------------------------------------------------------------------------------- public functions


def square(op: Any, x: Any, name: str | None) -> EagerTensor:
    x = convert_to_tensor(x)
    op.op.check(x._a.dtype, name)
    if x._a.ndim < 2:
        which = "" if op.op.kernel == "Lu" else " 0"
        raise invalid(op.op.kernel, f"Input tensor{which} must have rank >= 2, got {x._a.ndim}", name)
    if x._a.shape[-1] != x._a.shape[-2]:
        raise invalid(op.op.kernel, "Input matrix must be square.", name)
    return x


@public("linalg.inv")
def inv(input: Any, adjoint: bool = False, name: str | None = None) -> EagerTensor:
    """The inverse of square matrices, or of their adjoints (``tf.linalg.inv``)."""
    return inv_(square(inv_, input, name), adjoint=bool(adjoint))


@public("linalg.det")
def det(input: Any, name: str | None = None) -> EagerTensor:
    """The determinant of square matrices (``tf.linalg.det``)."""
    return det_(square(det_, input, name))


LogMatrixDeterminant = namedtuple("LogMatrixDeterminant", "sign log_abs_determinant")


@public("linalg.slogdet")
def slogdet(input: Any, name: str | None = None) -> LogMatrixDeterminant:
    """The sign and the log of the absolute value of the determinant (``tf.linalg.slogdet``)."""
    return LogMatrixDeterminant(*slogdet_(square(slogdet_, input, name)))


@public("linalg.logdet")
def logdet(matrix: Any, name: str | None = None) -> EagerTensor:
    """log of the determinant of positive definite matrices, by Cholesky (``tf.linalg.logdet``)."""
    return 2.0 * reduce_sum(log(real(diag_part(cholesky(convert_to_tensor(matrix))))), [-1])


@public("linalg.cholesky")
def cholesky(input: Any, name: str | None = None) -> EagerTensor:
    """The lower triangular root of positive definite matrices (``tf.linalg.cholesky``)."""
    return cholesky_(square(cholesky_, input, name))


@public("linalg.solve")
def solve(matrix: Any, rhs: Any, adjoint: bool = False, name: str | None = None) -> EagerTensor:
    """The X with ``matrix @ X = rhs`` (``tf.linalg.solve``)."""
    a, b = convert_to_tensor(matrix), convert_to_tensor(rhs)
    check("MatrixSolve", name, matrix=a, rhs=b)
    _check_solved(a._a, b._a, name)
    return solve_(a, b, adjoint=bool(adjoint))


@public("linalg.triangular_solve")
def triangular_solve(
    matrix: Any, rhs: Any, lower: bool = True, adjoint: bool = False, name: str | None = None
) -> EagerTensor:
    """The X with ``matrix @ X = rhs`` for triangular matrices (``tf.linalg.triangular_solve``)."""
    a, b = convert_to_tensor(matrix), convert_to_tensor(rhs)
    check("MatrixTriangularSolve", name, matrix=a, rhs=b)
    _check_triangular(a._a, b._a, lower, adjoint, name)
    return triangular_solve_(a, b, lower=bool(lower), adjoint=bool(adjoint))


@public("linalg.cholesky_solve")
def cholesky_solve(chol: Any, rhs: Any, name: str | None = None) -> EagerTensor:
    """The X with ``A @ X = rhs`` given the Cholesky root of A (``tf.linalg.cholesky_solve``)."""
    return triangular_solve(chol, triangular_solve(chol, rhs), adjoint=True)


@public("linalg.qr")
def qr(input: Any, full_matrices: bool = False, name: str | None = None) -> Any:
    """An orthogonal and an upper triangular factor (``tf.linalg.qr``)."""
    x = convert_to_tensor(input)
    qr_.op.check(x._a.dtype, name)
    matrix_fitting.refuse("Qr", matrix_fitting.batches("Qr", x._a.shape), name)
    return solvers.Qr(*qr_(x, full_matrices=bool(full_matrices)))


@public("linalg.eigh")
def eigh(tensor: Any, name: str | None = None) -> tuple[EagerTensor, EagerTensor]:
    """Eigenvalues, ascending, and eigenvectors of self-adjoint matrices (``tf.linalg.eigh``)."""
    return eigh_(square(eigh_, tensor, name), compute_v=True)


@public("linalg.eigvalsh")
def eigvalsh(tensor: Any, name: str | None = None) -> EagerTensor:
    """Eigenvalues, ascending, of self-adjoint matrices (``tf.linalg.eigvalsh``)."""
    return eigh_(square(eigh_, tensor, name), compute_v=False)[0]


@public("linalg.svd")
def svd(tensor: Any, full_matrices: bool = False, compute_uv: bool = True, name: str | None = None) -> Any:
    """Singular values, descending, and both sets of singular vectors (``tf.linalg.svd``)."""
    x = convert_to_tensor(tensor)
    svd_.op.check(x._a.dtype, name)
    matrix_fitting.refuse("Svd", matrix_fitting.batches("Svd", x._a.shape), name)
    s, u, v = svd_(x, compute_uv=bool(compute_uv), full_matrices=bool(full_matrices))
    return (real(s), u, v) if compute_uv else real(s)


@public("linalg.sqrtm matrix_square_root")
def sqrtm(input: Any, name: str | None = None) -> EagerTensor:
    """The principal square root of matrices (``tf.linalg.sqrtm``)."""
    return sqrtm_(square(sqrtm_, input, name))


@public("linalg.lu")
def lu(input: Any, output_idx_type: Any = "int32", name: str | None = None) -> Any:
    """Both triangular factors in one matrix, and the permutation of rows (``tf.linalg.lu``); without a gradient."""
    return solvers.Lu(*lu_(square(lu_, input, name)))


def _of_floats(a: Any) -> EagerTensor:
    """Matrices of floats, or TensorFlow's TypeError or ValueError."""
    x = convert_to_tensor(a)
    if not x.dtype.is_floating:
        raise TypeError(f"Input `a` must have `float`-like `dtype` (saw {x.dtype.name}).")
    if x._a.ndim < 2:
        raise ValueError(f"Input `a` must have at least 2 dimensions (saw: {x._a.ndim}).")
    return x


@public("linalg.pinv")
def pinv(a: Any, rcond: Any = None, validate_args: bool = False, name: str | None = None) -> EagerTensor:
    """The Moore-Penrose inverse, by singular values above a cutoff (``tf.linalg.pinv``)."""
    a = _of_floats(a)
    dtype = a._a.dtype
    if rcond is None:
        rcond = 10.0 * float(max(a._a.shape[-2:])) * np.finfo(dtype).eps
    s, u, v = svd_(a, compute_uv=True, full_matrices=False, inside=True)  # the signs cancel in the product
    s = real(s)
    cutoff = convert_to_tensor(rcond, s.dtype) * reduce_max(s, -1)
    s = where(greater(s, expand_dims(cutoff, -1)), s, convert_to_tensor(_math.inf, s.dtype))
    return matmul(v / expand_dims(s, -2), u, adjoint_b=True)


@public("linalg.matrix_rank")
def matrix_rank(a: Any, tol: Any = None, validate_args: bool = False, name: str | None = None) -> EagerTensor:
    """How many singular values exceed a tolerance (``tf.linalg.matrix_rank``)."""
    from .casting import cast

    a = _of_floats(a)
    s = svd(a, compute_uv=False)
    if tol is None:
        scale = convert_to_tensor(np.finfo(a._a.dtype).eps * max(a._a.shape[-2:]), s.dtype)
        tol = scale * reduce_max(s, -1, keepdims=True)
    return reduce_sum(cast(greater(s, tol), "int32"), -1)


def _least_squares_gradient(F: Any, dy: Any, y: Any, a: Any, b: Any, regular: float, fast: bool) -> tuple:
    raise ValueError("Gradient not defined for fast=False")  # the fast way is made of other ops


least_squares_ = kernel(
    "least_squares", "MatrixSolveLs", forward=solvers.least_squares, gradient=_least_squares_gradient
)  # fmt: skip


@public("linalg.lstsq")
def lstsq(
    matrix: Any, rhs: Any, l2_regularizer: float = 0.0, fast: bool = True, name: str | None = None
) -> EagerTensor:
    """The least squares solution, by the normal equations and Cholesky (``tf.linalg.lstsq``)."""
    a, b = convert_to_tensor(matrix), convert_to_tensor(rhs)
    if not fast:
        check("MatrixSolveLs", name, matrix=a, rhs=b)
        misfit = matrix_fitting.batches("MatrixSolveLs", a._a.shape, b._a.shape)
        if misfit is None and a._a.shape[-2] != b._a.shape[-2]:
            misfit = "Input matrix and rhs are incompatible."
        matrix_fitting.refuse("MatrixSolveLs", misfit, name)
        return least_squares_(a, b, regular=0.0, fast=False)
    tall = a._a.shape[-2] >= a._a.shape[-1]
    gram = matmul(a, a, adjoint_a=tall, adjoint_b=not tall)
    if l2_regularizer:
        gram = gram + l2_regularizer * wrap(np.eye(gram._a.shape[-1], dtype=a._a.dtype))
    root = cholesky(gram)
    if tall:
        return cholesky_solve(root, matmul(a, b, adjoint_a=True))
    return matmul(a, cholesky_solve(root, b), adjoint_a=True)
