"""TensorArray.split: pieces of any lengths, and what is refused, in eager mode and inside functions."""

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
