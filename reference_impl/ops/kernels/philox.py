"""The counter-based generator Philox 4x32-10, as TensorFlow's stateless random ops use it.

``words(seed, count)`` are the same 32-bit words that TensorFlow draws for a seed of two integers; the functions below
turn them into floats as its kernels do.  Source: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011.
"""

from __future__ import annotations

import numpy as np

_MULTIPLIERS = (np.uint64(0xD2511F53), np.uint64(0xCD9E8D57))
_WEYL = (0x9E3779B9, 0xBB67AE85)
_LOW, _SHIFT = np.uint64(0xFFFFFFFF), np.uint64(32)


def philox(counter: np.ndarray, key: tuple[int, int]) -> np.ndarray:
    """Ten rounds on counters (..., 4) of 32-bit words, held in uint64."""
    c0, c1, c2, c3 = (counter[..., k].astype(np.uint64) for k in range(4))
    k0, k1 = key
    for _ in range(10):
        first, second = c0 * _MULTIPLIERS[0], c2 * _MULTIPLIERS[1]
        c0, c1, c2, c3 = (
            (second >> _SHIFT) ^ c1 ^ np.uint64(k0), second & _LOW,
            (first >> _SHIFT) ^ c3 ^ np.uint64(k1), first & _LOW,
        )  # fmt: skip
        k0, k1 = (k0 + _WEYL[0]) & 0xFFFFFFFF, (k1 + _WEYL[1]) & 0xFFFFFFFF
    return np.stack([c0, c1, c2, c3], axis=-1)


def words(seed: tuple[int, int], count: int) -> np.ndarray:
    """The first ``count`` words (uint32) of the stream of a seed."""
    a, b = (int(s) & 0xFFFFFFFFFFFFFFFF for s in seed)
    start = np.array([a & 0xFFFFFFFF, a >> 32, b & 0xFFFFFFFF, b >> 32], np.uint64)
    mixed = [int(w) for w in philox(start, (0x3EC8F720, 0x02461E29))]
    blocks = -(-count // 4)
    counter = np.zeros((blocks, 4), np.uint64)
    steps = np.arange(blocks, dtype=np.uint64)
    counter[:, 0], counter[:, 1] = steps & _LOW, steps >> _SHIFT
    counter[:, 2], counter[:, 3] = mixed[2], mixed[3]
    return philox(counter, (mixed[0], mixed[1])).reshape(-1)[:count].astype(np.uint32)


def _unit_single(w: np.ndarray) -> np.ndarray:
    return ((w & np.uint32(0x7FFFFF)) | np.uint32(0x3F800000)).view(np.float32) - np.float32(1)


def unit_double(w: np.ndarray) -> np.ndarray:
    high, low = w[..., 0].astype(np.uint64) & np.uint64(0xFFFFF), w[..., 1].astype(np.uint64)
    return ((high << _SHIFT) | low | np.uint64(0x3FF0000000000000)).view(np.float64) - 1.0


def uniform(seed: tuple[int, int], count: int, dtype: np.dtype) -> np.ndarray:
    """Numbers in [0, 1)."""
    if dtype == np.float64:
        return unit_double(words(seed, 2 * count).reshape(-1, 2))
    if dtype == np.float16:
        w = words(seed, count).astype(np.uint16)
        return ((w & np.uint16(0x3FF)) | np.uint16(0x3C00)).view(np.float16) - np.float16(1)
    return _unit_single(words(seed, count)).astype(dtype)


def normal(seed: tuple[int, int], count: int, dtype: np.dtype) -> np.ndarray:
    """Normally distributed numbers, by Box and Muller's method in pairs."""
    pairs = -(-count // 2)
    if dtype == np.float64:
        u = unit_double(words(seed, 4 * pairs).reshape(-1, 2)).reshape(-1, 2)
        tiny, turn = 1e-7, 2 * np.pi
    else:
        u = _unit_single(words(seed, 2 * pairs)).reshape(-1, 2)
        tiny, turn = np.float32(1e-7), np.float32(2 * np.pi)
    radius = np.sqrt(-2 * np.log(np.maximum(u[:, 0], tiny)))
    angle = turn * u[:, 1]
    return np.stack([np.sin(angle) * radius, np.cos(angle) * radius], axis=-1).reshape(-1)[:count].astype(dtype)


def integers(seed: tuple[int, int], count: int, low: int, high: int, dtype: np.dtype) -> np.ndarray:
    """Whole numbers in [low, high)."""
    span = int(high) - int(low)
    if dtype.itemsize == 8:
        w = words(seed, 2 * count).reshape(-1, 2).astype(np.uint64)
        drawn = w[:, 0] | (w[:, 1] << _SHIFT)
    else:
        drawn = words(seed, count).astype(np.uint64)
    return (int(low) + (drawn % np.uint64(span)).astype(np.int64)).astype(dtype)
