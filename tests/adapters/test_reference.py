"""The engine behind the common interface, on its own arrays and on arrays of another kind."""

import numpy as np

from adapters import open_tape
from adapters.arrays import array_of, to_numpy
from adapters.interpreter import run
from adapters.language import Call, Constant, Enter, Exit, Gradient, MakeTape, Program, Ref, Watch
from adapters.observations import Host, Tensor
from adapters.reference import ReferenceBackend

SQUARE = Program(
    (
        Constant(array_of(3.0)),
        MakeTape(),
        Enter(Ref(1)),
        Watch(Ref(1), Ref(0)),
        Call("operator.mul", (Ref(0), Ref(0))),
        Exit(Ref(1)),
        Gradient(Ref(1), Ref(4), Ref(0)),
    )
)


def test_the_reference_runs_programs_in_this_process():
    with open_tape("reference") as tape:
        seen = [each.outcome for each in tape.run(SQUARE)]
    assert (seen[0], seen[4], seen[6]) == (Tensor(array_of(3.0)), Tensor(array_of(9.0)), Tensor(array_of(6.0)))


def test_arrays_of_another_kind_go_in_and_come_out():
    opened = []

    def open_array(inner):
        opened.append(inner)
        return Host("double", array_of(float(inner), "float64"))

    backend = ReferenceBackend(lambda array: to_numpy(array).astype(np.float64) / 3, open_array)
    seen = [each.outcome for each in run(SQUARE, backend)]
    assert seen[0] == Host("double", array_of(1.0, "float64"))
    assert seen[6] == Host("double", array_of(2.0, "float64"))
    assert all(np.asarray(each).dtype == np.float64 for each in opened)


def test_an_opener_may_leave_a_value_to_the_usual_description():
    backend = ReferenceBackend(open_array=lambda inner: None)
    assert run(SQUARE, backend)[4].outcome == Tensor(array_of(9.0))
