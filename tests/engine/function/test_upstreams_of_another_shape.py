"""Upstreams of another shape than a function's result: its graph takes the shape of the result for granted."""

from __future__ import annotations

import pytest

import reference_impl as tf

SUMMED = "Inputs to operation .*AddN.* of type AddN must have the same size and shape"


def inner_gradient(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.square(x)
    return tape.gradient(y, x)


def second(function, x, upstream, persistent=False):
    """A gradient, its tape, its sources."""
    x, u = tf.constant(x), tf.constant(upstream)
    with tf.GradientTape(persistent=persistent) as outer:
        outer.watch([x, u])
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.function(function)(x)
        g = inner.gradient(y, x, output_gradients=[u])
    return outer, g, x, u


@pytest.mark.parametrize(
    ("function", "upstream", "want", "by_upstream"),
    [
        (tf.square, 2.0, [4.0, 4.0], [2.0, 4.0]),
        (lambda x: x * x, [2.0], [4.0, 4.0], [2.0, 4.0]),
        (lambda x: x * tf.constant([3.0, 4.0]), 2.0, [0.0, 0.0], [3.0, 4.0]),
        (lambda x: x * x * x, [2.0], [12.0, 24.0], [3.0, 12.0]),
        (lambda x: tf.reduce_sum(x * x), [2.0], [4.0, 4.0], 6.0),
        (lambda x: tf.linalg.matvec(tf.constant([[1.0, 2.0], [3.0, 4.0]]), x), [[2.0], [3.0]], [0.0, 0.0], [3.0, 7.0]),
    ],
)
def test_its_second_derivative_has_the_shape_of_the_result(function, upstream, want, by_upstream):
    outer, g, x, u = second(function, [1.0, 2.0], upstream)
    found = outer.gradient(g, [x, u], unconnected_gradients="zero")
    assert found[0].numpy().tolist() == want
    assert found[1].numpy().tolist() == by_upstream


def test_sums_along_axes_take_the_upstream_as_it_is():
    outer, g, x, _ = second(lambda x: tf.cumsum(x * x), [1.5, 2.5], [2.0])
    assert g.numpy().tolist() == [6.0, 10.0] and outer.gradient(g, x).numpy().tolist() == [4.0, 4.0]


@pytest.mark.parametrize(
    ("function", "upstream"),
    [
        (inner_gradient, 2.0),
        (inner_gradient, [2.0]),
        (tf.square, 2.0),
        (lambda x: x * x, [2.0]),
        (lambda x: tf.cumsum(x * x), [2.0]),
    ],
)
def test_where_third_derivatives_are_possible_it_is_added_to_zeros(function, upstream):
    outer, g, x, _ = second(function, [1.5, 2.5], upstream, persistent=True)
    with pytest.raises(tf.errors.InvalidArgumentError, match=SUMMED):
        outer.gradient(g, x)
    with pytest.raises(tf.errors.InvalidArgumentError, match=SUMMED):
        outer.jacobian(g, x, experimental_use_pfor=False)
    with pytest.raises(ValueError, match="Encountered an exception while vectorizing the jacobian computation"):
        outer.jacobian(g, x)


@pytest.mark.parametrize("function", [lambda x: -x, tf.identity, lambda x: tf.reduce_sum(x * x)])
def test_nothing_is_added_where_no_value_of_it_is_used(function):
    outer, g, x, _ = second(function, [1.5, 2.5], [2.0], persistent=True)
    found = outer.gradient(g, x)
    assert found is None or found.numpy().tolist() == [4.0, 4.0]


def first(function, x, upstream, persistent=False):
    x = tf.constant(x)
    with tf.GradientTape(persistent=persistent) as tape:
        tape.watch(x)
        y = tf.function(function)(x)
    return tape.gradient(y, x, output_gradients=[tf.constant(upstream)])


def kept_sum(x):
    return tf.reduce_sum(x * x, keepdims=True)


@pytest.mark.parametrize(
    ("function", "x", "upstream", "want"),
    [
        (lambda x: tf.reduce_sum(x * x), 1.5, [2.0], [6.0]),
        (lambda x: tf.reduce_sum(x * x), 1.5, [2.0, 3.0], [6.0, 9.0]),
        (kept_sum, 1.5, [[1.0, 2.0]], [[3.0, 6.0]]),
        (kept_sum, [1.5], [2.0, 3.0], [6.0, 9.0]),
    ],
)
def test_a_graph_leaves_out_what_keeps_the_shape_of_a_sum(function, x, upstream, want):
    assert first(function, x, upstream).numpy().tolist() == want
    with pytest.raises(tf.errors.InvalidArgumentError, match=SUMMED):
        first(function, x, upstream, persistent=True)


@pytest.mark.parametrize(
    ("upstream", "text"),
    [
        (2.0, "Expected multiples argument to be a vector of length 0 but got length 1"),
        ([[1.0, 2.0]], "Expected multiples argument to be a vector of length 2 but got length 1"),
        ([2.0, 3.0], r"Incompatible shapes: \[4\] vs. \[2\]"),
    ],
)
@pytest.mark.parametrize("persistent", [False, True])
def test_a_kept_sum_tiles_it(upstream, text, persistent):
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        first(kept_sum, [1.5, 2.5], upstream, persistent)
