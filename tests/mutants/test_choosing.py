"""Programs chosen for the corpus: there are enough, and each covers or shows what it says."""

from __future__ import annotations

from conformance import corpus
from tests.mutants import MUTANTS
from tests.mutants.choosing import covers


def test_the_corpus_holds_at_least_two_thousand_programs() -> None:
    assert len(corpus.load()) >= 2_000
    assert len({one.id for one in corpus.load()}) == len(corpus.load())


def test_every_chosen_program_covers_what_no_smaller_one_of_them_does_or_shows_a_fault() -> None:
    covered: set[str] = set()
    for one in corpus.load("CHOSEN"):
        reason, _, what = one.why.partition(" ")
        if reason == "covers":
            assert what in covers(one.program, one.answers), (one.id, "run python -m tests.mutants.choosing")
            assert what not in covered, one.id
        else:
            assert reason == "shows" and what in MUTANTS, one.id
        covered |= covers(one.program, one.answers)


def test_a_chosen_program_shows_no_rule_and_is_listed_by_size() -> None:
    sizes = [len(one.program.steps) for one in corpus.load("CHOSEN")]
    assert sizes == sorted(sizes)
    assert all(not one.rules for one in corpus.load("CHOSEN"))
