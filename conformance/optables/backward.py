"""Rows of backward kernels under their own names, which programs would reach only by higher orders."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from adapters.arrays import array_of
from conformance.optables.row import NUMERIC, REAL, SIGNED, WIDE, Digits, Fresh, Row, Setting, Span, integers, op_row

SHAPES: tuple[tuple[int, ...], ...] = ((2, 3), (3,), (2, 1, 2), (1, 2), (4, 2))
POSITIVE = Span(0.3, 4.0)


def softplus(draw: Digits, dtype: str) -> Setting:
    shape = SHAPES[draw(len(SHAPES))]
    return Setting((), {"gradients": Fresh(shape), "features": Fresh(shape)})


def bias(draw: Digits, dtype: str) -> Setting:
    """Channels last, or channels second; one axis is refused."""
    named: dict[str, Any] = {"data_format": "NCHW"} if draw(4) == 3 else {}
    shape = ((2, 3), (1, 2, 3), (2, 1, 2, 3), (2, 2, 3, 1), (3,))[draw(9) % 5] if not named else (2, 3, 1, 2)
    return Setting((), {"out_backprop": Fresh(shape), **named})


# ---------------------------------------------------------------- windows


def _window(draw: Digits, axes: int) -> tuple[tuple[int, ...], tuple[int, ...], int, str]:
    """The space, the window, the stride and the padding of a pool."""
    space = tuple(2 + draw(2) for _ in range(axes))
    window = tuple(1 + draw(min(size, 2)) for size in space)
    return space, window, 1 + draw(2), ("VALID", "SAME")[draw(2)]


def _outputs(space: tuple[int, ...], window: tuple[int, ...], stride: int, padding: str) -> tuple[int, ...]:
    if padding == "SAME":
        return tuple(-(-n // stride) for n in space)
    return tuple((n - k) // stride + 1 for n, k in zip(space, window))


def _largest(x: np.ndarray, window: tuple[int, ...], stride: int, padding: str) -> np.ndarray:
    """What a pool makes of (batch, ..., channels)."""
    space = x.shape[1:-1]
    outputs = _outputs(space, window, stride, padding)
    over = [max((m - 1) * stride + k - n, 0) for n, k, m in zip(space, window, outputs)]
    pads = [(one // 2, one - one // 2) if padding == "SAME" else (0, 0) for one in over]
    padded: Any = np.pad(x, [(0, 0), *pads, (0, 0)], constant_values=-np.inf)
    y: Any = np.empty((x.shape[0], *outputs, x.shape[-1]))
    for place in itertools.product(*(range(n) for n in outputs)):
        seen = padded[(slice(None), *(slice(at * stride, at * stride + k) for at, k in zip(place, window)))]
        y[(slice(None), *place)] = seen.max(axis=tuple(range(1, 1 + len(space))))
    return y


def of_max_pool(axes: int, again: bool) -> Any:
    """A pool's input and output that fit, often with ties, or any numbers; then an upstream of either shape."""

    def setting(draw: Digits, dtype: str) -> Setting:
        space, window, stride, padding = _window(draw, axes)
        shape = (1 + draw(2), *space, 1)
        small = (shape[0], *_outputs(space, window, stride, padding), 1)
        x: Any = Fresh(shape)
        y: Any = Fresh(small)
        if draw(3):
            numbers = np.reshape([float(draw(4)) for _ in range(int(np.prod(shape)))], shape)
            x, y = (array_of(v.tolist(), dtype) for v in (numbers, _largest(numbers, window, stride, padding)))
        named = {"orig_input": x, "orig_output": y, "grad": Fresh(shape if again else small)}
        sizes = {"ksize": [1, *window, 1], "strides": [1, *(stride,) * axes, 1], "padding": padding}
        return Setting((), {**named, **sizes})

    return setting


def of_avg_pool(draw: Digits, dtype: str) -> Setting:
    space, window, stride, padding = _window(draw, 3)
    batch, channels = 1 + draw(2), 1 + draw(2)
    upstream = Fresh((batch, *_outputs(space, window, stride, padding), channels))
    sizes = {"ksize": [1, *window, 1], "strides": [1, stride, stride, stride, 1], "padding": padding}
    return Setting((), {"orig_input_shape": integers([batch, *space, channels]), "grad": upstream, **sizes})


def of_depthwise(draw: Digits, dtype: str) -> Setting:
    space, window, stride, padding = _window(draw, 2)
    batch, channels, each = 1 + draw(2), 1 + draw(2), 1 + draw(2)
    upstream = Fresh((batch, *_outputs(space, window, stride, padding), channels * each))
    named = {"filter": Fresh((*window, channels, each)), "out_backprop": upstream}
    sizes = {"strides": [1, stride, stride, 1], "padding": padding}
    return Setting((), {"input_sizes": integers([batch, *space, channels]), **named, **sizes})


def of_batch(draw: Digits, dtype: str) -> Setting:
    """A batch with means and variances that need not be its own."""
    channels = 1 + draw(2)
    shape, channel = (2, 1 + draw(2), 2, channels), Fresh((channels,))
    named: dict[str, Any] = {"y_backprop": Fresh(shape), "x": Fresh(shape, "apart"), "scale": channel}
    named |= {"reserve_space_1": channel, "reserve_space_2": Fresh((channels,), "new", span=POSITIVE)}
    named |= {"reserve_space_3": array_of([0.0], "float32"), **({"epsilon": 0.5} if draw(2) else {})}
    return Setting((), named, then=("attribute.x_backprop",))


FLOAT32 = frozenset({"float32"})
_TIED: dict[str, Any] = {"ties": True, "kinks": (1.0, 2.0, 2.0)}
_UNTRACED: dict[str, Any] = {"unasked": ("jacobian", "forward_mode")}


def _raw(name: str, setting: Any, dtypes: frozenset[str], curve: str, **more: Any) -> Row:
    return op_row(f"raw_ops.{name}", setting, dtypes, curve, **more, **_UNTRACED)


ROWS: tuple[Row, ...] = (
    _raw("SoftplusGrad", softplus, REAL, "curved", kinks=(0.0, -100.0, 100.0)),
    _raw("BiasAddGrad", bias, NUMERIC, "linear"),
    _raw("MaxPoolGrad", of_max_pool(2, again=False), SIGNED, "linear", **_TIED),
    _raw("MaxPoolGradGrad", of_max_pool(2, again=True), SIGNED, "linear", **_TIED),
    _raw("MaxPool3DGrad", of_max_pool(3, again=False), FLOAT32 | {"bfloat16"}, "linear", **_TIED),
    _raw("MaxPool3DGradGrad", of_max_pool(3, again=True), WIDE | {"bfloat16"}, "linear", **_TIED),
    _raw("AvgPool3DGrad", of_avg_pool, WIDE, "linear"),
    _raw("DepthwiseConv2dNativeBackpropInput", of_depthwise, REAL, "bilinear"),
    _raw("FusedBatchNormGradV3", of_batch, FLOAT32, "curved"),
)
