"""Functional models whose graphs call operations with slices, arrays, tensors and dtypes: made again of their JSON."""

from __future__ import annotations

import json

import numpy as np
import pytest

import reference_impl as tf

ops = tf.keras.ops
X = (np.arange(6).reshape(2, 3) / 4).astype("float32")
GRAPHS = {
    "an operator": (lambda i: 1.0 - i, [[1.0, 0.75, 0.5], [0.25, 0.0, -0.25]]),
    "a function": (lambda i: ops.relu(i - 0.5), [[0.0, 0.0, 0.0], [0.25, 0.5, 0.75]]),
    "slices": (lambda i: i[:, 0:2], [[0.0, 0.25], [0.75, 1.0]]),
    "a place": (lambda i: i[:, 1], [0.25, 1.0]),
    "a new axis": (lambda i: i[..., None], [[[0.0], [0.25], [0.5]], [[0.75], [1.0], [1.25]]]),
    "a tensor": (lambda i: ops.matmul(i, ops.ones((3, 2))), [[0.75, 0.75], [3.0, 3.0]]),
    "an array": (lambda i: i + np.ones(3, "float32"), [[1.0, 1.25, 1.5], [1.75, 2.0, 2.25]]),
    "places in an array": (lambda i: ops.take(i, np.array([2, 0]), axis=1), [[0.5, 0.0], [1.25, 0.75]]),
    "a variable": (lambda i: i * tf.Variable(2.0), [[0.0, 0.5, 1.0], [1.5, 2.0, 2.5]]),
    "a dtype": (lambda i: ops.cast(i, tf.float16), [[0.0, 0.25, 0.5], [0.75, 1.0, 1.25]]),
    "one of several outputs": (lambda i: ops.split(i, 3, axis=1)[1], [[0.25], [1.0]]),
}


def model_of(graph):
    i = tf.keras.Input((3,))
    return tf.keras.Model(i, graph(i))


@pytest.mark.parametrize("name", GRAPHS)
def test_a_model_with_operations_is_made_of_its_configuration_and_of_json(name):
    graph, want = GRAPHS[name]
    model = model_of(graph)
    again = (tf.keras.Model.from_config(model.get_config()), tf.keras.models.model_from_json(model.to_json()))
    for made in (model, *again, tf.keras.models.clone_model(model)):
        got = made(X)
        assert got.dtype == model(X).dtype
        np.testing.assert_array_equal(got.numpy(), want)


@pytest.mark.parametrize(
    ("graph", "want"),
    [
        (
            lambda i: i[:, 0:2],
            [
                {"class_name": "__slice__", "config": {"start": None, "stop": None, "step": None}},
                {"class_name": "__slice__", "config": {"start": 0, "stop": 2, "step": None}},
            ],
        ),
        (lambda i: i[..., None], [{"class_name": "__ellipsis__", "config": {}}, None]),
        (
            lambda i: i + np.ones(3, "float32"),
            {"class_name": "__numpy__", "config": {"value": [1.0, 1.0, 1.0], "dtype": "float32"}},
        ),
        (lambda i: i + tf.constant(1), {"class_name": "__tensor__", "config": {"value": 1, "dtype": "int32"}}),
        (
            lambda i: i * tf.Variable(2.0),
            {"class_name": "__tensor__", "config": {"value": 2.0, "dtype": "float32"}},
        ),
    ],
)
def test_arguments_of_operations_are_written_by_their_parts(graph, want):
    call = json.loads(model_of(graph).to_json())["config"]["layers"][-1]["inbound_nodes"][0]
    assert call["args"][1] == want


def test_gradients_go_through_a_model_made_of_json():
    model = tf.keras.models.model_from_json(model_of(lambda i: i[:, 1] * i[:, 2]).to_json())
    x = tf.constant(X)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(model(x))
    np.testing.assert_array_equal(tape.gradient(y, x).numpy(), [[0.0, 0.5, 0.25], [0.0, 1.25, 1.0]])


def test_a_model_called_on_itself_is_made_of_its_configuration():
    i = tf.keras.Input((2,))
    dense = tf.keras.layers.Dense(2, kernel_initializer="ones")
    inner = tf.keras.Model(i, dense(dense(i)))
    model = tf.keras.Model(i, inner(inner(i)) + dense(i))
    for made in (tf.keras.Model.from_config(model.get_config()), tf.keras.models.model_from_json(model.to_json())):
        assert made(np.array([[1.0, 2.0]], "float32")).shape == (1, 2)


@pytest.mark.parametrize(
    ("values", "places"),
    [(["", "a"], [[1]]), ([[b"x", b""], ["", ""]], [[0, 0]]), (["", ""], []), ([True, False], [[0]])],
)
def test_what_is_no_empty_text_is_kept_in_sparse_tensors(values, places):
    for make in (tf.sparse.from_dense, tf.function(tf.sparse.from_dense)):
        got = make(tf.constant(values))
        assert got.indices.numpy().tolist() == places
