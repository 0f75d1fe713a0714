"""The workloads in PyTorch, eager, as its users write them (`torch.func` for jacobians)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from benchmarks.data import coefficients, dense, net

Candidate = Callable[[], Any]
_grad = torch.autograd.grad
torch.set_num_threads(1)


def _leaf(a: Any) -> Any:
    return torch.tensor(a, requires_grad=True)


def chain(x0: Any, ops: int) -> Candidate:
    """W1, W3."""
    x_start, c, ones = _leaf(x0), torch.tensor(np.float32(0.7)), torch.ones(np.shape(x0))

    def run() -> Any:
        x = x_start
        for _ in range(ops // 3):
            x = torch.sin(x) * x + c
        return _grad(x, x_start, ones)[0]

    return run


def mlp(x: Any, labels: Any, weights: list[Any]) -> Candidate:
    """W2."""
    x, labels = torch.tensor(x), torch.tensor(labels)
    w1, b1, w2, b2, w3, b3 = leaves = [_leaf(w) for w in weights]

    def run() -> Any:
        h = torch.relu(x @ w1 + b1)
        h = torch.relu(h @ w2 + b2)
        return _grad(torch.nn.functional.cross_entropy(h @ w3 + b3, labels), leaves)

    return run


def polynomial(order: int) -> Candidate:
    """W4."""
    cs, point = coefficients()
    cs, x = [torch.tensor(c) for c in cs], _leaf(point)

    def run() -> Any:
        y = cs[0]
        for c in cs[1:]:
            y = y * x + c
        for k in range(order):
            (y,) = _grad(y, x, create_graph=k < order - 1)
        return y

    return run


def dense_jacobian(rows: int, columns: int, units: int) -> Candidate:
    """W5."""
    x, kernel, bias = map(torch.tensor, dense(rows, columns, units))
    by_kernel = torch.func.jacrev(lambda w: torch.relu(x @ w + bias))
    return lambda: by_kernel(kernel)


def batch_jacobian(batch: int) -> Candidate:
    """Jacobians of the 5-8-6 elu net."""
    n = net(batch)
    x, w1, b1, w2, b2 = map(torch.tensor, (n.x, n.w1, n.b1, n.w2, n.b2))
    one = torch.func.jacrev(lambda row: torch.nn.functional.elu(row @ w1 + b1) @ w2 + b2)
    every = torch.func.vmap(one)
    return lambda: every(x)


def hessian(batch: int) -> Candidate:
    """Hessian of the 5-8-6 relu net, by the way that is faster here: reverse over reverse."""
    n = net(batch)
    x, w1, b1, w2, b2 = map(torch.tensor, (n.x, n.w1, n.b1, n.w2, n.b2))
    second = torch.func.jacrev(torch.func.grad(lambda w: torch.square(torch.relu(x @ w + b1) @ w2 + b2).sum()))
    return lambda: second(w1)


def elementwise(x0: Any) -> Candidate:
    """W6."""
    x, ones = _leaf(x0), torch.ones(x0.shape)

    def run() -> Any:
        a = torch.tanh(x)
        c = a * x + 1.0
        e = torch.exp(-c) * a
        return _grad(torch.sqrt(torch.square(e) + c) * x, x, ones)[0]

    return run
