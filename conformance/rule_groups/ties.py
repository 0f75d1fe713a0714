"""NUM, second part: ties, bounds, zeros in products, empty axes, masks."""

from __future__ import annotations

from typing import Any

from conformance.rules import AGAINST_MATHS, DOCUMENTED, Group
from conformance.rules import gradient_at as at

GROUP = Group("NUM", "Numerical conventions", source="tf.math")
show, rule = GROUP.shown_by, GROUP.rule

INF, NAN = float("inf"), float("nan")

show(
    "NUM-33",
    "maximum gives a tie to its first operand, whole.",
    at(lambda tf, x, y: tf.maximum(x, y), [2.0], [2.0]),
)
show(
    "NUM-34",
    "minimum gives a tie to its first operand, whole.",
    at(lambda tf, x, y: tf.minimum(x, y), [2.0], [2.0]),
)
show("NUM-35", "maximum of a tensor with itself has slope 1.", at(lambda tf, x: tf.maximum(x, x), [2.0]))
show(
    "NUM-36",
    "Where an operand is nan, maximum gives all to the second operand.",
    at(lambda tf, x, y: tf.maximum(x, y), [NAN, 1.0], [1.0, NAN]),
)
show("NUM-37", "reduce_max splits a tie evenly.", at(lambda tf, x: tf.reduce_max(x), [1.0, 3.0, 3.0]))
show("NUM-38", "reduce_min splits a tie evenly.", at(lambda tf, x: tf.reduce_min(x), [1.0, 1.0, 1.0]))
show(
    "NUM-39",
    "Along an axis each tie is split by itself, with keepdims or without.",
    at(lambda tf, x: tf.reduce_max(x, axis=1), [[1.0, 1.0], [2.0, 1.0]]),
    at(lambda tf, x: tf.reduce_max(x, axis=1, keepdims=True), [[1.0, 1.0], [2.0, 1.0]]),
)
show("NUM-40", "reduce_max of a nan has nan everywhere.", at(lambda tf, x: tf.reduce_max(x), [NAN, 1.0]))
show("NUM-41", "Ties at minus infinity are split evenly.", at(lambda tf, x: tf.reduce_max(x), [-INF, -INF]))
show(
    "NUM-42",
    "sort is stable: equal elements keep their order.",
    at(lambda tf, x: tf.sort(x) * tf.constant([1.0, 10.0, 100.0]), [2.0, 1.0, 2.0]),
)
show(
    "NUM-43",
    "sort in descending order keeps equal elements in their order too.",
    at(lambda tf, x: tf.sort(x, direction="DESCENDING") * tf.constant([1.0, 10.0, 100.0]), [2.0, 1.0, 2.0]),
)
show(
    "NUM-44",
    "top_k takes the lowest indices of a tie.",
    at(lambda tf, x: tf.math.top_k(x, 2).parts(1)[0] * tf.constant([1.0, 10.0]), [3.0, 3.0, 3.0]),
)
show(
    "NUM-45",
    "Gathering at argmax gives the first of a tie everything.",
    at(lambda tf, x: tf.gather(x, tf.argmax(x)), [3.0, 3.0, 1.0]),
)
show(
    "NUM-46",
    "max_pool gives the first of a tie everything.",
    at(lambda tf, x: tf.nn.max_pool2d(x, 2, 2, "VALID"), [[[[1.0], [1.0]], [[1.0], [1.0]]]]),
)
show(
    "NUM-47",
    "segment_max and unsorted_segment_max split a tie evenly.",
    at(lambda tf, x: tf.math.segment_max(x, tf.constant([0, 0, 1])), [2.0, 2.0, 1.0]),
    at(lambda tf, x: tf.math.unsorted_segment_max(x, tf.constant([0, 0, 1]), 2), [2.0, 2.0, 1.0]),
)
show(
    "NUM-49",
    "clip_by_value has slope 1 at both bounds and 0 outside.",
    at(lambda tf, x: tf.clip_by_value(x, -1.0, 1.0), [-1.0, -2.0, 0.0, 1.0, 2.0]),
    source="tf.clip_by_value",
)
show(
    "NUM-50",
    "Outside, the gradient of clip_by_value goes to the bound, summed to the bound's shape.",
    at(lambda tf, x, low, high: tf.clip_by_value(x, low, high), [0.0, 5.0, 1.0], 1.0, 4.0),
    source="tf.clip_by_value",
)
show(
    "NUM-51",
    "The bounds of clip_by_value broadcast, and their gradients are summed back.",
    at(lambda tf, x, low, high: tf.clip_by_value(x, low, high), [0.0, 5.0], [1.0, 1.0], [4.0]),
    source="tf.clip_by_value",
)
show(
    "NUM-52",
    "With its bounds crossed, clip_by_value gives the lower bound, and x no gradient.",
    at(lambda tf, x: tf.clip_by_value(x, 4.0, 1.0), [0.0, 2.0, 5.0]),
    source="tf.clip_by_value",
)
show("NUM-53", "clip_by_value of nan has slope 0.", at(lambda tf, x: tf.clip_by_value(x, -1.0, 1.0), [NAN]))
show(
    "NUM-54",
    "clip_by_norm leaves the zero vector alone, with slope 1.",
    at(lambda tf, x: tf.clip_by_norm(x, 1.0), [0.0, 0.0]),
    source="tf.clip_by_norm",
)
show(
    "NUM-55",
    "At a norm of exactly the bound the gradient of clip_by_norm is not the identity.",
    at(lambda tf, x: tf.clip_by_norm(x, 1.0), [3.0, 4.0]),
    at(lambda tf, x: tf.clip_by_norm(x, 5.0), [3.0, 4.0]),
    source="tf.clip_by_norm",
)


