"""TensorArray: pieces of any lengths, and wrong upstreams of the lists that arrays are inside functions."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import reference_impl as tf

SIX = tf.reshape(tf.range(6.0), [6])


def split(value: tf.Tensor, lengths: list[int], size: int = 2, **options: object) -> tf.TensorArray:
    return tf.TensorArray(tf.float32, size, **options).split(value, lengths)


def joined(lengths: list[int], **options: object) -> tf.Tensor:
    return split(SIX, lengths, **options).concat()


@pytest.mark.parametrize("way", [lambda f: f, tf.function])
def test_pieces_of_different_lengths_are_joined_again(way: Callable) -> None:
    made = way(joined)([1, 5])
    assert made.numpy().tolist() == SIX.numpy().tolist()


def test_the_shape_that_elements_should_have_counts_only_for_pieces_of_one_length_in_a_function() -> None:
    assert joined([1, 5], element_shape=[2]).shape == (6,)
    assert joined([3, 3], element_shape=[2]).shape == (6,)
    with pytest.raises(ValueError, match=r"Inconsistent shapes: saw \(3,\) but expected \(2,\) "):
        tf.function(lambda: joined([3, 3], element_shape=[2]))()


@pytest.mark.parametrize(
    ("lengths", "words"),
    [
        ([2, 2], "Expected sum of lengths to be equal to values.shape[0], but sum of lengths is 4"),
        ([2, 2, 2], "TensorArray's size is not equal to the size of lengths (2 vs. 3)"),
        (6, "Expected lengths to be a vector, received shape: []"),
    ],
)
def test_lengths_that_do_not_fit_are_refused(lengths: list[int], words: str) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        joined(lengths)
    assert words in str(caught.value)


X = tf.constant([1.0, 2.0, 3.0])


def cumulated(x: tf.Tensor) -> tf.Tensor:
    return tf.scan(lambda a, b: a * b, x)


def squared(x: tf.Tensor) -> tf.Tensor:
    return tf.map_fn(lambda b: b * b, x)


def written(x: tf.Tensor) -> tf.Tensor:
    array = tf.TensorArray(tf.float32, 3)
    for k in range(3):
        array = array.write(k, x[k] * 2.0)
    return array.stack()


def read(x: tf.Tensor) -> tf.Tensor:
    array = tf.TensorArray(tf.float32, 3).unstack(x)
    return array.read(0) * array.read(1)


def gradient(f: Callable, upstream: tf.Tensor) -> tf.Tensor:
    with tf.GradientTape() as tape:
        tape.watch(X)
        y = f(X)
    return tape.gradient(y, X, output_gradients=upstream)


@pytest.mark.parametrize(
    ("shape", "in_function", "eagerly"),
    [
        ((), "Tensor must be at least a vector, but saw shape: []", "axis = 0 not in [0, 0)"),
        ((2,), "Trying to access element 2 in a list with 2 elements.", "axis 0 must equal 3, got shape [2]"),
        ((3, 3), "Specified a list with shape [] from a tensor with shape [3]", "Input to reshape is a tensor with"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("f", [cumulated, squared])
def test_a_wrong_upstream_of_what_was_stacked_is_refused_as_a_list_in_a_function(
    f: Callable, shape: tuple, in_function: str, eagerly: str
) -> None:
    for way, words in ((tf.function(f), in_function), (f, eagerly)):
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            gradient(way, tf.ones(shape))
        assert words in str(caught.value)


def test_rows_too_many_in_the_upstream_of_a_list_are_never_read() -> None:
    assert gradient(tf.function(squared), tf.ones(4)).numpy().tolist() == [2, 4, 6]
    assert gradient(tf.function(written), tf.ones(4)).numpy().tolist() == [2, 2, 2]
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Input shape axis 0 must equal 3, got shape \[4\]"):
        gradient(squared, tf.ones(4))
    upstream = tf.ones(4)
    with tf.GradientTape() as outer:
        outer.watch(upstream)
        first = gradient(tf.function(squared), upstream)
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        outer.gradient(first, upstream)
    assert "Operation expected a list with 3 elements but got a list with 4 elements." in str(caught.value)


def test_elements_of_a_list_take_no_upstream_of_another_shape() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        gradient(tf.function(read), tf.ones(2))
    assert "incompatible shape at a list index. Item element shape: [2] list shape: []" in str(caught.value)


def derivatives(f: Callable) -> list:
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(X)
        with tf.GradientTape(persistent=True) as inner:
            inner.watch(X)
            y = f(X)
        first, rows = inner.gradient(y, X), inner.jacobian(y, X)
    found = [first, rows, inner.jacobian(y, X, experimental_use_pfor=False), outer.gradient(tf.square(first), X)]
    return [None if v is None else v.numpy().tolist() for v in found]


@pytest.mark.parametrize("f", [cumulated, squared, written, read])
def test_jacobians_and_second_derivatives_go_through_lists(f: Callable) -> None:
    assert derivatives(tf.function(f)) == derivatives(f)
