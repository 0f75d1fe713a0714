"""Keras adds a bias by an op of its own, which upstreams of another shape show (TensorFlow 2.21, Keras 3.15)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import reference_impl as tf

X = np.arange(12, dtype=np.float32).reshape(4, 3)


def _gradients(layer: Any, x: Any, shape: list[int]) -> list:
    with tf.GradientTape() as tape:
        y = layer(tf.constant(x))
    found = tape.gradient(y, layer.trainable_variables, output_gradients=tf.ones(shape))
    return [np.asarray(g).tolist() for g in found]


@pytest.mark.parametrize("inside_a_model", [False, True])
def test_a_dense_layer_takes_an_upstream_with_more_columns(inside_a_model: bool) -> None:
    layer = tf.keras.layers.Dense(2, kernel_initializer="ones")
    if inside_a_model:
        layer = tf.keras.Sequential([tf.keras.Input((3,)), layer])
    assert _gradients(layer, X, [4, 3]) == [[[18] * 3, [22] * 3, [26] * 3], [4] * 3]
    assert _gradients(layer, X, [4, 1]) == [[[18], [22], [26]], [4]]


def test_a_bias_has_no_gradient_by_a_vector() -> None:
    layer = tf.keras.layers.Dense(2, kernel_initializer="ones")
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"Input tensor must be at least 2D: \[2\] \[Op:BiasAddGrad"
    ):
        _gradients(layer, X, [2])
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"In\[0\]: \[4,3\], In\[1\]: \[3,2\] \[Op:MatMul"):
        _gradients(layer, X, [3, 2])


def test_a_single_unit_is_a_sum() -> None:
    layer = tf.keras.layers.Dense(1, kernel_initializer="ones")
    assert _gradients(layer, X, [4, 1]) == [[[18], [22], [26]], [4]]


@pytest.mark.parametrize(
    "kind, shape", [("Conv1D", (1, 4, 3)), ("Conv2D", (1, 3, 3, 2)), ("Conv2DTranspose", (1, 2, 2, 2))]
)
def test_convolutions_sum_the_upstream_for_their_bias(kind: str, shape: tuple[int, ...]) -> None:
    layer = getattr(tf.keras.layers, kind)(2, 2, kernel_initializer="ones")
    x = tf.constant(np.linspace(0, 1, int(np.prod(shape))).reshape(shape), tf.float32)
    with tf.GradientTape() as tape:
        y = layer(x)
    slope = tape.gradient(y, layer.bias)
    assert slope.shape == (2,) and float(slope[0]) == np.prod(y.shape[:-1])
