"""Where each axis that is summed over holds one number, -0.0 stays -0.0, as in TensorFlow's kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import reference_impl as tf

KEPT = [((1,), None), ((), None), ((2, 1), 1), ((1, 2), 0), ((1, 3, 1), (0, 2)), ((2, 1), ())]
ADDED = [((2,), None), ((2, 2), 0), ((1, 2), None), ((3, 1), (0, 1))]


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16", "complex64"])
@pytest.mark.parametrize("function", [tf.reduce_sum, tf.reduce_mean])
@pytest.mark.parametrize(("shape", "axis", "kept"), [(*c, True) for c in KEPT] + [(*c, False) for c in ADDED])
def test_the_sign_of_zero(shape: Any, axis: Any, kept: bool, function: Any, dtype: str) -> None:
    found = np.real(function(-tf.zeros(shape, dtype), axis).numpy()).astype("float64")
    assert (np.signbit(found) == kept).all()


def test_gradients_of_what_is_repeated_once() -> None:
    x = tf.constant([0.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        ys = x * tf.ones([1, 1]), tf.nn.bias_add(tf.ones([1, 1]), x), tf.tile(x, [1]), tf.repeat(x, 1)
    assert all(np.signbit(tape.gradient(y, x, -tf.zeros_like(y)).numpy()).all() for y in ys)


def test_one_number_in_a_vector_fills_a_tensor_and_its_gradient_is_a_number() -> None:
    x = tf.constant([3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.fill([2], x)
    assert y.numpy().tolist() == [3.0, 3.0] and tape.gradient(y, x).shape == ()
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"value must represent a scalar, got shape \[2\]"):
        tf.fill([2], [1.0, 2.0])


@pytest.mark.parametrize("operand", [[[1.0]], (1.0,), 1.0, None])
def test_einsum_takes_no_lists(operand: Any) -> None:
    with pytest.raises(AttributeError, match=f"'{type(operand).__name__}' object has no attribute 'shape'"):
        tf.einsum("...->", operand)
