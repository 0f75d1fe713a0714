"""FWD: forward mode, by tf.autodiff.ForwardAccumulator."""

from __future__ import annotations

from typing import Any

from conformance.rules import AGAINST_DOCS, DOCUMENTED, Group

GROUP = Group("FWD", "Forward mode", source="tf.autodiff.ForwardAccumulator")
rule, also = GROUP.rule, GROUP.also


@rule("FWD-01", "An accumulator carries a tangent from its primal through every op in its block.", DOCUMENTED)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.accumulator(x, tf.constant(1.0)) as acc:
        y = x * x
    acc.jvp(y)


@rule("FWD-02", "jvp() of the primal is its tangent; of what does not depend on it, None.", DOCUMENTED)
def _(tf: Any) -> None:
    x, z = tf.constant([1.0, 2.0]), tf.constant(4.0)
    with tf.accumulator(x, tf.constant([1.0, 10.0])) as acc:
        y = x * x
        w = z * z
    acc.jvp([y, x, w])


@rule("FWD-03", "jvp() takes unconnected_gradients, and words an unknown value differently from gradient().")
def _(tf: Any) -> None:
    x, z = tf.constant(3.0), tf.constant([1.0, 2.0])
    with tf.accumulator(x, tf.constant(1.0)) as acc:
        pass
    acc.jvp(z, unconnected_gradients="zero")
    acc.jvp(z, unconnected_gradients="bad")


