"""How far two records of a program are apart."""

from __future__ import annotations

import itertools
import math
import re

import numpy as np

from conformance.around.world import Record

LIMIT = 1e-5
_FLOAT = re.compile(r"(?<![\w.])(-?\d+\.\d*(?:e[-+]?\d+)?)(?![\w.])")
_ROUNDED = 4  # decimals, from which on a number does not count as rounded by the program that prints it


def differences(want: Record, got: Record, limit: float = LIMIT) -> list[str]:
    """One line for each thing that differs: floats by more than `limit` of the largest number, all else at all.

    The largest number is that of the array, or of all arrays whose names begin alike up to a dot (the gradients of one
    step): what is zero but for rounding has no size of its own.
    """
    found = []
    largest: dict[str, float] = {}
    for name, array in want.arrays.items():
        if array.dtype.kind in "fc":
            group = _group(name)
            largest[group] = max(largest.get(group, 0.0), float(np.max(np.abs(array), initial=0.0)))
    if list(want.arrays) != list(got.arrays) or list(want.texts) != list(got.texts):
        missing = [n for n in (*want.arrays, *want.texts) if n not in got.arrays and n not in got.texts]
        more = [n for n in (*got.arrays, *got.texts) if n not in want.arrays and n not in want.texts]
        found.append(f"seen by one alone: {missing} and {more}")
    for name in want.arrays.keys() & got.arrays.keys():
        problem = _array(want.arrays[name], got.arrays[name], limit, largest.get(_group(name), 0.0))
        if problem:
            found.append(f"{name}: {problem}")
    for name in want.texts.keys() & got.texts.keys():
        if want.texts[name] != got.texts[name]:
            found.append(f"{name}: want {want.texts[name]!r}, got {got.texts[name]!r}")
    return sorted(found)


def _group(name: str) -> str:
    return name.partition(".")[0]


def _array(want: np.ndarray, got: np.ndarray, limit: float, largest: float) -> str | None:
    if want.dtype != got.dtype or want.shape != got.shape:
        return f"want {want.dtype}{list(want.shape)}, got {got.dtype}{list(got.shape)}"
    if want.dtype.kind not in "fc":
        return None if np.array_equal(want, got) else f"want {want.tolist()}, got {got.tolist()}"
    apart = float(np.max(np.abs(want.astype(np.complex128) - got.astype(np.complex128)), initial=0.0))
    if apart <= limit * largest or apart == 0.0:
        return None
    return f"{apart:.3g} apart where the largest is {largest:.3g} ({apart / largest if largest else float('inf'):.2g})"


def lines_apart(want: str, got: str) -> list[str]:
    """The lines of two printed texts that differ, each with what the other has there.

    Floats may be `LIMIT` apart, or one unit of the decimals to which both were rounded: machines add and multiply in
    different orders, and a number may lie on either side of the middle. All else must be the same.
    """
    pairs = itertools.zip_longest(want.splitlines(), got.splitlines())
    return [f"line {at}: want {a!r}, got {b!r}" for at, (a, b) in enumerate(pairs, 1) if a != b and not _alike(a, b)]


def _alike(want: str | None, got: str | None) -> bool:
    if want is None or got is None:
        return False
    left, right = _FLOAT.split(want), _FLOAT.split(got)
    around = [
        [" ".join(part.split()) for part in parts[::2]] for parts in (left, right)
    ]  # shorter floats are filled up
    return len(left) > 1 and around[0] == around[1] and all(map(_near, left[1::2], right[1::2]))


def _near(want: str, got: str) -> bool:
    a, b = float(want), float(got)
    limit = LIMIT * max(abs(a), abs(b))
    decimals = max(_decimals(a), _decimals(b))
    return abs(a - b) <= max(limit, 1.01 * 10.0**-decimals if decimals <= _ROUNDED else 0.0)


def _decimals(number: float) -> int:
    """To how many decimals a float32 was rounded; more than `_ROUNDED` when it seems not to be."""
    if not math.isfinite(number):
        return 0
    near = (places for places in range(_ROUNDED + 1) if np.float32(round(number, places)) == np.float32(number))
    return next(near, _ROUNDED + 1)
