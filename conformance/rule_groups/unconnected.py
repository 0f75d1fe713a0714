"""UNC: the unconnected_gradients argument, and None against zeros."""

from __future__ import annotations

from typing import Any

from conformance.rules import AGAINST_DOCS, DOCUMENTED, Group

GROUP = Group("UNC", "unconnected_gradients", source="tf.UnconnectedGradients")
rule, also = GROUP.rule, GROUP.also


@rule(
    "UNC-01", "An unconnected source has None by default, and zeros of its own shape and dtype with 'zero'.", DOCUMENTED
)
def _(tf: Any) -> None:
    x, z = tf.constant(3.0), tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as t:
        t.watch([x, z])
        y = x * x
    for choice in ("none", "zero", tf.UnconnectedGradients.NONE, tf.UnconnectedGradients.ZERO):
        t.gradient(y, z, unconnected_gradients=choice)


@rule("UNC-02", "Any other value is a ValueError with the value's repr; case matters.")
def _(tf: Any) -> None:
    x, z = tf.constant(3.0), tf.constant(4.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch([x, z])
        y = x * x
    for choice in ("ZERO", "Zero", "", None, 0, True):
        t.gradient(y, z, unconnected_gradients=choice)


@rule("UNC-03", "An unknown value is refused even when every source is connected.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.gradient(y, x, unconnected_gradients="nonsense")


@rule("UNC-04", "Zeros for a variable have its shape and dtype.", DOCUMENTED)
def _(tf: Any) -> None:
    v, w = tf.Variable([1.0, 2.0], dtype="float16"), tf.Variable([[1.0, 2.0]], dtype="bfloat16")
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.gradient(y, [v, w], unconnected_gradients="zero")


@rule("UNC-05", "Zeros for sources of other dtypes are integer zeros, False, empty strings, 0j.", AGAINST_DOCS)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    sources = [tf.constant([1, 2]), tf.constant(True), tf.constant("a"), tf.constant(1j), tf.Variable([1, 2])]
    t.gradient(y, sources, unconnected_gradients="zero")


@rule("UNC-06", "With 'zero' only the unconnected sources become zeros.", DOCUMENTED)
def _(tf: Any) -> None:
    x, z = tf.constant(3.0), tf.constant([1.0, 2.0])
    with tf.GradientTape() as t:
        t.watch([x, z])
        y = x * x
    t.gradient(y, [x, z], unconnected_gradients="zero")


@rule("UNC-07", "Zeros for a variable that is only ever gathered from are dense.")
def _(tf: Any) -> None:
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        tf.gather(v, [0])
        y = x * x
    t.gradient(y, v, unconnected_gradients="zero")


@rule("UNC-08", "A source cut off by stop_gradient counts as unconnected.")
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.stop_gradient(x) * 2.0
    t.gradient(y, x, unconnected_gradients="zero")


@rule("UNC-09", "Without any target, 'zero' gives zeros.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
    t.gradient([], x, unconnected_gradients="zero")


@rule("UNC-10", "Zeros for two sources are two objects.")
def _(tf: Any) -> None:
    x, a, b = tf.constant(3.0), tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    first, second = t.gradient(y, [a, b], unconnected_gradients="zero").parts(2)
    tf.same(first, second)


@rule("UNC-11", "A path that multiplies by zero is connected: its gradient is zero, not None.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * 0.0
    t.gradient(y, x)


@rule("UNC-12", "A path through round, or through an integer, is unconnected: None, or zeros with 'zero'.")
def _(tf: Any) -> None:
    x = tf.constant(2.6)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = tf.round(x) * 2.0
        z = tf.cast(tf.cast(x, tf.int32), tf.float32) * 2.0
    t.gradient(y, x)
    t.gradient(z, x)
    t.gradient(y, x, unconnected_gradients="zero")


@rule("UNC-13", "A branch of where that is never chosen is connected: zeros, not None.")
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.where(tf.constant([False, False]), x, 0.0)
    t.gradient(y, x)


@rule("UNC-14", "UnconnectedGradients has the members NONE and ZERO, with the values 'none' and 'zero'.", DOCUMENTED)
def _(tf: Any) -> None:
    tf.attribute(tf.UnconnectedGradients.NONE, "value")
    tf.attribute(tf.UnconnectedGradients.ZERO, "value")
