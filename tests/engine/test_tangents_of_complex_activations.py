"""Forward mode of complex numbers through silu, in TensorFlow 2.21 a custom gradient, whose body has a tangent."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import reference_impl as tf

X, DX, BETA, DBETA = 0.3 + 0.4j, 1 + 0.5j, 0.7 - 0.2j, 0.2 + 0.9j


def _jvp(function: Any, primal: Any, tangent: Any) -> Any:
    with tf.autodiff.ForwardAccumulator(primal, tangent) as accumulator:
        y = function(primal)
    return accumulator.jvp(y)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_the_tangent_of_silu_is_that_of_its_product(dtype: str) -> None:
    x, dx, beta, dbeta = (tf.constant(v, dtype) for v in (X, DX, BETA, DBETA))
    np.testing.assert_allclose(_jvp(tf.nn.silu, x, dx), 0.5617366 + 0.5257952j, rtol=1e-5)
    np.testing.assert_allclose(_jvp(tf.nn.swish, x, dx), 0.5617366 + 0.5257952j, rtol=1e-5)
    np.testing.assert_allclose(_jvp(lambda v: tf.nn.silu(v, beta), x, dx), 0.5932699 + 0.4294537j, rtol=1e-5)
    by_beta = _jvp(lambda b: tf.nn.silu(x, b), beta, dbeta)
    np.testing.assert_allclose(by_beta, -0.05706961 - 0.00190233j, rtol=1e-4)


def test_higher_orders_go_through_the_body_too() -> None:
    x, dx = tf.constant(X, "complex64"), tf.constant(DX, "complex64")
    with tf.autodiff.ForwardAccumulator(x, dx) as outer:
        slope = _jvp(tf.nn.silu, x, dx)
    np.testing.assert_allclose(outer.jvp(slope), 0.44752494 + 0.4675921j, rtol=1e-4)
    with tf.GradientTape() as tape:
        tape.watch(x)
        slope = _jvp(tf.nn.silu, x, dx)
    np.testing.assert_allclose(tape.gradient(slope, x), 0.5450568 - 0.19506373j, rtol=1e-4)
