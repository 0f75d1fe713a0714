"""Norms and what is scaled by them: norm, euclidean norm, l2_loss, l2_normalize, global_norm, and clipping."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..tensors.conversion import convert_to_tensor
from ..tensors.slices import IndexedSlices
from ..tensors.tensor import EagerTensor
from .arithmetic import conj, maximum, minimum, multiply, pow, rsqrt, sqrt, square
from .casting import cast, identity
from .comparison import greater
from .declare import kernel, public
from .elementwise import abs
from .extremes import reduce_max
from .reductions import axes_of, kept_shape, reduce_sum
from .selection import where
from .shaping import stack
from .squeezing import squeeze


def _euclidean(x: Any, axis: tuple[int, ...], keepdims: bool) -> Any:
    squares = x * (np.conjugate(x) if x.dtype.kind == "c" else x)
    return np.sqrt(np.add.reduce(squares, axis=axis, keepdims=keepdims, dtype=x.dtype)).astype(x.dtype)


def _euclidean_gradient(F: Any, dy: Any, y: Any, x: Any, axis: tuple[int, ...], keepdims: bool) -> Any:
    if keepdims:
        return x / (y / dy)
    kept = kept_shape(F.shape(x), axis)
    return x / (F.reshape(y, shape=kept) / F.reshape(dy, shape=kept))


euclidean = kernel("euclidean_norm", "EuclideanNorm", forward=_euclidean, gradient=_euclidean_gradient)
l2_loss_ = kernel(
    "l2_loss", "L2Loss", gradient=lambda F, dy, _y, x: x * dy,
    forward=lambda x: np.add.reduce(x * x, axis=None, dtype=x.dtype) / x.dtype.type(2),
)  # fmt: skip


@public("math.reduce_euclidean_norm")
def reduce_euclidean_norm(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> EagerTensor:
    """The root of the sum of squares over ``axis`` (``tf.math.reduce_euclidean_norm``)."""
    x = convert_to_tensor(input_tensor)
    euclidean.op.check(x._a.dtype, name)
    return euclidean(x, axis=axes_of("EuclideanNorm", axis, x._a.ndim), keepdims=bool(keepdims))


@public("nn.l2_loss")
def l2_loss(t: Any, name: str | None = None) -> EagerTensor:
    """Half the sum of squares (``tf.nn.l2_loss``)."""
    x = convert_to_tensor(t)
    l2_loss_.op.check(x._a.dtype, name)
    return l2_loss_(x)


def _checked(ord: Any, axis: Any) -> tuple[bool, Any]:
    """Whether a matrix norm is asked for, and its axes; TensorFlow's errors for orders and axes it lacks."""
    if isinstance(axis, (list, tuple)) and len(axis) == 2:
        axis = tuple(axis)
        if not all(isinstance(a, int) for a in axis) or axis[0] == axis[1]:
            raise ValueError(f"'axis' must be None, an integer, or a tuple of 2 unique integers, got {axis}")
        matrix: list[Any] = ["euclidean", "fro", 1, 2, np.inf]
        if ord not in matrix:
            raise ValueError(f"'ord' must be a supported matrix norm in {matrix}, got {ord}")
        return True, axis
    if not (isinstance(axis, int) or axis is None):
        raise ValueError(f"'axis' must be None, an integer, or a tuple of 2 unique integers, got {axis}")
    if (not np.isreal(ord) or isinstance(ord, str) or ord <= 0) and ord not in ("euclidean", 1, 2, np.inf):
        raise ValueError(f"'ord' must be a supported vector norm, got {ord}")
    return False, None if axis is None else (axis,)


@public("norm linalg.norm")
def norm(
    tensor: Any, ord: Any = "euclidean", axis: Any = None, keepdims: bool | None = None, name: str | None = None
) -> EagerTensor:
    """The norm of vectors or matrices along ``axis`` (``tf.norm``).  ValueError for orders TensorFlow lacks."""
    of_matrices, axis = _checked(ord, axis)
    x = convert_to_tensor(tensor)
    if ord in ("fro", "euclidean", 2):
        result = _spectral(x, axis) if of_matrices and ord == 2 else _root_of_squares(x, axis)
    else:
        result = _by_order(abs(x), ord, axis, of_matrices)
    return result if keepdims else squeeze(result, axis)


def _root_of_squares(x: EagerTensor, axis: Any) -> EagerTensor:
    return sqrt(reduce_sum(x * conj(x), axis, keepdims=True))


def _by_order(size: EagerTensor, ord: Any, axis: Any, of_matrices: bool) -> EagerTensor:
    first = None if axis is None else axis[0]
    if ord == 1:
        result = reduce_sum(size, first, keepdims=True)
        return reduce_max(result, axis[-1], keepdims=True) if of_matrices else result
    if ord == np.inf:
        if of_matrices:
            size = reduce_sum(size, axis[1], keepdims=True)
        return reduce_max(size, first, keepdims=True)
    return pow(reduce_sum(pow(size, ord), axis, keepdims=True), 1.0 / ord)


