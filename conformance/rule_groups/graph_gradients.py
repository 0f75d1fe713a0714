"""TFG: tf.gradients and tf.hessians, which belong to graphs."""

from __future__ import annotations

from typing import Any

from conformance.rules import DOCUMENTED, Group

GROUP = Group("TFG", "tf.gradients and tf.hessians", source="tf.gradients")
rule, also = GROUP.rule, GROUP.also


@rule("TFG-01", "tf.gradients outside a tf.function is a RuntimeError.", DOCUMENTED)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    tf.gradients(x * x, x)


@rule("TFG-02", "tf.hessians outside a tf.function is a RuntimeError.", DOCUMENTED, "tf.hessians")
def _(tf: Any) -> None:
    x = tf.constant([3.0])
    tf.hessians(tf.reduce_sum(x * x), x)


@rule("TFG-03", "Inside a tf.function tf.gradients gives a list, with None for what is not connected.", DOCUMENTED)
def _(tf: Any) -> None:
    x, z = tf.constant(3.0), tf.constant(4.0)
    tf.function(lambda a: tf.gradients(a * a, a))(x)
    tf.function(lambda a, b: tf.gradients(a * a, b))(x, z)


@rule("TFG-04", "Inside a tf.function tf.hessians gives a list of matrices.", DOCUMENTED, "tf.hessians")
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    tf.function(lambda a: tf.hessians(tf.reduce_sum(a * a * a), a))(x)


@rule("TFG-05", "What stop_gradients names counts as constant.", DOCUMENTED)
def _(tf: Any) -> None:
    def body(a: Any) -> Any:
        y = a * a
        return tf.gradients(y + a, [a, y], stop_gradients=[y])

    tf.function(body)(tf.constant(3.0))


@rule("TFG-06", "AggregationMethod has its four members.", DOCUMENTED, "tf.AggregationMethod")
def _(tf: Any) -> None:
    for name in ("ADD_N", "DEFAULT", "EXPERIMENTAL_TREE", "EXPERIMENTAL_ACCUMULATE_N"):
        tf.attribute(tf.AggregationMethod, name)
