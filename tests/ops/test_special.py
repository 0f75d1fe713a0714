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


def test_zeta_in_single_precision_stops_after_nine_terms_although_they_end_below_zero():
    q = tf.constant([-5.5, -9.7, -20.3, -123.2, -1000.5])
    trigamma = [9.703320, 6.2388787e8, -0.0480677, -8.084031e-3, -9.990009e-4]
    np.testing.assert_allclose(tf.math.zeta(2.0, q), trigamma, rtol=2e-5)
    np.testing.assert_allclose(tf.math.polygamma(1.0, q), trigamma, rtol=2e-5)
    exact = tf.math.zeta(tf.constant(2.0, tf.float64), tf.cast(q, tf.float64))
    np.testing.assert_allclose(exact, [9.70331987, 14.98143962, 15.03139855, 28.55952126, 9.8686054], rtol=1e-8)
    assert tf.math.zeta(2.0, tf.constant(-3.0)).numpy() == np.inf
