"""The workloads with their backward passes written by hand in NumPy: the limit that a NumPy tape can approach.

Floating-point warnings are off, arrays are reused where a person would reuse them, nothing is recorded.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def chain(x0: Any, ops: int) -> Any:
    """`x = sin(x) * x + 0.7`, `ops / 3` times; returns the gradient of the last x by the first."""
    with np.errstate(all="ignore"):
        x, saved = x0, []
        for _ in range(ops // 3):
            s = np.sin(x)
            saved.append((x, s))
            x = s * x + np.float32(0.7)
        g = np.ones_like(x)
        for x, s in reversed(saved):
            g = g * s + g * x * np.cos(x)
        return g


def mlp(x: Any, labels: Any, weights: list[Any]) -> list[Any]:
    """Gradients of the mean softmax cross entropy of a two-hidden-layer relu net by its weights and biases."""
    w1, b1, w2, b2, w3, b3 = weights
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


def elementwise(x: Any) -> Any:
    """Gradient of ten elementwise operations on a large array."""
    with np.errstate(all="ignore"):
        a = np.tanh(x)
        b = a * x
        c = b + np.float32(1)
        d = np.exp(-c)
        e = d * a
        f = np.square(e)
        g = f + c
        h = np.sqrt(g)
        one = np.float32(0.5) / h
        de = one * 2 * e
        dd, da = de * a, de * d
        dc = one - dd * d
        da += dc * x
        return dc * a + da * (1 - a * a)
