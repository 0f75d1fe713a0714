"""Bounds of Fourier transforms: sums of products with roots of unity, in an order that every library chooses itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from conformance.judging.bounded.array import Bounded
from conformance.judging.bounded.formats import Format, format_of
from conformance.judging.bounded.linear_algebra import FUNCTIONS

STAGE_ULPS = 4.0  # for one stage of a transform, of which there are log2(n), relative to the sum of the moduli


def _bounded(fmt: Format, x: Any, a: Bounded, axes: Sequence[int], share: float) -> Bounded:
    """A transform x of `a` over `axes`, each output of which is `share` times a sum of as many unit multiples."""
    count = int(np.prod([a.shape[axis] for axis in axes]))
    total = np.sum(np.abs(a.x), axis=tuple(axes), keepdims=True) * share
    e = np.sum(a.error(), axis=tuple(axes), keepdims=True) * share
    e = e + total * (STAGE_ULPS * fmt.ulp * (1 + np.log2(max(count, 1))))
    return Bounded(fmt, x, np.broadcast_to(e + np.where(total > 0, fmt.flush, 0.0), x.shape).astype(fmt.wide_real))


def _whole(function: Any) -> Callable[..., Bounded]:
    def rule(
        a: Bounded, s: Any = None, axes: Sequence[int] | None = None, norm: Any = None, out: Any = None
    ) -> Bounded:
        chosen = range(a.ndim) if axes is None else axes
        share = 1.0 / max(int(np.prod([a.shape[axis] for axis in chosen])), 1) if function is np.fft.ifftn else 1.0
        return _bounded(a.fmt, function(a.x, axes=axes), a, tuple(chosen), share)

    return rule


for _function in (np.fft.fftn, np.fft.ifftn):
    FUNCTIONS[_function] = _whole(_function)


def _rfft(a: Bounded, n: int | None = None, axis: int = -1, *_rest: Any, **_named: Any) -> Bounded:
    x = np.fft.rfft(a.x, n, axis=axis)
    return _bounded(_complex(a.fmt), x, a, (axis,), 1.0)


def _irfft(a: Bounded, n: int | None = None, axis: int = -1, *_rest: Any, **_named: Any) -> Bounded:
    x = np.fft.irfft(a.x, n, axis=axis)
    return _bounded(format_of(a.fmt.real), x, a, (axis,), 2.0 / max(x.shape[axis], 1))


def _rfft2(a: Bounded, s: Any = None, axes: Sequence[int] = (-2, -1), *_rest: Any, **_named: Any) -> Bounded:
    x = np.fft.rfft2(a.x, s, axes=axes)
    return _bounded(_complex(a.fmt), x, a, axes, 1.0)


def _irfft2(a: Bounded, s: Any = None, axes: Sequence[int] = (-2, -1), *_rest: Any, **_named: Any) -> Bounded:
    x = np.fft.irfft2(a.x, s, axes=axes)
    size = int(np.prod([x.shape[axis] for axis in axes]))
    return _bounded(format_of(a.fmt.real), x, a, axes, 2.0 / max(size, 1))


def _complex(fmt: Format) -> Format:
    return format_of(np.dtype(np.complex64 if fmt.real_name == "float32" else np.complex128))


FUNCTIONS[np.fft.rfft] = _rfft
FUNCTIONS[np.fft.irfft] = _irfft
FUNCTIONS[np.fft.rfft2] = _rfft2
FUNCTIONS[np.fft.irfft2] = _irfft2

__all__ = ["FUNCTIONS"]
