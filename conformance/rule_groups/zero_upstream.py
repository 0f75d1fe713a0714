"""ZUP: what flows back into a singular point, zero or not."""

from __future__ import annotations

from typing import Any

from conformance.rules import AGAINST_MATHS, Group, Writer

GROUP = Group("ZUP", "Zero upstream at singular points", source="tf.GradientTape.gradient")

INF, NAN = float("inf"), float("nan")
POINTS: tuple[tuple[Any, Any], ...] = (
    (lambda tf, x: tf.math.log(x), [0.0]),
    (lambda tf, x: tf.math.log1p(x), [-1.0]),
    (lambda tf, x: tf.sqrt(x), [0.0]),
    (lambda tf, x: tf.math.rsqrt(x), [0.0]),
    (lambda tf, x: tf.math.reciprocal(x), [0.0]),
    (lambda tf, x: 1.0 / x, [0.0]),
    (lambda tf, x: x**0.5, [0.0]),
    (lambda tf, x: x**-1.0, [0.0]),
    (lambda tf, x: tf.asin(x), [1.0]),
    (lambda tf, x: tf.acosh(x), [1.0]),
    (lambda tf, x: tf.atanh(x), [1.0]),
    (lambda tf, x: tf.exp(x), [1000.0]),
    (lambda tf, x: tf.square(x), [INF]),
    (lambda tf, x: x * x, [INF]),
    (lambda tf, x: tf.abs(x), [NAN]),
    (lambda tf, x: tf.nn.relu(x), [NAN]),
    (lambda tf, x: tf.tanh(x), [NAN]),
    (lambda tf, x: tf.sigmoid(x), [NAN]),
    (lambda tf, x: tf.math.lgamma(x), [0.0]),
    (lambda tf, x: tf.math.erfinv(x), [1.0]),
    (lambda tf, x: tf.norm(x), [0.0, 0.0]),
)


def fed(function: Any, point: list[float], upstream: float) -> Writer:
    """The gradient at one point with one upstream value."""

    def write(tf: Any) -> None:
        x = tf.constant(point)
        with tf.GradientTape() as t:
            t.watch(x)
            y = function(tf, x)
        t.gradient(y, x, output_gradients=tf.zeros_like(y) if upstream == 0.0 else tf.ones_like(y))

    return write


GROUP.shown_by(
    "ZUP-01",
    "Nothing flowing back into a singular point gives nan for most ops; sqrt, rsqrt and reciprocal give 0.",
    *(fed(function, point, 0.0) for function, point in POINTS),
    standing=AGAINST_MATHS,
)
GROUP.shown_by(
    "ZUP-02",
    "Ones flowing back into a singular point give the infinite slope, or nan.",
    *(fed(function, point, 1.0) for function, point in POINTS),
)
