"""Boxes in images: those that overlap better ones left out, and boxes drawn.  Corners are (y, x, y, x)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import float32
from ..errors import invalid, unnamed
from ..foundation.building import intercepted
from ..ops.declare import kernel
from ..tensors.conversion import convert_to_tensor
from ..tensors.tensor import EagerTensor, wrap

_COLOURS = np.array(
    [
        (1, 1, 0, 1), (0, 0, 1, 1), (1, 0, 0, 1), (0, 1, 0, 1), (0.5, 0, 0.5, 1), (0.5, 0.5, 0, 1), (0.5, 0, 0, 1),
        (0, 0, 0.5, 1), (0, 1, 1, 1), (1, 0, 1, 1),
    ], np.float32,
)  # fmt: skip


def _overlap(a: Any, b: Any) -> Any:
    """What two boxes share of what they cover together; nothing where one of them covers nothing."""
    low_a, high_a = np.minimum(a[:2], a[2:]), np.maximum(a[:2], a[2:])
    low_b, high_b = np.minimum(b[:2], b[2:]), np.maximum(b[:2], b[2:])
    area_a, area_b = np.prod(high_a - low_a), np.prod(high_b - low_b)
    if area_a <= 0 or area_b <= 0:
        return a.dtype.type(0)
    shared = np.prod(np.maximum(np.minimum(high_a, high_b) - np.maximum(low_a, low_b), a.dtype.type(0)))
    return shared / (area_a + area_b - shared)


def _suppressed(scores: Any, most: int, threshold: float, least: float, sigma: Any, overlap: Any) -> tuple[list, list]:
    """The places and scores of the best candidates: each lowers those it overlaps, or strikes them out."""
    waiting = [(score, k, 0) for k, score in enumerate(scores) if score > least]
    chosen: list[int] = []
    kept: list[Any] = []
    half = scores.dtype.type(0 if sigma == 0 else -0.5 / sigma)
    while waiting and len(chosen) < most:
        best = min(range(len(waiting)), key=lambda i: (-waiting[i][0], waiting[i][1]))
        score, k, seen = waiting.pop(best)
        before, struck = score, False
        for other in chosen[seen:][::-1]:
            shared = overlap(k, other)
            weight = np.exp(half * shared * shared) if shared <= threshold or sigma > 0 else scores.dtype.type(0)
            score = score * weight
            if sigma == 0 and shared > threshold:
                struck = True
            if struck or score <= least:
                break
        if struck or score <= least:
            continue
        if score == before:
            chosen.append(k)
            kept.append(score)
        else:
            waiting.append((score, k, len(chosen)))
    return chosen, kept


def _checked(kernel_name: str, boxes: Any, scores: Any, threshold: float) -> tuple[Any, Any]:
    b, s = (np.asarray(convert_to_tensor(v)._a) for v in (boxes, scores))
    if not 0 <= threshold <= 1:
        raise invalid(kernel_name, "iou_threshold must be in [0, 1]")
    if b.ndim != 2:
        raise invalid(kernel_name, f"boxes must be 2-D[{b.ndim}] (Shape must be rank 2 but is rank {b.ndim})")
    if s.shape != b.shape[:1]:
        pair = f"{b.shape[0]} and {s.shape[0] if s.ndim else 1}"
        raise invalid(kernel_name, f"scores has incompatible shape (Dimensions must be equal, but are {pair})")
    return b, s


@intercepted
def non_max_suppression(
    boxes: Any, scores: Any, max_output_size: Any, iou_threshold: Any = 0.5, score_threshold: Any = float("-inf"),
    name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """The numbers of the best boxes [n, 4] by their scores [n], none of which overlaps a better one too much.

    InvalidArgumentError for a threshold that is no share, and for shapes that do not fit.
    """
    threshold = float(convert_to_tensor(iou_threshold, float32)._a)
    b, s = _checked("NonMaxSuppressionV3", boxes, scores, threshold)
    most, least = int(convert_to_tensor(max_output_size)._a), float(convert_to_tensor(score_threshold, float32)._a)
    found, _ = _suppressed(s, most, threshold, least, 0.0, lambda i, j: _overlap(b[i], b[j]))
    return wrap(np.array(found, np.int32))


@intercepted
def non_max_suppression_with_scores(
    boxes: Any, scores: Any, max_output_size: Any, iou_threshold: Any = 0.5, score_threshold: Any = float("-inf"),
    soft_nms_sigma: Any = 0.0, name: str | None = None,
) -> tuple[EagerTensor, EagerTensor]:  # fmt: skip
    """As ``non_max_suppression``, with scores; a ``soft_nms_sigma`` lowers the scores of boxes that overlap."""
    threshold = float(convert_to_tensor(iou_threshold, float32)._a)
    b, s = _checked("NonMaxSuppressionV5", boxes, scores, threshold)
    most, least = int(convert_to_tensor(max_output_size)._a), float(convert_to_tensor(score_threshold, float32)._a)
    sigma = float(convert_to_tensor(soft_nms_sigma, float32)._a)
    found, kept = _suppressed(s, most, threshold, least, sigma, lambda i, j: _overlap(b[i], b[j]))
    return wrap(np.array(found, np.int32)), wrap(np.array(kept, s.dtype))


@intercepted
def non_max_suppression_overlaps(
    overlaps: Any, scores: Any, max_output_size: Any, overlap_threshold: Any = 0.5,
    score_threshold: Any = float("-inf"), name: str | None = None,
) -> EagerTensor:  # fmt: skip
    """As ``non_max_suppression``, where a matrix says how much boxes overlap."""
    shared, s = (np.asarray(convert_to_tensor(v, float32)._a) for v in (overlaps, scores))
    limits = [float(convert_to_tensor(v, float32)._a) for v in (overlap_threshold, score_threshold)]
    found, _ = _suppressed(s, int(convert_to_tensor(max_output_size)._a), *limits, 0.0, lambda i, j: shared[i, j])
    return wrap(np.array(found, np.int32))


def _drawn(images: Any, boxes: Any, colours: Any) -> Any:
    """Boxes of lines one pixel wide, cut at the edges; of images with one channel, white."""
    found = images.copy()
    _, height, width, depth = images.shape
    palette = colours if colours.size else _COLOURS
    for image, own in zip(found, boxes):
        for k, box in enumerate(own):
            top, left, bottom, right = (
                int(np.float32(c) * np.float32(n - 1)) for c, n in zip(box, (height, width) * 2)
            )
            if top > bottom or left > right or top >= height or left >= width or bottom < 0 or right < 0:
                continue
            colour = palette[k % len(palette)][:depth] if depth > 1 or colours.size else np.ones(1, np.float32)
            rows = slice(max(top, 0), min(bottom, height - 1) + 1)
            columns = slice(max(left, 0), min(right, width - 1) + 1)
            for row in (top, bottom):
                if 0 <= row < height:
                    image[row, columns] = colour
            for column in (left, right):
                if 0 <= column < width:
                    image[rows, column] = colour
    return found


draw_ = kernel("draw_bounding_boxes", "DrawBoundingBoxesV2", forward=_drawn, gradient=None)


@intercepted
def draw_bounding_boxes(images: Any, boxes: Any, colors: Any, name: str | None = None) -> EagerTensor:
    """Images [b, h, w, c] with boxes [b, n, 4], in shares of height and width, drawn in colours [k, c] by turns.

    Without colours in ten of its own.  InvalidArgumentError for images without a batch.  No gradient.
    """
    x, b = convert_to_tensor(images), convert_to_tensor(boxes, float32)
    if x._a.ndim != 4:
        raise unnamed("DrawBoundingBoxes", "The rank of the images should be 4", name)
    if b._a.ndim != 3:
        raise unnamed("DrawBoundingBoxes", "The rank of the boxes tensor should be 3", name)
    if colors is None:
        return draw_(x, b, wrap(np.zeros((0, 4), np.float32)))
    return draw_(x, b, convert_to_tensor(colors, float32))
