"""The replay of a recorded section: what it decides itself, and what it leaves to TensorFlow as unsupported."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from adapters import open_tape
from adapters.interpreter import run
from adapters.language import Gradient, Program
from adapters.observations import Observation, Unsupported
from adapters.third_party.jax_more import one_batch, resized
from conformance.handwritten import written
from tests.third_party.engine_for_tests import backend

Body = Callable[[Any], None]


def seen(body: Body) -> tuple[Program, tuple[Observation, ...]]:
    program = written(body)
    return program, run(program, backend())


def gradients(body: Body) -> list[Any]:
    program, observations = seen(body)
    return [one.outcome for step, one in zip(program.steps, observations) if isinstance(step, Gradient)]


def wanted(body: Body) -> list[Any]:
    program = written(body)
    with open_tape("reference") as tape:
        observations = tape.run(program)
    return [one.outcome for step, one in zip(program.steps, observations) if isinstance(step, Gradient)]


def of_a_variable_that_was_assigned(tf: Any) -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        y = v * v
        v.assign(5.0)
        z = v * v
    tape.gradient(y, v)
    tape.gradient([y, z], v)


def of_a_gradient(tf: Any) -> None:
    x = tf.constant(2.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.math.exp(x) * x
        g = inner.gradient(y, x)
    outer.gradient(g, x)


def of_sources_that_rest_on_each_other(tf: Any) -> None:
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.square(x)
        z = tf.math.exp(y)
    tape.gradient(z, [x, y])


def of_nothing_that_is_connected(tf: Any) -> None:
    x, a = tf.constant(2.0), tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.math.square(x)
    tape.gradient(y, a)
    tape.gradient(y, [a, x], unconnected_gradients="zero")


def of_what_nobody_watched(tf: Any) -> None:
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        y = tf.math.square(x)
        tape.gradient([x, y], x)


def of_lists_and_nests(tf: Any) -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.concat([x, tf.math.square(x)], 0)
    tape.gradient({"b": [y], "a": x}, (x, {"x": x}))


def of_numbers_beside_a_tensor(tf: Any) -> None:
    x = tf.constant([1.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.clip_by_value(2 * x, 0.0, 5.0)
    tape.gradient(y, x)


def of_bare_numbers_as_upstream(tf: Any) -> None:
    x = tf.constant(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
    tape.gradient(x, x, output_gradients=[2])
    tape.gradient(x, x, output_gradients=[2.5])


@pytest.mark.parametrize(
    "body",
    [
        of_a_variable_that_was_assigned,
        of_a_gradient,
        of_sources_that_rest_on_each_other,
        of_nothing_that_is_connected,
        of_what_nobody_watched,
        of_lists_and_nests,
        of_numbers_beside_a_tensor,
        of_bare_numbers_as_upstream,
    ],
    ids=lambda body: body.__name__,
)
def test_a_replay_gives_the_gradient(body: Body) -> None:
    found = gradients(body)
    assert found == wanted(body)
    assert not any(isinstance(one, Unsupported) for one in found)


def with_none_as_upstream(tf: Any) -> None:
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.square(x)
    tape.gradient(y, x, output_gradients=[None])


def of_a_bool_to_itself(tf: Any) -> None:
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.less(x, x)
        tape.gradient(y, y)


def of_a_value_within_an_inner_gradient(tf: Any) -> None:
    x = tf.constant(2.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.math.square(x)
            z = tf.math.exp(y)
        g = inner.gradient(z, x)
    outer.gradient(g, y)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (with_none_as_upstream, "None among output gradients"),
        (of_a_bool_to_itself, "an integer to itself"),
        (of_a_value_within_an_inner_gradient, "inside an inner gradient"),
    ],
    ids=lambda part: getattr(part, "__name__", ""),
)
def test_what_is_tensorflows_own_is_unsupported(body: Body, words: str) -> None:
    outcome = gradients(body)[-1]
    assert isinstance(outcome, Unsupported) and words in outcome.reason


def test_the_batches_of_a_solver_that_broadcasts_none_are_made_one() -> None:
    matrix, rhs = one_batch(np, np.ones((2, 1, 3, 3)), np.ones((4, 3, 1)))
    assert matrix.shape == (2, 4, 3, 3) and rhs.shape == (2, 4, 3, 1)


@pytest.mark.parametrize(("method", "dtype"), [("nearest", "float64"), ("bilinear", "float32"), ("bicubic", "float32")])
def test_a_resized_picture_is_of_float32_unless_it_takes_the_nearest_elements(method: str, dtype: str) -> None:
    jax = SimpleNamespace(image=SimpleNamespace(resize=lambda x, shape, method, antialias: np.resize(x, shape)))
    assert resized(jax, np.ones((1, 2, 2, 1)), [3, 3], method).dtype == dtype


def a_cast_of_a_variable(tf: Any) -> None:
    tf.cast(tf.Variable(1.0), tf.float32)


def an_op_that_is_not_there_yet(tf: Any) -> None:
    tf.math.erf(tf.constant(1.0))


def an_argument_that_is_not_there(tf: Any) -> None:
    tf.reduce_sum(tf.constant([1.0]), keepdims=True)


def an_op_of_a_list(tf: Any) -> None:
    tf.math.square([1.0, 2.0])


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (a_cast_of_a_variable, "a cast of a variable"),
        (an_op_that_is_not_there_yet, "there is no erf yet"),
        (an_argument_that_is_not_there, "is not called so"),
        (an_op_of_a_list, "of a list"),
    ],
    ids=lambda part: getattr(part, "__name__", ""),
)
def test_a_call_that_the_library_has_no_place_for_is_unsupported(body: Body, words: str) -> None:
    outcome = seen(body)[1][-1].outcome
    assert isinstance(outcome, Unsupported) and words in outcome.reason
