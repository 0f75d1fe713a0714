"""Gradients of gamma numbers by what they were drawn with: each keeps its probability (TensorFlow 2.21)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import reference_impl as tf

# rows: alpha; columns: samples of 0.01, 0.5, 0.9, 1.1 and 3 times alpha
SLOPES = {
    0.5: [0.053549, 0.90801, 1.2647, 1.4053, 2.2395],
    2.0: [0.048694, 0.75078, 1.0297, 1.139, 1.788],
    10.0: [0.046978, 0.70458, 0.96418, 1.0661, 1.6747],
}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("alpha", SLOPES)
def test_the_slope_of_a_number_by_its_shape(alpha: float, dtype: str) -> None:
    sample = alpha * np.array([0.01, 0.5, 0.9, 1.1, 3.0])
    slopes = tf.raw_ops.RandomGammaGrad(alpha=tf.constant(alpha, dtype), sample=tf.constant(sample, dtype))
    np.testing.assert_allclose(slopes, SLOPES[alpha], rtol=1e-4)


def _moved(alpha: Any, numbers: Any) -> Any:
    return tf.raw_ops.RandomGammaGrad(alpha=tf.broadcast_to(alpha, numbers.shape), sample=numbers)


def test_gradients_reach_shapes_and_rates() -> None:
    alpha, beta = tf.Variable([0.5, 2.0, 9.0]), tf.Variable([[1.0], [2.0]])
    with tf.GradientTape() as tape:
        drawn = tf.random.gamma([4], alpha, beta, seed=3)
        total = 2 * tf.reduce_sum(drawn)
    by_alpha, by_beta = tape.gradient(total, [alpha, beta])
    assert drawn.shape == (4, 2, 3) and by_alpha.shape == (3,) and by_beta.shape == (2, 1)
    np.testing.assert_allclose(by_alpha, tf.reduce_sum(2 * _moved(alpha, drawn * beta) / beta, [0, 1]), rtol=1e-4)
    np.testing.assert_allclose(by_beta, -2 * tf.reduce_sum(drawn / beta, [0, 2])[:, None], rtol=1e-4)


@pytest.mark.parametrize("traced", [False, True])
def test_numbers_by_a_pair_of_seeds_have_gradients_too(traced: bool) -> None:
    alpha = tf.Variable([0.5, 2.0, 9.0])
    draw = lambda: tf.random.stateless_gamma([4, 3], [1, 2], alpha, beta=2.0)  # noqa: E731
    if traced:
        draw = tf.function(draw)
    with tf.GradientTape() as tape:
        drawn = draw()
    np.testing.assert_allclose(
        tape.gradient(drawn, alpha), tf.reduce_sum(_moved(alpha, drawn * 2) / 2, 0), rtol=1e-4
    )  # fmt: skip


def test_jacobians_and_forward_mode() -> None:
    alpha = tf.Variable([2.0, 3.0])
    with tf.GradientTape() as tape:
        drawn = tf.random.stateless_gamma([2], [1, 2], alpha)
    jacobian = np.asarray(tape.jacobian(drawn, alpha))
    np.testing.assert_allclose(np.diag(jacobian), _moved(alpha, drawn), rtol=1e-4)
    assert jacobian[0, 1] == jacobian[1, 0] == 0
    with tf.autodiff.ForwardAccumulator(alpha, tf.ones(2)) as accumulator:
        drawn = tf.random.stateless_gamma([2], [1, 2], alpha)
    np.testing.assert_allclose(accumulator.jvp(drawn), _moved(alpha, drawn), rtol=1e-4)


def test_there_is_no_second_derivative_and_none_in_half_precision() -> None:
    alpha = tf.constant([2.0])
    with tf.GradientTape() as outer:
        outer.watch(alpha)
        with tf.GradientTape() as tape:
            tape.watch(alpha)
            drawn = tf.random.stateless_gamma([1], [1, 2], alpha)
        slope = tape.gradient(drawn, alpha)
    with pytest.raises(LookupError, match="gradient registry has no entry for: RandomGammaGrad"):
        outer.gradient(slope, alpha)
    half = tf.constant([2.0], tf.float16)
    with tf.GradientTape() as tape:
        tape.watch(half)
        drawn = tf.random.stateless_gamma([1], [1, 2], half, dtype=tf.float16)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Value for attr 'T' of half is not in the list"):
        tape.gradient(drawn, half)
