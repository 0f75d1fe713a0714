"""output_gradients of a wrong shape: what TensorFlow 2.21 answers, a value or an error, op by op."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import reference_impl as tf

COLUMN = tf.constant([[0.5], [0.25]])
FIRST = np.arange(1, 4, dtype=np.float32) / 8  # 0.125, 0.25, 0.375


def upstream(shape: tuple[int, ...]) -> tf.Tensor:
    return tf.constant(np.arange(1, 1 + int(np.prod(shape)), dtype=np.float32).reshape(shape))


def gradient(f: Callable[[Any], Any], x: np.ndarray, shape: tuple[int, ...]) -> Any:
    source = tf.constant(x)
    with tf.GradientTape() as tape:
        tape.watch(source)
        y = f(source)
    return tape.gradient(y, source, output_gradients=upstream(shape))


REFUSED: list[tuple[str, Callable[[Any], Any], tuple[int, ...], tuple[int, ...], str]] = [
    ("an upstream without a last axis", tf.nn.log_softmax, (3,), (), "Invalid reduction dimension (-1 for input"),
    ("log_softmax sums the upstream's own last axis", tf.nn.log_softmax, (3,), (2, 2), "shapes: [2,2] vs. [2,3]"),
    (
        "add sums by the forward shapes",
        lambda x: x + COLUMN,
        (3,),
        (3,),
        "1 values, but the requested shape has 3",
    ),
    ("the first bad axis is named", lambda x: tf.math.floormod(2.0, x), (2, 2), (), "reduction dimension (0 for input"),
    (
        "where computes both",
        lambda x: tf.where(x > 0.2, x, 0.0),
        (3,),
        (1, 3),
        "3 values, but the requested",
    ),
    ("a kept axis is spread", lambda x: tf.reduce_sum(x, 0, keepdims=True), (2, 2), (3,), "shapes: [3] vs. [2,2]"),
    (
        "of a higher rank",
        lambda x: tf.reduce_sum(x, 0, keepdims=True),
        (2, 2),
        (2, 1, 3),
        "Rank of input (3) must be",
    ),
    ("a band is one of a matrix", lambda x: tf.linalg.band_part(x[None], 0, 0), (3,), (3,), "received shape: [3]"),
    ("a bias has channels", lambda x: tf.nn.bias_add([[0.0, 0.0, 0.0]], x), (3,), (2,), "must be at least 2D: [2]"),
    ("scalars are not joined", lambda x: tf.split(x, [1, 1])[1], (2, 2), (), "Can't concatenate scalars"),
    (
        "scatter picks of a vector",
        lambda x: tf.scatter_nd([[0]], x[:1], [2]),
        (3,),
        (),
        "must be at least a vector",
    ),
]


@pytest.mark.parametrize(("f", "of", "shape", "says"), [pytest.param(*row[1:], id=row[0]) for row in REFUSED])
def test_an_ill_fitting_upstream_is_refused_as_by_tensorflow(
    f: Callable[[Any], Any], of: tuple[int, ...], shape: tuple[int, ...], says: str
) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        gradient(f, np.resize(FIRST, of), shape)
    assert says in str(caught.value)


def test_a_wider_upstream_of_softmax_is_centred_along_its_own_last_axis() -> None:
    got = np.asarray(gradient(tf.nn.softmax, FIRST, (1, 3)))
    assert got.shape == (1, 3)
    np.testing.assert_allclose(got, [[-0.317, -0.028, 0.345]], atol=5e-4)
    np.testing.assert_allclose(np.asarray(gradient(tf.nn.softmax, FIRST, (3, 1))), np.zeros((3, 3)), atol=1e-6)


def test_rows_of_an_unsorted_sum_are_those_of_the_upstream() -> None:
    got = gradient(lambda x: tf.math.unsorted_segment_sum(x, [0, 0, 0], 1), FIRST, (2, 2))
    assert np.asarray(got).tolist() == [[1.0, 2.0]] * 3


SECOND: list[tuple[str, Callable[[Any], Any], Any, str]] = [
    ("a quotient's gradient is reshaped", lambda x: x / (x + 1.0), np.float32(1), "but the requested shape has 2"),
    ("of an int too", lambda x: tf.math.divide_no_nan(x, x), np.int32(2), "but the requested shape has 2"),
    ("a sigmoid's takes as many elements", tf.sigmoid, np.ones(1, np.float32), "same number of elements, got 2 and 1"),
    ("a product's upstream stands first", lambda x: x * x, np.ones(2, np.int32), "a int32 tensor but is a float"),
]


@pytest.mark.parametrize(("f", "upstream", "says"), [pytest.param(*row[1:], id=row[0]) for row in SECOND])
def test_an_ill_fitting_upstream_of_a_gradient_is_refused_as_by_tensorflow(
    f: Callable[[Any], Any], upstream: Any, says: str
) -> None:
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = f(x)
        g = inner.gradient(y, x)
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        outer.gradient(g, x, output_gradients=[upstream])
    assert says in str(caught.value)
