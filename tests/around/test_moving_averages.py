"""Averages of variables that follow their values, and initializers made from configs."""

import numpy as np
import pytest

import reference_impl as tf


def test_averages_move_by_what_the_decay_leaves():
    v, w = tf.Variable([1.0, 2.0], name="v"), tf.Variable(3.0, name="w")
    averages = tf.train.ExponentialMovingAverage(0.9)
    assert averages.average(v) is None and averages.average_name(v) == "v/ExponentialMovingAverage"
    averages.apply([v, w])
    v.assign([3.0, 4.0])
    averages.apply([v, w])
    found = averages.average(v)
    np.testing.assert_allclose(found.numpy(), [1.2, 2.2], rtol=1e-6)
    assert float(averages.average(w)) == 3.0
    assert found.name == "v/ExponentialMovingAverage:0" and not found.trainable

    @tf.function
    def step():
        v.assign_add([1.0, 1.0])
        averages.apply([v])
        return averages.average(v)

    np.testing.assert_allclose(step().numpy(), [1.48, 2.48], rtol=1e-6)
    np.testing.assert_allclose(step().numpy(), [1.832, 2.832], rtol=1e-6)


def test_few_updates_let_averages_move_faster():
    v = tf.Variable([1.0, 2.0])
    averages = tf.train.ExponentialMovingAverage(0.9, num_updates=3)
    averages.apply([v])
    v.assign([5.0, 6.0])
    averages.apply([v])
    np.testing.assert_allclose(averages.average(v).numpy(), [3.769231, 4.769231], rtol=1e-6)


def test_averages_are_of_variables_of_floats_and_no_tape_sees_them_move():
    averages = tf.train.ExponentialMovingAverage(0.5)
    with pytest.raises(TypeError, match="does not support non-Variable tensors when eager execution"):
        averages.apply([tf.constant(1.0)])
    with pytest.raises(TypeError, match="The variables must be half, float, or double: Variable:0"):
        averages.apply([tf.Variable(1)])
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        averages.apply([v])
        loss = tf.reduce_sum(averages.average(v) * v)
    assert tape.gradient(loss, v).numpy().tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    "kind",
    [
        tf.constant_initializer,
        tf.ones_initializer,
        tf.zeros_initializer,
        tf.random_normal_initializer,
        tf.random_uniform_initializer,
    ],
)
def test_initializers_are_made_from_configs(kind):
    again = kind.from_config({**kind().get_config(), "dtype": "float32"})
    assert type(again) is kind and again((2, 3)).shape == (2, 3)
    with pytest.raises((TypeError, ValueError), match="string"):
        again((2,), dtype=tf.string)


def test_a_layer_of_layers_takes_an_initializer():
    layer = tf.keras.layers.MultiHeadAttention(2, 4, kernel_initializer=tf.constant_initializer(0.05))
    x = tf.ones((1, 3, 4))
    np.testing.assert_allclose(layer(x, x).numpy(), np.full((1, 3, 4), 0.08), rtol=1e-5)
