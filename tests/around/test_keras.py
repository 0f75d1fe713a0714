"""The part of Keras in the engine: variables, layers, optimizers, losses, as Keras 3.15 has them."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import reference_impl as tf

layers = tf.keras.layers


def built(units: int = 2, name: str = "d") -> Any:
    layer = layers.Dense(units, name=name, kernel_initializer="ones")
    layer(tf.ones([1, 3]))
    return layer


def test_importing_the_engine_loads_none_of_it() -> None:
    code = "import sys, reference_impl; print([m for m in sys.modules if 'keras' in m or 'saved_model' in m])"
    root = Path(__file__).resolve().parents[2]
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root).stdout
        == "[]\n"
    )


def test_a_variable_of_keras_has_its_own_repr_and_an_inner_variable() -> None:
    bias = built().bias
    assert repr(bias) == "<Variable path=d/bias, shape=(2,), dtype=float32, value=[0. 0.]>"
    assert repr(bias.value).startswith("<tf.Variable 'd/bias:0' shape=(2,) dtype=float32")


def test_tapes_take_it_as_a_source_refuse_to_watch_it_and_list_its_inner_variable() -> None:
    layer = built()
    with tf.GradientTape() as tape:
        with pytest.raises(ValueError, match=r"of type 'Variable', not tf\.Tensor"):
            tape.watch(layer.bias)
        y = tf.reduce_sum(layer(tf.ones([4, 3])))
    assert all(v is w.value for v, w in zip(tape.watched_variables(), layer.variables))
    assert tape.gradient(y, layer.bias).numpy().tolist() == [4.0, 4.0]


def test_a_traced_function_has_gradients_by_the_variables_of_its_layers() -> None:
    layer = built()
    call = tf.function(layer.call)
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(call(tf.ones([4, 3])))
    assert [g.shape.as_list() for g in tape.gradient(y, layer.trainable_variables)] == [[3, 2], [2]]


def test_freezing_a_layer_changes_its_lists_but_not_what_tapes_watch() -> None:
    layer = built()
    layer.trainable = False
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(layer(tf.ones([1, 3])))
    assert layer.trainable_variables == [] and len(tape.watched_variables()) == 2
    assert all(g is not None for g in tape.gradient(y, layer.variables))


def test_a_model_builds_its_layers_by_its_first_call_inside_a_tape() -> None:
    class Net(tf.keras.Model):
        def __init__(self) -> None:
            super().__init__(name="net")
            self.parts = [layers.Dense(3, name="a"), layers.Dense(1, name="b")]

        def call(self, x: Any) -> Any:
            return self.parts[1](self.parts[0](x))

    net = Net()
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(net(tf.ones([2, 4])))
    assert [v.path for v in net.trainable_variables] == ["net/a/kernel", "net/a/bias", "net/b/kernel", "net/b/bias"]
    assert [v.name for v in tape.watched_variables()] == ["net/kernel:0", "net/bias:0", "net/kernel:0", "net/bias:0"]
    assert all(g is not None for g in tape.gradient(y, net.trainable_variables))


def test_state_that_is_made_after_building_is_refused_with_the_arguments_of_the_call() -> None:
    class Late(layers.Layer):
        def call(self, x: Any) -> Any:
            return x * self.add_weight(shape=(1,), name="w")

    with pytest.raises(ValueError, match=r"Exception encountered when calling Late\.call\(\)") as error:
        Late()(tf.ones([3, 4]))
    assert "You cannot add new elements of state" in str(error.value)
    assert str(error.value).endswith("  • x=tf.Tensor(shape=(3, 4), dtype=float32)")


def test_one_optimizer_for_two_layers_in_two_calls_is_refused_and_two_are_not() -> None:
    first, second = built(name="one"), built(name="two")
    for optimizers in ([tf.keras.optimizers.Adam()] * 2, [tf.keras.optimizers.Adam(), tf.keras.optimizers.Adam()]):
        pairs = [[(tf.ones_like(v), v) for v in layer.trainable_variables] for layer in (first, second)]
        optimizers[0].apply_gradients(pairs[0])
        if optimizers[0] is optimizers[1]:
            with pytest.raises(
                ValueError, match=r"(?s)Unknown variable: <Variable path=two/kernel.*This optimizer can only be"
            ):
                optimizers[1].apply_gradients(pairs[1])
        else:
            assert optimizers[1].apply_gradients(pairs[1]).numpy() == 1


# After three steps with these slices (row 0 twice) from [[1, 2], [3, 4], [5, 6]], as Keras gave them: one element of
# row 0 and one of row 2 for the slices, and for the same gradient made dense.
STEPS = [
    (lambda: tf.keras.optimizers.SGD(0.1), (-0.2, 4.4), (-0.2, 4.4)),
    (lambda: tf.keras.optimizers.SGD(0.1, momentum=0.9), (-1.244, 3.878), (-1.244, 3.878)),
    (lambda: tf.keras.optimizers.SGD(0.1, momentum=0.9, nesterov=True), (-2.2196, 3.3902), (-2.2196, 3.3902)),
    (lambda: tf.keras.optimizers.Adam(0.1), (0.6205295, 4.7000027), (0.7000022, 4.7000027)),
    (lambda: tf.keras.optimizers.Adam(0.1, amsgrad=True), (0.6205295, 4.7000027), (0.7000022, 4.7000027)),
    (lambda: tf.keras.optimizers.AdamW(0.1, weight_decay=0.1), (0.5946107, 4.5544872), (0.6732912, 4.5544872)),
    (lambda: tf.keras.optimizers.RMSprop(0.1), (0.0668267, 4.2622614), (0.2622619, 4.2622614)),
    (
        lambda: tf.keras.optimizers.RMSprop(0.1, momentum=0.5, centered=True),
        (-0.608381, 3.8093228),
        (-0.1906769, 3.8093228),
    ),
    (lambda: tf.keras.optimizers.Adagrad(0.1), (0.7120085, 4.773458), (0.7720356, 4.773458)),
    (lambda: tf.keras.optimizers.SGD(0.1, clipnorm=1.0), (0.7732212, 4.8866105), (0.8102634, 4.9051313)),
    (lambda: tf.keras.optimizers.SGD(0.1, clipvalue=1.0), (0.3999999, 4.7000003), (0.6999999, 4.7000003)),
    (lambda: tf.keras.optimizers.SGD(0.1, global_clipnorm=1.0), (0.7732214, 4.8866105), (0.8102634, 4.9051313)),
]


@pytest.mark.parametrize(("make", "by_rows", "dense"), STEPS)
def test_optimizers_step_as_keras_does_with_slices_and_with_the_same_gradient_made_dense(
    make: Any, by_rows: tuple, dense: tuple
) -> None:
    slices = tf.IndexedSlices(
        tf.constant([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]), tf.constant([0, 2, 0]), tf.constant([3, 2])
    )
    for gradient, want in ((slices, by_rows), (tf.convert_to_tensor(slices), dense)):
        v, optimizer = tf.keras.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), make()
        for _ in range(3):
            optimizer.apply_gradients([(gradient, v)])
        np.testing.assert_allclose([v.numpy()[0, 0], v.numpy()[2, 0]], want, rtol=3e-6)


def test_missing_gradients_warn_and_nothing_but_missing_ones_is_an_error() -> None:
    a, b = tf.keras.Variable([1.0], name="a"), tf.keras.Variable([1.0], name="b")
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        tf.keras.optimizers.SGD().apply_gradients([(None, a), (tf.constant([1.0]), b)])
    assert "Gradients do not exist for variables ['a']" in str(seen[0].message)
    with pytest.raises(ValueError, match=r"No gradients provided for any variable\."):
        tf.keras.optimizers.SGD().apply_gradients([(None, a)])


def test_schedules_give_keras_s_rates() -> None:
    s = tf.keras.optimizers.schedules
    made = {
        s.ExponentialDecay(0.1, 10, 0.5, staircase=True): [0.1, 0.05, 0.025],
        s.PolynomialDecay(0.1, 10, 0.01, power=2.0): [0.0325, 0.01, 0.01],
        s.InverseTimeDecay(0.1, 10, 0.5): [0.08, 0.06666667, 0.04444445],
        s.PiecewiseConstantDecay([5, 10], [1.0, 0.5, 0.1]): [1.0, 0.5, 0.1],
        s.CosineDecay(0.0, 10, warmup_target=1.0, warmup_steps=5): [1.0, 0.5, 0.0],
        s.CosineDecayRestarts(0.1, 10): [0.05, 0.1, 0.01464466],
    }
    for schedule, want in made.items():
        np.testing.assert_allclose([float(schedule(k)) for k in (5, 10, 25)], want, atol=1e-7)


def test_cross_entropies_use_the_logits_that_probabilities_were_computed_from() -> None:
    x, labels = tf.constant([[-100.0, 100.0]]), tf.constant([[1.0, 0.0]])
    loss = tf.keras.losses.CategoricalCrossentropy()
    assert float(loss(labels, tf.keras.activations.softmax(x))) == 200.0
    assert float(loss(labels, tf.nn.softmax(x))) < 17.0


def test_losses_reduce_and_weigh() -> None:
    y, p, w = tf.constant([[0.0], [1.0]]), tf.constant([[1.0], [3.0]]), tf.constant([1.0, 0.5])
    mse = tf.keras.losses.MeanSquaredError
    assert float(mse()(y, p)) == 2.5 and float(mse(reduction="sum")(y, p)) == 5.0
    assert mse(reduction="none")(y, p, sample_weight=w).numpy().tolist() == [1.0, 2.0]
    assert float(mse(reduction="mean_with_sample_weight")(y, p, sample_weight=w)) == 2.0


def test_seeds_give_keras_s_very_weights() -> None:
    tf.keras.utils.set_random_seed(5)
    layer = layers.Dense(50, kernel_initializer=tf.keras.initializers.GlorotUniform(seed=3))
    layer(tf.ones([1, 50]))
    np.testing.assert_allclose(layer.kernel.numpy()[0, :2], [-0.148972, 0.215234], atol=2e-6)


@pytest.mark.parametrize("name", ["datasets", "applications", "preprocessing"])
def test_what_is_out_says_what_the_engine_is_and_where_its_list_is(name: str) -> None:
    with pytest.raises(AttributeError, match=r"NumPy engine for gradient tapes.*docs/around\.md"):
        getattr(tf.keras, name)


def test_weights_made_by_a_frozen_layer_are_frozen_until_it_thaws() -> None:
    base = tf.keras.Sequential([layers.Dense(4), layers.BatchNormalization()])
    base.trainable = False
    model = tf.keras.Sequential([base, layers.Dense(1)])
    model.build((None, 3))
    assert (len(model.trainable_variables), len(model.non_trainable_variables)) == (2, 6)
    base.trainable = True
    assert (len(model.trainable_variables), len(model.non_trainable_variables)) == (6, 2)


def test_metrics_and_losses_take_lists() -> None:
    assert float(tf.keras.metrics.RootMeanSquaredError()([1.0], [3.0])) == 2.0
    assert float(tf.keras.metrics.BinaryAccuracy()([[1], [0]], [[0.9], [0.8]])) == 0.5
    assert float(tf.keras.losses.MeanSquaredError()([1.0, 2.0], [1.0, 4.0])) == 2.0


@pytest.mark.parametrize(
    ("labels", "predictions", "words"),
    [
        ([1], [[0.2, 0.8]], "Structures don't have the same nested structure."),
        ([1.0, 2.0], tf.constant([1.0, 3.0]), "Expected an instance of list, got <tf.Tensor: shape=(2,), "),
        ([[1.0], [2.0]], [1.0, 3.0], "Expected an instance of list, got <tf.Tensor: shape=(), dtype=float32, numpy=3."),
        ((1.0, 2.0), (1.0, 2.0, 3.0), "tuple arity mismatch; expected: 2, got: 3; tuple: (<tf.Tensor: shape=(),"),
        ({"a": 1.0}, {"b": 2.0}, "key(s): ['a'], got key(s): ['b'], missing key(s): ['a'], extra key(s): ['b']"),
    ],
)  # fmt: skip
def test_labels_and_predictions_of_a_loss_are_nests_of_one_structure(labels: Any, predictions: Any, words: str) -> None:
    with pytest.raises(ValueError) as caught:
        tf.keras.losses.MeanSquaredError()(labels, predictions)
    assert words in str(caught.value)


def test_each_leaf_of_a_loss_loses_a_last_axis_of_its_own() -> None:
    both = [tf.ones([2, 1]), tf.zeros([2, 1])], [tf.ones([2]), tf.ones([2])]
    assert float(tf.keras.losses.MeanSquaredError()(*both)) == 0.5
