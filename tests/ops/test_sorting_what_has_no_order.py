"""Sorting, ranking and searching rows in which something is no number: the answers of TensorFlow 2.21."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import reference_impl as tf

N, INF = math.nan, math.inf
LONG = [4.5, 1, 2, 3, 3, 4, 0, -INF, 1, N, INF, 4.5, 7, 2, 9, -INF, 8, 0, INF, 6]
WIDE = [9, 4, 6, 7, 9, INF, 0, 0, 1, 4, 5, 4.5, 4, -INF, 7, 2, N]


def _all(tensor: Any) -> list[float]:
    return np.asarray(tensor).astype(float).tolist()


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_a_row_is_sorted_by_comparisons_that_are_always_false_beside_nan(dtype: str) -> None:
    assert _all(tf.argsort(tf.constant([3, N, 1], dtype))) == [2, 0, 1]
    assert _all(tf.argsort(tf.constant([3, N, 1], dtype), direction="DESCENDING")) == [0, 1, 2]
    assert _all(tf.argsort(tf.constant([N, 3, 1], dtype), direction="DESCENDING")) == [0, 1, 2]
    np.testing.assert_equal(_all(tf.sort(tf.constant([1, 3, N], dtype))), [1, 3, N])


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_long_rows_go_by_quicksort_and_heaps(dtype: str) -> None:
    x = tf.constant(LONG, dtype)
    assert _all(tf.argsort(x, direction="DESCENDING")) == [
        10,
        18,
        14,
        16,
        12,
        19,
        9,
        0,
        11,
        5,
        3,
        4,
        2,
        13,
        1,
        8,
        6,
        17,
        7,
        15,
    ]
    assert _all(tf.math.top_k(x, 10).indices) == [10, 0, 11, 5, 3, 4, 2, 1, 8, 9]
    assert _all(tf.math.top_k(x, 3, sorted=False).indices) == [14, 10, 18]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_the_single_largest_goes_by_vector_registers(dtype: str) -> None:
    def largest(row: list[float]) -> int:
        return int(tf.math.top_k(tf.constant(row, dtype)).indices[0])

    assert largest(WIDE) == 0 and largest(WIDE[:16]) == 5
    assert largest([3, N, 1]) == 2 and largest([N, 3, 1]) == 1 and largest([1, 3, N]) == 0


def test_without_order_the_largest_come_as_a_heap_has_them() -> None:
    row = [-INF, 6, 7, -INF, 6, 4.5, 4, 9, 5]
    found = [_all(tf.math.top_k(row, k, sorted=False).indices) for k in (1, 2, 3, 4, 8, 9)]
    assert found[:5] == [[7], [2, 7], [1, 2, 7], [4, 1, 2, 7], [0, 8, 6, 1, 4, 5, 2, 7]]
    assert found[5] == _all(tf.math.top_k(row, 9).indices)


def test_gradients_go_to_the_places_found() -> None:
    x = tf.constant([1, 3, N])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.top_k(x, 2).values * [2.0, 3.0]
    assert _all(tape.gradient(y, x)) == [3, 2, 0]


def test_what_is_no_number_is_looked_for_by_halving() -> None:
    rows = [[1.0, 3, N], [N, 1, 2]]
    values = [[1, N, 4.0], [1, N, 4]]
    assert _all(tf.searchsorted(rows, values)) == [[0, 0, 2], [0, 0, 3]]
    assert _all(tf.searchsorted(rows, values, side="right")) == [[1, 3, 3], [2, 3, 3]]


def test_the_nth_element_is_chosen_by_dividing() -> None:
    nth = [_all(tf.raw_ops.NthElement(input=[2, N, 1, N, 0, 5.0], n=n)) for n in range(6)]
    np.testing.assert_equal(nth, [N, 0, 5, 1, 2, N])
