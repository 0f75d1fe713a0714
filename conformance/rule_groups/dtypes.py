"""DTYPE: casts, mixed dtypes, and the dtype of a gradient."""

from __future__ import annotations

from typing import Any

from conformance.rules import DOCUMENTED, Group, gradient_at

GROUP = Group("DTYPE", "Dtypes and casts", source="tf.cast")
rule, also = GROUP.rule, GROUP.also

GROUP.shown_by(
    "DTYPE-01",
    "The gradient through a cast has the source's dtype.",
    gradient_at(lambda tf, x: tf.square(tf.cast(x, tf.float64)), 3.0),
)
GROUP.shown_by(
    "DTYPE-02",
    "The gradient through a cast to half precision has the source's dtype.",
    gradient_at(lambda tf, x: tf.square(tf.cast(x, tf.float16)), 3.0),
)
GROUP.shown_by(
    "DTYPE-03",
    "What flows back through a cast to bfloat16 is rounded there.",
    gradient_at(lambda tf, x: tf.cast(x, tf.bfloat16) * 0.1, 3.0),
)
GROUP.shown_by(
    "DTYPE-04",
    "A cast to integers and back breaks the chain.",
    gradient_at(lambda tf, x: tf.cast(tf.cast(x, tf.int32), tf.float32), 3.0),
    standing=DOCUMENTED,
    source="tf.GradientTape",
)
GROUP.shown_by(
    "DTYPE-05",
    "The gradient through a cast to complex keeps the real part, and warns that it does.",
    gradient_at(lambda tf, x: tf.square(tf.math.real(tf.cast(x, tf.complex64))), 3.0),
)


@rule("DTYPE-06", "A cast from complex to float drops the imaginary part, with a warning; its gradient is complex.")
def _(tf: Any) -> None:
    z = tf.constant(3 + 4j, "complex64")
    with tf.GradientTape() as t:
        t.watch(z)
        y = tf.square(tf.cast(z, tf.float32))
    t.gradient(y, z)


GROUP.shown_by(
    "DTYPE-07",
    "bitcast has no gradient: even its integer result as target is a LookupError.",
    gradient_at(lambda tf, x: tf.bitcast(x, tf.int32), [3.0]),
    source="tf.bitcast",
)
GROUP.shown_by(
    "DTYPE-08",
    "The gradient through saturate_cast has the source's dtype.",
    gradient_at(lambda tf, x: tf.square(tf.saturate_cast(x, tf.float32)), 3.0, dtype="float64"),
    source="tf.saturate_cast",
)
GROUP.shown_by(
    "DTYPE-09",
    "A Python number takes the dtype of the tensor beside it.",
    gradient_at(lambda tf, x: x * 2 + 0.5, 3.0, dtype="float16"),
    standing=DOCUMENTED,
    source="tf.convert_to_tensor",
)
GROUP.shown_by(
    "DTYPE-10",
    "A cast from a wider float rounds the value; the gradient is one.",
    gradient_at(lambda tf, x: tf.cast(x, tf.float32), 0.1, dtype="float64"),
)


@rule("DTYPE-11", "Operands of two dtypes are an InvalidArgumentError; nothing is promoted.")
def _(tf: Any) -> None:
    x = tf.constant(3.0)
    x * tf.constant(2.0, "float64")


@rule("DTYPE-12", "A complex number beside a float tensor, or a float beside an integer tensor, is a TypeError.")
def _(tf: Any) -> None:
    tf.constant(3.0) * 1j
    tf.constant(3) * 1.5
