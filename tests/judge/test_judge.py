"""Judgements of answers that are hard to measure."""

from __future__ import annotations

from adapters.language import Array
from adapters.observations import Nothing, Observation, Tensor
from conformance.handwritten import Script
from conformance.judging.judge import judge


def test_a_gradient_whose_absolute_value_no_float_holds_is_finite() -> None:
    tf = Script()
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    tape.gradient(y, x)
    program = tf.program()
    large = Observation(Tensor(Array("complex128", (), (complex(1.7e308, 1.7e308),))))
    answers = (*(Observation(Nothing()) for _ in program.steps[1:]), large)
    judged = judge(program, answers, answers)
    assert judged.verdict == "agrees"
    assert judged.finite_nonzero_gradient
