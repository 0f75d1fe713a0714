"""VAR: variables, beyond being watched."""

from __future__ import annotations

from typing import Any

from conformance.rules import DOCUMENTED, Group

GROUP = Group("VAR", "Variables", source="tf.Variable")
rule, also = GROUP.rule, GROUP.also


@rule("VAR-01", "Assigning to a slice of a variable is not differentiated; later reads see the new values.")
def _(tf: Any) -> None:
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as t:
        v[0].assign(5.0)
        y = v * v
    t.gradient(y, v)


@rule("VAR-02", "assign_add() cuts the chain to what is added; what it returns counts as the variable.")
def _(tf: Any) -> None:
    x = tf.constant(2.0)
    v = tf.Variable(1.0)
    with tf.GradientTape() as t:
        t.watch(x)
        r = v.assign_add(x)
        y = r * r
    t.gradient(y, [x, v])


@rule("VAR-03", "What assign() returns is read late: it sees assignments made after it.")
def _(tf: Any) -> None:
    v = tf.Variable(1.0)
    r = v.assign(3.0)
    v.assign(10.0)
    r * 1.0


@rule("VAR-04", "A variable takes part in Python arithmetic on either side, and is differentiated.", DOCUMENTED)
def _(tf: Any) -> None:
    v = tf.Variable(2.0)
    with tf.GradientTape(persistent=True) as t:
        results = [2.0 * v, v / 2.0, -v, abs(v), v**2.0, 2.0**v, 1.0 / v, v - 1.0, 1.0 - v]
    for y in results:
        t.gradient(y, v)


@also("VAR-04")
def _(tf: Any) -> None:
    v = tf.Variable([[1.0, 2.0]])
    w = tf.constant([[3.0], [4.0]])
    with tf.GradientTape() as t:
        y = v @ w
    t.gradient(y, v)


@rule("VAR-05", "What was computed from a variable before the tape is a constant to it.")
def _(tf: Any) -> None:
    v = tf.Variable(3.0)
    h = v * v
    with tf.GradientTape() as t:
        y = h * 2.0
    t.gradient(y, v)


@rule("VAR-06", "A variable's gradient has its dtype.")
def _(tf: Any) -> None:
    for dtype in ("float16", "bfloat16", "float64"):
        v = tf.Variable(3.0, dtype=dtype)
        with tf.GradientTape() as t:
            y = v * v
        t.gradient(y, v)


@rule("VAR-07", "A tape keeps the variables that it watched alive.")
def _(tf: Any) -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape():
        v * v
    tf.alive_after_delete(v)


GROUP.not_pinned(
    "VAR-08",
    "keras.Variable is not a tf.Variable: watch() refuses it.",
    "Keras is no part of what a tape must have",
)


@rule("VAR-09", "A variable of unknown shape takes a value of another shape, and its gradient has the new shape.")
def _(tf: Any) -> None:
    v = tf.call("Variable", 1.0, shape=tf.call("TensorShape", None))
    v.assign([1.0, 2.0, 3.0])
    with tf.GradientTape() as t:
        y = v * v
    t.gradient(y, v)


@rule("VAR-10", "Zeros for an unconnected variable of unknown shape have the shape of what it holds.")
def _(tf: Any) -> None:
    v = tf.call("Variable", 1.0, shape=tf.call("TensorShape", None))
    v.assign([1.0, 2.0, 3.0])
    x = tf.constant(1.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.gradient(y, v, unconnected_gradients="zero")


@rule("VAR-11", "assign_sub() subtracts, and later reads see the new value.")
def _(tf: Any) -> None:
    v = tf.Variable([3.0, 4.0])
    with tf.GradientTape() as t:
        v.assign_sub([1.0, 1.0])
        y = v * v
    t.gradient(y, v)
