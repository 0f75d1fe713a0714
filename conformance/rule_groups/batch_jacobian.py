"""BJAC: batch_jacobian()."""

from __future__ import annotations

from typing import Any

from conformance.rules import AGAINST_DOCS, DOCUMENTED, Group, Writer

GROUP = Group("BJAC", "batch_jacobian()", source="tf.GradientTape.batch_jacobian")
rule, also = GROUP.rule, GROUP.also

MATRIX = [[1.0, 2.0], [3.0, 4.0]]


def batch_of(function: Any, at: Any, persistent: bool = False, **options: Any) -> Writer:
    """Watch `at`, call the function, take the batch jacobian."""

    def write(tf: Any) -> None:
        x = tf.constant(at)
        with tf.GradientTape(persistent=persistent) as t:
            t.watch(x)
            y = function(tf, x)
        t.batch_jacobian(y, x, **options)

    return write


def square(tf: Any, x: Any) -> Any:
    return x * x


GROUP.shown_by(
    "BJAC-01",
    "batch_jacobian() gives one jacobian for each row.",
    batch_of(square, MATRIX),
    standing=DOCUMENTED,
)
GROUP.shown_by(
    "BJAC-02",
    "Its axes are the batch, the rest of the target's, the rest of the source's.",
    batch_of(lambda tf, x: tf.matmul(x, tf.ones([2, 3])), MATRIX),
    standing=DOCUMENTED,
)


@rule("BJAC-03", "A vector as source or target is a ValueError; a scalar target an IndexError.")
def _(tf: Any) -> None:
    x, v = tf.constant(MATRIX), tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as t:
        t.watch([x, v])
        y, w, s = x * x, v * v, tf.reduce_sum(x)
    t.batch_jacobian(y, v)
    t.batch_jacobian(w, x)
    t.batch_jacobian(w, v)
    t.batch_jacobian(s, x)


@rule("BJAC-04", "First axes that differ are a ValueError.", DOCUMENTED)
def _(tf: Any) -> None:
    x = tf.constant(MATRIX)
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.concat([x, x], 0)
    t.batch_jacobian(y, x)


@rule("BJAC-05", "A batch_jacobian() refused for its shapes leaves the tape to be asked again.")
def _(tf: Any) -> None:
    x = tf.constant(MATRIX)
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.concat([x, x], 0)
    t.batch_jacobian(y, x)
    t.gradient(y, x)


@rule("BJAC-06", "An unconnected source has zeros whatever unconnected_gradients says, never None.", AGAINST_DOCS)
def _(tf: Any) -> None:
    x, z = tf.constant([[1.0, 2.0]]), tf.constant([[1.0, 2.0, 3.0]])
    with tf.GradientTape(persistent=True) as t:
        t.watch([x, z])
        y = x * x
    t.batch_jacobian(y, z)
    t.batch_jacobian(y, z, unconnected_gradients="zero")


@rule("BJAC-07", "A list of sources is an AttributeError.")
def _(tf: Any) -> None:
    x = tf.constant(MATRIX)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.batch_jacobian(y, [x])


@rule("BJAC-08", "A list of targets is an AttributeError.")
def _(tf: Any) -> None:
    x = tf.constant(MATRIX)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.batch_jacobian([y], x)


GROUP.shown_by(
    "BJAC-09",
    "Without pfor, batch_jacobian() needs a persistent tape.",
    batch_of(square, MATRIX, experimental_use_pfor=False),
    standing=DOCUMENTED,
)
GROUP.shown_by(
    "BJAC-10",
    "Without pfor, a persistent tape gives the same batch jacobian.",
    batch_of(square, MATRIX, persistent=True, experimental_use_pfor=False),
    standing=DOCUMENTED,
)
GROUP.shown_by(
    "BJAC-11",
    "Where rows depend on each other, their effects are summed without a word.",
    batch_of(lambda tf, x: x * tf.reduce_sum(x), [[1.0], [2.0]]),
)
GROUP.shown_by(
    "BJAC-12",
    "parallel_iterations=1 is refused by the vectorisation of batch_jacobian().",
    batch_of(square, [[1.0, 2.0, 3.0]], parallel_iterations=1),
)
GROUP.shown_by(
    "BJAC-13",
    "parallel_iterations=1 is refused on a persistent tape too.",
    batch_of(square, [[1.0, 2.0, 3.0]], persistent=True, parallel_iterations=1),
)


def of_nothing(shape: list[int]) -> Writer:
    def write(tf: Any) -> None:
        x = tf.zeros(shape)
        with tf.GradientTape() as t:
            t.watch(x)
            y = x * x
        t.batch_jacobian(y, x)

    return write


GROUP.shown_by("BJAC-14", "Rows without elements have empty jacobians.", of_nothing([1, 0]))
GROUP.shown_by("BJAC-15", "A batch of no rows is a ZeroDivisionError.", of_nothing([0, 2]), standing=AGAINST_DOCS)
GROUP.shown_by(
    "BJAC-16",
    "An unknown value for unconnected_gradients is wrapped in the error of the batch vectorisation.",
    batch_of(square, MATRIX, unconnected_gradients="bad"),
)
GROUP.shown_by(
    "BJAC-17",
    "The batch jacobian of gather is dense.",
    batch_of(lambda tf, x: tf.gather(x, tf.constant([0, 1])) * 2.0, MATRIX),
)


@rule("BJAC-18", "A variable may be the source of batch_jacobian().")
def _(tf: Any) -> None:
    v = tf.Variable([[1.0, 2.0]])
    with tf.GradientTape() as t:
        y = v * v
    t.batch_jacobian(y, v)


GROUP.shown_by(
    "BJAC-19",
    "Higher ranks keep all their axes after the batch.",
    batch_of(lambda tf, x: tf.reshape(x * x, [2, 1, 2]), [[[1.0], [2.0]], [[3.0], [4.0]]]),
)


@rule("BJAC-20", "A target of None is an AttributeError.")
def _(tf: Any) -> None:
    x = tf.constant(MATRIX)
    with tf.GradientTape() as t:
        t.watch(x)
    t.batch_jacobian(None, x)
