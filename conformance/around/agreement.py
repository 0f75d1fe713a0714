"""How far two records of a program are apart."""

from __future__ import annotations

import itertools
import re

import numpy as np

from conformance.around.world import Record

LIMIT = 1e-5
PRINTED = 1e-6  # how far printed floats may be apart
_FLOAT = re.compile(r"(?<![\w.])(-?\d+\.\d*(?:e[-+]?\d+)?)(?![\w.])")
_DECIMALS = 4  # to which snippets round what they print


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

    Floats may be `PRINTED` apart, relative, or one unit of the fourth decimal where both are rounded to it: machines
    add and multiply in different orders, and a number may lie on either side of the middle. All else must be the same.
    """
    pairs = itertools.zip_longest(want.splitlines(), got.splitlines())
    return [f"line {at}: want {a!r}, got {b!r}" for at, (a, b) in enumerate(pairs, 1) if a != b and not _alike(a, b)]


def _alike(want: str | None, got: str | None) -> bool:
    if want is None or got is None:
        return False
    left, right = _FLOAT.split(want), _FLOAT.split(got)
    # between the floats; NumPy fills up the shorter ones with spaces
    before, after = ([" ".join(part.split()) for part in parts[::2]] for parts in (left, right))
    return len(left) > 1 and before == after and all(map(_near, left[1::2], right[1::2]))


def _near(want: str, got: str) -> bool:
    a, b = float(want), float(got)
    rounded = all(np.float32(round(one, _DECIMALS)) == np.float32(one) for one in (a, b))
    return abs(a - b) <= max(PRINTED * max(abs(a), abs(b)), 1.01 * 10.0**-_DECIMALS if rounded else 0.0)
