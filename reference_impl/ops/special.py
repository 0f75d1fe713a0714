"""Special functions: error functions, gamma functions, Bessel functions and integrals; they need SciPy when called."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

from ..errors import invalid
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .arguments import check
from .declare import OPS, binary, kernel, public, unary
from .kernels import special as kernels
from .kernels.special import special
from .shaping import unbroadcast

_HALF_ROOT_PI = math.sqrt(math.pi) / 2
_ROOT_TWO_PI = math.sqrt(2 * math.pi)


def _gauss(F: Any, dy: Any, x: Any, factor: float) -> Any:
    return dy * F.number(factor, dy) * F.exp(-F.square(x))


erf = unary(
    "math.erf", kernel="Erf", forward=kernels.erf,
    gradient=lambda F, dy, _y, x: _gauss(F, dy, x, 2 / math.sqrt(math.pi)),
)  # fmt: skip
erfc = unary(
    "math.erfc", kernel="Erfc", forward=special("erfc"),
    gradient=lambda F, dy, _y, x: _gauss(F, dy, x, -2 / math.sqrt(math.pi)),
)  # fmt: skip
erfinv = unary(
    "math.erfinv", kernel="Erfinv", forward=special("erfinv"),
    gradient=lambda F, dy, y, _x: dy * _HALF_ROOT_PI * F.exp(F.square(y)),
)  # fmt: skip
ndtri = unary(
    "math.ndtri", kernel="Ndtri", forward=special("ndtri"),
    gradient=lambda F, dy, y, _x: dy * _ROOT_TWO_PI * F.exp(F.square(y) / 2.0),
)  # fmt: skip
lgamma = unary(
    "math.lgamma lgamma", kernel="Lgamma", forward=kernels.lgamma,
    gradient=lambda F, dy, _y, x: dy * F.digamma(x),
)  # fmt: skip


def _trigamma(F: Any, x: Any) -> Any:
    OPS["Polygamma"].check(F.dtype(x))  # which has no kernel for half precision
    return F.polygamma(F.ones_like(x), x)


digamma = unary(
    "math.digamma", kernel="Digamma", forward=kernels.digamma,
    gradient=lambda F, dy, _y, x: dy * _trigamma(F, x),
)  # fmt: skip
polygamma = binary(
    "math.polygamma", kernel="Polygamma", forward=kernels.polygamma, parameters="a x name",
    gradient=(None, lambda F, dy, _y, n, x: F.polygamma(n + 1, x) * dy),
)  # fmt: skip
zeta = binary(
    "math.zeta", kernel="Zeta", forward=kernels.zeta, parameters="x q name",
    gradient=(None, lambda F, dy, _y, x, q: -x * F.zeta(x + 1, q) * dy),
)  # fmt: skip


def _igamma_by_x(F: Any, dy: Any, a: Any, x: Any) -> Any:
    return F.exp(-x + (a - 1) * F.log(x) - F.lgamma(a)) * dy


igamma_grad_a = binary(
    "", f="igamma_grad_a", kernel="IgammaGradA", forward=kernels.igamma_grad_a, gradient="missing"
)  # fmt: skip
random_gamma_grad = binary(
    "", f="random_gamma_grad", kernel="RandomGammaGrad", forward=kernels.random_gamma_grad, gradient="missing"
)  # fmt: skip
igamma = binary(
    "math.igamma", kernel="Igamma", forward=kernels.igamma, parameters="a x name",
    gradient=(
        lambda F, dy, _y, a, x: F.igamma_grad_a(a, x) * dy,
        lambda F, dy, _y, a, x: _igamma_by_x(F, dy, a, x),
    ),
)  # fmt: skip
igammac = binary(
    "math.igammac", kernel="Igammac", forward=kernels.igammac, parameters="a x name", undone=True,
    gradient=(  # the negative of a sum, which is -0 for no elements
        lambda F, dy, _y, a, x: -unbroadcast(F, F.igamma_grad_a(a, x) * dy, F.shape(a), F.shape(x)),
        lambda F, dy, _y, a, x: -unbroadcast(F, _igamma_by_x(F, dy, a, x), F.shape(x), F.shape(a)),
    ),
)  # fmt: skip


def _betainc_gradient(F: Any, dy: Any, _y: Any, a: Any, b: Any, x: Any) -> Any:
    """By x alone; computed, and refused, whether it is asked for or not.

    TensorFlow broadcasts x against a alone, and so does not add up what b spread.
    """
    log_beta = F.lgamma(a) + F.lgamma(b) - F.lgamma(a + b)
    g = F.exp(F.xlog1py(b - 1, -x) + F.xlogy(a - 1, x) - log_beta) * dy
    return None, None, unbroadcast(F, g, F.shape(x), F.shape(a))


betainc_ = kernel(
    "betainc", "Betainc", forward=kernels.betainc, gradient=_betainc_gradient,
)  # fmt: skip


@public("math.betainc")
def betainc(a: Any, b: Any, x: Any, name: str | None = None) -> EagerTensor:
    """The regularised incomplete beta integral (``tf.math.betainc``); differentiable by x alone."""
    a = convert_to_tensor(a)
    b, x = convert_to_tensor(b, dtype_hint=a.dtype), convert_to_tensor(x, dtype_hint=a.dtype)
    check("Betainc", name, a=a, b=b, x=x)
    for (one, first), (other, second) in combinations((("a", a), ("b", b), ("x", x)), 2):
        shapes = first._a.shape, second._a.shape
        if all(shapes) and shapes[0] != shapes[1]:
            left, right = ("[" + ",".join(map(str, shape)) + "]" for shape in shapes)
            text = f"Shapes of {one} and {other} are inconsistent: {left} vs. {right}"
            raise invalid("Betainc", text, name)
    return betainc_(a, b, x)


@public("math.lbeta")
def lbeta(x: Any, name: str | None = None) -> EagerTensor:
    """log of the beta function over the last axis (``tf.math.lbeta``)."""
    from .reductions import reduce_sum

    x = convert_to_tensor(x)
    return reduce_sum(lgamma(x), [-1]) - lgamma(reduce_sum(x, [-1]))


@public("math.erfcinv")
def erfcinv(x: Any, name: str | None = None) -> EagerTensor:
    """The inverse of erfc, by way of the normal quantile (``tf.math.erfcinv``)."""
    x = convert_to_tensor(x)
    half = convert_to_tensor(0.5, x.dtype)
    return -ndtri(half * x) * convert_to_tensor(math.sqrt(0.5), x.dtype)


# ------------------------------------------------------------------------------------- Bessel functions, integrals


def _function(name: str, kernel_name: str, forward: Any, gradient: Any, path: str = "math.special") -> Any:
    return unary(f"{path}.{name}", kernel=kernel_name, forward=forward, gradient=gradient)


_BOTH = "math.special.{0} math.{0}"


def _bessel(name: str, kernel_name: str, scipy_name: str, gradient: Any) -> Any:
    names = _BOTH.format(name) if "_i" in name else f"math.special.{name}"
    forward = special(scipy_name)
    if scipy_name[0] in "ky":
        forward = kernels.from_zero(scipy_name, -math.inf if scipy_name[0] == "y" else math.inf)
    forward = kernels.bessel_y1 if name == "bessel_y1" else forward
    return unary(names, kernel=kernel_name, forward=forward, gradient=gradient)


def _at_zero(F: Any, x: Any, value: float, other: Any) -> Any:
    return F.where(F.equal(x, F.zeros_like(x)), F.ones_like(x) * value, other)


bessel_i0 = _bessel("bessel_i0", "BesselI0", "i0", lambda F, dy, _y, x: dy * F.bessel_i1(x))
bessel_i0e = _bessel("bessel_i0e", "BesselI0e", "i0e", lambda F, dy, y, x: dy * (F.bessel_i1e(x) - F.sign(x) * y))
bessel_i1 = _bessel("bessel_i1", "BesselI1", "i1", lambda F, dy, y, x: dy * _at_zero(F, x, 1.0, F.bessel_i0(x) - y / x))
bessel_i1e = _bessel(
    "bessel_i1e", "BesselI1e", "i1e",
    lambda F, dy, y, x: dy * _at_zero(F, x, 0.5, F.bessel_i0e(x) - y * (F.sign(x) + F.reciprocal(x))),
)  # fmt: skip
bessel_k0 = _bessel("bessel_k0", "BesselK0", "k0", lambda F, dy, _y, x: dy * -F.bessel_k1(x))
bessel_k0e = _bessel("bessel_k0e", "BesselK0e", "k0e", lambda F, dy, y, x: dy * (y - F.bessel_k1e(x)))
bessel_k1 = _bessel("bessel_k1", "BesselK1", "k1", lambda F, dy, y, x: dy * (-F.bessel_k0(x) - y / x))
bessel_k1e = _bessel(
    "bessel_k1e", "BesselK1e", "k1e", lambda F, dy, y, x: dy * (y * (1.0 - F.reciprocal(x)) - F.bessel_k0e(x))
)  # fmt: skip
bessel_j0 = _bessel("bessel_j0", "BesselJ0", "j0", lambda F, dy, _y, x: dy * -F.bessel_j1(x))
bessel_j1 = _bessel("bessel_j1", "BesselJ1", "j1", lambda F, dy, y, x: dy * _at_zero(F, x, 0.5, F.bessel_j0(x) - y / x))
bessel_y0 = _bessel("bessel_y0", "BesselY0", "y0", lambda F, dy, _y, x: dy * -F.bessel_y1(x))
bessel_y1 = _bessel("bessel_y1", "BesselY1", "y1", lambda F, dy, y, x: dy * (F.bessel_y0(x) - y / x))
dawsn = _function("dawsn", "Dawsn", kernels.dawsn, lambda F, dy, y, x: dy * (1.0 - 2 * x * y))
expint = _function("expint", "Expint", kernels.expint, lambda F, dy, _y, x: dy * F.exp(x) / x)
fresnel_cos = _function(
    "fresnel_cos", "FresnelCos", kernels.fresnel_cos, lambda F, dy, _y, x: dy * F.cos((math.pi / 2.0) * F.square(x))
)  # fmt: skip
fresnel_sin = _function(
    "fresnel_sin", "FresnelSin", kernels.fresnel_sin, lambda F, dy, _y, x: dy * F.sin((math.pi / 2.0) * F.square(x))
)  # fmt: skip


def _spence_gradient(F: Any, dy: Any, _y: Any, x: Any) -> Any:
    one = F.ones_like(x)
    return dy * F.where(F.equal(x, one), -one, F.log(x) / (1 - x))


spence = _function("spence", "Spence", special("spence"), _spence_gradient)
