"""Running a program: one observation per step, errors do not end it, nothing is left open."""

import logging

import pytest

from adapters.arrays import array_of
from adapters.backend import Capabilities
from adapters.interpreter import run
from adapters.language import (
    AliveAfterDelete,
    Assign,
    Call,
    Constant,
    Enter,
    Exit,
    Function,
    Gradient,
    InThread,
    Invoke,
    Items,
    MakeTape,
    MakeVariable,
    Marker,
    NumPy,
    Param,
    Program,
    Py,
    ReadAgain,
    Ref,
    Same,
    Slices,
    Watch,
    WatchedVariables,
)
from adapters.observations import (
    Done,
    Host,
    Nest,
    Nothing,
    Raised,
    Skipped,
    SparseSlices,
    Tensor,
    Unsupported,
    Variable,
)
from adapters.tf_shaped import Hooks, TfShaped
from tests.adapters import tiny_tape

X = Constant(array_of(3.0))
TRUE, FALSE = Host("bool", array_of(True)), Host("bool", array_of(False))


def outcomes(*steps, backend=None):
    return [each.outcome for each in run(Program(steps), backend or TfShaped(tiny_tape))]


def tensor(value, dtype=None):
    return Tensor(array_of(value, dtype))


def mul(left, right):
    return Call("operator.mul", (left, right))


def test_a_square_is_differentiated():
    seen = outcomes(
        X,
        MakeTape(),
        Enter(Ref(1)),
        Watch(Ref(1), Ref(0)),
        mul(Ref(0), Ref(0)),
        Exit(Ref(1)),
        Gradient(Ref(1), Ref(4), Ref(0)),
    )
    assert seen == [tensor(3.0), Done(), Done(), Done(), tensor(9.0), Done(), tensor(6.0)]


def test_an_error_does_not_end_a_program():
    seen = outcomes(X, Call("math.sin", (Py("a"),)), Call("math.sin", (Ref(1),)), mul(Ref(0), Py(2.0)))
    assert [type(each) for each in seen] == [Tensor, Raised, Skipped, Tensor]


def test_what_the_module_lacks_is_unsupported():
    assert outcomes(X, Call("math.cos", (Ref(0),))) == [
        tensor(3.0),
        Unsupported("tests.adapters.tiny_tape has no math.cos"),
    ]


def test_python_has_no_such_operator_is_unsupported_too():
    assert outcomes(Call("operator.fly", ())) == [Unsupported("Python has no operator.fly")]


def test_errors_have_public_names_and_plain_messages():
    seen = outcomes(Constant(array_of([1.0, 2.0])), Call("operator.add", (Ref(0), NumPy(array_of([1.0, 2.0, 3.0])))))
    assert seen[1] == Raised("errors.InvalidArgumentError", "Incompatible shapes: [2] vs. [3] [Op:AddV2]")


def test_an_error_whose_message_cannot_be_read_is_an_answer(monkeypatch):
    class Broken(ValueError):
        def __str__(self):
            raise TypeError

    def sin(x):
        raise Broken

    monkeypatch.setattr(tiny_tape.math, "sin", sin)
    seen = outcomes(X, Call("math.sin", (Ref(0),)), mul(Ref(0), Py(2.0)))
    assert seen[1] == Raised("ValueError", "its message cannot be read: TypeError")
    assert seen[2] == tensor(6.0)


def test_a_traced_implementation_ends_at_its_first_error():
    backend = TfShaped(tiny_tape, capabilities=Capabilities(traced=True))
    seen = outcomes(X, Call("math.sin", (Py(1),)), X, mul(Ref(2), Ref(2)), backend=backend)
    assert [type(each) for each in seen] == [Tensor, Raised, Skipped, Skipped]


def test_every_kind_of_value_is_described():
    seen = outcomes(
        X,
        Call(
            "apply",
            (
                Function(
                    0,
                    (),
                    Items("tuple", (Py(None), Py(2.5), Py(True), Py("s"), NumPy(array_of([1.0])), NumPy(array_of(1)))),
                ),
            ),
        ),
        Call("apply", (Function(0, (), Items("dict", (Ref(0, up=1), Py(1)), ("b", "a"))),)),
        Slices(Ref(0), Ref(0)),
        Call("apply", (Function(0, (), Function(0, (), Py(1))),)),
    )
    assert seen[1] == Nest(
        "tuple",
        (
            Nothing(),
            Host("float", array_of(2.5, "float64")),
            TRUE,
            Host("str", array_of("s")),
            Host("ndarray", array_of([1.0])),
            Host("int32", array_of(1)),
        ),
    )
    assert seen[2] == Nest("dict", (tensor(3.0), Host("int", array_of(1, "int64"))), ("b", "a"))
    assert seen[3] == SparseSlices(tensor(3.0), tensor(3.0), Nothing())
    assert seen[4] == Done()


