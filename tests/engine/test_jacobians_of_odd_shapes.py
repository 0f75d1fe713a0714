"""Jacobians without rows, and those whose rows have another shape than their source.  The answers are TensorFlow's."""

import numpy as np
import pytest

import reference_impl as tf


@pytest.mark.parametrize(
    ("op", "shape", "gradient"),
    [
        (tf.square, (0, 2), (0, 2)),
        (lambda x: tf.matmul(x, x, transpose_b=True), (0, 2), (0, 2)),
        (lambda x: tf.reduce_sum(x * x, 0), (2, 0), (2, 0)),
        (lambda x: tf.gather(x * x, tf.zeros([0], tf.int32)), (3,), (3,)),
        (tf.negative, (0, 2), None),
    ],
)
def test_a_jacobian_without_rows_has_the_gradient_that_its_rows_would_have(op, shape, gradient):
    x = tf.ones(shape)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = op(x)
        jacobian = inner.jacobian(y, x)
    assert jacobian.shape == (*y.shape, *shape)
    found = outer.gradient(jacobian, x)
    assert found is None if gradient is None else found.numpy().tolist() == np.zeros(gradient).tolist()


def test_a_jacobian_of_another_shape_than_its_source_is_refused_at_once_and_row_by_row():
    x = tf.complex(tf.ones([3, 4]), tf.ones([3, 4]))
    refused = r"Tensor's shape \(2, 6, 2, 4\) is not compatible with supplied shape \(2, 6, 3, 4\)"
    for watching in ([x], [x, tf.ones([])]):
        with tf.GradientTape(persistent=len(watching) > 1) as tape:
            tape.watch(watching)
            y = tf.signal.irfft2d(x, [2, 6])
            if len(watching) > 1:  # while the tape records the rows are made one by one
                with pytest.raises(ValueError, match=refused):
                    tape.jacobian(y, x)
        with pytest.raises(ValueError, match=refused):
            tape.jacobian(y, x)
    batch = tf.stack([x, x])
    with tf.GradientTape() as tape:
        tape.watch(batch)
        y = tf.signal.irfft2d(batch, [2, 6])
    with pytest.raises(tf.errors.InvalidArgumentError, match="with 192 values, but the requested shape has 288"):
        tape.batch_jacobian(y, batch)
