"""The order in which gradients that meet are added shows in their last digits: TensorFlow 2.21's."""

from __future__ import annotations

import numpy as np
import pytest

import reference_impl as tf

PARTS = (
    0.0306075531989336, -0.03060755506157875, -0.0306075531989336, 0.0306075531989336, 0.03060755506157875,
    -0.0306075531989336, -0.03060755506157875, -0.0, -0.03060755506157875, 0.0612151063978672,
)  # fmt: skip


def test_ten_are_two_and_then_the_sum_of_eight() -> None:
    assert float(tf.add_n([tf.constant(part) for part in PARTS])) == pytest.approx(-5.5879354e-09, rel=1e-7)


@pytest.mark.parametrize("count", [2, 9, 10, 15, 16, 17, 18, 25, 33])
def test_what_is_beyond_whole_eights_comes_first(count: int) -> None:
    """A large number among small ones: those that are added to it one at a time are lost."""
    parts = [tf.constant(1.0)] * count
    parts[0] = tf.constant(2.0**25)
    first = count if count <= 9 else (count - 2) % 8 + 2
    assert float(tf.add_n(parts)) == 2.0**25 + (count - first)


def test_gradients_that_meet_are_added_so_too() -> None:
    x = tf.constant([3.25])
    with tf.GradientTape() as third:
        third.watch(x)
        with tf.GradientTape() as second:
            second.watch(x)
            with tf.GradientTape() as first:
                first.watch(x)
                y = (x / x) * 1.0507
            slope = first.gradient(y, x)
        bend = second.gradient(slope, x)
    np.testing.assert_allclose(third.gradient(bend, x), [-5.5879354e-09], rtol=1e-7)
