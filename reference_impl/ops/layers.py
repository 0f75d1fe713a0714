"""Parts of layers: biases, batch normalization, dropout, local response normalization."""

from __future__ import annotations

import math as _math
import numbers
from typing import Any

import numpy as np

from ..errors import invalid
from ..tensors.conversion import convert_to_tensor, unsupported
from ..tensors.tensor import EagerTensor, wrap
from .arguments import taken
from .arithmetic import multiply, realdiv, rsqrt
from .casting import cast
from .declare import MISSING, kernel, public
from .kernels.layer_checks import check_bias
from .kernels.refusals import refuse
from .reductions import summed
from .selection import where


def _channel(rank: int, data_format: str | None) -> int:
    return 1 if data_format is not None and data_format.startswith("NC") else rank - 1


def _biased(x: Any, bias: Any, axis: int) -> Any:
    return x + bias.reshape([-1 if k == axis else 1 for k in range(x.ndim)])


def _to_each(F: Any, dy: Any, axis: int) -> Any:
    """The upstream itself, unless it cannot be added up for the bias, which TensorFlow does in any case."""
    if dy is None:
        raise unsupported(None)
    if type(dy) is EagerTensor and (dy._a.ndim < 2 or dy._a.dtype.kind in "bO"):
        F.bias_add_grad(dy, axis=axis)
    return dy


bias_add_ = kernel(
    "bias_add", "BiasAdd", forward=_biased, sparse=True,
    gradient=(
        lambda F, dy, _y, _x, _b, axis: _to_each(F, dy, axis),
        lambda F, dy, _y, _x, _b, axis: F.bias_add_grad(F.dense(dy), axis=axis),
    ),
)  # fmt: skip


def _spread(F: Any, dy: Any, _y: Any, _x: Any, axis: int) -> Any:
    shape = F.shape(_x)
    kept = tuple(d if k == axis else 1 for k, d in enumerate(shape))
    return F.tile(F.reshape(dy, shape=kept), multiples=tuple(1 if k == axis else d for k, d in enumerate(shape)))


def _per_channel(dy: Any, axis: int) -> Any:
    if dy.ndim < 2:
        raise invalid("BiasAddGrad", f"Input tensor must be at least 2D: [{','.join(map(str, dy.shape))}]")
    return summed(dy, tuple(k for k in range(dy.ndim) if k != axis))


bias_add_grad_ = kernel(
    "bias_add_grad", "BiasAddGrad", gradient=_spread, forward=_per_channel, inputs="out_backprop",
)  # fmt: skip


@public("nn.bias_add")
def bias_add(value: Any, bias: Any, data_format: str | None = None, name: str | None = None) -> EagerTensor:
    """``value`` plus one number for each channel (``tf.nn.bias_add``)."""
    if data_format is not None and not (
        data_format.startswith("NC") or (data_format.startswith("N") and data_format.endswith("C"))
    ):
        raise ValueError(f"`data_format` must be of the form `N...C` or `NC...`. Received: data_format={data_format}")
    x, b = taken("BiasAdd", name, value=value, bias=bias)
    axis = _channel(x._a.ndim, data_format)
    check_bias("BiasAdd", x._a.shape, b._a.shape, axis, name)
    return bias_add_(x, b, axis=axis)


@public("nn.batch_normalization")
def batch_normalization(
    x: Any, mean: Any, variance: Any, offset: Any, scale: Any, variance_epsilon: Any, name: str | None = None
) -> EagerTensor:
    """(x - mean) / sqrt(variance + epsilon), scaled and moved (``tf.nn.batch_normalization``)."""
    x, mean, variance = convert_to_tensor(x), convert_to_tensor(mean), convert_to_tensor(variance)
    inverse = rsqrt(variance + variance_epsilon)
    if scale is not None:
        inverse = inverse * convert_to_tensor(scale)
    shift = convert_to_tensor(offset) - mean * inverse if offset is not None else -mean * inverse
    return x * cast(inverse, x.dtype) + cast(shift, x.dtype)


def _kept(shape: tuple[int, ...], noise_shape: Any) -> tuple[int, ...]:
    if noise_shape is None:
        return shape
    given = [None if n is None else int(n) for n in noise_shape]
    return tuple(d if n is None else n for d, n in zip(shape, given))


