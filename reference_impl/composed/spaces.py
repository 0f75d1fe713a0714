"""Pools and convolutions of one to three axes, dilated by moving blocks of space into the batch (``tf.nn``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import invalid
from ..ops.blocks import batch_to_space, space_to_batch
from ..ops.convolutions import _transposed, conv2d_transpose, sequence
from ..ops.declare import public, tensors
from ..ops.kernels import windows
from ..ops.kernels.windows import Slide
from ..ops.pooling import avg_pool2d, avg_pool3d, max_pool2d, max_pool3d
from ..ops.shaping import ints
from ..ops.squeezing import expand_dims, squeeze
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor


def _base(padding: Any, rates: np.ndarray, filter_shape: Any) -> list[tuple[int, int]]:
    """The paddings of a dilated window, before those that make space divisible."""
    n = len(rates)
    if padding == "SAME":
        if filter_shape is None:
            raise ValueError(
                f"`filter_shape` must be specified for `padding='SAME'`. Received: filter_shape={filter_shape} "
                f"and padding={padding}"
            )
        extra = [(int(k) - 1) * int(r) for k, r in zip(ints(filter_shape)[:n], rates)]
        return [(e // 2, e - e // 2) for e in extra]
    if padding == "VALID":
        return [(0, 0)] * n
    raise ValueError(f"`padding` must be one of 'SAME' or 'VALID'. Received: padding={padding}")


def _dims(spatial_dims: Any, n: int) -> list[int]:
    given = list(range(1, n + 1)) if spatial_dims is None else list(spatial_dims)
    ordered = sorted({int(d) for d in given})
    if ordered != given or any(d < 1 for d in ordered):
        raise ValueError(
            "`spatial_dims` must be a monotonically increasing sequence of positive integers. "
            f"Received: spatial_dims={given}"
        )
    return ordered


@public("nn.with_space_to_batch")
def with_space_to_batch(
    input: Any, dilation_rate: Any, padding: Any, op: Callable[..., Any], filter_shape: Any = None,
    spatial_dims: Any = None, data_format: str | None = None,
) -> EagerTensor:  # fmt: skip
    """``op(input, axes of space, padding)`` on every ``dilation_rate``-th element (``tf.nn.with_space_to_batch``).

    ValueError for rates below 1, for axes out of order and for an input of too few.
    """
    x, given = convert_to_tensor(input), convert_to_tensor(dilation_rate)
    if given._a.ndim != 1:
        raise ValueError(
            f"`dilation_rate.shape.rank` must be 1. Received: dilation_rate={given} of rank {given._a.ndim}"
        )
    rates = np.asarray(given._a)
    dims = _dims(spatial_dims, len(rates))
    if x._a.ndim < dims[-1] + 1:
        raise ValueError(
            f"`input.shape.rank` must be at least {dims[-1] + 1}. Received: input.shape={x.shape} with rank {x._a.ndim}"
        )
    if (rates < 1).any():
        raise ValueError(f"`dilation_rate` must be positive. Received: dilation_rate={rates}")
    if (rates == 1).all():
        return op(x, len(rates), padding)
    base = _base(padding, rates, filter_shape)
    extra = [-(x._a.shape[d] + a + b) % int(r) for d, (a, b), r in zip(dims, base, rates)]
    wide = dims[-1]
    blocks, pads, crops = [1] * wide, [[0, 0] for _ in range(wide)], [[0, 0] for _ in range(wide)]
    for d, rate, (a, b), e in zip(dims, rates, base, extra):
        blocks[d - 1], pads[d - 1], crops[d - 1] = int(rate), [a, b + e], [0, e]
    return batch_to_space(op(space_to_batch(x, blocks, pads), len(rates), "VALID"), blocks, crops)


def _per_axis(value: Any, n: int, name: str) -> np.ndarray:
    if value is not None and len(value) != n:
        raise ValueError(f"`len({name})` should be {n}. Received: {name}={value} of length {len(value)}")
    found = np.array([1] * n if value is None else value, np.int32)
    if (found < 1).any():
        raise ValueError(f"all values of `{name}` must be positive. Received: {name}={found}")
    return found


_POOLS = {("MAX", 1): max_pool2d, ("MAX", 2): max_pool2d, ("MAX", 3): max_pool3d}
_POOLS |= {("AVG", 1): avg_pool2d, ("AVG", 2): avg_pool2d, ("AVG", 3): avg_pool3d}


def _checked(window: Any, rates: np.ndarray, steps: np.ndarray, padding: Any) -> None:
    if (steps > 1).any() and (rates > 1).any():
        raise ValueError(
            "`strides > 1` not supported in conjunction with `dilation_rate > 1`. "
            f"Received: strides={steps} and dilation_rate={rates}"
        )
    if padding == "SAME" and (rates > 1).any():
        raise ValueError(
            "pooling with 'SAME' padding is not implemented for `dilation_rate` > 1. "
            f"Received: padding={padding} and dilation_rate={rates}"
        )
    if (steps > window).any():
        raise ValueError(
            "`strides` > `window_shape` not supported due to inconsistency between CPU and GPU implementations. "
            f"Received: strides={steps} and window_shape={window}"
        )


@public("nn.pool")
def pool(
    input: Any, window_shape: Any, pooling_type: str, strides: Any = None, padding: str = "VALID",
    data_format: str | None = None, dilations: Any = None, name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """The largest element or the mean of windows of one to three axes, which may be dilated (``tf.nn.pool``).

    ValueError for other kinds than MAX and AVG and for strides together with dilations.
    """
    x, n = convert_to_tensor(input), len(window_shape)
    if not 1 <= n <= 3:
        raise ValueError(
            f"`len(window_shape)` must be 1, 2, or 3. Received: window_shape={window_shape} of length {n}"
        )  # fmt: skip
    x.shape.with_rank(n + 2)
    rates, steps = _per_axis(dilations, n, "dilation_rate"), _per_axis(strides, n, "strides")
    _checked(window_shape, rates, steps, padding)
    function = _POOLS.get((pooling_type, n))
    if function is None:
        raise ValueError(f"{n}-D {pooling_type} pooling is not supported.")
    if n == 1 and data_format not in (None, "NWC", "NCW"):
        raise ValueError(f"data_format must be either 'NWC' or 'NCW'. Received: data_format={data_format}")
    size, hops = ([1] * (n == 1) + [int(v) for v in values] for values in (window_shape, steps))

    def windowed(converted: EagerTensor, _n: int, kind: str) -> EagerTensor:
        converted = expand_dims(converted, 1) if n == 1 else converted
        result = function(converted, [1, *size, 1], [1, *hops, 1], kind)
        return squeeze(result, [1]) if n == 1 else result

    return with_space_to_batch(x, rates, padding, windowed, window_shape, range(1, n + 1))


def _around(padding: Any, size: tuple[int, ...], rate: int) -> list[tuple[int, int]]:
    if padding not in ("SAME", "VALID"):
        raise ValueError(f"`padding` must be either 'VALID' or 'SAME'. Received: padding={padding}")
    extra = [(k - 1) * rate if padding == "SAME" else 0 for k in size]
    return [(e // 2, e - e // 2) for e in extra]


@public("nn.atrous_conv2d_transpose")
def atrous_conv2d_transpose(
    value: Any, filters: Any, output_shape: Any, rate: int, padding: str, name: str | None = None
) -> EagerTensor:
    """The transpose of ``atrous_conv2d`` (``tf.nn.atrous_conv2d_transpose``).  ValueError for sizes that do not fit."""
    x, w = convert_to_tensor(value), convert_to_tensor(filters)
    have, want = x._a.shape[3], w._a.shape[3]
    if have != want:
        raise ValueError(
            "`value` channel count must be compatible with `filters` input channel count. Received: "
            f"value.shape={x.shape} with channel count {have} and filters.shape={w.shape} with input "
            f"channel count {want}."
        )
    if rate < 1:
        raise ValueError(f"`rate` cannot be less than one. Received: rate={rate}")
    if rate == 1:
        return conv2d_transpose(x, w, output_shape, [1, 1, 1, 1], padding)
    shape = ints(output_shape)
    if len(shape) != 4:
        raise ValueError(f"`output_shape` must have shape (4,). Received: output_shape={(len(shape),)}")
    if isinstance(output_shape, (list, tuple, np.ndarray)) and w._a.shape[2] != shape[3]:
        raise ValueError(
            "`output_shape` channel count must be compatible with `filters` output channel count. Received: "
            f"output_shape={list(shape)} with channel count {shape[3]} and filters.shape={w.shape} with output channel "
            f"count {want}."
        )
    pads = _around(padding, w._a.shape[:2], rate)
    space = [d + a + b for d, (a, b) in zip(shape[1:3], pads)]
    extra = [-d % rate for d in space]
    x = space_to_batch(x, [rate, rate], [[0, e] for e in extra])
    sizes = (rate * rate * shape[0], *((d + e) // rate for d, e in zip(space, extra)), shape[3])
    x = _transposed("conv2d", "Conv2DBackpropInput", x, w, sizes, (1, 1, 1, 1), "VALID", (1, 1, 1, 1))
    return batch_to_space(x, [rate, rate], [[a, b + e] for (a, b), e in zip(pads, extra)])


def _check_strides(kernel: str, strides: Any, name: str | None) -> None:
    """InvalidArgumentError unless there are four, of which the inner two are one size and the outer ones 1."""
    steps, text = ints(strides), ""
    if len(steps) != 4:
        text = "Sliding window strides field must specify 4 dimensions"
    elif steps[1] != steps[2]:
        text = "Current implementation only supports equal length strides in the row and column dimensions."
    elif (steps[0], steps[3]) != (1, 1):
        text = "Current implementation does not yet support strides in the batch and depth dimensions."
    if text:
        raise invalid(kernel, text, name)


def _depthwise(shape: tuple[int, ...], size: tuple[int, ...], strides: Any, padding: Any, dilations: Any) -> Slide:
    steps, rates = sequence(strides, 2, "strides"), sequence(dilations, 2, "dilations")
    return windows.sliding(padding, shape[1:-1], size, steps, rates)


@public("nn.depthwise_conv2d_backprop_input")
def depthwise_conv2d_backprop_input(
    input_sizes: Any, filter: Any, out_backprop: Any, strides: Any, padding: Any, data_format: str = "NHWC",
    dilations: Any = (1, 1, 1, 1), name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """The gradient of ``depthwise_conv2d`` by its input (``tf.nn.depthwise_conv2d_backprop_input``)."""
    w, dy, shape = convert_to_tensor(filter), convert_to_tensor(out_backprop), ints(input_sizes)
    _check_strides("DepthwiseConv2dNativeBackpropInput", strides, name)
    slide = _depthwise(shape, w._a.shape[:2], strides, padding, dilations)
    return tensors.depthwise_input(w, dy, shape=shape, slide=slide)


@public("nn.depthwise_conv2d_backprop_filter")
def depthwise_conv2d_backprop_filter(
    input: Any, filter_sizes: Any, out_backprop: Any, strides: Any, padding: Any, data_format: str = "NHWC",
    dilations: Any = (1, 1, 1, 1), name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """The gradient of ``depthwise_conv2d`` by its filter (``tf.nn.depthwise_conv2d_backprop_filter``)."""
    x, dy, shape = convert_to_tensor(input), convert_to_tensor(out_backprop), ints(filter_sizes)
    _check_strides("DepthwiseConv2dNativeBackpropFilter", strides, name)
    for k, size in enumerate(shape):
        if size < 0:
            raise invalid("DepthwiseConv2dNativeBackpropFilter", f"Dimension {k} of filter_sizes must be >= 0", name)
    slide = _depthwise(x._a.shape, shape[:2], strides, padding, dilations)
    return tensors.depthwise_filter(x, dy, shape=shape, slide=slide)
