"""`docs/ops.md` is what the counts and the op table make, and the counts know every op."""

from __future__ import annotations

import pytest

from conformance import ops_page
from conformance.coverage.traits import TRAITS
from conformance.optable import TABLE

COUNTS = ops_page.counts()
AGAIN = (
    "run `tapecheck coverage --ops '?*' --json conformance/coverage/agreed.json`, then `python -m conformance.ops_page`"
)


def test_the_page_is_not_stale() -> None:
    assert not ops_page.stale(), "run `python -m conformance.ops_page`"


def test_the_counts_know_every_op_of_the_table() -> None:
    assert ops_page.uncounted() == (), AGAIN


def test_every_reachable_gradient_function_that_is_left_has_a_reason() -> None:
    assert [name for name, why in COUNTS["left"].items() if not why] == []


@pytest.mark.parametrize("trait", TRAITS)
def test_a_mark_stands_only_where_programs_agreed(trait: str) -> None:
    emptied = {**COUNTS, "ops": {name: {"agreed": {}, "differed": 0} for name in COUNTS["ops"]}}
    column = 2 + TRAITS.index(trait)
    rows = [line for line in ops_page.page(emptied).splitlines() if line.startswith("| `")]
    assert len(rows) == len(TABLE)
    assert {line.split("|")[column].strip() for line in rows} == {""}
