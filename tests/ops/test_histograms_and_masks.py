"""Histograms, boundaries, masks of rows, sums of exponentials beside nan: the answers of TensorFlow 2.21."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import reference_impl as tf

N, INF = math.nan, math.inf


def _all(tensor: Any) -> list:
    return np.asarray(tensor).tolist()


def test_each_value_lies_in_one_part_of_a_range() -> None:
    x = [-1.0, 0.0, 1.5, 2.0, 5.0, 15.0]
    assert _all(tf.histogram_fixed_width_bins(x, [0.0, 5.0], 5)) == [0, 0, 1, 2, 4, 4]
    assert _all(tf.histogram_fixed_width_bins([[INF, -INF]], [0.0, 5.0], 3)) == [[2, 0]]
    assert _all(tf.histogram_fixed_width_bins([1.0, 2.0], [0.0, 5.0])) == [20, 40]
    traced = tf.function(lambda v: tf.histogram_fixed_width_bins(v, [0.0, 10.0], 5))
    assert _all(traced(tf.constant([1.0, -1.0, 11.0]))) == [0, 0, 4]
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"nbins tf.Tensor\(0, shape=\(\), dtype=int32\) must > 0"):
        tf.histogram_fixed_width_bins(x, [0.0, 5.0], 0)


@pytest.mark.parametrize(
    "values, bounds, bins, text",
    [
        ([N, 1.0], [0.0, 5.0], 3, "Histogram values must not contain NaN"),
        ([1.0], [5.0, 0.0], 3, r"value_range\[0\] < value_range\[1\], but got '\[5, 0\]'"),
        ([1.0], [N, 5.0], 3, r"but got '\[nan, 5\]'"),
        ([1.0], [0.0], 3, "value_range should be a vector of 2 elements"),
        ([1.0], 5.0, 3, "value_range should be a vector."),
        ([1.0], [0.0, 5.0], 0, "nbins should be a positive number, but got '0'"),
        ([1.0], [0.0, 5.0], [3], "nbins should be a scalar"),
    ],
)  # fmt: skip
def test_a_histogram_refuses_what_has_no_place(values: Any, bounds: Any, bins: Any, text: str) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        tf.histogram_fixed_width(values, bounds, bins)


def test_boundaries_that_each_value_has_reached() -> None:
    count = tf.raw_ops.Bucketize(input=[[-5, 10000], [150, 10], [5, 100]], boundaries=[0.0, 10.0, 100.0])
    assert _all(count) == [[0, 3], [3, 2], [1, 3]] and count.dtype == tf.int32
    assert _all(tf.raw_ops.Bucketize(input=[N, 1.0, 0.5, -INF], boundaries=[0.5, 1.0])) == [2, 2, 1, 0]
    with pytest.raises(tf.errors.InvalidArgumentError, match="Expected sorted boundaries"):
        tf.raw_ops.Bucketize(input=[1.0], boundaries=[3.0, 1.0])


def test_predictions_of_in_top_k_are_of_single_precision() -> None:
    with pytest.raises(ValueError, match="requested dtype float32 for Tensor with dtype float64"):
        tf.math.in_top_k([0], tf.constant([[1.0, 2.0]], tf.float64), 1)


def test_a_mask_keeps_rows_apart() -> None:
    x = tf.Variable([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    mask = [[True, False, True], [False, False, True]]
    with tf.GradientTape() as tape:
        kept = tf.ragged.boolean_mask(x * x, mask)
        mean = tf.reduce_sum(tf.reduce_mean(kept, 1))
    assert kept.to_list() == [[1, 9], [36]]
    assert _all(tape.gradient(mean, x)) == [[1, 0, 3], [0, 0, 12]]


def test_masks_of_ragged_tensors() -> None:
    rows, three = tf.ragged.constant([[1, 2], [3]]), tf.ragged.constant([[[1, 2], [3]], [[4]]])
    assert tf.ragged.boolean_mask(rows, [True, False]).to_list() == [[1, 2]]
    assert tf.ragged.boolean_mask(rows, tf.ragged.constant([[True, False], [True]])).to_list() == [[1], [3]]
    assert tf.ragged.boolean_mask(three, tf.ragged.constant([[True, False], [True]])).to_list() == [[[1, 2]], [[4]]]
    assert _all(tf.ragged.boolean_mask([1, 2, 3], [True, False, True])) == [1, 3]
    with pytest.raises(tf.errors.InvalidArgumentError, match="Inputs must have identical ragged splits"):
        tf.ragged.boolean_mask(rows, [[True, False], [True, False]])
    with pytest.raises(ValueError, match="mask cannot be scalar"):
        tf.ragged.boolean_mask([1, 2], True)
    with pytest.raises(ValueError, match="are incompatible"):
        tf.ragged.boolean_mask([[1, 2], [3, 4]], [True, False, True])


def test_the_gradient_of_masked_rows_is_dense() -> None:
    rows = tf.ragged.constant([[1.0, 2.0], [3.0]])
    with tf.GradientTape() as tape:
        tape.watch(rows.flat_values)
        total = tf.reduce_sum(tf.ragged.boolean_mask(rows, [False, True]))
    assert _all(tape.gradient(total, rows.flat_values)) == [0, 0, 1]


def test_masks_differ_from_call_to_call_of_a_function() -> None:
    traced = tf.function(lambda x, m: tf.reduce_sum(tf.ragged.boolean_mask(x, m), 1))
    x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    assert _all(traced(x, tf.constant([[True, False, True], [False, False, True]]))) == [4, 6]
    assert _all(traced(x, tf.constant([[True, False, True], [False, True, True]]))) == [4, 11]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    "given, sums, backwards",
    [
        ([3, N, 1], [3, 3.693147, 3.758624], [3.239545, 1.693147, 1]),
        ([N, 3, 1], [-INF, 3, 3.126928], [3.820075, 3.126928, 1]),
        ([N, N], [-INF, -INF], [-INF, -INF]),
        ([INF, INF, -INF], [INF, N, N], [N, INF, -INF]),
    ],
)  # fmt: skip
def test_nan_counts_as_the_sum_of_exponentials_before_it(given: Any, sums: Any, backwards: Any, dtype: str) -> None:
    x = tf.constant(given, dtype)
    np.testing.assert_allclose(tf.math.cumulative_logsumexp(x), sums, rtol=1e-6)
    np.testing.assert_allclose(tf.math.cumulative_logsumexp(x, reverse=True), backwards, rtol=1e-6)
    columns = tf.math.cumulative_logsumexp(tf.stack([x, x], 1), axis=0)
    np.testing.assert_allclose(columns[:, 1], sums, rtol=1e-6)


def test_the_largest_of_a_row_is_never_nan_in_any_dtype() -> None:
    for dtype in ("float16", "bfloat16", "float32", "float64"):
        x = tf.constant([[3, N, 1], [N, 3, 4]], dtype)
        assert _all(tf.argmax(x, 1)) == [0, 2] and _all(tf.argmin(x, 1)) == [2, 1]
