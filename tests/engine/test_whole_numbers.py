"""Whole numbers and strings where floating-point numbers are the rule.  The values are TensorFlow's."""

from __future__ import annotations

import numpy as np
import pytest

import reference_impl as tf

WHOLE = ("int8", "int32", "int64")


@pytest.fixture(params=WHOLE)
def image(request):
    return tf.constant(np.arange(-4, 12).reshape(1, 4, 4, 1), request.param)


def test_the_largest_whole_number_of_each_window(image):
    pooled = tf.nn.max_pool2d(image, 3, 2, "SAME")
    assert pooled.dtype is image.dtype
    assert pooled.numpy()[0, :, :, 0].tolist() == [[6, 7], [10, 11]]


def test_a_filter_below_zero_does_not_wrap_around_beside_the_image(image):
    filters = tf.constant([[[-1], [2]]], image.dtype)
    wider = tf.nn.dilation2d(image, filters, [1, 1, 1, 1], "SAME", "NHWC", [1, 1, 1, 1])
    narrower = tf.nn.erosion2d(image, filters, [1, 1, 1, 1], "SAME", "NHWC", [1, 1, 1, 1])
    assert wider.numpy()[0, 0, :, 0].tolist() == [-1, 0, 1, -2]
    assert narrower.numpy()[0, 0, :, 0].tolist() == [-6, -5, -4, -3]


@pytest.mark.parametrize("dtype", WHOLE)
def test_quotients_are_rounded_towards_zero(dtype):
    by = tf.raw_ops.SparseDenseCwiseDiv(
        sp_indices=[[0], [1]], sp_values=tf.constant([-7, 7], dtype), sp_shape=[2], dense=tf.constant([2, 2], dtype)
    )
    assert by.dtype.name == dtype
    assert by.numpy().tolist() == [-3, 3]
    assert tf.truncatediv(tf.constant([-7, 7], dtype), tf.constant([2, -2], dtype)).numpy().tolist() == [-3, -3]
    assert tf.math.segment_mean(tf.constant([-1, -2, 4], dtype), [0, 0, 2]).numpy().tolist() == [-1, 0, 4]


def test_strings_are_padded_with_empty_ones_and_taken_apart():
    tf.constant(1.0, tf.bfloat16)  # once there is one, every result is looked at
    assert tf.pad(tf.constant(["a"]), [[1, 1]]).numpy().tolist() == [b"", b"a", b""]
    assert [t.numpy() for t in tf.unstack(tf.constant(["a", "b"]))] == [b"a", b"b"]
