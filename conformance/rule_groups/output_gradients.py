"""OG: the output_gradients argument of gradient()."""

from __future__ import annotations

from typing import Any

from conformance.rules import AGAINST_DOCS, DOCUMENTED, Group, gradient_at

GROUP = Group("OG", "output_gradients", source="tf.GradientTape.gradient")
rule, also = GROUP.rule, GROUP.also


def square_given(*choices: Any, x: Any = (3.0,)) -> Any:
    """A program that asks the gradient of x * x with each of the output gradients in turn."""

    def write(tf: Any) -> None:
        source = tf.constant(x if isinstance(x, float) else list(x))
        with tf.GradientTape(persistent=True) as t:
            t.watch(source)
            y = source * source
        for choice in choices:
            t.gradient(y, source, output_gradients=choice(tf))

    return write


GROUP.shown_by(
    "OG-01",
    "output_gradients takes the place of the ones that a target is seeded with.",
    square_given(lambda tf: [tf.constant([10.0, 1.0])], x=(1.0, 2.0)),
    standing=DOCUMENTED,
)
GROUP.shown_by(
    "OG-02",
    "A bare tensor, a NumPy array or a variable serves as well as a list of one.",
    square_given(
        lambda tf: tf.constant([10.0, 1.0]),
        lambda tf: tf.numpy([10.0, 1.0]),
        lambda tf: tf.Variable([10.0, 1.0]),
        x=(1.0, 2.0),
    ),
)
GROUP.shown_by(
    "OG-03",
    "A Python list for one vector target is two entries: the first seeds the target, the second is surplus.",
    square_given(lambda tf: [10.0, 1.0], x=(1.0, 2.0)),
    standing=AGAINST_DOCS,
)
GROUP.shown_by(
    "OG-04",
    "A NumPy array in a list is one entry.",
    square_given(lambda tf: [tf.numpy([10.0, 1.0])], x=(1.0, 2.0)),
)


@rule(
    "OG-05",
    "None for one of two targets does not mean ones: it reaches that target's op and fails there.",
    AGAINST_DOCS,
)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y, z = x * x, 3.0 * x
    t.gradient([y, z], x, output_gradients=[None, tf.constant(2.0)])


GROUP.shown_by(
    "OG-06",
    "An output gradient of another float dtype fails in the first op that checks dtypes.",
    square_given(lambda tf: tf.numpy([1.0], "float64")),
)
GROUP.shown_by(
    "OG-07",
    "Where no op checks dtypes, the result has the output gradient's dtype instead of the source's.",
    lambda tf: gradient_at(lambda tf, x: tf.identity(x), 3.0, output_gradients=tf.constant(2.0, "float64"))(tf),
)
GROUP.shown_by(
    "OG-08",
    "A scalar output gradient for a vector target is broadcast.",
    square_given(lambda tf: tf.constant(10.0), x=(1.0, 2.0)),
)
GROUP.shown_by(
    "OG-09",
    "An output gradient of a shape that does not fit fails in the op's own arithmetic.",
    square_given(lambda tf: tf.constant([1.0, 2.0, 3.0]), x=(1.0, 2.0)),
)
GROUP.shown_by(
    "OG-10",
    "Where no op minds, a vector output gradient for a scalar target gives a vector gradient of a scalar.",
    lambda tf: gradient_at(lambda tf, x: tf.identity(x), 3.0, output_gradients=tf.constant([1.0, 2.0]))(tf),
)
GROUP.shown_by(
    "OG-11",
    "A vector output gradient for a scalar product fails when it is brought back to the operand's shape.",
    square_given(lambda tf: tf.constant([1.0, 2.0]), x=3.0),
)
GROUP.shown_by(
    "OG-12",
    "Surplus output gradients are passed over.",
    square_given(lambda tf: [tf.constant(2.0), tf.constant(5.0)], x=3.0),
    standing=AGAINST_DOCS,
)


GROUP.not_pinned(
    "OG-13",
    "Fewer output gradients than targets: TensorFlow reads past the end of its list, and may die. A tape should raise.",
    "there is no answer to pin: it differs from run to run",
    AGAINST_DOCS,
)