def test_variables_are_named_by_the_step_that_made_them():
    seen = outcomes(
        X,
        MakeVariable(Py(2.0)),
        MakeVariable(Ref(0)),
        MakeTape(),
        Enter(Ref(3)),
        Call("method.read_value", (Ref(2),)),
        Call("method.read_value", (Ref(1),)),
        Exit(Ref(3)),
        WatchedVariables(Ref(3)),
        Assign(Ref(2), Py(7.0)),
        Same(Ref(8, 0), Ref(2)),
    )
    assert seen[1:3] == [Variable(1), Variable(2)]
    assert seen[8:] == [Nest("tuple", (Variable(2), Variable(1))), Variable(2), TRUE]


def test_functions_run_their_body_with_parameters_and_what_surrounds_them():
    add = Function(1, (Call("operator.add", (Param(0, up=1), Param(0))), mul(Ref(0), Ref(0, up=2))), Ref(1))
    make = Function(1, (), add)
    seen = outcomes(
        X, Call("apply", (make, Constant and Ref(0))), Invoke(Ref(1), (Py(4.0),)), Invoke(Ref(1), (Py(4.0), Py(1.0)))
    )
    assert seen[2] == tensor(21.0)
    assert seen[3] == Raised("TypeError", "maker.<locals>.function() takes 1 positional argument but 2 were given")


def test_a_keyword_parameter_is_the_last_one_and_none_when_left_out():
    function = Function(2, (), Items("list", (Param(0), Param(1))), keyword="variables")
    seen = outcomes(Call("apply", (function, Py(1))), Call("apply", (function, Py(1)), (("variables", Py(2)),)))
    one, two = (Host("int", array_of(value, "int64")) for value in (1, 2))
    assert seen == [Nest("list", (one, Nothing())), Nest("list", (one, two))]


def test_errors_inside_a_body_escape_it():
    seen = outcomes(Call("apply", (Function(0, (Call("python.raise", (Py("KeyError"), Py("k"))),), Py(1)),)), X)
    assert seen == [Raised("KeyError", "'k'"), tensor(3.0)]


def test_a_function_that_needs_something_absent_is_skipped():
    body = Function(0, (Call("apply", (Function(0, (), Ref(0, up=2)),)),), Ref(0))
    assert outcomes(Call("nothing"), Call("apply", (body,)))[1] == Skipped()


def test_a_thread_sees_and_gives_values():
    inner = (mul(Ref(0, up=1), Py(2.0)), Call("nothing"), Call("math.sin", (Ref(1),)), mul(Ref(0), Ref(0)))
    seen = outcomes(X, InThread(inner), mul(Ref(1, 3), Py(1.0)), mul(Ref(1, 1), Py(1.0)))
    nest = Nest("tuple", (tensor(6.0), Unsupported("tests.adapters.tiny_tape has no nothing"), Skipped(), tensor(36.0)))
    assert seen[1:] == [nest, tensor(36.0), Skipped()]


def test_alive_after_delete_tells_who_holds_a_value():
    seen = outcomes(
        X,
        X,
        Call("apply", (Function(0, (), Items("list", (Ref(1, up=1),))),)),
        AliveAfterDelete(Ref(0)),
        AliveAfterDelete(Ref(1)),
        mul(Ref(0), Ref(0)),
    )
    assert seen[3:] == [FALSE, TRUE, Skipped()]


def test_a_deleted_tape_is_not_kept_alive_by_the_interpreter():
    assert outcomes(MakeTape(), Enter(Ref(0)), Exit(Ref(0)), AliveAfterDelete(Ref(0)))[3] == FALSE


