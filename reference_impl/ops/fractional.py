"""Fractional pools: windows of unequal sizes, drawn at random, that shrink an image by any ratio (Graham, 2014)."""

from __future__ import annotations

import math as _math
from collections import namedtuple
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ..errors import invalid
from ..tensors.conversion import convert_to_tensor
from .declare import MISSING, kernel, public
from .kernels import unordered
from .kernels.philox import philox, unit_double
from .scatter import scatter_add

_FIELDS = ("output", "row_pooling_sequence", "col_pooling_sequence")
FractionalMaxPool = namedtuple("FractionalMaxPool", _FIELDS)  # type: ignore[misc]
FractionalAvgPool = namedtuple("FractionalAvgPool", _FIELDS)  # type: ignore[misc]
Bounds = tuple[int, ...]  # where windows begin along an axis, and where the last one ends


class _Words:
    """TensorFlow's stream of 32-bit words of a pair of seeds, read in blocks of four."""

    def __init__(self, seed: int, seed2: int) -> None:
        first, second = (int(s) & 0xFFFFFFFFFFFFFFFF for s in (seed, seed2))
        self.key = (first & 0xFFFFFFFF, first >> 32)
        self.high = (second & 0xFFFFFFFF, second >> 32)
        self.block = 0

    def reserve(self, count: int) -> list[int]:
        """The next words; what is left of the last block is lost."""
        blocks = -(-count // 4)
        counters = np.array([(self.block + k, 0, *self.high) for k in range(blocks)], np.uint64).reshape(blocks, 4)
        self.block += blocks
        return [int(w) for w in philox(counters, self.key).ravel()]


def _shuffled(size: int, count: int, words: _Words) -> list[int]:
    """Sizes that differ by 1 at most, in random order."""
    sizes = [size // count + (k < size % count) for k in range(count)]
    drawn = words.reserve(count)
    for k in range(count - 1):
        other = k + drawn[k] % (count - k)
        sizes[k], sizes[other] = sizes[other], sizes[k]
    return sizes


def _spaced(size: int, count: int, words: _Words) -> list[int]:
    """Sizes by one random number: where a grid of the ratio's width, moved by it, crosses whole numbers."""
    alpha, least = size / count, size // count
    most = min((least + 2) / alpha - 1, (size + 1 - least) / alpha - (count - 1))
    moved = float(unit_double(np.array(words.reserve(2)[:2], np.uint32))) * most
    ends = [1, *(_math.ceil(alpha * (k + moved)) for k in range(1, count)), size + 1]
    return [b - a for a, b in pairwise(ends)]


def _bounds(size: int, ratio: float, spaced: bool, words: _Words) -> Bounds:
    count = _math.floor(size / ratio)
    sizes = (_spaced if spaced else _shuffled)(size, count, words)
    return (0, *(int(v) for v in np.cumsum(sizes)))


def _windows(bounds: Bounds, size: int, overlapping: bool) -> list[slice]:
    return [slice(a, min(b + overlapping, size)) for a, b in pairwise(bounds)]


def _reduced(x: Any, rows: list[slice], columns: list[slice], reduce: Any) -> Any:
    """``reduce`` of the elements of each window, which it gets as (batch, elements, channels)."""
    flat = lambda row, column: x[:, row, column].reshape((x.shape[0], -1, x.shape[-1]))
    return np.stack([np.stack([reduce(flat(row, column)) for column in columns], axis=1) for row in rows], axis=1)


def _pooled(x: Any, rows: Bounds, columns: Bounds, overlapping: bool, mean: bool) -> tuple:
    down, across = (_windows(b, n, overlapping) for b, n in zip((rows, columns), x.shape[1:3]))
    if mean:
        y = _reduced(x, down, across, lambda v: np.add.reduce(v, axis=1, dtype=x.dtype) / x.dtype.type(v.shape[1]))
    else:
        y = _reduced(x, down, across, lambda v: unordered.largest(v, 1))
    return y.astype(x.dtype), np.array(rows, np.int64), np.array(columns, np.int64)


def _cells(shape: tuple[int, ...], rows: Bounds, columns: Bounds, overlapping: bool) -> Iterator[tuple]:
    down, across = (_windows(b, n, overlapping) for b, n in zip((rows, columns), shape[1:3]))
    return ((i, j, row, column) for i, row in enumerate(down) for j, column in enumerate(across))


def _to_largest(x: Any, _y: Any, dy: Any, rows: Bounds, columns: Bounds, overlapping: bool) -> Any:
    """The upstream of each window, given to its first largest element."""
    _enough(x, rows, columns)
    batch, channels = np.arange(x.shape[0])[:, None], np.arange(x.shape[-1])
    index, parts = [], []
    for i, j, row, column in _cells(x.shape, rows, columns, overlapping):
        best = np.argmax(x[:, row, column].reshape((x.shape[0], -1, x.shape[-1])), axis=1)
        width = column.stop - column.start
        index.append((row.start + best // width, column.start + best % width))
        parts.append(dy[:, i, j])
    places = tuple(np.stack(one) for one in zip(*index))
    return scatter_add(x.shape, (batch, *places, channels), np.stack(parts))


def _enough(x: Any, rows: Bounds, columns: Bounds) -> None:
    """TensorFlow's kernel refuses small images, whose elements it counts against those of the bounds."""
    if len(rows) * len(columns) > x.size:
        text = "Pooling region has more elements than the input tensor. "
        raise invalid("FractionalMaxPoolGrad", f"{text}row_pooling_sequence: Tensor<type: int64 shape: [{len(rows)}]")


def _to_all(dy: Any, shape: tuple[int, ...], rows: Bounds, columns: Bounds, overlapping: bool) -> Any:
    """The upstream of each window, divided evenly among its elements."""
    total: Any = None
    for i, j, row, column in _cells(shape, rows, columns, overlapping):
        size = (row.stop - row.start, column.stop - column.start)
        share = (dy[:, i, j] / dy.dtype.type(size[0] * size[1]))[:, None, None]
        spread = np.broadcast_to(share, (shape[0], *size, shape[-1]))
        part = scatter_add(shape, (slice(None), row, column), spread)
        total = part if total is None else total + part
    return total


kernel("fractional_max_grad", "FractionalMaxPoolGrad", forward=_to_largest, gradient=MISSING)
kernel("fractional_avg_grad", "FractionalAvgPoolGrad", forward=_to_all, gradient=MISSING)
max_ = kernel(
    "fractional_max", "FractionalMaxPool", forward=_pooled,
    gradient=lambda F, dy, y, x, mean, **windows: F.fractional_max_grad(x, y[0], dy[0], **windows),
)  # fmt: skip
avg_ = kernel(
    "fractional_avg", "FractionalAvgPool", forward=_pooled,
    gradient=lambda F, dy, _y, _x, mean, **windows: F.fractional_avg_grad(dy[0], shape=F.shape(_x), **windows),
)  # fmt: skip


def _run(
    op: Any, value: Any, ratio: Sequence[float], pseudo_random: bool, overlapping: bool, deterministic: bool,
    seed: int, seed2: int,
) -> tuple:  # fmt: skip
    x, kernel_name = convert_to_tensor(value), op.op.kernel
    op.op.check(x._a.dtype)
    if not deterministic and (seed or seed2):
        raise invalid(kernel_name, "Both seed and seed2 should be 0 if deterministic is false.")
    if len(ratio) != 4:
        raise invalid(kernel_name, "pooling_ratio field must specify 4 dimensions")
    if x._a.ndim != 4:
        raise invalid(kernel_name, "tensor_in must be 4-dimensional")
    for axis, (have, share) in enumerate(zip(x._a.shape, ratio)):
        if have < share:
            text = f"Pooling ratio is higher than input dimension size for dimension {axis}."
            raise invalid(kernel_name, f"{text} Input dim size: {have} pooling ratio: {share:g}")
    if not seed and not seed2:
        seed, seed2 = (int(s) for s in np.random.SeedSequence().generate_state(2, np.uint64))
    words = _Words(seed, seed2)
    rows, columns = (_bounds(n, r, pseudo_random, words) for n, r in zip(x._a.shape[1:3], ratio[1:3]))
    return op(x, rows=rows, columns=columns, overlapping=bool(overlapping), mean=op is avg_)


@public("raw_ops.FractionalMaxPool")
def FractionalMaxPoolRaw(
    *, value: Any, pooling_ratio: Any, pseudo_random: bool = False, overlapping: bool = False,
    deterministic: bool = False, seed: int = 0, seed2: int = 0, name: str | None = None,
) -> FractionalMaxPool:  # fmt: skip
    """The largest element of each window of an image, and the windows; the same ones for the same two seeds."""
    found = _run(max_, value, pooling_ratio, pseudo_random, overlapping, deterministic, seed, seed2)
    return FractionalMaxPool(*found)


@public("raw_ops.FractionalAvgPool")
def FractionalAvgPoolRaw(
    *, value: Any, pooling_ratio: Any, pseudo_random: bool = False, overlapping: bool = False,
    deterministic: bool = False, seed: int = 0, seed2: int = 0, name: str | None = None,
) -> FractionalAvgPool:  # fmt: skip
    """The mean of each window of an image, and the windows; the same ones for the same two seeds."""
    found = _run(avg_, value, pooling_ratio, pseudo_random, overlapping, deterministic, seed, seed2)
    return FractionalAvgPool(*found)


def _ratio(given: Any) -> list[float]:
    ratio = [float(v) for v in given] if isinstance(given, (list, tuple)) else [1.0, float(given), float(given), 1.0]
    if any(v < 1.0 for v in ratio):
        raise ValueError(f"`pooling_ratio` elements should be >= 1.0. Received: pooling_ratio={ratio}")
    if ratio[0] != 1.0 or ratio[-1] != 1.0:
        text = "`pooling_ratio` should have first and last elements with value 1.0. Received: "
        raise ValueError(f"{text}pooling_ratio={ratio}")
    return ratio


def _seeded(op: Any, value: Any, pooling_ratio: Any, pseudo_random: bool, overlapping: bool, seed: int) -> tuple:
    from ..randomness.seeds import DEFAULT, get_global_seed

    base = get_global_seed()
    pair = (DEFAULT if base is None else base, seed) if seed else (0, 0)
    return _run(op, value, _ratio(pooling_ratio), pseudo_random, overlapping, bool(seed), *pair)


@public("nn.fractional_max_pool")
def fractional_max_pool(
    value: Any, pooling_ratio: Any, pseudo_random: bool = False, overlapping: bool = False, seed: int = 0,
    name: str | None = None,
) -> FractionalMaxPool:  # fmt: skip
    """The largest elements of windows drawn from ``seed`` as TensorFlow draws them (``tf.nn.fractional_max_pool``)."""
    return FractionalMaxPool(*_seeded(max_, value, pooling_ratio, pseudo_random, overlapping, seed))


@public("nn.fractional_avg_pool")
def fractional_avg_pool(
    value: Any, pooling_ratio: Any, pseudo_random: bool = False, overlapping: bool = False, seed: int = 0,
    name: str | None = None,
) -> FractionalAvgPool:  # fmt: skip
    """The means of windows drawn from ``seed`` as TensorFlow draws them (``tf.nn.fractional_avg_pool``)."""
    return FractionalAvgPool(*_seeded(avg_, value, pooling_ratio, pseudo_random, overlapping, seed))
