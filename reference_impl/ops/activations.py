"""Activations of neural networks: relu and its variants, gelu, silu.

Each has a gradient kernel of its own in TensorFlow, which has a gradient in turn: the second derivative of relu is
zeros, not None.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tapes.recording import Trace, active_stack
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, wrap
from .declare import OPS, binary, kernel, public, same_size, tensors, unary
from .kernels import rectifiers
from .run import incompatible
from .special import erfc

_FEATURES = "features name"


def _grad(name: str, kernel_name: str, forward: Any, second: Any) -> Any:
    """A gradient kernel f(dy, x) that is linear in dy; ``second(F, ddy, dy, x)`` is its derivative by x."""
    return binary(
        "", f=name, kernel=kernel_name, forward=forward, broadcasting=False,
        gradient=(
            lambda F, ddy, _y, _dy, x: getattr(F, name)(ddy, x),
            lambda F, ddy, _y, dy, x: second(F, ddy, dy, x),
        ),
    )  # fmt: skip


relu = unary(
    "nn.relu", kernel="Relu", forward=rectifiers.relu, parameters=_FEATURES,
    gradient=lambda F, dy, y, _x: F.relu_grad(dy, y),
)  # fmt: skip
_grad("relu_grad", "ReluGrad", rectifiers.relu_grad, lambda F, _ddy, _dy, x: F.zeros_like(x))
relu6 = unary(
    "nn.relu6", kernel="Relu6", forward=rectifiers.relu6, parameters=_FEATURES,
    gradient=lambda F, dy, y, _x: F.relu6_grad(dy, y),
)  # fmt: skip
_grad("relu6_grad", "Relu6Grad", rectifiers.relu6_grad, lambda F, _ddy, _dy, x: F.zeros_like(x))
elu = unary(
    "nn.elu", kernel="Elu", forward=rectifiers.elu, parameters=_FEATURES,
    gradient=lambda F, dy, y, _x: F.elu_grad(dy, y),
)  # fmt: skip


def _where_negative(F: Any, ddy: Any, dy: Any, x: Any) -> Any:
    return F.select_alike(F.less(x, F.zeros_like(x)), ddy * dy, F.zeros_like(x))


_grad("elu_grad", "EluGrad", rectifiers.elu_grad, _where_negative)
selu = unary(
    "nn.selu", kernel="Selu", forward=rectifiers.selu, parameters=_FEATURES,
    gradient=lambda F, dy, y, _x: F.selu_grad(dy, y),
)  # fmt: skip
_grad("selu_grad", "SeluGrad", rectifiers.selu_grad, _where_negative)

leaky_relu_ = kernel(
    "leaky_relu", "LeakyRelu", forward=rectifiers.leaky_relu,
    gradient=lambda F, dy, _y, x, alpha: F.leaky_relu_grad(dy, x, alpha=alpha),
)  # fmt: skip
leaky_relu_grad = kernel(
    "leaky_relu_grad", "LeakyReluGrad", forward=same_size("LeakyReluGrad", rectifiers.leaky_relu_grad),
    gradient=(
        lambda F, ddy, _y, _dy, x, alpha: F.leaky_relu_grad(ddy, x, alpha=alpha),
        lambda F, _ddy, _y, _dy, x, alpha: F.zeros_like(x),
    ),
)  # fmt: skip


@public("nn.leaky_relu")
def leaky_relu(features: Any, alpha: float = 0.2, name: str | None = None) -> EagerTensor:
    """features where positive, else alpha times features (``tf.nn.leaky_relu``); integers become float32."""
    x = convert_to_tensor(features)
    if x._a.dtype.kind in "iu":
        from .casting import cast

        x = cast(x, "float32")
    leaky_relu_.op.check(x._a.dtype, name)
    return leaky_relu_(x, alpha=float(np.float32(alpha)))


@public("nn.gelu")
def gelu(features: Any, approximate: bool = False, name: str | None = None) -> EagerTensor:
    """features times the normal distribution function, or nearly so by tanh.  ValueError for integers."""
    x = convert_to_tensor(features)
    if not x.dtype.is_floating:
        raise ValueError(f"`features.dtype` must be a floating point tensor.Received:features.dtype={x.dtype}")
    if not approximate:
        return 0.5 * x * erfc(-x * _rounded(0.7071067811865476, x))
    from .arithmetic import pow
    from .elementwise import tanh

    return 0.5 * x * (1.0 + tanh(0.7978845608028654 * (x + _rounded(0.044715, x) * pow(x, 3))))


def _rounded(number: float, x: EagerTensor) -> EagerTensor:
    """A constant of the dtype of ``x`` that, as in TensorFlow, was a float32 before."""
    return wrap(np.float32(number).astype(x._a.dtype))


def _silu_by_x(F: Any, dy: Any, _y: Any, x: Any, beta: Any) -> Any:
    if type(dy) is EagerTensor:  # TensorFlow adds up the gradient by beta in any case
        F.sum.op.check(dy._a.dtype)
    s = F.sigmoid(beta * x)
    return dy * (s * (1.0 + (beta * x) * (1.0 - s)))


def _silu_by_beta(F: Any, dy: Any, _y: Any, x: Any, beta: Any) -> Any:
    s = F.sigmoid(beta * x)
    terms = dy * F.square(x) * s * (1.0 - s)
    return F.sum(terms, axis=tuple(range(F.rank(terms))), keepdims=False)


silu_ = kernel(
    "silu", "swish_impl", forward=rectifiers.silu, gradient=(_silu_by_x, _silu_by_beta)
)  # fmt: skip


@public("nn.silu nn.swish")
def silu(features: Any, beta: Any = 1.0) -> EagerTensor:
    """features times sigmoid(beta features) (``tf.nn.silu``)."""
    x = convert_to_tensor(features)
    from .casting import cast

    weight = cast(convert_to_tensor(beta), x.dtype)
    if x.dtype.name != "bool":  # bools have a product of their own
        OPS["Mul"].check(x._a.dtype)
    if any(1 not in (m, n) and m != n for m, n in zip(weight._a.shape[::-1], x._a.shape[::-1])):
        raise incompatible(OPS["Mul"], weight._a, x._a, None)
    OPS["Sigmoid"].check(x._a.dtype)
    if x.dtype.is_complex and any(type(r) is not Trace for r in active_stack()):
        return _complex_silu(x, weight)
    return silu_(x, weight)


def _complex_silu(x: EagerTensor, beta: EagerTensor) -> EagerTensor:
    """Where an accumulator is active: the tangent is that of the product and the sigmoid, as of any custom gradient.

    By the gradient it would be of the conjugate slope.
    """
    from ..user_gradients.custom_gradients import custom_gradient

    def of_both(x: EagerTensor, beta: EagerTensor) -> tuple[EagerTensor, Any]:
        slopes = (_silu_by_x, _silu_by_beta)
        y = x * tensors.sigmoid(beta * x)
        return y, lambda dy: tuple(slope(tensors, dy, None, x, beta) for slope in slopes)

    return custom_gradient(of_both)(x, beta)


@public("nn.crelu")
def crelu(features: Any, axis: int = -1, name: str | None = None) -> EagerTensor:
    """relu of features and of -features, joined along ``axis`` (``tf.nn.crelu``)."""
    from .shaping import concat

    x = convert_to_tensor(features)
    return relu(concat([x, -x], axis, name=""))


__all__ = ["crelu", "elu", "gelu", "leaky_relu", "relu", "relu6", "selu", "silu"]
