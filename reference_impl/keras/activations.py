"""Activation functions of Keras (``tf.keras.activations``), and ``get``, which finds one by its name."""

from __future__ import annotations

from typing import Any

from .. import math, nn
from ..ops.casting import cast
from ..ops.joining import split
from ..ops.selection import where
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .logits import remember


def linear(x: Any) -> Any:
    """The argument."""
    return x


def relu(x: Any, negative_slope: float = 0.0, max_value: float | None = None, threshold: float = 0.0) -> EagerTensor:
    """``x`` above ``threshold``, below it zero or ``negative_slope`` times the distance; at most ``max_value``."""
    x = convert_to_tensor(x)
    if negative_slope and max_value is None and not threshold:
        return nn.leaky_relu(x, negative_slope)
    below = nn.relu(-x + threshold) if negative_slope else None
    if threshold:
        y = where(x > cast(threshold, x.dtype), x, 0)
    else:
        y = nn.relu6(x) if max_value == 6 else nn.relu(x)
    if max_value is not None and (threshold or max_value != 6):
        y = math.minimum(math.maximum(y, cast(0.0, x.dtype)), cast(max_value, x.dtype))
    return y if below is None else y - negative_slope * below


def leaky_relu(x: Any, negative_slope: float = 0.2) -> EagerTensor:
    """``x`` where positive, else ``negative_slope * x``."""
    return nn.leaky_relu(convert_to_tensor(x), negative_slope)


def relu6(x: Any) -> EagerTensor:
    """``x`` between 0 and 6."""
    return nn.relu6(convert_to_tensor(x))


def softmax(x: Any, axis: int = -1) -> EagerTensor:
    """Probabilities along an axis."""
    x = convert_to_tensor(x)
    return remember(nn.softmax(x, axis), x)


def log_softmax(x: Any, axis: int = -1) -> EagerTensor:
    """Logarithms of probabilities along an axis."""
    return nn.log_softmax(convert_to_tensor(x), axis)


def sigmoid(x: Any) -> EagerTensor:
    """``1 / (1 + exp(-x))``."""
    x = convert_to_tensor(x)
    return remember(nn.sigmoid(x), x)


def hard_sigmoid(x: Any) -> EagerTensor:
    """``x / 6 + 0.5`` between 0 and 1."""
    x = convert_to_tensor(x)
    return nn.relu6(x + 3.0) / 6.0


def log_sigmoid(x: Any) -> EagerTensor:
    """The logarithm of the sigmoid."""
    return math.log_sigmoid(convert_to_tensor(x))


def tanh(x: Any) -> EagerTensor:
    """The hyperbolic tangent."""
    return math.tanh(convert_to_tensor(x))


def hard_tanh(x: Any) -> EagerTensor:
    """``x`` between -1 and 1."""
    return math.minimum(math.maximum(convert_to_tensor(x), -1.0), 1.0)


def tanh_shrink(x: Any) -> EagerTensor:
    """``x - tanh(x)``."""
    x = convert_to_tensor(x)
    return x - math.tanh(x)


def elu(x: Any, alpha: float = 1.0) -> EagerTensor:
    """``x`` where positive, else ``alpha * (exp(x) - 1)``."""
    x = convert_to_tensor(x)
    y = nn.elu(x)
    return y if alpha == 1 else where(x > 0, y, alpha * y)


def selu(x: Any) -> EagerTensor:
    """The scaled exponential linear unit."""
    return nn.selu(convert_to_tensor(x))


def celu(x: Any, alpha: float = 1.0) -> EagerTensor:
    """``max(x, 0) + alpha * (exp(min(x, 0) / alpha) - 1)``."""
    x = convert_to_tensor(x)
    return math.maximum(x, 0.0) + alpha * math.expm1(math.minimum(x, 0.0) / alpha)


def gelu(x: Any, approximate: bool = False) -> EagerTensor:
    """``x`` times the normal distribution function of ``x``."""
    return nn.gelu(convert_to_tensor(x), approximate)


def silu(x: Any) -> EagerTensor:
    """``x * sigmoid(x)``."""
    return nn.silu(convert_to_tensor(x))


def hard_silu(x: Any) -> EagerTensor:
    """``x * hard_sigmoid(x)``."""
    x = convert_to_tensor(x)
    return x * hard_sigmoid(x)


def mish(x: Any) -> EagerTensor:
    """``x * tanh(softplus(x))``."""
    x = convert_to_tensor(x)
    return x * math.tanh(math.softplus(x))


def softplus(x: Any) -> EagerTensor:
    """``log(1 + exp(x))``."""
    return math.softplus(convert_to_tensor(x))


def softsign(x: Any) -> EagerTensor:
    """``x / (1 + abs(x))``."""
    return nn.softsign(convert_to_tensor(x))


def exponential(x: Any) -> EagerTensor:
    """``exp(x)``."""
    return math.exp(convert_to_tensor(x))


def glu(x: Any, axis: int = -1) -> EagerTensor:
    """The first half of ``x`` along an axis times the sigmoid of the second."""
    first, second = split(convert_to_tensor(x), 2, axis)
    return first * nn.sigmoid(second)


_FUNCTIONS = (
    celu, elu, exponential, gelu, glu, hard_sigmoid, hard_silu, hard_tanh, leaky_relu, linear, log_sigmoid, log_softmax,
    mish, relu, relu6, selu, sigmoid, silu, softmax, softplus, softsign, tanh, tanh_shrink,
)  # fmt: skip
_BY_NAME = {f.__name__: f for f in _FUNCTIONS}
_BY_NAME.update(swish=silu, hard_swish=hard_silu)
swish, hard_swish = silu, hard_silu


def get(identifier: Any) -> Any:
    """A function by its name, or as it is; the linear one for None.  ValueError for what is none."""
    if identifier is None:
        return linear
    found = deserialize(identifier) if isinstance(identifier, dict) else identifier
    if isinstance(found, str):
        found = _BY_NAME.get(found) or (__getattr__(found) if found in _LATER else None)
    if callable(found):
        return found
    raise ValueError(f"Could not interpret activation function identifier: {identifier}")


def serialize(activation: Any) -> str:
    """The name of a function."""
    return activation.__name__


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """The function of a name, or of a configuration.  ValueError when it is not known."""
    from .serializing import deserialized

    return deserialized(config, {**_BY_NAME, **{name: __getattr__(name) for name in _LATER}}, custom_objects)


# Functions of ``keras.ops`` that are loaded when one of them is first used.
_LATER = (
    "hard_shrink", "soft_shrink", "sparse_plus", "sparse_sigmoid", "sparsemax", "squareplus", "threshold",
)  # fmt: skip
__all__ = ["deserialize", "get", "serialize"] + list(_BY_NAME) + list(_LATER)


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    if name in _LATER:
        from .operations import activating

        return getattr(activating, name)
    from .outside import missing

    raise missing("keras.activations", name)
