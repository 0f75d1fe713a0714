"""Rows of functions that TensorFlow makes of other ops: adjusted and compared images, windows and frames of signals.

They are drawn seldom: what they are made of has rows of its own.
"""

from __future__ import annotations

from typing import Any

from adapters.arrays import array_of
from conformance.optables.row import (
    COMPLEX,
    FLOATING,
    NUMERIC,
    REAL,
    SIGNED,
    WIDE,
    WIDE_NUMBERS,
    Digits,
    DType,
    Fresh,
    Row,
    Setting,
    Span,
    integers,
    op_row,
)

UNIT = Span(0.0, 1.0)
NARROW = frozenset({"float32", "float16"})
SUMMED = NARROW | {"bfloat16"}  # float32 sums in the middle say too little about float64


def picture(channels: int = 0, least: int = 1, batch: bool = True, more: Any = None) -> Any:
    """An image or two of them, of few pixels; `more` gives what follows it, by position and by name."""

    def setting(draw: Digits, dtype: str) -> Setting:
        lead = (1 + draw(2),) if draw(2) and batch else ()
        shape = (*lead, least + draw(3), least + 1 + draw(2), channels or 1 + draw(2))
        args, named = more(draw, shape) if more else ((), {})
        return Setting((Fresh(shape, span=UNIT), *args), named)

    return setting


def batches(least: int, more: Any = None) -> Any:
    """A batch of images, always with its axis."""

    def setting(draw: Digits, dtype: str) -> Setting:
        shape = (1 + draw(2), least + draw(2), least + draw(3), 1 + draw(2))
        args, named = more(draw, shape) if more else ((), {})
        return Setting((Fresh(shape, span=UNIT), *args), named)

    return setting


def _turns(draw: Digits, shape: tuple[int, ...]) -> Any:
    return (), {"k": draw(5) - 1} if draw(4) else {}


def _fraction(draw: Digits, shape: tuple[int, ...]) -> Any:
    return ((0.5, 0.75, 0.3, 1.0, 0.0)[draw(20) % 5 if draw(4) == 3 else draw(4)],), {}


def _inside(draw: Digits, shape: tuple[int, ...]) -> Any:
    rows, columns = shape[-3:-1]
    top, left = draw(rows), draw(columns)
    size = 1 + draw(rows - top), 1 + draw(columns - left)
    return (top, left, size[0] + (draw(24) == 23), size[1]), {}


def _around(draw: Digits, shape: tuple[int, ...]) -> Any:
    rows, columns = shape[-3:-1]
    top, left = draw(3), draw(3)
    return (top, left, rows + top + draw(3) - (draw(24) == 23), columns + left + draw(3)), {}


def _target(draw: Digits, shape: tuple[int, ...]) -> Any:
    return (draw(24) % 5 + (draw(24) < 23), 1 + draw(5)), {}


def _target_by(draw: Digits, shape: tuple[int, ...]) -> Any:
    return (5 - draw(5), 5 - draw(5)), {"method": ("bilinear", "nearest", "bicubic")[draw(3)]} if draw(2) else {}


def _number(values: tuple[float, ...], word: str = "") -> Any:
    def more(draw: Digits, shape: tuple[int, ...]) -> Any:
        value = values[draw(len(values))]
        return ((), {word: value}) if word else ((value,), {})

    return more


def _gamma(draw: Digits, shape: tuple[int, ...]) -> Any:
    named: dict[str, Any] = {"gain": (0.5, 2.0)[draw(2)]} if draw(2) else {}
    return (), {"gamma": (1.0, 0.5, 2.0, 2.2, -1.0)[draw(24) % 5 if draw(4) == 3 else draw(4)], **named}


def _dtype(draw: Digits, shape: tuple[int, ...]) -> Any:
    named: dict[str, Any] = {"saturate": True} if draw(3) == 2 else {}
    return (DType(("float32", "float64", "float16", "bfloat16")[draw(4)]),), named


def _second(top: tuple[float, ...]) -> Any:
    def more(draw: Digits, shape: tuple[int, ...]) -> Any:
        return (Fresh(shape, span=UNIT), top[draw(len(top))]), {}

    return more


