"""The signs of eigenvectors: those of the algorithm that TensorFlow's kernel runs.

An eigenvector is determined up to a factor of modulus 1, and the factor shows in every gradient by the vectors. LAPACK
and TensorFlow choose differently, so for small matrices the other algorithm (Householder's reduction to tridiagonal
form, then implicit QR steps with Givens rotations) is run beside LAPACK's, only to turn LAPACK's vectors.
"""

from __future__ import annotations

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
    """The eigenvectors in ascending order of eigenvalues; None where the steps do not come to an end.

    All is computed in the precision of the matrices: where elements cancel, what rounding leaves decides the signs.
    """
    low = np.tril(a)
    largest = np.abs(low).max()
    whole = ((low + np.conjugate(np.tril(a, -1).T)) / (largest or largest.dtype.type(1))).astype(a.dtype)
    with np.errstate(all="ignore"):
        diagonal, below, q = _tridiagonal(whole)
        columns = [list(column) for column in q.T]
        if not _diagonalised(diagonal, below, columns, np.finfo(a.dtype).eps):
            return None
    _sorted(diagonal, columns)
    return np.array(columns).T


def _tridiagonal(a: np.ndarray) -> tuple[list, list, np.ndarray]:
    """Householder's reduction of a matrix, which is overwritten: A = Q T Q*, as (diagonal, subdiagonal, Q)."""
    below, turns = [], []
    for i in range(len(a) - 1):
        v, tau, beta = _reflector(a[i + 1 :, i])
        rest = a[i + 1 :, i + 1 :]
        w = (np.tril(rest) + np.conjugate(np.tril(rest, -1).T)) @ (np.conjugate(tau) * v)
        w = w + (np.conjugate(tau) * tau.real.dtype.type(-0.5) * np.vdot(w, v)) * v
        rest -= np.outer(v, np.conjugate(w)) + np.outer(w, np.conjugate(v))
        below.append(beta)
        turns.append((v, tau))
    q = np.eye(len(a), dtype=a.dtype)
    for i, (v, tau) in reversed(list(enumerate(turns))):
        q[i + 1 :, i + 1 :] -= np.conjugate(tau) * np.outer(v, np.conjugate(v) @ q[i + 1 :, i + 1 :])
    return list(a.diagonal().real), below, q


def _reflector(x: np.ndarray) -> tuple[np.ndarray, Any, Any]:
    """(v, tau, beta) of the reflection 1 - tau v v* that takes ``x`` to beta times the first unit vector."""
    first, tail = x[0], x[1:]
    tiny = np.finfo(x.dtype).tiny
    rest = x.real.dtype.type(0)
    for one in tail:
        rest += one.real * one.real + one.imag * one.imag
    if rest <= tiny and first.imag * first.imag <= tiny:
        return np.concatenate([np.ones(1, x.dtype), np.zeros_like(tail)]), x.dtype.type(0), first.real
    beta = np.sqrt(first.real * first.real + first.imag * first.imag + rest) * (-1 if first.real >= 0 else 1)
    v = np.concatenate([np.ones(1, x.dtype), tail / (first - beta)])
    return v, np.conjugate((beta - first) / beta), beta


def _diagonalised(diagonal: list, below: list, columns: list, epsilon: Any) -> bool:
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
    e = below[end - 1]
    half = (diagonal[end - 1] - diagonal[end]) * type(e)(0.5)
    size = np.hypot(half, e)
    shift = diagonal[end] - (abs(e) if half == 0 else e * e / (half + (size if half > 0 else -size)))
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


def _rotation(p: Any, q: Any) -> tuple[Any, Any]:
    """(c, s) of the rotation that takes (p, q) to (r, 0)."""
    one = type(p)(1)
    if q == 0:
        return (-one if p < 0 else one), 0 * one
    if p == 0:
        return 0 * one, (one if q < 0 else -one)
    if abs(p) > abs(q):
        t = q / p
        u = np.copysign(np.sqrt(one + t * t), p)
        c = one / u
        return c, -t * c
    t = p / q
    u = np.copysign(np.sqrt(one + t * t), q)
    s = -one / u
    return -t * s, s


def _sorted(diagonal: list, columns: list) -> None:
    """Ascending, by exchanges with the smallest that is left."""
    for i in range(len(diagonal) - 1):
        k = min(range(i, len(diagonal)), key=diagonal.__getitem__)
        if k > i:
            diagonal[i], diagonal[k] = diagonal[k], diagonal[i]
            columns[i], columns[k] = columns[k], columns[i]
