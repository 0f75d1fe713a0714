"""Elements of lists, axes and divisors that are not there: which error says so, and in which words."""

from __future__ import annotations

import pytest

import reference_impl as tf


@pytest.mark.parametrize(
    ("element_shape", "words"),
    [
        ([2], "Index 3 out o range; list only has 3 elements."),
        ([-1], "Trying to gather element 3 in a list with 3 elements."),
        (-1, "Trying to gather element 3 in a list with 3 elements."),
    ],
)
def test_an_element_that_a_list_has_not_is_named_by_what_is_known_of_the_elements(
    element_shape: object, words: str
) -> None:
    made = tf.raw_ops.TensorListFromTensor(tensor=tf.zeros([3, 2]), element_shape=tf.constant(element_shape))
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tf.raw_ops.TensorListGather(input_handle=made, indices=[3], element_shape=[2], element_dtype=tf.float32)
    assert words in str(caught.value)


def test_a_wrong_upstream_of_a_roll_has_no_such_axis() -> None:
    x = tf.ones([2, 2])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.roll(x, shift=1, axis=1)
    with pytest.raises(tf.errors.InvalidArgumentError, match="axis 1 is out of range"):
        tape.gradient(y, x, output_gradients=tf.ones(3))
    with pytest.raises(tf.errors.InvalidArgumentError, match="axis -1 is out of range"):
        tf.roll(tf.ones(3), shift=1, axis=-2)


@pytest.mark.parametrize("dense", [[1.0, 0.0], 0.0])
def test_sparse_numbers_are_not_divided_by_a_dense_zero_in_their_places(dense: object) -> None:
    places = tf.constant([[0, 1]], tf.int64)
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="cannot divide by zero,but input dense tensor contains zero"
    ):
        tf.raw_ops.SparseDenseCwiseDiv(
            sp_indices=places, sp_values=[1.0], sp_shape=tf.constant([2, 2], tf.int64), dense=dense
        )


def test_a_dense_zero_elsewhere_does_not_matter() -> None:
    divided = tf.raw_ops.SparseDenseCwiseDiv(
        sp_indices=tf.constant([[0, 0]], tf.int64), sp_values=[3.0], sp_shape=tf.constant([2, 2], tf.int64),
        dense=[2.0, 0.0],
    )  # fmt: skip
    assert divided.numpy().tolist() == [1.5]


@pytest.mark.parametrize("value", [3, True])
def test_a_tape_loses_sight_of_whole_numbers_that_read_value_gives(value: object) -> None:
    v = tf.Variable(value)
    with tf.GradientTape(persistent=True) as tape:
        read, taken = v.read_value(), v.value()
    assert tape.gradient(read, v) is None
    assert tape.gradient(taken, v).numpy() == 1


def test_no_upstream_of_a_recorded_reshape_cannot_be_made_a_tensor() -> None:
    m = tf.ones([2, 2])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(m)
        g = tape.gradient(tf.reduce_logsumexp(m), m)
        with pytest.raises(ValueError, match=r"Attempt to convert a value \(None\) with an unsupported type"):
            tape.gradient(g, m, output_gradients=[None])
