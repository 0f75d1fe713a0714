"""Relations hold for the engine, are broken by faulty engines, and say nothing where there is nothing to say."""

from __future__ import annotations

from functools import cache

import pytest

from adapters import load
from adapters.language import Assign, Call, Constant, Gradient, Jacobian, MakeTape, Program, Reset
from adapters.local import LocalTape
from adapters.observations import Observation, Raised, Tensor
from conformance.generating import sources
from conformance.handwritten import written
from conformance.judging.judge import FAILED
from conformance.judging.lanes import Unbounded, bounds_of
from conformance.optable import PLAIN
from conformance.relations.asking import Held, asked, related_to
from conformance.relations.judging import judge, wanted
from conformance.relations.related import Relation
from conformance.relations.section import section_of
from conformance.relations.table import RELATIONS
from tests.mutants import faulty

BY_ID = {relation.id: relation for relation in RELATIONS}
PROGRAMS = 120
PLAIN_OPS = tuple(row.name for row in PLAIN)


@cache
def tape() -> LocalTape:
    return LocalTape(load("reference"))


@cache
def drawn() -> tuple[Program, ...]:
    return tuple(program for _, program in sources.seeded(5, 0, PROGRAMS, PLAIN_OPS))


def all_held(relation: Relation, of: LocalTape, count: int = PROGRAMS) -> list[Held]:
    found = (asked(relation, program, of, tape().run(program)) for program in drawn()[:count])
    return [held for held in found if held is not None]


def product(tf):
    x = tf.constant([2.0, 3.0])
    y = tf.constant([5.0, 7.0])
    with tf.GradientTape() as t:
        t.watch(x)
        t.watch(y)
        z = x * y * x
    t.gradient(z, [x, y])


@pytest.mark.parametrize("id", sorted(set(BY_ID) - {"REL-09", "REL-10", "REL-11"}))
def test_a_relation_holds_for_the_engine_and_is_asked_often_enough(id: str) -> None:
    held = all_held(BY_ID[id], tape())
    broken = [one for one in held if one.broken]
    assert not broken, broken[0].comparison.difference
    assert sum(one.verdict == "agrees" for one in held) >= 3


@pytest.mark.parametrize("id", ["REL-09", "REL-10", "REL-11"])
def test_a_costly_relation_holds_for_the_engine(id: str) -> None:
    held = all_held(BY_ID[id], tape(), 60)
    assert any(one.verdict == "agrees" for one in held)
    assert not any(one.broken for one in held)


@pytest.mark.parametrize(
    "fault, id",
    [
        ("output_gradients_are_ignored", "REL-01"),
        ("only_the_first_target", "REL-02"),
        ("gradients_accumulate", "REL-06"),
        ("output_gradients_are_ignored", "REL-06"),
        ("jacobian_rows_are_mixed", "REL-07"),
        ("jacobian_rows_are_mixed", "REL-08"),
        ("jacobian_rows_are_alike", "REL-09"),
        ("tangents_are_negative", "REL-10"),
        ("one_tangent_of_several", "REL-10"),
    ],
)
def test_a_faulty_engine_breaks_a_relation_without_any_oracle(fault: str, id: str) -> None:
    suspect = LocalTape(faulty(fault))
    assert any(one.broken for one in all_held(BY_ID[id], suspect))


def test_a_tape_that_keeps_watching_after_a_reset_breaks_a_relation() -> None:
    """It shows only where a source is watched by nobody, which few drawn programs have."""

    def write(tf):
        v, x = tf.Variable(-1.0), tf.constant(2.0)
        with tf.GradientTape() as t:
            y = v + x
        t.gradient(y, [v, x])

    program = written(write)
    suspect = LocalTape(faulty("reset_keeps_watches"))
    assert asked(BY_ID["REL-05"], program, suspect, tape().run(program)).broken
    assert not asked(BY_ID["REL-05"], program, tape(), tape().run(program)).broken


def test_a_forward_and_a_gradient_that_are_wrong_alike_break_no_relation() -> None:
    """What relations cannot see: a slope that is off in reverse and forward mode alike."""
    suspect = LocalTape(faulty("sin_is_off_by_a_thousandth"))
    program = written(product)
    assert asked(BY_ID["REL-01"], program, suspect, tape().run(program)).verdict == "agrees"


def test_the_section_of_a_program_is_what_its_target_rests_on() -> None:
    program = written(product)
    section = section_of(program, tape().run(program))
    assert section is not None
    assert [type(step) for step in section.steps.values()] == [Constant, Constant, Call, Call]
    assert section.ops() == {"operator.mul"}
    assert section.shape == (2,)
    assert len(section.sources) == 2


def test_a_program_that_assigns_has_no_section() -> None:
    def write(tf):
        v = tf.Variable([2.0])
        with tf.GradientTape() as t:
            y = v * v
        v.assign([3.0])
        t.gradient(y, v)

    program = written(write)
    assert any(isinstance(step, Assign) for step in program.steps)
    assert section_of(program, tape().run(program)) is None


def test_linearity_asks_for_three_gradients_of_one_tape() -> None:
    program = written(product)
    related = related_to(BY_ID["REL-01"], program, tape().run(program))
    assert sum(isinstance(step, Gradient) for step in related.program.steps) == 3
    assert len(related.pairs) == 2