@rule(
    "NUM-56", "clip_by_global_norm turns everything into nan when the norm is not finite, and keeps None.", DOCUMENTED
)
def _(tf: Any) -> None:
    tf.clip_by_global_norm([tf.constant([0.0, 0.0])], 1.0)
    tf.clip_by_global_norm([tf.constant([INF, 1.0])], 1.0)
    tf.clip_by_global_norm([tf.constant([3.0, 4.0]), None], 1.0)


show(
    "NUM-57",
    "clip_by_global_norm is differentiated as a division by the norm.",
    at(lambda tf, x: tf.clip_by_global_norm([x], 1.0)[0][0], [3.0, 4.0]),
    source="tf.clip_by_global_norm",
)
GROUP.not_pinned(
    "NUM-58",
    "clip_by_average_norm is differentiable, and warns that it is on its way out.",
    "the function is one of TensorFlow 1, kept in tf.compat.v1 alone",
)
show(
    "NUM-59",
    "l2_normalize has slope one over the root of its epsilon at the zero vector.",
    at(lambda tf, x: tf.math.l2_normalize(x), [0.0, 0.0]),
    at(lambda tf, x: tf.math.l2_normalize(x), [3.0, 4.0]),
    standing=AGAINST_MATHS,
)
show(
    "NUM-60",
    "reduce_prod with one zero gives the zero the product of the others.",
    at(lambda tf, x: tf.reduce_prod(x), [2.0, 0.0, 3.0]),
)
show("NUM-61", "reduce_prod with two zeros has zeros.", at(lambda tf, x: tf.reduce_prod(x), [0.0, 0.0, 3.0]))
show(
    "NUM-62",
    "reduce_prod along an axis handles zeros column by column.",
    at(lambda tf, x: tf.reduce_prod(x, axis=0), [[2.0, 0.0], [3.0, 4.0]]),
)
show(
    "NUM-63",
    "cumprod has a wrong gradient where an element is 0.",
    at(lambda tf, x: tf.math.cumprod(x), [2.0, 0.0, 3.0]),
    standing=AGAINST_MATHS,
)
show(
    "NUM-64",
    "cumprod without zeros has the true gradient.",
    at(lambda tf, x: tf.math.cumprod(x), [2.0, 4.0, 3.0]),
)
show(
    "NUM-65",
    "cumsum, exclusive or in reverse, sums back the other way.",
    at(lambda tf, x: tf.cumsum(x), [1.0, 2.0, 3.0]),
    at(lambda tf, x: tf.cumsum(x, exclusive=True), [1.0, 2.0, 3.0]),
    at(lambda tf, x: tf.cumsum(x, reverse=True), [1.0, 2.0, 3.0]),
)
show(
    "NUM-66",
    "reduce_mean spreads what flows back evenly; reduce_logsumexp by softmax.",
    at(lambda tf, x: tf.reduce_mean(x), [1.0, 2.0, 3.0, 4.0]),
    at(lambda tf, x: tf.reduce_logsumexp(x), [0.0, 0.0]),
)


