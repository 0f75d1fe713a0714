"""The kill matrix that was written last: its page is up to date, and every listed fault is in it."""

from __future__ import annotations

from conformance import corpus
from tests.mutants import MUTANTS, Edit, Stale, page, per_rule
from tests.mutants.matrix import fresh, load, proofs
from tests.mutants.planting import source_of


def test_the_page_is_that_of_the_stored_matrix() -> None:
    assert not page.stale(), "run tox -e mutants -- --write"


def test_the_stored_matrix_is_about_most_listed_faults_and_no_others() -> None:
    """Faults that were added since are tried by the next run; those that are gone are no rows."""
    tried = {row.name for row in load().rows if not fresh(row)}
    assert tried <= set(MUTANTS)
    assert len(tried) >= 200


def test_every_listed_fault_has_its_place_in_the_engine_as_it_is() -> None:
    gone = [
        f"{one.name}: {edit.line or edit.before}" for one in MUTANTS.values() for edit in one.edits if not _found(edit)
    ]
    assert not gone, "run python -m tests.mutants.search"


def _found(edit: Edit) -> bool:
    try:
        edit.place(source_of(edit.module))
    except Stale:
        return False
    return True


def test_a_proof_is_about_a_listed_fault_that_nothing_shows() -> None:
    shown = {row.name for row in load().rows if row.corpus or row.caught}
    assert set(proofs()) <= set(MUTANTS)
    assert not set(proofs()) & shown


def test_every_rule_with_a_pinned_program_has_a_fault() -> None:
    pinned = {rule for one in corpus.of_rules() for rule in one.rules}
    assert not pinned - set(per_rule.stored()), "run python -m tests.mutants.search"