@rule("FWD-04", "Ops after the block carry no tangent: None.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.accumulator(x, tf.constant(1.0)) as acc:
        pass
    y = x * x
    acc.jvp(y)


@rule("FWD-05", "Several primals have a tangent each; their effects add up.", DOCUMENTED)
def _(tf: Any) -> None:
    x, y = tf.constant(3.0), tf.constant(4.0)
    with tf.accumulator([x, y], [tf.constant(1.0), tf.constant(10.0)]) as acc:
        z = x * y
    acc.jvp(z)


@rule("FWD-06", "The same primal twice is a ValueError, with braces left unfilled in its text.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    tf.accumulator([x, x], [tf.constant(1.0), tf.constant(1.0)])


@rule("FWD-07", "A tangent of another shape is found out only by the first op.")
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.accumulator(x, tf.constant([1.0, 2.0, 3.0])):
        x * x


@rule("FWD-08", "A tangent tensor of another dtype is a ValueError.")
def _(tf: Any) -> None:
    tf.accumulator(tf.constant(3.0), tf.constant(1.0, "float64"))


@rule("FWD-09", "A tangent given as a Python number or an array takes the primal's dtype.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.accumulator(x, 2.0) as acc:
        y = x * x
    acc.jvp(y)


@also("FWD-09")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.accumulator(x, tf.numpy(2.0, "float64")) as acc:
        y = x * x
    acc.jvp(y)


@rule("FWD-10", "Primals and tangents of different structures are a ValueError.")
def _(tf: Any) -> None:
    tf.accumulator([tf.constant(1.0), tf.constant(2.0)], [tf.constant(1.0)])


@rule("FWD-11", "A variable may be a primal.")
def _(tf: Any) -> None:
    v = tf.Variable(3.0)
    with tf.accumulator(v, tf.constant(1.0)) as acc:
        y = v * v
    acc.jvp([y, v])


@rule("FWD-12", "An integer primal warns, and carries no tangent.")
def _(tf: Any) -> None:
    i = tf.constant(3)
    with tf.accumulator(i, tf.constant(1)) as acc:
        y = i * i
    acc.jvp(y)


@rule("FWD-13", "Entering an accumulator that is active is a ValueError.")
def _(tf: Any) -> None:
    with tf.accumulator(tf.constant(3.0), tf.constant(1.0)) as acc:
        tf.enter(acc)


@rule("FWD-14", "A tape inside an accumulator gives a Hessian times a vector, forward over reverse.", DOCUMENTED)
def _(tf: Any) -> None:
    v = tf.Variable([1.0, 2.0])
    with tf.accumulator(v, tf.constant([1.0, 0.0])) as acc:
        with tf.GradientTape() as t:
            y = tf.reduce_sum(v**3)
        g = t.gradient(y, v)
    acc.jvp(g)


@rule("FWD-15", "A tape around an accumulator differentiates its tangent, reverse over forward.")
def _(tf: Any) -> None:
    x = tf.constant(2.0)
    with tf.GradientTape() as t:
        t.watch(x)
        with tf.accumulator(x, tf.constant(1.0)) as acc:
            y = x**3
        j = acc.jvp(y)
    t.gradient(j, x)


@rule("FWD-16", "A tape inside an accumulator does not see what the accumulator computes.")
def _(tf: Any) -> None:
    x = tf.constant(2.0)
    with tf.accumulator(x, tf.constant(1.0)) as acc:
        with tf.GradientTape() as t:
            t.watch(x)
            y = x**3
        j = acc.jvp(y)
    t.gradient(j, x)


@rule("FWD-17", "Nested accumulators give second derivatives.", DOCUMENTED)
def _(tf: Any) -> None:
    x = tf.constant(2.0)
    with tf.accumulator(x, tf.constant(1.0)) as outer:
        with tf.accumulator(x, tf.constant(1.0)) as inner:
            y = x * x * x
        j = inner.jvp(y)
    outer.jvp(j)


@rule("FWD-18", "stop_gradient stops a tangent.")
def _(tf: Any) -> None:
    x = tf.constant(2.0)
    with tf.accumulator(x, tf.constant(1.0)) as acc:
        s = tf.stop_gradient(x)
        y = x * s
    acc.jvp([s, y])


@rule("FWD-19", "A tangent goes through a tf.function.")
def _(tf: Any) -> None:
    x = tf.constant(2.0)
    f = tf.function(lambda a: a * a * a)
    with tf.accumulator(x, tf.constant(1.0)) as acc:
        y = f(x)
    acc.jvp(y)


@rule("FWD-20", "Forward mode takes the true derivative of a custom gradient's body, not the custom one.", AGAINST_DOCS)
def _(tf: Any) -> None:
    x = tf.constant(2.0)
    f = tf.custom_gradient(lambda a: (a * a * a, lambda dy: dy * 7.0))
    with tf.accumulator(x, tf.constant(1.0)) as acc:
        y = f(x)
    acc.jvp(y)


@rule("FWD-21", "recompute_grad refuses forward mode.")
def _(tf: Any) -> None:
    x = tf.constant(2.0)
    f = tf.recompute_grad(lambda a: a * a)
    with tf.accumulator(x, tf.constant(1.0)):
        f(x)


@rule("FWD-22", "The tangent of a linear function is a number, not None.")
def _(tf: Any) -> None:
    x = tf.constant(2.0)
    with tf.accumulator(x, tf.constant(1.0)) as acc:
        y, z = 3.0 * x, x + 5.0
    acc.jvp([y, z])


@rule("FWD-23", "jvp() of the primal answers even before the accumulator is entered.")
def _(tf: Any) -> None:
    x = tf.constant(2.0)
    acc = tf.accumulator(x, tf.constant(5.0))
    y = x * x
    acc.jvp([x, y])


@rule("FWD-24", "An operand without a tangent counts as constant.")
def _(tf: Any) -> None:
    x, z = tf.constant(2.0), tf.constant(3.0)
    with tf.accumulator(x, tf.constant(1.0)) as acc:
        y = x * z
    acc.jvp([y, z])


@rule("FWD-25", "gather, relu at 0 and sqrt at 0 carry tangents by their gradients' conventions.")
def _(tf: Any) -> None:
    x = tf.constant([0.0, 2.0])
    with tf.accumulator(x, tf.constant([1.0, 1.0])) as acc:
        results = [tf.gather(x, tf.constant([0])), tf.nn.relu(x), tf.sqrt(x)]
    for y in results:
        acc.jvp(y)


@rule("FWD-26", "Assigning to a variable drops the tangent.")
def _(tf: Any) -> None:
    x, v = tf.constant(2.0), tf.Variable(1.0)
    with tf.accumulator(x, tf.constant(1.0)) as acc:
        v.assign(x)
        y = v * v
    acc.jvp(y)


@rule("FWD-27", "An op without a gradient function fails at once in forward mode.")
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.accumulator(x, tf.constant([1.0, 1.0])):
        tf.bitcast(x, tf.float64)


@rule("FWD-28", "A tangent passes unchanged through identity and reshape.")
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.accumulator(x, tf.constant([3.0, 4.0])) as acc:
        y = tf.reshape(tf.identity(x), [2, 1])
    acc.jvp(y)


@rule(
    "FWD-29",
    "The tangent of a segment sum is IndexedSlices; a tf.function cannot hand those over.",
    source="tf.math.segment_sum",
)
def _(tf: Any) -> None:
    x, ids = tf.constant([1.0, 2.0, 3.0]), tf.constant([0, 0, 1])
    f = tf.function(lambda a: tf.math.segment_sum(a * a, ids))
    with tf.accumulator(x, x) as acc:
        y = tf.math.segment_sum(x * x, ids)
        f(x)
    acc.jvp(y)


GROUP.shown_by(
    "FWD-30",
    "Segment reductions fail under two nested accumulators: a tangent inside is sparse.",
    *(lambda tf, name=name: _twice(tf, name) for name in ("segment_sum", "segment_mean", "segment_max", "segment_min")),
    source="tf.math.segment_sum",
)


def _twice(tf: Any, name: str) -> None:
    x, ids = tf.constant([1.0, 2.0, 3.0]), tf.constant([0, 0, 1])
    ones = tf.constant([1.0, 1.0, 1.0])
    with tf.accumulator(x, ones) as outer, tf.accumulator(x, ones):
        y = getattr(tf.math, name)(x * x, ids)
    outer.jvp(y)


@rule(
    "FWD-31",
    "A tape sees what a tf.function under an accumulator returns, but not its tangent: None.",
    source="tf.function",
)
def _(tf: Any) -> None:
    x, ones = tf.constant([1.0, 2.0]), tf.constant([1.0, 1.0])
    f = tf.function(lambda a: a * a * a)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        with tf.accumulator(x, ones) as acc:
            y = f(x)
        tangent = acc.jvp(y)
    t.gradient(y, x)
    t.gradient(tangent, x)


@rule(
    "FWD-33",
    "A tape that knows a tangent cannot differentiate a tf.function called under the accumulator: an InternalError.",
    source="tf.function",
)
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    f = tf.function(lambda a: a * a * a)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        with tf.accumulator(x, 2.0 * x) as acc:
            y = f(x)
        tangent = acc.jvp(y)
    t.gradient(y, x)
    t.gradient(tangent, x)


@rule(
    "FWD-32",
    "A tape inside the accumulator differentiates a tf.function that is called under both.",
    source="tf.function",
)
def _(tf: Any) -> None:
    x, ones = tf.constant([1.0, 2.0]), tf.constant([1.0, 1.0])
    f = tf.function(lambda a: a * a * a)
    with tf.accumulator(x, ones) as acc:
        with tf.GradientTape() as t:
            t.watch(x)
            y = f(x)
        g = t.gradient(y, x)
    acc.jvp(g)
