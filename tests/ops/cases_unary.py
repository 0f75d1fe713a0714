# ruff: noqa: E731  # questions are short functions, many of them bound in a loop
"""What is asked of the ops that map each element by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tests.ops.asking import Case

inf, nan = float("inf"), float("nan")
ORDINARY = [-1.5, -0.3, 0.4, 0.9, 2.5]
SPECIAL = [0.0, -0.0, 1.0, -1.0, inf, -inf, nan]
COMPLEX = [(0.3 + 0.4j), (-1.2 + 0.7j), (2.0 - 0.5j)]

REAL_AND_COMPLEX = [
    "exp",
    "expm1",
    "log",
    "log1p",
    "sin",
    "cos",
    "tan",
    "sinh",
    "cosh",
    "tanh",
    "asin",
    "acos",
    "atan",
    "asinh",
    "acosh",
    "atanh",
    "sigmoid",
    "square",
    "sqrt",
    "rsqrt",
    "reciprocal",
    "negative",
    "abs",
    "sign",
]
REAL = [
    "erf",
    "erfc",
    "lgamma",
    "digamma",
    "erfinv",
    "softplus",
    "log_sigmoid",
    "ndtri",
    "erfcinv",
    "floor",
    "ceil",
    "round",
    "rint",
]
ACTIVATIONS = [
    "relu",
    "relu6",
    "leaky_relu",
    "elu",
    "selu",
    "gelu",
    "silu",
    "swish",
    "crelu",
    "softsign",
    "softplus",
    "tanh",
    "sigmoid",
]
BESSEL = ["bessel_i0", "bessel_i0e", "bessel_i1", "bessel_i1e"]
SPECIALS = [
    "bessel_j0",
    "bessel_j1",
    "bessel_k0",
    "bessel_k0e",
    "bessel_k1",
    "bessel_k1e",
    "bessel_y0",
    "bessel_y1",
    "dawsn",
    "expint",
    "fresnel_cos",
    "fresnel_sin",
    "spence",
]


def _named(path: str) -> Callable[..., Any]:
    def call(tf: Any, *inputs: Any) -> Any:
        found = tf
        for part in path.split("."):
            found = getattr(found, part)
        return found(*inputs)

    return call


def _real(path: str) -> Iterator[Case]:
    op = _named(path)
    yield Case(f"{path} ordinary float32", op, (ORDINARY,))
    yield Case(f"{path} ordinary float64", op, ((ORDINARY, "float64"),))
    yield Case(f"{path} special", op, (SPECIAL,))
    yield Case(f"{path} special, zero upstream", op, (SPECIAL,), upstream="zeros")
    yield Case(f"{path} scalar", op, (0.5,), upstream="ones")
    yield Case(f"{path} half", op, (([0.5, -0.25, 2.0], "float16"),), order=1)
    yield Case(f"{path} empty", op, ([],))
    yield Case(f"{path} of integers", op, (([1, 2], "int32"),), order=0)
    yield Case(f"{path} of booleans", op, (([True], "bool"),), order=0)


def _complex(path: str) -> Iterator[Case]:
    op = _named(path)
    yield Case(f"{path} complex", op, ((COMPLEX, "complex128"),))
    if path.split(".")[-1] not in ("log", "sqrt", "rsqrt", "reciprocal"):  # infinities of complex products are anyone's
        yield Case(f"{path} complex zero", op, (([0j], "complex64"),))


def _all() -> Iterator[Case]:
    for name in REAL_AND_COMPLEX + REAL + BESSEL:
        yield from _real(f"math.{name}")
    for name in ACTIVATIONS:
        yield from _real(f"nn.{name}")
    for name in [*REAL_AND_COMPLEX, "erf", "softplus", "round", "floor"]:
        yield from _complex(f"math.{name}")
    for name in ("relu", "softsign"):
        yield from _complex(f"nn.{name}")
    for name in SPECIALS:
        yield Case(f"math.special.{name}", _named(f"math.special.{name}"), ([0.3, 1.0, 2.5, 0.0],))
    for alpha in (0.0, 0.5, 1.0, 2.0, -0.5):
        leaky = lambda tf, x, alpha=alpha: tf.nn.leaky_relu(x, alpha=alpha)
        yield Case(f"leaky_relu with alpha {alpha}", leaky, ([-2.0, -0.0, 0.0, 3.0, nan, inf, -inf],))
    yield Case("gelu approximate", lambda tf, x: tf.nn.gelu(x, approximate=True), (ORDINARY,))
    yield Case("gelu approximate special", lambda tf, x: tf.nn.gelu(x, approximate=True), (SPECIAL,))
    yield Case("silu with beta", lambda tf, x: tf.nn.silu(x, beta=1.5), (ORDINARY,))
    yield Case("silu with a tensor beta", lambda tf, x, b: tf.nn.silu(x, b), (ORDINARY, 1.5))
    yield Case("round halves to even", lambda tf, x: tf.round(x), ([0.5, 1.5, 2.5, -0.5, -1.5],), order=0)
    yield Case("round integers", lambda tf, x: tf.round(x), (([3, -4], "int32"),), order=0)
    yield Case(
        "large arguments",
        lambda tf, x: [tf.exp(x), tf.sigmoid(x), tf.nn.softplus(x), tf.tanh(x)],
        ([100.0, -100.0, 50.0],),
    )
    yield Case("polygamma", lambda tf, a, x: tf.math.polygamma(a, x), ([1.0, 2.0], [0.5, 2.5]))
    yield Case("zeta", lambda tf, a, x: tf.math.zeta(a, x), ([1.5, 2.0], [0.5, 2.5]))
    yield Case("igamma", lambda tf, a, x: tf.math.igamma(a, x), ([1.5, 2.0], [0.5, 2.5]), order=1)
    yield Case("igammac", lambda tf, a, x: tf.math.igammac(a, x), ([1.5, 2.0], [0.5, 2.5]), order=1)
    yield Case("betainc", lambda tf, a, b, x: tf.math.betainc(a, b, x), ([1.5, 2.0], [0.5, 2.5], [0.3, 0.6]))
    yield Case("lbeta", lambda tf, x: tf.math.lbeta(x), ([[1.5, 2.0], [0.5, 2.5]],))
    yield Case("complex from parts", lambda tf, a, b: tf.complex(a, b), ([1.0, 2.0], [3.0, -1.0]))
    yield Case("complex broadcast", lambda tf, a, b: tf.complex(a, b), ([1.0, 2.0], 3.0))
    for name in ("real", "imag", "conj", "angle"):
        yield Case(f"{name} of complex", _named(f"math.{name}"), ((COMPLEX, "complex64"),))
        yield Case(f"{name} of real", _named(f"math.{name}"), (ORDINARY,))
        yield Case(f"{name} of integers", _named(f"math.{name}"), (([1, -2], "int32"),), order=0)
    yield Case("angle of -1", lambda tf, z: tf.math.angle(z), (([-1 + 0j], "complex64"),))
    for dtype in ("float64", "float16", "complex64", "int32", "bool", "bfloat16"):
        cast = lambda tf, x, dtype=dtype: tf.cast(x, getattr(tf, dtype))
        yield Case(f"cast to {dtype}", cast, ([-1.5, 0.0, 2.7],))
    yield Case("cast complex to real", lambda tf, z: tf.cast(z, tf.float32), ((COMPLEX, "complex64"),))
    yield Case("saturate_cast", lambda tf, x: tf.saturate_cast(x, tf.int8), ([-500.0, 3.7, 500.0],))
    yield Case("saturate_cast to half", lambda tf, x: tf.saturate_cast(x, tf.float16), ([-1e6, 3.5, 1e6],))
    yield Case("nextafter", lambda tf, x, y: tf.math.nextafter(x, y), (([1.0], "float64"), ([2.0], "float64")))
    yield Case("sign of complex zero", lambda tf, z: tf.sign(z), (([0j, 3 + 4j], "complex64"),))


CASES = tuple(_all())
