"""QR by reflections, one column after the other, in the order of operations of the library under TensorFlow.

LAPACK's way gives the same factors up to rounding, and that shows where a matrix is singular: an entry of R that must
be zero is 1e-17 there and 0.0 in TensorFlow, whose gradient is then nan and not a large number.
"""

from __future__ import annotations

from typing import Any

import numpy as np

LARGEST = 48  # above it TensorFlow, too, works in blocks


def qr(a: Any, full: bool) -> tuple[Any, Any]:
    """(q, r) of a (..., m, n): m by min(m, n) and min(m, n) by n, or m by m and m by n when ``full``."""
    rows, columns = a.shape[-2:]
    r, reflections = a.copy(), []
    for k in range(min(rows, columns)):
        essential, tau, beta = _reflection(r[..., k:, k])
        reflections.append((essential, tau))
        r[..., k, k] = beta
        r[..., k + 1 :, k] = 0
        _reflect(r[..., k:, k + 1 :], essential, tau)
    q = np.zeros((*a.shape[:-1], rows if full else min(rows, columns)), a.dtype)
    q[..., range(q.shape[-1]), range(q.shape[-1])] = 1
    for k in reversed(range(len(reflections))):
        essential, tau = reflections[k]
        _reflect(q[..., k:, k:], essential, np.conjugate(tau))
    return q, r if full else r[..., : min(rows, columns), :]


def _reflection(x: Any) -> tuple[Any, Any, Any]:
    """What maps the vectors x (..., n) on multiples beta of the first axis: 1, essential (..., n - 1), and tau."""
    first, rest = x[..., 0], x[..., 1:]
    length = np.add.reduce((rest * np.conjugate(rest)).real, axis=-1)
    idle = (length <= np.finfo(x.dtype).tiny) & (first.imag**2 <= np.finfo(x.dtype).tiny)
    beta = np.sqrt(first.real**2 + first.imag**2 + length)
    beta = np.where(first.real >= 0, -beta, beta).astype(beta.dtype)
    beta = np.where(idle, first.real, beta)
    safe = np.where(idle, 1, first - beta)
    essential = np.where(idle[..., None], 0, rest / safe[..., None])
    tau = np.where(idle, 0, np.conjugate((beta - first) / np.where(idle, 1, beta)))
    return essential.astype(x.dtype), tau.astype(x.dtype), beta


def _reflect(block: Any, essential: Any, tau: Any) -> None:
    """Apply a reflection to the rows of ``block``, in place; where there is none nothing is done, not even to a nan."""
    tau = tau[..., None]
    onto = np.add.reduce(np.conjugate(essential)[..., None] * block[..., 1:, :], axis=-2) + block[..., 0, :]
    onto = np.where(tau == 0, 0, onto)
    block[..., 0, :] -= tau * onto
    block[..., 1:, :] -= (tau * essential)[..., None] * onto[..., None, :]
