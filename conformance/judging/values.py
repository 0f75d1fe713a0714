"""Judge one array against another: `judge_array(want, got, leaf, strict)` is None or the `Mismatch`.

`leaf` holds the reference values and bounds of the same array (see `lanes.py`); without it a fixed share of each value
stands in, which is looser. Elements without error must agree to the last bit, rounded ones within twice
their bound (each side may be off by one bound). Finite, infinite and nan never blur, except where a bound is infinite.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from adapters.arrays import to_numpy
from adapters.language import Array
from conformance.judging.bounded.formats import Format, format_of
from conformance.judging.lanes import Leaf

FALLBACK = 2.0**-5  # of the format's limit: the bound where none could be carried, relative to each value,
FALLBACK_ULPS = 16.0  # and a few units in the last place of the largest


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first way in which two arrays differ, and at which element (a flat position).

    what: `dtype`, `shape`, `value`, `zero`, `sign`, `finite`, `sign of zero`.
    """

    what: str
    detail: str
    element: int | None = None
    want: str = ""
    got: str = ""
    ulps: float | None = None
    bound: float | None = None
    count: int = 0


@dataclass(frozen=True, slots=True)
class Measured:
    """The largest difference seen in an array that agrees, in units in the last place.

    doubtful: whether an element differs whose bound is too wide to say that it agrees.
    """

    ulps: float
    doubtful: bool = False


def judge_array(want: Array, got: Array, leaf: Leaf | None, strict: bool, scale: float = 0.0) -> Mismatch | Measured:
    """Judge two arrays of any dtype. `strict`: also the sign of zero counts (the exact lane).

    `scale`: what a bound is measured by where elements are smaller (see `lanes.StepBounds`).
    """
    if want.dtype != got.dtype:
        return Mismatch("dtype", f"dtype: want {want.dtype}, got {got.dtype}")
    if want.shape != got.shape:
        return Mismatch("shape", f"shape: want {list(want.shape)}, got {list(got.shape)}")
    if want.dtype == "string":
        return _judge_plain(want.values, got.values)
    w, g = to_numpy(want).ravel(), to_numpy(got).ravel()
    fmt = format_of(w.dtype)
    if fmt is None:
        return _judge_plain(w.tolist(), g.tolist())
    with np.errstate(all="ignore"):
        return _judge_floats(w, g, _bounds(w, fmt, leaf, want.shape), fmt, strict, scale)


def _judge_plain(want: Any, got: Any) -> Mismatch | Measured:
    unequal = [i for i, (w, g) in enumerate(zip(want, got, strict=True)) if w != g]
    if not unequal:
        return Measured(0.0)
    at = unequal[0]
    return Mismatch(
        "value", f"{len(unequal)} of {len(want)} elements differ", at, repr(want[at]), repr(got[at]), count=len(unequal)
    )


def _bounds(w: np.ndarray, fmt: Format, leaf: Leaf | None, shape: tuple[int, ...]) -> np.ndarray:
    """The bound of each element; where no run with bounds speaks of this array, the fallback."""
    if leaf is not None and leaf.shape == shape and leaf.fmt is fmt:
        return np.zeros(w.size, fmt.wide_real) if leaf.e is None else np.ravel(leaf.e)
    size = np.abs(w.astype(fmt.wide))
    finite = size[np.isfinite(size)]
    largest = finite.max() if finite.size else 0.0
    each = np.where(np.isfinite(size), size, 0.0) * fmt.limit * FALLBACK
    return each + max(largest * fmt.ulp * FALLBACK_ULPS, fmt.flush)


