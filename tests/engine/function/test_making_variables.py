"""Functions that make variables, layers and optimizers: on the first call only; layers whose calls are functions."""

import numpy as np
import pytest

import reference_impl as tf

_ONCE = "singleton tf.Variables created on the first call"
_L = tf.keras.layers


def _with_init_scope(make):
    def f(x):
        with tf.init_scope():
            made = make()
        return made(x) if callable(made) else made * x

    return f


def _trained(x):
    w, optimizer = _WEIGHT, tf.keras.optimizers.Adam()
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w * x)
    optimizer.apply_gradients([(tape.gradient(loss, w), w)])
    return loss


_WEIGHT = tf.Variable(1.0)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: tf.Variable(1.0) * x,
        lambda x: tf.keras.Variable(1.0) * x,
        lambda x: _L.Dense(2)(x) * 1.0,
        lambda x: _L.BatchNormalization()(x) * 1.0,
        lambda x: _L.Dropout(0.5)(x) * 1.0,
        lambda x: _L.GaussianNoise(0.5)(x) * 1.0,
        lambda x: _L.Embedding(5, 2)(tf.cast(x, tf.int32)) * 1.0,
        lambda x: tf.keras.Sequential([_L.Dense(1)])(x) * 1.0,
        lambda x: tf.keras.metrics.Mean()(x) * 1.0,
        lambda x: tf.random.Generator.from_seed(1).normal([2]) + x,
        lambda x: tf.cond(x[0, 0] > 0, lambda: _L.Dense(2)(x), lambda: x),
        lambda x: tf.keras.random.normal((2, 2), seed=tf.keras.random.SeedGenerator(1)) * x,
        _with_init_scope(lambda: tf.Variable(2.0)),
        _with_init_scope(lambda: _L.Dense(2)),
        _trained,
    ],
)
def test_what_is_made_on_every_call_is_refused(f):
    f, x = tf.function(f), tf.constant([[1.0, 2.0], [3.0, 4.0]])
    for _ in range(2):
        with pytest.raises(ValueError, match=_ONCE):
            f(x)
    with pytest.raises(ValueError, match=_ONCE):
        f.get_concrete_function(x)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: _L.Flatten()(x) * 1.0,
        lambda x: _L.Activation("relu")(x) * 1.0,
        lambda x: tf.keras.losses.MeanSquaredError()(x, x),
        lambda x: tf.keras.initializers.Ones()((2, 2)) * x,
        lambda x: (_L.Dense(2), x)[1],
    ],
)
def test_what_has_no_variables_may_be_made(f):
    f, x = tf.function(f), tf.constant([[1.0, 2.0], [3.0, 4.0]])
    np.testing.assert_array_equal(f(x), f(x))


@pytest.mark.parametrize("around", ["none", "function", "loop"])
def test_a_layer_that_is_made_once_may_be(around):
    kept, x = [], tf.constant([[1.0, 2.0], [3.0, 4.0]])

    def f(x):
        if not kept:
            kept.append(_L.Dense(2, kernel_initializer="ones"))
        return kept[0](x)

    if around == "function":
        inner = tf.function(f)
        f = lambda x: inner(x) * 1.0  # noqa: E731
    if around == "loop":

        def f(x):
            for _ in tf.range(1):
                if not kept:
                    kept.append(_L.Dense(2, kernel_initializer="ones"))
                x = kept[0](x)
            return x

    f = tf.function(f)
    assert f(x).numpy().tolist() == [[3.0, 3.0], [7.0, 7.0]]
    assert f(x[:1]).numpy().tolist() == [[3.0, 3.0]]
    assert f.get_concrete_function(x)(x).numpy().tolist() == [[3.0, 3.0], [7.0, 7.0]]


def test_a_later_call_that_makes_a_variable_is_refused_in_other_words():
    kept, x = [], tf.constant([1.0, 2.0])

    @tf.function
    def f(x, make):
        if make:
            kept.append(tf.Variable(1.0))
        return x * (kept[-1] if kept else 1.0)

    assert f(x, False).shape == (2,)
    with pytest.raises(ValueError, match="Creating variables on a non-first call to a function decorated"):
        f(x, True)
    with pytest.raises(ValueError, match=_ONCE):
        f(x, True)


class Doubling(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = _L.Dense(2, kernel_initializer="ones")

    @tf.function
    def call(self, x, training=False):
        return self.dense(x) * (2.0 if training else 1.0)


class Scaled(_L.Layer):
    def build(self, input_shape):
        self.w = self.add_weight(shape=(input_shape[-1],), initializer="ones")

    @tf.function
    def call(self, x):
        return x * self.w


def test_a_model_whose_call_is_a_function():
    model, x = Doubling(), tf.constant([[1.0, 2.0]])
    assert model(x).numpy().tolist() == [[3.0, 3.0]]
    assert model(x, training=True).numpy().tolist() == [[6.0, 6.0]]
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(x, training=True))
    found = tape.gradient(loss, model.trainable_variables)
    assert [g.numpy().tolist() for g in found] == [[[2.0, 2.0], [4.0, 4.0]], [2.0, 2.0]]
    model.compile(tf.keras.optimizers.SGD(0.1), "mse")
    np.testing.assert_allclose(model.fit(x, x, epochs=2, verbose=0).history["loss"], [20.5, 40.18], rtol=1e-5)


def test_a_layer_whose_call_is_a_function():
    layer, x = Scaled(), tf.constant([[1.0, 2.0]])
    assert layer(x).numpy().tolist() == [[1.0, 2.0]]
    model = tf.keras.Sequential([layer, _L.Dense(1, kernel_initializer="ones")])
    assert model(x).numpy().tolist() == [[3.0]] and model.predict(x, verbose=0).tolist() == [[3.0]]
    inputs = tf.keras.Input((2,))
    assert tf.keras.Model(inputs, Scaled()(inputs))(x).numpy().tolist() == [[1.0, 2.0]]
