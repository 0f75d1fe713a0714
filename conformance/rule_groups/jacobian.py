"""JAC: jacobian()."""

from __future__ import annotations

from typing import Any

from conformance.rules import AGAINST_DOCS, DOCUMENTED, Group, Writer

GROUP = Group("JAC", "jacobian()", source="tf.GradientTape.jacobian")
rule, also = GROUP.rule, GROUP.also


def square(tf: Any, x: Any) -> Any:
    return x * x


def jacobian_of(function: Any, at: Any, persistent: bool = False, dtype: str | None = None, **options: Any) -> Writer:
    """Watch `at`, call the function, take the jacobian."""

    def write(tf: Any) -> None:
        x = tf.constant(at, dtype)
        with tf.GradientTape(persistent=persistent) as t:
            t.watch(x)
            y = function(tf, x)
        t.jacobian(y, x, **options)

    return write


GROUP.shown_by(
    "JAC-01",
    "A jacobian has the axes of the target, then those of the source.",
    jacobian_of(square, [1.0, 2.0]),
    standing=DOCUMENTED,
)
GROUP.shown_by(
    "JAC-02",
    "A target and a source of different ranks keep all their axes.",
    jacobian_of(lambda tf, x: tf.reduce_sum(x, axis=1), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]),
)
GROUP.shown_by(
    "JAC-03",
    "The jacobian of a scalar has the shape of the source.",
    jacobian_of(lambda tf, x: tf.reduce_sum(x * x), [1.0, 2.0]),
)


@rule("JAC-04", "jacobian() takes several sources.", DOCUMENTED)
def _(tf: Any) -> None:
    x, z = tf.constant([1.0, 2.0]), tf.constant([3.0])
    with tf.GradientTape() as t:
        t.watch([x, z])
        y = x * z
    t.jacobian(y, [x, z])


@rule("JAC-05", "The result of jacobian() has the structure of the sources.", DOCUMENTED)
def _(tf: Any) -> None:
    x, z = tf.constant([1.0, 2.0]), tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch([x, z])
        y = x * z
    t.jacobian(y, {"b": z, "a": [x]})


@rule("JAC-06", "jacobian() of a list of targets is an AttributeError.")
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.jacobian([y], x)


@rule("JAC-07", "jacobian() of None or of a Python number is an AttributeError.")
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
    t.jacobian(None, x)
    t.jacobian(1.0, x)


@rule("JAC-08", "A variable may be the target of jacobian().")
def _(tf: Any) -> None:
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as t:
        v * v
    t.jacobian(v, v)


@rule("JAC-09", "An unconnected source has None, or zeros of the target's and the source's axes.", DOCUMENTED)
def _(tf: Any) -> None:
    x, z = tf.constant([1.0, 2.0]), tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape(persistent=True) as t:
        t.watch([x, z])
        y = x * x
    t.jacobian(y, z)
    t.jacobian(y, z, unconnected_gradients="zero")
    t.jacobian(y, [x, z])


GROUP.shown_by(
    "JAC-10",
    "An unknown value for unconnected_gradients is wrapped in the error of the vectorisation.",
    jacobian_of(square, [1.0, 2.0], unconnected_gradients="bad"),
)


@rule("JAC-11", "Without pfor, jacobian() needs a persistent tape.", DOCUMENTED)
def _(tf: Any) -> None:
    jacobian_of(square, [1.0, 2.0], experimental_use_pfor=False)(tf)


@rule("JAC-12", "A jacobian() refused for not being persistent leaves the tape to be asked again.")
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    t.jacobian(y, x, experimental_use_pfor=False)
    t.jacobian(y, x)


GROUP.shown_by(
    "JAC-13",
    "Without pfor, a persistent tape gives the same jacobian.",
    jacobian_of(square, [1.0, 2.0], persistent=True, experimental_use_pfor=False),
    standing=DOCUMENTED,
)


@rule("JAC-14", "Without pfor, an unconnected source has None or zeros too.")
def _(tf: Any) -> None:
    x, z = tf.constant([1.0, 2.0]), tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape(persistent=True) as t:
        t.watch([x, z])
        y = x * x
    t.jacobian(y, [x, z], experimental_use_pfor=False)
    t.jacobian(y, z, experimental_use_pfor=False, unconnected_gradients="zero")


GROUP.shown_by(
    "JAC-15",
    "parallel_iterations must be None, or at least 2 and then on a persistent tape or not below the rows.",
    *(
        jacobian_of(square, [1.0, 2.0, 3.0], persistent=persistent, parallel_iterations=count)
        for count in (0, 1, 2, 5)
        for persistent in (False, True)
    ),
)


