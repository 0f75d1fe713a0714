"""Programs and observations survive JSON exactly, and what is no program is refused in a sentence."""

import json
import math
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters import language as lang
from adapters import observations as seen
from adapters.arrays import array_of, from_numpy, to_numpy
from adapters.language import (
    Array,
    Call,
    Constant,
    Function,
    Gradient,
    InThread,
    Items,
    MakeTape,
    Param,
    Program,
    Py,
    Ref,
)
from adapters.program_json import (
    ProgramError,
    dumps,
    from_json,
    loads,
    observation_from_json,
    observation_to_json,
    program_id,
    to_json,
)

X = Constant(array_of(3.0))


def bits(value: float) -> bytes:
    return struct.pack("<d", value)


floats = st.floats(allow_nan=False) | st.just(math.nan)
scalars = st.none() | st.booleans() | st.integers() | floats | st.complex_numbers(allow_nan=False) | st.text()
arrays = st.one_of(
    st.lists(st.floats(width=32, allow_nan=False), max_size=4).map(lambda v: Array("float32", (len(v),), tuple(v))),
    st.lists(floats, min_size=2, max_size=2).map(lambda v: Array("float64", (2, 1), tuple(v))),
    st.integers(-(2**63), 2**63 - 1).map(lambda v: Array("int64", (), (v,))),
    st.complex_numbers(allow_nan=False).map(lambda v: Array("complex128", (), (v,))),
    st.booleans().map(lambda v: Array("bool", (), (v,))),
    st.text().map(lambda v: Array("string", (), (v,))),
)
leaves = st.one_of(
    scalars.map(Py),
    arrays.map(lang.NumPy),
    st.sampled_from([lang.DTypeName("float32"), lang.Marker("ellipsis"), Ref(0), Ref(0, 1)]),
)
operands = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda v: Items("list", tuple(v))),
        st.lists(inner, max_size=2).map(lambda v: Items("dict", tuple(v), tuple(range(len(v))))),
        st.tuples(inner, inner, inner).map(lambda v: lang.Slice(*v)),
    ),
    max_leaves=5,
)
calls = st.builds(
    lambda args, kwargs: Call("math.sin", tuple(args), tuple(kwargs.items())),
    st.lists(operands, max_size=3),
    st.dictionaries(st.sampled_from(["axis", "name"]), operands),
)
programs = st.lists(calls, max_size=4).map(lambda steps: Program((X, *steps)))

outcomes = st.recursive(
    st.one_of(
        arrays.map(seen.Tensor),
        st.builds(seen.Host, st.sampled_from(["float", "ndarray"]), arrays),
        st.sampled_from([seen.Nothing(), seen.Done(), seen.Skipped(), seen.Variable(3)]),
        st.builds(seen.Raised, st.just("errors.InternalError"), st.text()),
        st.builds(seen.Unsupported, st.text()) | st.builds(seen.Crashed, st.text()),
        st.builds(seen.TimedOut, st.floats(0, 100)),
    ),
    lambda inner: st.one_of(
        st.builds(seen.SparseSlices, inner, inner, inner),
        st.builds(seen.RaggedTensor, inner, inner),
        st.lists(inner, max_size=3).map(lambda v: seen.Nest("list", tuple(v))),
        st.lists(inner, max_size=2).map(lambda v: seen.Nest("dict", tuple(v), ("a", 1)[: len(v)])),
    ),
    max_leaves=5,
)


@settings(deadline=None, max_examples=60)
@given(programs)
def test_a_program_comes_back_from_json_to_the_last_bit(program):
    # repr tells 1 from True and 1.0, and -0.0 from 0.0, which == does not
    assert repr(loads(dumps(program))) == repr(program)
    assert dumps(loads(dumps(program))) == dumps(program)


@settings(deadline=None, max_examples=60)
@given(outcomes, st.lists(st.text(), max_size=2))
def test_an_observation_comes_back_from_json_to_the_last_bit(outcome, warnings):
    observation = seen.Observation(outcome, tuple(warnings))
    text = json.dumps(observation_to_json(observation), allow_nan=False)
    assert repr(observation_from_json(json.loads(text))) == repr(observation)


@settings(deadline=None, max_examples=60)
@given(st.floats())
def test_a_float_keeps_its_bits_or_is_nan(value):
    (back,) = loads(dumps(Program((Constant(Array("float64", (), (value,))),)))).steps[0].array.values
    assert bits(back) == bits(value) or (math.isnan(back) and math.isnan(value))


def test_every_step_class_of_the_language_has_a_word_of_its_own():
    from adapters.program_json import _OPERAND_WORDS, _OUTCOME_WORDS, _STEP_WORDS

    assert len(_STEP_WORDS) == len(lang.Step.__args__)
    assert len(_OPERAND_WORDS) == len(lang.Operand.__args__)
    assert len(_OUTCOME_WORDS) == len(seen.Outcome.__args__)


