"""``*`` of bools, and the zeros of xlogy and its like, as TensorFlow 2.21 answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import reference_impl as tf


def test_times_takes_bools_when_the_first_is_one_or_the_second_is_a_bool_tensor() -> None:
    flag, variable, number = tf.constant(True), tf.Variable(True), tf.constant(2.0)
    for product in (flag * number, number * flag, variable * number, variable * 2.0, variable * flag):
        assert product.dtype == tf.bool
        assert bool(product)


def test_a_bool_variable_is_no_factor_of_a_number() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="expected to be a float tensor but is a bool tensor"):
        tf.constant(2.0) * tf.Variable(True)
    with pytest.raises(tf.errors.InvalidArgumentError, match="attr 'T' of bool is not in the list of allowed values"):
        tf.matmul(tf.constant([[True]]), tf.constant([[True]]))


@pytest.mark.parametrize("f", [tf.math.xlogy, tf.math.xlog1py, tf.math.xdivy])
def test_a_zero_stays_zero_whatever_the_other_is(f: Callable[[Any, Any], Any]) -> None:
    others = np.array([0.0, -1.0, np.inf, np.nan, 2.0], np.float32)
    for zero in (0.0, -0.0):
        assert np.asarray(f(np.full(5, zero, np.float32), others)).tolist() == [0.0] * 5


@pytest.mark.parametrize("axis", [0, 1, [0]])
def test_a_scalar_cannot_be_rolled_along_any_axis(axis: object) -> None:
    shift = [1] if isinstance(axis, list) else 1
    with pytest.raises(tf.errors.InvalidArgumentError, match="input must be 1-D or higher"):
        tf.roll(tf.constant(1.0), shift, axis)


@pytest.mark.parametrize("exclusive", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_a_running_sum_starts_from_zero_and_is_never_minus_zero(dtype: str, exclusive: bool) -> None:
    found = tf.cumsum(tf.cast(tf.constant([-0.0, -0.0]), dtype), exclusive=exclusive)
    assert not np.signbit(tf.cast(found, tf.float32).numpy()).any()


@pytest.mark.parametrize(("dtype", "together"), [("float16", 8), ("float32", 8), ("float64", 4)])
def test_the_zero_gradient_of_rsqrt_at_infinity_is_plus_zero_where_elements_are_computed_together(
    dtype: str, together: int
) -> None:
    for size in (together - 1, together, 2 * together + 1):
        x = tf.constant([np.inf] * size, dtype)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.math.rsqrt(x)
        alone = size % together
        assert np.signbit(tape.gradient(y, x)).tolist() == [False] * (size - alone) + [True] * alone


@pytest.mark.parametrize("labels", [[0.0, 0.0], [-0.0, -0.0], [1.0, 0.0]])
def test_a_cross_entropy_of_zero_is_plus_zero(labels: list[float]) -> None:
    logits = tf.constant([1e4, 0.0])
    assert not np.signbit(tf.nn.softmax_cross_entropy_with_logits(tf.constant(labels), logits).numpy())
    assert not np.signbit(tf.nn.sparse_softmax_cross_entropy_with_logits(0, logits).numpy())
