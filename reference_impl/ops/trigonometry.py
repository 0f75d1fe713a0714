"""Trigonometric and hyperbolic functions and their inverses (sin, cos and tanh are in elementwise.py), and atan2.

Real and complex; every gradient conjugates its input first, as TensorFlow's do.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .declare import binary, unary

tan = unary(
    "math.tan tan", kernel="Tan", forward=np.tan,
    gradient=lambda F, dy, _y, x: F.square(F.reciprocal(F.cos(F.conj(x)))) * dy,
)  # fmt: skip
asin = unary(
    "math.asin asin", kernel="Asin", forward=np.arcsin,
    gradient=lambda F, dy, _y, x: dy * F.reciprocal(F.sqrt(F.number(1, dy) - F.square(F.conj(x)))),
)  # fmt: skip


def _by_acos(F: Any, dy: Any, x: Any) -> Any:
    """Slices are negated before they are made dense, so that rows that none names give +0."""
    one = F.number(1, dy)
    dy = F.dense(-dy)
    return dy * F.reciprocal(F.sqrt(one - F.square(F.conj(x))))


acos = unary(
    "math.acos acos", kernel="Acos", forward=np.arccos, sparse=True,
    gradient=lambda F, dy, _y, x: _by_acos(F, dy, x),
)  # fmt: skip
atan = unary(
    "math.atan atan", kernel="Atan", forward=np.arctan,
    gradient=lambda F, dy, _y, x: dy * F.reciprocal(F.number(1, dy) + F.square(F.conj(x))),
)  # fmt: skip
sinh = unary(
    "math.sinh sinh", kernel="Sinh", forward=np.sinh,
    gradient=lambda F, dy, _y, x: dy * F.cosh(F.conj(x)),
)  # fmt: skip
cosh = unary(
    "math.cosh cosh", kernel="Cosh", forward=np.cosh,
    gradient=lambda F, dy, _y, x: dy * F.sinh(F.conj(x)),
)  # fmt: skip
asinh = unary(
    "math.asinh asinh", kernel="Asinh", forward=np.arcsinh,
    gradient=lambda F, dy, y, _x: dy / F.cosh(F.conj(y)),
)  # fmt: skip
acosh = unary(
    "math.acosh acosh", kernel="Acosh", forward=np.arccosh,
    gradient=lambda F, dy, y, _x: dy / F.sinh(F.conj(y)),
)  # fmt: skip
atanh = unary(
    "math.atanh atanh", kernel="Atanh", forward=np.arctanh,
    gradient=lambda F, dy, _y, x: dy * F.reciprocal(F.number(1, dy) - F.square(F.conj(x))),
)  # fmt: skip
atan2 = binary(
    "math.atan2 atan2", kernel="Atan2", forward=np.arctan2, parameters="y x name",
    gradient=(
        lambda F, dy, _z, y, x: x * (dy / (F.square(y) + F.square(x))),
        lambda F, dy, _z, y, x: -y * (dy / (F.square(y) + F.square(x))),
    ),
)  # fmt: skip
