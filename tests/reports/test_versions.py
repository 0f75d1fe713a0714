"""Versions beside each other: which rules changed, when, and what the older version gave."""

from __future__ import annotations

from dataclasses import replace

import reports
from reports.records import Record
from reports.versions import history, in_order, since
from tests.reports.report_samples import HEADER, RULES, TIE, outcomes


def of_version(version: str, *broken: str) -> list[Record]:
    """A run of one version, with some of the rules broken by one cause."""
    header = replace(HEADER, implementation="tensorflow", implementation_version=version, planned=3)
    seen = outcomes(3, (TIE,))
    fell = tuple(one.program for one in seen if one.cause)
    rules = [
        replace(rule, status="failed", programs=fell) if rule.rule in broken else replace(rule, status="passed")
        for rule in RULES
    ]
    return [header, *seen, TIE, *rules]


FIRST, SECOND = RULES[0].rule, RULES[1].rule
RUNS = [of_version("2.21.0"), of_version("2.9.3", FIRST, SECOND), of_version("2.16.2", FIRST)]
SUMMARIES = [reports.summarise(run) for run in RUNS]


def test_versions_come_in_the_order_of_their_numbers() -> None:
    assert [one.header.implementation_version for one in in_order(SUMMARIES)] == ["2.9.3", "2.16.2", "2.21.0"]


def test_only_rules_that_changed_are_told_and_when() -> None:
    found = {one.rule: one for one in history(SUMMARIES)}
    assert set(found) == {FIRST, SECOND}
    assert found[FIRST].statuses == ("failed", "failed", "passed")
    assert since(found[FIRST], ["2.9", "2.16", "2.21"]) == "passed since 2.21"
    assert since(found[SECOND], ["2.9", "2.16", "2.21"]) == "passed since 2.16"
    assert found[FIRST].title == TIE.title


def test_the_page_has_a_row_for_each_version_and_each_rule_that_changed() -> None:
    text = reports.markdown_history(SUMMARIES)
    assert text.index("| 2.9.3 |") < text.index("| 2.16.2 |") < text.index("| 2.21.0 |")
    assert f"| {SECOND} | failed | passed | passed |" in text
    assert "passed since 2.16.2" in text
    assert text.rstrip().splitlines()[-1].endswith("| 3 | 3 | 3 |"), "a cause, and its programs in each version"


def test_versions_that_are_alike_are_told_in_a_sentence() -> None:
    alike = [reports.summarise(of_version(version)) for version in ("2.20.0", "2.21.0")]
    assert "Every rule that was asked is alike in 2 versions." in reports.markdown_history(alike)
