"""Branches and loops in functions hand values on as variants, which loops over rows do not stack and tangents lack."""

from __future__ import annotations

import numpy as np
import pytest

import reference_impl as tf

V = tf.Variable([2.0, -3.0])
C = tf.constant([0.5, 0.25])


def choosing(first, second):
    return tf.function(lambda x: tf.cond(tf.reduce_sum(x) < 0.0, lambda: first(x), lambda: second(x)))


KEEPING = [
    choosing(lambda x: tf.tanh(x) * x, lambda x: x * V),
    choosing(lambda x: x * V, lambda x: x * C),
]
RELU = choosing(tf.nn.relu, lambda x: x * 3.0)
NOT_KEEPING = [choosing(lambda x: x * 3.0, lambda x: x * C), choosing(lambda x: x * 3.0, lambda x: x * x)]
RETURNING = choosing(lambda x: x * 3.0, tf.exp)
LOOPS = [
    tf.function(lambda x: tf.while_loop(lambda i, z: i < 2, lambda i, z: (i + 1, z * 2.0), (0, x))[1]),
    tf.function(lambda x: tf.map_fn(lambda a: a * a * a, x)),
]


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("function", KEEPING)
def test_what_branches_computed_is_not_stacked(function, order):
    x = tf.constant([1.0, -2.0])
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(x)
        y = function(x)
        if order == 2:
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = function(x)
            y = inner.gradient(y, x)
    with pytest.raises(ValueError, match="Encountered an exception while vectorizing the jacobian computation"):
        outer.jacobian(y, x)
    assert outer.jacobian(y, x, experimental_use_pfor=False) is not None or order == 2


def first(branch, persistent=False):
    """The jacobian of a new function."""
    function, x = choosing(branch, lambda x: x * 3.0), tf.constant([1.0, -2.0])
    with tf.GradientTape(persistent=persistent) as tape:
        tape.watch(x)
        y = function(x)
    return tape.jacobian(y, x)


def second(branch):
    """The jacobian of the gradient of a new function."""
    function, x = choosing(branch, lambda x: x * 3.0), tf.constant([1.0, -2.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = function(x)
        g = inner.gradient(y, x)
    return outer.jacobian(g, x)


@pytest.mark.parametrize(
    ("branch", "diagonal"),
    [
        (lambda x: tf.tanh(tf.tanh(x)), [0.24686792, 0.03132536]),
        (lambda x: x * x * x, [3.0, 12.0]),
        (tf.exp, [2.7182817, 0.13533528]),
    ],
)
def test_only_the_gradient_by_what_branches_computed_is_not_stacked(branch, diagonal):
    for persistent in (False, True):
        np.testing.assert_allclose(first(branch, persistent), np.diag(diagonal), rtol=1e-5)
    with pytest.raises(ValueError, match="Encountered an exception while vectorizing the jacobian computation"):
        second(branch)


@pytest.mark.parametrize(
    ("branch", "wanted"),
    [
        (lambda x: tf.cast(tf.cast(x, tf.float64), tf.float32), [[1.0, 0.0], [0.0, 1.0]]),
        (lambda x: tf.reduce_sum(x) + x, [[2.0, 1.0], [1.0, 2.0]]),
        (lambda x: x - tf.reduce_mean(x), [[0.5, -0.5], [-0.5, 0.5]]),
        (lambda x: x + V, [[1.0, 0.0], [0.0, 1.0]]),
    ],
)
def test_values_that_no_gradient_uses_are_not_handed_on(branch, wanted):
    assert first(branch).numpy().tolist() == wanted
    assert second(branch) is None


def test_variables_in_branches_are_stacked_where_no_second_derivative_is_possible():
    assert first(lambda x: x * V).numpy().tolist() == [[2.0, 0.0], [0.0, -3.0]]


@pytest.mark.parametrize("function", [*NOT_KEEPING, RETURNING])
def test_what_they_were_given_or_return_is(function):
    x = tf.constant([1.0, -2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    assert tape.jacobian(y, x).numpy().tolist() == [[3.0, 0.0], [0.0, 3.0]]


def tangents_of_gradient(function):
    x = tf.constant([1.0, -2.0])
    with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 2.0])) as accumulator:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        g = tape.gradient(y, x)
    return accumulator.jvp(g)


@pytest.mark.parametrize("function", [*KEEPING, *LOOPS, RETURNING, RELU])
def test_variants_have_no_tangents(function):
    with pytest.raises(TypeError, match="`dtype` <dtype: 'variant'> is not compatible with 1 of dtype int64"):
        tangents_of_gradient(function)


@pytest.mark.parametrize("function", NOT_KEEPING)
def test_other_branches_have(function):
    found = tangents_of_gradient(function)
    assert found is None or found.numpy().tolist() == [0.0, 0.0]
