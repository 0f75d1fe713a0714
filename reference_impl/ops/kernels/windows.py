"""Windows that slide over the middle axes of (batch, ..., channels): convolutions and pools are made of them.

A ``Slide`` says where the windows lie; ``patches`` reads them, ``placed`` adds values back to where they were read.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ...dtypes import of
from ...errors import invalid
from ..scatter import scatter_add
from . import unordered
from .whole_numbers import lowest


class Slide(NamedTuple):
    """Window sizes, strides, dilations and paddings (before, after) of each spatial axis.

    unnamed: whether the call left the data format out, at which some of TensorFlow's gradient functions fail.
    skipped: how many elements lie before the first window of each axis; see ``seen_forward``.
    """

    size: tuple[int, ...]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    pads: tuple[tuple[int, int], ...]
    unnamed: bool = False
    skipped: tuple[int, ...] = ()


def named(slide: Slide) -> None:
    """AttributeError where TensorFlow's gradient function decodes a data format that was never given."""
    if slide.unnamed:
        raise AttributeError("'NoneType' object has no attribute 'decode'")


def paddings(kind: Any, space: tuple[int, ...], size: tuple, strides: tuple, dilations: tuple) -> tuple:
    """The paddings of "SAME", "VALID" or a list of pairs for all axes of the input."""
    if not isinstance(kind, str):
        return tuple((int(a), int(b)) for a, b in kind[1:-1])
    if kind == "VALID":
        return ((0, 0),) * len(space)
    found = []
    for n, k, s, d in zip(space, size, strides, dilations):
        total = max((-(-n // s) - 1) * s + (k - 1) * d + 1 - n, 0)
        found.append((total // 2, total - total // 2))
    return tuple(found)


def sliding(padding: Any, space: tuple[int, ...], size: tuple, strides: tuple, dilations: tuple) -> Slide:
    """The windows over an input of the given spatial axes, padded as ``paddings`` says."""
    pads = paddings(padding, space, size, strides, dilations)
    if padding != "SAME" or len(space) != 3:
        return Slide(size, strides, dilations, pads)
    skipped = tuple(max(n - (-(-n // s) - 1) * s - k, 0) // 2 for n, k, s in zip(space, size, strides))
    return Slide(size, strides, dilations, pads, False, skipped)


def seen_forward(x: Any, slide: Slide, fill: float = 0.0) -> Any:
    """What each window of a forward kernel sees, as ``patches`` has it, behind what the kernel skips.

    TensorFlow's forward kernels of three axes halve the padding of "SAME" even where it is below zero: windows that
    leave gaps then start within the input. Kernels of one and two axes and all backward ones start at its edge.
    """
    if any(slide.skipped):
        x = x[(slice(None), *(slice(a, None) for a in slide.skipped))]
    return patches(x, slide, fill)


def _grid(padded: tuple[int, ...], slide: Slide) -> tuple[np.ndarray, ...]:
    """For each spatial axis, the positions that windows read: broadcast to (outputs..., window...)."""
    rank = len(padded)
    index = []
    counts = _outputs(padded, slide)
    for axis, (count, k, s, d) in enumerate(zip(counts, slide.size, slide.strides, slide.dilations)):
        starts = np.arange(count) * s
        shape = [1] * (2 * rank)
        shape[axis], shape[rank + axis] = count, k
        index.append((starts[:, None] + np.arange(k) * d).reshape(shape))
    return tuple(index)


def _padded(space: tuple[int, ...], slide: Slide) -> tuple[int, ...]:
    return tuple(n + a + b for n, (a, b) in zip(space, slide.pads))


def patches(x: Any, slide: Slide, fill: float = 0.0) -> Any:
    """What each window sees: (batch, outputs..., window..., channels)."""
    if any(a or b for a, b in slide.pads):
        x = np.pad(x, ((0, 0), *slide.pads, (0, 0)), constant_values=fill)
    if type(x) is np.ndarray:
        return _seen(x, slide)
    return x[(slice(None), *_grid(x.shape[1:-1], slide))]


def _seen(x: np.ndarray, slide: Slide) -> np.ndarray:
    """What each window sees of an array of NumPy's own: a view, not to be written to."""
    space, inner = x.shape[1:-1], x.strides[1:-1]
    outside = _outputs(space, slide)
    shape = (x.shape[0], *outside, *slide.size, x.shape[-1])
    if 0 in shape:
        return np.empty(shape, x.dtype)
    steps = [t * s for t, s in zip(inner, slide.strides)]
    within = [t * d for t, d in zip(inner, slide.dilations)]
    strides = (x.strides[0], *steps, *within, x.strides[-1])
    return np.lib.stride_tricks.as_strided(x, shape, strides, writeable=False)


def _outputs(padded: tuple[int, ...], slide: Slide) -> tuple[int, ...]:
    """How many windows there are along each spatial axis."""
    return tuple(
        max((n - (k - 1) * d - 1) // s + 1, 0) for n, k, s, d in zip(padded, slide.size, slide.strides, slide.dilations)
    )


def placed(values: Any, shape: tuple[int, ...], slide: Slide) -> Any:
    """The adjoint of ``patches``: values added up where they came from, padding left out."""
    padded = _padded(shape[1:-1], slide)
    if type(values) is np.ndarray:
        whole = _added(values, (shape[0], *padded, shape[-1]), slide)
    else:
        whole = scatter_add((shape[0], *padded, shape[-1]), (slice(None), *_grid(padded, slide)), values)
    return _inner(whole, shape, slide)


def _inner(whole: Any, shape: tuple[int, ...], slide: Slide) -> Any:
    """What has the given shape of something padded."""
    return whole[(slice(None), *(slice(a, a + n) for n, (a, _b) in zip(shape[1:-1], slide.pads)))]


def _added(values: np.ndarray, shape: tuple[int, ...], slide: Slide) -> np.ndarray:
    """Zeros of a shape, and to them the values of all windows, one place of the window after the other."""
    whole = np.zeros(shape, values.dtype)
    rank = len(slide.size)
    counts = values.shape[1 : 1 + rank]
    for place in np.ndindex(*slide.size):
        starts = [k * d for k, d in zip(place, slide.dilations)]
        reach = [slice(a, a + (n - 1) * s + 1, s) if n else slice(0) for a, n, s in zip(starts, counts, slide.strides)]
        whole[(slice(None), *reach)] += values[(slice(None),) * (1 + rank) + place]
    return whole


def convolve(x: Any, w: Any, slide: Slide) -> Any:
    """Windows times filter (window..., channels, outputs)."""
    seen = seen_forward(x, slide)
    outside = seen.shape[: x.ndim - 1]
    rows = seen.reshape((math.prod(outside), math.prod(w.shape[:-1])))
    return np.matmul(rows, _of_columns(w)).reshape((*outside, w.shape[-1]))


def _of_columns(x: Any) -> Any:
    """All axes but the last one joined, of which nothing may be left."""
    return x.reshape((math.prod(x.shape[:-1]), x.shape[-1]))


def convolve_input(w: Any, dy: Any, shape: tuple[int, ...], slide: Slide) -> Any:
    """The gradient of ``convolve`` by its input."""
    flat = np.matmul(_of_columns(dy), _of_columns(w).swapaxes(0, 1))
    return placed(flat.reshape((*dy.shape[:-1], *w.shape[:-1])), shape, slide)


def convolve_filter(x: Any, dy: Any, shape: tuple[int, ...], slide: Slide) -> Any:
    """The gradient of ``convolve`` by its filter."""
    seen = patches(x, slide)
    rows = seen.reshape((math.prod(seen.shape[: x.ndim - 1]), math.prod(shape[:-1])))
    return np.matmul(rows.swapaxes(0, 1), _of_columns(dy)).reshape(shape)


def _group(a: Any, k: int, groups: int) -> Any:
    """The ``k``-th of so many parts of the last axis."""
    each = a.shape[-1] // groups
    return a[..., k * each : (k + 1) * each]


def grouped(x: Any, w: Any, slide: Slide) -> Any:
    """``convolve``; where the filter has fewer channels than the input, group by group of channels."""
    count = x.shape[-1] // w.shape[-2]
    if count == 1:
        return convolve(x, w, slide)
    parts = [convolve(_group(x, k, count), _group(w, k, count), slide) for k in range(count)]
    return np.concatenate(parts, axis=-1)


def grouped_input(w: Any, dy: Any, shape: tuple[int, ...], slide: Slide) -> Any:
    """The gradient of ``grouped`` by its input."""
    inner = w.shape[-2]
    count = shape[-1] // inner
    if count == 1:
        return convolve_input(w, dy, shape, slide)
    part = (*shape[:-1], inner)
    made = [convolve_input(_group(w, k, count), _group(dy, k, count), part, slide) for k in range(count)]
    return np.concatenate(made, axis=-1)


def grouped_filter(x: Any, dy: Any, shape: tuple[int, ...], slide: Slide) -> Any:
    """The gradient of ``grouped`` by its filter."""
    count = x.shape[-1] // shape[-2]
    if count == 1:
        return convolve_filter(x, dy, shape, slide)
    part = (*shape[:-1], shape[-1] // count)
    made = [convolve_filter(_group(x, k, count), _group(dy, k, count), part, slide) for k in range(count)]
    return np.concatenate(made, axis=-1)


def _each_channel(dy: Any, w_shape: tuple[int, ...]) -> Any:
    """The upstream of a depthwise convolution as (batch, outputs..., 1..., channels, multiplier)."""
    rank = len(w_shape) - 2
    return dy.reshape((*dy.shape[:-1], *(1,) * rank, *w_shape[-2:]))


def depthwise(x: Any, w: Any, slide: Slide) -> Any:
    """Each channel convolved with its own filters (window..., channels, multiplier)."""
    seen = patches(x, slide)
    rank = x.ndim - 2
    y = np.add.reduce(seen[..., None] * w, axis=tuple(range(1 + rank, 1 + 2 * rank)))
    return y.reshape((*y.shape[:-2], -1 if y.size else w.shape[-1] * w.shape[-2]))


def depthwise_input(w: Any, dy: Any, shape: tuple[int, ...], slide: Slide) -> Any:
    """The gradient of ``depthwise`` by its input."""
    products = _each_channel(dy, w.shape) * w
    if type(products) is np.ndarray:
        return placed(np.add.reduce(products, axis=-1), shape, slide)
    # With error bounds all that arrives at a place is one sum, in whatever order TensorFlow adds it up.
    padded, count = _padded(shape[1:-1], slide), products.shape[-1]
    first, *others = _grid(padded, slide)
    index = (slice(None), np.concatenate([first] * count), *others)
    values = np.concatenate([products[..., k] for k in range(count)], axis=1)
    return _inner(scatter_add((shape[0], *padded, shape[-1]), index, values), shape, slide)


def depthwise_filter(x: Any, dy: Any, shape: tuple[int, ...], slide: Slide) -> Any:
    """The gradient of ``depthwise`` by its filter."""
    products = patches(x, slide)[..., None] * _each_channel(dy, shape)
    return np.add.reduce(products, axis=tuple(range(x.ndim - 1)))


# ------------------------------------------------------------------------------------------------------- pooling


def _flat_windows(seen: Any, rank: int) -> Any:
    outside = seen.shape[: 1 + rank]
    return seen.reshape((*outside, math.prod(seen.shape[1 + rank : 1 + 2 * rank]), seen.shape[-1]))


def max_pool(x: Any, slide: Slide) -> Any:
    """The largest element of each window."""
    seen = _flat_windows(seen_forward(x, slide, lowest(x.dtype)), x.ndim - 2)
    if x.ndim == 5 and unordered.disordered(x):  # the kernel of three axes looks at the padding as well
        seen = _flat_windows(patches(x, slide, of(x.dtype).min), 3)
        return unordered.last_unless(np.greater, np.moveaxis(seen, -2, 0))
    return unordered.largest(seen, -2)


def _first_largest(x: Any, slide: Slide) -> Any:
    """Which element of each window is its first largest one; its first where that is no number, or none is larger."""
    rank = x.ndim - 2
    seen = _flat_windows(patches(x, slide, lowest(x.dtype)), rank)
    if not unordered.disordered(x):
        return np.argmax(seen, axis=-2)
    within = _flat_windows(patches(np.ones(x.shape, bool), slide), rank)
    first = np.argmax(within, axis=-2)[..., None, :]
    beyond = np.where(np.isnan(seen), lowest(x.dtype), seen)
    best = np.argmax(beyond, axis=-2)[..., None, :]
    stays = np.isnan(np.take_along_axis(seen, first, -2)) | ~(np.take_along_axis(beyond, best, -2) > lowest(x.dtype))
    return np.where(stays, first, best)[..., 0, :]


def _winner(x: Any, slide: Slide) -> tuple:
    """Where in the padded input the first largest element of each window is: an index of the shape of the output."""
    rank = x.ndim - 2
    best = _first_largest(x, slide)
    padded = _padded(x.shape[1:-1], slide)
    inside = np.unravel_index(best, slide.size)
    index: list[Any] = []
    for axis in range(rank):
        shape = [1] * (rank + 2)
        shape[1 + axis] = best.shape[1 + axis]
        starts = (np.arange(best.shape[1 + axis]) * slide.strides[axis]).reshape(shape)
        index.append(starts + inside[axis] * slide.dilations[axis])
    batch = np.arange(x.shape[0]).reshape((-1, *(1,) * (rank + 1)))
    return (batch, *index, np.arange(x.shape[-1])), (x.shape[0], *padded, x.shape[-1])


def max_pool_grad(x: Any, _y: Any, dy: Any, slide: Slide) -> Any:
    """The upstream of each window, given to its first largest element."""
    index, padded = _winner(x, slide)
    whole = scatter_add(padded, index, dy)
    return whole[(slice(None), *(slice(a, a + n) for n, (a, _b) in zip(x.shape[1:-1], slide.pads)))]


def max_pool3d_grad(x: Any, y: Any, dy: Any, slide: Slide) -> Any:
    """The upstream of each window, given whole to every element that equals its largest: TensorFlow's kernel for
    three axes does so."""
    rank = x.ndim - 2
    outer = (*y.shape[:-1], *(1,) * rank, y.shape[-1])
    chosen = np.equal(patches(x, slide, lowest(x.dtype)), y.reshape(outer))
    return placed(np.where(chosen, dy.reshape(outer), np.zeros((), dy.dtype)), x.shape, slide)


def max_pool_grad_grad(x: Any, y: Any, ddx: Any, slide: Slide) -> Any:
    """What stands in ``ddx`` at the first element of each window of x that equals its output y; 0 where none does."""
    rank = x.ndim - 2
    equal = np.equal(
        _flat_windows(patches(x, slide, lowest(x.dtype)), rank), y.reshape((*y.shape[:-1], 1, y.shape[-1]))
    )
    first = equal & (np.add.accumulate(equal, axis=-2, dtype=np.int64) == 1)
    seen = _flat_windows(patches(ddx, slide), rank)
    return np.add.reduce(np.where(first, seen, np.zeros((), ddx.dtype)), axis=-2).astype(ddx.dtype, copy=False)


def _counts(space: tuple[int, ...], slide: Slide, dtype: Any) -> Any:
    """How many elements of the input each window holds."""
    ones = patches(np.ones((1, *space, 1)), slide)
    return np.add.reduce(_flat_windows(ones, len(space)), axis=-2).astype(dtype)


def avg_pool(x: Any, slide: Slide) -> Any:
    """The mean of each window, padding left out."""
    total = np.add.reduce(_flat_windows(seen_forward(x, slide), x.ndim - 2), axis=-2)
    return total / _counts(x.shape[1:-1], slide, x.dtype)


def avg_pool_grad(dy: Any, shape: tuple[int, ...], slide: Slide) -> Any:
    """The upstream of each window, divided evenly among its elements."""
    rank = len(shape) - 2
    if dy.ndim != len(shape):
        raise invalid(f"AvgPool{'3D' if rank == 3 else ''}Grad", f"out_backprop must be {len(shape)}-dimensional")
    share = dy / _counts(shape[1:-1], slide, dy.dtype)
    wide = share.reshape((*dy.shape[:-1], *(1,) * rank, dy.shape[-1]))
    wide = np.broadcast_to(wide, (*dy.shape[:-1], *slide.size, dy.shape[-1]))
    return placed(wide, shape, slide)


def max_pool_places(x: Any, slide: Slide) -> Any:
    """The flat position in (rows, columns, channels) of the first largest element of each window."""
    (_, *index, channels), _ = _winner(x, slide)
    total = np.zeros((), np.int64)
    for axis, place in enumerate(index):
        total = total * x.shape[1 + axis] + (place - slide.pads[axis][0])
    return total * x.shape[-1] + channels


def max_pool_with_places(x: Any, slide: Slide) -> tuple[Any, Any]:
    """The first largest element of each window, and its flat position."""
    if not unordered.disordered(x):
        return max_pool(x, slide), max_pool_places(x, slide)
    index, _ = _winner(x, slide)
    padding = ((0, 0), *slide.pads, (0, 0))
    return np.pad(x, padding)[index], max_pool_places(x, slide)


def placed_flat(dy: Any, places: Any, shape: tuple[int, ...]) -> Any:
    """The upstream of each window added at flat positions within its image."""
    size = math.prod(shape[1:])
    start = np.arange(shape[0]).reshape((-1, *(1,) * (places.ndim - 1))) * size
    return scatter_add((shape[0] * size,), (places + start).ravel(), dy.reshape(-1)).reshape(shape)
