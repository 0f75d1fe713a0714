"""What a function returns besides its results receives zeros, which show in the signs of zeros.

TensorFlow's functions return the values that gradients use; a derivative of a function comes with its results.
All numbers are those that TensorFlow printed.
"""

from __future__ import annotations

import numpy as np
import pytest

import reference_impl as tf

V = tf.Variable([2.0, -3.0])
C = tf.constant([0.5, 0.25])


def second(function, persistent=False):
    """Tape, gradient and source."""
    x = tf.constant([1.0, -2.0])
    with tf.GradientTape(persistent=persistent) as outer:
        outer.watch(x)
        with tf.GradientTape(persistent=persistent) as inner:
            inner.watch(x)
            y = tf.function(function)(x)
        g = inner.gradient(y, x)
    return outer, g, x


def signs(x):
    return np.signbit(x.numpy()).tolist()


@pytest.mark.parametrize("persistent", [False, True])
@pytest.mark.parametrize("function", [tf.tanh, lambda x: tf.sin(x) * tf.cos(x)])
def test_zeros_of_a_second_derivative(function, persistent):
    outer, g, x = second(function, persistent)
    found = outer.gradient(g, x, output_gradients=tf.constant([0.0, -1.0]))
    assert found.numpy()[0] == 0 and not signs(found)[0]


@pytest.mark.parametrize(
    ("function", "upstream"),
    [(lambda x: x**3.0, [-0.0, 0.0]), (tf.exp, [-0.0, 0.0]), (lambda x: -3.0 * x, [0.0, -1.0])],
)
def test_minus_zeros_do_not_come_through(function, upstream):
    outer, g, x = second(function)
    found = outer.gradient(g, x, output_gradients=tf.constant(upstream))
    assert found.numpy().tolist() == [0.0, 0.0] and signs(found) == [False, False]


@pytest.mark.parametrize("vectorized", [False, True])
@pytest.mark.parametrize(
    "function", [tf.tanh, lambda x: tf.sin(x) * tf.cos(x), lambda x: C / x, lambda x: x**3.0, tf.sigmoid]
)
def test_the_rest_of_a_diagonal_jacobian_is_plus_zero(function, vectorized):
    outer, g, x = second(function, persistent=True)
    found = outer.jacobian(g, x, experimental_use_pfor=vectorized)
    assert found.numpy()[0, 1] == found.numpy()[1, 0] == 0
    assert not signs(found)[0][1] and not signs(found)[1][0]