@rule("NUM-67", "The mean or sum of nothing has a gradient of no elements.")
def _(tf: Any) -> None:
    for reduce in (tf.reduce_mean, tf.reduce_sum):
        x = tf.zeros([0])
        with tf.GradientTape() as t:
            t.watch(x)
            y = reduce(x)
        t.gradient(y, x)


show(
    "NUM-68",
    "reduce_std of equal elements has nan; reduce_variance has 0.",
    at(lambda tf, x: tf.math.reduce_std(x), [2.0, 2.0]),
    at(lambda tf, x: tf.math.reduce_variance(x), [2.0, 2.0]),
    at(lambda tf, x: tf.math.reduce_variance(x), [1.0, 3.0]),
)
show(
    "NUM-69",
    "reduce_euclidean_norm of the zero vector has nan.",
    at(lambda tf, x: tf.math.reduce_euclidean_norm(x), [0.0, 0.0]),
    at(lambda tf, x: tf.math.reduce_euclidean_norm(x), [3.0, 4.0]),
)
show(
    "NUM-70",
    "A reduction takes several axes and negative ones; an axis named twice is an error.",
    at(lambda tf, x: tf.reduce_sum(x, axis=[0, 1], keepdims=True), [[1.0, 2.0]]),
    at(lambda tf, x: tf.reduce_sum(x, axis=-1), [[1.0, 2.0]]),
    at(lambda tf, x: tf.reduce_sum(x, axis=[0, 0]), [[1.0, 2.0]]),
)
show(
    "NUM-71",
    "Truth values and counts are no path: None.",
    at(lambda tf, x: tf.reduce_any(x > 0.0), [1.0]),
    at(lambda tf, x: tf.math.count_nonzero(x), [1.0]),
    at(lambda tf, x: tf.argmin(x), [1.0]),
)
show(
    "NUM-72",
    "where(x > 0, log(x), 0) has nan at 0: zero times infinity.",
    at(lambda tf, x: tf.where(x > 0.0, tf.math.log(x), 0.0), [0.0, 4.0]),
    standing=AGAINST_MATHS,
)
show(
    "NUM-73",
    "where(x > 0, sqrt(x), 0) has 0 at 0: the gradient of sqrt lets zero through.",
    at(lambda tf, x: tf.where(x > 0.0, tf.sqrt(x), 0.0), [0.0, 4.0]),
)
show(
    "NUM-74",
    "A second where inside keeps the singular point out.",
    at(lambda tf, x: tf.where(x > 0.0, tf.math.log(tf.where(x > 0.0, x, 1.0)), 0.0), [0.0, 1.0]),
)
show(
    "NUM-75",
    "where gives each branch what was chosen, summed to the branch's shape.",
    at(
        lambda tf, x, y: tf.where(tf.constant([[True], [False]]), x, y),
        [[1.0, 2.0], [3.0, 4.0]],
        5.0,
    ),
)
show(
    "NUM-76",
    "Times zero has slope 0 even at infinity and nan; 0 * log(0) has nan.",
    at(lambda tf, x: x * 0.0, [INF, NAN]),
    at(lambda tf, x: 0.0 * tf.math.log(x), [0.0]),
)
show("NUM-77", "where with a condition alone gives indices: None.", at(lambda tf, x: tf.where(x > 0.0), [1.0, -1.0]))
show(
    "NUM-78",
    "boolean_mask passes the gradient to what it kept.",
    at(lambda tf, x: tf.boolean_mask(x, tf.constant([True, False])), [1.0, 2.0]),
)
