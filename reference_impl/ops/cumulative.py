"""Products over axes, and running sums, products and log-sum-exps along one."""

from __future__ import annotations

import math as _math
from typing import Any

import numpy as np

from ..dtypes import as_dtype
from ..errors import invalid
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .arguments import whole
from .declare import kernel, public
from .kernels import scans
from .reductions import axes_of, kept_shape
from .shaping import ints


def _product_gradient(F: Any, dy: Any, _y: Any, x: Any, axis: tuple[int, ...], keepdims: bool) -> Any:
    """Each element's gradient is the product of all the others: those before it times those after it."""
    shape = F.shape(x)
    dy = F.broadcast_to(dy if keepdims else F.reshape(dy, shape=kept_shape(shape, axis)), shape=shape)
    perm = axis + tuple(k for k in range(len(shape)) if k not in axis)
    moved = F.transpose(x, perm=perm)
    flat = F.reshape(moved, shape=(_math.prod(shape[k] for k in axis), _math.prod(shape[k] for k in perm[len(axis) :])))
    before = F.cumprod(flat, axis=0, exclusive=True, reverse=False)
    after = F.cumprod(flat, axis=0, exclusive=True, reverse=True)
    others = F.reshape(F.conj(before) * F.conj(after), shape=F.shape(moved))
    product = dy * F.transpose(others, perm=tuple(perm.index(k) for k in range(len(perm))))
    return F.reshape(product, shape=shape)


prod_ = kernel(
    "prod", "Prod", gradient=_product_gradient,
    forward=lambda x, axis, keepdims: np.multiply.reduce(x, axis=axis, keepdims=keepdims, dtype=x.dtype),
)  # fmt: skip
cumsum_ = kernel(
    "cumsum", "Cumsum", forward=scans.cumsum, inputs="x",
    gradient=lambda F, dy, _y, _x, axis, exclusive, reverse: F.cumsum(
        dy, axis=axis, exclusive=exclusive, reverse=not reverse
    ),
)  # fmt: skip


def _cumprod_gradient(F: Any, dy: Any, _y: Any, x: Any, axis: int, exclusive: bool, reverse: bool) -> Any:
    running = F.cumprod(x, axis=axis, exclusive=exclusive, reverse=reverse)
    return F.div_no_nan(F.cumsum(running * dy, axis=axis, exclusive=exclusive, reverse=not reverse), x)


cumprod_ = kernel("cumprod", "Cumprod", forward=scans.cumprod, gradient=_cumprod_gradient)


def _lowest(F: Any, x: Any) -> Any:
    """What stands for the logarithm of nothing.  TensorFlow takes the lowest number: half of it is as good, and what is
    subtracted from it does not overflow."""
    return F.ones_like(x) * (float(as_dtype(F.dtype(x)).min) / 2)


def _cumulative_logsumexp_gradient(F: Any, dy: Any, y: Any, x: Any, axis: int, exclusive: bool, reverse: bool) -> Any:
    """The positive and the negative part of the upstream are carried as logarithms."""
    zero, lowest = F.zeros_like(dy), _lowest(F, dy)
    parts = []
    for keep, size in ((F.greater(dy, zero), dy), (F.less(dy, zero), -dy)):
        log = F.where(keep, F.log(size), lowest)
        spread = F.cumulative_logsumexp(log - y, axis=axis, exclusive=exclusive, reverse=not reverse)
        parts.append(F.exp(spread + x))
    return parts[0] - parts[1]


cumulative_logsumexp_ = kernel(
    "cumulative_logsumexp", "CumulativeLogsumexp", forward=scans.cumulative_logsumexp,
    gradient=_cumulative_logsumexp_gradient,
)  # fmt: skip


@public("reduce_prod math.reduce_prod")
def reduce_prod(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> EagerTensor:
    """The product over ``axis`` (``tf.reduce_prod``); its gradient is exact also at zeros."""
    x = convert_to_tensor(input_tensor)
    prod_.op.check(x._a.dtype, name)
    return prod_(x, axis=axes_of("Prod", axis, x._a.ndim), keepdims=bool(keepdims))


def _scan(op: Any, x: Any, axis: Any, exclusive: bool, reverse: bool, name: str | None) -> EagerTensor:
    x = convert_to_tensor(x)
    op.op.check(x._a.dtype, name)
    axis, rank = ints(whole(op.op.kernel, "axis", axis, name))[0], x._a.ndim
    if not -rank <= axis < rank:
        raise invalid(op.op.kernel, f"ScanOp: Expected scan axis in the range [{-rank}, {rank}), but got {axis}", name)
    return op(x, axis=axis, exclusive=bool(exclusive), reverse=bool(reverse))


@public("cumsum math.cumsum")
def cumsum(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> EagerTensor:
    """The running sum along ``axis`` (``tf.cumsum``)."""
    return _scan(cumsum_, x, axis, exclusive, reverse, name)


@public("math.cumprod")
def cumprod(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> EagerTensor:
    """The running product along ``axis`` (``tf.math.cumprod``); its gradient is 0 where x is 0, as TensorFlow's is."""
    return _scan(cumprod_, x, axis, exclusive, reverse, name)


@public("math.cumulative_logsumexp")
def cumulative_logsumexp(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> EagerTensor:
    """log of the running sum of exponentials along ``axis`` (``tf.math.cumulative_logsumexp``)."""
    return _scan(cumulative_logsumexp_, x, axis, exclusive, reverse, name)
