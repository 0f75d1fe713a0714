"""The arbiters: the tape's own differences and 120-digit arithmetic say which side of a wrong gradient is right."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import mpmath
import numpy as np
import pytest

from adapters.arrays import array_of, from_numpy, to_numpy
from adapters.language import (
    Call,
    Constant,
    Enter,
    Exit,
    Gradient,
    Items,
    MakeTape,
    Program,
    Py,
    Ref,
    StopRecording,
    Watch,
)
from adapters.observations import Done, Nest, Nothing, Observation, Outcome, Tensor
from conformance.blaming import mathematics
from conformance.blaming.arbiters import blame
from conformance.judging.compare import compare

NUMPY = {"math.sin": np.sin, "math.exp": np.exp, "math.square": np.square, "nn.relu": lambda x: np.maximum(x, 0)}


def program(op: str = "math.sin", value: float = 0.7, *more: Any) -> Program:
    return Program((
        Constant(array_of([value, 2.0])), MakeTape(), Enter(Ref(1)), Watch(Ref(1), Ref(0)), *more, Call(op, (Ref(0),)),
        Exit(Ref(1)), Gradient(Ref(1), Ref(4 + len(more)), Ref(0)),
    ))  # fmt: skip


def own_forward(asked: Program) -> Sequence[Observation]:
    """A tape whose forward is right: what its constants and one unary op make."""
    seen = []
    for step in asked.steps:
        match step:
            case Constant(array=array):
                seen.append(Observation(Tensor(array)))
            case Call(op=op):
                seen.append(Observation(Tensor(from_numpy(NUMPY[op](to_numpy(asked.steps[0].array))))))
            case _:
                seen.append(Observation(Done()))
    return seen


def judged(asked: Program, want: Outcome, got: Outcome, oracle: str = "tensorflow", run: Any = own_forward) -> Any:
    head = list(own_forward(asked))[:-1]
    found = compare(asked, [*head, Observation(want)], [*head, Observation(got)])
    return blame(asked, found, run, oracle)


def gradient(*values: float) -> Tensor:
    return Tensor(array_of(list(values)))


RIGHT = gradient(math.cos(0.7), math.cos(2.0))
WRONG = gradient(-math.cos(0.7), math.cos(2.0))


def test_a_wrong_tape_is_blamed_by_both_arbiters() -> None:
    who, evidence = judged(program(), RIGHT, WRONG)
    assert who == "tape"
    assert [each.supports for each in evidence] == ["want", "want"]
    x = mpmath.mpf(float(np.float32(0.7)))
    assert evidence[1].answer == mpmath.nstr(mpmath.cos(x), 17)


def test_a_wrong_oracle_is_told_from_a_wrong_tape() -> None:
    assert judged(program(), WRONG, RIGHT)[0] == "TensorFlow differs from the mathematics"
    assert judged(program(), WRONG, RIGHT, oracle="reference")[0] == "reference"


def test_none_where_the_slope_is_not_zero_is_wrong() -> None:
    assert judged(program(), RIGHT, Nothing())[0] == "tape"
    assert judged(program(), Nothing(), RIGHT)[0] == "TensorFlow differs from the mathematics"


def test_none_against_zeros_is_no_question_of_mathematics() -> None:
    who, evidence = judged(program("nn.relu", -1.0), gradient(0.0, 0.0), Nothing())
    assert who == "unknown"
    assert {each.supports for each in evidence} == {"both"}


def test_at_a_kink_nobody_is_blamed() -> None:
    who, evidence = judged(program("nn.relu", 0.0), gradient(0.0, 1.0), gradient(0.5, 1.0))
    assert who == "unknown"
    assert all("kink" in each.answer for each in evidence)


def test_the_arbiters_stay_silent_where_a_gradient_need_not_be_a_derivative() -> None:
    stopped = program("math.sin", 0.7, StopRecording(Ref(1)))
    who, evidence = judged(stopped, RIGHT, WRONG)
    assert who == "unknown" and "StopRecording" in evidence[0].answer


def test_without_a_tape_to_run_the_mathematics_decides_alone() -> None:
    who, evidence = judged(program(), RIGHT, WRONG, run=None)
    assert (who, len(evidence)) == ("tape", 1)


def test_a_difference_inside_a_nest_is_found() -> None:
    asked = Program((*program().steps[:-1], Gradient(Ref(1), Ref(4), Items("list", (Ref(0),)))))
    assert judged(asked, Nest("list", (RIGHT,)), Nest("list", (WRONG,)))[0] == "tape"


def test_second_derivatives_are_evaluated() -> None:
    nested = Program((
        Constant(array_of(0.7)), MakeTape(Py(True)), Enter(Ref(1)), Watch(Ref(1), Ref(0)), Call("math.exp", (Ref(0),)),
        Gradient(Ref(1), Ref(4), Ref(0)),
    ))  # fmt: skip
    value, kink = mathematics.derivative(nested, Ref(5), None, 0, 0)
    assert not kink
    with mpmath.workdps(60):
        assert abs(value - mpmath.exp(mpmath.mpf(float(np.float32(0.7))))) < mpmath.mpf(10) ** -20


@pytest.mark.parametrize(("op", "x", "slope"), [
    ("math.tanh", 0.5, lambda x: 1 / mpmath.cosh(x) ** 2), ("math.log1p", 0.5, lambda x: 1 / (1 + x)),
    ("math.erf", 0.5, lambda x: 2 / mpmath.sqrt(mpmath.pi) * mpmath.exp(-x * x)), ("math.lgamma", 2.5, mpmath.digamma),
    ("math.rsqrt", 4.0, lambda x: -x ** mpmath.mpf(-1.5) / 2), ("nn.silu", 0.0, lambda x: mpmath.mpf("0.5")),
])  # fmt: skip
def test_the_table_of_the_mathematics_differentiates(op: str, x: float, slope: Any) -> None:
    value, kink = mathematics.derivative(program(op, x), Ref(4), (1.0, 0.0), 0, 0)
    assert not kink
    assert abs(value - slope(mpmath.mpf(x))) < mpmath.mpf(10) ** -12


def test_reductions_and_matrices_are_in_the_table() -> None:
    matrix = Constant(array_of([[1.0, 2.0], [3.0, 4.0]]))
    product = Program(
        (matrix, Call("linalg.matmul", (Ref(0), Ref(0))), Call("math.reduce_sum", (Ref(1),), (("axis", Py(0)),)))
    )
    assert [float(v) for v in mathematics.value(product, Ref(2))] == [22.0, 32.0]
    assert float(mathematics.derivative(product, Ref(1), None, 0, 0)[0]) == pytest.approx(7.0)


def test_an_op_beyond_the_table_says_so() -> None:
    with pytest.raises(mathematics.NotKnown, match=r"math\.betainc"):
        mathematics.value(Program((Call("math.betainc", (Py(1.0),)),)), Ref(0))
