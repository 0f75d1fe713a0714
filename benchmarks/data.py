"""The numbers that the workloads run on: the same for every contestant."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Layers:
    """A net with one hidden layer and a batch of inputs: x (batch, 5), w1 (5, 8), b1 (8,), w2 (8, 6), b2 (6,)."""

    x: Any
    w1: Any
    b1: Any
    w2: Any
    b2: Any


def _normal(seed: int, *shapes: tuple[int, ...]) -> list[Any]:
    draw = np.random.default_rng(seed)
    return [draw.normal(size=shape).astype(np.float32) for shape in shapes]


def net(batch: int) -> Layers:
    """The 5-8-6 net of the Hessian and the batch jacobian."""
    return Layers(*_normal(1, (batch, 5), (5, 8), (8,), (8, 6), (6,)))


def dense(rows: int, columns: int, units: int) -> list[Any]:
    """Inputs, kernel and bias of one layer."""
    return _normal(2, (rows, columns), (columns, units), (units,))


def digits() -> tuple[Any, Any, list[Any]]:
    """Inputs (50, 784), labels and the six weights of a net 784-128-64-10."""
    sizes = [784, 128, 64, 10]
    weights = [a * np.float32(0.05) for m, n in itertools.pairwise(sizes) for a in _normal(m, (m, n), (n,))]
    return _normal(3, (50, 784))[0], np.random.default_rng(4).integers(0, 10, 50), weights


def coefficients() -> tuple[list[Any], Any]:
    """51 coefficients of a polynomial of degree 50, which takes 100 ops by Horner's scheme, and a point."""
    return [np.float32(1.0 / (1 + k)) for k in range(51)], np.float32(0.9)


def start(shape: tuple[int, ...]) -> Any:
    """Where a chain begins: 0.3, a NumPy scalar for the shape ()."""
    return np.full(shape, 0.3, np.float32)[()]


def large() -> Any:
    """Ten million float32."""
    return np.random.default_rng(5).normal(size=10**7).astype(np.float32)


MIDDLING: dict[str, tuple[tuple[int, ...], ...]] = {
    "matmul": ((256, 256), (256, 256)),
    "conv2d": ((32, 28, 28, 8), (3, 3, 8, 16)),
    "softmax cross entropy": ((256, 1000),),
    "batch norm": ((32, 28, 28, 8), (8,), (8,)),
    "gather": ((10_000, 64),),
    "einsum": ((32, 64, 64), (32, 64, 64)),
}
CLASSES = np.random.default_rng(6).integers(0, 1000, 256)  # the labels of the cross entropy
PICKED = np.random.default_rng(7).integers(0, 10_000, 1000)  # the rows that are gathered


def middling(name: str) -> list[Any]:
    """The operands of an op on arrays of middling size."""
    return _normal(8, *MIDDLING[name])