def test_a_part_of_a_result_can_be_deleted():
    seen = outcomes(
        X,
        MakeTape(),
        Enter(Ref(1)),
        Watch(Ref(1), Ref(0)),
        mul(Ref(0), Ref(0)),
        Exit(Ref(1)),
        Gradient(Ref(1), Ref(4), Items("list", (Ref(0), Ref(4)))),
        AliveAfterDelete(Ref(6, 0)),
        mul(Ref(6, 1), Py(1.0)),
    )
    assert seen[7:] == [FALSE, tensor(1.0)]


def test_reading_again_shows_whether_the_copy_was_the_tensor_itself():
    shared = TfShaped(tiny_tape)
    leaky = tiny_tape.Tensor([1.0, 2.0])
    leaky.numpy = lambda: leaky.value
    values = iter([tiny_tape.constant(array_of and __import__("numpy").float32([1.0, 2.0])), leaky])
    backend = TfShaped(tiny_tape, hooks=Hooks(make_tensor=lambda array: next(values)))
    seen = outcomes(X, ReadAgain(Ref(0)), X, ReadAgain(Ref(2)), backend=backend)
    assert seen[1] == tensor([1.0, 2.0])
    assert seen[3] == tensor([77.0, 77.0], "float64")
    assert shared.identity().name == "tests.adapters.tiny_tape"


def test_odd_nests_reach_the_implementation():
    seen = outcomes(
        MakeTape(),
        Enter(Ref(0)),
        Watch(Ref(0), Items("set", (Py(1.0),))),
        Watch(Ref(0), Marker("object")),
        Watch(Ref(0), Items("generator", ())),
    )
    assert seen[2] == Raised("ValueError", "Passed in object {1.0} of type 'set'")
    assert seen[3] == Raised("ValueError", "Passed in object <object object at 0x…> of type 'object'")
    assert "generator" in seen[4].message


def test_leaving_by_an_error_hands_it_to_the_context():
    passed = []

    class Context:
        def __enter__(self):
            return self

        def __exit__(self, kind, error, at):
            passed.append((kind, error))
            return kind is not None

    backend = TfShaped(tiny_tape)
    backend.tape = lambda persistent, accessed: Context()
    seen = outcomes(MakeTape(), Enter(Ref(0)), Exit(Ref(0)), Exit(Ref(0), raising=True), backend=backend)
    assert seen[2:] == [Done(), TRUE]  # a swallowed error shows
    assert passed[0] == (None, None) and passed[1][0] is type(passed[1][1])


def test_what_is_open_is_closed_after_the_program():
    outcomes(MakeTape(), Enter(Ref(0)), MakeTape(), Enter(Ref(2)), Exit(Ref(0)))
    assert tiny_tape._tapes == []


def test_warnings_ride_along_and_counters_are_cleared_before_each_program():
    backend = TfShaped(tiny_tape, hooks=Hooks(before=tiny_tape._logged.clear))
    steps = (Constant(array_of(1)), MakeTape(), Enter(Ref(1)), Watch(Ref(1), Ref(0)), Watch(Ref(1), Ref(0)))
    for _ in range(2):
        seen = run(Program(steps), backend)
        assert [each.warnings for each in seen[3:]] == [("The dtype of the watched tensor must be floating",), ()]


def test_the_logger_is_as_it_was_after_a_program():
    logger = logging.getLogger("tensorflow")
    before = logger.handlers[:], logger.propagate, logger.level, logger.disabled
    outcomes(X)
    assert (logger.handlers, logger.propagate, logger.level, logger.disabled) == before


def test_observations_are_told_as_they_are_made():
    told = []
    run(Program((X, X)), TfShaped(tiny_tape), lambda step, seen: told.append((step, seen.outcome)))
    assert told == [(0, tensor(3.0)), (1, tensor(3.0))]


@pytest.mark.parametrize("kind", ["sin", "mul"])
def test_a_gradient_may_be_asked_with_output_gradients(kind):
    op = {"sin": Call("math.sin", (Ref(0),)), "mul": mul(Ref(0), Ref(0))}[kind]
    seen = outcomes(
        Constant(array_of(0.0)),
        MakeTape(),
        Enter(Ref(1)),
        Watch(Ref(1), Ref(0)),
        op,
        Exit(Ref(1)),
        Gradient(Ref(1), Ref(4), Ref(0), Ref(0)),
    )
    assert seen[6] == tensor(0.0)
