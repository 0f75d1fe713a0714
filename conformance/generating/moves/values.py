"""Aimed values: what constants and variables are filled with.

`make(dtype, shape, style, seed, kinks)` gives an exact `Array`. The styles are ordered so that 0 is the simplest
(1, 2, 3 ...); others are dyadic fractions, ordinary floats, ties, zeros of both signs, kink points, nan and inf.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from adapters.language import Array

DTYPES = ("float32", "float64", "float16", "bfloat16", "complex64", "complex128", "int32", "int64", "bool")
SHAPES: tuple[tuple[int, ...], ...] = (
    (), (2,), (3,), (2, 3), (2, 2), (2, 1), (1, 3), (1,), (3, 2), (2, 1, 2), (2, 2, 3), (0,), (2, 0), (0, 2), (1, 1),
    (4,),
)  # fmt: skip
STYLES = (
    "counting", "dyadic", "positive dyadic", "ordinary", "positive", "unit", "ties", "zeros", "kinks", "special",
    "wide", "ones",
)  # fmt: skip
STYLE = {name: at for at, name in enumerate(STYLES)}

_SPECIAL = (math.nan, math.inf, -math.inf, 0.0, -0.0, 1.0)
_MASK = (1 << 64) - 1


def stream(seed: int) -> Iterator[int]:
    """An endless stream of 32-bit integers that depends on `seed` alone (splitmix64)."""
    state = seed & _MASK
    while True:
        state = (state + 0x9E3779B97F4A7C15) & _MASK
        mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        yield (mixed ^ (mixed >> 31)) >> 32


def make(dtype: str, shape: tuple[int, ...], style: int, seed: int, kinks: Sequence[float] = ()) -> Array:
    """An array of `dtype` and `shape`, filled in the style `STYLES[style % ...]`."""
    count = math.prod(shape)
    name = STYLES[style % len(STYLES)]
    if dtype.startswith("complex"):
        real, imaginary = _floats(name, seed, count, kinks), _floats(name, seed + 1, count, kinks)
        numbers: list[Any] = [complex(re, im) for re, im in zip(real, imaginary)]
    else:
        numbers = _floats(name, seed, count, kinks)
    return exact(dtype, shape, numbers)


def exact(dtype: str, shape: tuple[int, ...], numbers: Sequence[Any]) -> Array:
    """The array whose elements are the numbers rounded to `dtype`."""
    return Array(dtype, shape, tuple(_rounded(dtype, numbers)))


def sketch(array: Array) -> np.ndarray:
    """A wide NumPy array of the values, for the generator's rough arithmetic."""
    kind = {"f": float, "b": bool if array.dtype == "bool" else float, "i": np.int64, "c": complex}[array.dtype[0]]
    return np.array(array.values, dtype=kind).reshape(array.shape)


def tied_with(values: np.ndarray, dtype: str, seed: int) -> Array:
    """A partner that ties with `values` in about half its elements and lies beside them in the others."""
    draws = stream(seed)
    flat = [complex(one) if values.dtype.kind == "c" else float(one) for one in values.ravel()]
    near = [_tidy(one) + (0.0, 0.0, 1.0, -0.5)[next(draws) % 4] for one in flat]
    return exact(dtype, values.shape, near)


def _tidy(number: Any) -> Any:
    if isinstance(number, complex):
        return complex(_tidy(number.real), _tidy(number.imag))
    return round(number * 8) / 8 if math.isfinite(number) and abs(number) < 1e6 else 0.0


def _floats(name: str, seed: int, count: int, kinks: Sequence[float]) -> list[float]:
    draws = stream(seed)
    if name == "counting":
        return [float(at + 1) for at in range(count)]
    return [_one(name, next(draws), kinks) for _ in range(count)]


def _one(name: str, draw: int, kinks: Sequence[float]) -> float:
    unit = (draw >> 8) / 2.0**24
    match name:
        case "dyadic":
            return (draw % 33 - 16) / (1.0, 2.0, 4.0)[draw % 3]
        case "positive dyadic":
            return (draw % 16 + 1) / (1.0, 2.0, 4.0)[draw % 3]
        case "ordinary":
            return 6.0 * unit - 3.0
        case "positive":
            return 0.1 + 4.0 * unit
        case "unit":
            return 1.8 * unit - 0.9
        case "ties":
            return (1.0, 2.0, 2.0, -1.0)[draw % 4]
        case "zeros":
            return (0.0, -0.0, 1.0, -2.0, 0.0)[draw % 5]
        case "kinks":
            return _kink(draw, kinks)
        case "special":
            return _SPECIAL[draw % len(_SPECIAL)]
        case "wide":
            return (2.0 * unit - 1.0) * 10.0 ** (draw % 9 - 4)
        case _:
            return 1.0


def _kink(draw: int, kinks: Sequence[float]) -> float:
    points = (*kinks, 0.0, 1.0, -1.0, 0.5)
    return points[(draw >> 4) % len(points)]


def _rounded(dtype: str, numbers: Sequence[Any]) -> list[Any]:
    match dtype:
        case "bool":
            return [bool(one > 0) for one in numbers]
        case "int32" | "int64":
            return [int(min(max(one, -99.0), 99.0)) if math.isfinite(one) else 7 for one in map(_real, numbers)]
        case "float64" | "complex128":
            return list(numbers)
        case "bfloat16":
            return _to_bfloat16(np.array([_real(one) for one in numbers], dtype=np.float32))
    with np.errstate(over="ignore"):
        return [one.item() for one in np.array(numbers).astype(np.dtype(dtype))] if numbers else []


def _real(number: Any) -> float:
    return float(number.real) if isinstance(number, complex) else float(number)


def _to_bfloat16(values: np.ndarray) -> list[float]:
    """Round to nearest, ties to even, on the bits; nan and infinities stay."""
    bits = values.view(np.uint32)
    kept = (bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)
    return [one.item() for one in np.where(np.isfinite(values), kept.view(np.float32), values)]
