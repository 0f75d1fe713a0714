"""Lanes: the run with bounds goes through the whole engine, and says how each program can be judged."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adapters import load
from adapters.arrays import array_of, from_numpy, to_numpy
from adapters.interpreter import run
from adapters.language import (
    Call,
    Constant,
    DTypeName,
    Enter,
    Exit,
    Function,
    Gradient,
    InThread,
    Items,
    Jacobian,
    MakeTape,
    MakeVariable,
    NumPy,
    Operand,
    Param,
    Program,
    Py,
    Ref,
    Watch,
)
from adapters.observations import Nest, Observation, Tensor
from conformance.judging.compare import compare
from conformance.judging.lanes import Bounds, Leaf, bounds_of, has_floating_values, leaves


def differentiated(*calls: tuple[str, tuple[Operand, ...]], value: Any = (1.0, 2.0), dtype: str = "float32") -> Program:
    """Watch a constant (step 0), make calls (from step 4 on), and take the gradient of the last one."""
    steps: list[Any] = [Constant(array_of(list(value), dtype)), MakeTape(), Enter(Ref(1)), Watch(Ref(1), Ref(0))]
    steps += [Call(op, arguments) for op, arguments in calls]
    return Program((*steps, Exit(Ref(1)), Gradient(Ref(1), Ref(len(steps) - 1), Ref(0))))


def bounded_run(program: Program) -> Bounds:
    found = bounds_of(program)
    assert isinstance(found, Bounds), found
    return found


def leaf_of(found: Bounds, step: int = -1) -> Leaf:
    outcome = found.steps[step].outcome
    assert isinstance(outcome, Leaf)
    return outcome


def test_whole_numbers_stay_in_the_exact_lane_through_the_gradient() -> None:
    found = bounded_run(differentiated(("math.square", (Ref(0),)), ("math.multiply", (Ref(4), Ref(0)))))
    assert found.lane == "exact"
    assert list(leaf_of(found).x) == [3.0, 12.0]
    assert found.error_bound == 0.0


def test_rounding_makes_a_program_numeric() -> None:
    found = bounded_run(differentiated(("math.sin", (Ref(0),))))
    assert found.lane == "numeric"
    assert found.steps[3].lane == "structural"
    assert 0 < leaf_of(found).e.max() < 1e-6


@pytest.mark.parametrize("operand", [Py(0.1), NumPy(array_of(0.1)), Ref(0)])
def test_python_numbers_and_numpy_arrays_carry_bounds_like_tensors(operand: Operand) -> None:
    found = bounded_run(differentiated(("math.exp", (operand,)), ("math.multiply", (Ref(4), Ref(0)))))
    assert not leaf_of(found, 4).exact()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_python_numbers_in_a_gradient_carry_bounds(dtype: str) -> None:
    found = bounded_run(differentiated(("math.xlogy", (Ref(0), Py(3.0))), dtype=dtype))
    assert not leaf_of(found).exact()  # its logarithm


def test_the_seed_of_a_gradient_carries_bounds_too() -> None:
    found = bounded_run(differentiated(("math.reduce_mean", (Ref(0),)), value=(1.0, 2.0, 4.0)))
    assert not leaf_of(found).exact()  # a third, three times


def test_what_follows_from_a_doubtful_decision_is_ill_conditioned() -> None:
    near = differentiated(
        ("math.sin", (Ref(0),)), ("math.multiply", (Ref(4), Py(1.0000001))), ("math.maximum", (Ref(4), Ref(5)))
    )
    found = bounded_run(near)
    assert found.steps[6].lane == "numeric"  # the value of maximum is certain enough
    assert found.lane == "ill-conditioned" and found.reasons  # which operand gets the gradient is not


def test_cancellation_is_ill_conditioned() -> None:
    program = differentiated(("math.add", (Ref(0), Py(1e8))), ("math.subtract", (Ref(4), Py(1e8))))
    assert bounded_run(program).lane == "ill-conditioned"


def test_a_program_without_floating_values_is_structural_without_a_run() -> None:
    program = Program((MakeTape(), Enter(Ref(0)), Exit(Ref(0))))
    answers = run(program, load("reference"))
    assert not has_floating_values(program, answers)
    assert bounded_run(program).lane == "structural"


def test_variables_threads_and_nests_carry_bounds() -> None:
    program = Program((
        MakeVariable(NumPy(array_of([0.3, 0.7]))), MakeTape(), Enter(Ref(1)), Call("math.sin", (Ref(0),)), Exit(Ref(1)),
        Gradient(Ref(1), Ref(3), Items("list", (Ref(0), Ref(0)))), InThread((Call("math.exp", (Ref(0, up=1),)),)),
    ))  # fmt: skip
    found = bounded_run(program)
    assert isinstance(found.steps[5].outcome, Nest)
    assert all(not leaf.exact() for step in (5, 6) for leaf in leaves(found.steps[step].outcome))


def test_slices_carry_bounds() -> None:
    indices = Constant(array_of([1, 1], "int32"))
    steps = differentiated(("math.sin", (Ref(0),)), ("gather", (Ref(0), NumPy(array_of([1, 1]))))).steps
    program = Program((indices, *(_shifted(step) for step in steps[:4]), Call("gather", (Ref(1), Ref(0))), *_ending()))
    found = bounded_run(program)
    assert len(list(leaves(found.steps[-1].outcome))) == 1


def _shifted(step: Any) -> Any:
    match step:
        case Enter():
            return Enter(Ref(2))
        case Watch():
            return Watch(Ref(2), Ref(1))
    return step


def _ending() -> tuple[Any, ...]:
    return Exit(Ref(2)), Gradient(Ref(2), Ref(5), Ref(1))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize(
    "op", ["math.sin", "math.tanh", "math.sigmoid", "math.softplus", "nn.gelu", "math.sqrt", "math.log1p"]
)
def test_the_engine_itself_stays_within_the_bounds(op: str, dtype: str) -> None:
    program = differentiated((op, (Ref(0),)), ("math.square", (Ref(4),)), value=(0.3, 0.75, 1.9), dtype=dtype)
    answers = run(program, load("reference"))
    found = bounded_run(program)
    for step in (4, 5, 7):
        outcome = answers[step].outcome
        assert isinstance(outcome, Tensor)
        leaf = leaf_of(found, step)
        gap = np.abs(to_numpy(outcome.array).astype(leaf.fmt.wide) - leaf.x)
        assert (gap <= leaf.e).all(), (op, dtype, step, gap / leaf.e)
    assert compare(program, answers, answers, found).verdict == "agrees"


@pytest.mark.parametrize("factor", [1.0001, 0.5, -1.0])
def test_a_wrong_gradient_is_found_through_the_whole_road(factor: float) -> None:
    program = differentiated(("math.tanh", (Ref(0),)), ("math.exp", (Ref(4),)), ("math.reduce_sum", (Ref(5),)))
    want = run(program, load("reference"))
    right = want[-1].outcome
    assert isinstance(right, Tensor)
    wrong = Tensor(from_numpy((to_numpy(right.array) * np.float32(factor)).astype(np.float32)))
    found = compare(program, want, (*want[:-1], Observation(wrong)), lambda: bounds_of(program))
    assert found.verdict == "differs"
    assert found.difference is not None and found.difference.step == len(program.steps) - 1


def test_a_run_with_bounds_leaves_the_engine_as_it_was() -> None:
    program = differentiated(("math.sin", (Ref(0),)))
    before = run(program, load("reference"))
    bounds_of(program)
    assert run(program, load("reference")) == before


def test_what_ops_make_of_plain_values_carries_bounds() -> None:
    program = Program((
        Constant(array_of([1, 2], "int32")), Call("cast", (Ref(0), DTypeName("float32"))), Call("math.sin", (Ref(1),)),
        Call("ones", (Py(2),)), Call("math.exp", (Ref(3),)),
    ))  # fmt: skip
    found = bounded_run(program)
    assert not leaf_of(found, 2).exact() and not leaf_of(found, 4).exact()


def test_the_signs_of_zeros_are_free_once_a_function_was_traced() -> None:
    plain = differentiated(("math.square", (Ref(0),)))
    body = Function(1, (Call("math.square", (Param(0),)),), Ref(0))
    traced = Program((*plain.steps, Call("function", (body,))))
    assert not bounded_run(plain).steps[-1].signs_lost
    assert bounded_run(traced).steps[-1].signs_lost


@pytest.mark.parametrize(("vectorized", "lane"), [(None, "numeric"), (Py(True), "numeric"), (Py(False), "exact")])
def test_a_jacobian_of_quotients_is_exact_row_by_row_only(vectorized: Py | None, lane: str) -> None:
    steps: list[Any] = [Constant(array_of([1.5, 2.5], "float32")), MakeTape(persistent=Py(True)), Enter(Ref(1))]
    steps += [Watch(Ref(1), Ref(0)), Call("math.divide", (Ref(0), Py(2.0))), Exit(Ref(1))]
    steps.append(Jacobian(Ref(1), Ref(4), Ref(0), experimental_use_pfor=vectorized))
    found = bounded_run(Program(tuple(steps)))
    assert [step.lane for step in found.steps[-3:]] == ["exact", "exact", lane]
