"""Jacobians without rows, and those whose rows have another shape than their source.  The answers are TensorFlow's."""

import re

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


@pytest.mark.parametrize(
    ("backward", "row"),
    [
        (tf.reduce_sum, []),
        (lambda dy: 2.5, []),
        (lambda dy: tf.constant([1.0, 2.0]), [2]),
        (lambda dy: dy[None], [1, 0, 2]),
        (lambda dy: tf.IndexedSlices(tf.ones([1, 1]), tf.constant([0]), tf.constant([1, 1])), [1, 1]),
    ],
)
@pytest.mark.parametrize("recorded", [False, True])
def test_a_jacobian_without_rows_has_the_shape_of_the_gradient_that_a_user_wrote(backward, row, recorded):
    x = tf.zeros([0, 2])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.custom_gradient(lambda x: (tf.identity(x), backward))(x)
        text = re.escape(f"Tensor's shape {tuple([0, 2, *row])} is not compatible with supplied shape (0, 2, 0, 2).")
        if recorded:
            with pytest.raises(ValueError, match=text):
                tape.jacobian(y, x)
    with pytest.raises(ValueError, match=text):
        tape.jacobian(y, x)


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (lambda x: x * 2.0, "Input 'y' of 'Mul' Op has type float32 that does not match type float64 of argument 'x'."),
        (lambda x: x / 2.0, "Input 'y' of 'RealDiv' Op has type float32 that does not match type float64"),
        (tf.tanh, "Input 'dy' of 'TanhGrad' Op has type float64 that does not match type float32 of argument 'y'."),
        (tf.nn.elu, "Input 'outputs' of 'EluGrad' Op has type float32 that does not match type float64 of argument"),
    ],
)
def test_a_users_gradient_of_another_dtype_meets_a_kernel_in_the_words_of_a_graph(function, text):
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.custom_gradient(lambda x: (tf.identity(x), lambda dy: tf.cast(dy, tf.float64)))(function(x))
    with pytest.raises(TypeError, match=text):
        tape.jacobian(y, x)


_UNLIKE = r"loop_body/AddN/pfor/AddN of type AddN must have the same size and shape.  Input 0: \[0,.* != input .: \[0,"


@pytest.mark.parametrize(
    ("shape", "function", "text"),
    [
        ([0, 2], lambda x: tf.nn.sigmoid_cross_entropy_with_logits(x, x), _UNLIKE),
        ([0], lambda x: tf.nn.log_poisson_loss(x, x, True), _UNLIKE),
        ([3], lambda x: tf.raw_ops.Select(condition=x > 0, x=x, y=-x)[:0] + x[:0], _UNLIKE),
        ([3], lambda x: tf.raw_ops.Select(condition=x > 0, x=x, y=x)[:0], r"\(0, 1\) is not compatible"),
        ([3], lambda x: tf.sort(x)[:0], r"Tried to stack elements of an empty list .* element_shape: \[\?\]"),
        ([2, 3], lambda x: tf.gather_nd(x, [[0, 0]])[:0], r"Tried to stack elements of an empty list .*: \[\?,\?\]"),
        ([2, 3], lambda x: (tf.gather(x, [0, 1]) + x)[:0], _UNLIKE),
        ([2, 3, 4], lambda x: tf.gather(x, np.zeros(0, "i4"), axis=1)[:0], r"data.shape = \[0,1,2,4\] does not start"),
        ([2, 3], lambda x: (x @ tf.ones([3, 4]))[:0], r"\(0, 4, 2, 1\) is not compatible with .* \(0, 4, 2, 3\)"),
        ([3, 4], lambda x: (tf.ones([2, 3]) @ x)[:0], r"\(0, 4, 0, 4\) is not compatible with .* \(0, 4, 3, 4\)"),
        ([2, 3], lambda x: tf.matmul(x, tf.ones([2, 4]), transpose_a=True)[:0], r"\(0, 4, 0, 3\) is not compatible"),
    ],
)
def test_rows_that_are_not_there_lose_an_axis_in_kernels_that_join_them_with_it(shape, function, text):
    x = tf.ones(shape)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    with pytest.raises((tf.errors.InvalidArgumentError, ValueError), match=f"(?s){text}"):
        tape.jacobian(y, x)


@pytest.mark.parametrize("shape", [[2, 0, 3], [2, 3, 4]])
def test_a_jacobian_without_rows_through_an_inner_gather_of_something_is_empty(shape):
    x = tf.ones(shape)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.gather(x, [0, 0], axis=2)[:0]
    assert tape.jacobian(y, x).shape == [0, shape[1], 2, *shape]


@pytest.mark.parametrize("function", [tf.sort, lambda x: tf.math.top_k(x, 0)[0]])
@pytest.mark.parametrize("shape", [[0], [2, 0]])
def test_the_order_of_nothing_has_no_gradient(function, shape):
    x = tf.zeros(shape)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Requires delta != 0: 0 \[Op:Range\]"):
        tape.gradient(y, x)
