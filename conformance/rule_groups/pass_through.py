"""PASS: grad_pass_through."""

from __future__ import annotations

from typing import Any

from conformance.rules import AGAINST_DOCS, DOCUMENTED, Group

GROUP = Group("PASS", "grad_pass_through", source="tf.grad_pass_through")
rule, also = GROUP.rule, GROUP.also


@rule("PASS-01", "A function under grad_pass_through has the gradient of the identity.", DOCUMENTED)
def _(tf: Any) -> None:
    x = tf.constant(1.25)
    f = tf.grad_pass_through(tf.round)
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x * 2.0)
    t.gradient(y, x)


@rule("PASS-02", "Assigning to a variable can be passed through; the variable itself has None.", DOCUMENTED)
def _(tf: Any) -> None:
    z, v = tf.constant(3.0), tf.Variable(0.0)
    f = tf.grad_pass_through(v.assign)
    with tf.GradientTape() as t:
        t.watch(z)
        y = f(z**2)
    t.gradient(y, [z, v])


@rule("PASS-03", "A function of two arguments fails: there is one gradient to pass.", AGAINST_DOCS)
def _(tf: Any) -> None:
    x, z = tf.constant(3.0), tf.constant(4.0)
    f = tf.grad_pass_through(lambda a, b: a * b)
    with tf.GradientTape() as t:
        t.watch([x, z])
        y = f(x, z)
    t.gradient(y, [x, z])


@rule("PASS-04", "A variable that the function reads has None.")
def _(tf: Any) -> None:
    x, v = tf.constant(3.0), tf.Variable(2.0)
    f = tf.grad_pass_through(lambda a: a * v)
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x)
    t.gradient(y, [x, v])


@rule("PASS-05", "A function that changes the shape gives a gradient of the output's shape.", AGAINST_DOCS)
def _(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    f = tf.grad_pass_through(tf.reduce_sum)
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x)
    t.gradient(y, x)
