"""ITGT: integer outputs of recorded ops as targets."""

from __future__ import annotations

from typing import Any

from conformance.rules import AGAINST_DOCS, Group, gradient_at

GROUP = Group("ITGT", "Integer targets of recorded ops", source="tf.GradientTape.gradient")
rule, also = GROUP.rule, GROUP.also


@rule("ITGT-01", "The integer indices of top_k are no dead end: as a target they give zeros, not None.", AGAINST_DOCS)
def _(tf: Any) -> None:
    x = tf.constant([3.0, 1.0, 2.0])
    with tf.GradientTape() as t:
        t.watch(x)
        _, indices = tf.math.top_k(x, 2).parts(2)
    t.gradient(indices, x)


GROUP.shown_by(
    "ITGT-02",
    "argsort, which is top_k inside, gives zeros; argmax and a cast to integers give None.",
    gradient_at(lambda tf, x: tf.argsort(x), [3.0, 1.0]),
    gradient_at(lambda tf, x: tf.argmax(x), [3.0, 1.0]),
    gradient_at(lambda tf, x: tf.cast(x, tf.int32), [3.0, 1.0]),
    standing=AGAINST_DOCS,
)


@rule("ITGT-03", "An integer output of an op that has no gradient function is a LookupError.")
def _(tf: Any) -> None:
    x = tf.constant([3.0, 1.0, 3.0])
    with tf.GradientTape() as t:
        t.watch(x)
        _, indices, _ = tf.unique_with_counts(x).parts(3)
    t.gradient(indices, x)


GROUP.also("ITGT-03")(gradient_at(lambda tf, x: tf.shape(x), [3.0, 1.0]))
GROUP.also("ITGT-03")(gradient_at(lambda tf, x: tf.where(x > 2.0), [3.0, 1.0]))
