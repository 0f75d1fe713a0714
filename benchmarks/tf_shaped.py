"""The workloads for a module with TensorFlow's names: the engine, and TensorFlow itself.

Each function takes that module and returns a candidate: a function of no arguments that runs the workload once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks import data
from benchmarks.data import coefficients, dense, net

Candidate = Callable[[], Any]


def chain(tf: Any, x0: Any, ops: int, addend: float | None = None) -> Candidate:
    """W1, W3: a chain of small ops, forward and gradient; with a Python number, or else a constant made once."""
    x_start = tf.constant(x0)
    c = tf.constant(np.float32(0.7)) if addend is None else addend
    sin = tf.sin

    def run() -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x_start)
            x = x_start
            for _ in range(ops // 3):
                x = sin(x) * x + c
        return tape.gradient(x, x_start)

    return run


def chain_of_numbers(tf: Any, x0: Any, ops: int) -> Candidate:
    """W1 with a Python number in every third op."""
    return chain(tf, x0, ops, 0.7)


def mlp(tf: Any, x: Any, labels: Any, weights: list[Any]) -> Candidate:
    """W2: one gradient of an MLP 784-128-64-10 with softmax cross entropy, batch 50."""
    x, one_hot = tf.constant(x), tf.constant(np.eye(10, dtype=np.float32)[labels])
    w1, b1, w2, b2, w3, b3 = variables = [tf.Variable(w) for w in weights]

    def run() -> Any:
        with tf.GradientTape() as tape:
            h = tf.nn.relu(tf.matmul(x, w1) + b1)
            h = tf.nn.relu(tf.matmul(h, w2) + b2)
            logits = tf.matmul(h, w3) + b3
            loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=one_hot, logits=logits))
        return tape.gradient(loss, variables)

    return run


def training(tf: Any, x: Any, labels: Any) -> Candidate:
    """A step of training end to end: forward, gradient and Adam of an MLP 784-128-64-10 of Keras layers, batch 50."""
    tf.keras.utils.set_random_seed(1)
    dense = tf.keras.layers.Dense
    model = tf.keras.Sequential([dense(128, "relu"), dense(64, "relu"), dense(10)])
    loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    optimizer = tf.keras.optimizers.Adam(1e-3)
    x, labels = tf.constant(x), tf.constant(labels)

    def run() -> Any:
        with tf.GradientTape() as tape:
            value = loss(labels, model(x, training=True))
        variables = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(value, variables), variables))
        return value

    return run


def polynomial(tf: Any, order: int) -> Candidate:
    """W4: a Horner polynomial of 100 ops, differentiated `order` times by nested tapes."""
    cs, point = coefficients()
    cs, x = [tf.constant(c) for c in cs], tf.constant(point)

    def derivative(n: int) -> Any:
        if n == 0:
            y = cs[0]
            for c in cs[1:]:
                y = y * x + c
            return y
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = derivative(n - 1)
        return tape.gradient(y, x)

    return lambda: derivative(order)


def dense_jacobian(tf: Any, rows: int, columns: int, units: int) -> Candidate:
    """W5: the jacobian of a relu layer's output by its kernel."""
    x, kernel, bias = dense(rows, columns, units)
    x, kernel, bias = tf.constant(x), tf.Variable(kernel), tf.constant(bias)

    def run() -> Any:
        with tf.GradientTape() as tape:
            y = tf.nn.relu(tf.matmul(x, kernel) + bias)
        return tape.jacobian(y, kernel)

    return run


def batch_jacobian(tf: Any, batch: int) -> Candidate:
    """The jacobians of a 5-8-6 elu net by its inputs, example by example."""
    n = net(batch)
    x, w1, b1, w2, b2 = (tf.constant(a) for a in (n.x, n.w1, n.b1, n.w2, n.b2))

    def run() -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.matmul(tf.nn.elu(tf.matmul(x, w1) + b1), w2) + b2
        return tape.batch_jacobian(y, x)

    return run


def hessian(tf: Any, batch: int) -> Candidate:
    """The Hessian of a 5-8-6 relu net's squared error by its first kernel, by two tapes."""
    n = net(batch)
    x, b1, w2, b2 = (tf.constant(a) for a in (n.x, n.b1, n.w2, n.b2))
    w1 = tf.Variable(n.w1)

    def run() -> Any:
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = tf.matmul(tf.nn.relu(tf.matmul(x, w1) + b1), w2) + b2
                loss = tf.reduce_sum(tf.square(y))
            gradient = inner.gradient(loss, w1)
        return outer.jacobian(gradient, w1)

    return run


def elementwise(tf: Any, x0: Any) -> Candidate:
    """W6: ten elementwise ops over a large array."""
    x = tf.constant(x0)

    def run() -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            a = tf.tanh(x)
            c = a * x + 1.0
            e = tf.exp(-c) * a
            y = tf.sqrt(tf.square(e) + c) * x
        return tape.gradient(y, x)

    return run


def empty_tape(tf: Any) -> Candidate:
    """W7: entering and leaving a tape in which nothing happens."""

    def run() -> None:
        with tf.GradientTape():
            pass

    return run


def one_op(tf: Any) -> Candidate:
    """W7: a tape, one op, one gradient."""
    x = tf.constant(np.float32(0.5))

    def run() -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.sin(x)
        return tape.gradient(y, x)

    return run


def middling(tf: Any, name: str) -> Candidate:
    """An op on arrays of middling size, forward and gradients by its operands; of a gather, those of the rows."""
    operands = [tf.constant(a) for a in data.middling(name)]
    one_hot, picked = tf.constant(np.eye(1000, dtype=np.float32)[data.CLASSES]), tf.constant(data.PICKED)

    def normalised(x: Any, scale: Any, offset: Any) -> Any:
        mean, variance = tf.nn.moments(x, [0, 1, 2])
        return tf.nn.batch_normalization(x, mean, variance, offset, scale, 1e-3)

    call = {
        "matmul": tf.matmul,
        "conv2d": lambda x, k: tf.nn.conv2d(x, k, 1, "SAME"),
        "softmax cross entropy": lambda z: tf.nn.softmax_cross_entropy_with_logits(one_hot, z),
        "batch norm": normalised,
        "gather": lambda x: tf.gather(x, picked),
        "einsum": lambda a, b: tf.einsum("bij,bjk->bik", a, b),
    }[name]

    def run() -> Any:
        with tf.GradientTape() as tape:
            tape.watch(operands)
            made = call(*operands)
            target = made if name == "gather" else made * made
        found = tape.gradient(target, operands)
        return [getattr(g, "values", g) for g in found]

    return run
