"""py_function and numpy_function: Python functions in an op's place."""

import numpy as np
import pytest

import reference_impl as tf


def gradient_of(func, tout=tf.float32, more=(), persistent=False):
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=persistent) as tape:
        tape.watch([x, *more])
        y = tf.py_function(func, [x, *more], tout)
    return tape, y, x


def test_py_function_is_differentiable_by_the_ops_inside():
    tape, y, x = gradient_of(lambda a: a * a)
    assert y.numpy().tolist() == [1.0, 4.0] and tape.gradient(y, x).numpy().tolist() == [2.0, 4.0]


def test_several_results_come_as_a_list_and_their_gradients_add_up():
    tape, y, x = gradient_of(lambda a: (a * a, a), (tf.float32, tf.float32))
    assert type(y) is list and tape.gradient(y, x).numpy().tolist() == [3.0, 5.0]


@pytest.mark.parametrize("func", [lambda a: tf.constant([1.0, 1.0]), lambda a: np.ones(2, np.float32), lambda a: 3])
def test_where_nothing_is_connected_the_gradient_is_a_scalar_zero(func):
    tape, y, x = gradient_of(func)
    got = tape.gradient(y, x)
    assert float(got) == 0.0 and got.shape.rank == 0


def test_the_gradient_of_an_unused_input_is_a_scalar_zero():
    other = tf.constant([5.0])
    tape, y, x = gradient_of(lambda a, b: a * a, more=(other,))
    first, second = tape.gradient(y, [x, other])
    assert first.numpy().tolist() == [2.0, 4.0] and second.shape.rank == 0


def test_the_gradient_can_be_asked_once_even_of_a_persistent_tape():
    tape, y, x = gradient_of(lambda a: a * a, persistent=True)
    tape.gradient(y, x)
    with pytest.raises(tf.errors.UnknownError, match="KeyError: b'pyfunc_"):
        tape.gradient(y, x)


def test_the_second_derivative_is_none_and_variables_inside_get_none():
    x, v = tf.constant(2.0), tf.Variable(3.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.py_function(lambda a: a * a * a * v, [x], tf.float32)
        assert [w is v for w in tape.watched_variables()] == [True]
        g, gv = tape.gradient(y, [x, v])
    assert (float(g), gv, outer.gradient(g, x)) == (36.0, None, None)


def test_a_tangent_goes_through_py_function_but_not_through_numpy_function():
    x = tf.constant(3.0)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as accumulator:
        y = tf.py_function(lambda a: a * a, [x], tf.float32)
        z = tf.numpy_function(lambda a: a * a, [x], tf.float32)
    assert float(accumulator.jvp(y)) == 6.0 and accumulator.jvp(z) is None


def _raising(error):
    def func(*_):
        raise error

    return func


@pytest.mark.parametrize(
    "raised, kind",
    [
        (ValueError("boom"), "InvalidArgumentError"), (TypeError("boom"), "InvalidArgumentError"),
        (StopIteration("boom"), "OutOfRangeError"), (MemoryError("boom"), "ResourceExhaustedError"),
        (NotImplementedError("boom"), "UnimplementedError"), (KeyError("boom"), "UnknownError"),
        (RuntimeError("boom"), "UnknownError"),
    ],
)  # fmt: skip
def test_exceptions_inside_become_errors_of_the_kernel(raised, kind):
    with pytest.raises(tf.errors.OpError) as error:
        tf.py_function(_raising(raised), [tf.constant(1.0)], tf.float32, name="mine")
    assert type(error.value).__name__ == kind
    assert f"{type(raised).__name__}: {raised}\nTraceback (most recent call last):\n" in str(error.value)
    assert str(error.value).endswith(" [Op:EagerPyFunc] name: mine")


def test_results_must_have_the_dtypes_promised_and_there_must_be_enough():
    x = tf.constant(1.0)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Tensor conversion requested dtype float64"):
        tf.py_function(lambda a: a * a, [x], tf.float64)
    with pytest.raises(tf.errors.InvalidArgumentError, match="returns 1 values, but expects to see 2 values"):
        tf.py_function(lambda a: [a], [x], [tf.float32, tf.float32])
    with pytest.raises(tf.errors.UnknownError, match="Attempting to return a variable"):
        tf.py_function(lambda a: tf.Variable(1.0), [x], tf.float32)
    assert tf.py_function(lambda a: None, [x], []) == []


@pytest.mark.parametrize("function", [tf.py_function, tf.numpy_function])
def test_arguments_that_are_missing_or_too_many(function):
    with pytest.raises(TypeError, match="Missing required argument: 'Tout'"):
        function(lambda a: a, [tf.constant(1.0)])
    with pytest.raises(TypeError, match="Missing argument `inp`"):
        function(lambda a: a, Tout=tf.float32)
    with pytest.raises(TypeError, match="Don't set the `inp` argument"):
        function(inp=[1.0], Tout=tf.float32)
    assert float(function(Tout=tf.float32)(lambda a: a * 2)(tf.constant(2.0))) == 4.0


def test_numpy_function_gets_copies_of_arrays_and_does_not_enforce_dtypes():
    x, seen = tf.constant([1.0, 2.0]), []

    def func(a, b, c):
        seen.extend([type(a), a.dtype, b.dtype, c.dtype])
        a[0] = 9.0
        return a.astype(np.float64), 3

    first, second = tf.numpy_function(func, [x, 1.0, "text"], tf.float32)
    assert seen == [np.ndarray, np.dtype("float32"), np.dtype("float64"), np.dtype("<U4")]
    assert x.numpy().tolist() == [1.0, 2.0] and first.dtype is tf.float64 and second.dtype is tf.int32


def test_numpy_function_cuts_the_tape_and_lets_exceptions_through():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.numpy_function(lambda a: a * a, [x], tf.float32)
    assert float(y) == 9.0 and tape.gradient(y, x) is None
    with pytest.raises(ZeroDivisionError):
        tf.numpy_function(lambda a: 1 / 0, [x], tf.float32)
