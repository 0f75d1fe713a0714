"""Functional models, layers in loops of traced functions, and what is loaded late, beyond what TensorFlow recorded."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import reference_impl as tf

keras, layers = tf.keras, tf.keras.layers


@pytest.mark.parametrize("kind", ["SimpleRNN", "GRU", "LSTM"])
@pytest.mark.parametrize("options", [{}, {"return_sequences": True}, {"go_backwards": True, "return_state": True}])
def test_a_recurrent_layer_takes_sequences_whose_length_a_traced_function_does_not_know(
    kind: str, options: dict[str, Any]
) -> None:
    layer = getattr(layers, kind)(3, **options)
    x = tf.constant(np.random.default_rng(0).normal(size=(2, 5, 4)).astype("float32"))
    mask = tf.constant([[True, True, False, True, False], [True] * 5])
    layer.build((None, None, 4))

    def total(x: Any, mask: Any) -> Any:
        return tf.add_n([tf.reduce_sum(y**2) for y in tf.nest.flatten(layer(x, mask=mask))])

    looped = tf.function(total, input_signature=[tf.TensorSpec([None, None, 4]), tf.TensorSpec([None, None], tf.bool)])
    found = []
    for function in (total, looped):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x, mask)
        found.append([y, *tape.gradient(y, [x, *layer.trainable_variables])])
    for want, got in zip(*found):
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-6)


def test_layers_optimizers_and_functions_that_are_seldom_used_are_loaded_when_they_are() -> None:
    code = (
        "import sys, reference_impl as tf; tf.keras.layers.Dense, tf.keras.optimizers.Adam, tf.keras.losses.MSE\n"
        "words = 'operations more_kinds more_losses confusion scores attention transposed wrapping functional random'\n"
        "print([m for m in sys.modules if m.startswith('reference_impl.keras') and m.split('.')[-1] in words.split()])"
    )
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert done.stdout == "[]\n"


def test_a_layer_that_says_the_shape_of_its_outputs_is_not_traced() -> None:
    class Python(layers.Layer):
        def call(self, x: Any) -> Any:
            return tf.constant(np.sort(x.numpy(), axis=-1))

        def compute_output_shape(self, input_shape: Any) -> Any:
            return input_shape

    i = keras.Input((3,))
    model = keras.Model(i, Python()(i))
    assert model.output_shape == (None, 3)
    assert model(tf.constant([[3.0, 1.0, 2.0]])).numpy().tolist() == [[1.0, 2.0, 3.0]]


def test_a_long_chain_of_layers_is_a_model() -> None:
    i = x = keras.Input((2,))
    for _ in range(1500):
        x = x + 1.0
    model = keras.Model(i, x)
    assert len(model.operations) == 1501 and model(tf.zeros((1, 2))).numpy().tolist() == [[1500.0, 1500.0]]


def test_a_model_inside_a_model_shares_its_weights_and_its_gradients_add_up() -> None:
    i = keras.Input((2,))
    inner = keras.Model(i, layers.Dense(2, kernel_initializer="ones")(i))
    twice = keras.Model(i, inner(inner(i)))
    assert [id(w) for w in twice.weights] == [id(w) for w in inner.weights]
    x = tf.constant([[1.0, 2.0]])
    with tf.GradientTape(persistent=True) as tape:
        by_model, by_hand = tf.reduce_sum(twice(x)), tf.reduce_sum(inner(inner(x)))
    for want, got in zip(tape.gradient(by_hand, inner.weights), tape.gradient(by_model, inner.weights)):
        np.testing.assert_array_equal(got, want)


def test_adding_layers_one_by_one_builds_each_once_and_keeps_the_shapes() -> None:
    model = keras.Sequential([keras.Input((4,))])
    for units in (3, 5):
        model.add(layers.Dense(units))
    assert (model.output_shape, len(model.weights)) == ((None, 5), 4)
    model.pop()
    assert model.output_shape == (None, 3) and model(tf.ones((2, 4))).shape == (2, 3)