def _filtered(draw: Digits, shape: tuple[int, ...]) -> Any:
    named: dict[str, Any] = {"filter_size": 2 + draw(2), "filter_sigma": (1.5, 0.5)[draw(2)]}
    if draw(4) == 3:
        named["return_index_map"] = True
    return (Fresh(shape, span=UNIT), (1.0, 2.0)[draw(2)]), named | _steadied(draw)


def _scales(draw: Digits, shape: tuple[int, ...]) -> Any:
    named: dict[str, Any] = {"filter_size": 2, "power_factors": [[0.5, 0.5], [1.0], [0.25, 0.75]][draw(3)]}
    return (Fresh(shape, span=UNIT), 1.0), named | _steadied(draw)


def _steadied(draw: Digits) -> dict[str, Any]:
    """Mostly such weights of luminance and contrast that quotients of small variances are well-conditioned."""
    return {"k1": (0.125, 0.25)[draw(2)], "k2": (0.5, 0.75)[draw(2)]} if draw(4) else {}


_SELDOM: dict[str, Any] = {"unasked": ("jacobian", "forward_mode")}
_POSITIVE = (0.0, 0.5, 1.0)

PICTURES: tuple[Row, ...] = (
    op_row("image.rot90", picture(more=_turns), NUMERIC, "linear"),
    op_row("image.transpose", picture(), NUMERIC, "linear"),
    op_row("image.central_crop", picture(more=_fraction), NUMERIC, "linear"),
    op_row("image.crop_to_bounding_box", picture(more=_inside), NUMERIC, "linear"),
    op_row("image.pad_to_bounding_box", picture(more=_around), NUMERIC, "linear"),
    op_row("image.resize_with_crop_or_pad", picture(more=_target), NUMERIC, "linear"),
    op_row("image.resize_with_pad", picture(more=_target_by), WIDE, "linear", **_SELDOM),
    op_row("image.rgb_to_grayscale", picture(3), REAL - {"float64"}, "linear"),
    op_row("image.grayscale_to_rgb", picture(1), NUMERIC, "linear"),
    op_row("image.rgb_to_yiq", picture(3), FLOATING, "linear"),
    op_row("image.yiq_to_rgb", picture(3), FLOATING, "linear"),
    op_row("image.rgb_to_yuv", picture(3), FLOATING, "linear"),
    op_row("image.yuv_to_rgb", picture(3), FLOATING, "linear"),
    op_row("image.hsv_to_rgb", picture(3), REAL, "cut"),
    op_row("image.convert_image_dtype", picture(more=_dtype), SIGNED, "linear"),
    op_row("image.adjust_brightness", picture(more=_number((0.25, -0.5, 0.1))), SIGNED, "linear"),
    op_row("image.adjust_gamma", picture(more=_gamma), REAL, "curved", _POSITIVE),
    op_row("image.adjust_contrast", picture(more=_number((0.5, 2.0, 0.0))), SIGNED, "cut", **_SELDOM),
    op_row("image.adjust_saturation", picture(3, more=_number((0.5, 2.0, 0.0))), SIGNED, "cut", **_SELDOM),
    op_row("image.per_image_standardization", picture(), NUMERIC, "curved", (), True, **_SELDOM),
    op_row("image.total_variation", picture(), NUMERIC, "curved", (0.0, 0.5), True),
    op_row("image.image_gradients", batches(1), NUMERIC, "linear"),
    op_row("image.sobel_edges", batches(2), REAL, "linear", **_SELDOM),
    op_row("image.psnr", picture(more=_second((1.0, 2.0, 255.0))), SIGNED, "curved", _POSITIVE, True, **_SELDOM),
    op_row("image.ssim", picture(least=3, more=_filtered), WIDE, "curved", **_SELDOM),
    op_row("image.ssim_multiscale", picture(least=4, more=_scales), WIDE, "curved", **_SELDOM),
)


# ----------------------------------------------------------------------------------------------------------- signals


