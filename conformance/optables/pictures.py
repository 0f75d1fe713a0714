"""Rows of the ops on images: resized by every method, cut, projected, turned, in other colours."""

from __future__ import annotations

from typing import Any

from adapters.arrays import array_of
from conformance.optables.row import NUMERIC, REAL, SIGNED, Digits, Fresh, Row, Setting, Span, integers, op_row


def flipped(draw: Digits, dtype: str) -> Setting:
    return Setting((Fresh((*((), (2,))[draw(2)], 2, 1 + draw(3), 1 + draw(2))),))


def colours(draw: Digits, dtype: str) -> Setting:
    """Red, green and blue, often two of them equal; two channels now and then."""
    shape = (*((2,), (), (2, 1), (3,))[draw(4)], 3 if draw(16) < 15 else 2)
    return Setting((Fresh(shape, span=Span(0.0, 1.0)),))


METHODS = ("bilinear", "nearest", "bicubic", "lanczos3", "area", "lanczos5", "gaussian", "mitchellcubic")


def resized(draw: Digits, dtype: str) -> Setting:
    """Larger, smaller and as large, by each method that the engine has; smoothed now and then.

    What translates has no gradient but of float32, which `raw_ops.ScaleAndTranslate` is asked.
    """
    size = [1 + draw(4), 1 + draw(4)]
    named: dict[str, Any] = {"method": METHODS[draw(len(METHODS) if dtype == "float32" else 3)]}
    if draw(3) == 2 and dtype == "float32":
        named["antialias"] = True
    batch = (1 + draw(2),) if draw(6) < 5 else ()
    return Setting((Fresh((*batch, 1 + draw(3), 2 + draw(2), 1 + draw(2))), size), named)


KERNELS = ("lanczos3", "lanczos1", "lanczos5", "gaussian", "box", "triangle", "keyscubic", "mitchellcubic")


def translated(draw: Digits, dtype: str) -> Setting:
    """Stretched or shrunk, moved, part of it out of the picture."""
    scale = [(0.5, 1.0, 1.5, 0.75)[draw(4)] for _ in range(2)]
    shift = [(0.0, 0.5, -0.25, 1.0, -1.5)[draw(5)] for _ in range(2)]
    named: dict[str, Any] = {"images": Fresh((1 + draw(2), 1 + draw(3), 2 + draw(2), 1 + draw(2)))}
    named |= {"size": [1 + draw(4), 1 + draw(4)], "scale": array_of(scale, "float32")}
    named |= {"translation": array_of(shift, "float32"), "kernel_type": KERNELS[draw(len(KERNELS))]}
    if draw(3) == 2:
        named["antialias"] = False
    return Setting((), named)


def boxes(draw: Digits, dtype: str) -> Setting:
    """Boxes inside the image, over its edges, turned over and without extent; by turns each method."""
    edges = (0.0, 0.25, 0.5, 1.0, 0.75, -0.25, 1.25)
    count = 1 + draw(2)
    corners = [[edges[draw(7)], edges[draw(7)], edges[3 - draw(4)], edges[3 - draw(4)]] for _ in range(count)]
    pictures = 1 + draw(2)
    image = Fresh((pictures, 1 + draw(3), 2 + draw(2), 1 + draw(2)))
    which = integers([draw(pictures) if draw(24) < 23 else 9 for _ in range(count)])
    named: dict[str, Any] = {"method": "nearest"} if draw(3) == 2 else {}
    if draw(3) == 2:
        named["extrapolation_value"] = 1.5
    given = array_of(corners, "float32") if draw(3) else Fresh((count, 4), "new", "float32", Span(0.0, 1.0))
    return Setting((image, given, which, [1 + draw(3), 1 + draw(3)]), named)


# Transforms whose inverse rounds nothing: enlarged, shrunk, turned, sheared, moved, seen from the side.
_TRANSFORMS = (
    (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0),
    (2.0, 0.0, 0.5, 0.0, 0.5, 0.25, 0.0, 0.0),
    (0.0, -1.0, 1.0, 1.0, 0.0, -0.5, 0.0, 0.0),
    (1.0, 0.5, -0.25, 0.0, 1.0, 0.75, 0.0, 0.0),
    (0.5, 0.0, 3.0, 0.25, 1.0, -4.0, 0.0, 0.0),
    (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.5, 0.0),
    (1.0, 0.0, 0.25, 0.0, 1.0, 0.0, 0.0, -0.5),
    (1.0, 0.0, -5.0, 0.0, 1.0, 6.0, 0.0, 0.0),
    (1.0, 0.0, 0.5, 0.0, 1.0, 0.0, 0.5, 0.0),
    (-3.0, 0.0, 4.0, 0.0, 2.0, -7.0, 0.0, 0.0),
    (1.0, 0.0, 9.0, 0.0, -4.0, 1.0, 0.0, 0.0),
)


def projected(fill: bool) -> Any:
    """One transform for all images or one for each; by every interpolation and filling.

    Between pixels TensorFlow is exact to float32 even where the image is float64, so those are asked for the nearest.
    """

    def setting(draw: Digits, dtype: str) -> Setting:
        how, count = draw(8), 1 + draw(2)
        transforms = [_TRANSFORMS[draw(len(_TRANSFORMS))] for _ in range(1 if draw(2) else count)]
        named: dict[str, Any] = {"images": Fresh((count, 1 + draw(4), 2 + draw(3), 1 + draw(2)))}
        named |= {"transforms": array_of([list(one) for one in transforms], "float32")}
        named |= {"output_shape": integers([1 + draw(4), 1 + draw(4)])}
        named |= {"interpolation": ("BILINEAR", "NEAREST")[how % 2 if dtype != "float64" else 1]}
        named |= {"fill_mode": ("CONSTANT", "REFLECT", "WRAP", "NEAREST")[how // 2]}
        return Setting((), {**named, **({"fill_value": array_of(1.5, "float32")} if fill else {})})

    return setting


_UNTRACED: dict[str, Any] = {"unasked": ("jacobian", "forward_mode")}

ROWS: tuple[Row, ...] = (
    op_row("image.flip_left_right", flipped, NUMERIC, "linear"),
    op_row("image.flip_up_down", flipped, NUMERIC, "linear"),
    op_row("image.rgb_to_hsv", colours, REAL, "curved", (0.0, 0.5, 1.0), True, **_UNTRACED, often=2),
    op_row("image.resize", resized, REAL, "linear", often=3),
    op_row("raw_ops.ScaleAndTranslate", translated, REAL, "linear", **_UNTRACED),
    op_row(
        "image.crop_and_resize",
        boxes,
        SIGNED - {"bfloat16"},
        "curved",
        **_UNTRACED,
        often=2,
    ),
    op_row("raw_ops.ImageProjectiveTransformV2", projected(False), REAL, "linear", **_UNTRACED, often=2),
    op_row("raw_ops.ImageProjectiveTransformV3", projected(True), REAL, "linear", **_UNTRACED, often=2),
)