def _judge_floats(
    w: np.ndarray, g: np.ndarray, e: np.ndarray, fmt: Format, strict: bool, scale: float
) -> Mismatch | Measured:
    wide_w, wide_g = w.astype(fmt.wide), g.astype(fmt.wide)
    unknown = np.isinf(e)
    kinds = _kinds_differ(wide_w, wide_g) & ~unknown
    if kinds.any():
        return _mismatch("finite", kinds, w, g, e, fmt)
    finite = np.isfinite(wide_w) & np.isfinite(wide_g)
    gap = np.where(finite, np.abs(wide_w - wide_g), 0.0)
    # A subnormal of either side may be read as zero.
    flushed = (np.abs(wide_w) < fmt.tiny) & (np.abs(wide_g) < fmt.tiny) & fmt.flushes
    off = (gap > 2.0 * e) & ~flushed
    if off.any():
        return _mismatch(_what(wide_w, wide_g, off), off, w, g, e, fmt)
    if strict:
        signs = _zero_signs_differ(w, g) & (e == 0)
        if signs.any():
            return _mismatch("sign of zero", signs, w, g, e, fmt)
    doubtful = (
        ((gap > 0) | _kinds_differ(wide_w, wide_g)) & (e > fmt.limit * np.maximum(np.abs(wide_w), scale)) & ~flushed
    )
    ulps = float(_in_ulps(gap, wide_w, wide_g, fmt).max()) if gap.size else 0.0
    return Measured(ulps, bool(doubtful.any()))


def _parts(x: np.ndarray) -> tuple[np.ndarray, ...]:
    return (x.real, x.imag) if np.iscomplexobj(x) else (x,)


def _kinds_differ(w: np.ndarray, g: np.ndarray) -> np.ndarray:
    """Where one is nan and the other is not, or their infinities differ."""
    differ = np.zeros(w.shape, np.bool_)
    for a, b in zip(_parts(w), _parts(g), strict=True):
        differ |= np.isnan(a) != np.isnan(b)
        differ |= (np.isinf(a) | np.isinf(b)) & (a != b) & ~np.isnan(a) & ~np.isnan(b)
    return differ


def _zero_signs_differ(w: np.ndarray, g: np.ndarray) -> np.ndarray:
    """Of real numbers: the zeros in complex products have the signs that the formula of the product gives them."""
    if np.iscomplexobj(w):
        return np.zeros(w.shape, np.bool_)
    return (w == 0) & (g == 0) & (np.signbit(w) != np.signbit(g))


def _what(w: np.ndarray, g: np.ndarray, off: np.ndarray) -> str:
    """The word for differing values: one side all zeros, all signs turned, or just other values."""
    if not w[off].any() or not g[off].any():
        return "zero"
    if not np.iscomplexobj(w) and np.all(np.signbit(w[off]) != np.signbit(g[off])):
        return "sign"
    return "value"


def _in_ulps(gap: np.ndarray, w: np.ndarray, g: np.ndarray, fmt: Format) -> np.ndarray:
    """Differences in units in the last place of the larger side."""
    size = np.maximum(np.where(np.isfinite(np.abs(w)), np.abs(w), 0), np.where(np.isfinite(np.abs(g)), np.abs(g), 0))
    _, exponent = np.frexp(np.maximum(size, fmt.tiny))
    return gap / np.ldexp(fmt.wide_real.type(fmt.ulp), exponent - 1)


def _mismatch(what: str, off: np.ndarray, w: np.ndarray, g: np.ndarray, e: np.ndarray, fmt: Format) -> Mismatch:
    at = int(np.flatnonzero(off)[0])
    wide_w, wide_g = w[at : at + 1].astype(fmt.wide), g[at : at + 1].astype(fmt.wide)
    gap = np.abs(wide_w - wide_g)
    ulps = float(_in_ulps(gap, wide_w, wide_g, fmt)[0]) if np.isfinite(gap[0]) else None
    words = [f"{int(off.sum())} of {w.size} elements differ"]
    if ulps is not None and what != "sign of zero":
        words.append(f"{ulps:.4g} ULPs")
        if abs(wide_w[0]) > 0:
            words.append(f"relative error {float(gap[0] / np.abs(wide_w[0])):.3g}")
    words.append(f"bound {2 * float(e[at]):.3g}" if e[at] else "no rounding is allowed here")
    detail = "; ".join(words)
    return Mismatch(what, detail, at, _shown(w[at]), _shown(g[at]), ulps, float(2 * e[at]), int(off.sum()))


def _shown(value: Any) -> str:
    return str(value.item()) if isinstance(value, np.generic) and value.dtype.kind != "V" else str(float(value))
