"""Special functions where TensorFlow's differ from the mathematics."""

import numpy as np
import pytest

import reference_impl as tf


@pytest.mark.parametrize("far", [np.inf, 1.35e154, 1e300])
def test_erf_is_nan_in_float64_where_the_square_of_its_argument_is_infinite(far: float) -> None:
    np.testing.assert_array_equal(
        tf.math.erf(tf.constant([far, -far, 1.34e154, -7.0], tf.float64)), [np.nan] * 2 + [1, -1]
    )
    np.testing.assert_array_equal(tf.math.erf(tf.constant([np.inf, -np.inf])), [1, -1])
    np.testing.assert_array_equal(tf.math.erfc(tf.constant([far, -far], tf.float64)), [0, 2])


def test_the_reciprocal_root_on_the_cut_is_that_from_above_for_either_zero() -> None:
    z = tf.constant([complex(-4.0, -0.0), complex(-4.0, 0.0)], tf.complex128)
    np.testing.assert_array_equal(tf.math.rsqrt(z), [-0.5j, -0.5j])
