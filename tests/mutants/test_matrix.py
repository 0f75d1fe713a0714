"""The kill matrix: what it counts, and that faults are asked what can show them."""

from __future__ import annotations

import pytest

from adapters.language import Program
from adapters.observations import Observation, TimedOut
from conformance.handwritten import written
from tests.mutants import hunting
from tests.mutants.answers import healthy_tape
from tests.mutants.changing import changes_in
from tests.mutants.harmless import PROOFS
from tests.mutants.hunting import Row
from tests.mutants.matrix import Matrix, from_json, to_json
from tests.mutants.mechanical import proven
from tests.mutants.planting import Edit, Stale, source_of
from tests.mutants.reaching import entered, functions_of
from tests.mutants.registry import CLASSIC, MECHANICAL

FOUND = Row("found", CLASSIC, "s", corpus=True, pinned_by=("WATCH-01",), after=3, subject="sin", right=True, steps=1)
MISSED = Row("missed", CLASSIC, "s")
FRESH = Row("mechanical_1_0", MECHANICAL, "s", after=7, right=False, steps=3)


def matrix(*rows: Row) -> Matrix:
    return Matrix(rows, 100, 1, 2, "TensorFlow's answers")


def shape_of_a_product(tf):
    x = tf.constant([2.0, 3.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.math.cumprod(x)
    t.gradient(y, x)


def test_three_rates_are_counted_apart() -> None:
    corpus, generated, fresh = matrix(FOUND, MISSED, FRESH).rates()
    assert (corpus.found, corpus.of, corpus.enough) == (1, 2, False)
    assert (generated.found, generated.of, generated.enough) == (1, 2, False)
    assert (fresh.found, fresh.of, fresh.enough) == (1, 1, True)


def test_what_nothing_shows_survives_unless_it_is_proven_to_be_harmless(monkeypatch: pytest.MonkeyPatch) -> None:
    assert matrix(FOUND, MISSED).survivors() == (MISSED,)
    monkeypatch.setattr("tests.mutants.matrix.proofs", lambda: {"missed": "for a reason"})
    assert matrix(FOUND, MISSED).survivors() == ()


def test_what_is_attributed_to_another_is_listed_by_name() -> None:
    told = matrix(FOUND, MISSED, FRESH).attributions()
    assert "attributed to the right rule or op: 1 of 2" in told
    assert "attributed to another: mechanical_1_0" in told


def test_a_proof_is_about_changes_at_its_place_of_its_line() -> None:
    text = source_of("ops.layers")
    changes = [one for one in changes_in(text) if (one.before, one.after) == ("1", "2")]
    unknown, others = ([one for one in changes if proven("ops.layers", text, one) is said] for said in (True, False))
    assert [text[one.start - 10 : one.start] for one in unknown] == [".reshape([-"[1:]]
    assert any(text[one.start - 5 : one.start] == "else " for one in others)


def test_every_proof_is_about_a_line_that_is_there() -> None:
    assert not [one for one in PROOFS if one.line not in map(str.strip, source_of(one.module).splitlines())]


def test_the_hardest_are_those_that_took_the_most_programs() -> None:
    assert matrix(FOUND, MISSED, FRESH).hardest() == (FRESH, FOUND)


def test_a_matrix_survives_json() -> None:
    assert from_json(to_json(matrix(FOUND, MISSED, FRESH))) == matrix(FOUND, MISSED, FRESH)


def test_a_program_enters_the_functions_that_it_runs() -> None:
    edit = Edit("ops.cumulative", "running * dy", "running", 0)
    changed = functions_of((edit,))
    assert changed is not None
    assert entered(healthy_tape(), written(shape_of_a_product))[1] & changed
    other = functions_of((Edit("ops.trigonometry", "F.sinh(F.conj(x))", "None", 0),))
    assert other is not None
    assert not entered(healthy_tape(), written(shape_of_a_product))[1] & other


def test_an_edit_outside_functions_may_show_anywhere() -> None:
    first = source_of("ops.arithmetic").splitlines()[0]
    assert functions_of((Edit("ops.arithmetic", first, first + " ", 0),)) is None


def test_an_edit_without_its_place_is_stale() -> None:
    with pytest.raises(Stale):
        functions_of((Edit("ops.arithmetic", "no such text", "x", 0),))


def test_exchanged_operands_are_a_fault_only_where_order_matters() -> None:
    after = [one.after for one in changes_in("def f(F, a, b):\n    return F.add(a, b) ** F.divide(a, b)\n")]
    assert "(F.divide(b, a))" in after
    assert "(F.add(b, a))" not in after


def test_an_edit_that_is_bound_to_its_line_stays_there_when_lines_come_and_go() -> None:
    text = "def f(a):\n    b = a\n    return a\n"
    edit = Edit("m", "a", "None").at_place(text, text.rindex("a"))
    assert (edit.line, edit.at) == ("return a", 0)
    longer = "a = a\n" + text
    assert edit.apply(longer) == "a = a\ndef f(a):\n    b = a\n    return None\n"
    with pytest.raises(Stale):
        edit.place(text.replace("return a", "return a + 1"))


def test_an_edit_that_is_bound_to_its_function_is_not_moved_by_the_same_line_elsewhere() -> None:
    text = "class A:\n    def f(self, a):\n        return a\n"
    edit = Edit("m", "a", "None").at_place(text, text.rindex("a"))
    assert (edit.function, edit.line, edit.at) == ("A.f", "return a", 0)
    assert edit.apply("def f(a):\n    return a\n" + text).endswith("        return None\n")
    with pytest.raises(Stale):
        edit.place(text.replace("def f", "def g"))


def test_what_only_words_an_error_is_no_fault_but_its_condition_is() -> None:
    text = """
def f(x):
    if x.ndim < 2:
        size = x.ndim + 1
        raise ValueError(size)
    return x

def g(x) -> str:
    return "a" + x

def check(x, size) -> None:
    if x.ndim + 2 < size:
        raise ValueError(size)
"""
    after = {one.before for one in changes_in(text)}
    assert "x.ndim < 2" in after
    assert not any("+" in before for before in after)
    assert any("+" in one.before for one in changes_in(text, refusals=True))


def test_a_conditional_between_a_number_and_the_same_of_rank_0_is_no_fault() -> None:
    same = [one.after for one in changes_in("def f(a, n):\n    return a.sum(n) if n else a.sum(n)[()]\n")]
    assert "(a.sum(n))" not in same
    other = [one.after for one in changes_in("def f(a, n):\n    return a.sum(n) if n else a.sum(0)\n")]
    assert {"(a.sum(n))", "(a.sum(0))"} <= set(other)


def test_a_program_that_does_not_end_is_timed_out_and_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    class Endless:
        def run(self, program: Program) -> tuple[Observation, ...]:
            while True:
                pass

    monkeypatch.setattr(hunting, "SECONDS", 0.05)
    suspect = hunting.Suspect(Endless())  # type: ignore[arg-type]
    program = written(shape_of_a_product)
    assert not suspect.hung
    assert {type(one.outcome) for one in suspect.run(program)} == {TimedOut}
    assert suspect.hung
