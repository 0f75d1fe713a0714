"""More forwards in mpmath numbers: losses, statistics, special functions, writes and factorizations.

They are put into the table of `mathematics_ops`: `OPS` is the whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import mpmath
import numpy as np
from mpmath import mpf

from conformance.blaming.mathematics_ops import OPS, each_real, number_array

__all__ = ["OPS"]


def _op(*names: str) -> Any:
    def register(function: Any) -> Any:
        for name in names:
            OPS[name] = function
        return function

    return register


# ---------------------------------------------------------------- special functions


OPS["math.betainc"] = each_real(lambda a, b, x: mpmath.betainc(a, b, 0, x, regularized=True))
OPS["math.special.bessel_j0"] = each_real(lambda x: mpmath.besselj(0, x))
OPS["math.special.bessel_j1"] = each_real(lambda x: mpmath.besselj(1, x))
OPS["math.special.spence"] = each_real(lambda x: mpmath.polylog(2, 1 - x))


# ---------------------------------------------------------------- losses and statistics


@_op("nn.softmax_cross_entropy_with_logits")
def _cross_entropy(labels: Any, logits: Any, axis: int = -1, name: Any = None) -> Any:
    return number_array(-OPS["reduce_sum"](number_array(labels) * OPS["nn.log_softmax"](logits, axis), axis))


@_op("nn.sigmoid_cross_entropy_with_logits")
def _logistic(labels: Any, logits: Any, name: Any = None) -> Any:
    return _weighted_logistic(labels, logits, 1)


@_op("nn.weighted_cross_entropy_with_logits")
def _weighted_logistic(labels: Any, logits: Any, pos_weight: Any, name: Any = None) -> Any:
    yes, no = OPS["math.log_sigmoid"](logits), OPS["math.log_sigmoid"](-number_array(logits))
    z = number_array(labels)
    return -(z * yes * number_array(pos_weight) + (1 - z) * no)


@_op("nn.moments")
def _moments(x: Any, axes: Any, shift: Any = None, keepdims: bool = False, name: Any = None) -> list[Any]:
    return [OPS["reduce_mean"](x, axes, keepdims), OPS["math.reduce_variance"](x, axes, keepdims)]


@_op("clip_by_global_norm")
def _clipped(t_list: Sequence[Any], clip_norm: Any, use_norm: Any = None, name: Any = None) -> list[Any]:
    arrays = [number_array(t) for t in t_list]
    norm = mpmath.sqrt(mpmath.fsum(v * v for a in arrays for v in a.ravel()))
    limit = number_array(clip_norm)[()]
    scale = mpf(1) if norm <= limit else limit / norm
    return [[a * scale for a in arrays], norm]


@_op("operator.getitem")
def _item(x: Any, key: Any) -> Any:
    if isinstance(x, list):
        return x[int(key)]
    raise ValueError("an index of an array is not in the table")


# ---------------------------------------------------------------- writes


@_op("tensor_scatter_nd_update")
def _updated(tensor: Any, indices: Any, updates: Any, name: Any = None) -> Any:
    """The last of several updates of one place stays."""
    made, at = number_array(tensor).copy(), np.asarray(indices, dtype=int)
    given = number_array(updates)
    for place in np.ndindex(at.shape[:-1]):
        made[tuple(at[place])] = given[place]
    return made


@_op("dynamic_stitch")
def _stitched(indices: Sequence[Any], data: Sequence[Any], name: Any = None) -> Any:
    """The last piece that writes to a place stays."""
    places = [np.asarray(i, dtype=int) for i in indices]
    parts = [number_array(d) for d in data]
    made = np.empty((max(int(p.max()) for p in places) + 1, *parts[0].shape[places[0].ndim :]), dtype=object)
    for place, part in zip(places, parts, strict=True):
        for index in np.ndindex(place.shape):
            made[place[index]] = part[index]
    return made


# ---------------------------------------------------------------- matrices


@_op("linalg.cholesky")
def _cholesky(input: Any, name: Any = None) -> Any:
    """Of the lower triangle, which is all that the factorization reads."""
    a = number_array(input)
    n = a.shape[-1]
    made = np.full((n, n), mpf(0), dtype=object)
    for i in range(n):
        for j in range(i + 1):
            rest = a[i, j] - mpmath.fsum(made[i, k] * made[j, k] for k in range(j))
            made[i, j] = mpmath.sqrt(rest) if i == j else rest / made[j, j]
    return made
