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


def _used_by(kind):
    w, at = tf.constant([1.0, 2.0]), tf.constant([0, 1])
    places, shape = tf.constant([[0, 1], [1, 1]], tf.int64), tf.constant([2, 2], tf.int64)
    ops = {
        "SparseAdd": (places, lambda: tf.raw_ops.SparseAdd(
            a_indices=places, a_values=w, a_shape=shape, b_indices=places, b_values=w, b_shape=shape, thresh=0.5)[1]),
        "SparseSoftmax": (shape, lambda: tf.raw_ops.SparseSoftmax(sp_indices=places, sp_values=w, sp_shape=shape)),
        "gather": (at, lambda: tf.gather(w, at)),
        "one_hot": (at, lambda: tf.one_hot(at, 3, w[0], w[1])),
        "segment_sum": (at, lambda: tf.math.segment_sum(w, at)),
        "dynamic_stitch": (at, lambda: tf.dynamic_stitch([at], [w])),
    }  # fmt: skip
    return w, *ops[kind]


@pytest.mark.parametrize("kind", ["SparseAdd", "SparseSoftmax", "gather", "one_hot", "segment_sum", "dynamic_stitch"])
def test_whole_numbers_lose_their_gradient_by_themselves_where_an_op_used_them(kind):
    w, whole, op = _used_by(kind)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(w)
        y = op()
    assert tape.gradient([y, whole], whole) is None
    assert not np.any(tape.gradient([whole, y], whole, unconnected_gradients="zero"))
    assert np.all(tape.gradient(whole, whole).numpy() == 1)
    assert np.all(tape.gradient([w, whole], whole).numpy() == 1)  # no op is come to
