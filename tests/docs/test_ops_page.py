"""`docs/ops.md` is what the counts and the op table make, and the counts know every op."""

from __future__ import annotations

import pytest

from conformance import ops_page
from conformance.coverage.each import RowCounts
from conformance.coverage.goals import goals
from conformance.coverage.traits import TRAITS
from conformance.optable import TABLE

COUNTS = ops_page.counts()
OWN = ops_page.own_programs()
LEAST = 200  # programs of each op that was asked on its own
# The ops of which a program differs.
DIFFER: set[str] = set()
AGAIN = (
    "run `tapecheck coverage --ops '?*' --json conformance/coverage/agreed.json`, then `python -m conformance.ops_page`"
)


def test_the_page_is_not_stale() -> None:
    assert not ops_page.stale(), "run `python -m conformance.ops_page`"


def test_the_counts_know_every_op_of_the_table() -> None:
    assert ops_page.uncounted() == (), AGAIN


def test_the_ops_that_were_asked_on_their_own_lack_nothing() -> None:
    assert OWN.ops.keys() <= {row.name for row in TABLE}
    lacking = [fault for fault in OWN.faults(LEAST) if "programs differ: " not in fault]
    assert lacking == []
    assert {name for name, own in OWN.ops.items() if own.titles} == DIFFER
    assert all(sum(own.titles.values()) <= 5 for own in OWN.ops.values())


def test_what_was_to_be_hit_is_what_the_op_table_draws_today() -> None:
    asked = [row for row in TABLE[::16] if row.name in OWN.ops]
    assert [row.name for row in asked if goals(row).all != _goals_counted(OWN.ops[row.name])] == []


def _goals_counted(own: RowCounts) -> set[str]:
    return {*own.hits, *own.refused, *own.missed}


def test_every_reachable_gradient_function_that_is_left_has_a_reason() -> None:
    assert [name for name, why in COUNTS["left"].items() if not why] == []


@pytest.mark.parametrize("trait", TRAITS)
def test_a_mark_stands_only_where_programs_agreed(trait: str) -> None:
    emptied = {**COUNTS, "ops": {name: {"agreed": {}, "differed": 0} for name in COUNTS["ops"]}}
    column = 2 + TRAITS.index(trait)
    rows = [line for line in ops_page.page(emptied, OWN).splitlines() if line.startswith("| `")]
    assert len(rows) == len(TABLE)
    assert {line.split("|")[column].strip() for line in rows} == {""}