def _spectral(x: EagerTensor, axis: tuple[int, int]) -> EagerTensor:
    """The largest singular value."""
    from .decompositions import svd
    from .shaping import transpose
    from .squeezing import expand_dims

    rank = x._a.ndim
    last = [a % rank for a in axis]
    order = [k for k in range(rank) if k not in last] + last
    largest = reduce_max(abs(svd(transpose(x, order), compute_uv=False)), -1, keepdims=True)
    return transpose(expand_dims(largest, -1), [order.index(k) for k in range(rank)])


@public("nn.l2_normalize math.l2_normalize linalg.l2_normalize")
def l2_normalize(
    x: Any, axis: Any = None, epsilon: float = 1e-12, name: str | None = None, dim: Any = None
) -> EagerTensor:
    """x divided by its euclidean norm along ``axis``, at least the root of epsilon (``tf.math.l2_normalize``)."""
    from .complex_numbers import complex as join
    from .complex_numbers import imag, real

    x, axis = convert_to_tensor(x), dim if axis is None else axis
    if x.dtype.is_complex:
        square_sum = reduce_sum(square(real(x)) + square(imag(x)), axis, keepdims=True)
        scale = rsqrt(maximum(square_sum, epsilon))
        return join(multiply(real(x), scale), multiply(imag(x), scale))
    return multiply(x, rsqrt(maximum(reduce_sum(square(x), axis, keepdims=True), epsilon)))


# ----------------------------------------------------------------------------------------------------- clipping


def _values(t: Any) -> EagerTensor:
    return convert_to_tensor(t.values if type(t) is IndexedSlices else t)


def _as(t: Any, values: EagerTensor) -> Any:
    """``values`` in the form of ``t``: slices for slices."""
    return IndexedSlices(values, t.indices, t.dense_shape) if type(t) is IndexedSlices else values


def _same_shape(x: EagerTensor, y: EagerTensor) -> None:
    if x._a.shape != y._a.shape:
        raise ValueError(f"Shapes {x.shape} and {y.shape} are incompatible")


@public("clip_by_value")
def clip_by_value(t: Any, clip_value_min: Any, clip_value_max: Any, name: str | None = None) -> Any:
    """``t`` kept between two bounds (``tf.clip_by_value``): minimum with the upper, then maximum with the lower one.

    Slices stay slices.  ValueError when the bounds would broadcast ``t`` to a larger shape.
    """
    values = _values(t)
    low = minimum(values, clip_value_max)
    _same_shape(values, low)
    clipped = maximum(low, clip_value_min)
    _same_shape(values, clipped)
    return _as(t, clipped)


@public("clip_by_norm")
def clip_by_norm(t: Any, clip_norm: Any, axes: Any = None, name: str | None = None) -> Any:
    """``t`` scaled down to an euclidean norm of at most ``clip_norm`` along ``axes`` (``tf.clip_by_norm``)."""
    values = _values(t)
    if np.isscalar(clip_norm):
        clip_norm = max(clip_norm, 0)
    else:
        clip_norm = cast(maximum(clip_norm, 0), values.dtype)
    squares = reduce_sum(values * values, axes, keepdims=True)
    positive = greater(squares, 0)
    safe = where(positive, squares, _ones(squares))
    length = where(positive, sqrt(safe), squares)
    scaled = values * clip_norm
    _same_shape(values, scaled)
    return _as(t, identity(scaled / maximum(length, clip_norm)))


def _ones(x: EagerTensor) -> EagerTensor:
    return convert_to_tensor(np.ones(x._a.shape, x._a.dtype)[()])


def _listed(t_list: Any) -> list:
    if not isinstance(t_list, Sequence) or isinstance(t_list, str):
        kind = "<class 'tensorflow.python.framework.ops.EagerTensor'>" if type(t_list) is EagerTensor else type(t_list)
        raise TypeError(f"`t_list` should be a sequence of tensors. Received {kind}.")
    return list(t_list)


@public("linalg.global_norm")
def global_norm(t_list: Any, name: str | None = None) -> EagerTensor:
    """The euclidean norm of all elements of a list of tensors, without its None entries (``tf.linalg.global_norm``)."""
    halves = [l2_loss(_values(t)) for t in _listed(t_list) if t is not None]
    return sqrt(reduce_sum(stack(halves)) * 2.0)


@public("clip_by_global_norm")
def clip_by_global_norm(
    t_list: Any, clip_norm: Any, use_norm: Any = None, name: str | None = None
) -> tuple[list, EagerTensor]:
    """Tensors scaled down together to a global norm of at most ``clip_norm``, and that norm.

    Where the norm is not finite, all results are nan.
    """
    t_list = _listed(t_list)
    use_norm = global_norm(t_list) if use_norm is None else convert_to_tensor(use_norm)
    one = convert_to_tensor(1.0, use_norm.dtype)
    scale = clip_norm * minimum(1.0 / use_norm, one / clip_norm) + (use_norm - use_norm)
    return [None if t is None else _as(t, _scaled(_values(t), scale)) for t in t_list], use_norm


def _scaled(values: EagerTensor, scale: EagerTensor) -> EagerTensor:
    return identity(values * cast(scale, values.dtype))
