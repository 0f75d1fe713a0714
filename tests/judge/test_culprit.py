"""The op that a report names is the one at fault, although others come after it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from adapters.language import Program
from adapters.local import LocalTape
from conformance.handwritten import written
from conformance.judging.causes import suspect
from conformance.judging.judge import judge
from conformance.shrinking.culprit import named, nearest
from tests.mutants import MUTANTS
from tests.mutants.answers import healthy_tape
from tests.mutants.attributing import Shown, runs_it
from tests.mutants.planting import Edit
from tests.mutants.registry import MECHANICAL, Mutant


def tanh_and_square(tf):
    x = tf.constant([0.5, 1.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.math.tanh(x)
        z = tf.math.square(y)
    t.gradient(z, x)


def relu6_and_tanh(tf):
    x = tf.constant(1.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.nn.relu6(x)
        z = tf.math.tanh(y)
    t.gradient(z, x)


def diagonal_of_a_gradient(tf):
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.linalg.tensor_diag(x)
            z = tf.math.square(y)
        g = inner.gradient(z, x)
    outer.gradient(g, x)


def gelu_and_square(tf):
    x = tf.constant([0.5, 1.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.nn.gelu(x, approximate=True)
        z = tf.math.square(y)
    t.gradient(z, x)


def edit(module: str, before: str, after: str) -> Mutant:
    return Mutant("edited", "an edit", MECHANICAL, edits=(Edit(module, before, after),))


RELU6 = edit("ops.activations", "F.relu6_grad(dy, y)", "F.relu6_grad(y, dy)")
DIAGONAL = edit("ops.diagonals", "F.tensor_diag_part(dy)", "None")
TANH = MUTANTS["tanh_forgets_a_square"]
CASES = [
    (TANH, tanh_and_square, "math.tanh"),
    (RELU6, relu6_and_tanh, "nn.relu6"),
    (TANH, gelu_and_square, "nn.gelu"),
]


def shown(fault: Mutant, write: Callable[[Any], None]) -> Shown:
    """The small program in which a fault of a handwritten one goes wrong first."""
    faulty, healthy = LocalTape(fault.backend()), healthy_tape()

    def ask(program: Program) -> Any:
        return judge(program, healthy.run(program), faulty.run(program))

    program = written(write)
    found = nearest(program, ask, healthy.run(program))
    difference = ask(found).comparison.difference
    assert difference is not None
    return Shown(found, difference.step, faulty, healthy)


@pytest.mark.parametrize("fault, write, op", CASES, ids=["kernel", "only where the upstream is not 1", "shared"])
def test_the_op_at_fault_is_named_although_another_comes_after_it(fault: Mutant, write, op: str) -> None:
    program = written(write)
    assert suspect(program, len(program.steps) - 1) != op
    one = shown(fault, write)
    assert one.op == op
    assert len(one.program.steps) <= len(program.steps)


def test_behind_a_gradient_of_a_gradient_the_op_that_cannot_be_left_out_is_named() -> None:
    assert shown(DIAGONAL, diagonal_of_a_gradient).op == "linalg.tensor_diag"


def test_taking_a_value_out_of_several_is_never_at_fault() -> None:
    def of_a_determinant(tf):
        x = tf.constant([[2.0, 0.0], [0.0, 3.0]])
        with tf.GradientTape() as t:
            t.watch(x)
            y = tf.linalg.slogdet(x)
            z = y.log_abs_determinant
        t.gradient(z, x)

    program = written(of_a_determinant)
    assert suspect(program, len(program.steps) - 1) == named(program, len(program.steps) - 1) == "linalg.slogdet"


def test_without_a_difference_the_program_stays_as_it_is() -> None:
    healthy = healthy_tape()
    program = written(tanh_and_square)
    wanted = healthy.run(program)
    assert nearest(program, lambda one: judge(one, healthy.run(one), healthy.run(one)), wanted) == program
    assert named(program, len(program.steps) - 1) == "math.square"


@pytest.mark.skipif(sys.version_info < (3, 11), reason="code says where its instructions stand since Python 3.11")
def test_an_op_runs_the_changed_code_where_it_runs_less_often_without_it() -> None:
    through_gelu, through_relu6 = shown(TANH, gelu_and_square), shown(RELU6, relu6_and_tanh)
    assert runs_it(TANH, through_gelu)
    assert runs_it(RELU6, through_relu6)
    assert not runs_it(DIAGONAL, through_relu6)
