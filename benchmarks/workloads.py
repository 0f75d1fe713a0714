"""The workloads, written once for any module shaped like `tensorflow`.

Each function takes that module and returns a candidate: a function of no arguments that runs the workload once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Candidate = Callable[[], object]


def chain(tf: Any, x0: Any, ops: int) -> Candidate:
    """W1, W3: a chain of small ops, forward and gradient."""
    x_start = tf.constant(x0)
    addend = tf.constant(np.float32(0.7))

    def run() -> object:
        with tf.GradientTape() as tape:
            tape.watch(x_start)
            x = x_start
            for _ in range(ops // 3):
                x = tf.sin(x) * x + addend
        return tape.gradient(x, x_start)

    return run


def mlp(tf: Any, x: Any, labels: Any, weights: list[Any]) -> Candidate:
    """W2: one gradient of an MLP 784-128-64-10 with softmax cross entropy, batch 50."""
    x, one_hot = tf.constant(x), tf.constant(np.eye(10, dtype=np.float32)[labels])
    w1, b1, w2, b2, w3, b3 = variables = [tf.Variable(w) for w in weights]

    def run() -> object:
        with tf.GradientTape() as tape:
            h = tf.nn.relu(tf.matmul(x, w1) + b1)
            h = tf.nn.relu(tf.matmul(h, w2) + b2)
            logits = tf.matmul(h, w3) + b3
            loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=one_hot, logits=logits))
        return tape.gradient(loss, variables)

    return run


def polynomial(tf: Any, order: int, degree: int = 50) -> Candidate:
    """W4: a Horner polynomial of 2 x degree ops, differentiated `order` times by nested tapes."""
    coefficients = [tf.constant(np.float32(1.0 / (1 + k))) for k in range(degree)]
    x = tf.constant(np.float32(0.9))

    def value() -> Any:
        y = coefficients[0]
        for c in coefficients[1:]:
            y = y * x + c
        return y

    def derivative(n: int) -> Any:
        if n == 0:
            return value()
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = derivative(n - 1)
        return tape.gradient(y, x)

    return lambda: derivative(order)


def dense_jacobian(tf: Any, rows: int, columns: int, units: int) -> Candidate:
    """W5: the jacobian of a relu layer's output by its kernel."""
    rng = np.random.default_rng(0)
    x = tf.constant(rng.normal(size=(rows, columns)).astype(np.float32))
    kernel = tf.Variable(rng.normal(size=(columns, units)).astype(np.float32))

    def run() -> object:
        with tf.GradientTape() as tape:
            y = tf.nn.relu(tf.matmul(x, kernel))
        return tape.jacobian(y, kernel)

    return run


def elementwise(tf: Any, size: int) -> Candidate:
    """W6: ten elementwise ops over a large array."""
    x = tf.constant(np.random.default_rng(0).normal(size=size).astype(np.float32))

    def run() -> object:
        with tf.GradientTape() as tape:
            tape.watch(x)
            a = tf.tanh(x)
            c = a * x + 1.0
            e = tf.exp(-c) * a
            h = tf.sqrt(tf.square(e) + c)
        return tape.gradient(h, x)

    return run


def empty_tape(tf: Any) -> Candidate:
    """W7: entering and leaving a tape in which nothing happens."""

    def run() -> object:
        with tf.GradientTape():
            pass
        return None

    return run


def one_op(tf: Any) -> Candidate:
    """W7: a tape, one op, one gradient."""
    x = tf.constant(np.float32(0.5))

    def run() -> object:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.sin(x)
        return tape.gradient(y, x)

    return run
