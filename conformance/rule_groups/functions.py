"""FUNC: tf.function, and control flow in it and outside."""

from __future__ import annotations

from typing import Any

from conformance.rules import DOCUMENTED, Group, Writer

GROUP = Group("FUNC", "tf.function and control flow", source="tf.function")
rule, also = GROUP.rule, GROUP.also


def through(body: Any, at: Any = 3.0, traced: bool = True, order: int = 1) -> Writer:
    """The gradient of a function of one tensor, traced or not."""

    def write(tf: Any) -> None:
        x = tf.constant(at)
        f = tf.function(lambda a: body(tf, a)) if traced else lambda a: body(tf, a)
        tapes = [tf.GradientTape() for _ in range(order)]
        for t in tapes:
            tf.enter(t)
            t.watch(x)
        y = f(x)
        for t in reversed(tapes):
            tf.leave(t)
            y = t.gradient(y, x)

    return write


GROUP.shown_by(
    "FUNC-01",
    "A tape differentiates through a call of a tf.function.",
    through(lambda tf, a: a * a),
    standing=DOCUMENTED,
)


@rule(
    "FUNC-02",
    "A value that a tf.function returns beside its result is no step on the way to it.",
)
def _(tf: Any) -> None:
    x = tf.constant(3.0)

    def body(a: Any) -> Any:
        h = a * a
        return h * h, h

    f = tf.function(body)
    with tf.GradientTape() as t:
        t.watch(x)
        y, h = f(x).parts(2)
    t.gradient(y, [x, h])


@rule("FUNC-03", "A variable that a tf.function reads is watched, and has its gradient.", DOCUMENTED)
def _(tf: Any) -> None:
    v = tf.Variable(3.0)
    f = tf.function(lambda: v * v)
    with tf.GradientTape() as t:
        y = f()
    t.watched_variables()
    t.gradient(y, v)


@rule("FUNC-04", "A variable that is not trainable is not watched through a tf.function.")
def _(tf: Any) -> None:
    v = tf.Variable(3.0, trainable=False)
    f = tf.function(lambda: v * v)
    with tf.GradientTape() as t:
        y = f()
    t.watched_variables()
    t.gradient(y, v)


@rule("FUNC-05", "A variable that the result does not depend on has None.")
def _(tf: Any) -> None:
    x, v = tf.constant(3.0), tf.Variable(2.0)

    def body(a: Any) -> Any:
        v * 2.0
        return a * a

    f = tf.function(body)
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x)
    t.gradient(y, [x, v])


