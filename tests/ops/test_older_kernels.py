"""Kernels that only `tf.raw_ops` reaches, as TensorFlow 2.21 answered them."""

from __future__ import annotations

import numpy as np
import pytest

import reference_impl as tf


def gradient(function, *arrays, upstream=None):
    xs = [tf.constant(np.asarray(a, np.float32)) for a in arrays]
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = function(*xs)
    return [None if g is None else g.numpy().tolist() for g in tape.gradient(y, xs, upstream)]


def test_diagonals_of_the_second_version_are_read_to_the_left_and_differentiated_to_the_right() -> None:
    x = np.arange(9.0).reshape(3, 3)
    part = tf.raw_ops.MatrixDiagPartV2(input=x.astype("f"), k=[0, 1], padding_value=tf.constant(0.0))
    assert part.numpy().tolist() == [[1, 5, 0], [0, 4, 8]]
    upstream = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    (g,) = gradient(
        lambda v: tf.raw_ops.MatrixDiagPartV2(input=v, k=[0, 1], padding_value=tf.constant(0.0)), x, upstream=upstream
    )
    assert g == [[4, 2, 0], [0, 5, 3], [0, 0, 6]]


def test_a_prevented_gradient_is_an_error_with_its_message() -> None:
    with pytest.raises(LookupError, match=r"Gradient explicitly disabled\. Reason: b'no'"):
        gradient(lambda x: tf.raw_ops.PreventGradient(input=x, message="no"), [1.0])


def test_a_replaced_slice_takes_the_gradient_of_what_stood_there() -> None:
    found = gradient(
        lambda x, v: tf.raw_ops.TensorStridedSliceUpdate(input=x, begin=[1], end=[4], strides=[2], value=v) * 3.0,
        [1, 2, 3, 4], [5, 6],
    )  # fmt: skip
    assert found == [[3, 0, 3, 0], [3, 3]]


def test_what_is_quantized_straight_through_keeps_its_upstream_beyond_the_range() -> None:
    def function(x, low, high):
        return tf.raw_ops.QuantizeAndDequantizeV2(input=x, input_min=low, input_max=high, range_given=True)

    assert gradient(function, [-9.0, 0.1, 9.0], -1.0, 1.0) == [[1, 1, 1], None, None]


def test_a_normalized_batch_has_no_gradient_by_its_sum() -> None:
    none = np.zeros(0, np.float32)

    def function(x, scale, offset):
        return tf.raw_ops.FusedBatchNormV3(x=x, scale=scale, offset=offset, mean=none, variance=none).y

    x = np.reshape([1.0, 2, 3, 6], (1, 2, 2, 1))
    by_x, by_scale, by_offset = gradient(function, x, [2.0], [0.5])
    assert np.allclose(by_x, 0, atol=1e-6)
    assert np.allclose(by_scale, 0, atol=1e-6)
    assert by_offset == [4]
    (_, by_scale, _) = gradient(lambda *v: function(*v) ** 2, x, [2.0], [0.0])
    assert np.allclose(by_scale, 16.0, rtol=1e-4)


def test_a_pools_second_backward_kernel_reads_only_where_the_output_is_met() -> None:
    x, g = np.reshape([1.0, 5, 5, 2, 7, 0, 3, 3], (1, 2, 4, 1)), np.arange(10.0, 18.0).reshape(1, 2, 4, 1)
    sizes = {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": "VALID"}
    output = np.reshape([2.0, 3.0], (1, 1, 2, 1))
    operands = {"orig_input": x.astype("f"), "orig_output": output.astype("f"), "grad": g.astype("f")}
    assert np.ravel(tf.raw_ops.MaxPoolGradGrad(**operands, **sizes)).tolist() == [0, 16]


def test_the_backward_kernel_of_softplus_is_differentiated_by_both_operands() -> None:
    by_upstream, by_features = gradient(
        lambda dy, x: tf.raw_ops.SoftplusGrad(gradients=dy, features=x), [3.0], [0.0], upstream=tf.constant([2.0])
    )
    assert (by_upstream, by_features) == ([1.0], [1.5])


def test_the_second_version_of_a_max_pool_has_two_derivatives() -> None:
    x = tf.reshape(tf.range(12.0), [1, 3, 4, 1])
    with tf.GradientTape(persistent=True) as third:
        third.watch(x)
        with tf.GradientTape() as second:
            second.watch(x)
            with tf.GradientTape() as first:
                first.watch(x)
                y = tf.raw_ops.MaxPoolV2(input=x, ksize=[1, 2, 2, 1], strides=[1, 1, 2, 1], padding="VALID")
                cubes = y**3
            slope = first.gradient(cubes, x)
        bend = second.gradient(slope, x)
    assert slope.numpy().ravel().tolist() == [0, 0, 0, 0, 0, 75, 0, 147, 0, 243, 0, 363]
    assert bend.numpy().ravel().tolist() == [0, 0, 0, 0, 0, 30, 0, 42, 0, 54, 0, 66]
    with pytest.raises(LookupError, match="gradient registry has no entry for: MaxPoolGradGradV2"):
        third.gradient(bend, x)
