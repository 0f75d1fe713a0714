"""STOP: stop_gradient."""

from __future__ import annotations

from typing import Any

from conformance.rules import DOCUMENTED, Group, gradient_at

GROUP = Group("STOP", "stop_gradient", source="tf.stop_gradient")
rule, also = GROUP.rule, GROUP.also

GROUP.shown_by(
    "STOP-01",
    "Behind stop_gradient there is no gradient: None.",
    gradient_at(lambda tf, x: tf.stop_gradient(x) * 2.0, 3.0),
    standing=DOCUMENTED,
)
GROUP.shown_by(
    "STOP-02",
    "In a product with a stopped copy of itself, a tensor counts once.",
    gradient_at(lambda tf, x: x * tf.stop_gradient(x), 3.0),
    standing=DOCUMENTED,
)


@rule("STOP-03", "What stop_gradient returns is an ordinary leaf once it is watched.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        s = tf.stop_gradient(x)
        t.watch(s)
        y = s * s
    t.gradient(y, [x, s])


@rule("STOP-04", "stop_gradient makes a tensor of whatever it is given.")
def _(tf: Any) -> None:
    tf.stop_gradient(1.0)
    tf.stop_gradient([tf.constant(1.0), tf.constant(2.0)])
    tf.stop_gradient(tf.constant(3))
    tf.stop_gradient(tf.numpy([1.0, 1.0], "float64"))
    tf.stop_gradient(tf.Variable([1.0, 2.0]))


@rule("STOP-05", "Passing a variable itself to stop_gradient is no read of it; passing an expression is.")
def _(tf: Any) -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape() as t:
        tf.stop_gradient(v)
    t.watched_variables()


@also("STOP-05")
def _(tf: Any) -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape() as t:
        tf.stop_gradient(v * v)
    t.watched_variables()


@rule("STOP-06", "stop_gradient cuts one path and leaves the others.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
        z = y + tf.stop_gradient(y)
    t.gradient(z, x)


GROUP.shown_by(
    "STOP-07",
    "Straight through: x + stop_gradient(round(x) - x) is round(x) with the gradient of x.",
    gradient_at(lambda tf, x: x + tf.stop_gradient(tf.round(x) - x), 2.6),
)


@rule("STOP-08", "stop_gradient returns a new object of the same value; of IndexedSlices it makes IndexedSlices.")
def _(tf: Any) -> None:
    x = tf.constant([3.0])
    tf.same(tf.stop_gradient(x), x)
    tf.stop_gradient(tf.IndexedSlices(tf.constant([1.0]), tf.constant([0]), tf.constant([2])))
