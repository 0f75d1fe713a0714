"""How far two records of a program are apart."""

from __future__ import annotations

import numpy as np

from conformance.around.world import Record

LIMIT = 1e-5


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
