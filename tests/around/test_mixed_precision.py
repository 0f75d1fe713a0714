"""Layers that compute in half precision with variables in single precision, as Keras 3.15 has them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import reference_impl as tf


@pytest.fixture(autouse=True)
def _policy() -> Iterator[None]:
    tf.keras.mixed_precision.set_global_policy("mixed_float16")
    yield
    tf.keras.backend.set_floatx("float32")
    tf.keras.backend.clear_session()


def test_gradients_have_the_dtype_of_the_variables() -> None:
    dense = tf.keras.layers.Dense(2, kernel_initializer="ones")
    with tf.GradientTape() as tape:
        y = dense(tf.ones((3, 4)))
    gradient = tape.gradient(y, dense.kernel)
    assert (y.dtype, dense.dtype, dense.compute_dtype) == (tf.float16, "float32", "float16")
    assert gradient.dtype == tf.float32 and gradient.numpy().tolist() == [[3.0, 3.0]] * 4


def test_a_layer_reads_its_variables_in_its_own_dtype() -> None:
    class Scaled(tf.keras.layers.Layer):
        def build(self, shape: object) -> None:
            self.w = self.add_weight(shape=(2,), initializer="ones")
            self.stays = self.add_weight(shape=(2,), initializer="ones", autocast=False)

        def call(self, x: tf.Tensor) -> tf.Tensor:
            seen.extend([x.dtype, (self.w * x).dtype, self.w.dtype, self.w.value.dtype, self.w[0].dtype])
            seen.append(self.stays.value.dtype)
            return x * self.w

    seen: list = []
    layer = Scaled()
    assert layer(tf.ones((1, 2))).dtype == tf.float16
    assert seen == [tf.float16, tf.float16, "float16", tf.float16, tf.float16, tf.float32]
    assert layer.w.value.dtype == tf.float32


def test_a_loss_is_scaled_and_gradients_are_unscaled() -> None:
    dense, last = (
        tf.keras.layers.Dense(1, kernel_initializer="ones"),
        tf.keras.layers.Activation("linear", dtype="float32"),
    )
    optimizer = tf.keras.mixed_precision.LossScaleOptimizer(tf.keras.optimizers.SGD(0.1))

    @tf.function
    def step(x: tf.Tensor) -> tf.Tensor:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.cast(dense(x), tf.float32))
            scaled = optimizer.scale_loss(loss)
        variables = dense.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(scaled, variables), variables))
        return loss

    assert float(step(tf.ones((3, 2)))) == 2.0
    np.testing.assert_allclose(dense.kernel.numpy(), [[0.9], [0.9]], rtol=1e-6)
    assert (float(optimizer.dynamic_scale), last.compute_dtype) == (2.0**15, "float32")


def test_models_of_mixed_precision_scale_their_losses() -> None:
    inputs = tf.keras.Input((4,))
    hidden = tf.keras.layers.Dense(3, "relu")(inputs)
    model = tf.keras.Model(inputs, tf.keras.layers.Dense(1, dtype="float32")(hidden))
    model.compile("sgd", "mse")
    assert (inputs.dtype, hidden.dtype, model.outputs[0].dtype) == ("float32", "float16", "float32")
    assert type(model.optimizer).__name__ == "LossScaleOptimizer"
    model.fit(np.ones((4, 4), "f"), np.ones((4, 1), "f"), verbose=0)


def test_the_policy_is_kept_from_the_first_layer_on() -> None:
    tf.keras.backend.clear_session()
    tf.keras.layers.Dense(1)
    tf.keras.backend.set_floatx("float64")
    assert tf.keras.layers.Dense(1).dtype == "float32"
    tf.keras.backend.clear_session()
    assert repr(tf.keras.layers.Dense(1).dtype_policy) == '<DTypePolicy "float64">'


@pytest.mark.parametrize(
    ("policy", "error", "text"),
    [
        ("abc", ValueError, "Cannot convert 'abc' to a mixed precision DTypePolicy. Valid policies include"),
        (3, ValueError, "Invalid `policy` argument. Expected the string name of a policy"),
    ],
)
def test_what_is_no_policy_is_refused(policy: object, error: type, text: str) -> None:
    with pytest.raises(error, match=text):
        tf.keras.mixed_precision.set_global_policy(policy)