def test_a_hessian_is_made_by_nested_tapes() -> None:
    program = written(product)
    related = related_to(BY_ID["REL-07"], program, tape().run(program))
    assert sum(isinstance(step, MakeTape) for step in related.program.steps) == 2
    assert any(isinstance(step, Jacobian) for step in related.program.steps)


def test_a_reset_is_put_behind_the_first_entering() -> None:
    program = written(product)
    related = related_to(BY_ID["REL-05"], program, tape().run(program))
    assert sum(isinstance(step, Reset) for step in related.program.steps) == 1
    assert len(related.program.steps) == 2 * len(program.steps) + 3


def test_a_program_with_an_error_is_not_doubled() -> None:
    def write(tf):
        x = tf.constant([2.0])
        with tf.GradientTape() as t:
            t.watch(x)
            y = x * x
        t.gradient(y, x)
        t.gradient(y, x)

    program = written(write)
    answers = tape().run(program)
    assert any(isinstance(one.outcome, Raised) for one in answers)
    assert related_to(BY_ID["REL-04"], program, answers) is None


def test_what_is_wanted_of_the_second_step_is_what_the_first_one_gave() -> None:
    program = written(product)
    related = related_to(BY_ID["REL-01"], program, tape().run(program))
    answers = list(tape().run(related.program))
    first, second = related.pairs[0]
    assert judge(related, answers).verdict == "agrees"
    array = answers[first].outcome.array
    answers[first] = Observation(Tensor(type(array)(array.dtype, array.shape, tuple(v + 1 for v in array.values))))
    judged = judge(related, answers)
    assert wanted(related, answers)[second].outcome == answers[first].outcome
    assert judged.verdict in FAILED
    assert judged.difference.step == second


def test_an_answer_that_is_missing_is_not_held_against_a_tape() -> None:
    program = written(product)
    related = related_to(BY_ID["REL-01"], program, tape().run(program))
    answers = list(tape().run(related.program))
    answers[related.pairs[0][0]] = Observation(Raised("ValueError", "no"))
    assert judge(related, answers).verdict == "unsupported"


def test_where_numbers_are_infinite_a_relation_that_tensorflow_breaks_is_not_held_against_a_tape() -> None:
    def write(tf):
        x = tf.constant([1.0, 2.0])
        with tf.GradientTape() as t:
            t.watch(x)
            y = tf.math.acosh(x)
        t.gradient(y, x)

    program = written(write)
    held = asked(BY_ID["REL-02"], program, tape(), tape().run(program))
    assert held.verdict in FAILED
    assert held.excepted.startswith("where a slope is infinite")
    assert not held.broken


def test_a_batch_jacobian_across_the_batch_axis_is_judged_by_its_bound() -> None:
    """Rows of a softmax over the batch cancel: what is left is rounding, which only a carried bound can tell."""

    def write(tf):
        x = tf.constant([[-2.75], [14.0]])
        a = tf.constant([[3.5], [14.0]])
        with tf.GradientTape() as t:
            t.watch(x)
            y = tf.nn.softmax(x, axis=0) * a
        t.gradient(y, x)

    program = written(write)
    held = asked(BY_ID["REL-09"], program, tape(), tape().run(program))
    assert held.verdict == "agrees"
    assert not isinstance(bounds_of(held.related.program), Unbounded)


@pytest.mark.parametrize("indices", [[1, 1], [0, 1]])
def test_a_list_that_is_given_two_elements_for_one_place_breaks_the_hessian_and_is_not_held_against_a_tape(
    indices: list[int],
) -> None:
    def write(tf):
        x, at = tf.constant([[2.0], [3.0]]), tf.constant(indices)
        with tf.GradientTape(persistent=True) as t:
            t.watch(x)
            held = tf.raw_ops.TensorListScatter(tensor=x, indices=at, element_shape=tf.constant(-1))
            y = tf.raw_ops.TensorListStack(input_handle=held, element_shape=[1], element_dtype=tf.float32)
            z = y * y
        t.gradient(z, x)

    held = asked(BY_ID["REL-07"], written(write), tape(), tape().run(written(write)))
    assert held is not None
    assert (held.verdict == "agrees") is (indices == [0, 1])
    assert not held.broken


@pytest.mark.parametrize("rows", [1, 2])
def test_a_variant_of_one_row_breaks_the_rows_of_a_jacobian_and_is_not_held_against_a_tape(rows: int) -> None:
    def write(tf):
        x = tf.constant([[2.0, 3.0]] * rows)
        with tf.GradientTape(persistent=True) as t:
            t.watch(x)
            held = tf.raw_ops.RaggedTensorToVariant(rt_nested_splits=[], rt_dense_values=x, batched_input=True)
            y = tf.raw_ops.RaggedTensorFromVariant(
                encoded_ragged=held, input_ragged_rank=-1, output_ragged_rank=0, Tvalues=tf.float32
            )
            z = y[1] * y[1]
        t.gradient(z, x)

    program = written(write)
    held = asked(BY_ID["REL-08"], program, tape(), tape().run(program))
    assert held is not None
    assert (held.verdict == "agrees") is (rows == 2)
    assert not held.broken
