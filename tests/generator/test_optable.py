"""The table of ops: what a row says is true of its sketch."""

from __future__ import annotations

import numpy as np
import pytest

from adapters.python_calls import python_call
from conformance.generating.moves import settings, values
from conformance.generating.moves.calls import plan_call
from conformance.generating.moves.draft import Draft
from conformance.optable import PLAIN, SET, TABLE, indices, position, row
from conformance.optables.row import Digits, Row


def test_no_op_has_two_rows() -> None:
    assert len({one.name for one in TABLE}) == len(TABLE) >= 100


def test_rows_are_found_by_name_position_and_pattern() -> None:
    assert row("math.sin").name == "math.sin"
    assert TABLE[position("nn.relu")].name == "nn.relu"
    assert {TABLE[at].name for at in indices("operator.*")} == {
        one.name for one in TABLE if one.name.startswith("operator.")
    }
    with pytest.raises(KeyError):
        row("math.nosuch")


def test_rows_of_python_operators_name_functions_of_python() -> None:
    for one in TABLE:
        if one.name.startswith("operator."):
            assert callable(python_call(one.name))


@pytest.mark.parametrize("one", PLAIN, ids=lambda one: one.name)
def test_each_op_can_be_called_on_ordinary_values(one: Row) -> None:
    """For many attributes: the generator finds operands, and the sketch of the result is finite."""
    calm = 0
    for number in range(60):
        draft = Draft()
        dtype = sorted(one.dtypes & {"float32", "complex64", "bool"})[-1]
        for shape in ((2, 2), (2, 2), (2,)) if one.rank > 1 else ((2, 3), (2, 3), (3,)):
            draft.constant(
                values.make(dtype, shape, values.STYLE["unit" if one.span(0).low <= 0 else "counting"], number)
            )
        with np.errstate(all="ignore"):
            calm += plan_call(draft, one, number % 3, number * 7, number * 1234567, number) is not None
    assert calm >= 20


def test_exhausted_digits_answer_the_simplest() -> None:
    draw = Digits(7)
    assert [draw(4), draw(2), draw(5), draw(9)] == [3, 1, 0, 0]


@pytest.mark.parametrize("one", SET, ids=lambda one: one.name)
def test_each_setting_makes_a_call_that_the_engine_can_run(one: Row) -> None:
    """For many draws: most calls give something, and few different draws give the same program."""
    made, programs = 0, set()
    for number in range(30):
        draft = Draft()
        with np.errstate(all="ignore"):
            choice = (0, 0, number, number * 7919, number * 1_234_567_891, 16 * number)
            made += bool(settings.call(draft, one, choice)) or one.curve == "cut"
        programs.add(tuple(draft.steps))
    assert made >= 20 and len(programs) >= 10
