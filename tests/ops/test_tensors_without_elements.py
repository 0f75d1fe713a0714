"""Shapes, indices and upstreams of tensors without elements, as TensorFlow 2.21 answers."""

from __future__ import annotations

import pytest

import reference_impl as tf


@pytest.mark.parametrize(
    "have, asked, found",
    [
        ((0, 3), (0, -1), (0, 3)),
        ((0, 3), (-1, 0), (3, 0)),
        ((0, 3), (0, -1, 2), (0, 1, 2)),
        ((0,), (0, -1), (0, 1)),
        ((2, 0), (0, -1), (0, 2)),
        ((0, 3), (-1, 2), (0, 2)),
        ((0, 3), (-1, 0, 3), (1, 0, 3)),
    ],
)
def test_beside_a_zero_the_size_left_open_is_what_the_other_axes_hold(
    have: tuple[int, ...], asked: tuple[int, ...], found: tuple[int, ...]
) -> None:
    assert tuple(tf.reshape(tf.zeros(have), asked).shape) == found


def test_slices_without_elements_are_gathered_from_anywhere() -> None:
    assert tuple(tf.gather(tf.zeros([2, 0]), [7, -1, 3]).shape) == (3, 0)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"indices\[0\] = 7 is not in \[0, 0\)"):
        tf.gather(tf.zeros([2, 0]), [7], axis=1)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"params is empty.  Params shape: \[2,0\]"):
        tf.gather_nd(tf.zeros([2, 0]), [[0]])
    assert tuple(tf.math.unsorted_segment_sum(tf.zeros([2, 0]), [7, 7], 3).shape) == (3, 0)


@pytest.mark.parametrize(
    "upstream, text",
    [
        (tf.ones([5]), "Input to reshape is a tensor with 5 values, but the requested shape has 0"),
        (tf.zeros([0]), r"data.shape = \[1,0\] does not start with segment_ids.shape = \[3\]"),
    ],
)
def test_a_wrong_upstream_of_what_was_gathered_is_refused_by_its_reshape(upstream: tf.Tensor, text: str) -> None:
    x = tf.zeros([0, 2])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.gather(x, [0, 0, 0], axis=1)
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        tape.gradient(y, x, upstream)
