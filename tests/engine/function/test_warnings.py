"""What a traced function warns of is said when it is traced, and once more when its gradient is made."""

import contextlib

import pytest

import reference_impl as tf

CAST = "You are casting an input of type complex64"
WATCHED = "The dtype of the watched tensor must be floating"


@pytest.fixture
def logged(caplog):
    with caplog.at_level("WARNING", logger="tensorflow"):
        yield lambda: caplog.messages


def _watches(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * 2
    return tape.gradient(y, x)


@pytest.mark.parametrize(
    "body, argument, text",
    [
        (lambda z: tf.cast(z, tf.float32), tf.constant([1j], tf.complex64), CAST),
        (_watches, tf.constant(2), WATCHED),
    ],
)
def test_a_function_warns_when_it_is_traced_and_not_when_it_runs(logged, body, argument, text):
    traced = tf.function(body)
    for _ in range(3):
        traced(argument)
    assert [text in one for one in logged()] == [True]


def test_the_gradient_of_a_function_warns_once(logged):
    traced = tf.function(lambda x: tf.math.real(tf.cast(x, tf.complex64) * (1 + 1j)))
    x = tf.constant([1.0, 2.0])
    for _ in range(2):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = traced(x)
        tape.gradient(y, x)
    assert [CAST in one for one in logged()] == [True]


@pytest.mark.parametrize(
    ("body", "tapes", "count"),
    [
        (lambda x: tf.cast(tf.math.real(x), tf.complex64), [False], 1),
        (lambda x: tf.cast(tf.math.real(x), tf.complex64), [True], 2),
        (lambda x: tf.square(tf.cast(tf.math.real(x), tf.complex64)), [True], 3),
        (lambda x: tf.square(tf.cast(tf.math.real(x), tf.complex64)), [False, False], 3),
    ],
)
def test_where_second_derivatives_are_possible_the_gradient_is_made_again(logged, body, tapes, count):
    traced, x = tf.function(body), tf.constant([11.0 + 7.0j])
    with contextlib.ExitStack() as around:
        for persistent in tapes:
            around.enter_context(tf.GradientTape(persistent=persistent)).watch(x)
        traced(x)
        traced(x)
    assert [CAST in one for one in logged()] == [True] * count
