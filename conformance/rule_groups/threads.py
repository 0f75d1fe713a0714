"""THREAD: tapes and threads, and Python functions called as ops."""

from __future__ import annotations

from typing import Any

from conformance.rules import DOCUMENTED, Group

GROUP = Group("THREAD", "Threads", source="tf.GradientTape")
rule, also = GROUP.rule, GROUP.also


@rule("THREAD-01", "An op that runs in another thread is not recorded.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        with tf.in_thread():
            y = x * x
    t.gradient(y, x)


@rule("THREAD-02", "gradient() may be called from another thread.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    with tf.in_thread():
        t.gradient(y, x)


@rule("THREAD-03", "watch() from a thread on which no tape is active is dropped.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        with tf.in_thread():
            t.watch(x)
        y = x * x
    t.gradient(y, x)


@rule("THREAD-04", "watch() from a thread on which another tape is active counts.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        with tf.in_thread(), tf.GradientTape():
            t.watch(x)
        y = x * x
    t.gradient(y, x)


@rule("THREAD-05", "A tape may live in another thread altogether.")
def _(tf: Any) -> None:
    with tf.in_thread():
        x = tf.constant(3.0)
        with tf.GradientTape() as t:
            t.watch(x)
            y = x * x
        t.gradient(y, x)


@rule("THREAD-06", "A variable read in another thread is not noticed.")
def _(tf: Any) -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape() as t, tf.in_thread():
        v * v
    t.watched_variables()


@rule("THREAD-07", "A tape entered in one thread and left in another records what the leaving thread did not see.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    t = tf.GradientTape()
    with tf.in_thread():
        tf.enter(t)
        t.watch(x)
        y = x * x
    tf.leave(t)
    t.gradient(y, x)


@rule("THREAD-08", "A gradient asked from another thread is not recorded by the tape's own thread.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = x * x * x
        with tf.in_thread():
            g = t.gradient(y, x)
    t.gradient(g, x)


@rule("THREAD-09", "py_function is differentiable.", DOCUMENTED, "tf.py_function")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.py_function(lambda a: a * a, [x], tf.float32)
    t.gradient(y, x)


@rule("THREAD-10", "numpy_function is not differentiable: None.", DOCUMENTED, "tf.numpy_function")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.numpy_function(lambda a: a * a, [x], tf.float32)
    t.gradient(y, x)