@rule("JAC-16", "jacobian() inside the block of a non-persistent tape is allowed.")
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
        t.jacobian(y, x)


@rule("JAC-17", "jacobian() inside the block of a persistent tape is recorded.")
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = x * x * x
        j = t.jacobian(y, x)
    t.gradient(j, x)


@rule("JAC-18", "A persistent tape answers jacobian() after gradient(), and twice.")
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = x * x
    t.gradient(y, x)
    t.jacobian(y, x)
    t.jacobian(y, x)


GROUP.shown_by(
    "JAC-19",
    "The jacobian of gather is dense.",
    jacobian_of(lambda tf, x: tf.gather(x, tf.constant([2, 0])), [1.0, 2.0, 3.0]),
)
GROUP.shown_by(
    "JAC-20",
    "The jacobian of an empty target is empty.",
    jacobian_of(lambda tf, x: x[0:0], [1.0, 2.0]),
)


@rule("JAC-21", "The jacobian of a watched tensor by itself is the identity.")
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as t:
        t.watch(x)
    t.jacobian(x, x)


@rule("JAC-22", "The jacobian of an unwatched tensor by itself is None, where its gradient is ones.", AGAINST_DOCS)
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as t:
        pass
    t.jacobian(x, x)
    t.gradient(x, x)


GROUP.shown_by(
    "JAC-23",
    "The jacobian of an integer target is None.",
    jacobian_of(lambda tf, x: tf.cast(x, tf.int32), [1.0, 2.0]),
)


@rule("JAC-24", "A variable may be a source of jacobian().")
def _(tf: Any) -> None:
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as t:
        y = v * v
    t.jacobian(y, [v])


GROUP.shown_by(
    "JAC-25",
    "A jacobian has its source's dtype.",
    jacobian_of(square, [1.0, 2.0], dtype="float64"),
    jacobian_of(square, [1.0 + 1j, 2.0 + 0j], dtype="complex64"),
)


@rule("JAC-26", "The jacobian of a matrix product by its second factor has four axes.")
def _(tf: Any) -> None:
    x, w = tf.constant([[1.0, 2.0]]), tf.constant([[1.0], [2.0]])
    with tf.GradientTape() as t:
        t.watch(w)
        y = tf.matmul(x, w)
    t.jacobian(y, w)


GROUP.not_pinned(
    "JAC-27",
    "The jacobian of py_function fails: the vectorisation cannot convert it.",
    "the message is that of a graph's execution, with the whole graph in it",
)


def counting(persistent: bool, **options: Any) -> Writer:
    """How often a custom gradient function runs for a jacobian: each run adds to a Python list."""

    def write(tf: Any) -> None:
        x, calls = tf.constant([1.0, 1.0, 1.0]), tf.python.list([])

        def backward(dy: Any) -> Any:
            tf.call("method.append", calls, 1)
            return dy * 2.0

        f = tf.custom_gradient(lambda a: (a * a, backward))
        with tf.GradientTape(persistent=persistent) as t:
            t.watch(x)
            y = f(x)
        t.jacobian(y, x, **options)
        tf.python.len(calls)

    return write


GROUP.not_pinned(
    "JAC-28",
    "With pfor a custom gradient function is traced once for the whole jacobian.",
    "how often Python runs is a matter of tracing, which an eager tape need not do; JAC-36 pins the values",
)
GROUP.shown_by(
    "JAC-29",
    "Without pfor a custom gradient function runs once for each element of the target.",
    counting(True, experimental_use_pfor=False),
)


@rule("JAC-32", "Inside a tf.function jacobian() works without pfor and without persistent.")
def _(tf: Any) -> None:
    def body(a: Any) -> Any:
        with tf.GradientTape() as t:
            t.watch(a)
            y = a * a
        return t.jacobian(y, a, experimental_use_pfor=False)

    tf.function(body)(tf.constant([1.0, 2.0]))


@rule("JAC-34", "A source of None or a Python number fails with the words of a traced function.")
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = x * x
    t.jacobian(y, None)
    t.jacobian(y, 1.0)


@rule("JAC-36", "A custom gradient function sees each row of a jacobian apart from the others.")
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0, 3.0])
    f = tf.custom_gradient(lambda a: (a * a, lambda dy: tf.clip_by_norm(dy * 10.0, 2.0)))
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x)
    t.jacobian(y, x)
