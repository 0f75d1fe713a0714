"""Reductions over axes: reduce_sum."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import F32
from ..errors import invalid, unnamed
from ..foundation.building import Building
from ..tapes.recording import active
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, wrap
from .arguments import whole
from .declare import kernel, public
from .shaping import ints, repeated, reshaped


def axes_of(kernel_name: str, axis: Any, rank: int) -> tuple[int, ...]:
    """``axis`` (None, an int, or a sequence) as distinct non-negative ints.  TensorFlow's errors for bad ones."""
    if axis is None:
        return tuple(range(rank))
    axes = []
    for a in ints(axis if type(axis) is int else whole(kernel_name, "reduction_indices", axis)):
        if not -rank <= a < rank:
            raise invalid(kernel_name, f"Invalid reduction dimension ({a} for input with {rank} dimension(s)")
        axes.append(a % rank)
        if axes.count(a % rank) > 1:
            raise unnamed(kernel_name, f"Invalid reduction arguments: Axes contains duplicate dimension: {a % rank}")
    return tuple(axes)


def kept_shape(shape: tuple[int, ...], axes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape after a reduction that keeps its axes with size 1."""
    if len(axes) == len(shape):
        return (1,) * len(shape)
    return tuple([1 if k in axes else d for k, d in enumerate(shape)])


def kept(axis: Any, axes: tuple[int, ...], rank: int, keepdims: Any) -> dict[str, bool]:
    """The attributes of a sum or mean about its axes.

    TensorFlow recognizes a reduction of all axes by the numbers given, in order: not by a lone or a negative one.
    """
    if not keepdims or axis is None or len(axes) < rank or not rank:
        return {"keepdims": bool(keepdims)}
    given = convert_to_tensor(axis)._a
    if given.ndim and given.tolist() == list(range(rank)):
        return {"keepdims": True}
    return {"keepdims": True, "fits": True}


def spread(
    F: Any, dy: Any, shape: tuple[int, ...], axes: tuple[int, ...], keepdims: bool = False, fits: bool = False,
    unlike: bool = False,
) -> Any:  # fmt: skip
    """The upstream of a reduction, repeated over the axes that were reduced.

    Kept ones fit as they are; all are reshaped, unless it is said that they ``fits``.  ``unlike``: see ``tiled``.
    """
    if unlike and (keepdims or not axes):
        return tiled(F, dy, shape, axes)
    fits = fits or (keepdims and len(axes) < len(shape))
    if F.recording and type(dy) is EagerTensor and dy._n is None and type(active.cur) is not Building:
        # No tape knows it, such as the ones that a walk starts with: there is nothing to record.
        return wrap(repeated(dy._a if fits else reshaped(dy._a, kept_shape(shape, axes)), shape))
    return F.broadcast_to(dy if fits else F.reshape(dy, shape=kept_shape(shape, axes)), shape=shape)


def tiled(F: Any, dy: Any, shape: tuple[int, ...], axes: tuple[int, ...]) -> Any:
    """An upstream of another shape than a traced function's graph takes for granted.

    There what keeps a shape is left out: the reshaping of kept axes, and the tiling where all of them have size 1.
    """
    times = tuple(d // max(e, 1) for d, e in zip(shape, kept_shape(shape, axes)))
    if all(count == 1 for count in times):
        return dy
    rank = len(F.shape(dy))
    if rank != len(times):
        raise unnamed(
            "Tile", f"Expected multiples argument to be a vector of length {rank} but got length {len(times)}"
        )
    return F.tile(dy, multiples=times)


def _sum(x: Any, axis: tuple[int, ...], keepdims: bool, fits: bool = False) -> Any:
    if x.dtype.kind in "bO":
        sum_.op.check(x.dtype)
    if axis and not -x.ndim <= axis[-1] < x.ndim:
        bad = next(a for a in axis if not -x.ndim <= a < x.ndim)
        raise invalid("Sum", f"Invalid reduction dimension ({bad} for input with {x.ndim} dimension(s)")
    return summed(x, axis, keepdims)


def summed(x: Any, axis: tuple[int, ...], keepdims: bool = False) -> Any:
    """The sum over some axes.  Where each holds one number there is nothing to add it to, and -0.0 stays as it is."""
    y = np.add.reduce(x, axis=axis, keepdims=keepdims, dtype=x.dtype)
    if y.size != x.size:
        return y
    return reshaped(x, y.shape) if x.ndim else x


sum_ = kernel(
    "sum", "Sum", forward=_sum,
    gradient=lambda F, dy, _y, x, axis, keepdims, fits=False, unlike=False: spread(
        F, dy, F.shape(x), axis, keepdims, fits, unlike
    ),
)  # fmt: skip


@public("reduce_sum math.reduce_sum")
def reduce_sum(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> EagerTensor:
    """Sum over ``axis`` (all axes by default) (``tf.reduce_sum``)."""
    x = input_tensor if type(input_tensor) is EagerTensor else convert_to_tensor(input_tensor)
    if x._a.dtype is not F32:
        sum_.op.check(x._a.dtype, name)
    axes = axes_of("Sum", axis, x._a.ndim)
    return sum_(x, axis=axes, **kept(axis, axes, x._a.ndim, keepdims))