def framed(draw: Digits, dtype: str) -> Setting:
    """Windows that overlap, touch, or leave gaps; the signal long enough, or too short for one."""
    named: dict[str, Any] = {"frame_length": 1 + draw(4), "frame_step": 1 + draw(3)}
    shape = (*((), (2,), (1, 2))[draw(3)], 3 + draw(5))
    if draw(3) == 2:
        named["pad_end"] = True
        if draw(2):
            named["pad_value"] = 1.5
    if len(shape) > 1 and draw(3) == 2:
        named["axis"] = 0
    return Setting((Fresh(shape),), named)


def overlapped(draw: Digits, dtype: str) -> Setting:
    return Setting((Fresh((*((), (2,))[draw(2)], 1 + draw(3), 1 + draw(4))), 1 + draw(4)))


def short_time(draw: Digits, dtype: str) -> Setting:
    named: dict[str, Any] = {"frame_length": 2 + draw(4), "frame_step": 1 + draw(3)}
    if draw(3) == 2:
        named["fft_length"] = named["frame_length"] + draw(3)
    if draw(3) == 2:
        named["pad_end"] = True
    if draw(3) == 2:
        named["window_fn"] = None
    return Setting((Fresh((*((), (2,))[draw(2)], 6 + draw(4))),), named)


