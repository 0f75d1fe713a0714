"""REG: the registry of gradient functions."""

from __future__ import annotations

from typing import Any

from conformance.rules import Group, gradient_at

GROUP = Group("REG", "Registry of gradients", source="tf.RegisterGradient")
rule = GROUP.rule


@rule("REG-01", "Registering a second gradient function for an op is a KeyError.")
def _(tf: Any) -> None:
    register = tf.RegisterGradient("Square")
    register(lambda op, grad: grad)


@rule("REG-02", "The op's type must be a string.")
def _(tf: Any) -> None:
    tf.RegisterGradient(5)


@rule("REG-04", "A gradient function registered for an op that had none takes effect at once.")
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = tf.bitcast(x, tf.float64)
    t.gradient(y, x)
    register = tf.RegisterGradient("Bitcast")
    register(lambda op, grad: tf.constant([42.0, 43.0]))
    t.gradient(y, x)


GROUP.not_pinned(
    "REG-05",
    "gradient_override_map belongs to graphs: an eager tape ignores it.",
    "it is a method of tf.Graph, which a program does not make",
)
GROUP.not_pinned(
    "REG-07",
    "gradient_override_map has no effect on a tape inside a tf.function.",
    "it is a method of tf.Graph, which a program does not make",
)


@rule("REG-08", "RegisterGradient gives the decorated function back.")
def _(tf: Any) -> None:
    f = tf.custom_gradient(lambda a: (a * a, lambda dy: dy))
    register = tf.RegisterGradient("NoSuchOp")
    same = register(f)
    tf.same(same, f)


GROUP.shown_by(
    "REG-10",
    "floor, ceil, round, rint, argmax, argmin and floordiv have a gradient function, and it says None.",
    gradient_at(lambda tf, x: tf.floor(x) + tf.math.ceil(x) + tf.round(x) + tf.math.rint(x) + x // 2.0, [1.5]),
    gradient_at(lambda tf, x: [tf.argmax(x), tf.argmin(x)], [1.5]),
)
