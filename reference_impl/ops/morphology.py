"""Grey-scale morphology and patches: dilation2d, erosion2d, extract_patches, extract_volume_patches."""

from __future__ import annotations

import math as _math
from typing import Any

import numpy as np

from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor
from .arguments import taken
from .arithmetic import negative
from .declare import MISSING, kernel, public
from .kernels import unordered, windows
from .kernels.refusals import brackets, refuse
from .kernels.whole_numbers import lowest
from .kernels.window_checks import check_dilation, check_outputs, check_patches
from .kernels.windows import Slide
from .scatter import scatter_add
from .shaping import ints
from .tiling import reverse


def _raised(x: Any, w: Any, slide: Slide) -> Any:
    """What each window sees, with the filter added: (batch, outputs..., positions, channels)."""
    if x.dtype.kind in "iu":  # the lowest whole number and a filter below zero would wrap around
        beside = windows.patches(np.ones(x.shape, bool), slide, False)
        seen = np.where(beside, windows.patches(x, slide) + w, lowest(x.dtype))
    else:
        seen = windows.patches(x, slide, lowest(x.dtype)) + w
    rank = x.ndim - 2
    outside = seen.shape[: 1 + rank]
    return seen.reshape((*outside, _math.prod(slide.size), x.shape[-1]))


def _dilated(x: Any, w: Any, slide: Slide) -> Any:
    return unordered.largest(_raised(x, w, slide), -2)


def _place(x: Any, w: Any, slide: Slide) -> Any:
    """The position in the window that won, the first of equals; what is no number never does."""
    raised = _raised(x, w, slide)
    if unordered.disordered(raised):
        raised = np.where(np.isnan(raised), lowest(raised.dtype), raised)
    return np.argmax(raised, axis=-2)


def _by_input(x: Any, w: Any, dy: Any, slide: Slide) -> Any:
    won = _place(x, w, slide)
    count = _math.prod(slide.size)
    chosen = np.arange(count)[:, None] == won[..., None, :]
    spread = np.where(chosen, dy[..., None, :], np.zeros((), dy.dtype))
    return windows.placed(spread.reshape((*dy.shape[:-1], *slide.size, dy.shape[-1])), x.shape, slide)


def _by_filter(x: Any, w: Any, dy: Any, slide: Slide) -> Any:
    won = _place(x, w, slide)
    flat = scatter_add((_math.prod(slide.size), x.shape[-1]), (won, np.arange(x.shape[-1])), dy)
    return flat.reshape(w.shape)


dilation2d_ = kernel(
    "dilation2d", "Dilation2D", forward=_dilated, types="float int",
    gradient=lambda F, dy, _y, x, w, slide: (
        F.dilation2d_input(x, w, dy, slide=slide), F.dilation2d_filter(x, w, dy, slide=slide)
    ),
)  # fmt: skip


def _check_upstream(dy: Any, x: Any, slide: Slide) -> None:
    """A number for each window and channel; the kernel does not look at the batch."""
    name = "Dilation2DBackpropInput"
    refuse(name, dy.ndim != 4, f"out_backprop must be 4-dimensional{brackets(dy.shape)}")
    counts = check_outputs(name, x.shape[1:3], slide.size, slide.strides, slide.dilations, slide.pads)
    refuse(name, dy.shape[1:] != (*counts, x.shape[3]), "out_backprop has incompatible size.")


kernel(
    "dilation2d_input", "Dilation2DBackpropInput", forward=_by_input, gradient=MISSING,
    inputs="input filter out_backprop", fits=lambda x, w, dy, slide: _check_upstream(dy, x, slide),
)  # fmt: skip
kernel("dilation2d_filter", "Dilation2DBackpropFilter", forward=_by_filter, gradient=MISSING)


def _slide(shape: tuple[int, ...], size: tuple[int, ...], strides: Any, padding: str, rates: Any) -> Slide:
    inner = slice(1, len(shape) - 1)
    steps, spread = ints(strides)[inner], ints(rates)[inner]
    return windows.sliding(padding, shape[1:-1], size, steps, spread)


