"""Calls with one wrong argument: what is spoiled, and that a stream of them is whole and repeats itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adapters import language as lang
from adapters.arrays import array_of
from adapters.references import dangling
from conformance.generating.spoiling import spoiled, wrong_arrays, wrong_calls

CALL = lang.Program(
    (
        lang.Constant(array_of([7.0])),
        lang.MakeTape(),
        lang.Enter(lang.Ref(1)),
        lang.Constant(array_of([[1.0, 2.0], [3.0, 4.0]])),
        lang.Call("math.reduce_sum", (lang.Ref(3),), (("axis", lang.Py(1)),)),
        lang.Exit(lang.Ref(1)),
    )
)


def _all(program: lang.Program, op: str) -> set[lang.Program]:
    return {made for number in range(60) if (made := spoiled(program, op, number)) is not None}


def test_only_what_the_call_needs_is_kept() -> None:
    for program in _all(CALL, "math.reduce_sum"):
        assert all(isinstance(step, (lang.Constant, lang.Call)) for step in program.steps)
        assert dangling(program) is None
        assert len(program.steps) <= 3


def test_one_argument_differs_from_the_call_as_it_was() -> None:
    for program in _all(CALL, "math.reduce_sum"):
        call = program.steps[-1]
        assert isinstance(call, lang.Call)
        same_axis = call.kwargs == (("axis", lang.Py(1)),)
        same_operand = call.args == (lang.Ref(0),)
        assert same_axis != same_operand


@pytest.mark.parametrize("axis", [-7, 9, 1.5, None])
def test_an_axis_becomes_other_numbers_and_none(axis: object) -> None:
    calls = {program.steps[-1] for program in _all(CALL, "math.reduce_sum")}
    assert any(isinstance(call, lang.Call) and call.kwargs == (("axis", lang.Py(axis)),) for call in calls)


def test_an_operand_becomes_other_dtypes_and_shapes() -> None:
    made = list(wrong_arrays(array_of([[1.0, 2.0], [3.0, 4.0]], "float32")))
    assert {array.dtype for array in made} == {"float32", "float64", "int32", "string"}
    assert {array.shape for array in made} == {(1, 2, 2), (1, 2), (4,), (2, 1), (2, 2)}
    assert next(array.values for array in made if array.shape == (2, 1)) == (1.0, 3.0)


def test_whole_numbers_leave_every_range() -> None:
    made = list(wrong_arrays(array_of([0, 1], "int32")))
    assert {array.values[0] for array in made if array.shape == (2,)} == {-1, 50, 0.0}


def test_a_call_of_what_a_tape_made_is_left_alone() -> None:
    asked = (*CALL.steps[:4], lang.Gradient(lang.Ref(1), lang.Ref(3), lang.Ref(3)))
    program = lang.Program((*asked, replace(CALL.steps[4], args=(lang.Ref(4),))))
    assert spoiled(program, "math.reduce_sum", 0) is None


def test_a_stream_is_the_same_however_it_is_split() -> None:
    whole = list(wrong_calls(3, 0, 12, "math.reduce_*"))
    assert whole == list(wrong_calls(3, 0, 5, "math.reduce_*")) + list(wrong_calls(3, 5, 7, "math.reduce_*"))
    assert len(whole) == 12


def test_ops_without_arguments_give_their_turn_to_the_next() -> None:
    assert len(list(wrong_calls(1, 0, 40))) == 40
