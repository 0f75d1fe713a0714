"""expm1, log1p, the logistic function and its relatives, and products with logarithms that count 0 times anything as 0.

exp and log are in arithmetic.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .arithmetic import negative
from .declare import MISSING, binary, public, unary
from .kernels import infinities, logistic

expm1 = unary(
    "math.expm1", kernel="Expm1", forward=np.expm1,
    gradient=lambda F, dy, _y, x: dy * F.exp(F.conj(x)),
)  # fmt: skip
log1p = unary(
    "math.log1p", kernel="Log1p",
    forward=lambda x: np.log1p(x) if x.dtype.kind != "c" else infinities.logarithm_beyond_one(x),
    gradient=lambda F, dy, _y, x: dy * F.reciprocal(1 + F.conj(x)),
)  # fmt: skip
sigmoid = unary(
    "math.sigmoid sigmoid nn.sigmoid", kernel="Sigmoid", forward=logistic.sigmoid,
    gradient=lambda F, dy, y, _x: F.sigmoid_grad(F.conj(y), dy),
)  # fmt: skip
sigmoid_grad = binary(
    "", f="sigmoid_grad", kernel="SigmoidGrad", broadcasting=False,
    forward=lambda y, dy: dy * y * (1 - y),
    gradient=(
        lambda F, dy, _y, a, b: dy * F.conj(b) - 2.0 * (dy * F.conj(b)) * F.conj(a),
        lambda F, dy, _y, a, _b: F.sigmoid_grad(F.conj(a), dy),
    ),
)  # fmt: skip
softplus = unary(
    "math.softplus nn.softplus", kernel="Softplus", forward=logistic.softplus,
    parameters="features name", gradient=lambda F, dy, _y, x: dy * F.sigmoid(x),
)  # fmt: skip
softsign = unary(
    "nn.softsign math.softsign", kernel="Softsign", forward=lambda x: x / (1 + abs(x)), parameters="features name",
    gradient=lambda F, dy, _y, x: F.softsign_grad(dy, x),
)  # fmt: skip
softsign_grad = binary(
    "", f="softsign_grad", kernel="SoftsignGrad", broadcasting=False, gradient=MISSING,
    forward=lambda dy, x: dy / np.square(1 + abs(x)),
)  # fmt: skip


@public("math.log_sigmoid")
def log_sigmoid(x: Any, name: str | None = None) -> EagerTensor:
    """log(sigmoid(x)), as the negative of softplus(-x) (``tf.math.log_sigmoid``)."""
    return negative(softplus(negative(convert_to_tensor(x))), name)


def _not_zero(F: Any, x: Any) -> Any:
    return F.cast(F.not_equal(x, F.zeros_like(x)), dtype=F.dtype(x))


xlogy = binary(
    "math.xlogy", kernel="Xlogy", forward=logistic.xlogy,
    gradient=(
        lambda F, dy, _z, x, y: F.xlogy(_not_zero(F, x), y) * dy,
        lambda F, dy, _z, x, y: F.xdivy(x, y) * dy,
    ),
)  # fmt: skip
xlog1py = binary(
    "math.xlog1py", kernel="Xlog1py", forward=logistic.xlog1py,
    gradient=(
        lambda F, dy, _z, x, y: F.xlog1py(_not_zero(F, x), y) * dy,
        lambda F, dy, _z, x, y: F.xdivy(x, y + 1.0) * dy,
    ),
)  # fmt: skip
xdivy = binary(
    "math.xdivy", kernel="Xdivy", forward=logistic.xdivy,
    gradient=(
        lambda F, dy, _z, x, y: F.xdivy(_not_zero(F, x), y) * dy,
        lambda F, dy, _z, x, y: F.xdivy(-x, F.pow(y, 2)) * dy,
    ),
)  # fmt: skip
