"""Failing programs become small, always in the same way."""

from __future__ import annotations

from itertools import islice
from statistics import median

from adapters import language as lang
from adapters.arrays import array_of
from adapters.program_json import dumps
from adapters.references import dangling
from conformance.generating.builder import build
from conformance.generating.choices import draw
from conformance.generating.sources import seeded
from conformance.shrinking.rewrite import change_refs, drop
from conformance.shrinking.shrink import shrink, shrink_stored
from conformance.shrinking.simpler import PASSES
from conformance.shrinking.weight import steps_besides


def calls(program: lang.Program, op: str) -> list[int]:
    return [at for at, step in enumerate(program.steps) if isinstance(step, lang.Call) and step.op == op]


def asks_about_maximum(program: lang.Program) -> bool:
    """A stand-in for a planted bug: a gradient whose target a maximum made."""
    made = calls(program, "math.maximum")
    asked = [step for step in program.steps if isinstance(step, lang.Gradient)]
    return any(step.target == lang.Ref(at) for at in made for step in asked)


def asks_twice(program: lang.Program) -> bool:
    tapes = [step.tape for step in program.steps if isinstance(step, lang.Gradient)]
    return len(set(tapes)) < len(tapes)


def stops_and_reads(program: lang.Program) -> bool:
    stops = [at for at, step in enumerate(program.steps) if isinstance(step, lang.StopRecording)]
    return any(isinstance(step, lang.Call) for at in stops for step in program.steps[at:])


def failing(predicate: object, wanted: int) -> list[tuple[tuple[int, ...], ...]]:
    fits = (choices for choices, program in seeded(8, 0, 4000) if predicate(program))  # type: ignore[operator]
    found = list(islice(fits, wanted))
    assert len(found) == wanted
    return found


def test_planted_faults_shrink_to_at_most_four_steps_in_the_median() -> None:
    sizes = []
    for predicate in (asks_about_maximum, asks_twice, stops_and_reads):
        for choices in failing(predicate, 6):
            small = shrink(choices, predicate)
            assert predicate(small) and dangling(small) is None
            sizes.append(steps_besides(small))
    assert median(sizes) <= 3
    assert max(sizes) <= 4


def test_shrinking_is_deterministic() -> None:
    (choices,) = failing(asks_about_maximum, 1)
    assert shrink(choices, asks_about_maximum) == shrink(choices, asks_about_maximum)


def test_shrinking_makes_values_and_shapes_plain() -> None:
    (choices,) = failing(asks_about_maximum, 1)
    small = shrink(choices, asks_about_maximum)
    arrays = [step.array for step in small.steps if isinstance(step, lang.Constant)]
    assert arrays
    assert all(array.shape == () and array.values == (1.0,) and array.dtype == "float32" for array in arrays)


def test_the_number_of_calls_is_bounded() -> None:
    asked: list[lang.Program] = []

    def watched(program: lang.Program) -> bool:
        asked.append(program)
        return asks_twice(program)

    (choices,) = failing(asks_twice, 1)
    shrink(choices, watched, max_calls=7)
    assert len(asked) <= 7


def test_a_program_that_does_not_fail_comes_back_as_it_was() -> None:
    _, choices = draw(1, 1)
    assert shrink(choices, lambda program: False) == build(choices)


def test_programs_without_choices_shrink_too() -> None:
    (choices,) = failing(asks_about_maximum, 1)
    assert steps_besides(shrink_stored(build(choices), asks_about_maximum)) <= 2


def test_every_simpler_candidate_is_a_whole_program() -> None:
    for _, program in seeded(21, 0, 40):
        for simpler in PASSES:
            for candidate in simpler(program):
                assert dangling(candidate) is None, simpler.__name__


def test_dropping_a_step_drops_what_needs_it_and_shortens_nests() -> None:
    x, z, tape = lang.Ref(0), lang.Ref(1), lang.Ref(2)
    one = lang.Constant(lang.Array("float32", (), (1.0,)))
    both = lang.Items("list", (x, z))
    steps = (one, one, lang.MakeTape(), lang.Call("math.sin", (z,)), lang.Gradient(tape, x, both))
    dropped = drop(lang.Program(steps), {1})
    assert dropped.steps == (one, lang.MakeTape(), lang.Gradient(lang.Ref(1), x, lang.Items("list", (x,))))


def test_output_gradients_go_with_their_targets() -> None:
    x, z, tape = lang.Ref(0), lang.Ref(1), lang.Ref(2)
    one = lang.Constant(lang.Array("float32", (), (1.0,)))
    seeds = lang.Items("list", (lang.Py(1.0), lang.Py(2.0), lang.Py(3.0)))
    asked = lang.Gradient(tape, lang.Items("list", (z, x)), x, seeds)
    dropped = drop(lang.Program((one, one, lang.MakeTape(), asked)), {1})
    assert dropped.steps[-1].output_gradients == lang.Items("list", (lang.Py(2.0), lang.Py(3.0)))  # type: ignore[union-attr]


def test_references_are_changed_inside_threads_and_function_bodies() -> None:
    body = lang.Function(1, (lang.Call("math.sin", (lang.Ref(4, up=1),)),), lang.Ref(0))
    moved = change_refs(lang.Call("custom_gradient", (body,)), lambda ref: lang.Ref(ref.step - 1, ref.part, ref.up))
    assert moved.args[0].steps[0].args == (lang.Ref(3, up=1),)
    assert moved.args[0].returns == lang.Ref(0)


def test_zeros_of_both_signs_are_two_programs() -> None:
    """Equal as Python values, so a memory of answers that compares programs would take one for the other."""
    negative = lang.Program((lang.Constant(array_of(-0.0)), lang.Call("math.exp", (lang.Ref(0),))))
    assert "-0.0" in dumps(shrink_stored(negative, lambda program: "-0.0" in dumps(program)))
