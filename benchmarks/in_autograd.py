"""The workloads in HIPS autograd, as its users write them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import autograd.numpy as anp
import numpy as np
from autograd import elementwise_grad, grad, jacobian
from autograd import hessian as hessian_of

from benchmarks.data import coefficients, dense, net

Candidate = Callable[[], Any]


def _relu(x: Any) -> Any:
    return anp.maximum(x, 0)


def chain(x0: Any, ops: int) -> Candidate:
    """W1, W3."""
    c = np.float32(0.7)

    def value(x: Any) -> Any:
        for _ in range(ops // 3):
            x = anp.sin(x) * x + c
        return x

    gradient = elementwise_grad(value)
    return lambda: gradient(x0)


def mlp(x: Any, labels: Any, weights: list[Any]) -> Candidate:
    """W2."""
    one_hot = np.eye(10, dtype=np.float32)[labels]

    def loss(w: list[Any]) -> Any:
        h = _relu(x @ w[0] + w[1])
        h = _relu(h @ w[2] + w[3])
        logits = h @ w[4] + w[5]
        logits = logits - anp.max(logits, axis=1, keepdims=True)
        scores = anp.sum(one_hot * logits, axis=1) - anp.log(anp.sum(anp.exp(logits), axis=1))
        return -anp.mean(scores)

    gradient = grad(loss)
    return lambda: gradient(weights)


def polynomial(order: int) -> Candidate:
    """W4."""
    cs, x = coefficients()

    def value(x: Any) -> Any:
        y = cs[0]
        for c in cs[1:]:
            y = y * x + c
        return y

    derivative = value
    for _ in range(order):
        derivative = grad(derivative)
    return lambda: derivative(x)


def dense_jacobian(rows: int, columns: int, units: int) -> Candidate:
    """W5, row by row: autograd has no other way."""
    x, kernel, bias = dense(rows, columns, units)
    by_kernel = jacobian(lambda w: _relu(x @ w + bias))
    return lambda: by_kernel(kernel)


def hessian(batch: int) -> Candidate:
    """Hessian of the 5-8-6 relu net."""
    n = net(batch)
    second = hessian_of(lambda w: anp.sum(anp.square(_relu(n.x @ w + n.b1) @ n.w2 + n.b2)))
    return lambda: second(n.w1)


def elementwise(x0: Any) -> Candidate:
    """W6."""

    def value(x: Any) -> Any:
        a = anp.tanh(x)
        c = a * x + np.float32(1)
        e = anp.exp(-c) * a
        return anp.sqrt(anp.square(e) + c) * x

    gradient = elementwise_grad(value)
    return lambda: gradient(x0)