def short_time_back(draw: Digits, dtype: str) -> Setting:
    points = (2, 4, 8)[draw(3)]
    named: dict[str, Any] = {"frame_length": points - draw(2), "frame_step": 1 + draw(3), "fft_length": points}
    if draw(3) == 2:
        named["window_fn"] = None
    return Setting((Fresh((*((), (2,))[draw(2)], 1 + draw(3), points // 2 + 1)),), named)


def cosine(draw: Digits, dtype: str) -> Setting:
    """Each type, cut, padded, normalised."""
    named: dict[str, Any] = {"type": (2, 3, 4, 1)[draw(4)]}
    if draw(3) == 2:
        named["n"] = 2 + draw(5)
    if draw(3) == 2:
        named["norm"] = "ortho"
    return Setting((Fresh((*((), (2,))[draw(2)], 2 + draw(4))),), named)


def modified(back: bool) -> Any:
    def setting(draw: Digits, dtype: str) -> Setting:
        named: dict[str, Any] = {"norm": "ortho"} if draw(2) else {}
        if draw(3) == 2:
            named["window_fn"] = None
        if back:
            return Setting((Fresh((1 + draw(3), (2, 4)[draw(2)])),), named)
        return Setting((Fresh((*((), (2,))[draw(2)], 6 + draw(4))), 4), named)

    return setting


def cepstral(draw: Digits, dtype: str) -> Setting:
    return Setting((Fresh((*((), (2,))[draw(2)], 1 + draw(4))),))


SIGNALS: tuple[Row, ...] = (
    op_row("signal.frame", framed, FLOATING, "linear"),
    op_row("signal.overlap_and_add", overlapped, NUMERIC, "linear"),
    op_row("signal.stft", short_time, WIDE, "linear", result="complex", **_SELDOM),
    op_row("signal.inverse_stft", short_time_back, COMPLEX, "linear", result="real", **_SELDOM),
    op_row("signal.dct", cosine, WIDE, "linear", **_SELDOM),
    op_row("signal.idct", cosine, WIDE, "linear", **_SELDOM),
    op_row("signal.mdct", modified(False), WIDE, "linear", **_SELDOM),
    op_row("signal.inverse_mdct", modified(True), WIDE, "linear", **_SELDOM),
    op_row("signal.mfccs_from_log_mel_spectrograms", cepstral, WIDE, "linear", **_SELDOM),
)

# ------------------------------------------------------------------------------------------------- neural networks


def summed(draw: Digits, dtype: str) -> Setting:
    named: dict[str, Any] = {"axes": [[0], [0, 1], [-1], [1]][draw(4)]}
    if draw(3) == 2:
        named["shift"] = Fresh((), span=Span(-1.0, 1.0))
    if draw(3) == 2:
        named["keepdims"] = True
    return Setting((Fresh((1 + draw(3), 1 + draw(3))),), named)


def moments(draw: Digits, dtype: str) -> Setting:
    shift = Fresh((), span=Span(-1.0, 1.0)) if draw(2) else None
    shape = ((3,), (), (2, 2))[draw(3)]
    return Setting((Fresh((), span=Span(1.0, 6.0)), Fresh(shape), Fresh(shape), shift))


def normalized(draw: Digits, dtype: str) -> Setting:
    """A batch of images with a mean, a variance, a shift and a scale for each channel."""
    depth = 1 + draw(2)
    channel = Fresh((depth,))
    spread = Fresh((depth,), span=Span(0.5, 3.0))
    image = Fresh((1 + draw(2), 1 + draw(2), 2, depth))
    return Setting((image, channel, spread, channel, channel, 0.25, bool(draw(2))))


def averaged(draw: Digits, dtype: str) -> Setting:
    count = 1 + draw(4)
    shape = (count,) if draw(3) else (count, 2)
    named: dict[str, Any] = {}
    if draw(2):
        named["global_batch_size"] = draw(5)
    if draw(3) == 2:
        named["sample_weight"] = Fresh((count,), span=Span(0.0, 2.0))
    return Setting((Fresh(shape),), named)


def whole(draw: Digits, dtype: str) -> Setting:
    return Setting((Fresh(((3,), (), (2, 2))[draw(3)]),))


def pooled(draw: Digits, dtype: str) -> Setting:
    """Windows of one to three axes, dilated, or apart, or neither."""
    axes = (2, 1, 3)[draw(3)]
    window = [1 + draw(2) for _ in range(axes)]
    named: dict[str, Any] = {"window_shape": window, "pooling_type": ("MAX", "AVG")[draw(2)]}
    match draw(3):
        case 1:
            named["strides"] = [1 + draw(w) for w in window]
            named["padding"] = "SAME"
        case 2:
            named["dilations"] = [1 + draw(2) for _ in range(axes)]
    space = (3 + draw(2) for _ in range(axes))
    return Setting((Fresh((1 + draw(2), *space, 1 + draw(2))),), named)


def spread_atrous(draw: Digits, dtype: str) -> Setting:
    rate, size, depth = 1 + draw(2), 1 + draw(2), 1 + draw(2)
    rows, columns = 3 + draw(2), 4 + draw(2)
    padding = ("SAME", "VALID")[draw(2)]
    less = (size - 1) * rate if padding == "VALID" else 0
    value = Fresh((1, rows - less, columns - less, depth))
    return Setting((value, Fresh((size, size, 2, depth)), [1, rows, columns, 2], rate, padding))


def depthwise(by_filter: bool) -> Any:
    """The gradient of a depthwise convolution by its input or by its filter, as an op of its own."""

    def setting(draw: Digits, dtype: str) -> Setting:
        size, step, depth, times = 1 + draw(2), 1 + draw(2), 1 + draw(2), 1 + draw(2)
        padding = ("SAME", "VALID")[draw(2)]
        outputs = -(-4 // step) if padding == "SAME" else -(-(5 - size) // step)
        shapes = (1, 4, 4, depth), (size, size, depth, times)
        upstream = Fresh((1, outputs, outputs, depth * times))
        strides = [1, step, step, 1]
        if by_filter:
            return Setting((Fresh(shapes[0]), list(shapes[1]), upstream, strides, padding))
        return Setting((list(shapes[0]), Fresh(shapes[1]), upstream, strides, padding))

    return setting


def sampled(draw: Digits, dtype: str) -> Setting:
    """Two rows, their true classes, and a sample of others, which may hit the true ones."""
    true = 1 + draw(2)
    labels = [[draw(5) for _ in range(true)] for _ in range(2)]
    chosen = integers([draw(5) for _ in range(3)], "int64")
    expected = [[0.5, 0.25][:true] for _ in labels]
    values = (chosen, array_of(expected, dtype), array_of([0.5, 0.25, 0.125], dtype))
    named: dict[str, Any] = {"num_true": true, "sampled_values": values}
    if draw(3):
        named["remove_accidental_hits"] = bool(draw(2))
    operands = Fresh((5, 2)), Fresh((5,)), integers(labels, "int64"), Fresh((2, 2))
    return Setting((*operands, 3, 5), named)


def temporal(draw: Digits, dtype: str) -> Setting:
    """Sequences and dense labels, most of them of fewer steps than there are; the blank anywhere."""
    times, batch, classes = 2 + draw(3), 1 + draw(2), 2 + draw(2)
    blank = draw(classes)
    others = [c for c in range(classes) if c != blank]
    most = 1 + draw(2)
    labels = [[others[draw(len(others))] for _ in range(most)] for _ in range(batch)]
    named: dict[str, Any] = {"label_length": integers([most - draw(2) * draw(2) for _ in labels])}
    named |= {"logit_length": integers([times - draw(2) * draw(2) for _ in labels])}
    if blank or draw(2):
        named["blank_index"] = blank - classes * draw(2)
    shape = (times, batch, classes)
    if draw(4) == 3:
        shape, named["logits_time_major"] = (batch, times, classes), False
    return Setting((integers(labels), Fresh(shape)), named)


NETWORKS: tuple[Row, ...] = (
    op_row("nn.sufficient_statistics", summed, NUMERIC, "curved"),
    op_row("nn.normalize_moments", moments, FLOATING, "curved"),
    op_row("nn.batch_norm_with_global_normalization", normalized, FLOATING, "curved"),
    op_row("nn.compute_average_loss", averaged, NUMERIC, "linear", **_SELDOM),
    op_row("nn.scale_regularization_loss", whole, NUMERIC, "linear"),
    op_row("nn.pool", pooled, WIDE | {"bfloat16"}, "curved", (), True, **_SELDOM),
    op_row("nn.atrous_conv2d_transpose", spread_atrous, REAL, "bilinear", **_SELDOM),
    op_row("nn.depthwise_conv2d_backprop_input", depthwise(False), REAL, "bilinear", **_SELDOM),
    op_row("nn.depthwise_conv2d_backprop_filter", depthwise(True), REAL, "bilinear", **_SELDOM),
    op_row("nn.nce_loss", sampled, REAL, "curved", **_SELDOM),
    op_row("nn.sampled_softmax_loss", sampled, REAL, "curved", **_SELDOM),
    op_row("nn.ctc_loss", temporal, frozenset({"float32"}), "curved", **_SELDOM),
)


# --------------------------------------------------------------------------------------------------------- matrices


def decomposed(solved: bool) -> Any:
    """Packed triangles and an order of rows; a batch of them now and then."""

    def setting(draw: Digits, dtype: str) -> Setting:
        size, lead = 1 + draw(3), ((), (2,), ())[draw(3)]
        orders = [[(k + shift) % size for k in range(size)] for shift in (draw(3), draw(3))]
        packed = Fresh((*lead, size, size), "well")
        perm = integers(orders if lead else orders[0])
        return Setting((packed, perm, Fresh((*lead, size, 1 + draw(2)))) if solved else (packed, perm))

    return setting


MATRICES: tuple[Row, ...] = (
    op_row("linalg.lu_solve", decomposed(True), WIDE_NUMBERS, "curved", **_SELDOM),
    op_row("linalg.lu_matrix_inverse", decomposed(False), WIDE_NUMBERS, "curved", **_SELDOM),
    op_row("linalg.lu_reconstruct", decomposed(False), NUMERIC, "bilinear", **_SELDOM),
)


# ------------------------------------------------------------------------------------------------------ activations


def steep(draw: Digits, dtype: str) -> Setting:
    """A swish whose steepness is a number of its own."""
    return Setting((Fresh(((2, 3), (3,), (), (2, 1, 2))[draw(4)]),), {"beta": Fresh((), span=Span(0.25, 2.0))})


ACTIVATIONS: tuple[Row, ...] = (op_row("nn.swish", steep, WIDE, "curved", (0.0,)),)

ROWS: tuple[Row, ...] = PICTURES + SIGNALS + NETWORKS + MATRICES + ACTIVATIONS