@rule("FUNC-06", "A tensor that a tf.function captures is a source like its arguments.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    f = tf.function(lambda: x * x)
    with tf.GradientTape() as t:
        t.watch(x)
        y = f()
    t.gradient(y, x)


@rule("FUNC-07", "An argument that a tf.function does not use has None.")
def _(tf: Any) -> None:
    x, z = tf.constant(3.0), tf.constant(4.0)
    f = tf.function(lambda a, b: a * a)
    with tf.GradientTape() as t:
        t.watch([x, z])
        y = f(x, z)
    t.gradient(y, [x, z])


@rule("FUNC-08", "A structure that a tf.function returns is differentiated part by part.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    f = tf.function(lambda a: {"y": a * a, "z": [a * 2.0]})
    with tf.GradientTape() as t:
        t.watch(x)
        outputs = f(x)
    t.gradient(outputs, x)


@rule("FUNC-09", "An output that does not depend on the argument has 0, not None: the call is one recorded op.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    f = tf.function(lambda a: (a * a, tf.constant(5.0)))
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y, c = f(x).parts(2)
    t.gradient(c, x)
    t.gradient([y, c], x)


def taped(tf: Any, a: Any, target: Any) -> Any:
    with tf.GradientTape() as t:
        t.watch(a)
        y = target(a)
    return t.gradient(y, a)


@rule("FUNC-10", "A tape may live inside a tf.function.", DOCUMENTED)
def _(tf: Any) -> None:
    tf.function(lambda a: taped(tf, a, lambda b: b * b))(tf.constant(3.0))


@rule("FUNC-11", "A tf.function may return the None of an unconnected gradient.")
def _(tf: Any) -> None:
    tf.function(lambda a: taped(tf, a, lambda b: tf.constant(1.0) * 2.0))(tf.constant(3.0))


@rule("FUNC-12", "Tapes nested inside a tf.function give second derivatives.", DOCUMENTED)
def _(tf: Any) -> None:
    def body(a: Any) -> Any:
        with tf.GradientTape() as outer:
            outer.watch(a)
            g = taped(tf, a, lambda b: b * b * b)
        return outer.gradient(g, a)

    tf.function(body)(tf.constant(2.0))


@rule("FUNC-13", "A tape around a tf.function differentiates the gradient that a tape inside returns.")
def _(tf: Any) -> None:
    x = tf.constant(2.0)
    f = tf.function(lambda a: taped(tf, a, lambda b: b * b * b))
    with tf.GradientTape() as t:
        t.watch(x)
        g = f(x)
    t.gradient(g, x)


GROUP.not_pinned(
    "FUNC-14",
    "A tape that leaks out of a tf.function cannot be asked outside: its tensors are out of scope.",
    "what is made inside a function cannot leave it in a program",
)


def branching(tf: Any, a: Any) -> Any:
    return tf.cond(a > 0.0, lambda: a * a, lambda: 3.0 * a)


GROUP.shown_by(
    "FUNC-15",
    "cond in a tf.function has the gradient of the branch that was taken.",
    through(branching, 2.0),
    through(branching, -2.0),
    source="tf.cond",
)
GROUP.shown_by(
    "FUNC-16",
    "In a tf.function a taken branch that ignores the input has 0, because the other one is connected.",
    through(lambda tf, a: tf.cond(a > 0.0, lambda: tf.constant(1.0), lambda: 3.0 * a)),
    source="tf.cond",
)
GROUP.shown_by(
    "FUNC-17",
    "Outside a tf.function a taken branch that ignores the input has None.",
    through(lambda tf, a: tf.cond(a > 0.0, lambda: tf.constant(1.0), lambda: 3.0 * a), traced=False),
    source="tf.cond",
)
GROUP.shown_by(
    "FUNC-18",
    "while_loop outside a tf.function is differentiable.",
    through(
        lambda tf, a: tf.while_loop(lambda k, b: k < 3, lambda k, b: (k + 1, b * 2.0), [tf.constant(0), a]).parts(2)[1],
        traced=False,
    ),
    source="tf.while_loop",
)


def squared_thrice(tf: Any, a: Any) -> Any:
    return tf.while_loop(lambda k, b: k < 3, lambda k, b: (k + 1, b * b), [tf.constant(0), a]).parts(2)[1]


GROUP.shown_by(
    "FUNC-19",
    "while_loop inside a tf.function is differentiable.",
    through(squared_thrice, 2.0),
    source="tf.while_loop",
)
GROUP.shown_by(
    "FUNC-20",
    "while_loop inside a tf.function has second derivatives.",
    through(
        lambda tf, a: tf.while_loop(lambda k, b: k < 2, lambda k, b: (k + 1, b * b), [tf.constant(0), a]).parts(2)[1],
        2.0,
        order=2,
    ),
    source="tf.while_loop",
)
GROUP.shown_by(
    "FUNC-21",
    "A tf.function has second derivatives.",
    through(lambda tf, a: a * a * a, 2.0, order=2),
)
GROUP.shown_by(
    "FUNC-22",
    "The second derivative of a linear tf.function is 0, where the same ops outside give None.",
    through(lambda tf, a: 3.0 * a, 2.0, order=2),
)
GROUP.shown_by(
    "FUNC-23",
    "An op without a gradient function fails when the tf.function is called under a tape that watches.",
    through(lambda tf, a: tf.bitcast(a, tf.float64), [1.0, 2.0]),
)


@rule("FUNC-24", "Assigning to a variable inside a tf.function cuts the chain.")
def _(tf: Any) -> None:
    x, v = tf.constant(2.0), tf.Variable(1.0)

    def body(a: Any) -> Any:
        v.assign_add(a)
        return v * v

    f = tf.function(body)
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x)
    t.gradient(y, [x, v])


GROUP.not_pinned(
    "FUNC-25",
    "Python's if and for over tensors are converted, and differentiated.",
    "a program's functions have no source text for AutoGraph to convert",
    DOCUMENTED,
)


@rule("FUNC-26", "A persistent tape answers twice about a tf.function.")
def _(tf: Any) -> None:
    x = tf.constant(2.0)
    f = tf.function(lambda a: a * a * a)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = f(x)
    t.gradient(y, x)
    t.gradient(y, x)


@rule("FUNC-27", "A tf.function called inside stop_recording() is not recorded.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    f = tf.function(lambda a: a * a)
    with tf.GradientTape() as t:
        t.watch(x)
        with t.stop_recording():
            y = f(x)
    t.gradient(y, x)


@rule("FUNC-28", "A tf.function may call another one.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    inner = tf.function(lambda a: a * a)
    outer = tf.function(lambda a: inner(a) * 2.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = outer(x)
    t.gradient(y, x)


GROUP.shown_by(
    "FUNC-29",
    "map_fn, scan and vectorized_map are differentiable.",
    through(lambda tf, a: tf.map_fn(lambda b: b * b, a), [1.0, 2.0, 3.0], traced=False),
    through(lambda tf, a: tf.scan(lambda s, b: s * b, a), [1.0, 2.0, 3.0], traced=False),
    through(lambda tf, a: tf.vectorized_map(lambda b: b * b, a), [1.0, 2.0, 3.0], traced=False),
    source="tf.map_fn",
)


@rule("FUNC-30", "Writing to a TensorArray and stacking it is differentiable.", source="tf.TensorArray")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        array = tf.TensorArray(tf.float32, 2).write(0, x * x).write(1, x * 2.0)
        y = array.stack()
    t.gradient(y, x)


GROUP.shown_by(
    "FUNC-31",
    "switch_case and case have the gradient of the branch that was taken.",
    through(lambda tf, a: tf.switch_case(tf.constant(1), [lambda: a * 2.0, lambda: a * a * 2.0]), traced=False),
    through(lambda tf, a: tf.case([(a > 0.0, lambda: a * a)], default=lambda: a), traced=False),
    source="tf.switch_case",
)


@rule("FUNC-32", "Inside a tf.function a tape may watch a variable that is not trainable.")
def _(tf: Any) -> None:
    v = tf.Variable(3.0, trainable=False)

    def body() -> Any:
        with tf.GradientTape() as t:
            t.watch(v)
            y = v * v
        return t.gradient(y, v)

    tf.function(body)()


GROUP.shown_by(
    "FUNC-33",
    "A tf.function that returns integers is no path: None.",
    through(lambda tf, a: tf.cast(a, tf.int32)),
)


@rule("FUNC-34", "Assertions in a tape's block have no effect on the gradient.", source="tf.debugging.Assert")
def _(tf: Any) -> None:
    x = tf.constant(2.0)
    with tf.GradientTape() as t:
        t.watch(x)
        tf.debugging.Assert(x > 0.0, [x])
        y = x * x
    t.gradient(y, x)


@rule(
    "FUNC-35",
    "A py_function inside a tf.function is differentiable, by tapes inside and outside.",
    source="tf.py_function",
)
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])

    def square(a: Any) -> Any:
        return tf.py_function(lambda b: b * b, [a], tf.float32)

    def body(a: Any) -> Any:
        with tf.GradientTape() as t:
            t.watch(a)
            y = square(a)
        return t.gradient(y, a)

    tf.function(body)(x)
    f = tf.function(square)
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x)
    t.gradient(y, x)


@rule(
    "FUNC-36",
    "A tf.function of known shapes sums a wrong output gradient only where an operand was broadcast, eager ops always.",
    source="tf.function",
)
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0, 3.0])
    wrong = tf.constant([[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]])
    for square in (tf.function(lambda a: a * a), lambda a: a * a):
        with tf.GradientTape() as t:
            t.watch(x)
            y = square(x)
        t.gradient(y, x, output_gradients=wrong)


@rule("FUNC-37", "A ragged tensor goes into a tf.function, and its gradient is ragged.", source="tf.RaggedTensor")
def _(tf: Any) -> None:
    x = tf.ragged(tf.constant([1.0, 2.0, 3.0]), tf.constant([0, 2, 3], "int64"))
    f = tf.function(lambda a: tf.reduce_sum(a * a))
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x)
    t.gradient(y, x)
