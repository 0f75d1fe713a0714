"""Coverage: whose gradient functions ran, which can be reached, and what a program asks of each op."""

from __future__ import annotations

from adapters.language import Array, Call, Constant, Enter, Exit, Gradient, MakeTape, Program, Ref, Watch
from adapters.noted_gradients import NotedGradients
from adapters.observations import Done, Nothing, Observation, Tensor
from conformance.coverage.count import Counts
from conformance.coverage.reach import reachable, unreachable
from conformance.coverage.traits import traits_of


def test_a_gradient_function_is_noted_when_it_is_called_and_not_before() -> None:
    registry = {"Sin": {"type": lambda op, dy: dy}, "Shape": {"type": None}}
    noted = NotedGradients(registry, lambda name: "")
    registry["Sin"]["type"](None, 1.0)
    noted.note()
    assert noted.called() == ()
    assert registry["Sin"]["type"](None, 2.0) == 2.0
    assert noted.called() == ("Sin",)
    assert noted.called() == ()
    assert noted.kernels() == {"Sin": ""}


def test_what_the_oracle_cannot_run_and_what_the_table_excludes_is_out_of_reach() -> None:
    kernels = {"Mul": "", "Enter": "", "CudnnRNN": "it has no kernel for the CPU"}
    assert reachable(kernels) == ("Mul",)
    assert unreachable("CudnnRNN", kernels["CudnnRNN"]) == "it has no kernel for the CPU"


def test_only_called_kernels_within_reach_are_covered() -> None:
    counts = Counts(kernels={"Mul": "", "Sin": "", "Enter": ""})
    counts.called.update(["Mul", "Enter"])
    assert counts.covered == ("Mul",)
    assert list(counts.left) == ["Sin"]
    assert counts.told().startswith("covered 1 / 2 ")


def test_an_op_has_a_gradient_only_where_one_was_answered() -> None:
    x = Array("float32", (), (2.0,))
    program = Program((
        Constant(x), MakeTape(), Enter(Ref(1)), Watch(Ref(1), Ref(0)), Call("math.sin", (Ref(0),)), Exit(Ref(1)),
        Gradient(Ref(1), Ref(4), Ref(0)),
    ))  # fmt: skip
    seen = [Tensor(x), Done(), Done(), Done(), Tensor(x), Done()]
    with_gradient = [Observation(one) for one in (*seen, Tensor(x))]
    without = [Observation(one) for one in (*seen, Nothing())]
    assert traits_of(program, with_gradient) == {"math.sin": frozenset({"value", "gradient"})}
    assert traits_of(program, without) == {"math.sin": frozenset({"value"})}
