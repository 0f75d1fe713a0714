"""Lists of choices are always whole programs."""

from __future__ import annotations

import random

import numpy as np
import pytest

from adapters import language as lang
from adapters.language import Array
from adapters.program_json import dumps, program_id
from adapters.references import dangling
from conformance.generating import sources
from conformance.generating.builder import MOVES, NUMBER, build
from conformance.generating.choices import draw
from conformance.generating.deadly import kills_tensorflow
from conformance.generating.features import ops_of
from conformance.generating.sources import explored, seeded
from conformance.optable import TABLE


def gradients(program: lang.Program) -> list[lang.Gradient]:
    inner = [one for step in program.steps if isinstance(step, lang.InThread) for one in step.steps]
    return [step for step in (*program.steps, *inner) if isinstance(step, lang.Gradient)]


def test_every_drawn_program_refers_only_to_earlier_steps_and_asks_a_gradient() -> None:
    for choices, program in seeded(1, 0, 400):
        assert dangling(program) is None, choices
        assert gradients(program), choices


def test_removing_any_choice_leaves_a_whole_program() -> None:
    for index in range(60):
        _, choices = draw(2, index)
        for at in range(len(choices)):
            shorter = build(choices[:at] + choices[at + 1 :])
            assert dangling(shorter) is None
            assert gradients(shorter)


def test_making_any_number_zero_leaves_a_whole_program() -> None:
    for index in range(40):
        _, choices = draw(3, index)
        for at, choice in enumerate(choices):
            for place in range(6):
                smaller = (*choice[:place], 0, *choice[place + 1 :])
                assert dangling(build((*choices[:at], smaller, *choices[at + 1 :]))) is None


def test_arbitrary_numbers_make_whole_programs_that_do_not_kill_tensorflow() -> None:
    drawn = random.Random(5)
    for _ in range(400):
        choices = [tuple(drawn.randrange(1 << 20) for _ in range(6)) for _ in range(drawn.randrange(1, 9))]
        program = build(choices)
        assert dangling(program) is None, choices
        assert kills_tensorflow(program) is None, choices


def test_no_choice_at_all_is_a_program_that_asks_a_gradient() -> None:
    assert gradients(build(()))


@pytest.mark.parametrize("name", [name for name, _ in MOVES])
def test_each_move_alone_makes_a_program_that_asks_a_gradient(name: str) -> None:
    for detail in range(40):
        program = build([(NUMBER[name], detail, detail // 2, detail * 7, detail * 13, detail)])
        assert dangling(program) is None
        assert gradients(program)


def test_the_same_seed_and_index_give_the_same_program_however_the_work_is_split() -> None:
    whole = [program_id(program) for _, program in seeded(9, 0, 60)]
    parts = [program_id(program) for start in (0, 20, 40) for _, program in seeded(9, start, 20)]
    assert whole == parts
    assert whole != [program_id(program) for _, program in seeded(10, 0, 60)]


def test_programs_of_a_stream_hardly_repeat() -> None:
    programs = [program for _, program in seeded(4, 0, 1000)]
    assert len(set(programs)) > 990


def test_a_pattern_of_ops_limits_what_is_called() -> None:
    for _, program in seeded(6, 0, 50, "math.maximum"):
        assert any(isinstance(step, lang.Call) and step.op == "math.maximum" for step in program.steps)


def test_a_pattern_that_fits_no_op_is_refused() -> None:
    with pytest.raises(ValueError, match="no op is called"):
        next(seeded(6, 0, 1, "math.nosuch"))


def test_hypothesis_draws_from_ops_that_all_need_a_setting() -> None:
    pytest.importorskip("hypothesis")
    for _, program in explored(3, 0, 6, "signal.*"):
        assert any(op.startswith("signal.") for op in ops_of(program))


def test_hypothesis_draws_the_same_programs_twice() -> None:
    pytest.importorskip("hypothesis")
    first = [program_id(program) for _, program in explored(3, 0, 40)]
    assert first == [program_id(program) for _, program in explored(3, 0, 40)]
    assert len(first) == 40


def test_a_program_comes_with_the_choices_that_drew_it_where_another_differs_by_the_sign_of_a_zero(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def drawn(choices: tuple[tuple[int, ...], ...]) -> lang.Program:
        return lang.Program((lang.Constant(Array("float32", (), (-0.0 if choices == ((1,),) else 0.0,))),))

    monkeypatch.setattr(sources, "_explore", lambda *asked: iter([((1,),), ((2,),)]))
    monkeypatch.setattr(sources, "build", drawn)
    choices, program = next(explored(3, 0, 1))
    assert dumps(drawn(choices)) == dumps(program)


@pytest.mark.parametrize("op", [one.name for one in TABLE if not np.isfinite(one.kinks).all()])
def test_an_op_with_a_kink_at_infinity_is_drawn_with_any_number(op: str) -> None:
    assert len(list(seeded(7, 0, 600, op))) == 600
