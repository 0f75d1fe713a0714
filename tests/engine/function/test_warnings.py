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


def _real(x):
    return tf.math.real(tf.cast(x, tf.complex64))


def _real_of_square(x):
    return tf.math.real(tf.cast(x, tf.complex64) * tf.cast(x, tf.complex64))


def _calling(function, times=1):
    inner = tf.function(function)
    return tf.function(lambda x: tf.add_n([inner(x)] * times))


def _choosing(function):
    return tf.function(lambda x: tf.cond(tf.reduce_sum(x) > 0.0, lambda: function(x), lambda: x))


def _looping(function):
    return tf.function(lambda x: tf.while_loop(lambda i, _: i < 2, lambda i, z: (i + 1, function(z)), (0, x))[1])


@pytest.mark.parametrize(
    ("made", "counts"),
    [
        (lambda: _calling(_real_of_square), {"once": 2, "twice": 4, "inside": 2, "symbolic": 2, "rows": 4}),
        (lambda: _calling(_calling(_real_of_square)), {"once": 2, "twice": 4, "inside": 2, "symbolic": 2, "rows": 4}),
        (lambda: _calling(_real_of_square, 2), {"once": 2, "twice": 4, "inside": 2, "symbolic": 2}),
        (lambda: _choosing(_real_of_square), {"once": 2, "twice": 6, "inside": 2, "symbolic": 2, "rows": 4}),
        (lambda: _looping(_real_of_square), {"once": 2, "twice": 6, "inside": 2, "symbolic": 2}),
        (lambda: tf.function(_real_of_square), {"once": 2, "twice": 6, "inside": 2, "symbolic": 2, "rows": 4}),
        (lambda: _calling(_real), {"once": 1, "twice": 1, "inside": 1, "symbolic": 1, "rows": 2}),
        (lambda: _choosing(_real), {"once": 1, "twice": 2, "inside": 1, "symbolic": 1, "rows": 2}),
        (lambda: _looping(_real), {"once": 1, "twice": 2, "inside": 1, "symbolic": 1}),
        (lambda: tf.function(_real), {"once": 1, "twice": 2, "inside": 1, "symbolic": 1, "rows": 2}),
    ],
)
def test_gradients_of_calls_branches_and_loops_warn_as_often_as_they_are_made(logged, made, counts):
    x = tf.constant([1.0, 2.0])

    def differentiated(function, x, persistent=False, method="gradient"):
        with tf.GradientTape(persistent=persistent) as tape:
            tape.watch(x)
            y = function(x)
        return getattr(tape, method)(y, x)

    ways = {
        "once": lambda f: differentiated(f, x),
        "twice": lambda f: differentiated(f, x, persistent=True),
        "inside": lambda f: tf.function(lambda x: differentiated(f, x))(x),
        "symbolic": lambda f: tf.function(lambda x: tf.gradients(f(x), x))(x),
        "rows": lambda f: differentiated(f, x, method="jacobian"),
    }
    found = {}
    for way in counts:
        before = len(logged())
        ways[way](made())
        found[way] = sum(CAST in one for one in logged()[before:])
    assert found == counts
