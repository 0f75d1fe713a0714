"""Forward mode, op by op, against the tangents that TensorFlow 2.21 gave."""

import json

import pytest

import reference_impl as tf
from tests.ops.asking import differences
from tests.ops.tangents import RECORDED, ask_tangent, questions

ANSWERS = json.loads(RECORDED.read_text())
QUESTIONS = list(questions())


def test_every_question_has_a_recorded_answer():
    assert [name for name, _ in QUESTIONS] == list(ANSWERS)
    assert len({name.split(":")[1].split()[0] for name in ANSWERS}) > 300


@pytest.mark.parametrize("name, case", QUESTIONS, ids=[name for name, _ in QUESTIONS])
def test_the_tangent_is_tensorflows(name, case):
    want, got = ANSWERS[name], ask_tangent(tf, case)
    if isinstance(want, dict) and isinstance(got, dict):  # the wording of a traced function's errors is not compared
        assert want["raised"][0] == got["raised"][0]
    else:
        assert not list(differences(want, got, 4 * case.scale))
