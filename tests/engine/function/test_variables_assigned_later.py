"""A variable that is assigned after a function's call: the gradient is that of the values the call has read."""

from __future__ import annotations

import pytest

import reference_impl as tf


def _plain(x: tf.Tensor, v: tf.Variable) -> tf.Tensor:
    return x * x * v * v


def _loop(x: tf.Tensor, v: tf.Variable) -> tf.Tensor:
    return tf.while_loop(lambda k, _: k < 2, lambda k, a: (k + 1, a * v), (0, x))[1]


@pytest.mark.parametrize(("body", "by_x", "by_v"), [(_plain, 9.0, 12.0), (_loop, 2.25, 6.0)])
@pytest.mark.parametrize("inside", [True, False])
def test_a_gradient_uses_what_the_call_has_read_also_where_tapes_record_it(
    body: object, by_x: float, by_v: float, inside: bool
) -> None:
    x, v = tf.constant(2.0), tf.Variable(1.5)
    function = tf.function(lambda x: body(x, v))
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = function(x)
        v.assign(4.0)
        if inside:
            found = tape.gradient(y, [x, v])
    if not inside:
        found = tape.gradient(y, [x, v])
    assert [float(g) for g in found] == [by_x, by_v]
    assert float(v) == 4.0
