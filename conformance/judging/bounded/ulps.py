"""How far an implementation may be off in one operation, its inputs taken as exact, in units in the last place.

`MEASURED[name][dtype]` is (k, floor): the error is at most ulp * (k * |x| + floor), where floor is not zero only for
kernels that lose relative accuracy near their zeros. `measure_ulps.py` rewrites the table: the larger of what
TensorFlow's and NumPy's kernels were seen to be off at random and extreme arguments, with a margin.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from conformance.judging.bounded.formats import Format

# table: begin
MEASURED: dict[str, dict[str, tuple[float, float]]] = {
    "arccos": {"float16": (0.5, 0.0), "bfloat16": (0.5, 0.0), "float32": (3.36, 0.0), "float64": (1.2, 0.0)},
    "arccosh": {"float16": (0.5, 0.0), "bfloat16": (0.5, 0.0), "float32": (1.54, 0.0), "float64": (1.61, 0.0)},
    "arcsin": {"float16": (0.5, 0.0), "bfloat16": (0.5, 0.0), "float32": (5.25, 0.0), "float64": (1.15, 0.0)},
    "arcsinh": {"float16": (0.5, 0.0), "bfloat16": (0.5, 0.0), "float32": (1.47, 0.0), "float64": (1.48, 0.0)},
    "arctan": {"float16": (0.5, 0.0), "bfloat16": (0.5, 0.0), "float32": (2.75, 0.0), "float64": (3.17, 0.0)},
    "arctan2": {"float16": (0.5, 0.0), "bfloat16": (0.5, 0.0), "float32": (3.0, 0.0), "float64": (3.38, 0.0)},
    "arctanh": {"float16": (0.5, 0.0), "bfloat16": (0.5, 0.0), "float32": (1.75, 0.0), "float64": (2.02, 0.0)},
    "betainc": {"float32": (13.35, 9.9), "float64": (13.24, 10.08)},
    "cos": {"float16": (0.5, 0.0), "bfloat16": (0.5, 0.0), "float32": (1.91, 0.0), "float64": (0.5, 0.0)},
    "cosh": {"float16": (0.5, 0.0), "bfloat16": (0.5, 0.0), "float32": (2.46, 0.0), "float64": (1.43, 0.0)},
    "dawsn": {"float32": (5.01, 0.0), "float64": (4.01, 1.25)},
    "erf": {"float16": (0.5, 0.0), "bfloat16": (0.5, 0.0), "float32": (3.74, 0.0), "float64": (3.14, 0.0)},
    "erfc": {"float16": (0.5, 0.0), "bfloat16": (0.5, 0.0), "float32": (2.01, 0.99), "float64": (5.26, 1.32)},
    "erfinv": {"float32": (12.65, 92.54), "float64": (12.81, 96.04)},
    "exp": {"float16": (0.5, 0.0), "bfloat16": (0.5, 0.0), "float32": (2.14, 0.0), "float64": (1.49, 0.0)},
    "expi": {"float32": (305.35, 0.0), "float64": (1871.53, 0.0)},
    "expm1": {"float16": (0.5, 0.0), "bfloat16": (0.5, 0.0), "float32": (2.78, 0.0), "float64": (2.7, 0.0)},
    "gammainc": {"float32": (8.68, 11.95), "float64": (8.56, 31.99)},
    "gammaincc": {"float32": (8.02, 12.86), "float64": (8.16, 58.35)},
    "gammaln": {"float16": (0.5, 0.0), "float32": (2.39, 0.0), "float64": (16.41, 2.25)},
    "i0": {"float16": (0.5, 0.0), "float32": (5.28, 0.0), "float64": (5.18, 0.0)},
    "i0e": {"float16": (0.5, 0.0), "float32": (5.22, 0.0), "float64": (5.07, 0.0)},
    "i1": {"float16": (0.5, 0.0), "float32": (13.27, 0.0), "float64": (8.28, 0.0)},
    "i1e": {"float16": (0.5, 0.0), "float32": (3.27, 1.65), "float64": (8.01, 0.0)},
    "j0": {"float16": (0.5, 0.0), "float32": (84.0, 4.02), "float64": (1.42, 0.38)},
    "j1": {"float16": (0.5, 0.0), "float32": (83.73, 3.83), "float64": (1.39, 0.88)},
    "k0": {"float16": (0.5, 0.0), "float32": (2.65, 12.01), "float64": (2.35, 11.69)},
    "k0e": {"float16": (0.5, 0.0), "float32": (2.37, 17.69), "float64": (2.12, 14.51)},
    "k1": {"float16": (0.5, 0.0), "float32": (7.78, 0.0), "float64": (6.94, 0.0)},
    "k1e": {"float16": (0.5, 0.0), "float32": (7.53, 0.0), "float64": (6.79, 0.0)},
    "log": {"float16": (0.5, 0.0), "bfloat16": (0.5, 0.0), "float32": (2.37, 0.0), "float64": (1.52, 0.0)},
    "log1p": {"float16": (0.5, 0.0), "bfloat16": (0.5, 0.0), "float32": (2.98, 0.0), "float64": (2.35, 0.0)},
    "ndtri": {"float32": (4.75, 0.0), "float64": (2.24, 0.0)},
    "power": {"float16": (0.5, 0.0), "bfloat16": (0.5, 0.0), "float32": (1.5, 0.0), "float64": (1.73, 0.0)},
    "psi": {"float16": (1.45, 0.0), "float32": (23.87, 5.87), "float64": (24.46, 6.96)},
    "reciprocal": {"float16": (0.5, 0.0), "bfloat16": (0.5, 0.0), "float32": (2.03, 0.0), "float64": (0.5, 0.0)},
    "rsqrt": {"float16": (0.5, 0.0), "bfloat16": (0.5, 0.0), "float32": (1.97, 0.0), "float64": (1.18, 0.0)},
    "sigmoid": {"float16": (1.79, 0.0), "bfloat16": (1.61, 0.0), "float32": (4.85, 0.0), "float64": (2.04, 0.0)},
    "sin": {"float16": (0.5, 0.0), "bfloat16": (0.5, 0.0), "float32": (1.9, 0.0), "float64": (0.5, 0.0)},
    "sinh": {"float16": (0.5, 0.0), "bfloat16": (0.5, 0.0), "float32": (1.64, 0.0), "float64": (1.57, 0.0)},
    "softplus": {"float16": (1.35, 0.0), "bfloat16": (4.99, 0.0), "float32": (4.82, 0.0), "float64": (4.77, 0.0)},
    "spence": {"float32": (1.68, 6.02), "float64": (3.36, 0.0)},
    "sqrt": {"float16": (0.5, 0.0), "bfloat16": (0.5, 0.0), "float32": (0.5, 0.0), "float64": (0.5, 0.0)},
    "tan": {"float16": (0.5, 0.0), "bfloat16": (0.5, 0.0), "float32": (2.14, 0.0), "float64": (0.89, 0.0)},
    "tanh": {"float16": (0.5, 0.0), "bfloat16": (0.5, 0.0), "float32": (3.06, 0.0), "float64": (4.71, 0.0)},
    "true_divide": {"float16": (0.5, 0.0), "bfloat16": (0.5, 0.0), "float32": (0.5, 0.0), "float64": (0.5, 0.0)},
    "xlog1py": {"float16": (1.47, 0.0), "bfloat16": (1.46, 0.0), "float32": (3.14, 0.0), "float64": (4.39, 0.0)},
    "xlogy": {"float16": (1.48, 0.0), "bfloat16": (1.46, 0.0), "float32": (2.93, 0.0), "float64": (2.7, 0.0)},
    "y0": {"float16": (0.91, 0.0), "float32": (170.63, 2.8), "float64": (1.6, 1.13)},
    "y1": {"float16": (1.3, 0.0), "float32": (171.53, 3.0), "float64": (2.4, 0.91)},
    "zeta": {"float32": (5.34, 0.0), "float64": (0.5, 0.0)},
}
# table: end

_DEFAULT = (4.0, 0.0)
_BY_DESIGN: dict[str, tuple[float, float]] = {
    # IEEE 754 rounds these correctly, and every implementation relies on it.
    "add": (0.5, 0.0), "subtract": (0.5, 0.0), "multiply": (0.5, 0.0), "square": (0.5, 0.0),
    # Normwise: (ac - bd) with rounded products; Smith's and the textbook formula for quotients.
    "complex multiply": (1.6, 0.0), "complex divide": (6.0, 0.0), "complex absolute": (2.0, 0.0),
}  # fmt: skip
# What other implementations compute by another formula than a plain composition of ufuncs lets an ingredient be off by
# more than its own kernel is: the sigmoid and softplus of TensorFlow are rational approximations or sums of their own.
_COVERS: dict[str, tuple[str, ...]] = {
    "exp": ("sigmoid",),
    "log1p": ("softplus",),
    "logaddexp": ("softplus",),
    "expit": ("sigmoid",),
}
# Seen in earlier trials, on processors with other vector instructions than the one that was measured on.
_SEEN_ELSEWHERE = {"tanh": 3.9, "sigmoid": 5.3}
_COMPOSED = ("sigmoid", "softplus", "rsqrt")
_HALF = ("float16", "bfloat16")
_ROUNDED_CORRECTLY = ("sqrt", "true_divide", "reciprocal")
_ELEMENTARY_LEAST = 1.5  # processors with other vector units use other kernels than those that were measured
_HALF_LEAST = 0.52  # computed in float32 and rounded again: half a unit and a little
_SPECIAL_LEAST = 4.0  # kernels that were compared with SciPy's, not with the mathematics


@cache
def _row(name: str, dtype: str) -> tuple[float, float]:
    """(k, floor) of an operation in a dtype."""
    if name in _BY_DESIGN:
        return _BY_DESIGN[name]
    names = [each for each in (name, *_COVERS.get(name, ())) if dtype in MEASURED.get(each, ())]
    if not names:
        # The 16-bit formats are computed in float32 and rounded once; unmeasured kernels get a generous share.
        return (1.0, 0.0) if dtype in _HALF else _DEFAULT
    k = max(MEASURED[each][dtype][0] for each in names)
    floor_ = max(MEASURED[each][dtype][1] for each in names)
    return max(k, *(_least(each, dtype) for each in names)), floor_


def _least(name: str, dtype: str) -> float:
    if dtype in _HALF:
        return _HALF_LEAST
    if not hasattr(np, name) and name not in _COMPOSED:
        return _SPECIAL_LEAST
    if name in _ROUNDED_CORRECTLY:
        return 0.5
    return _SEEN_ELSEWHERE.get(name, _ELEMENTARY_LEAST)


def ulps(name: str, fmt: Format) -> float:
    """k of an operation (a ufunc's name) in a format."""
    return _row(name, fmt.real_name)[0]


def floor(name: str, fmt: Format) -> float:
    """The absolute share of an operation's error, in units in the last place of 1."""
    return _row(name, fmt.real_name)[1]
