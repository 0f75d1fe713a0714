"""The workloads with their backward passes written by hand in NumPy: the limit that a NumPy tape can approach.

Floating-point warnings are off, arrays are reused where a person would reuse them, nothing is recorded.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks import data
from benchmarks.data import coefficients, dense, net

Candidate = Callable[[], Any]
_HALF, _ADDEND = np.float32(0.5), np.float32(0.7)


def _silent(run: Candidate) -> Candidate:
    @functools.wraps(run)
    def silent() -> Any:
        with np.errstate(all="ignore"):
            return run()

    return silent


def chain(x0: Any, ops: int) -> Candidate:
    """W1, W3: `x = sin(x) * x + 0.7`, `ops / 3` times; the gradient of the last x by the first."""
    sin, cos = np.sin, np.cos

    def run() -> Any:
        x, saved = x0, []
        for _ in range(ops // 3):
            s = sin(x)
            saved.append((x, s))
            x = s * x + _ADDEND
        g = np.ones_like(x)
        for x, s in reversed(saved):
            g = g * s + g * x * cos(x)
        return g

    return _silent(run)


def mlp(x: Any, labels: Any, weights: list[Any]) -> Candidate:
    """W2: gradients of the mean softmax cross entropy of a two-hidden-layer relu net by its weights and biases."""
    w1, b1, w2, b2, w3, b3 = weights

    def run() -> list[Any]:
        h1 = np.maximum(x @ w1 + b1, 0)
        h2 = np.maximum(h1 @ w2 + b2, 0)
        logits = h2 @ w3 + b3
        p = np.exp(logits - logits.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        p[np.arange(len(labels)), labels] -= 1
        p /= np.float32(len(labels))
        d2 = (p @ w3.T) * (h2 > 0)
        d1 = (d2 @ w2.T) * (h1 > 0)
        return [x.T @ d1, d1.sum(0), h1.T @ d2, d2.sum(0), h2.T @ p, p.sum(0)]

    return _silent(run)


def polynomial(order: int) -> Candidate:
    """W4: Horner's scheme for a polynomial, carried on for its derivatives (the best there is by hand)."""
    cs, x = coefficients()
    factorial = np.float32([1, 1, 2, 6][order])

    def run() -> Any:
        d = [cs[0]] + [np.float32(0)] * order
        for c in cs[1:]:
            for k in range(order, 0, -1):
                d[k] = d[k] * x + d[k - 1]
            d[0] = d[0] * x + c
        return d[order] * factorial

    return _silent(run)


def dense_jacobian(rows: int, columns: int, units: int) -> Candidate:
    """W5: a backward pass with the whole identity as upstream gradient."""
    x, kernel, bias = dense(rows, columns, units)

    def run() -> Any:
        y = np.maximum(x @ kernel + bias, 0)
        g = np.eye(y.size, dtype=y.dtype).reshape(y.size, *y.shape) * (y > 0)
        return (x.T @ g).reshape(y.shape + kernel.shape)

    return _silent(run)


def batch_jacobian(batch: int) -> Candidate:
    """The jacobians of a 5-8-6 net with elu, by its inputs: the identity of one example's outputs as upstream."""
    n = net(batch)
    eye = np.eye(6, dtype=np.float32)

    def run() -> Any:
        z = n.x @ n.w1 + n.b1
        slope = np.exp(np.minimum(z, 0))
        h = np.where(z > 0, z, slope - 1)
        _outputs = h @ n.w2 + n.b2  # the outputs themselves, which a caller wants too
        return ((eye @ n.w2.T) * slope[:, None, :]) @ n.w1.T

    return _silent(run)


def hessian(batch: int) -> Candidate:
    """The second derivatives of a 5-8-6 relu net's squared error by its first kernel: forward over reverse."""
    n = net(batch)
    two = np.float32(2)

    def run() -> Any:
        h = np.maximum(n.x @ n.w1 + n.b1, 0)
        y = h @ n.w2 + n.b2
        on = h > 0
        gradient = n.x.T @ ((y * two @ n.w2.T) * on)
        size = gradient.size
        directions = np.eye(size, dtype=np.float32).reshape(size, *gradient.shape)
        moved = (((n.x @ directions) * on) @ n.w2) * two
        return (n.x.T @ ((moved @ n.w2.T) * on)).reshape(gradient.shape * 2)

    return _silent(run)


def elementwise(x: Any) -> Candidate:
    """W6: gradient of ten elementwise operations on a large array, one temporary for each operation."""

    def run() -> Any:
        a = np.tanh(x)
        c = a * x + np.float32(1)
        d = np.exp(-c)
        e = d * a
        h = np.sqrt(np.square(e) + c)
        dg = x * (_HALF / h)
        de = dg * e * np.float32(2)
        dc = dg - de * a * d
        da = de * d + dc * x
        return h + dc * a + da * (1 - a * a)

    return _silent(run)


def middling(name: str) -> Candidate:
    """An op on arrays of middling size and the gradients of its squares' sum; of a gather, those of the rows."""
    operands = data.middling(name)
    run = {
        "matmul": _matmul, "conv2d": _conv2d, "softmax cross entropy": _cross_entropy, "batch norm": _batch_norm,
        "gather": lambda x: [np.ones_like(x[data.PICKED])], "einsum": _matmul,
    }[name]  # fmt: skip
    return _silent(functools.partial(run, *operands))


_TWO = np.float32(2)


def _matmul(a: Any, b: Any) -> list[Any]:
    g = _TWO * (a @ b)
    return [g @ b.swapaxes(-1, -2), a.swapaxes(-1, -2) @ g]


def _windows(x: Any) -> Any:
    """The 3 by 3 neighbourhoods of a batch of images, one to a row."""
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    views = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (1, 2))
    return views.transpose(0, 1, 2, 4, 5, 3).reshape(-1, 9 * x.shape[3])


def _conv2d(x: Any, kernel: Any) -> list[Any]:
    columns, flat = _windows(x), kernel.reshape(-1, kernel.shape[3])
    g = _TWO * (columns @ flat)
    turned = kernel[::-1, ::-1].transpose(0, 1, 3, 2).reshape(-1, kernel.shape[2])
    by_x = _windows(g.reshape(*x.shape[:3], kernel.shape[3])) @ turned
    return [by_x.reshape(x.shape), (columns.T @ g).reshape(kernel.shape)]


def _cross_entropy(z: Any) -> list[Any]:
    shifted = z - z.max(1, keepdims=True)
    e = np.exp(shifted)
    total = e.sum(1, keepdims=True)
    rows = np.arange(len(z))
    loss = np.log(total[:, 0]) - shifted[rows, data.CLASSES]
    g = e / total
    g[rows, data.CLASSES] -= 1
    return [g * (_TWO * loss)[:, None]]


def _batch_norm(x: Any, scale: Any, offset: Any) -> list[Any]:
    flat = x.reshape(-1, x.shape[3])
    centred = flat - flat.mean(0)
    inverse = 1 / np.sqrt((centred * centred).mean(0) + np.float32(1e-3))
    normal = centred * inverse
    g = _TWO * (normal * scale + offset)
    by_scale, by_offset = (g * normal).sum(0), g.sum(0)
    count = np.float32(len(flat))
    by_x = scale * inverse * (g - by_offset / count - normal * (by_scale / count))
    return [by_x.reshape(x.shape), by_scale, by_offset]
