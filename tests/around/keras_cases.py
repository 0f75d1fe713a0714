"""Programs about training with Keras, each a function of the module `tf` that gives nests of numbers and texts.

`python tests/around/keras_cases.py` runs them on TensorFlow and writes what it gives to recorded_keras_cases.json.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

RECORDED = Path(__file__).parent / "recorded_keras_cases.json"
CASES: dict[str, Callable[[Any], Any]] = {}


def case(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    CASES[function.__name__] = function
    return function


def normal(shape: Any, seed: int, scale: float = 0.5) -> np.ndarray:
    return (np.random.RandomState(seed).standard_normal(shape) * scale).astype("float32")


def start(model: Any, seed: int = 1) -> Any:
    """A model with weights that are the same everywhere."""
    fixed = ("variance", "seed")
    own = [
        w.numpy() if any(word in w.path for word in fixed) else normal(tuple(w.shape), seed + k, 0.3)
        for k, w in enumerate(model.weights)
    ]
    model.set_weights(own)
    return model


def plain(value: Any) -> Any:
    """Numbers and texts that JSON holds."""
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in sorted(value.items())}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if hasattr(value, "dense_shape") and value.dense_shape is not None:
        return [plain(value.values), plain(value.indices)]
    return np.asarray(value).astype("float64").round(6).tolist()


def raised(function: Callable[[], Any]) -> str:
    try:
        function()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "nothing raised"


IDS = np.array([[1, 2, 0, 0], [3, 4, 5, 6]])


@case
def masks_through_functional_models(tf: Any) -> Any:
    keras, layers = tf.keras, tf.keras.layers
    given = keras.Input((4,), dtype="int32")
    x = layers.Embedding(7, 3, mask_zero=True)(given)
    y = layers.Bidirectional(layers.LSTM(2, return_sequences=True), merge_mode=None)(x)
    y = layers.Concatenate()(y)
    model = start(keras.Model(given, layers.GRU(2)(layers.Add()([y, layers.Dense(4)(y)]))))
    with tf.GradientTape() as tape:
        total = tf.reduce_sum(model(IDS) ** 2)
    return total, tape.gradient(total, model.trainable_variables), [type(o).__name__ for o in model.operations]


@case
def masks_and_attention(tf: Any) -> Any:
    layers = tf.keras.layers
    embedding, attention = layers.Embedding(7, 6, mask_zero=True), layers.MultiHeadAttention(2, 3)
    attention(embedding(IDS), embedding(IDS))
    start(embedding), start(attention, 5)
    x = embedding(IDS)
    first, second = attention(x, x), attention(x, x, use_causal_mask=True)  # the first call took the mask away
    other = attention(embedding(IDS[:, :3]), embedding(IDS))
    given = tf.keras.Input((4,), dtype="int32")
    z = embedding(given)
    model = tf.keras.Model(given, layers.Flatten()(layers.Attention()([z, z])))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return first, second, other, model(IDS)


@case
def a_layer_with_its_own_mask(tf: Any) -> Any:
    class Even(tf.keras.layers.Layer):
        def compute_mask(self, x: Any, mask: Any = None) -> Any:
            return tf.reduce_any(tf.not_equal(x, 0), axis=-1)

        def call(self, x: Any) -> Any:
            return x * 2

    x = normal((2, 4, 3), 1)
    x[0, 2:] = 0
    made = Even()(tf.constant(x))
    lstm = tf.keras.layers.LSTM(2, kernel_initializer="ones", recurrent_initializer="ones")
    return lstm(made), made._keras_mask


@case
def dropout_of_recurrent_layers(tf: Any) -> Any:
    layers = tf.keras.layers
    x = tf.constant(normal((2, 4, 3), 1))
    options = {"dropout": 0.4, "recurrent_dropout": 0.3, "seed": 5}
    found = []
    for layer in (
        layers.LSTM(3, **options), layers.GRU(3, **options), layers.GRU(3, reset_after=False, **options),
        layers.SimpleRNN(3, **options), layers.LSTM(3, dropout=0.4, seed=5), layers.LSTM(3, implementation=1),
        layers.Bidirectional(layers.GRU(2, dropout=0.4, seed=5)),
        layers.RNN([layers.LSTMCell(3, dropout=0.3, seed=1), layers.GRUCell(2, recurrent_dropout=0.3, seed=2)]),
    ):  # fmt: skip
        layer(x)
        start(layer)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = layer(x, training=True)
            total = tf.reduce_sum(y**2)
        found += [y, tape.gradient(total, [x, *layer.trainable_variables]), layer(x, training=True), layer(x)]
    cell, states = layers.LSTMCell(3, dropout=0.5, seed=1), [tf.zeros((2, 3))] * 2
    cell(x[:, 0], states)
    start(cell)
    return found, [cell(x[:, 0], states, training=True)[0] for _ in range(2)]


@case
def stateful_layers(tf: Any) -> Any:
    keras, layers = tf.keras, tf.keras.layers
    model = keras.Sequential(
        [
            keras.Input(batch_shape=(2, 3, 4)),
            layers.GRU(3, stateful=True, return_sequences=True),
            layers.LSTM(2, stateful=True),
        ]
    )
    start(model)
    x = tf.constant(normal((2, 3, 4), 1))
    found = []
    for _ in range(2):
        with tf.GradientTape() as tape:
            total = tf.reduce_sum(model(x) ** 2)
        found += [total, tape.gradient(total, model.trainable_variables)]
    found += [model.layers[0].states[0], len(model.weights), tf.function(model)(x)]
    model.layers[1].reset_states()
    found += [model.layers[1].states, model(x)]
    return found, raised(lambda: keras.Sequential([keras.Input((3, 4)), layers.LSTM(2, stateful=True)]))


@case
def cells_of_ones_own(tf: Any) -> Any:
    class Cell(tf.keras.layers.Layer):
        def __init__(self, units: int, **kwargs: Any) -> None:
            super().__init__(**kwargs)
            self.units = self.state_size = units

        def build(self, shape: Any) -> None:
            self.kernel = self.add_weight(shape=(shape[-1], self.units), name="kernel")
            self.recurrent = self.add_weight(shape=(self.units, self.units), name="recurrent")

        def call(self, x: Any, states: Any) -> Any:
            new = tf.tanh(tf.matmul(x, self.kernel) + tf.matmul(states[0], self.recurrent))
            return new, new

    x = tf.constant(normal((2, 4, 5), 1))
    found = []
    for cell in (Cell(3), [Cell(2), tf.keras.layers.GRUCell(3)]):
        layer = tf.keras.layers.RNN(cell, return_sequences=True, return_state=True)
        layer(x)
        start(layer)
        with tf.GradientTape() as tape:
            outputs = layer(x)
            total = tf.reduce_sum(outputs[0] ** 2)
        found += [list(outputs), tape.gradient(total, layer.trainable_variables)]
    return found


def two_outputs(tf: Any, named: bool) -> Any:
    layers = tf.keras.layers
    given = tf.keras.Input((4,), name="given")
    hidden = layers.Dense(5, activation="relu", name="hidden")(given)
    a, b = layers.Dense(1, name="a")(hidden), layers.Dense(3, activation="softmax", name="b")(hidden)
    return start(tf.keras.Model(given, {"a": a, "b": b} if named else [a, b]))


@case
def several_outputs(tf: Any) -> Any:
    x = normal((8, 4), 1)
    labels = [normal((8, 1), 2), np.eye(3, dtype="float32")[np.arange(8) % 3]]
    named = {"a": labels[0], "b": labels[1]}
    quiet = {"verbose": 0, "shuffle": False, "batch_size": 4}
    model = two_outputs(tf, named=True)
    model.compile(
        "sgd", loss={"a": "mse", "b": "categorical_crossentropy"}, loss_weights={"a": 0.3, "b": 2.0},
        metrics={"a": ["mae"], "b": ["accuracy"]},
    )  # fmt: skip
    found = [model.fit(x, named, epochs=2, **quiet).history, model.evaluate(x, named, verbose=0), model.metrics_names]
    model = two_outputs(tf, named=False)
    model.compile(
        "sgd", loss=["mse", "categorical_crossentropy"], loss_weights=[1.0, 0.5], metrics=[["mae"], ["accuracy"]],
        weighted_metrics=[["mae"], None],
    )  # fmt: skip
    found += [model.fit(x, labels, validation_data=(x, labels), **quiet).history, model.train_on_batch(x, labels)]
    found += [model.predict(x[:2], verbose=0), model.evaluate(x, named, verbose=0, return_dict=True)]
    model.compile("sgd", loss="mse")
    found += [model.evaluate(x, labels, verbose=0)]
    model = two_outputs(tf, named=False)
    model.compile("sgd", loss={"a": "mse", "c": "mse"})
    return found, raised(lambda: model.fit(x, labels, verbose=0))


@case
def steps_that_are_counted(tf: Any) -> Any:
    model = start(tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)]))
    model.compile("sgd", "mse")
    x, y = normal((10, 4), 1), normal((10, 1), 2)
    data = tf.data.Dataset.from_tensor_slices((x, y)).batch(2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [model.fit(data.repeat(), steps_per_epoch=2, epochs=4, verbose=0).history]
        found += [model.fit(x, y, batch_size=2, steps_per_epoch=2, epochs=2, shuffle=False, verbose=0).history]
    return found, raised(lambda: model.fit(x, y[:5], verbose=0)), raised(lambda: model.fit(data, y, verbose=0))


@case
def calls_without_state(tf: Any) -> Any:
    keras, layers = tf.keras, tf.keras.layers
    model = keras.Sequential(
        [keras.Input((4,)), layers.Dense(3), layers.BatchNormalization(), layers.Dropout(0.5, seed=3), layers.Dense(1)]
    )
    start(model)
    x = tf.constant(normal((6, 4), 1))
    own = [tf.convert_to_tensor(v) for v in model.trainable_variables]
    others = [tf.convert_to_tensor(v) for v in model.non_trainable_variables]
    with tf.GradientTape() as tape:
        tape.watch(own)
        y, after = model.stateless_call(own, others, x, training=True)
        total = tf.reduce_sum(y**2)
    metric = keras.metrics.MeanSquaredError()
    state = metric.stateless_update_state([v.value for v in metric.variables], tf.ones((3, 1)), tf.zeros((3, 1)))
    found = [y, after, tape.gradient(total, own), model.non_trainable_variables, state, metric.stateless_result(state)]
    found += [metric.result(), metric.stateless_reset_state()]
    return found, raised(lambda: model.stateless_call(own[:1], others, x))


@case
def configurations(tf: Any) -> Any:
    keras, layers = tf.keras, tf.keras.layers
    found = []
    for layer in (
        layers.Dense(3, activation="relu", kernel_regularizer=keras.regularizers.L2(0.01), name="dense"),
        layers.Conv2D(4, 3, padding="same", name="conv"), layers.LSTM(4, dropout=0.1, name="lstm"),
        layers.BatchNormalization(name="norm"), layers.Embedding(4, 3, mask_zero=True, name="embedding"),
        layers.MultiHeadAttention(2, 3, name="attention"), layers.MaxPooling2D(name="pool"),
        layers.Bidirectional(layers.GRU(2, name="gru"), name="both"), layers.Dropout(0.5, name="dropout"),
    ):  # fmt: skip
        config = layer.get_config()
        found += [json.dumps(config), json.dumps(type(layer).from_config(config).get_config()) == json.dumps(config)]
    model = two_outputs(tf, named=True)
    for copy in (keras.Model.from_config(model.get_config()), keras.models.model_from_json(model.to_json())):
        copy.set_weights(model.get_weights())
        found += [copy(normal((2, 4), 3)), copy.name == model.name, [layer.name for layer in copy.layers]]
    model = keras.Sequential([keras.Input((4,), name="x"), layers.Dense(2, name="y")], name="whole")
    return found, json.dumps(model.get_config()), keras.Sequential.from_config(model.get_config()).count_params()


@case
def averages_in_the_model(tf: Any) -> Any:
    model = start(tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)]))
    model.compile(tf.keras.optimizers.SGD(0.1, use_ema=True, ema_momentum=0.5), "mse")
    x, y = normal((12, 4), 1), normal((12, 1), 2)
    found = []
    for swapping in (True, False):
        callback = tf.keras.callbacks.SwapEMAWeights(swap_on_epoch=swapping)
        fitted = model.fit(
            x, y, validation_data=(x, y), epochs=2, batch_size=4, callbacks=[callback], verbose=0, shuffle=False
        )
        found += [fitted.history, model.get_weights()]
    return found


@case
def rows_twice_in_adadelta(tf: Any) -> Any:
    table = tf.keras.Variable(normal((4, 3), 1))
    optimizer = tf.keras.optimizers.Adadelta(1.0)
    for _ in range(3):
        with tf.GradientTape() as tape:
            total = tf.reduce_sum(tf.gather(table.value, [0, 1, 1, 3]) ** 2)
        optimizer.apply([tape.gradient(total, table)], [table])
    return table.numpy()


@case
def state_as_a_tree(tf: Any) -> Any:
    model = start(tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(2, name="d")], name="m"))
    model.compile(tf.keras.optimizers.Adam(name="adam"), "mse")
    tree = model.get_state_tree("numpy_array")
    tree["trainable_variables"]["m"]["d"]["bias"] = np.ones(2, "float32")
    model.set_state_tree(tree)
    return tree, model.get_weights()


@case
def steps_of_ones_own_on_inputs_alone(tf: Any) -> Any:
    class Model(tf.keras.Model):
        def train_step(self, data: Any) -> Any:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((self(data[..., :4]) - data[..., 4:]) ** 2)
            own = self.trainable_variables
            self.optimizer.apply_gradients(zip(tape.gradient(loss, own), own))
            return {"loss": loss}

    given = tf.keras.Input((4,))
    model = start(Model(given, tf.keras.layers.Dense(1)(given)))
    model.compile("sgd")
    return model.fit(normal((8, 5), 1), batch_size=4, epochs=2, verbose=0, shuffle=False).history, model.get_weights()


@case
def batches_by_number(tf: Any) -> Any:
    class Rows(tf.keras.utils.PyDataset):
        ends = 0

        def __len__(self) -> int:
            return 3

        def __getitem__(self, index: int) -> Any:
            rows = slice(4 * index, 4 * index + 4)
            return normal((10, 4), 1)[rows], normal((10, 1), 2)[rows]

        def on_epoch_end(self) -> None:
            self.ends += 1

    rows = Rows()
    model = start(tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)]))
    model.compile("sgd", "mse")
    found = [model.fit(rows, epochs=2, shuffle=False, verbose=0, validation_data=rows).history]
    found += [model.evaluate(rows, verbose=0), model.predict(rows, verbose=0), rows.num_batches, rows.workers]
    packed = [
        tf.keras.utils.pack_x_y_sample_weight(*given) for given in ((1,), ([1],), (1, 2), (1, 2, 3), (1, None, 3))
    ]
    unpacked = [tf.keras.utils.unpack_x_y_sample_weight(given) for given in (1, (1,), (1, 2), (1, 2, 3), [1, 2])]
    return found, packed, unpacked, raised(lambda: model.fit(rows, normal((10, 1), 2), verbose=0))


@case
def adam_without_a_schedule(tf: Any) -> Any:
    found = []
    for options in ({}, {"warmup_steps": 2, "beta_1": 0.8, "weight_decay": 0.1}):
        model = start(tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(2)]))
        optimizer = tf.keras.optimizers.ScheduleFreeAdamW(0.05, **options)
        for _ in range(4):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((model(normal((5, 4), 1)) - normal((5, 2), 2)) ** 2)
            own = model.trainable_variables
            optimizer.apply_gradients(zip(tape.gradient(loss, own), own))
            found += [loss]
        found += [model.get_weights(), [v.path.rpartition("/")[2] for v in optimizer.variables][:1]]
    return found, sorted(optimizer.get_config())


@case
def inputs_of_another_rank_or_dtype(tf: Any) -> Any:
    keras, layers = tf.keras, tf.keras.layers
    found = []
    for shape, layer, x in (
        ((4, 1), layers.LSTM(2), normal((2, 4), 1)), ((4,), layers.Dense(2), normal((2, 4, 1), 1)),
        ((1,), layers.Dense(2), normal((2,), 1)), ((4,), layers.Dense(2), np.ones((2, 4), int)),
    ):  # fmt: skip
        found += [start(keras.Sequential([keras.Input(shape), layer]))(x)]
    model = start(keras.Sequential([keras.Input((4,)), layers.Embedding(9, 2)]))
    with tf.GradientTape() as tape:
        total = tf.reduce_sum(model(IDS) ** 2)
    slices = tape.gradient(total, model.trainable_variables)[0]
    return found, slices.indices.dtype.name, slices.values


@case
def nests(tf: Any) -> Any:
    tree = tf.keras.tree
    nested = {"b": [1, 2], "a": (3,)}
    found = [tree.flatten(nested), tree.map_structure(lambda x: x + 1, nested), tree.is_nested([]), tree.flatten(None)]
    found += [
        str(tree.flatten_with_path(nested)),
        str(tree.lists_to_tuples(nested)),
        tree.pack_sequence_as(nested, [7, 8, 9]),
    ]
    found += [tree.traverse(lambda x: 0 if isinstance(x, tuple) else None, nested)]
    found += [tree.traverse(lambda x: tree.MAP_TO_NONE if x == 1 else None, [1, 2])]
    found += [tree.map_structure_up_to([0, 0], len, [[1], [2, 3]])]
    wrong = [
        lambda: tree.assert_same_structure(nested, {"a": (1,), "b": [1]}),
        lambda: tree.assert_same_structure({"a": 1}, {"b": 1}),
        lambda: tree.assert_same_structure([1], (1,)),
        lambda: tree.assert_same_structure([1], [[1]]),
        lambda: tree.pack_sequence_as(nested, [1]),
        lambda: tree.map_structure(lambda a, b: 0, [1], [1, 2]),
        lambda: tree.assert_same_paths([1, 2], (1, 2, 3)),
    ]
    return found, [raised(function) for function in wrong]


if __name__ == "__main__":
    import tensorflow

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = {name: plain(function(tensorflow)) for name, function in CASES.items()}
    RECORDED.write_text(json.dumps(found, indent=0) + "\n", encoding="utf-8")
