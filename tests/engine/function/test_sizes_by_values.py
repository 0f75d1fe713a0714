"""Functions that are traced once and called with tensors of other values, on which the number of rows depends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import reference_impl as tf


def sum_of_range(n: Any) -> Any:
    s = 0
    for i in tf.range(n):
        s += i
    return s


def sum_of_chosen(x: Any) -> Any:
    s = 0.0
    for q in x[x > 1.0]:
        s += q
    return s


def written(n: Any) -> Any:
    rows = tf.TensorArray(tf.float32, size=n)
    for i in tf.range(n):
        rows = rows.write(i, tf.cast(i, tf.float32))
    return rows.stack()


@pytest.mark.parametrize(
    ("function", "answers"),
    [
        (sum_of_range, {3: 3, 5: 10, 0: 0}),
        (written, {2: [0.0, 1.0], 3: [0.0, 1.0, 2.0]}),
        (lambda n: tf.map_fn(lambda i: i * 2, tf.range(n)), {2: [0, 2], 3: [0, 2, 4]}),
        (lambda n: tf.scan(lambda a, i: a + i, tf.range(n)), {2: [0, 1], 4: [0, 1, 3, 6]}),
        (lambda n: tf.foldl(lambda a, i: a + i, tf.range(n), initializer=0), {3: 3, 5: 10, 0: 0}),
        (lambda n: tf.vectorized_map(lambda i: i * 2, tf.range(n)), {2: [0, 2], 3: [0, 2, 4]}),
    ],
)
def test_each_call_has_its_own_number_of_rows(function: Any, answers: dict[int, Any]) -> None:
    traced = tf.function(function)
    assert {n: traced(tf.constant(n)).numpy().tolist() for n in answers} == answers
    assert traced.experimental_get_tracing_count() == 1


def test_rows_that_are_chosen() -> None:
    traced = tf.function(sum_of_chosen)
    given = ([1.0, 2.0, 3.0], [0.0, 0.0, 5.0], [0.0, 0.0, 0.0])
    assert [float(traced(tf.constant(x))) for x in given] == [5.0, 5.0, 0.0]


@tf.function
def power(x: Any, n: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.constant(1.0)
        for _ in tf.range(n):
            y *= x
    return tape.gradient(y, x)


def test_gradients_of_loops_of_other_lengths() -> None:
    assert [float(power(tf.constant(2.0), tf.constant(n))) for n in (3, 4, 1, 0)] == [12.0, 32.0, 1.0, 0.0]


@tf.function
def last_of(n: Any) -> Any:
    for i in tf.range(n):
        last = i * 2
    return last


@tf.function
def none_of(n: Any) -> Any:
    for _ in tf.range(n):
        nothing = None
    return nothing


@tf.function
def text_of(n: Any) -> Any:
    for _ in tf.range(n):
        text = "a"
    return text


def test_what_a_loop_was_to_define() -> None:
    assert int(last_of(tf.constant(3))) == 4
    with pytest.raises(tf.errors.InvalidArgumentError, match="loop must iterate at least once to initialize last"):
        last_of(tf.constant(0))
    with pytest.raises(ValueError, match="'nothing' must be defined before the loop"):
        none_of(tf.constant(2))
    with pytest.raises(ValueError, match="Found an unsupported type 'str' while creating placeholder for a"):
        text_of(tf.constant(2))


@tf.function
def unlike(chosen: Any) -> Any:
    if chosen:
        return 1
    else:
        return 2.0


def test_results_of_branches_are_named_as_in_tensorflow() -> None:
    with pytest.raises(TypeError, match="'retval_' has dtype int32 in the main branch, but dtype float32 in the else"):
        unlike(tf.constant(True))


def test_a_limit_of_rounds_may_be_a_tensor() -> None:
    x = tf.Variable(2.0)

    @tf.function
    def grown(n: Any, m: Any) -> Any:
        with tf.GradientTape() as tape:
            _, y = tf.while_loop(lambda i, _: i < m, lambda i, a: (i + 1, a * x), (0, 1.0), maximum_iterations=n)
        return y, tape.gradient(y, x)

    given = ((3, 10), (5, 2), (0, 2))
    found = [[float(v) for v in grown(tf.constant(n), tf.constant(m))] for n, m in given]
    assert found == [[8.0, 12.0], [4.0, 4.0], [1.0, 0.0]]


def test_with_a_limit_lists_stay_lists() -> None:
    with pytest.raises(TypeError, match="The two namedtuples don't have the same sequence type"):
        tf.while_loop(lambda i, a: i < 4, lambda i, a: (i + 1, a), [0, 1.0], maximum_iterations=3)


@pytest.mark.parametrize("function", [tf.foldl, tf.foldr, tf.scan])
def test_scalars_have_no_rows(function: Any) -> None:
    with pytest.raises(IndexError, match="tuple index out of range"):
        function(lambda a, e: a + e, [1.0, 2.0])


def _shaped(y: Any, x: Any) -> Any:
    y.set_shape(x.shape)
    return y


@pytest.mark.parametrize(
    "settle",
    [_shaped, lambda y, x: tf.ensure_shape(y, x.shape), lambda y, x: tf.reshape(y, x.shape), lambda y, x: y],
)
def test_results_of_python_functions_have_unknown_shapes(settle: Any) -> None:
    known: list[Any] = []

    @tf.function
    def squares(x: Any) -> Any:
        y = tf.py_function(lambda q: q * q, [x], tf.float32)
        known.append(y.shape.rank)
        return tf.reduce_sum(settle(y, x), axis=0)

    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = squares(x)
    assert known == [None] and y.numpy().tolist() == [10.0, 20.0]
    assert tape.gradient(y, x).numpy().tolist() == [[2.0, 4.0], [6.0, 8.0]]


def test_shapes_of_numpy_functions_are_taken_at_their_word() -> None:
    shapes: list[Any] = []

    @tf.function
    def both(x: Any) -> Any:
        y, z = tf.numpy_function(lambda q: (q[:1], np.float32(q.sum())), [x], (tf.float32, tf.float32))
        y.set_shape([None])
        z.set_shape([])
        shapes.extend([y.shape.as_list(), z.shape.as_list()])
        return y, z + 1.0

    y, z = both(tf.constant([1.0, 2.0]))
    assert shapes == [[None], []] and y.numpy().tolist() == [1.0] and float(z) == 4.0


def test_slices_are_added_up_in_a_function() -> None:
    rows = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    optimizer = tf.keras.optimizers.SGD(1.0, global_clipnorm=1.0)

    @tf.function
    def step(ids: Any) -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.gather(rows, ids))
        optimizer.apply_gradients([(tape.gradient(loss, rows), rows)])
        return loss

    assert float(step(tf.constant([0, 0]))) == 6.0
    np.testing.assert_allclose(rows.numpy(), [[0.0, 1.0], [3.0, 4.0], [5.0, 6.0]])
