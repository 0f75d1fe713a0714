"""TensorFlow's own faults: the page is up to date, both arbiters confirm each, the engine has them as well."""

from __future__ import annotations

import pytest

from adapters import load
from adapters.language import Gradient
from adapters.local import LocalTape
from conformance import differs_page
from conformance.blaming.examining import asked, examine, questions
from conformance.blaming.faults import FAULTS, Fault
from conformance.handwritten import written
from conformance.judging.judge import judge
from conformance.scripting.script import script

RECORDED = differs_page.recorded()
REFERENCE = LocalTape(load("reference"))


def test_the_page_is_up_to_date() -> None:
    assert not differs_page.stale(), "run python -m conformance.differs_page"


def test_there_are_at_least_fifteen_faults_and_every_one_is_verified() -> None:
    assert len({one.title for one in FAULTS}) == len(FAULTS) >= 15
    assert set(RECORDED.examined) == {one.name for one in FAULTS}
    assert differs_page.not_verified(RECORDED) == ()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda one: one.name)
def test_the_engine_answers_as_tensorflow_does(fault: Fault) -> None:
    want = RECORDED.examined[fault.name].answers
    judged = judge(fault.program, want, REFERENCE.run(fault.program))
    assert judged.verdict in ("agrees", "ill-conditioned"), (judged.comparison.difference, script(fault.program, want))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda one: one.name)
def test_both_arbiters_contradict_the_engine_as_they_contradict_tensorflow(fault: Fault) -> None:
    found = examine(fault.program, REFERENCE.run)
    assert [one.mathematics for one in found.elements] == [
        one.mathematics for one in RECORDED.examined[fault.name].elements
    ]
    assert found.verified, found.elements


def test_the_question_is_about_the_last_gradient_by_every_element() -> None:
    program = FAULTS[2].program
    assert isinstance(program.steps[asked(program)], Gradient)
    assert asked(program) == len(program.steps) - 1
    assert [one.element for one in questions(program, REFERENCE.run(program))] == [0, 1, 2]


def test_a_gradient_that_is_right_is_not_verified() -> None:
    def right(tf):
        x = tf.constant([2.0, 3.0])
        with tf.GradientTape() as t:
            t.watch(x)
            y = tf.math.cumprod(x)
        t.gradient(y, x)

    assert not examine(written(right), REFERENCE.run).verified


def test_a_record_survives_being_written_and_read(tmp_path) -> None:
    path = tmp_path / "faults.json"
    path.write_text(differs_page.to_json(RECORDED), encoding="utf-8")
    assert differs_page.recorded(path) == RECORDED
