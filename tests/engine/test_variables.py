"""Variables: how they print, are assigned to, and behave on tapes."""

import copy

import numpy as np
import pytest

import reference_impl as tf


def test_a_variable_prints_as_tensorflow_prints_it():
    v = tf.Variable([1.0, 2.0])
    assert repr(v) == "<tf.Variable 'Variable:0' shape=(2,) dtype=float32, numpy=array([1., 2.], dtype=float32)>"
    assert repr(tf.Variable(3.0, name="w")) == "<tf.Variable 'w:0' shape=() dtype=float32, numpy=3.0>"


def test_assign_returns_the_variable_to_be_read_later():
    v = tf.Variable(3.0)
    r = v.assign(5.0)
    assert type(r).__name__ == "_UnreadVariable" and r is not v
    v.assign(10.0)
    assert (r * 1.0).numpy() == 10.0
    assert repr(r) == "<tf.Variable 'UnreadVariable' shape=() dtype=float32, numpy=10.0>"


def test_each_read_keeps_its_own_value_and_all_count_for_the_variable():
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = v * v
        v.assign(5.0)
        total = y + v * v
    assert tape.gradient(total, v).numpy() == 16.0


def test_assignment_cuts_the_chain():
    x, v = tf.constant(3.0), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        v.assign(x * 2)
        y = v * v
    gx, gv = tape.gradient(y, [x, v])
    assert gx is None and gv.numpy() == 12.0


def test_a_read_is_an_intermediate_and_the_handle_is_the_leaf():
    v = tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        r = v.read_value()
        y = r * r
    assert [None if g is None else g.numpy() for g in tape.gradient(y, [r, v, v.handle, v.read_value()])] == [
        6.0,
        6.0,
        6.0,
        None,
    ]


def test_the_handle_can_be_watched_and_is_not_listed():
    v = tf.Variable(3.0)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(v.handle)
        y = v * v
    assert tape.watched_variables() == ()
    assert tape.gradient(y, v).numpy() == 6.0


@pytest.mark.parametrize(
    "value, text",
    [
        (
            [1.0],
            "Cannot assign value to variable ' Variable:0': Shape mismatch.The variable shape (2,), and the assigned "
            "value shape (1,) are incompatible.",
        ),
        (
            tf.constant([1, 2]),
            "Tensor conversion requested dtype float32 for Tensor with dtype int32: <tf.Tensor: "
            "shape=(2,), dtype=int32, numpy=array([1, 2], dtype=int32)>",
        ),
    ],
)
def test_a_value_that_does_not_fit_is_refused(value, text):
    with pytest.raises(ValueError) as error:
        tf.Variable([1.0, 2.0]).assign(value)
    assert str(error.value) == text


def test_assign_add_needs_equal_shapes():
    with pytest.raises(tf.errors.InvalidArgumentError, match="shapes must be equal"):
        tf.Variable([1.0, 2.0]).assign_add(1.0)


def test_slices_of_a_variable_can_be_assigned_to():
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        v[0].assign(5.0)
        y = v * v
    assert tape.gradient(y, v).numpy().tolist() == [10.0, 4.0]
    v[1:].assign([7.0])
    assert v.numpy().tolist() == [5.0, 7.0]
    with pytest.raises(AttributeError):
        tf.constant([1.0])[0].assign(2.0)


def test_an_open_shape_takes_values_of_other_shapes():
    v = tf.Variable(1.0, shape=tf.TensorShape(None))
    v.assign([1.0, 2.0, 3.0])
    with tf.GradientTape(persistent=True) as tape:
        y = v * v
    assert v.shape.rank is None
    assert tape.gradient(y, v).numpy().tolist() == [2.0, 4.0, 6.0]
    zeros = tape.gradient(tf.constant(1.0), v, unconnected_gradients="zero")
    assert zeros.numpy().tolist() == [0.0, 0.0, 0.0]


def test_a_deep_copy_is_another_variable_and_a_shallow_copy_the_same_storage():
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = v * v
        deep, shallow = copy.deepcopy(v), copy.copy(v)
    g, h = tape.gradient(y, [deep, shallow])
    assert g is None and h.numpy() == 6.0


def test_variables_have_the_operators_of_tensors():
    v = tf.Variable(2.0)
    results = [2 * v, v / 2, -v, abs(v), v**2, 2 - v, v // 2, v % 2, v + 1]
    assert [float(r) for r in results] == [4.0, 1.0, -2.0, 2.0, 4.0, 0.0, 1.0, 0.0, 3.0]
    with pytest.raises(TypeError, match="Variable is unhashable"):
        hash(v)


def test_a_variable_can_be_made_from_a_function_or_another_variable():
    assert tf.Variable(lambda: tf.constant(2.0)).numpy() == 2.0
    assert tf.Variable(tf.Variable([1, 2])).numpy().tolist() == [1, 2]
    with pytest.raises(ValueError, match=r"The `initial_value` arg to `tf\.Variable` must be specified"):
        tf.Variable(None)
    with pytest.raises(ValueError, match="initial_value: Tensor conversion requested dtype float64"):
        tf.Variable(tf.constant(1.0), dtype=tf.float64)


def test_scatter_methods_change_rows():
    v = tf.Variable([1.0, 2.0, 3.0])
    slices = tf.IndexedSlices(tf.constant([10.0, 1.0]), tf.constant([0, 0]))
    assert v.scatter_add(slices).numpy().tolist() == [12.0, 2.0, 3.0]
    assert v.scatter_update(slices).numpy().tolist() == [1.0, 2.0, 3.0]
    assert np.asarray(v.scatter_nd_update([[2]], [9.0])).tolist() == [1.0, 2.0, 9.0]