@public("nn.dilation2d")
def dilation2d(
    input: Any, filters: Any, strides: Any, padding: str, data_format: str, dilations: Any, name: str | None = None
) -> EagerTensor:
    """The largest sum of a window's elements and the filter's (``tf.nn.dilation2d``)."""
    if data_format != "NHWC":
        raise ValueError(
            f"`data_format` values other  than 'NHWC' are not supported. Received: data_format={data_format}"
        )
    x, w = taken(
        "Dilation2D", name, input=input, filter=filters, strides=strides, rates=dilations, padding=padding
    )  # fmt: skip
    check_dilation("Dilation2D", x._a.shape, w._a.shape, ints(strides), ints(dilations), padding, name)
    return dilation2d_(x, w, slide=_slide(x._a.shape, w._a.shape[:2], strides, padding, dilations))


@public("nn.erosion2d")
def erosion2d(
    value: Any, filters: Any, strides: Any, padding: str, data_format: str, dilations: Any, name: str | None = None
) -> EagerTensor:
    """The smallest difference of a window's elements and the filter's (``tf.nn.erosion2d``)."""
    turned = reverse(convert_to_tensor(filters), [0, 1])
    return negative(dilation2d(negative(convert_to_tensor(value)), turned, strides, padding, data_format, dilations))


# ------------------------------------------------------------------------------------------------------- patches


def _patches(x: Any, slide: Slide) -> Any:
    seen = windows.seen_forward(x, slide)
    return seen.reshape((*seen.shape[: x.ndim - 1], _math.prod(slide.size) * x.shape[-1]))


def _patches_grad(dy: Any, shape: tuple[int, ...], slide: Slide) -> Any:
    values = dy.reshape((*dy.shape[:-1], *slide.size, shape[-1]))
    if not any(slide.skipped):
        return windows.placed(values, shape, slide)
    seen = (shape[0], *(n - a for n, a in zip(shape[1:-1], slide.skipped)), shape[-1])
    return np.pad(windows.placed(values, seen, slide), ((0, 0), *((a, 0) for a in slide.skipped), (0, 0)))


def _declare(name: str, kernel_name: str) -> Any:
    back = f"{name}_grad"
    kernel(
        back, "UnsortedSegmentSum", forward=_patches_grad,
        gradient=lambda F, g, _y, _dy, shape, slide: getattr(F, name)(g, slide=slide),
    )  # fmt: skip
    return kernel(
        name, kernel_name, forward=_patches, types="float int complex bool",
        gradient=lambda F, dy, _y, _x, slide: getattr(F, back)(
            dy if F.shape(dy) == F.shape(_y) else F.reshape(dy, shape=F.shape(_y)), shape=F.shape(_x), slide=slide
        ),
    )  # fmt: skip


image_patches_ = _declare("image_patches", "ExtractImagePatches")
volume_patches_ = _declare("volume_patches", "ExtractVolumePatches")


@public("image.extract_patches")
def extract_patches(
    images: Any, sizes: Any, strides: Any, rates: Any, padding: str, name: str | None = None
) -> EagerTensor:
    """Every window of images, flat in the last axis (``tf.image.extract_patches``)."""
    (x,) = taken(
        "ExtractImagePatches", name, images=images, ksizes=sizes, strides=strides, rates=rates, padding=padding
    )  # fmt: skip
    check_patches("ExtractImagePatches", x._a.shape, ints(sizes), ints(strides), ints(rates), padding, name)
    return image_patches_(x, slide=_slide(x._a.shape, ints(sizes)[1:3], strides, padding, rates))


@public("raw_ops.ExtractVolumePatches")
def extract_volume_patches(input: Any, ksizes: Any, strides: Any, padding: str, name: str | None = None) -> EagerTensor:
    """Every window of volumes, flat in the last axis (``tf.raw_ops.ExtractVolumePatches``)."""
    x = convert_to_tensor(input)
    check_patches("ExtractVolumePatches", x._a.shape, ints(ksizes), ints(strides), (1,) * 5, padding, name)
    return volume_patches_(x, slide=_slide(x._a.shape, ints(ksizes)[1:4], strides, padding, (1,) * 5))
