"""What programs ask about tensors and shapes without computing with them answers as TensorFlow does."""

from __future__ import annotations

import pytest

import reference_impl as tf


@pytest.mark.parametrize(
    ("first", "second", "together"),
    [
        ([], [2, 3], "(2, 3)"),
        ([4, 1, 3], [2, 3], "(4, 2, 3)"),
        ([None, 3], [2, None], "(2, 3)"),
        ([1, None], [None, 3], "(None, 3)"),
        (None, [2], "<unknown>"),
    ],
)
def test_static_shapes_broadcast(first: list | None, second: list | None, together: str) -> None:
    assert str(tf.broadcast_static_shape(tf.TensorShape(first), tf.TensorShape(second))) == together


def test_static_shapes_that_do_not_broadcast_are_named() -> None:
    with pytest.raises(ValueError, match=r"Received: \(2,\) and \(1, 3\)\."):
        tf.broadcast_static_shape(tf.TensorShape([2]), tf.TensorShape([1, 3]))


def test_a_trace_knows_that_it_is_one_and_has_no_values() -> None:
    seen = []

    @tf.function
    def traced(x):
        seen.append((tf.inside_function(), tf.is_symbolic_tensor(x), tf.get_static_value(x)))
        return x

    traced(tf.constant(1.0))
    assert seen == [(True, True, None)]
    assert not tf.inside_function()
    assert not tf.is_symbolic_tensor(tf.constant(1.0))
    assert tf.get_static_value(tf.constant([1, 2])).tolist() == [1, 2]
