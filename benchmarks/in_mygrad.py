"""The workloads that MyGrad can run: first derivatives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mygrad as mg
import numpy as np
from mygrad.nnet.activations import relu
from mygrad.nnet.losses import softmax_crossentropy

Candidate = Callable[[], Any]


def chain(x0: Any, ops: int) -> Candidate:
    """W1, W3."""
    c = np.float32(0.7)

    def run() -> Any:
        x = start = mg.tensor(x0)
        for _ in range(ops // 3):
            x = mg.sin(x) * x + c
        x.backward()
        return start.grad

    return run


def mlp(x: Any, labels: Any, weights: list[Any]) -> Candidate:
    """W2."""

    def run() -> Any:
        w1, b1, w2, b2, w3, b3 = leaves = [mg.tensor(w, copy=False) for w in weights]
        h = relu(mg.matmul(x, w1) + b1)
        h = relu(mg.matmul(h, w2) + b2)
        softmax_crossentropy(mg.matmul(h, w3) + b3, labels).backward()
        return [w.grad for w in leaves]

    return run


def elementwise(x0: Any) -> Candidate:
    """W6."""

    def run() -> Any:
        x = mg.tensor(x0, copy=False)
        a = mg.tanh(x)
        c = a * x + np.float32(1)
        e = mg.exp(-c) * a
        (mg.sqrt(mg.square(e) + c) * x).backward()
        return x.grad

    return run
