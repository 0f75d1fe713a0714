"""HIGH: gradients of gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from conformance.rules import DOCUMENTED, Group, Writer

GROUP = Group("HIGH", "Higher order", source="tf.GradientTape")
rule, also = GROUP.rule, GROUP.also


def derivatives(function: Callable[[Any, Any], Any], at: Any, order: int) -> Writer:
    """`order` nested tapes, each asked for the derivative of what the next inner one answered."""

    def write(tf: Any) -> None:
        x = tf.constant(at)
        tapes = [tf.GradientTape() for _ in range(order)]
        for t in tapes:
            tf.enter(t)
            t.watch(x)
        y = function(tf, x)
        for t in reversed(tapes):
            tf.leave(t)
            y = t.gradient(y, x)

    return write


GROUP.shown_by(
    "HIGH-01",
    "Nested tapes give higher derivatives: the outer one records the inner one's gradient.",
    derivatives(lambda tf, x: x**3, 2.0, 2),
    standing=DOCUMENTED,
)
GROUP.shown_by(
    "HIGH-02",
    "Derivatives of x * x * x end in None, once the gradient no longer involves x.",
    derivatives(lambda tf, x: x * x * x, 2.0, 4),
)
GROUP.shown_by(
    "HIGH-03",
    "Derivatives of x ** 3 end in zeros, not None.",
    derivatives(lambda tf, x: x**3, 2.0, 5),
)
GROUP.shown_by(
    "HIGH-04",
    "The second derivative of a linear function is None.",
    derivatives(lambda tf, x: 3.0 * x, 2.0, 2),
    derivatives(lambda tf, x: x + x, 2.0, 2),
    derivatives(lambda tf, x: x - 1.0, 2.0, 2),
)
GROUP.shown_by(
    "HIGH-05",
    "The second derivative of a sum, a mean or a product with a constant matrix is None.",
    derivatives(lambda tf, x: tf.reduce_sum(x), [1.0, 2.0], 2),
    derivatives(lambda tf, x: tf.reduce_mean(x), [1.0, 2.0], 2),
    derivatives(lambda tf, x: tf.matmul(x, tf.constant([[3.0], [4.0]])), [[1.0, 2.0]], 2),
)


@rule("HIGH-06", "Mixed second derivatives are there, and what does not depend on a source has None.")
def _(tf: Any) -> None:
    x, y = tf.constant(2.0), tf.constant(3.0)
    with tf.GradientTape(persistent=True) as outer:
        outer.watch([x, y])
        with tf.GradientTape() as inner:
            inner.watch([x, y])
            z = x * x * y
        dx, dy = inner.gradient(z, [x, y]).parts(2)
    outer.gradient(dx, [x, y])
    outer.gradient(dy, [x, y])


@rule("HIGH-07", "An outer tape that does not watch the source has None for the second derivative.")
def _(tf: Any) -> None:
    x = tf.constant(2.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x * x * x
        g = inner.gradient(y, x)
    outer.gradient(g, x)


@rule("HIGH-08", "The inner gradient may be asked inside the inner block; the outer tape records it.", DOCUMENTED)
def _(tf: Any) -> None:
    x = tf.constant(2.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x * x * x
            g = inner.gradient(y, x)
    outer.gradient(g, x)


@rule("HIGH-09", "An inner gradient asked after the outer block is not recorded: the second derivative is None.")
def _(tf: Any) -> None:
    x = tf.constant(2.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x * x * x
    g = inner.gradient(y, x)
    outer.gradient(g, x)


@rule("HIGH-10", "One persistent tape, asked inside its block, gives second derivatives too.", DOCUMENTED)
def _(tf: Any) -> None:
    x = tf.constant(2.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = x * x * x
        g = t.gradient(y, x)
    t.gradient(g, x)


@rule("HIGH-11", "A persistent tape asked outside its block does not record the gradient: the second one is None.")
def _(tf: Any) -> None:
    x = tf.constant(2.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = x * x * x
    g = t.gradient(y, x)
    t.gradient(g, x)


@rule("HIGH-12", "A variable needs no watch on either tape.")
def _(tf: Any) -> None:
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = tf.reduce_sum(v * v * v)
        g = inner.gradient(y, v)
    outer.gradient(g, v)


@rule("HIGH-13", "A persistent inner tape may be asked several times inside the outer block.")
def _(tf: Any) -> None:
    x = tf.constant(2.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape(persistent=True) as inner:
            inner.watch(x)
            y = x * x
            z = x * x * x
        g = inner.gradient(y, x) + inner.gradient(z, x)
    outer.gradient(g, x)


@rule("HIGH-14", "An outer tape takes a value and its inner gradient together as targets.")
def _(tf: Any) -> None:
    x = tf.constant(2.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x * x * x
        g = inner.gradient(y, x)
    outer.gradient([y, g], x)


@rule("HIGH-15", "Second derivatives of a variable read by power.")
def _(tf: Any) -> None:
    v = tf.Variable(2.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = v**3
        g = inner.gradient(y, v)
    outer.gradient(g, v)


GROUP.shown_by(
    "HIGH-16",
    "Smooth functions have their true second derivatives.",
    *(
        derivatives(function, 0.5, 2)
        for function in (
            lambda tf, x: tf.exp(x),
            lambda tf, x: tf.math.log(x),
            lambda tf, x: tf.sin(x),
            lambda tf, x: tf.tanh(x),
            lambda tf, x: tf.sigmoid(x),
            lambda tf, x: tf.sqrt(x),
            lambda tf, x: 1.0 / x,
            lambda tf, x: tf.math.softplus(x),
            lambda tf, x: tf.square(x),
        )
    ),
)
GROUP.shown_by(
    "HIGH-17",
    "Functions with kinks have a second derivative of zeros, or None, according to how their gradient is computed.",
    *(
        derivatives(function, [0.5], 2)
        for function in (
            lambda tf, x: tf.nn.relu(x),
            lambda tf, x: tf.abs(x),
            lambda tf, x: tf.maximum(x, 0.0),
            lambda tf, x: tf.nn.relu6(x),
            lambda tf, x: tf.nn.elu(x),
            lambda tf, x: tf.nn.selu(x),
            lambda tf, x: tf.nn.leaky_relu(x),
            lambda tf, x: tf.nn.gelu(x),
            lambda tf, x: tf.nn.silu(x),
            lambda tf, x: tf.clip_by_value(x, 0.0, 1.0),
        )
    ),
)


@rule("HIGH-18", "The Hessian is the jacobian of a gradient.", DOCUMENTED)
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x[0] * x[0] * x[1]
        g = inner.gradient(y, x)
    outer.jacobian(g, x)


@rule("HIGH-19", "A jacobian of a jacobian has the axes of the target and twice those of the source.")
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x * x * x
        j = inner.jacobian(y, x)
    outer.jacobian(j, x)


GROUP.shown_by(
    "HIGH-20",
    "Softmax cross entropy has a second derivative.",
    derivatives(lambda tf, x: tf.nn.softmax_cross_entropy_with_logits(tf.constant([[1.0, 0.0]]), x), [[0.5, 0.25]], 2),
    derivatives(lambda tf, x: tf.nn.sparse_softmax_cross_entropy_with_logits(tf.constant([1]), x), [[0.5, 0.25]], 2),
)
GROUP.shown_by(
    "HIGH-21",
    "Convolutions and patches of images have second derivatives.",
    derivatives(
        lambda tf, x: tf.nn.conv2d(x, tf.ones([2, 2, 1, 1]), strides=1, padding="VALID") ** 2,
        [[[[1.0], [2.0]], [[3.0], [4.0]]]],
        2,
    ),
    derivatives(
        lambda tf, x: tf.image.extract_patches(x, [1, 2, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1], "VALID") ** 2,
        [[[[1.0], [2.0]], [[3.0], [4.0]], [[5.0], [6.0]]]],
        2,
    ),
)


@rule("HIGH-22", "An op without a gradient function fails when the gradient is asked, not when it runs.")
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.bitcast(x, tf.float64)
    t.gradient(y, x)


@rule("HIGH-23", "It fails even for a source that does not lead through it.")
def _(tf: Any) -> None:
    x, z = tf.constant([1.0, 2.0]), tf.constant(1.0, "float64")
    with tf.GradientTape() as t:
        t.watch([x, z])
        y = tf.bitcast(x, tf.float64) + z
    t.gradient(y, z)


@rule("HIGH-24", "An op that lacks a gradient does no harm when its input is not watched: it was never recorded.")
def _(tf: Any) -> None:
    x, z = tf.constant([1.0, 2.0]), tf.constant(1.0, "float64")
    with tf.GradientTape() as t:
        t.watch(z)
        y = tf.bitcast(x, tf.float64) + z
    t.gradient(y, z)


@rule("HIGH-25", "An op that lacks a gradient does no harm when the target does not depend on it.")
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as t:
        t.watch(x)
        tf.bitcast(x, tf.float64)
        y = x * x
    t.gradient(y, x)


@rule("HIGH-26", "The inner gradient's sum over two uses is differentiated by the outer tape.")
def _(tf: Any) -> None:
    x = tf.constant(2.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x * x + tf.sin(x)
        g = inner.gradient(y, x)
    outer.gradient(g, x)


@rule("HIGH-27", "The inner tape may watch an intermediate result of the outer one.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        y = x * x
        with tf.GradientTape() as inner:
            inner.watch(y)
            z = y * y
        g = inner.gradient(z, y)
        w = y + g
    outer.gradient(w, x)


GROUP.shown_by(
    "HIGH-28",
    "At 0, x ** 2.0 has a second derivative and x ** 1.0 has nan; x ** 3 has its third.",
    derivatives(lambda tf, x: x**2.0, 0.0, 2),
    derivatives(lambda tf, x: x**1.0, 0.0, 2),
    derivatives(lambda tf, x: x**3, 0.0, 3),
)
