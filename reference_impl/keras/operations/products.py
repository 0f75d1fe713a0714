"""Functions of ``keras.ops`` that multiply vectors and matrices, and those about diagonals and differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import reference_impl as tf

from ...tensors.tensor import EagerTensor
from ..policy import floatx
from .making import eye
from .promotion import both, canonical_axis, is_whole, result_type, shape_of, summable, tensor
from .shaping import moveaxis


def matmul(x1: Any, x2: Any) -> EagerTensor:
    """The product of matrices, and of vectors; whole numbers are multiplied as floats and cast back."""
    a, b = tensor(x1), tensor(x2)
    ranks = len(a.shape), len(b.shape)
    if a.dtype.name == b.dtype.name == "int8" and 1 not in ranks:
        return tf.matmul(tf.cast(a, "int32"), tf.cast(b, "int32"))
    found, wide = result_type(a.dtype, b.dtype), result_type(a.dtype, b.dtype, float)
    a, b = tf.cast(a, wide), tf.cast(b, wide)
    if ranks[1] == 1:
        product = tf.tensordot(a, b, 1)
    elif ranks[0] == 1:
        product = tf.tensordot(a, b, [[0], [-2]])
    elif ranks[1] == 2 and ranks[0] > 2:
        product = tf.tensordot(a, b, [[-1], [0]])
    else:
        product = tf.matmul(a, b)
    return tf.cast(product, found)


def _in_floats(x1: Any, x2: Any) -> tuple[EagerTensor, EagerTensor, str]:
    a, b = tensor(x1), tensor(x2)
    found = result_type(a.dtype, b.dtype)
    wide = result_type(found, float)
    return tf.cast(a, wide), tf.cast(b, wide), found


def dot(x1: Any, x2: Any) -> EagerTensor:
    """NumPy's dot: over the last axis and the one before the last; times a number for numbers."""
    a, b, found = _in_floats(x1, x2)
    if not len(a.shape) or not len(b.shape):
        return tf.cast(a * b, found)
    return tf.cast(tf.tensordot(a, b, [[-1], [-1 if len(b.shape) == 1 else -2]]), found)


def inner(x1: Any, x2: Any) -> EagerTensor:
    """Over the last axes; times a number for numbers."""
    a, b, found = _in_floats(x1, x2)
    if not len(a.shape) or not len(b.shape):
        return tf.cast(a * b, found)
    return tf.cast(tf.tensordot(a, b, [[-1], [-1]]), found)


def vdot(x1: Any, x2: Any) -> EagerTensor:
    """Of all elements, in the order of reading."""
    a, b, found = _in_floats(x1, x2)
    return tf.cast(dot(tf.reshape(a, [-1]), tf.reshape(b, [-1])), found)


_PRODUCTS = ("int32", "int64", "float16", "float32", "float64", "bfloat16", "complex64", "complex128")


def tensordot(x1: Any, x2: Any, axes: Any = 2) -> EagerTensor:
    """Over axes of both, so many last and first ones or two lists."""
    a, b = tensor(x1), tensor(x2)
    found = result_type(a.dtype, b.dtype)
    wide = found if found in _PRODUCTS else result_type(found, float)
    return tf.cast(tf.tensordot(tf.cast(a, wide), tf.cast(b, wide), axes), found)


# Equations that Keras carries out as products of matrices, letters in the order in which they appear.
_AS_MATRICES = (
    "a,b->ab", "ab,b->a", "ab,bc->ac", "ab,cb->ac", "abc,cd->abd", "abc,dc->abd", "abcd,abde->abce", "abcd,abed->abce",
    "abcd,acbe->adbe", "abcd,adbe->acbe", "abcd,aecd->acbe", "abcd,aecd->aceb", "abc,cde->abde", "abc,dce->abde",
    "abc,dec->abde", "abcd,cde->abe", "abcd,ced->abe", "abcd,ecd->abe", "abcde,aebf->adbcf", "abcde,afce->acdbf",
)  # fmt: skip


