"""TGT: what gradient() takes as a target, and how several targets add up."""

from __future__ import annotations

from typing import Any

from conformance.rules import AGAINST_DOCS, DOCUMENTED, Group, gradient_at

GROUP = Group("TGT", "Targets of gradient()", source="tf.GradientTape.gradient")
rule, also = GROUP.rule, GROUP.also

GROUP.shown_by(
    "TGT-01",
    "The gradient of a target with several elements is that of their sum.",
    gradient_at(lambda tf, x: x * x, [1.0, 2.0]),
)


@rule("TGT-02", "The gradient of a list of targets is the sum of their gradients.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y, z = x * x, 3.0 * x
    t.gradient([y, z], x)


@rule("TGT-03", "Targets may be nested; the result has the structure of the sources alone.", DOCUMENTED)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y, z = x * x, 3.0 * x
    t.gradient({"a": y, "b": z}, x)
    t.gradient((y, [z, {"c": y}]), x)


@rule("TGT-04", "A target given twice counts twice.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.gradient([y, y], x)


@rule("TGT-05", "None inside a nest of targets is a TypeError.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.gradient([y, None], x)


@rule("TGT-06", "Without any target every source has None.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
    t.gradient([], x)
    t.gradient({}, [x])


@rule("TGT-07", "A target that is no tensor fails with whatever error its Python type runs into first.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
    for target in (3.0, 3, "s", tf.numpy([1.0]), tf.numpy(1.0), [3.0], [True], True):
        t.gradient(target, x)


@rule("TGT-08", "An integer target has no gradient: None, without a word.", DOCUMENTED)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = tf.cast(x, tf.int32)
    t.gradient(tf.constant(1), x)
    t.gradient(y, x)


@rule("TGT-09", "Of a float and an integer target the float one alone counts.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
        i = tf.cast(x, tf.int32)
    t.gradient([y, i], x)


@rule("TGT-10", "The gradient of a watched tensor with respect to itself is ones.")
def _(tf: Any) -> None:
    x = tf.constant([3.0, 4.0])
    with tf.GradientTape() as t:
        t.watch(x)
    t.gradient(x, x)


@rule("TGT-11", "A target that is also the source has ones even when it was never watched.")
def _(tf: Any) -> None:
    z = tf.constant([3.0, 4.0])
    with tf.GradientTape(persistent=True) as t:
        pass
    t.gradient(z, z)
    t.gradient([z, z], z)


@rule("TGT-12", "That holds for every dtype: integer ones, True, and None for strings.", AGAINST_DOCS)
def _(tf: Any) -> None:
    with tf.GradientTape(persistent=True) as t:
        pass
    for value in (tf.constant([3, 4]), tf.constant(True), tf.constant("a")):
        t.gradient(value, value)


@rule("TGT-13", "A variable may be a target: with itself as source its gradient is ones.", AGAINST_DOCS)
def _(tf: Any) -> None:
    v = tf.Variable([3.0, 4.0])
    with tf.GradientTape(persistent=True) as t:
        y = v * v
    t.gradient(v, v)
    t.gradient([v, y], v)


@rule("TGT-14", "A variable as target has None for any other source.", AGAINST_DOCS)
def _(tf: Any) -> None:
    v, w = tf.Variable(3.0), tf.Variable(4.0)
    with tf.GradientTape() as t:
        v * w
    t.gradient(v, w)


@rule("TGT-15", "A source that is among the targets has one from itself and the rest from the other targets.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.gradient([x, y], x)


@rule("TGT-16", "A target that leads to another target has its own seed besides what flows back into it.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = x * x
        z = y * y
    t.gradient([y, z], x)
    t.gradient([y, z], y)


@rule("TGT-17", "A target computed from nothing that is watched has None.")
def _(tf: Any) -> None:
    x, z = tf.constant(3.0), tf.constant(4.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = z * z
    t.gradient(y, x)


@rule("TGT-18", "Targets that are not connected are passed over.")
def _(tf: Any) -> None:
    x, z = tf.constant(3.0), tf.constant(4.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
        w = z * z
    t.gradient([y, w], x)


@rule("TGT-19", "A target of None is a TypeError.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
    t.gradient(None, x)


@rule("TGT-20", "A SparseTensor is refused as a target.")
def _(tf: Any) -> None:
    x = tf.constant([3.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.sparse.SparseTensor(tf.constant([[0]], "int64"), x * x, tf.constant([2], "int64"))
    t.gradient(y, x)


@rule("TGT-21", "A ragged tensor may be a target.", DOCUMENTED)
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.ragged(x * x, tf.constant([0, 2, 3], "int64"))
    t.gradient(y, x)


@rule("TGT-22", "IndexedSlices can be watched, and cannot be a target.")
def _(tf: Any) -> None:
    x = tf.constant([3.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.IndexedSlices(x * x, tf.constant([0]), tf.constant([2]))
    t.gradient(y, x)


@rule("TGT-23", "A target without elements gives zeros.")
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = x[0:0]
    t.gradient(y, x)


@rule("TGT-24", "A source without elements has a gradient of its own shape.")
def _(tf: Any) -> None:
    x = tf.zeros([0, 3])
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.gradient(y, x)


GROUP.shown_by(
    "TGT-25",
    "A complex target is seeded with one; the result is the conjugate of the derivative.",
    gradient_at(lambda tf, z: z * z, 1 + 2j),
)


@rule("TGT-26", "A target that another tape recorded has None.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as s:
        s.watch(x)
        y = x * x
    with tf.GradientTape() as t:
        t.watch(x)
    t.gradient(y, x)


@rule("TGT-27", "gradient() takes its four arguments by name.", DOCUMENTED)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    tf.call("method.gradient", t, target=y, sources=x, output_gradients=None, unconnected_gradients="none")
