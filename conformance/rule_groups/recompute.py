"""RECO: recompute_grad."""

from __future__ import annotations

from typing import Any

from conformance.rules import DOCUMENTED, Group

GROUP = Group("RECO", "recompute_grad", source="tf.recompute_grad")
rule, also = GROUP.rule, GROUP.also


@rule("RECO-01", "A function under recompute_grad runs once forward and once more for the gradient.", DOCUMENTED)
def _(tf: Any) -> None:
    x, calls = tf.constant(3.0), tf.Variable(0.0, trainable=False)

    def body(a: Any) -> Any:
        calls.assign_add(1.0)
        return a * a

    f = tf.recompute_grad(body)
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x)
    t.gradient(y, x)
    calls.read_value()


@rule("RECO-02", "Variables that the function reads have their gradients.")
def _(tf: Any) -> None:
    x, v = tf.constant(3.0), tf.Variable(2.0)
    f = tf.recompute_grad(lambda a: a * v)
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x)
    t.gradient(y, [x, v])


@rule("RECO-03", "An input that the function does not use has zeros, not None.")
def _(tf: Any) -> None:
    x, z = tf.constant(3.0), tf.constant([1.0, 2.0])
    f = tf.recompute_grad(lambda a, b: a * a)
    with tf.GradientTape() as t:
        t.watch([x, z])
        y = f(x, z)
    t.gradient(y, [x, z])


@rule("RECO-04", "Keyword arguments are constants.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)

    def body(a: Any, *, b: Any) -> Any:
        return a * b

    f = tf.recompute_grad(body)
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x, b=2.0)
    t.gradient(y, x)


@rule("RECO-05", "Second derivatives go through recompute_grad.")
def _(tf: Any) -> None:
    x = tf.constant(2.0)
    f = tf.recompute_grad(lambda a: a**3)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        g = inner.gradient(y, x)
    outer.gradient(g, x)


@rule("RECO-06", "A function that gives another result the second time has the gradient of the second.")
def _(tf: Any) -> None:
    x, factor = tf.constant(1.0), tf.Variable(0.0, trainable=False)

    def body(a: Any) -> Any:
        factor.assign_add(10.0)
        return a * factor

    f = tf.recompute_grad(body)
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x)
    t.gradient(y, x)


@rule("RECO-07", "An integer input that is watched has integer zeros.")
def _(tf: Any) -> None:
    x, i = tf.constant(3.0), tf.constant(2)
    f = tf.recompute_grad(lambda a, b: a * tf.cast(b, tf.float32))
    with tf.GradientTape() as t:
        t.watch([x, i])
        y = f(x, i)
    t.gradient(y, [x, i])


@rule("RECO-08", "A Python number may be an argument.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    f = tf.recompute_grad(lambda a, b: a * b)
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x, 2.0)
    t.gradient(y, x)


@rule("RECO-09", "A function may have several outputs.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    f = tf.recompute_grad(lambda a: (a * a, a * 2.0))
    with tf.GradientTape() as t:
        t.watch(x)
        y, z = f(x).parts(2)
    t.gradient([y, z], x)


@rule("RECO-10", "recompute_grad works inside a tf.function.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    f = tf.recompute_grad(lambda a: a * a)
    g = tf.function(f)
    with tf.GradientTape() as t:
        t.watch(x)
        y = g(x)
    t.gradient(y, x)


GROUP.not_pinned(
    "RECO-11",
    "The decorated function keeps its name, and the original as __wrapped__.",
    "a program's functions have no name",
)
