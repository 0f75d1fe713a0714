"""The signs of eigenvectors: those of the algorithm that TensorFlow's kernel runs.

An eigenvector is determined up to a factor of modulus 1, and the factor shows in every gradient by the vectors. LAPACK
and TensorFlow choose differently, so for small matrices the other algorithm (Householder's reduction to tridiagonal
form, then implicit QR steps with Givens rotations) is run beside LAPACK's, only to turn LAPACK's vectors.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

LARGEST = 8  # rows of the matrices whose vectors are turned; it takes a Python loop
_STEPS = 30  # per row, before it is given up


def as_tensorflow(a: Any, v: Any) -> Any:
    """Eigenvectors ``v`` of plain self-adjoint matrices ``a``, each times the factor that TensorFlow would choose."""
    size = a.shape[-1]
    if not v.size or size == 1 or size > LARGEST or not np.isfinite(a).all():
        return v
    flat, vectors = a.reshape((-1, size, size)), v.reshape((-1, size, size))
    turned = [_turned(one, columns) for one, columns in zip(flat, vectors)]
    return np.stack(turned).reshape(v.shape)


def _turned(a: np.ndarray, v: np.ndarray) -> np.ndarray:
    chosen = _vectors(a)
    if chosen is None:
        return v
    along = (np.conjugate(v) * chosen).sum(axis=0)
    size = np.abs(along)
    factor = np.where(size > 0.5, along / np.where(size > 0.5, size, 1.0), 1.0)
    return v * factor.astype(v.dtype)


def _vectors(a: np.ndarray) -> np.ndarray | None:
    """The eigenvectors in ascending order of eigenvalues; None where the steps do not come to an end."""
    low = np.tril(a)
    whole = low + np.conjugate(np.tril(a, -1).T)
    scale = float(np.abs(low).max()) or 1.0
    whole = whole / scale
    diagonal, below, q = _of_three(whole) if len(a) == 3 and a.dtype.kind != "c" else _tridiagonal(whole)
    columns = [list(column) for column in q.T]
    if not _diagonalised(diagonal, below, columns, float(np.finfo(a.dtype).eps)):
        return None
    _sorted(diagonal, columns)
    return np.array(columns).T


def _of_three(a: np.ndarray) -> tuple[list, list, np.ndarray]:
    """The tridiagonal form of a real matrix of three rows, by its own formula."""
    a00, a10, a20, a11, a21, a22 = (float(a[i, j]) for i, j in ((0, 0), (1, 0), (2, 0), (1, 1), (2, 1), (2, 2)))
    if a20 * a20 <= np.finfo(np.float64).tiny:
        return [a00, a11, a22], [a10, a21], np.eye(3)
    beta = math.hypot(a10, a20)
    m01, m02 = a10 / beta, a20 / beta
    q = 2.0 * m01 * a21 + m02 * (a22 - a11)
    basis = np.array([[1.0, 0.0, 0.0], [0.0, m01, m02], [0.0, m02, -m01]])
    return [a00, a11 + m02 * q, a22 - m02 * q], [beta, a21 - m01 * q], basis


def _tridiagonal(a: np.ndarray) -> tuple[list, list, np.ndarray]:
    """Householder's reduction: A = Q T Q*, as (diagonal, subdiagonal, Q)."""
    size = len(a)
    q = np.eye(size, dtype=a.dtype)
    for i in range(size - 1):
        first, tail = a[i + 1, i], a[i + 2 :, i]
        rest = float((np.abs(tail) ** 2).sum())
        if rest <= 0.0 and first.imag == 0.0:
            continue
        beta = math.sqrt(abs(first) ** 2 + rest) * (-1.0 if first.real >= 0 else 1.0)
        v = np.concatenate([np.zeros(i + 1, a.dtype), [1.0], tail / (first - beta)])
        h = np.eye(size, dtype=a.dtype) - np.conjugate((beta - first) / beta) * np.outer(v, np.conjugate(v))
        a = h @ a @ np.conjugate(h.T)
        q = q @ np.conjugate(h.T)
    return [float(x) for x in a.diagonal().real], [float(x) for x in a.diagonal(-1).real], q


def _diagonalised(diagonal: list, below: list, columns: list, epsilon: float) -> bool:
    """Implicit QR steps until nothing is left below the diagonal; whether that came about."""
    start, end = 0, len(diagonal) - 1
    for _ in range(_STEPS * len(diagonal)):
        for i in range(start, end):
            scaled = below[i] / epsilon
            if scaled * scaled <= abs(diagonal[i]) + abs(diagonal[i + 1]):
                below[i] = 0.0
        while end > 0 and below[end - 1] == 0.0:
            end -= 1
        if end <= 0:
            return True
        start = end - 1
        while start > 0 and below[start - 1] != 0.0:
            start -= 1
        _step(diagonal, below, columns, start, end)
    return False


def _step(diagonal: list, below: list, columns: list, start: int, end: int) -> None:
    half, e = (diagonal[end - 1] - diagonal[end]) * 0.5, below[end - 1]
    shift = diagonal[end] - (abs(e) if half == 0 else e * e / (half + math.copysign(math.hypot(half, e), half)))
    x, z = diagonal[start] - shift, below[start]
    for k in range(start, end):
        if z == 0.0:
            return
        c, s = _rotation(x, z)
        down, other = s * diagonal[k] + c * below[k], s * below[k] + c * diagonal[k + 1]
        diagonal[k] = c * (c * diagonal[k] - s * below[k]) - s * (c * below[k] - s * diagonal[k + 1])
        diagonal[k + 1] = s * down + c * other
        below[k] = c * down - s * other
        if k > start:
            below[k - 1] = c * below[k - 1] - s * z
        x = below[k]
        if k < end - 1:
            z = -s * below[k + 1]
            below[k + 1] = c * below[k + 1]
        left, right = columns[k], columns[k + 1]
        columns[k] = [c * p - s * q for p, q in zip(left, right)]
        columns[k + 1] = [s * p + c * q for p, q in zip(left, right)]


def _rotation(p: float, q: float) -> tuple[float, float]:
    """(c, s) of the rotation that takes (p, q) to (r, 0)."""
    if q == 0.0:
        return (-1.0 if p < 0 else 1.0), 0.0
    if p == 0.0:
        return 0.0, (1.0 if q < 0 else -1.0)
    if abs(p) > abs(q):
        t = q / p
        u = math.copysign(math.sqrt(1.0 + t * t), p)
        return 1.0 / u, -t / u
    t = p / q
    u = math.copysign(math.sqrt(1.0 + t * t), q)
    return t / u, -1.0 / u


def _sorted(diagonal: list, columns: list) -> None:
    """Ascending, by exchanges with the smallest that is left."""
    for i in range(len(diagonal) - 1):
        k = min(range(i, len(diagonal)), key=diagonal.__getitem__)
        if k > i:
            diagonal[i], diagonal[k] = diagonal[k], diagonal[i]
            columns[i], columns[k] = columns[k], columns[i]
