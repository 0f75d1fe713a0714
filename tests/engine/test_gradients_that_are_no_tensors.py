"""Numbers, arrays and variables that a user's gradient function returns, on their way through other gradients.

All values and words are TensorFlow's.
"""

from __future__ import annotations

import numpy as np
import pytest

import reference_impl as tf

SEVEN = tf.Variable(7.0)


def gradient(op, value, in_function=False):
    """The gradient of an op whose upstream is ``value``."""

    @tf.custom_gradient
    def tripled(x):
        return x * 3.0, lambda dy: value

    def asked(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tripled(op(x))
        return tape.gradient(y, x)

    return (tf.function(asked) if in_function else asked)(tf.constant([1.0, 2.0]))


def jacobian(op, value):
    @tf.custom_gradient
    def tripled(x):
        return x * 3.0, lambda dy: value

    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tripled(op(x))
    return tape.jacobian(y, x)


@pytest.mark.parametrize("in_function", [False, True])
@pytest.mark.parametrize(
    ("op", "value", "want"),
    [
        (lambda x: tf.maximum(x, 1.5), 2, np.array([0, 2], np.int32)),
        (lambda x: tf.minimum(x, 1.5), True, np.array([True, False])),
        (lambda x: tf.clip_by_value(x, 0.0, 1.5), 1j, np.array([1j, 0j])),
        (lambda x: tf.fill([2], x[0]), 2.5, np.array([2.5, 0], np.float32)),
        (tf.atan, SEVEN, np.array([3.5, 1.4], np.float32)),
        (lambda x: tf.where(x > 1.0, x, x * 2.0), SEVEN, np.array([14, 7], np.float32)),
        (lambda x: tf.maximum(x, 1.5), SEVEN, np.array([0, 7], np.float32)),
    ],
)
def test_they_are_tensors_of_their_own_dtype_where_that_shows(op, value, want, in_function):
    got = gradient(op, value, in_function).numpy()
    assert got.dtype == want.dtype
    assert np.array_equal(got, want)
    assert np.array_equal(jacobian(op, value).numpy(), [want, want])


@pytest.mark.parametrize(
    ("op", "value", "text"),
    [
        (lambda x: 1.0 + x, 2, "Input to reshape is a tensor with 1 values, but the requested shape has 2"),
        (lambda x: tf.broadcast_to(x, [2]), 2, "Input to reshape is a tensor with 1 values, but the requested shape"),
        (lambda x: 1.0 + x, True, "Value for attr 'T' of bool is not in the list of allowed values: float, double, "),
        (tf.nn.log_softmax, 2, "Invalid reduction dimension (-1 for input with 0 dimension(s)"),
        (lambda x: x * 2.0, tf.constant([True, False]), "Value for attr 'T' of bool is not in the list of allowed "),
        (tf.square, tf.constant([True, False]), "Value for attr 'T' of bool is not in the list of allowed "),
    ],
)  # fmt: skip
def test_they_are_refused_as_tensors_are(op, value, text):
    with pytest.raises(tf.errors.InvalidArgumentError) as raised:
        gradient(op, value)
    assert text in str(raised.value)


def test_parts_are_made_of_tensors_alone():
    with pytest.raises(TypeError) as raised:
        gradient(lambda x: tf.concat([x[:1], x[1:]], 0), 2)
    assert str(raised.value) == "Expected Tensor or IndexedSlices, got <class 'int'>"


def test_an_array_has_no_dtype_of_tensorflow():
    with pytest.raises(AttributeError) as raised:
        gradient(lambda x: tf.cast(x, tf.float64), np.float32(3))
    assert str(raised.value) == "'numpy.dtypes.Float32DType' object has no attribute 'base_dtype'"


def test_a_number_takes_the_dtype_of_the_other_factor_unless_in_a_graph():
    assert np.array_equal(gradient(lambda x: x * 2.0, 2).numpy(), np.float32(4))
    assert np.array_equal(gradient(tf.square, np.array(2.0)).numpy(), [4, 8])


@pytest.mark.parametrize(
    ("op", "value", "text"),
    [
        (lambda x: x * 2.0, 2, "'y' of 'Mul' Op has type float32 that does not match type int32 of"),
        (tf.square, np.array(2.0), "'y' of 'Mul' Op has type float32 that does not match type float64 of"),
        (lambda x: x / 2.0, 1j, "'y' of 'RealDiv' Op has type float32 that does not match type complex128 of"),
        (tf.nn.relu, 2, "'features' of 'ReluGrad' Op has type float32 that does not match type int32 of"),
        (lambda x: x * 2.0, True, "Value passed to parameter 'x' has DataType bool not in list of allowed values: "),
    ],
)  # fmt: skip
def test_a_first_operand_keeps_its_dtype_in_a_graph(op, value, text):
    with pytest.raises(TypeError) as raised:
        gradient(op, value, in_function=True)
    assert text in str(raised.value)
    with pytest.raises(TypeError) as raised:
        jacobian(op, value)
    assert text in str(raised.value)


@pytest.mark.parametrize("more", [3, 4])
def test_five_gradients_of_which_the_first_is_a_number_fail_as_tensorflow_fails(more: int) -> None:
    """It asks for the size of the first of five, forgets about the exception, and Python finds it there later."""
    x = tf.constant([1.0, 2.0])
    number = tf.custom_gradient(lambda v: (tf.sin(v), lambda dy: 2.5))
    with tf.GradientTape() as tape:
        tape.watch(x)
        targets = [*(x * 2.0 for _ in range(more)), number(x)]
    if more == 4:
        with pytest.raises(SystemError, match="returned a result with an exception set"):
            tape.gradient(targets, [])
    else:
        assert tape.gradient(targets, []) == []
