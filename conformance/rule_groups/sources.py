"""SRC: what gradient() takes as sources, and the structure of what it returns."""

from __future__ import annotations

from typing import Any

from conformance.rules import DOCUMENTED, Group

GROUP = Group("SRC", "Sources of gradient() and the structure of its result", source="tf.GradientTape.gradient")
rule, also = GROUP.rule, GROUP.also


@rule("SRC-01", "The result has the structure of the sources.", DOCUMENTED)
def _(tf: Any) -> None:
    x, y = tf.constant(3.0), tf.constant(4.0)
    with tf.GradientTape() as t:
        t.watch([x, y])
        z = x * y
    t.gradient(z, {"a": x, "b": [y, (x,)]})


@rule("SRC-02", "One source gives a bare tensor; a tuple of one gives a tuple, a list a list.", DOCUMENTED)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = x * x
    t.gradient(y, x)
    t.gradient(y, (x,))
    t.gradient(y, [x])


@rule("SRC-03", "Empty sources give the same empty structure back.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = x * x
    t.gradient(y, [])
    t.gradient(y, ())
    t.gradient(y, {})


@rule("SRC-04", "A source given twice has its full gradient twice, and it is one object.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    first, second = t.gradient(y, [x, x]).parts(2)
    tf.same(first, second)


@rule("SRC-05", "Sources of None are a TypeError.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.gradient(y, None)


@rule("SRC-06", "None among the sources is a TypeError.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.gradient(y, [x, None])


@rule("SRC-07", "A source that is no tensor fails with whatever error its Python type runs into first.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = x * x
    for source in (3.0, 3, "s", tf.numpy([1.0]), tf.numpy(1.0), [1.0, 2.0]):
        t.gradient(y, source)


@rule("SRC-08", "A set is one object, and refused as a source.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.gradient(y, {1.0})


@rule("SRC-09", "A source that is not watched has None.", DOCUMENTED)
def _(tf: Any) -> None:
    x, z = tf.constant(3.0), tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.gradient(y, z)


@rule("SRC-10", "A watched integer source used through a cast has None.")
def _(tf: Any) -> None:
    i = tf.constant(3)
    with tf.GradientTape() as t:
        t.watch(i)
        y = tf.cast(i, tf.float32) * 2.0
    t.gradient(y, i)


@rule("SRC-11", "An intermediate result may be a source beside the leaf it came from.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
        z = y * y
    t.gradient(z, [x, y])


@rule("SRC-12", "An intermediate result may be the only source.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
        z = y * y
    t.gradient(z, y)


@rule("SRC-13", "A source that comes after the target has None.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
        z = y * y
    t.gradient(y, z)


@rule("SRC-14", "A source behind stop_gradient, or beside the path, has None.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        s = tf.stop_gradient(x)
        w = x * 2.0
        y = x * s
    t.gradient(y, s)
    t.gradient(y, w)


@rule("SRC-15", "Variables, tensors and tensors that are not watched may be mixed.")
def _(tf: Any) -> None:
    x, u = tf.constant(3.0), tf.constant(4.0)
    v = tf.Variable(2.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * v * u
    t.gradient(y, {"v": v, "x": x, "u": u})


@rule("SRC-16", "A variable that is neither trainable nor watched has None.", DOCUMENTED)
def _(tf: Any) -> None:
    v = tf.Variable(3.0, trainable=False)
    w = tf.Variable(4.0)
    with tf.GradientTape() as t:
        y = v * w
    t.gradient(y, v)


@rule("SRC-17", "A SparseTensor is refused as a source.")
def _(tf: Any) -> None:
    values = tf.constant([3.0])
    sparse = tf.sparse.SparseTensor(tf.constant([[0]], "int64"), values, tf.constant([2], "int64"))
    with tf.GradientTape() as t:
        t.watch(sparse)
        y = values * values
    t.gradient(y, sparse)


@rule("SRC-18", "A ragged source that is not connected has None; zeros for it are a ValueError.")
def _(tf: Any) -> None:
    ragged = tf.ragged(tf.constant([1.0, 2.0, 3.0]), tf.constant([0, 2, 3], "int64"))
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = x * x
    t.gradient(y, ragged)
    t.gradient(y, ragged, unconnected_gradients="zero")


@rule("SRC-19", "IndexedSlices are refused as a source.")
def _(tf: Any) -> None:
    values = tf.constant([3.0])
    slices = tf.IndexedSlices(values, tf.constant([0]), tf.constant([2]))
    with tf.GradientTape() as t:
        t.watch(values)
        y = values * values
    t.gradient(y, slices)


@rule("SRC-20", "The target is checked before the sources.")
def _(tf: Any) -> None:
    with tf.GradientTape(persistent=True) as t:
        pass
    t.gradient(None, 3.0)
    t.gradient(3.0, None)


@rule("SRC-21", "The sources are checked before unconnected_gradients.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = x * x
    t.gradient(y, 3.0, unconnected_gradients="bad")
    t.gradient(y, x, unconnected_gradients="bad")


@rule("SRC-22", "A gradient has its source's shape and dtype.")
def _(tf: Any) -> None:
    for dtype in ("float16", "bfloat16", "float32", "float64"):
        x = tf.constant([[1.0], [2.0]], dtype)
        with tf.GradientTape() as t:
            t.watch(x)
            y = x * x
        t.gradient(y, x)


@rule("SRC-23", "Contributions by several uses add up.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = x * x + 3.0 * x
        z = x + x
    t.gradient(y, x)
    t.gradient(z, x)


@rule("SRC-24", "The ones for a target that is the source are a fresh object each time.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
    g, h = t.gradient(x, x), t.gradient(x, x)
    tf.same(g, h)
    tf.same(g, x)


@rule("SRC-25", "Checks come in order: target, sources, output_gradients, unconnected_gradients, the walk itself.")
def _(tf: Any) -> None:
    x = tf.constant([3.0])
    sparse = tf.sparse.SparseTensor(tf.constant([[0]], "int64"), x, tf.constant([2], "int64"))
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = x * x
        t.gradient(y, x, unconnected_gradients="bad")
    t.gradient(y, x, output_gradients=[None], unconnected_gradients="bad")
    t.gradient(sparse, 3.0)
    t.gradient(y, sparse, output_gradients=[None])
    t.gradient(y, x, output_gradients=[tf.object], unconnected_gradients="bad")
