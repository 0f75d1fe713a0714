"""RegisterGradient and no_gradient: the registry of gradients by kernel name."""

import numpy as np
import pytest

import reference_impl as tf


@pytest.fixture(autouse=True)
def _forgotten():
    yield
    tf.clear_registered_gradients()


def bitcast_gradient(returned):
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.bitcast(x, tf.float64)
    if returned is not None:
        tf.RegisterGradient("Bitcast")(lambda op, dy: returned)
    return tape.gradient(y, x)


def test_a_kernel_without_a_gradient_raises_when_its_gradient_is_asked():
    with pytest.raises(LookupError, match="gradient registry has no entry for: Bitcast"):
        bitcast_gradient(None)


def test_a_gradient_that_is_registered_counts_for_what_was_recorded_before():
    assert bitcast_gradient(tf.constant([3.0, 4.0])).numpy().tolist() == [3.0, 4.0]


@pytest.mark.parametrize("returned", [[2.5], (2.5,), 2.5])
def test_one_gradient_may_come_alone_or_in_a_list_and_is_not_converted(returned):
    assert bitcast_gradient(returned) == 2.5


@pytest.mark.parametrize("returned", [[], [1.0, 2.0]])
def test_a_wrong_number_of_gradients_is_an_internal_error(returned):
    text = f"Recorded operation 'Bitcast' returned too few gradients. Expected 1 but received {len(returned)}"
    with pytest.raises(tf.errors.InternalError, match=text):
        bitcast_gradient(returned)


def test_the_gradient_sees_the_op():
    seen = []

    @tf.RegisterGradient("Bitcast")
    def gradient(op, dy):
        seen.append((op.type, op.inputs[0].numpy().tolist(), op.outputs[0].shape, op.get_attr("dtype")))
        return dy

    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.bitcast(x, tf.float64)
    tape.gradient(y, x)
    assert seen == [("Bitcast", [1.0, 2.0], tf.TensorShape([]), np.dtype("float64"))]


def test_an_op_with_one_input_and_no_gradient_takes_a_registered_one_too():
    tf.RegisterGradient("IsFinite")(lambda op, dy: op.inputs[0] * 10.0)
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.is_finite(x)
    assert float(tape.gradient(y, x)) == 30.0
    softsign = tf.constant(2.0)
    with tf.GradientTape() as outer:
        outer.watch(softsign)
        with tf.GradientTape() as tape:
            tape.watch(softsign)
            z = tf.nn.softsign(softsign)
        g = tape.gradient(z, softsign)
    tf.RegisterGradient("SoftsignGrad")(lambda op, dy: [dy * 2.0, dy * 5.0])
    assert float(outer.gradient(g, softsign)) == 5.0


def test_no_gradient_makes_the_gradient_none():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.bitcast(x, tf.float64)
    tf.no_gradient("Bitcast")
    assert tape.gradient(y, x) is None


@pytest.mark.parametrize("name", ["Square", "Mul", "ArgMax", "Shape"])
@pytest.mark.parametrize("register", [lambda n: tf.RegisterGradient(n)(lambda op, dy: dy), tf.no_gradient])
def test_a_kernel_that_has_an_entry_cannot_get_another(name, register):
    with pytest.raises(KeyError, match=f"Registering two gradient with name '{name}'!") as error:
        register(name)
    assert "(Previous registration was in register " in str(error.value) and "registry.py:" in str(error.value)


def test_a_name_can_be_registered_once():
    tf.no_gradient("MyKernel")
    with pytest.raises(KeyError):
        tf.RegisterGradient("MyKernel")(lambda op, dy: dy)


@pytest.mark.parametrize("register", [tf.RegisterGradient, tf.no_gradient])
def test_the_name_must_be_a_string(register):
    with pytest.raises(TypeError, match="op_type must be a string"):
        register(5)


def test_the_decorator_gives_the_function_back():
    def gradient(op, dy):
        return dy

    assert tf.RegisterGradient("MyKernel")(gradient) is gradient


def test_an_eager_tape_ignores_the_override_map_of_a_graph():
    tf.RegisterGradient("Hundredfold")(lambda op, dy: dy * 100.0)
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        with tf.Graph().gradient_override_map({"Square": "Hundredfold"}):
            y = tf.square(x)
    assert float(tape.gradient(y, x)) == 6.0
    with pytest.raises(TypeError, match="must be a dictionary mapping strings to strings"):
        tf.Graph().gradient_override_map({"Square": 5}).__enter__()
