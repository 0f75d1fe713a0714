"""What a function keeps for its gradient: inputs as they were seen at the call, and what gradient functions read."""

import numpy as np
import pytest

import reference_impl as tf


def cubic(v):
    return tf.function(lambda x: x * x * v)


@pytest.mark.parametrize("persistent", [False, True])
def test_a_tape_entered_after_the_call_knows_none_of_the_inputs(persistent):
    x, v, upstream = tf.constant([1.0, 2.0]), tf.Variable([2.0, 3.0]), tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=persistent) as first:
        first.watch(x)
        y = cubic(v)(x)
    with tf.GradientTape(persistent=persistent) as second:
        second.watch([x, upstream])
        g = first.gradient(y, x, output_gradients=[upstream])
    assert g.numpy().tolist() == [4.0, 24.0]
    found = second.gradient(g, [x, v, upstream])
    assert found[:2] == [None, None] and second.watched_variables() == ()
    assert found[2].numpy().tolist() == [4.0, 12.0]


def test_an_accumulator_entered_after_the_call_knows_none_of_the_inputs():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = cubic(tf.Variable([2.0, 3.0]))(x)
    with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, -1.0])) as accumulator:
        g = tape.gradient(y, x)
    assert g.numpy().tolist() == [4.0, 12.0] and accumulator.jvp(g) is None


def reading(v):
    @tf.custom_gradient
    def tripled(x):
        return x * 3.0, lambda dy: dy * x * v

    return tripled


def second_gradients(function, v):
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        if not isinstance(v, tf.Variable):
            outer.watch(v)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = function(x)
        g = inner.gradient(y, x)
    return g, outer.gradient(g, [x, v]), inner.watched_variables(), outer.watched_variables()


def test_what_a_gradient_function_reads_has_a_second_derivative():
    v = tf.Variable([2.0, 3.0])
    function = tf.function(reading(v))
    g, (by_x, by_v), inner, outer = second_gradients(function, v)
    assert g.numpy().tolist() == [2.0, 6.0] and by_x.numpy().tolist() == [2.0, 3.0]
    assert by_v.numpy().tolist() == [1.0, 2.0]
    assert inner == (v,) and outer == (v,)
    # The gradient function is traced by now, and no tape sees it read.
    g, (by_x, by_v), inner, outer = second_gradients(function, v)
    assert by_x.numpy().tolist() == [2.0, 3.0] and by_v is None and inner == outer == ()


@pytest.mark.parametrize("make", [lambda v: v, tf.Variable])
def test_so_it_has_when_the_function_is_called_by_another(make):
    v = make(tf.constant([2.0, 3.0]))
    inner = tf.function(reading(v))
    g, (by_x, by_v), *_ = second_gradients(tf.function(lambda x: inner(x) * x), v)
    assert g.numpy().tolist() == [5.0, 18.0]
    assert by_x.numpy().tolist() == [6.0, 18.0] and by_v.numpy().tolist() == [1.0, 4.0]


def test_so_it_has_when_the_tape_is_in_the_function():
    v = tf.Variable([2.0, 3.0])
    tripled = reading(v)

    @tf.function
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tripled(x)
        return tape.gradient(y, x)

    g, (by_x, by_v), *_ = second_gradients(slope, v)
    assert g.numpy().tolist() == [2.0, 3.0]
    assert by_x.numpy().tolist() == [0.0, 0.0] and by_v.numpy().tolist() == [1.0, 1.0]


def test_the_first_derivative_by_it_is_none():
    x, v = tf.constant([1.0, 2.0]), tf.constant([2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch([x, v])
        y = tf.function(reading(v))(x)
    by_x, by_v = tape.gradient(y, [x, v])
    assert np.array_equal(by_x, [2.0, 6.0]) and by_v is None


def test_no_tangents_pass_a_function_whose_gradient_function_reads_more_than_the_function():
    x, v = tf.constant([1.0, 2.0]), tf.Variable([2.0, 3.0])
    function = tf.function(reading(v))
    with (
        pytest.raises(TypeError, match=r"^InternalError.__init__\(\) missing 2 required positional arguments"),
        tf.autodiff.ForwardAccumulator(x, tf.ones(2)),
    ):
        function(x)
    with tf.autodiff.ForwardAccumulator(v, tf.ones(2)) as accumulator:
        y = function(x)
    assert accumulator.jvp(y) is None