@public("nn.dropout")
def dropout(x: Any, rate: Any, noise_shape: Any = None, seed: Any = None, name: str | None = None) -> EagerTensor:
    """Elements set to zero with probability ``rate``, the others divided by 1 - rate (``tf.nn.dropout``).

    Which ones are dropped is drawn by NumPy from ``seed``, not as TensorFlow draws them.  ValueError for integers.
    """
    number = isinstance(rate, numbers.Real)
    if number and not 0 <= rate < 1:
        raise ValueError(f"`rate` must be a scalar tensor or a float in the range [0, 1). Received: rate={rate}")
    x = convert_to_tensor(x)
    if not x.dtype.is_floating:
        raise ValueError(
            f"`x.dtype` must be a floating point tensor as `x` will be scaled. Received: x_dtype={x.dtype}"
        )
    if number and rate == 0:
        return x
    if number:
        scaled = multiply(x, convert_to_tensor(1 / (1 - rate), x.dtype))
    elif type(rate) is EagerTensor:
        rate = cast(rate, x.dtype)
        scaled = realdiv(x, convert_to_tensor(1, x.dtype) - rate)
    else:
        raise ValueError(f"`rate` must be a scalar or scalar tensor. Received: rate={rate}")
    noise = np.random.default_rng(seed).random(_kept(x._a.shape, noise_shape))
    keep = noise >= float(rate._a if type(rate) is EagerTensor else rate)
    return where(wrap(np.asarray(keep)), scaled, convert_to_tensor(0, x.dtype))


# --------------------------------------------------------------------------- local response normalization


def _neighbours(x: Any, radius: int) -> Any:
    """The sum over the channels at most ``radius`` away."""
    channels = np.arange(x.shape[-1])
    near = (np.abs(channels[:, None] - channels) <= radius).astype(x.dtype)
    return np.matmul(x, near)


def _lrn(x: Any, radius: int, bias: float, alpha: float, beta: float) -> Any:
    return x / (bias + alpha * _neighbours(x * x, radius)) ** beta


def _lrn_grad(dy: Any, x: Any, y: Any, radius: int, bias: float, alpha: float, beta: float) -> Any:
    norm = bias + alpha * _neighbours(x * x, radius)
    return dy / norm**beta - 2 * alpha * beta * x * _neighbours(dy * y / norm, radius)


def _check_grads(dy: Any, x: Any) -> None:
    refuse("LRNGrad", dy.ndim != 4, "inputs must be 4-dimensional")
    text = "input_grads, input_image, and out_image should have the same shape"
    refuse("LRNGrad", dy.shape != x.shape, text)


lrn_ = kernel(
    "lrn", "LRN", forward=_lrn,
    gradient=lambda F, dy, y, x, **attributes: F.lrn_grad(dy, x, y, **attributes),
)  # fmt: skip
lrn_grad_ = kernel(
    "lrn_grad", "LRNGrad", forward=_lrn_grad, gradient=MISSING, inputs="input_grads input_image output_image",
    fits=lambda dy, x, y, **_attributes: _check_grads(dy, x),
)  # fmt: skip


@public("nn.local_response_normalization nn.lrn")
def local_response_normalization(
    input: Any, depth_radius: Any = 5, bias: float = 1.0, alpha: float = 1.0, beta: float = 0.5,
    name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """Each element divided by a power of the squares around it (``tf.nn.local_response_normalization``)."""
    (x,) = taken("LRN", name, input=input, depth_radius=depth_radius, bias=bias, alpha=alpha, beta=beta)
    refuse("LRN", x._a.ndim != 4, "in must be 4-dimensional", name)
    radius = 5 if depth_radius is None else int(depth_radius)  # an attribute: a fraction is cut off
    refuse("LRN", radius < 0, f"depth_radius = {radius} larger than int max", name)
    numbers = ((bias, 1.0), (alpha, 1.0), (beta, 0.5))
    bias, alpha, beta = (default if v is None else float(v) for v, default in numbers)
    return lrn_(x, radius=radius, bias=bias, alpha=alpha, beta=beta)


@public("math.scalar_mul scalar_mul")
def scalar_mul(scalar: Any, x: Any, name: str | None = None) -> Any:
    """A number times a tensor or slices (``tf.math.scalar_mul``)."""
    from ..tensors.slices import IndexedSlices

    if type(x) is IndexedSlices:
        return x._map(lambda v: multiply(convert_to_tensor(scalar, v.dtype), v))
    x = convert_to_tensor(x)
    factor = convert_to_tensor(scalar, x.dtype)
    if _math.prod(factor._a.shape) != 1 or factor._a.ndim:
        raise ValueError(f"The input scalar must be a 0-D value. Received shape {factor.shape}.")
    return multiply(factor, x)
