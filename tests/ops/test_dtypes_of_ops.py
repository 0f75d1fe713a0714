"""Ops in dtypes that are seldom used with them: the answers of TensorFlow 2.21."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import reference_impl as tf


def _all(tensor: Any) -> list[Any]:
    return np.asarray(tensor).ravel().tolist()


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_a_complex_power_is_made_of_a_logarithm_whatever_the_exponent(dtype: str) -> None:
    base = tf.constant(np.array([0, 2, 1j, -1]), dtype)
    power = _all(tf.pow(base, tf.constant(2, dtype)))
    assert np.allclose(power, [0, 4, -1, 1], atol=1e-6)
    to_zero = _all(tf.pow(base, tf.constant(0, dtype)))
    assert np.isnan(to_zero[0]) and to_zero[1:] == [1, 1, 1]
    lost = _all(tf.pow(tf.constant([complex(math.inf, math.nan)], dtype), tf.constant(-1, dtype)))
    assert lost == [0]


def test_the_slopes_of_a_complex_power_are_those_of_its_conjugates() -> None:
    a, b = tf.constant([1 + 2j]), tf.constant([0.5 - 1j])
    with tf.GradientTape() as tape:
        tape.watch([a, b])
        y = a**b
    by_a, by_b = (np.asarray(g, np.complex128)[0] for g in tape.gradient(y, [a, b]))
    z, p, q = (1 + 2j) ** (0.5 - 1j), 1 - 2j, 0.5 + 1j
    assert np.isclose(by_a, q * p ** (q - 1), rtol=1e-5) and np.isclose(by_b, np.conj(z) * np.log(p), rtol=1e-5)


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64"])
def test_the_old_division_of_whole_numbers_gives_one(dtype: str) -> None:
    x, y = tf.constant([7, -7, 5, -1], dtype), tf.constant([2, 2, -3, 2], dtype)
    found = tf.raw_ops.Div(x=x, y=y)
    assert found.dtype == dtype and _all(found) == [3, -3, -1, 0]
    with pytest.raises(tf.errors.InvalidArgumentError, match="Integer division by zero"):
        tf.raw_ops.Div(x=x, y=x - x)
    with pytest.raises(tf.errors.InternalError, match="Unexpected error in binary operator"):
        tf.truncatediv(x, x - x)


def test_bools_are_divided_by_an_array_as_numpy_divides() -> None:
    quotient = tf.constant([True]) / np.array([2.0])
    assert isinstance(quotient, np.ndarray) and quotient.tolist() == [0.5]
    assert isinstance(tf.math.divide(np.array([True]), np.array([True])), np.ndarray)
    for divide in (lambda: tf.constant([True]) / tf.constant([True]), lambda: tf.truediv(True, np.array([True]))):
        with pytest.raises(TypeError, match=r"Invalid dtype tf.bool in __truediv__"):
            divide()
    assert _all(tf.math.divide(np.array([1]), tf.constant([2]))) == [0.5]
    with pytest.raises(TypeError, match=r"must have the same dtype, got tf.int64 != tf.int32"):
        tf.truediv(np.array([1]), tf.constant([2]))


def test_older_kernels_in_dtypes_of_their_own() -> None:
    a = tf.constant([[1.5, 2]], "bfloat16")
    product = tf.raw_ops.SparseMatMul(a=a, b=a, transpose_b=True)
    assert product.dtype == tf.float32 and _all(product) == [6.25]
    found = tf.raw_ops.ScatterNdNonAliasingAdd(
        input=tf.constant([False, True, False]), indices=[[0], [1]], updates=tf.constant([True, False])
    )
    assert _all(found) == [True, True, False]


def test_a_picture_of_whole_numbers_has_no_slope_though_its_boxes_have_one() -> None:
    image, boxes = tf.constant(np.arange(12).reshape(1, 3, 4, 1), "int32"), tf.constant([[0.1, 0.2, 0.8, 0.9]])
    with tf.GradientTape() as tape:
        tape.watch(boxes)
        y = tf.image.crop_and_resize(image, boxes, [0], [2, 2])
    by_image, by_boxes = tape.gradient(y, [image, boxes])
    assert by_image is None and np.allclose(_all(by_boxes), [16, 6, 16, 6], atol=1e-4)


def test_of_a_class_sampled_twice_only_the_last_is_hidden() -> None:
    random = np.random.RandomState(0)
    weights, biases, x = random.randn(5, 3), random.randn(5), random.randn(2, 3)
    weights, biases, x, often, rarely = map(tf.constant, (weights, biases, x, [[0.5], [0.4]], [0.3, 0.2, 0.1]))
    sampled = tf.constant([1, 1, 2], tf.int64), tf.cast(often, "float64"), tf.cast(rarely, "float64")
    labels = tf.constant([[1], [3]], tf.int64)
    loss = tf.nn.sampled_softmax_loss(weights, biases, labels, x, 3, 5, sampled_values=sampled)
    assert np.allclose(_all(loss), [2.81553, 8.47677], atol=1e-5)


def test_nothing_is_divided_by_zero_without_an_error() -> None:
    for divide in (tf.truncatediv, tf.math.floordiv, tf.math.floormod):
        assert divide(tf.constant([], "int32"), tf.constant([0])).shape == [0]


def test_the_angle_of_a_real_number_is_an_op_that_tapes_know() -> None:
    x, weight = tf.constant([1.0, -2.0]), tf.constant(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.math.angle(x) * weight
        tape.watch(weight)
    assert np.isclose(_all(tape.gradient(y, weight))[0], math.pi) and tape.gradient(y, x) is None


def test_only_the_first_matrix_of_a_batch_is_asked_whether_it_is_singular() -> None:
    good, bad = [[-2.0, -2, 1], [1, -2, 0]], [[1.0, 2, 0], [0, 1, 1]]
    rhs = tf.constant([[[1.0], [3], [5]]] * 2)
    found = _all(tf.linalg.banded_triangular_solve(tf.constant([good, bad]), rhs))
    assert found[:3] == [-0.5, -1, 5] and found[3:] == [1, 1, math.inf]
    with pytest.raises(tf.errors.InvalidArgumentError, match="Input matrix is not invertible"):
        tf.linalg.banded_triangular_solve(tf.constant([bad, good]), rhs)


def test_slices_of_another_dtype_are_not_converted() -> None:
    slices = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([0]), tf.constant([2, 2]))
    for call in (
        lambda: tf.maximum(tf.constant([1]), slices), lambda: tf.maximum(slices, tf.constant([1])),
        lambda: tf.equal(tf.constant([1]), slices), lambda: tf.pow(tf.constant(1), slices),
    ):  # fmt: skip
        with pytest.raises(ValueError, match="Incompatible tensor conversion requested to `dtype` int32"):
            call()


def test_what_one_operand_of_an_einsum_has_alone_is_summed_first() -> None:
    found = _all(tf.einsum("ii,jk->k", tf.constant([[1.5, 0], [2.5, -3]]), tf.constant([[-2.0], [2]])))
    assert found == [0] and math.copysign(1, found[0]) < 0


def test_each_use_of_a_factor_in_half_precision_is_rounded_on_its_own() -> None:
    v = tf.constant([[2.921875, -0.80078125], [0.8359375, 1.5078125]], tf.bfloat16)
    with tf.GradientTape() as outer:
        outer.watch(v)
        with tf.GradientTape() as inner:
            inner.watch(v)
            product = tf.raw_ops.SparseMatMul(a=v, b=v, transpose_a=True)
            y = product * product
        g = inner.gradient(y, v)
    assert (product.dtype, g.dtype) == (tf.float32, tf.bfloat16)
    assert _all(tf.cast(outer.gradient(g, v), tf.float32)) == [106.0, 55.0, 85.0, 30.875]
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Matrix size incompatible: a: \[2,2\], b: \[3,2\]"):
        tf.raw_ops.SparseMatMul(a=v, b=tf.ones([3, 2]))
