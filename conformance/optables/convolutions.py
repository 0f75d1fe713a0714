"""Rows of the ops whose windows slide over images: convolutions, their transposes, pools, patches."""

from __future__ import annotations

from typing import Any

from conformance.optables.row import INTEGER, NUMERIC, REAL, SIGNED, WIDE, Digits, Fresh, Row, Setting, op_row


def _space(draw: Digits, axes: int) -> tuple[int, ...]:
    return tuple(2 + draw(3) for _ in range(axes))


def _window(draw: Digits, space: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(1 + draw(min(size, 2 + (len(space) < 3))) for size in space)


def _padding(draw: Digits, axes: int, explicit: bool = True) -> Any:
    how = draw(4)
    if how < 3 or not explicit:
        return ("VALID", "SAME")[how % 2]
    return [[0, 0], *([draw(2), draw(2)] for _ in range(axes)), [0, 0]]


def _strides(draw: Digits, axes: int) -> Any:
    how = draw(4)
    if how == 3:
        return [1, *(1 + draw(2) for _ in range(axes)), 1]
    return (1, 2, [1 + draw(2)] * axes)[how]


def _plain(draw: Digits, axes: int, explicit: bool = True) -> Setting:
    """A convolution; one time in four grouped, now and then dilated (which has no gradient on the CPU)."""
    space = _space(draw, axes)
    channels, groups = 1 + draw(2), 2 if draw(4) == 3 and axes == 2 else 1
    window, outputs = _window(draw, space), groups * (1 + draw(2))
    image = Fresh((1 + draw(2), *space, channels * groups))
    named: dict[str, Any] = {"strides": _strides(draw, axes), "padding": _padding(draw, axes, explicit)}
    if draw(12) == 11:
        named |= {"dilations": 2, "strides": 1, "padding": "SAME"}
    return Setting((image, Fresh((*window, channels, outputs))), named)


def conv2d(draw: Digits, dtype: str) -> Setting:
    return _plain(draw, 2)


def conv3d(draw: Digits, dtype: str) -> Setting:
    made = _plain(draw, 3, explicit=False)
    made.named.pop("dilations", None)
    return Setting(made.args, {**made.named, "strides": [1, *(1 + draw(2) for _ in range(3)), 1]})


def conv1d(draw: Digits, dtype: str) -> Setting:
    made = _plain(draw, 1, explicit=False)
    stride = made.named.pop("strides")
    return Setting(made.args, {**made.named, "stride": stride if isinstance(stride, int) else 1})


def convolution(draw: Digits, dtype: str) -> Setting:
    axes = 1 + draw(3)
    made = _plain(draw, axes, explicit=False)
    named = {"padding": made.named["padding"]}
    how = draw(4)
    if how:
        named |= ({"strides": 2}, {"dilations": 2, "padding": "SAME"}, {"strides": [1 + draw(2)] * axes})[how - 1]
    if axes > 1 and draw(2):
        named["data_format"] = ("NHWC", "NDHWC")[axes - 2]
    return Setting(made.args, named)


def atrous(draw: Digits, dtype: str) -> Setting:
    rate = 1 + draw(3)
    made = _plain(draw, 2, explicit=False)
    return Setting(made.args, {"rate": rate, "padding": "SAME" if rate > 1 else made.named["padding"]})


def conv_transpose(draw: Digits, dtype: str) -> Setting:
    return _transposed(draw, 1 + draw(3))


def depthwise(draw: Digits, dtype: str) -> Setting:
    space, channels = _space(draw, 2), 1 + draw(3)
    window = _window(draw, space)
    stride = 1 + draw(2)
    named = {"strides": [1, stride, stride, 1], "padding": _padding(draw, 2)}
    if draw(10) == 9:
        named |= {"dilations": [2, 2], "strides": [1, 1, 1, 1], "padding": "SAME"}
    return Setting((Fresh((1 + draw(2), *space, channels)), Fresh((*window, channels, 1 + draw(2)))), named)


def separable(draw: Digits, dtype: str) -> Setting:
    space, channels, each = _space(draw, 2), 1 + draw(2), 1 + draw(2)
    window = _window(draw, space)
    deep, point = Fresh((*window, channels, each)), Fresh((1, 1, channels * each, 1 + draw(2)))
    named = {"strides": [1, 1, 1, 1], "padding": _padding(draw, 2, explicit=False)}
    return Setting((Fresh((1, *space, channels)), deep, point), named)


def _sizes(space: tuple[int, ...], window: tuple[int, ...], stride: int, padding: str) -> tuple[int, ...]:
    if padding == "SAME":
        return tuple(-(-n // stride) for n in space)
    return tuple((n - k) // stride + 1 for n, k in zip(space, window))


def _transposed(draw: Digits, axes: int) -> Setting:
    space, stride, padding = _space(draw, axes), 1 + draw(2), ("VALID", "SAME")[draw(2)]
    window = _window(draw, space)
    batch, channels, outputs = 1 + draw(2), 1 + draw(2), 1 + draw(2)
    small = _sizes(space, window, stride, padding)
    named = {"output_shape": [batch, *space, outputs], "strides": stride, "padding": padding}
    return Setting((Fresh((batch, *small, channels)), Fresh((*window, outputs, channels))), named)


def conv1d_transpose(draw: Digits, dtype: str) -> Setting:
    return _transposed(draw, 1)


def conv2d_transpose(draw: Digits, dtype: str) -> Setting:
    return _transposed(draw, 2)


def conv3d_transpose(draw: Digits, dtype: str) -> Setting:
    return _transposed(draw, 3)


def _pool(some: int | None = None) -> Any:
    """A pool of so many axes; of any number where none is given."""

    def setting(draw: Digits, dtype: str) -> Setting:
        axes = some or 1 + draw(3)
        space = _space(draw, axes)
        window, stride = _window(draw, space), 1 + draw(2)
        named = {"ksize": list(window), "strides": stride, "padding": ("VALID", "SAME")[draw(2)]}
        return Setting((Fresh((1 + draw(2), *space, 1 + draw(2))),), named)

    return setting


def dilation2d(draw: Digits, dtype: str) -> Setting:
    space, channels, rate = _space(draw, 2), 1 + draw(2), 1 + draw(2)
    window = (1 + draw(2), 1 + draw(2))
    named = {
        "strides": [1, 1 + draw(2), 1, 1],
        "padding": "SAME" if rate > 1 else ("VALID", "SAME")[draw(2)],
        "data_format": "NHWC",
        "dilations": [1, rate, rate, 1],
    }
    return Setting((Fresh((1, *space, channels), "apart"), Fresh((*window, channels))), named)


def extract_patches(draw: Digits, dtype: str) -> Setting:
    space = _space(draw, 2)
    window, rate = _window(draw, space), 1 + draw(2)
    named = {
        "sizes": [1, *window, 1],
        "strides": [1, 1 + draw(3), 1 + draw(3), 1],
        "rates": [1, rate, rate, 1],
        "padding": "SAME" if rate > 1 else ("VALID", "SAME")[draw(2)],
    }
    return Setting((Fresh((1 + draw(2), *space, 1 + draw(2))),), named)


def volume_patches(draw: Digits, dtype: str) -> Setting:
    space = _space(draw, 3)
    window = _window(draw, space)
    named = {
        "input": Fresh((1, *space, 1 + draw(2))),
        "ksizes": [1, *window, 1],
        "strides": [1, 1 + draw(3), 1 + draw(3), 1, 1],
        "padding": ("VALID", "SAME")[draw(2)],
    }
    return Setting((), named)


def fractional(draw: Digits, dtype: str) -> Setting:
    """Windows drawn from a seed: evenly or by one number, apart or overlapping; whole ratios now and then."""
    space = (3 + draw(4), 4 + draw(3))
    ratio = [1.0, (1.5, 1.25, 2.0, 1.0, 2.5)[draw(5)], (1.5, 1.25, 2.0, 1.75)[draw(4)], 1.0]
    named: dict[str, Any] = {"value": Fresh((1 + draw(2), *space, 1 + draw(2))), "pooling_ratio": ratio}
    named |= {"deterministic": True, "seed": 1 + draw(9), "seed2": 2}
    if draw(2):
        named["pseudo_random"] = True
    if draw(3) == 2:
        named["overlapping"] = True
    return Setting((), named, then=("attribute.output",))


# TensorFlow has rules of its own for vectorizing these gradients, which lose the padding, fail on groups and warn.
_VECTORIZED: dict[str, Any] = {"unasked": ("jacobian",)}
_UNTRACED: dict[str, Any] = {"unasked": ("jacobian", "forward_mode")}
_TIED: dict[str, Any] = {"ties": True, "kinks": (1.0, 2.0, 2.0)}

ROWS: tuple[Row, ...] = (
    op_row("nn.conv1d", conv1d, REAL, "bilinear", **_VECTORIZED),
    op_row("nn.conv2d", conv2d, REAL, "bilinear", **_VECTORIZED),
    op_row("nn.conv3d", conv3d, REAL, "bilinear"),
    op_row("nn.convolution", convolution, REAL, "bilinear", **_VECTORIZED),
    op_row("nn.atrous_conv2d", atrous, REAL, "bilinear", **_VECTORIZED),
    op_row("nn.conv_transpose", conv_transpose, REAL, "bilinear", **_VECTORIZED),
    op_row("nn.depthwise_conv2d", depthwise, REAL, "bilinear"),
    op_row("nn.separable_conv2d", separable, REAL, "bilinear"),
    op_row("nn.conv1d_transpose", conv1d_transpose, REAL, "bilinear", **_VECTORIZED),
    op_row("nn.conv2d_transpose", conv2d_transpose, REAL, "bilinear", **_VECTORIZED),
    op_row("nn.conv3d_transpose", conv3d_transpose, REAL, "bilinear"),
    op_row("nn.max_pool1d", _pool(1), SIGNED, "linear", **_TIED),
    op_row("nn.max_pool2d", _pool(2), SIGNED, "linear", **_TIED),
    op_row("nn.max_pool3d", _pool(3), WIDE | {"bfloat16"}, "linear", **_TIED),
    op_row("nn.max_pool", _pool(), WIDE | {"bfloat16"}, "linear", **_TIED),
    op_row("nn.avg_pool", _pool(), WIDE | {"bfloat16"}, "linear"),
    op_row("nn.avg_pool1d", _pool(1), REAL, "linear"),
    op_row("nn.avg_pool2d", _pool(2), REAL, "linear"),
    op_row("nn.avg_pool3d", _pool(3), WIDE | {"bfloat16"}, "linear"),
    op_row("nn.max_pool_with_argmax", _pool(2), SIGNED, "linear", **_TIED, **_VECTORIZED),
    op_row("raw_ops.FractionalMaxPool", fractional, WIDE | INTEGER, "linear", **_TIED, **_UNTRACED),
    op_row("raw_ops.FractionalAvgPool", fractional, WIDE | INTEGER, "linear", **_UNTRACED),
    op_row("nn.dilation2d", dilation2d, SIGNED, "linear", **_VECTORIZED),
    op_row("nn.erosion2d", dilation2d, SIGNED, "linear", **_VECTORIZED),
    op_row("image.extract_patches", extract_patches, NUMERIC, "linear"),
    op_row("raw_ops.ExtractVolumePatches", volume_patches, SIGNED, "linear"),
)
