"""Checks that raise (``tf.debugging``), and rounding to few bits, with its gradients (``tf.quantization``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import invalid
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .arguments import taken
from .declare import kernel, public
from .kernels.layer_checks import check_bits, check_bounds, check_range
from .kernels.refusals import of_unlike_inputs, refuse


def _checked(x: Any, message: str) -> Any:
    nan, infinite = bool(np.any(np.isnan(x))), bool(np.any(np.isinf(x)))
    if nan or infinite:
        what = "Inf and NaN" if nan and infinite else "NaN" if nan else "Inf"
        raise invalid("CheckNumerics", f"{message} : Tensor had {what} values")
    return x


_IN_GRADIENT = "Not a number (NaN) or infinity (Inf) values detected in gradient. "
check_numerics_ = kernel(
    "check_numerics", "CheckNumerics", forward=_checked, inputs="tensor",
    gradient=lambda F, dy, _y, _x, message: F.check_numerics(dy, message=f"{_IN_GRADIENT}{message.encode()!r}"),
)  # fmt: skip


@public("debugging.check_numerics")
def check_numerics(tensor: Any, message: str, name: str | None = None) -> EagerTensor:
    """``tensor`` itself; InvalidArgumentError when it, or later its gradient, holds a nan or an infinity."""
    x = convert_to_tensor(tensor)
    check_numerics_.op.check(x._a.dtype, name)
    return check_numerics_(x, message=message)


# --------------------------------------------------------------------------------------------- fake quantization


def _nudged(low: Any, high: Any, num_bits: int, narrow_range: bool) -> tuple[Any, Any, Any]:
    """The bounds, moved so that zero is one of the steps, and the step."""
    first, last = np.float32(narrow_range), np.float32(2**num_bits - 1)
    low, high = low.astype(np.float32), high.astype(np.float32)
    scale = (high - low) / (last - first)
    zero = np.minimum(np.maximum(first - low / scale, first), last)
    zero = np.floor(zero + np.float32(0.5))
    return (first - zero) * scale, (last - zero) * scale, scale


def _quantized(x: Any, low: Any, high: Any, num_bits: int, narrow_range: bool) -> Any:
    bottom, top, scale = _nudged(low, high, num_bits, narrow_range)
    inside = np.maximum(np.minimum(x, top), bottom) - bottom
    steps = np.floor(inside / scale + np.float32(0.5)) * scale
    return np.where((low == 0) & (high == 0), np.zeros_like(x), steps + bottom)


def _by_numbers(x: Any, low: Any, high: Any, num_bits: int, narrow_range: bool) -> Any:
    """The bounds as arrays of the kind of x: what is made of them is rounded, too."""
    if not x.size:
        return x
    none = np.zeros_like(x.reshape((-1,))[:1])
    return _quantized(x, none + low, none + high, num_bits, narrow_range).reshape(x.shape)


def _within(dy: Any, x: Any, low: Any, high: Any, num_bits: int, narrow_range: bool) -> tuple[Any, Any, Any]:
    bottom, top, _ = _nudged(low, high, num_bits, narrow_range)
    below, above = x < bottom, x > top
    rest = tuple(range(dy.ndim - np.ndim(low)))
    parts = [dy * chosen.astype(dy.dtype) for chosen in (~(below | above), below, above)]
    return parts[0], *(np.add.reduce(p, axis=rest) for p in parts[1:])


def _check_sizes(kernel_name: str, dy: Any, x: Any) -> None:
    """An upstream of fake quantization is as large as what was quantized."""
    refuse(kernel_name, dy.shape != x.shape, of_unlike_inputs(kernel_name, dy.shape, 1, x.shape))


args_gradient = kernel(
    "fake_quant_args_grad", "FakeQuantWithMinMaxArgsGradient", gradient=None, inputs="gradients inputs",
    fits=lambda dy, x, **_bounds: _check_sizes("FakeQuantWithMinMaxArgsGradient", dy, x),
    forward=lambda dy, x, low, high, num_bits, narrow_range: _within(dy, x, low, high, num_bits, narrow_range)[0],
)  # fmt: skip
fake_quant_args = kernel(
    "fake_quant_args", "FakeQuantWithMinMaxArgs", forward=_by_numbers,
    gradient=lambda F, dy, _y, x, **attributes: F.fake_quant_args_grad(dy, x, **attributes),
)  # fmt: skip


def _by_tensors(name: str, kernel_name: str) -> Any:
    back = f"{name}_grad"
    kernel(back, f"{kernel_name}Gradient", forward=_within, gradient=None)
    return kernel(
        name, kernel_name, forward=_quantized,
        gradient=lambda F, dy, _y, x, low, high, **attributes: getattr(F, back)(dy, x, low, high, **attributes),
    )  # fmt: skip


fake_quant_vars = _by_tensors("fake_quant_vars", "FakeQuantWithMinMaxVars")
fake_quant_channels = _by_tensors("fake_quant_channels", "FakeQuantWithMinMaxVarsPerChannel")


@public("quantization.fake_quant_with_min_max_args")
def fake_quant_with_min_max_args(
    inputs: Any, min: float = -6, max: float = 6, num_bits: int = 8, narrow_range: bool = False, name: str | None = None
) -> EagerTensor:
    """float32 numbers rounded to the steps that ``num_bits`` allow between two bounds; the gradient is 1 inside."""
    kernel_name = "FakeQuantWithMinMaxArgs"
    (x,) = taken(kernel_name, name, inputs=inputs, num_bits=num_bits, min=min, max=max, narrow_range=narrow_range)
    num_bits, min, max = (d if v is None else v for v, d in ((num_bits, 8), (min, -6.0), (max, 6.0)))
    text = f"min has to be smaller than max, was: {min:g} >= {max:g}"
    refuse(kernel_name, not min < max, text, name)
    check_bits(kernel_name, int(num_bits), name)
    bounds = {"low": np.float32(min), "high": np.float32(max)}
    return fake_quant_args(x, num_bits=int(num_bits), narrow_range=bool(narrow_range), **bounds)


def _with_bounds(
    op: Any, inputs: Any, low: Any, high: Any, num_bits: int | None, narrow_range: bool, name: str | None
) -> EagerTensor:
    kernel_name = op.op.kernel
    given = {"inputs": inputs, "min": low, "max": high, "num_bits": num_bits, "narrow_range": narrow_range}
    x, low, high = taken(kernel_name, name, **given)
    num_bits = 8 if num_bits is None else int(num_bits)
    check_bits(kernel_name, num_bits, name)
    check_bounds(kernel_name, x._a.shape, low._a.shape, high._a.shape, name)
    return op(x, low, high, num_bits=int(num_bits), narrow_range=bool(narrow_range))


@public("quantization.fake_quant_with_min_max_vars")
def fake_quant_with_min_max_vars(
    inputs: Any, min: Any, max: Any, num_bits: int = 8, narrow_range: bool = False, name: str | None = None
) -> EagerTensor:
    """As with bounds given as numbers; what lies outside passes its gradient to the bound it exceeds."""
    return _with_bounds(fake_quant_vars, inputs, min, max, num_bits, narrow_range, name)


@public("quantization.fake_quant_with_min_max_vars_per_channel")
def fake_quant_with_min_max_vars_per_channel(
    inputs: Any, min: Any, max: Any, num_bits: int = 8, narrow_range: bool = False, name: str | None = None
) -> EagerTensor:
    """As ``fake_quant_with_min_max_vars``, with bounds for each channel of the last axis."""
    return _with_bounds(fake_quant_channels, inputs, min, max, num_bits, narrow_range, name)


def _dequantized(
    x: Any, low: Any, high: Any, signed: bool, num_bits: int, narrow: bool, up: bool
) -> tuple[Any, Any, Any]:
    """x clipped and rounded to the steps (halves up, or to even), and the bounds that were used."""
    bottom = -(2 ** (num_bits - 1)) + int(narrow) if signed else 0
    top = 2 ** (num_bits - 1) - 1 if signed else 2**num_bits - 1
    kind = x.dtype.type
    largest = kind(np.finfo(x.dtype).max)
    by_low = kind(bottom) / low if bottom * low > 0 else largest
    by_high = kind(top) / high if top * high > 0 else largest
    if by_low < by_high:
        scale, step = by_low, low / kind(bottom)
        high = kind(top) * step
    else:
        scale, step = by_high, high / kind(top)
        low = kind(bottom) * step
    steps = np.minimum(np.maximum(x, low), high) * scale
    return (np.floor(steps + kind(0.5)) if up else np.rint(steps)) * step, low, high


quantize_ = kernel(
    "quantize_dequantize", "QuantizeAndDequantizeV4",
    forward=lambda x, low, high, **attributes: _dequantized(x, low, high, **attributes)[0],
    gradient=lambda F, dy, _y, x, low, high, **_: F.quantize_dequantize_grad(dy, x, low, high),
)  # fmt: skip


def _second_order(F: Any, *_: Any, **__: Any) -> Any:
    raise TypeError("_QuantizeAndDequantizeV4GradGrad() takes 2 positional arguments but 4 were given")


quantize_grad_ = kernel(
    "quantize_dequantize_grad", "QuantizeAndDequantizeV4Grad",
    forward=lambda dy, x, low, high: (
        dy * ((x >= low) & (x <= high)).astype(dy.dtype), np.zeros_like(low), np.zeros_like(high)
    ),
    gradient=lambda F, dy, _y, _dy, _x, _low, _high: _second_order(F),
)  # fmt: skip


@public("quantization.quantize_and_dequantize_v2")
def quantize_and_dequantize_v2(
    input: Any, input_min: Any, input_max: Any, signed_input: bool = True, num_bits: int = 8, range_given: bool = False,
    round_mode: str = "HALF_TO_EVEN", name: str | None = None, narrow_range: bool = False, axis: int | None = None,
) -> EagerTensor:  # fmt: skip
    """Numbers rounded to few bits and back; the gradient passes inside the range (one range for all elements only)."""
    if axis not in (None, -1):
        raise NotImplementedError("quantize_and_dequantize_v2 with an axis is not supported here")
    x, low, high = taken(
        "QuantizeAndDequantizeV4", name, input=input, input_min=input_min, input_max=input_max, num_bits=num_bits,
        round_mode=round_mode,
    )  # fmt: skip
    num_bits = 8 if num_bits is None else num_bits
    if range_given:
        check_range("QuantizeAndDequantizeV4", low._a, high._a, name)
    else:
        from .extremes import reduce_max, reduce_min

        low, high = reduce_min(x), reduce_max(x)
    attributes = {"signed": bool(signed_input), "num_bits": int(num_bits), "narrow": bool(narrow_range)}
    return quantize_(x, low, high, up=round_mode == "HALF_UP", **attributes)
