"""``keras.ops.linalg``: factors of matrices, systems of equations, norms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import reference_impl as tf

from ... import nest
from ...tensors.tensor import EagerTensor
from .promotion import floating, listed, tensor
from .shaping import moveaxis


def _matrix(x: Any, square: bool = True) -> EagerTensor:
    """A tensor of matrices.  ValueError for what has fewer axes, or (where wanted) no square ones."""
    x = tensor(x)
    if len(x.shape) < 2:
        raise ValueError(f"Expected input to have rank >= 2. Received input with shape {x.shape}.")
    if square and x.shape[-1] != x.shape[-2]:
        raise ValueError(f"Expected a square matrix. Received non-square input with shape {x.shape}")
    return x


def cholesky(x: Any, upper: bool = False) -> EagerTensor:
    """The triangle whose product with its own adjoint a matrix is.  ValueError where there is none."""
    x = _matrix(x)
    try:
        found = tf.debugging.check_numerics(tf.linalg.cholesky(x), "Cholesky")
        return tf.linalg.adjoint(found) if upper else found
    except Exception as error:
        raise ValueError(f"Cholesky decomposition failed: {error}") from error


def cholesky_inverse(x: Any, upper: bool = False) -> EagerTensor:
    """The inverse of the matrix that a triangle is the Cholesky factor of.  ValueError where there is none."""
    x = _matrix(x)
    try:
        one = tf.eye(tf.shape(x)[-1], dtype=x.dtype)
        inverse = tf.linalg.triangular_solve(x, one, lower=not upper)
        return tf.matmul(inverse, inverse, transpose_a=not upper, transpose_b=upper)
    except Exception as error:
        raise ValueError(f"Cholesky inverse failed: {error}") from error


def lu_factor(x: Any) -> tuple[EagerTensor, EagerTensor]:
    """Both triangles in one matrix, and the order of the rows.  ValueError for what is not square."""
    x = _matrix(x, square=False)
    try:
        _matrix(x)
    except ValueError as error:
        raise ValueError(
            f"LU decomposition failed: {error}. LU decomposition is only supported for square matrices in Tensorflow."
        ) from error
    both, order = tf.linalg.lu(x)
    return both, tf.math.invert_permutation(order)


def _system(a: Any, b: Any) -> tuple[EagerTensor, EagerTensor]:
    a, b = _matrix(a), tensor(b)
    ranks = len(a.shape), len(b.shape)
    if ranks[1] < 1:
        raise ValueError(f"Expected input to have rank >= 1. Received scalar input {b}.")
    if ranks[0] == ranks[1] and a.shape[-2] != b.shape[-2]:
        raise ValueError(
            "Incompatible shapes between `a` and `b`. Expected `a.shape[-2] == b.shape[-2]`. Received: "
            f"a.shape={a.shape}, b.shape={b.shape}"
        )
    if ranks[0] == ranks[1] - 1 and a.shape[-1] != b.shape[-1]:
        raise ValueError(
            "Incompatible shapes between `a` and `b`. Expected `a.shape[-1] == b.shape[-1]`. Received: "
            f"a.shape={a.shape}, b.shape={b.shape}"
        )
    return a, b


def _solved(function: Callable[..., Any], a: EagerTensor, b: EagerTensor) -> EagerTensor:
    if len(b.shape) == len(a.shape) - 1:
        return tf.squeeze(function(a, tf.expand_dims(b, -1)), -1)
    return function(a, b)


def solve(a: Any, b: Any) -> EagerTensor:
    """What a matrix takes to ``b``, which may be a vector.  ValueError for shapes that do not fit."""
    return _solved(tf.linalg.solve, *_system(a, b))


def solve_triangular(a: Any, b: Any, lower: bool = False) -> EagerTensor:
    """What a triangle takes to ``b``, which may be a vector.  ValueError for shapes that do not fit."""
    return _solved(lambda a, b: tf.linalg.triangular_solve(a, b, lower=lower), *_system(a, b))


def qr(x: Any, mode: str = "reduced") -> tuple[EagerTensor, EagerTensor]:
    """An orthogonal matrix and a triangle.  ValueError for modes but "reduced" and "complete"."""
    x = tensor(x)
    if mode not in ("reduced", "complete"):
        raise ValueError(
            f"`mode` argument value not supported. Expected one of {{'reduced', 'complete'}}. Received: mode={mode}"
        )
    return tf.linalg.qr(x, full_matrices=mode == "complete")


def svd(x: Any, full_matrices: bool = True, compute_uv: bool = True) -> Any:
    """Left vectors, singular values, and the adjoint of right vectors; or the values alone."""
    x = _matrix(x, square=False)
    if compute_uv is False:
        return tf.linalg.svd(x, full_matrices=full_matrices, compute_uv=False)
    values, left, right = tf.linalg.svd(x, full_matrices=full_matrices)
    return left, values, tf.linalg.adjoint(right)


def lstsq(a: Any, b: Any, rcond: Any = None) -> EagerTensor:
    """The shortest ``x`` that brings ``a x`` nearest to ``b``; small singular values count as none.

    ValueError and TypeError for shapes that do not fit.
    """
    a, b = tensor(a), tensor(b)
    if a.shape[0] != b.shape[0]:
        raise ValueError("Leading dimensions of input arrays must match")
    flat = len(b.shape) == 1
    b = b[:, None] if flat else b
    if len(a.shape) != 2:
        raise TypeError(f"{len(a.shape)}-dimensional array given. Array must be two-dimensional")
    if len(b.shape) != 2:
        raise TypeError(f"{len(b.shape)}-dimensional array given. Array must be one or two-dimensional")
    least = np.finfo(a.dtype.as_numpy_dtype).eps
    rcond = least * max(tuple(a.shape)) if rcond is None else tf.where(rcond < 0, least, rcond)
    left, values, right = svd(a, full_matrices=False)
    counts = values >= tensor(rcond, values.dtype) * values[0]
    inverse = tf.where(counts, 1 / tf.cast(tf.where(counts, values, 1), a.dtype), 0)[:, None]
    found = tf.matmul(tf.transpose(tf.math.conj(right)), inverse * tf.matmul(tf.transpose(tf.math.conj(left)), b))
    return tf.reshape(found, [-1]) if flat else found


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> EagerTensor:
    """The norm of vectors along an axis, or of matrices along two.  ValueError for orders that are none."""
    x = floating(x)
    rank = len(x.shape)
    axes = tuple(range(rank)) if axis is None else tuple(listed(axis))
    if any(a < -rank or a >= rank for a in axes):
        raise ValueError(
            f"All `axis` values must be in the range [-ndim, ndim). Received inputs with ndim={rank}, while axis={axes}"
        )
    if len(axes) == 1:
        return _of_vectors(x, ord, axes[0], keepdims)
    if len(axes) == 2:
        return _of_matrices(x, ord, axes, keepdims)
    raise ValueError(f"Invalid axis values. Received: axis={axes}")


def _root_of_squares(x: EagerTensor, axis: Any, keepdims: bool) -> EagerTensor:
    return tf.sqrt(tf.reduce_sum(x * tf.math.conj(x), axis, keepdims))


def _of_vectors(x: EagerTensor, ord: Any, axis: int, keepdims: bool) -> EagerTensor:
    if ord is None or ord == 2:
        return _root_of_squares(x, axis, keepdims)
    if ord in (float("inf"), float("-inf")):
        return (tf.reduce_max if ord > 0 else tf.reduce_min)(tf.abs(x), axis, keepdims)
    if ord == 0:
        return tf.reduce_sum(tf.cast(tf.not_equal(x, 0), x.dtype), axis, keepdims)
    if isinstance(ord, str):
        raise ValueError(f"Invalid `ord` argument for vector norm. Received: ord={ord}")
    ord = tensor(ord, x.dtype)
    return tf.pow(tf.reduce_sum(tf.pow(tf.abs(x), ord), axis, keepdims), 1.0 / ord)


def _of_matrices(x: EagerTensor, ord: Any, axes: tuple[int, ...], keepdims: bool) -> EagerTensor:
    rank = len(x.shape)
    if ord is None or ord == "fro":
        return _root_of_squares(x, list(axes), keepdims)
    if ord in (1, -1, float("inf"), float("-inf")):
        summed, compared = (a % rank for a in (axes if ord in (1, -1) else axes[::-1]))
        sums = tf.reduce_sum(tf.abs(x), summed, keepdims)
        compared -= not keepdims and compared > summed
        return (tf.reduce_max if ord > 0 else tf.reduce_min)(sums, compared, keepdims)
    if ord not in ("nuc", 2, -2):
        raise ValueError(f"Invalid `ord` argument for matrix norm. Received: ord={ord}")
    values = tf.linalg.svd(moveaxis(x, axes, (-2, -1)), compute_uv=False)
    found = {2: tf.reduce_max, -2: tf.reduce_min, "nuc": tf.reduce_sum}[ord](values, -1)
    return tf.expand_dims(tf.expand_dims(found, axes[0]), axes[1]) if keepdims else found


def jvp(fun: Callable[..., Any], primals: Any, tangents: Any, has_aux: bool = False) -> tuple:
    """What a function gives, and how that changes along tangents; then what it gives beside, with ``has_aux``."""
    points = nest.flatten(primals)
    along = [tf.cast(t, p.dtype) for t, p in zip(nest.flatten(tangents), points)]
    with tf.autodiff.ForwardAccumulator(points, along) as accumulator:
        found, aux = fun(*primals) if has_aux else (fun(*primals), None)
        changes = nest.pack_sequence_as(found, [accumulator.jvp(y) for y in nest.flatten(found)])
    return (found, changes, aux) if has_aux else (found, changes)


def slogdet(x: Any) -> tuple[EagerTensor, EagerTensor]:
    """The sign of the determinant, and the logarithm of its size."""
    return tuple(tf.linalg.slogdet(tensor(x)))


TABLE: dict[str, Callable[..., Any]] = {
    "cholesky": cholesky, "cholesky_inverse": cholesky_inverse, "det": lambda x: tf.linalg.det(_matrix(x)),
    "eig": lambda x: tf.linalg.eig(_matrix(x)), "eigh": lambda x: tf.linalg.eigh(_matrix(x)),
    "inv": lambda x: tf.linalg.inv(_matrix(x)), "lu_factor": lu_factor, "norm": norm, "qr": qr, "solve": solve,
    "solve_triangular": solve_triangular, "svd": svd, "lstsq": lstsq,
    "matrix_rank": lambda x, tol=None: tf.linalg.matrix_rank(tensor(x), tol=tol),
    "pinv": lambda x, rcond=None: tf.linalg.pinv(tensor(x), rcond=rcond), "jvp": jvp, "slogdet": slogdet,
    "logdet": lambda x: tf.linalg.logdet(tensor(x)),
}  # fmt: skip
