"""Calls that TensorFlow does not survive are recognised."""

from __future__ import annotations

from typing import Any

import pytest

from adapters import language as lang
from conformance.generating.deadly import kills_tensorflow
from conformance.generating.sources import seeded
from conformance.handwritten import Script


def asked(target: Any, **options: Any) -> lang.Program:
    tf = Script()
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        b = tf.math.greater(x, x)
    tape.gradient(target(x, y, b), x, **options)
    return tf.program()


def test_fewer_output_gradients_than_targets_kill() -> None:
    assert "fewer" in str(kills_tensorflow(asked(lambda x, y, b: [y, y], output_gradients=[1.0])))


def test_an_empty_list_of_output_gradients_is_the_same_as_none_given() -> None:
    assert kills_tensorflow(asked(lambda x, y, b: [y, y], output_gradients=[])) is None


def test_a_none_among_several_output_gradients_kills() -> None:
    assert "None" in str(kills_tensorflow(asked(lambda x, y, b: [y, y], output_gradients=[None, 1.0])))
    assert kills_tensorflow(asked(lambda x, y, b: y, output_gradients=[None])) is None


def test_a_bool_asked_for_twice_kills() -> None:
    assert "bool" in str(kills_tensorflow(asked(lambda x, y, b: [b, b])))
    assert kills_tensorflow(asked(lambda x, y, b: [b, y])) is None


@pytest.mark.parametrize("persistent", [False, True])
def test_asking_an_open_tape_from_another_thread_kills_unless_it_is_persistent(persistent: bool) -> None:
    tf = Script()
    x = tf.constant(1.0)
    with tf.GradientTape(persistent=persistent) as tape:
        tape.watch(x)
        y = x * x
        with tf.in_thread():
            tape.gradient(y, x)
    assert (kills_tensorflow(tf.program()) is None) == persistent


def test_drawn_programs_do_not_kill() -> None:
    assert not [choices for choices, program in seeded(12, 0, 1500) if kills_tensorflow(program)]
