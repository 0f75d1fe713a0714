"""MISC: host reads, packing, structures, and what has no effect on a tape."""

from __future__ import annotations

from typing import Any

from conformance.rules import DOCUMENTED, Group, gradient_at

GROUP = Group("MISC", "Miscellaneous", source="tf.GradientTape")
rule, also = GROUP.rule, GROUP.also


@rule("MISC-01", "Converting a tensor to a Python list and back leaves the tape.")
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.constant(x.numpy().tolist()) * x
    t.gradient(y, x)


@rule("MISC-02", "A tensor iterated over in Python is recorded, element by element.")
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as t:
        t.watch(x)
        first, second = tf.python.list(x).parts(2)
        y = first * second
    t.gradient(y, x)


@rule("MISC-03", "Reading a tensor as a Python number or truth value is allowed, and leaves no trace.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        tf.python.bool(x)
        tf.python.int(x)
        y = x * tf.python.float(x)
    t.gradient(y, x)


@rule("MISC-04", "Updating in place makes a new tensor; the original is the source.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.call("operator.iadd", x, 1.0)
        z = tf.call("operator.imul", y, y)
    t.gradient(z, x)


GROUP.shown_by(
    "MISC-05",
    "A comparison made into a mask is a constant.",
    gradient_at(lambda tf, x: x * tf.cast(x > 2.0, tf.float32), [1.0, 3.0]),
)


@rule("MISC-06", "A list of tensors given to an op is stacked, and that is recorded.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.reduce_sum([x, 2.0 * x])
    t.gradient(y, x)


@also("MISC-06")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    tf.constant([x, x])


@rule("MISC-07", "A tensor that went through np.array is a constant.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        n = tf.call("numpy.array", [x])
        y = x + tf.reduce_sum(n)
    t.gradient(y, x)


@rule("MISC-08", "A tensor made inside the block may be watched there.")
def _(tf: Any) -> None:
    with tf.GradientTape() as t:
        x = tf.ones([2])
        t.watch(x)
        y = x * 3.0
    t.gradient(y, x)


GROUP.not_pinned(
    "MISC-09",
    "In a graph, gradient() inside the block of a non-persistent tape gives a symbolic tensor.",
    "programs run eagerly; graphs are reached by tf.function alone",
)
GROUP.not_pinned(
    "MISC-10",
    "Ops inside a comprehension or a generator expression are recorded like any others.",
    "a program has no comprehensions; to a tape there is no difference to see",
)


@rule("MISC-11", "identity_n is differentiable; group, no_op and print have no effect on the tape.")
def _(tf: Any) -> None:
    x, z = tf.constant(3.0), tf.constant(4.0)
    with tf.GradientTape() as t:
        t.watch(x)
        a, _ = tf.identity_n([x, z]).parts(2)
        tf.no_op()
        tf.group()
        y = a * 3.0
    t.gradient(y, x)


@rule("MISC-12", "What a dead tape recorded may be watched by a new one, as a leaf.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as a:
        a.watch(x)
        y = x * x
    a.gradient(y, x)
    with tf.GradientTape() as b:
        b.watch(y)
        z = y * x
    b.gradient(z, [x, y])


@rule("MISC-13", "A copy of the target made after the block is no target.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.gradient(tf.identity(y), x)


@rule("MISC-14", "Inside a tape's block, execution is eager.")
def _(tf: Any) -> None:
    with tf.GradientTape():
        tf.executing_eagerly()


@rule("MISC-15", "A tape is true, has no length and cannot be iterated over.")
def _(tf: Any) -> None:
    t = tf.GradientTape()
    tf.python.bool(t)
    tf.python.len(t)
    tf.python.iter(t)


@rule("MISC-16", "Printing a watched tensor's repr leaves no trace.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        tf.python.repr(x)
        tf.python.str(x)
        y = x * x
    t.gradient(y, x)


@rule("MISC-17", "A name scope has no effect on gradients.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        scope = tf.name_scope("a")
        tf.enter(scope)
        y = x * x
        tf.leave(scope)
    t.gradient(y, x)


@rule("MISC-18", "The ones of a tensor's gradient by itself, asked inside a persistent block, are constants.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        g = t.gradient(x, x)
    t.gradient(g, x)


@rule("MISC-19", "A variable used whole twice and gathered from twice has one dense gradient.")
def _(tf: Any) -> None:
    v = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as t:
        dense = tf.reduce_sum(v * 2.0) + tf.reduce_sum(v * 3.0)
        slices = tf.reduce_sum(tf.gather(v, tf.constant([2]))) + tf.reduce_sum(tf.gather(v, tf.constant([2])) * 2.0)
        y = dense + slices
    t.gradient(y, v)


@rule("MISC-20", "The result for a dict of sources keeps the dict's own order.")
def _(tf: Any) -> None:
    a, b = tf.constant(1.0), tf.constant(2.0)
    with tf.GradientTape() as t:
        t.watch([a, b])
        y = 10.0 * a + b
    t.gradient(y, {"b": b, "a": a})


@rule("MISC-21", "A dict of sources whose keys cannot be sorted is a TypeError.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.gradient(y, {"a": x, 1: x})


GROUP.not_pinned(
    "MISC-22",
    "A dataclass of tensors is no structure of sources: it is refused as one object.",
    "a program cannot define a class",
)


@rule("MISC-23", "An integer operand of a recorded op has None, and integer zeros with 'zero'.")
def _(tf: Any) -> None:
    x, i = tf.constant([1.0, 2.0]), tf.constant([0, 0])
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = tf.gather(x, i)
    t.gradient(y, i)
    t.gradient(y, i, unconnected_gradients="zero")


@rule("MISC-24", "A shape or axis operand has None.")
def _(tf: Any) -> None:
    x, shape = tf.constant([1.0, 2.0]), tf.constant([2, 1])
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = tf.reshape(x, shape)
    t.gradient(y, [x, shape])


@rule("MISC-25", "Two outputs of one op as targets keep their own output gradients.")
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as t:
        t.watch(x)
        a, b = tf.split(x, 2).parts(2)
    t.gradient([a, b], x, output_gradients=[tf.constant([3.0]), tf.constant([5.0])])


@rule("MISC-26", "A persistent tape computes each gradient anew.", DOCUMENTED)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = x * x
    t.gradient(y, x)
    t.gradient(y, x, output_gradients=tf.constant(10.0))
    t.gradient(y, x)


@rule("MISC-27", "A tensor does not change when the array that numpy() gave is overwritten.")
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    tf.read_again(x)
    t.gradient(y, x)
