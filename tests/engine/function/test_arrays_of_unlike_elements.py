"""TensorArrays of a function whose elements differ in shape, which shows when they are stacked (TensorFlow 2.21)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import reference_impl as tf

X = [[1.0, 2.0, -1.0], [1.0, -1.0, -1.0]]


def _positive(x: Any, **options: Any) -> Any:
    array = tf.TensorArray(tf.float32, size=2, **options)
    for i in tf.range(2):
        array = array.write(i, tf.boolean_mask(x[i], x[i] > 0))
    return array


@tf.function
def joined(x: Any) -> Any:
    return _positive(x).concat()


@tf.function
def stacked(x: Any) -> Any:
    return _positive(x).stack()


@tf.function
def declared(x: Any) -> Any:
    return _positive(x, element_shape=tf.TensorShape([2])).stack()


@tf.function
def known(x: Any) -> Any:
    array = tf.TensorArray(tf.float32, size=2)
    array = array.write(0, x[0])
    return array.write(1, x[1, :2]).stack()


def test_elements_of_unlike_lengths_can_be_joined() -> None:
    x = tf.Variable(X)
    with tf.GradientTape() as tape:
        y = joined(x)
        total = tf.reduce_sum(y * [1.0, 2.0, 3.0])
    assert np.asarray(y).tolist() == [1, 2, 1]
    assert np.asarray(tape.gradient(total, x)).tolist() == [[1, 2, 0], [3, 0, 0]]


def test_they_cannot_be_stacked() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Incompatible shapes during merge: \[2\] vs. \[1\]"):
        stacked(tf.constant(X))
    assert np.asarray(stacked(tf.constant([[1.0, -1.0], [2.0, -1.0]]))).tolist() == [[1], [2]]


def test_a_declared_shape_is_asked_of_each_element() -> None:
    text = r"Tried to set a tensor with incompatible shape at a list index. Item element shape: \[1\] list shape: \[2\]"
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        declared(tf.constant(X))


def test_what_is_known_to_differ_is_refused_while_tracing() -> None:
    with pytest.raises(ValueError, match=r"Inconsistent shapes: saw \(2,\) but expected \(3,\)"):
        known(tf.constant(X))


@pytest.mark.parametrize("mapped", [tf.vectorized_map, tf.function(tf.map_fn)])
def test_rows_that_are_mapped_to_unlike_shapes(mapped: Any) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="Incompatible shapes during merge"):
        mapped(lambda row: tf.boolean_mask(row, row > 0), tf.constant(X))


def test_whole_numbers_that_were_counted_have_no_jacobian() -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        counts, first = tf.histogram_fixed_width(x, [0.0, 3.0], 3), tf.unique(x).idx
    for y in (counts, first):
        assert tape.jacobian(y, x) is None
        with pytest.raises(LookupError):
            tape.gradient(y, x)


def test_one_hot_takes_whole_numbers() -> None:
    for indices, word in (([1.0], "float"), (tf.constant([True]), "bool"), (tf.constant([1], tf.int16), "int16")):
        with pytest.raises(tf.errors.InvalidArgumentError, match=f"Value for attr 'TI' of {word} is not in the list"):
            tf.one_hot(indices, 2)


def test_two_parts_of_a_split_cannot_both_be_open() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="There can only be one -1 in the input"):
        tf.split(tf.ones([5]), [2, -1, -1])
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"__wrapped__Split_num_split_2_device_.* and num_split 2"):
        tf.split(tf.ones([5]), 2)