def test_json_leaves_out_defaults_and_nothing_else():
    program = Program((X, MakeTape(), MakeTape(Py(0)), MakeTape(Py(True), Py(1))))
    steps = to_json(program)["steps"]
    assert steps[1] == {"do": "make_tape"}
    assert steps[2] == {"do": "make_tape", "persistent": {"is": "py", "value": 0}}
    assert steps[3]["watch_accessed_variables"] == {"is": "py", "value": 1}


def test_integers_beyond_doubles_are_text():
    assert '"values":["9007199254740993"]' in dumps(Program((Constant(Array("int64", (), (2**53 + 1,))),)))


def test_what_python_calls_equal_has_different_ids():
    values = (True, 1, 1.0, 1 + 0j, 0.0, -0.0, False, 0)
    assert len({program_id(Program((X, Call("f", (Py(value),))))) for value in values}) == len(values)


def test_the_id_of_a_program_is_permanent():
    program = Program((X, MakeTape(), Gradient(Ref(1), Ref(0), Ref(0))))
    assert program_id(program) == "64dae259c3fd1fef"


def test_bodies_and_threads_come_back():
    body = Function(2, (Call("math.sin", (Param(0),)), Call("math.cos", (Ref(0, up=1),))), Ref(1), "variables")
    program = Program(
        (X, Call("custom_gradient", (body,)), InThread((Call("math.sin", (Ref(0, up=1),)),)), Call("f", (Ref(2, 0),)))
    )
    assert loads(dumps(program)) == program


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "this is not JSON"),
        ("[]", "a program is a JSON object with the fields version and steps"),
        ('{"version": 1}', "a program has the fields version and steps"),
        ('{"version": 99, "steps": []}', "written in version 99 of the language, newer than 1"),
        ('{"version": 0, "steps": []}', "0 is no version of the language"),
        ('{"version": 1, "steps": [], "more": 1}', "a program has no field 'more'"),
        ('{"version": 1, "steps": [{"do": "fly"}]}', "step 0: there is no step called 'fly'"),
        ('{"version": 1, "steps": [{"do": "make_tape", "size": 1}]}', "step 0: make_tape has no field 'size'"),
        ('{"version": 1, "steps": [{"do": "enter"}]}', "step 0: enter lacks the field 'context'"),
        ('{"version": 1, "steps": [{"do": "enter", "context": 3}]}', "enter.context: 3 is no operand"),
        (
            '{"version": 1, "steps": [{"do": "constant", "array": {"dtype": "float32", "shape": [2], "values": [1]}}]}',
            "constant.array: 1 values do not fill the shape (2,)",
        ),
        (
            '{"version": 1, "steps": [{"do": "constant", "array": {"dtype": "float31", "shape": [], "values": [1]}}]}',
            "'float31' is no dtype",
        ),
    ],
)
def test_what_is_no_program_is_refused_in_a_sentence(text, sentence):
    with pytest.raises(ProgramError) as error:
        loads(text)
    assert sentence in str(error.value)


@pytest.mark.parametrize(
    ("steps", "sentence"),
    [
        ((Call("f", (Ref(0),)),), "step 0: a reference to step 0 points nowhere"),
        ((X, Call("f", (Ref(0, up=1),))), "step 1: a reference goes 1 scopes outward, where there is none"),
        ((X, Call("f", (Param(0),))), "step 1: parameter 0 stands in no function"),
        ((X, Call("f", (Function(1, (), Param(1)),))), "step 1: parameter 1 does not exist, the function has 1"),
        ((X, Call("f", (Function(0, (X, Call("g", (Ref(3),))), Ref(0)),))), "inner step 1: a reference to step 3"),
        ((X, Call("f", (Function(0, (), Ref(1, up=1)),))), "step 1: a reference to step 1 points nowhere"),
    ],
)
def test_references_that_point_nowhere_are_refused(steps, sentence):
    with pytest.raises(ProgramError) as error:
        from_json(to_json(Program(steps)))
    assert sentence in str(error.value)


def test_arrays_and_numpy_agree():
    for array in (
        array_of([[1.0, -0.0], [math.inf, 2.5]]),
        array_of([1, 2], "int64"),
        array_of(["a", "\udcff"]),
        array_of(1j),
    ):
        assert repr(from_numpy(to_numpy(array))) == repr(array)


def test_bfloat16_is_exact():
    array = array_of([1.00390625, 0.1], "bfloat16")
    assert array == Array("bfloat16", (2,), (1.0, 0.10009765625))
    assert from_numpy(to_numpy(array)) == array