def _in_order(subscripts: str) -> str:
    letters: dict[str, str] = {}
    return "".join(letters.setdefault(c, chr(97 + len(letters))) if c.isalpha() else c for c in subscripts)


def einsum(subscripts: str, *operands: Any, **kwargs: Any) -> EagerTensor:
    """Sums of products as an equation says; whole numbers are multiplied as floats and cast back.

    Two tensors of int8 give int32.
    """
    tensors = [tensor(x) for x in operands]
    names = {x.dtype.name for x in tensors}
    found = result_type(*names)
    wide = floatx() if is_whole(found) else found
    if names == {"int8"}:
        found = "int32"
        if _in_order(subscripts) in _AS_MATRICES and not kwargs:
            wide = "int32"
    return tf.cast(tf.einsum(subscripts, *[tf.cast(x, wide) for x in tensors], **kwargs), found)


def outer(x1: Any, x2: Any) -> EagerTensor:
    """Each element of one times each of the other."""
    a, b = both(x1, x2)
    return tf.reshape(a, [-1, 1]) * tf.reshape(b, [-1])


def kron(x1: Any, x2: Any) -> EagerTensor:
    """Each element of the first times the whole second, in its place."""
    a, b = both(x1, x2)
    rank = max(len(a.shape), len(b.shape))
    sizes = [tf.concat([[1] * (rank - len(x.shape)), tf.shape(x)], 0) for x in (a, b)]
    ones = tf.ones([rank], tf.int32)
    spread = [
        tf.reshape(x, tf.reshape(tf.stack(pair, 1), [-1])) for x, pair in ((a, (sizes[0], ones)), (b, (ones, sizes[1])))
    ]
    return tf.reshape(tf.multiply(*spread), sizes[0] * sizes[1])


def cross(x1: Any, x2: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None) -> EagerTensor:
    """The cross product of vectors of 3 (or 2) elements along an axis; of two with 2 its third element alone."""
    a, b = both(x1, x2)
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = moveaxis(a, axisa, -1), moveaxis(b, axisb, -1)
    flat = a.shape[-1] == 2 and b.shape[-1] == 2
    a, b = (tf.pad(x, [[0, 0]] * (len(x.shape) - 1) + [[0, 1]]) if x.shape[-1] == 2 else x for x in (a, b))
    shape = tf.broadcast_dynamic_shape(tf.shape(a), tf.shape(b))
    found = tf.linalg.cross(tf.broadcast_to(a, shape), tf.broadcast_to(b, shape))
    return found[..., 2] if flat else moveaxis(found, -1, axisc)