GROUP.shown_by("OG-14", "An empty list of output gradients is as good as none.", square_given(lambda tf: [], x=3.0))


@rule("OG-15", "A dict of output gradients is flattened by its sorted keys, as the targets are.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y, z = x * x, 3.0 * x
    t.gradient({"a": y, "b": z}, x, output_gradients={"b": tf.constant(1.0), "a": tf.constant(10.0)})


GROUP.shown_by(
    "OG-16", "A string as output gradient fails in the op's own arithmetic.", square_given(lambda tf: "abc", x=3.0)
)
GROUP.shown_by(
    "OG-17",
    "An integer output gradient for a float target fails in the op's own arithmetic.",
    square_given(lambda tf: tf.constant(2), x=3.0),
)
GROUP.shown_by(
    "OG-18",
    "A Python integer becomes an int32 tensor, not one of the target's dtype.",
    square_given(lambda tf: 2, x=3.0),
)


@rule("OG-19", "For a target that is the source, the output gradient itself comes back.")
def _(tf: Any) -> None:
    x, og = tf.constant(3.0), tf.constant(5.0)
    with tf.GradientTape() as t:
        t.watch(x)
    g = t.gradient(x, x, output_gradients=og)
    tf.same(g, og)


@rule("OG-20", "An output gradient does not connect an unconnected target.")
def _(tf: Any) -> None:
    x, z = tf.constant(3.0), tf.constant(4.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = z * z
    t.gradient(y, x, output_gradients=tf.constant(2.0))


@rule("OG-21", "A target given twice takes two output gradients, which add up.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.gradient([y, y], x, output_gradients=[tf.constant(2.0), tf.constant(3.0)])


@rule("OG-22", "An output gradient for a target that is a source adds to what flows back into it.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        loss = x * 3.0
    t.gradient([loss, x], [x], output_gradients=[tf.constant(1.0), tf.constant(2.0)])


@rule("OG-23", "A gradient is differentiable in its output gradient.")
def _(tf: Any) -> None:
    x, og = tf.constant(3.0), tf.constant(2.0)
    with tf.GradientTape() as outer:
        outer.watch(og)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x * x
        g = inner.gradient(y, x, output_gradients=og)
    outer.gradient(g, og)


@rule("OG-24", "A variable as output gradient is read, and so watched by an outer tape.")
def _(tf: Any) -> None:
    x, og = tf.constant(3.0), tf.Variable(2.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x * x
        g = inner.gradient(y, x, output_gradients=og)
    outer.watched_variables()
    outer.gradient(g, og)


GROUP.shown_by(
    "OG-25",
    "An output gradient of zero gives zero, not None.",
    square_given(lambda tf: tf.constant(0.0), x=3.0),
)
GROUP.shown_by(
    "OG-26",
    "None as output gradient of a product is a ValueError: its arithmetic cannot take None.",
    square_given(lambda tf: [None], x=3.0),
    standing=AGAINST_DOCS,
)


@rule("OG-27", "None as output gradient through identity, or for the source itself, gives None.", AGAINST_DOCS)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = tf.identity(x)
    t.gradient(y, x, output_gradients=[None])
    t.gradient(x, x, output_gradients=[None])


@also("OG-27")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    f = tf.custom_gradient(lambda a: (a * a, lambda dy: 5.0))
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x)
    t.gradient(y, x, output_gradients=[None])


@rule("OG-28", "None as the second of two output gradients fails in the second target's op.", AGAINST_DOCS)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y, z = x * x, 3.0 * x
    t.gradient([y, z], x, output_gradients=[tf.constant(2.0), None])


@rule("OG-29", "None as output gradient of what a tf.function made counts as zero.", AGAINST_DOCS)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    f = tf.function(lambda a: a * a)
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x)
    t.gradient(y, x, output_gradients=[None])


@rule("OG-30", "None as output gradient of an unconnected target does no harm.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.gradient([tf.constant(1.0), y], x, output_gradients=[None, tf.constant(1.0)])
