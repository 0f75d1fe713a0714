"""The exponential of matrices: Pade approximants with scaling and squaring, made of differentiable ops.

The approximant depends on the 1-norm of each matrix, as in TensorFlow: all are computed, and one is chosen.
"""

from __future__ import annotations

import math as _math
from typing import Any

import numpy as np

from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, wrap
from .arguments import refusal
from .arithmetic import log, maximum
from .arithmetic import pow as power
from .casting import cast
from .comparison import less
from .declare import public
from .decompositions import solve
from .elementwise import abs as absolute
from .extremes import reduce_max
from .matrix import matmul
from .reductions import reduce_sum
from .rounding import floor
from .selection import where
from .shaping import reshape

_COEFFICIENTS: dict[int, tuple[float, ...]] = {
    3: (120.0, 60.0, 12.0),
    5: (30240.0, 15120.0, 3360.0, 420.0, 30.0),
    7: (17297280.0, 8648640.0, 1995840.0, 277200.0, 25200.0, 1512.0, 56.0),
    9: (17643225600.0, 8821612800.0, 2075673600.0, 302702400.0, 30270240.0, 2162160.0, 110880.0, 3960.0, 90.0),
    13: (
        64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0, 129060195264000.0,
        10559470521600.0, 670442572800.0, 33522128640.0, 1323241920.0, 40840800.0, 960960.0, 16380.0, 182.0,
    ),
}  # fmt: skip
_NARROW = (3.925724783138660, (4.258730016922831e-001, 1.880152677804762e000), (3, 5, 7))
_WIDE = (
    5.371920351148152,
    (1.495585217958292e-002, 2.539398330063230e-001, 9.504178996162932e-001, 2.097847961257068e000),
    (3, 5, 7, 9, 13),
)


def _pade(x: EagerTensor, order: int) -> tuple[EagerTensor, EagerTensor]:
    """The odd and the even part of the approximant of an order."""
    b = [convert_to_tensor(c, x.dtype) for c in _COEFFICIENTS[order]]
    one = wrap(np.array(np.broadcast_to(np.eye(x._a.shape[-1], dtype=x._a.dtype), x._a.shape)))
    if order == 13:
        return _pade13(x, b, one)
    powers = [one, matmul(x, x)]
    while len(powers) <= order // 2:
        powers.append(matmul(powers[-1], powers[1]))
    odd = powers[-1]
    for k in range(len(powers) - 2, -1, -1):
        odd = odd + b[2 * k + 1] * powers[k]
    even = b[order - 1] * powers[-1]
    for k in range(len(powers) - 2, -1, -1):
        even = even + b[2 * k] * powers[k]
    return matmul(x, odd), even


def _pade13(x: EagerTensor, b: list, one: EagerTensor) -> tuple[EagerTensor, EagerTensor]:
    x2 = matmul(x, x)
    x4 = matmul(x2, x2)
    x6 = matmul(x4, x2)
    odd = matmul(x6, x6 + b[11] * x4 + b[9] * x2) + b[7] * x6 + b[5] * x4 + b[3] * x2 + b[1] * one
    even = b[12] * x6 + b[10] * x4 + b[8] * x2
    return matmul(x, odd), matmul(x6, even) + b[6] * x6 + b[4] * x4 + b[2] * x2 + b[0] * one


def _chosen(norm: EagerTensor, limits: tuple[float, ...], cases: list[EagerTensor]) -> EagerTensor:
    result = cases[-1]
    for limit, case in zip(reversed(limits), reversed(cases[:-1])):
        result = where(less(norm, convert_to_tensor(limit, norm.dtype)), case, result)
    return result


@public("linalg.expm")
def expm(input: Any, name: str | None = None) -> EagerTensor:
    """exp of square matrices (``tf.linalg.expm``).  ValueError for integers."""
    whole = convert_to_tensor(input)
    if whole.dtype.name == "string":
        raise refusal("Abs", "string", name)
    if not (whole.dtype.is_floating or whole.dtype.is_complex):
        raise ValueError(f"tf.linalg.expm does not support matrices of type {whole.dtype}")
    shape = whole._a.shape
    if shape[-2:] == (0, 0):
        return whole
    x = reshape(whole, [-1, *shape[-2:]])
    if len(shape) > 1 and shape[-1] != shape[-2]:
        matmul(x, x)  # fails, as TensorFlow's first product does
    norm = reduce_max(reduce_sum(absolute(x), 1), -1)[..., None, None]
    most, limits, orders = _WIDE if whole.dtype.name in ("float64", "complex128") else _NARROW
    two = convert_to_tensor(2.0, norm.dtype)
    squarings = maximum(floor(log(norm / convert_to_tensor(most, norm.dtype)) / log(two)), 0)
    scaled = x / cast(power(two, squarings), x.dtype)
    parts = [_pade(scaled if order == orders[-1] else x, order) for order in orders]
    u, v = (_chosen(norm, limits, list(side)) for side in zip(*parts))
    return reshape(_squared(u, v, norm, squarings), shape)


def _squared(u: EagerTensor, v: EagerTensor, norm: EagerTensor, squarings: EagerTensor) -> EagerTensor:
    if not np.isfinite(reduce_max(norm)._a):
        return wrap(np.full(u._a.shape, _math.nan, u._a.dtype))
    result = solve(-u + v, u + v)
    for step in range(int(reduce_max(squarings)._a)):
        result = where(less(float(step), squarings), matmul(result, result), result)
    return result