def correlate(x1: Any, x2: Any, mode: str = "valid") -> EagerTensor:
    """A vector's products with another moved along it.  ValueError for modes but "full", "same", "valid"."""
    x1, x2 = tensor(x1), tensor(x2)
    dtype = result_type(x1.dtype, x2.dtype)
    if dtype == "int64":
        dtype = "float64"
    elif dtype not in ("bfloat16", "float16", "float64"):
        dtype = "float32"
    a, b = tf.cast(x1, dtype), tf.cast(x2, dtype)
    n, m = shape_of(a)[0], shape_of(b)[0]
    if mode not in ("full", "same", "valid"):
        raise ValueError(f"Invalid mode: '{mode}'. Mode must be one of: 'full', 'same', 'valid'.")
    if mode != "valid":
        a = tf.pad(a, [[tf.maximum(m - 1, 0)] * 2])
    products = tf.nn.conv1d(tf.reshape(a, [1, -1, 1]), tf.reshape(b, [-1, 1, 1]), stride=1, padding="VALID")
    found = tf.squeeze(products, [0, 2])
    if mode != "same":
        return found
    size = tf.maximum(n, m)
    return tf.slice(found, [(n + m - 1 - size) // 2], [size])


def corrcoef(x: Any) -> EagerTensor:
    """The correlation of each row of [variables, samples] with each other, [variables, variables]."""
    x = tensor(x)
    name = x.dtype.name
    if x.dtype.is_bool or (is_whole(name) and name not in ("int64", "uint64")):
        x = tf.cast(x, floatx())
    if not len(x.shape):
        return tf.constant(float("nan"), floatx())
    apart = x - tf.reduce_mean(x, -1, keepdims=True)
    covariance = tf.matmul(apart, apart, adjoint_b=True) / (tf.cast(tf.shape(x)[-1], x.dtype) - 1)
    deviations = tf.sqrt(tf.math.real(tf.linalg.diag_part(covariance)))
    found = covariance / tf.cast(tf.tensordot(deviations, deviations, 0), covariance.dtype)
    real = tf.clip_by_value(tf.math.real(found), -1.0, 1.0)
    return tf.complex(real, tf.clip_by_value(tf.math.imag(found), -1.0, 1.0)) if found.dtype.is_complex else real


def diag(x: Any, k: int = 0) -> EagerTensor:
    """A matrix with a vector on its ``k``-th diagonal, or the diagonal of a matrix.  ValueError for other ranks."""
    x = tensor(x)
    if len(x.shape) not in (1, 2):
        raise ValueError(f"`x` must be 1d or 2d. Received: x.shape={x.shape}")
    return tf.linalg.diag(x, k=k) if len(x.shape) == 1 else _diagonal(x, k, 0, 1)


def diagonal(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> EagerTensor:
    """The diagonal of two axes, as the last axis.  ValueError for one axis twice."""
    x = tensor(x)
    if canonical_axis(axis1, len(x.shape)) == canonical_axis(axis2, len(x.shape)):
        raise ValueError(f"`axis1` and `axis2` cannot be the same. Received: axis1={axis1}, axis2={axis2}")
    return _diagonal(x, offset, axis1, axis2)


def _diagonal(x: EagerTensor, offset: int, axis1: int, axis2: int) -> EagerTensor:
    x = moveaxis(x, (axis1, axis2), (-2, -1))
    rows, columns = x.shape[-2], x.shape[-1]
    if offset == 0:
        return tf.linalg.diag_part(x)
    if rows is not None and columns is not None and (offset <= -rows or offset >= columns):
        x = tf.zeros([*shape_of(x)[:-1], 0], x.dtype)
    return tf.linalg.diag_part(x, k=offset)


def trace(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> EagerTensor:
    """The sum of a diagonal of two axes."""
    x = summable(x)
    sizes = tf.shape(x)
    on = eye(sizes[axis1], sizes[axis2], k=offset, dtype="bool")
    x = moveaxis(x, (axis1, axis2), (-2, -1))
    return tf.reduce_sum(tf.where(on, x, tf.zeros_like(x)), [-2, -1])


def tril(x: Any, k: int = 0) -> EagerTensor:
    """Zeros above the ``k``-th diagonal."""
    return _triangle(tensor(x), k, k >= 0, lambda x: tf.linalg.band_part(x, -1, k), lambda i, j: i >= j - k)


def triu(x: Any, k: int = 0) -> EagerTensor:
    """Zeros below the ``k``-th diagonal."""
    return _triangle(tensor(x), k, k <= 0, lambda x: tf.linalg.band_part(x, -k, -1), lambda i, j: i <= j - k)


def _triangle(x: EagerTensor, k: Any, as_band: Any, band: Callable[..., Any], kept: Callable[..., Any]) -> EagerTensor:
    def by_places() -> EagerTensor:
        sizes = tf.shape(x)
        rows, columns = tf.meshgrid(tf.range(sizes[-2]), tf.range(sizes[-1]), indexing="ij")
        return tf.where(tf.broadcast_to(kept(rows, columns), sizes), x, tf.zeros_like(x))

    if isinstance(k, int):
        return band(x) if as_band else by_places()
    return tf.cond(as_band, lambda: band(x), by_places)


def vander(x: Any, N: int | None = None, increasing: bool = False) -> EagerTensor:
    """The powers of a vector's elements, a row for each.  ValueError and TypeError for what is no vector, or count."""
    x = tensor(x)
    if len(x.shape) != 1:
        raise ValueError(f"Input tensor must be 1-dimensional. Received: input.shape={x.shape}")
    if N is not None and not isinstance(N, int):
        raise TypeError(f"Argument `N` must be of type `int`. Received: N={N} of type {type(N)}")
    if N is not None and N < 0:
        raise ValueError(f"Argument 'N' must be nonnegative. Received: N={N}")
    if not isinstance(increasing, bool):
        raise TypeError(
            f"Argument `increasing` must be of type `bool`. Received: increasing={increasing} of type "
            f"{type(increasing)}"
        )
    count = shape_of(x)[0] if N is None else N
    powers = tf.range(count) if increasing else tf.range(count - 1, -1, -1)
    wide = result_type(x.dtype, "float32")
    return tf.cast(tf.pow(tf.cast(tf.expand_dims(x, -1), wide), tf.cast(powers, wide)), x.dtype)


def diff(a: Any, n: int = 1, axis: int = -1) -> EagerTensor:
    """Each element less the one before, ``n`` times.  ValueError for a negative order, and for numbers."""
    x = tensor(a)
    if n == 0:
        return x
    if n < 0:
        raise ValueError(f"Order `n` must be non-negative. Received n={n}")
    rank = len(x.shape)
    if rank == 0:
        raise ValueError(f"`diff` requires input that is at least one dimensional. Received: a={a}")
    axis = canonical_axis(axis, rank)
    behind = tuple(slice(1, None) if k == axis else slice(None) for k in range(rank))
    before = tuple(slice(None, -1) if k == axis else slice(None) for k in range(rank))
    for _ in range(n):
        x = (tf.not_equal if x.dtype.is_bool else tf.subtract)(x[behind], x[before])
    return x


def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> EagerTensor:
    """The area below lines between points, ``dx`` or the steps of ``x`` apart."""
    y = tensor(y)
    y = tf.cast(y, result_type(y.dtype, float))
    if x is None:
        steps = tf.cast(dx, y.dtype)
    else:
        x = tensor(x, y.dtype)
        steps = moveaxis(diff(x, axis=axis), axis, -1)
    y = moveaxis(y, axis, -1)
    return tf.reduce_sum(0.5 * (y[..., 1:] + y[..., :-1]) * steps, -1)


def cdist(x: Any, y: Any) -> EagerTensor:
    """The distances between rows of [..., n, d] and [..., m, d].  ValueError for fewer axes, or other sizes."""
    x, y = tensor(x), tensor(y)
    if len(x.shape) < 2 or len(y.shape) < 2:
        raise ValueError("`cdist` inputs must have rank >= 2")
    if x.shape[-1] != y.shape[-1]:
        raise ValueError("Last dimension of inputs to `cdist` must match")
    apart = tf.expand_dims(x, -2) - tf.expand_dims(y, -3)
    return tf.sqrt(tf.reduce_sum(tf.square(apart), -1))


TABLE: dict[str, Callable[..., Any]] = {
    "matmul": matmul, "dot": dot, "inner": inner, "vdot": vdot, "tensordot": tensordot, "einsum": einsum,
    "outer": outer, "kron": kron, "cross": cross, "correlate": correlate, "corrcoef": corrcoef, "diag": diag,
    "diagflat": lambda x, k=0: diag(tf.reshape(tensor(x), [-1]), k), "diagonal": diagonal, "trace": trace,
    "tril": tril, "triu": triu, "vander": vander, "diff": diff, "trapezoid": trapezoid, "cdist": cdist,
}  # fmt: skip
