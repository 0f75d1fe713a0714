"""Loops and maps over tensors of a single row, and over rows without elements.  The answers are TensorFlow's."""

import pytest

import reference_impl as tf


def mapped(x):
    return tf.vectorized_map(lambda row: row * row, x)


def scanned(x):
    return tf.function(lambda x: tf.scan(lambda a, row: a + row * row, x))(x)


def folded(x):
    return tf.function(lambda x: tf.foldl(lambda a, row: a + row * row, x))(x)


@pytest.mark.parametrize(("loop", "slope"), [(mapped, 2.0), (scanned, 1.0), (folded, 1.0)])
@pytest.mark.parametrize("shape", [(1,), (1, 2), (1, 0, 3)])
def test_loops_over_one_row_have_a_gradient(loop, slope, shape):
    x = tf.ones(shape)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = loop(x)
    found = tf.convert_to_tensor(tape.gradient(y, x))
    assert found.shape == shape
    assert found.numpy().tolist() == (slope * x).numpy().tolist()
