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
