"""Placing bounded values into zeros, and into other values: the gradients of gather, slices and pads."""

from __future__ import annotations

from typing import Any

import numpy as np

from conformance.judging.bounded.array import Bounded, lift
from conformance.judging.bounded.exactness import dyadic
from conformance.judging.bounded.run import note_lost_sign
from conformance.judging.bounded.sums import _collected, mind_negative_zeros


def scatter_add(shape: tuple[int, ...], index: Any, values: Bounded) -> Bounded:
    """Zeros of `shape`, with `values` added at `index` (as `np.add.at` does); terms may meet in any order."""
    fmt = values.fmt
    counts = _added(shape, index, np.ones(values.shape, np.int64))
    x = _added(shape, index, values.x)
    e = None if values.e is None else _added(shape, index, values.e)
    most = int(counts.max(initial=0))
    if most <= 1:
        if ((values.x == 0) & np.signbit(values.x.real)).any():  # added to a zero, or put in its place
            note_lost_sign()
        tags = None
        if e is not None:
            tags = _added(shape, index, values.identities())
        return Bounded(fmt, x, e, None, tags)
    total = _added(shape, index, np.abs(values.x))
    mind_negative_zeros(total, values.x)

    def exact() -> Any:
        largest = np.broadcast_to(total.max(initial=0.0), values.shape)
        each = dyadic(fmt, values.x.real, largest) & dyadic(fmt, values.x.imag, largest)
        return np.full(shape, bool(each.all())) | (counts <= 1)

    return _collected(fmt, x, e, total, most, exact)


def _added(shape: tuple[int, ...], index: Any, part: Any) -> Any:
    made = np.zeros(shape, np.asarray(part).dtype)
    np.add.at(made, index, part)
    return made[()]


def scatter_set(base: Any, index: Any, values: Any) -> Bounded:
    """A copy of `base` with `values` at `index`."""
    dtype = base.dtype
    a, b = lift(base, dtype), lift(values, dtype)
    x = _set(a.x, index, b.x)
    if a.e is None and b.e is None:
        return Bounded(a.fmt, x, None)
    return Bounded(a.fmt, x, _set(a.error(), index, b.error()), None, _set(a.identities(), index, b.identities()))


def _set(base: Any, index: Any, values: Any) -> Any:
    made = np.array(base)
    made[index] = values
    return made[()]
