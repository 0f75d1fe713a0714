"""Accumulators around functions, and around functions in functions.  All is what TensorFlow printed."""

from __future__ import annotations

import re

import pytest

import reference_impl as tf

V = tf.Variable([2.0, -3.0])


@tf.function
def cubic(x):
    return x * x * V


def tangents(x, tangent):
    with tf.autodiff.ForwardAccumulator(x, tangent) as accumulator:
        y = cubic(x)
    return accumulator.jvp(y)


@pytest.mark.parametrize(("tangent", "shape"), [([[1.0, 2.0]], "(1, 2)"), ([1.0, 2.0, 3.0], "(3,)")])
def test_tangents_of_another_shape_are_refused(tangent, shape):
    with pytest.raises(ValueError, match=re.escape(f"Shapes {shape} and (2,) are incompatible")):
        tangents(tf.constant([1.0, -2.0]), tf.constant(tangent))


def test_a_variable_as_an_argument_has_no_tangents():
    with pytest.raises(ValueError, match="of a variable without handle data"):
        tangents(V, tf.ones(2))


def test_tapes_around_a_function_see_the_tangents_made_in_it():
    @tf.function
    def moved(x):
        return tangents(x, tf.constant([1.0, 2.0]))

    x = tf.constant([1.0, -2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = moved(x)
    assert y.numpy().tolist() == [4.0, 24.0]
    by_x, by_v = tape.gradient(y, [x, V])
    assert by_x.numpy().tolist() == [4.0, -12.0] and by_v.numpy().tolist() == [2.0, -8.0]
