"""Facts of TensorFlow's that the ops with close-fitting operands follow, as TensorFlow 2.21 answered them."""

from __future__ import annotations

import numpy as np
import pytest

import reference_impl as tf


def gradient(function, *arrays):
    xs = [tf.constant(np.asarray(a, np.float32)) for a in arrays]
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = function(*xs)
    return [g.numpy().tolist() for g in tape.gradient(y, xs)]


def test_a_grouped_convolution_has_a_value_and_refuses_a_gradient() -> None:
    x, w = np.ones([1, 3, 3, 2]), np.ones([2, 2, 1, 4])
    assert tf.nn.conv2d(x.astype("f"), w.astype("f"), 1, "VALID").shape == (1, 2, 2, 4)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Gradients for grouped convolutions"):
        gradient(lambda a, b: tf.nn.conv2d(a, b, 1, "VALID"), x, w)


def test_ties_of_a_pool_of_three_axes_all_get_the_upstream() -> None:
    (g,) = gradient(lambda x: tf.nn.max_pool3d(x, 2, 2, "VALID"), np.reshape([1, 3, 3, 2, 3, 0, 1, 1], (1, 2, 2, 2, 1)))
    assert np.ravel(g).tolist() == [0, 1, 1, 0, 1, 0, 0, 0]


def test_a_banded_triangle_is_solved_and_differentiated() -> None:
    bands, right = [[2.0, 3, 4], [0.5, 0.25, 1]], [[1.0], [2], [3]]
    by_bands, by_right = gradient(tf.linalg.banded_triangular_solve, bands, right)
    assert by_bands == [[-0.234375, -0.15625, -0.1484375], [0.0, -0.125, -0.15625]]
    assert by_right == [[0.46875], [0.25], [0.25]]


def test_a_tridiagonal_product_is_differentiated_by_each_diagonal() -> None:
    found = gradient(
        lambda a, b, c, x: tf.linalg.tridiagonal_matmul([a, b, c], x, diagonals_format="sequence"),
        [1, 2, 3], [4, 5, 6], [7, 8, 9], [[1], [2], [3]],
    )  # fmt: skip
    assert found == [[2.0, 3.0, 0.0], [1.0, 2.0, 3.0], [0.0, 1.0, 2.0], [[12.0], [15.0], [8.0]]]


def test_dilation_gives_its_upstream_to_the_first_of_equals() -> None:
    by_image, by_filter = gradient(
        lambda x, w: tf.nn.dilation2d(x, w, [1, 1, 1, 1], "SAME", "NHWC", [1, 1, 1, 1]),
        np.ones([1, 2, 2, 1]), np.zeros([2, 2, 1]),
    )  # fmt: skip
    assert np.ravel(by_image).tolist() == [1, 1, 1, 1]
    assert np.ravel(by_filter).tolist() == [4, 0, 0, 0]


def test_a_band_wider_than_the_matrix_is_refused() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="num_lower must be negative or less or equal"):
        tf.linalg.band_part(tf.constant([[1.0, 2.0]]), 2, 0)


def test_betainc_takes_equal_shapes_or_scalars() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Shapes of a and b are inconsistent: \[2\] vs. \[1\]"):
        tf.math.betainc(tf.ones([2]), tf.ones([1]), tf.constant(0.5))


def test_a_spread_x_of_betainc_has_no_gradient_and_says_so_whatever_is_asked_for() -> None:
    """TensorFlow computes the gradient by x, and fails, though only those by a and b, which are None, are wanted."""
    a, b = tf.constant(1.0), tf.constant([1.0, 2.0])
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch((a, b))
        y = tf.math.betainc(a, b, tf.constant(0.5))
    with pytest.raises(tf.errors.InvalidArgumentError, match="a tensor with 2 values, but the requested shape has 1"):
        tape.gradient(y, [a, b])


def test_a_tridiagonal_product_does_not_look_at_what_lies_beside_the_matrix():
    above, main, below = tf.constant([[0.0, np.nan]]), tf.constant([[-0.0, 0.0]]), tf.constant([[np.inf, -0.0]])
    x = tf.constant([[[-0.0, 1.0], [1.0, -2.0]]])
    y = tf.linalg.tridiagonal_matmul([above, main, below], x, diagonals_format="sequence").numpy()
    assert y.tolist() == [[[0.0, 0.0], [0.0, 0.0]]]
    assert np.signbit(y).tolist() == [[[False, True], [False, True]]]
