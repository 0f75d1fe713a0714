"""MULTI: several tapes, nested and one after the other."""

from __future__ import annotations

from typing import Any

from conformance.rule_groups.higher import derivatives
from conformance.rules import DOCUMENTED, Group

GROUP = Group("MULTI", "Several tapes", source="tf.GradientTape")
rule, also = GROUP.rule, GROUP.also


@rule("MULTI-01", "Two tapes that are active together record independently.", DOCUMENTED)
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as a:
        a.watch(x)
        with tf.GradientTape() as b:
            b.watch(x)
            y = x * x
    a.gradient(y, x)
    b.gradient(y, x)


@rule("MULTI-02", "Tapes need not be left in the order in which they were entered.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    a, b = tf.GradientTape(), tf.GradientTape()
    tf.enter(a)
    tf.enter(b)
    a.watch(x)
    b.watch(x)
    y = x * x
    tf.leave(a)
    z = y * y
    tf.leave(b)
    a.gradient(z, x)
    b.gradient(z, x)


@rule("MULTI-03", "Two tapes may watch different sources of one op.")
def _(tf: Any) -> None:
    x, w = tf.constant(3.0), tf.constant(4.0)
    with tf.GradientTape() as a:
        a.watch(x)
        with tf.GradientTape() as b:
            b.watch(w)
            y = x * w
    a.gradient(y, [x, w])
    b.gradient(y, [x, w])


@rule("MULTI-04", "A second tape knows nothing of what a first one recorded.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as a:
        a.watch(x)
        y = x * x
    with tf.GradientTape() as b:
        b.watch(y)
        z = y * y
    b.gradient(z, [x, y])


@rule("MULTI-05", "stop_recording() of the outer tape leaves the inner one recording.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            with outer.stop_recording():
                y = x * x
    outer.gradient(y, x)
    inner.gradient(y, x)


@rule("MULTI-06", "Each tape decides for itself whether it watches the variables that are read.")
def _(tf: Any) -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape() as a, tf.GradientTape(watch_accessed_variables=False) as b:
        y = v * v
    a.gradient(y, v)
    b.gradient(y, v)


@rule("MULTI-07", "A tape is active from its entry to its exit, wherever in the code these stand.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    t = tf.GradientTape()
    tf.enter(t)
    t.watch(x)
    f = tf.custom_gradient(lambda a: (a * a, lambda dy: dy * 2.0 * a))
    y = f(x)
    tf.leave(t)
    t.gradient(y, x)


GROUP.shown_by(
    "MULTI-08",
    "Six tapes deep, the sixth derivative of exp is exp.",
    derivatives(lambda tf, x: tf.exp(x), 0.0, 6),
)


@rule("MULTI-09", "An outer tape records what an inner tape's gradient does, and takes its seed as a constant.")
def _(tf: Any) -> None:
    x = tf.constant(2.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            inner.reset()
            inner.watch(x)
            y = x * x
        g = inner.gradient(y, x)
        z = g * x
    outer.gradient(z, x)


@rule("MULTI-10", "An inner tape made inside an outer one may be asked after both blocks.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x * x
        z = y * y
    inner.gradient(z, x)
    outer.gradient(z, x)
