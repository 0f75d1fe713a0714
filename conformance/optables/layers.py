"""Rows of what neural networks are made of: normalisations, losses, biases, blocks of space, quantized numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from adapters.arrays import array_of
from conformance.optables.row import FLOATING, NUMERIC, REAL, SIGNED, WIDE, Digits, Fresh, Row, Setting, Span, op_row

POSITIVE = Span(0.3, 4.0)
SHAPES: tuple[tuple[int, ...], ...] = ((2, 3), (3,), (2, 1, 2), (1, 2), (4, 2), (0, 2))


def _shape(draw: Digits) -> tuple[int, ...]:
    return SHAPES[draw(len(SHAPES))]


# ---------------------------------------------------------------- normalisations


def moments(draw: Digits, dtype: str) -> Setting:
    shape = ((2, 3), (3, 2, 2))[draw(2)]
    named: dict[str, Any] = {"keepdims": True} if draw(3) == 2 else {}
    return Setting((Fresh(shape), ([0], [0, 1], [1])[draw(3)]), named)


def weighted_moments(draw: Digits, dtype: str) -> Setting:
    weights = Fresh((2, 1) if draw(2) else (2, 3), span=POSITIVE)
    return Setting((Fresh((2, 3)), ([0], [0, 1], [1])[draw(3)], weights))


def batch_normalization(draw: Digits, dtype: str) -> Setting:
    """With and without an offset and a scale."""
    channel = Fresh((3,))
    offset, scale = (None if draw(3) == 2 else channel for _ in range(2))
    variance = Fresh((3,), span=POSITIVE)
    return Setting((Fresh((2, 3)), channel, variance, offset, scale, (0.001, 0.5)[draw(2)]))


def lrn(draw: Digits, dtype: str) -> Setting:
    named: dict[str, Any] = {"depth_radius": 1 + draw(2)}
    if draw(2):
        named |= {"bias": 2.0, "alpha": 0.5, "beta": (0.5, 0.75)[draw(2)]}
    return Setting((Fresh((1 + draw(2), 1, 2, 1 + draw(4))),), named)


# ---------------------------------------------------------------- losses


def cross_entropy(draw: Digits, dtype: str) -> Setting:
    shape = ((2, 3), (2, 2, 3), (3,), (0, 3), (2, 0))[draw(5)]
    labels = Fresh(shape, "probabilities") if draw(4) else Fresh(shape)
    named: dict[str, Any] = {"axis": draw(2 * len(shape)) - len(shape)} if draw(3) == 2 else {}
    return Setting((), {"labels": labels, "logits": Fresh(shape), **named})


def sparse_cross_entropy(draw: Digits, dtype: str) -> Setting:
    """One label for each row of logits, whatever the rank; no rows now and then."""
    lead = ((2,), (3,), (2, 2), (), (1,), (0,))[draw(6)]
    labels = array_of(np.reshape([draw(3) for _ in range(math.prod(lead))], lead).tolist(), "int32")
    return Setting((), {"labels": labels, "logits": Fresh((*lead, 3))})


def of_logits(weight: bool = False) -> Any:
    """Labels and logits of one shape; a weight for the positive ones."""

    def setting(draw: Digits, dtype: str) -> Setting:
        shape = _shape(draw)
        named: dict[str, Any] = {"labels": Fresh(shape, span=Span(0.0, 1.0)), "logits": Fresh(shape)}
        if weight:
            named["pos_weight"] = Fresh((), span=POSITIVE) if draw(2) else 2.0
        return Setting((), named)

    return setting


def poisson(draw: Digits, dtype: str) -> Setting:
    shape = _shape(draw)
    named: dict[str, Any] = {"compute_full_loss": True} if draw(3) == 2 else {}
    return Setting((Fresh(shape, span=Span(1.25, 4.0)), Fresh(shape)), named)


# ---------------------------------------------------------------- biases and blocks


def bias_add(draw: Digits, dtype: str) -> Setting:
    shape = ((2, 3), (1, 2, 3), (2, 1, 2, 3))[draw(3)]
    return Setting((Fresh(shape), Fresh((3,))))


def crelu(draw: Digits, dtype: str) -> Setting:
    return Setting((Fresh(_shape(draw)),), {"axis": 0} if draw(2) else {})


def blocks(deep: bool) -> Any:
    """Space into depth and back."""

    def setting(draw: Digits, dtype: str) -> Setting:
        size = 2
        shape = (1 + draw(2), 2, 2 * (1 + draw(2)), 1 + draw(2))
        if deep:
            shape = (1, 1 + draw(2), 1 + draw(2), size * size * (1 + draw(2)))
        return Setting((Fresh(shape), size))

    return setting


def to_batch(draw: Digits, dtype: str) -> Setting:
    rows, pad = draw(3), [[0, 0], [draw(2) * 2, 0]]
    return Setting((Fresh((1 + draw(2), 2, 2 * (1 + rows % 2), 1)), [2, 2], pad))


def from_batch(draw: Digits, dtype: str) -> Setting:
    crop = [[0, draw(2)], [draw(2), 0]]
    return Setting((Fresh((4 * (1 + draw(2)), 1, 1 + draw(2), 1)), [2, 2], crop))


def filled(draw: Digits, dtype: str) -> Setting:
    return Setting((([2], [2, 3], [], [0])[draw(4)], Fresh(())))


def stepped(draw: Digits, dtype: str) -> Setting:
    """Numbers that make a range, mostly with a step that is no integer."""
    start, delta = draw(9) / 4 - 1.0, (0.75, 0.5, 0.25, 1.25, -0.5, -1.0)[draw(6)]
    return Setting((start, start + delta * (draw(9) / 2), delta))


def checked(draw: Digits, dtype: str) -> Setting:
    return Setting((Fresh(SHAPES[draw(5)]), "no number"))


def shaped(draw: Digits, dtype: str) -> Setting:
    shape = _shape(draw)
    want: list[Any] = list(shape)
    if draw(3) == 2:
        want[0] = None
    return Setting((Fresh(shape), want))


def alike(draw: Digits, dtype: str) -> Setting:
    shape = _shape(draw)
    return Setting(([Fresh(shape) for _ in range(1 + draw(3))],))


def unlike(draw: Digits, dtype: str) -> Setting:
    return Setting(([Fresh(_shape(draw)) for _ in range(1 + draw(3))],))


# ---------------------------------------------------------------- quantized numbers


def fake_quant(draw: Digits, dtype: str) -> Setting:
    """Numbers within the range and beyond it."""
    low, high = ((-2.0, 2.0), (-6.0, 6.0), (0.0, 6.0), (-1.125, 3.0), (1.0, 6.0), (-5.0, -2.0))[draw(6)]
    named = {"min": low, "max": high, **_bits(draw)}
    return Setting((Fresh(_shape(draw), span=Span(-8.0, 8.0)),), named)


def fake_quant_vars(draw: Digits, dtype: str) -> Setting:
    return Setting((Fresh(_shape(draw), span=Span(-8.0, 8.0)), *_bounds(draw, ())), _bits(draw))


def fake_quant_channels(draw: Digits, dtype: str) -> Setting:
    shape = ((2, 3), (3,), (1, 2, 3))[draw(3)]
    return Setting((Fresh(shape, span=Span(-8.0, 8.0)), *_bounds(draw, (3,))), _bits(draw))


# Around zero, two steps that numbers hit, on one side of zero, and both of them zero.
_BOUNDS = (((-4.0, -1.0), (1.0, 4.0)), ((-2.0, -2.0), (2.0, 2.0)), ((0.5, 1.0), (2.0, 4.0)), ((0.0, 0.0), (0.0, 0.0)))


def _bounds(draw: Digits, shape: tuple[int, ...]) -> list[Fresh]:
    spans = _BOUNDS[draw(4)]
    return [Fresh(shape, "calm", span=Span(*span)) for span in spans]


def _bits(draw: Digits) -> dict[str, Any]:
    named: dict[str, Any] = {"num_bits": (8, 4, 2)[draw(3)]} if draw(2) else {}
    return {**named, **({"narrow_range": True} if draw(3) == 2 else {})}


def quantized(draw: Digits, dtype: str) -> Setting:
    """Numbers with and without a sign, the lower or the upper bound further away, or both where numbers are."""
    named: dict[str, Any] = {"num_bits": (4, 8, 3)[draw(3)], "range_given": True}
    first, second = (((-4.0, -1.0), (1.0, 4.0)), ((-2.0, -2.0), (2.0, 2.0)), ((-1.0, -0.5), (2.0, 6.0)))[draw(3)]
    if draw(3) == 2:
        named["signed_input"], first = False, (0.0, 0.0)
    if draw(2):
        named["round_mode"] = "HALF_UP"
    if draw(3) == 2:
        named["narrow_range"] = True
    low, high = Fresh((), "calm", span=Span(*first)), Fresh((), "calm", span=Span(*second))
    return Setting((Fresh(_shape(draw), span=Span(-8.0, 8.0)), low, high), named)


_KINKED: dict[str, Any] = {"kinks": (0.0, 1.0, -1.0)}
_EDGES: dict[str, Any] = {"kinks": (2.0, -2.0, 3.0)}
FLOAT32 = frozenset({"float32"})

ROWS: tuple[Row, ...] = (
    op_row("nn.moments", moments, NUMERIC),
    op_row("nn.weighted_moments", weighted_moments, FLOATING),
    op_row("nn.batch_normalization", batch_normalization, FLOATING),
    op_row("nn.lrn", lrn, FLOAT32 | {"float16"}),
    op_row("nn.softmax_cross_entropy_with_logits", cross_entropy, REAL, kinks=(0.0, 1.0, 60.0, -np.inf)),
    op_row("nn.sparse_softmax_cross_entropy_with_logits", sparse_cross_entropy, REAL, kinks=(0.0, 1.0, 60.0, -np.inf)),
    op_row("nn.sigmoid_cross_entropy_with_logits", of_logits(), REAL, **_KINKED),
    op_row("nn.weighted_cross_entropy_with_logits", of_logits(True), REAL, **_KINKED),
    op_row("nn.log_poisson_loss", poisson, REAL),
    op_row("nn.bias_add", bias_add, NUMERIC, "linear"),
    op_row("nn.crelu", crelu, SIGNED, "linear", **_KINKED, unasked=("forward_mode",)),
    op_row("nn.space_to_depth", blocks(False), NUMERIC, "linear"),
    op_row("nn.depth_to_space", blocks(True), NUMERIC, "linear"),
    op_row("space_to_batch", to_batch, SIGNED, "linear"),
    op_row("batch_to_space", from_batch, SIGNED, "linear"),
    op_row("fill", filled, NUMERIC, "linear"),
    op_row("range", stepped, NUMERIC, "cut"),
    op_row("debugging.check_numerics", checked, REAL, "linear", kinks=(math.inf, math.nan, -math.inf)),
    op_row("ensure_shape", shaped, NUMERIC, "linear"),
    op_row("math.accumulate_n", alike, NUMERIC, "linear"),
    op_row("identity_n", unlike, NUMERIC, "linear"),
    op_row("quantization.fake_quant_with_min_max_args", fake_quant, FLOAT32, "linear", kinks=(2.0, -2.0, 6.0)),
    op_row("quantization.fake_quant_with_min_max_vars", fake_quant_vars, FLOAT32, "linear", **_EDGES),
    op_row("quantization.fake_quant_with_min_max_vars_per_channel", fake_quant_channels, FLOAT32, "linear", **_EDGES),
    op_row("quantization.quantize_and_dequantize_v2", quantized, WIDE, "linear", **_EDGES, unasked=("jacobian",)),
)
