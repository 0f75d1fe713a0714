"""The summary counts what the records say, in any order and any split, and the texts made of it say it in words."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest

import reports
from reports import words
from reports.changes import compare
from reports.records import CauseCount, End, Header, Notice, Outcome, RuleResult, Share, Timing
from tests.reports import report_samples as samples


def summary_of(*records):
    return reports.summarise([replace(samples.HEADER, planned=0), *records])


def test_counts_by_verdict_lane_and_origin():
    summary = reports.summarise(samples.many_causes(400))
    assert dict(summary.verdicts) == {
        "agrees": 317,
        "differs": 79,
        "crashed": 0,
        "timed out": 0,
        "oracle failed": 0,
        "ill-conditioned": 4,
        "unsupported": 0,
    }
    assert summary.lanes == (
        ("exact", 99, 79),
        ("numeric", 198, 158),
        ("structural", 99, 80),
        ("ill-conditioned", 4, 0),
    )
    assert summary.origins == (("corpus", 20), ("generated", 380))
    assert (summary.finite_nonzero, summary.generated) == (280, 380)
    assert summary.complete


def test_causes_come_worst_first_with_their_counts():
    rows = reports.summarise(samples.many_causes(400)).causes
    assert [(row.cause.id, row.count) for row in rows] == [
        (samples.TIE.id, 60),
        (samples.NONE.id, 15),
        (samples.RAISED.id, 1),
        (samples.ULPS.id, 3),  # expected, so behind a rarer one that nobody expects
    ]
    assert len(rows[0].programs) == 60


@pytest.mark.parametrize("seed", range(5))
def test_any_order_and_split_gives_the_same_summary_and_the_same_page(seed, tmp_path):
    records = samples.many_causes(300)
    shuffled = list(records)
    random.Random(seed).shuffle(shuffled)
    for at in range(0, len(shuffled), 60):
        reports.write(shuffled[at : at + 60], tmp_path / f"{at}.jsonl")
    read = reports.read(tmp_path)
    assert reports.summarise(read) == reports.summarise(records)
    assert reports.html(read) == reports.html(records)


def test_two_workers_that_describe_one_cause_are_merged_into_the_smaller_program():
    larger = replace(samples.TIE, steps_besides=9, script="larger")
    counts = [CauseCount(samples.TIE.id, 5), CauseCount(samples.TIE.id, 7)]
    for pair in ((larger, samples.TIE), (samples.TIE, larger)):
        (row,) = summary_of(*pair, *counts).causes
        assert (row.cause, row.count) == (samples.TIE, 12)


def test_headers_of_workers_are_joined_and_those_of_other_runs_are_refused():
    other = replace(samples.HEADER, environment={"worker": "gw1"}, command="pytest -n 2", planned=9)
    joined = reports.summarise([samples.HEADER, other, End("completed", 0), End("completed", 0)]).header
    assert joined.planned == 9
    assert {**samples.HEADER.environment, "worker": "gw1"} == joined.environment
    with pytest.raises(reports.RecordsError, match="different runs"):
        reports.summarise([samples.HEADER, replace(samples.HEADER, implementation="other")])
    with pytest.raises(reports.RecordsError, match="no header"):
        reports.summarise([Notice("alone")])


def test_the_worse_status_of_a_rule_stands_and_its_programs_add_up():
    passed, failed = (RuleResult("A-01", "s", "observed", "A", status, (status,)) for status in ("passed", "failed"))
    not_asked = replace(passed, rule="A-02", status="not asked")
    summary = summary_of(passed, not_asked, failed, replace(not_asked, status="passed"))
    assert [(rule.rule, rule.status) for rule in summary.rules] == [("A-01", "failed"), ("A-02", "passed")]
    assert summary.rules[0].programs == ("failed", "passed")


def test_shares_of_workers_add_up():
    summary = summary_of(Share("kinks", 1, 10, 0.2), Share("kinks", 5, 20, 0.2), Share("order", 1, 1, 0.0))
    assert summary.shares == (Share("kinks", 6, 30, 0.2), Share("order", 1, 1, 0.0))


@pytest.mark.parametrize(
    ("ends", "planned", "complete"),
    [
        ((), 1, False),
        ((End("interrupted", 1),), 1, False),
        ((End("completed", 0),), 1, True),
        ((End("completed", 0),), 2, False),
        ((End("completed", 0), End("interrupted", 2)), 1, False),
    ],
)
def test_a_run_is_complete_when_every_worker_ended_and_all_that_was_planned_was_run(ends, planned, complete):
    outcome = Outcome("p", "generated", "agrees", "exact", 3)
    summary = reports.summarise([replace(samples.HEADER, planned=planned), outcome, *ends])
    assert summary.complete is complete
    assert ("interrupted" in words.completeness(summary)) is not complete


def test_what_differs_without_a_shrunk_cause_is_not_lost():
    outcomes = [
        Outcome("a", "generated", "differs", "exact", 3, cause="never-shrunk"),
        Outcome("b", "generated", "differs", "exact", 3, cause="never-shrunk"),
        Outcome("c", "generated", "crashed", "exact", 3),
        Outcome("d", "generated", "unsupported", "exact", 3),
        Outcome("e", "generated", "ill-conditioned", "ill-conditioned", 3),
    ]
    summary = summary_of(*outcomes)
    assert [(one.id, one.count, one.programs) for one in summary.unshrunk] == [("never-shrunk", 2, ("a", "b"))]
    assert summary.without_cause == ("c",)
    assert words.verdict(summary)[1] == "1 cause of difference"
    page = reports.html([samples.HEADER, *outcomes])
    assert 'id="cause-never-shrunk"' in page


def test_ops_count_each_program_once():
    one = Outcome("a", "generated", "differs", "exact", 3, ops=("sin", "sin", "cos"), cause="x")
    two = Outcome("b", "generated", "agrees", "exact", 3, ops=("sin",))
    assert [(row.op, row.programs, row.disagree) for row in summary_of(one, two).ops] == [("cos", 1, 1), ("sin", 2, 1)]


# ---------------------------------------------------------------- words


@pytest.mark.parametrize(
    ("records", "first", "second"),
    [
        (
            samples.run(0),
            "Nothing was checked",
            "no program was run, so this report says nothing about the implementation",
        ),
        (samples.run(50), "Agrees with TensorFlow 2.21.0 on all 50 programs", "no difference was found"),
        (samples.run(1), "Agrees with TensorFlow 2.21.0 on the one program asked", "no difference was found"),
        (
            samples.many_causes(9500),
            "Agrees with TensorFlow 2.21.0 on 9,326 of 9,500 programs",
            "4 causes of difference, 1 of them expected",
        ),
        (
            samples.run(400, (samples.ULPS,)),
            "Agrees with TensorFlow 2.21.0 on 336 of 400 programs",
            "1 cause of difference, expected",
        ),
        (
            samples.run(60, (samples.TIE,)),
            "Agrees with TensorFlow 2.21.0 on none of 60 programs",
            "1 cause of difference",
        ),
    ],
)
def test_the_verdict_is_one_sentence(records, first, second):
    assert words.verdict(reports.summarise(records)) == (first, second)


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [
        (0, 0, "0%"),
        (0, 9, "0%"),
        (1, 9999, "under 0.1%"),
        (9999, 10000, "over 99.9%"),
        (1, 4, "25%"),
        (1, 3, "33.3%"),
        (4, 4, "100%"),
    ],
)
def test_a_share_is_never_rounded_to_none_or_all(part, whole, text):
    assert words.percent(part, whole) == text


def test_the_plain_summary_says_programs_rules_causes_and_where_the_report_lies():
    text = reports.plain_text(reports.summarise(samples.many_causes(400)), report="reports/html/index.html")
    for piece in (
        "reference 0.1.0: Agrees with TensorFlow 2.21.0 on 317 of 400 programs; 4 causes of difference",
        "400: 317 agrees, 79 differs, 4 ill-conditioned (lanes: 99 exact, 198 numeric",
        "9: 5 passed, 3 failed, 1 not asked",
        "60 x  gradient of maximum at a tie",
        "replay: pytest conformance/",
        "report    reports/html/index.html",
    ):
        assert piece in text


def test_a_run_is_held_to_its_shares_when_it_is_large_enough():
    small, large = (reports.summarise(samples.run(count)) for count in (900, 2_000))
    assert [share.feature for share in large.low_shares] == ["sparse slices"]
    assert small.low_shares == ()
    assert "too few programs with sparse slices: 1.1%, at least 2%" in reports.plain_text(large)
    assert "too few" in reports.html(samples.run(2_000)) and "too few" not in reports.html(samples.run(900))


def test_what_is_not_supported_is_neither_agreement_nor_difference():
    unsupported = [Outcome(f"u{at}", "generated", "unsupported", "exact", 3) for at in range(4)]
    some = summary_of(*unsupported, *samples.outcomes(30))
    assert words.verdict(some)[0] == "Agrees with TensorFlow 2.21.0 on all 30 programs that it supports"
    assert sum(count for _, count, _ in some.lanes) == 30
    assert words.verdict(summary_of(*unsupported)) == (
        "Nothing was checked",
        "the implementation supports none of 4 programs",
    )


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("tensorflow", "TensorFlow 2.21.0"),
        ("tensorflow, recorded", "TensorFlow 2.21.0 (recorded answers)"),
        ("mytape, odd", "mytape 2.21.0, odd"),
    ],
)
def test_the_oracle_is_named_as_one_reads_it(name, said):
    summary = reports.summarise([replace(samples.HEADER, oracle=name)])
    assert words.oracle(summary) == said


def test_the_plain_summary_of_many_causes_stays_short_and_of_a_hostile_one_stays_tame():
    causes = tuple(replace(samples.TIE, id=f"c{at}") for at in range(50))
    text = reports.plain_text(reports.summarise(samples.run(400, causes)))
    assert "... and 40 more causes" in text
    assert len(text.splitlines()) < 40
    hostile = reports.plain_text(reports.summarise(samples.hostile_run("\x1b[31mred\x07\u202e\ud800")))
    assert not {"\x1b", "\x07", "\u202e"} & set(hostile)
    hostile.encode()


def test_an_interrupted_run_is_called_so_in_every_text():
    summary = reports.summarise(samples.run(40, interrupted=True))
    assert "interrupted after 40 of 80 planned programs" in reports.plain_text(summary)
    assert "interrupted after 40 of 80 planned programs" in reports.markdown(summary)
    assert "interrupted after 40 of 80 planned programs" in reports.junit_xml(summary)
    assert "incomplete run" in reports.badge(summary)


def test_markdown_tells_causes_and_groups_in_tables_that_hostile_text_cannot_break():
    text = reports.markdown(reports.summarise(samples.many_causes(400)))
    assert "| gradient of maximum at a tie: wanted \\[1, 0\\], got \\[0.5, 0.5\\] | TIE-01 | 60 | tape | no |" in text
    assert "| LIFE | 1 | 1 | 0 | 0 | 0 |" in text
    hostile = reports.markdown(reports.summarise(samples.hostile_run("a|b\n<script>")))
    assert "<script>" not in hostile.replace("\\<script\\>", "")
    rows = [line for line in hostile.splitlines() if line.startswith("| a")]
    assert rows and all(row.replace("\\|", "").count("|") in (6, 7) for row in rows)


@pytest.mark.parametrize("records", [samples.many_causes(100), samples.run(30), samples.hostile_run()])
def test_junit_and_badge_are_well_formed_xml(records):
    summary = reports.summarise(records)
    suites = ElementTree.fromstring(reports.junit_xml(summary))
    cases = list(suites.iter("testcase"))
    assert len(cases) == int(suites.get("tests"))
    assert len(cases) == len(summary.rules) + len(summary.causes) + len(summary.unshrunk) + (not summary.complete)
    ElementTree.fromstring(reports.badge(summary))


def test_junit_fails_for_what_is_unexpected_and_skips_the_rest():
    suites = ElementTree.fromstring(reports.junit_xml(reports.summarise(samples.many_causes(400))))
    inside = {case.get("name"): [child.tag for child in case] for case in suites.iter("testcase")}
    assert inside["TIE-01"] == ["failure"]
    assert inside["LIFE-01"] == []
    assert inside["THREAD-03"] == ["skipped"]
    assert inside[samples.TIE.title] == ["failure"]
    assert inside[samples.ULPS.title] == ["skipped"]
    assert (suites.get("failures"), suites.get("skipped")) == ("6", "2")


# ---------------------------------------------------------------- changes


def test_added_fixed_and_changed_causes_are_told_apart():
    old = samples.run(400, (samples.TIE, samples.NONE, samples.ULPS))
    new = samples.run(400, (replace(samples.TIE, blame="unknown"), samples.RAISED, samples.ULPS))
    changes = reports.diff(old, new)
    assert [row.cause.id for row in changes.added] == [samples.RAISED.id]
    assert [row.cause.id for row in changes.fixed] == [samples.NONE.id]
    assert [(one.row.cause.id, one.what) for one in changes.changed] == [(samples.TIE.id, "blame tape → unknown")]
    assert [(one.rule, one.before, one.after) for one in changes.rules] == [
        ("HIGH-02", "failed", "passed"),
        ("LIFE-04", "passed", "failed"),
    ]
    assert changes.doubt == ""


def test_a_run_compared_with_itself_changed_nothing():
    records = samples.many_causes(200)
    assert reports.diff(records, records).nothing
    assert "Nothing changed." in reports.html(records, previous=records)


@pytest.mark.parametrize(
    ("new", "doubt"),
    [
        (samples.run(400, interrupted=True), "this run was interrupted"),
        (samples.run(300), "the two runs asked different programs"),
        (
            samples.run(400, header=replace(samples.HEADER, oracle_version="2.20.0")),
            "the two runs asked different oracles",
        ),
    ],
)
def test_a_cause_that_is_gone_is_not_called_fixed_where_it_may_not_have_been_asked(new, doubt):
    changes = reports.diff(samples.run(400, (samples.TIE,)), new)
    assert changes.doubt == doubt
    summary = reports.plain_text(reports.summarise(new), changes=changes)
    assert "1 no longer met" in summary and "fixed" not in summary


def test_a_cause_that_was_met_but_not_shrunk_is_not_fixed():
    outcome = Outcome("p", "generated", "differs", "exact", 3, cause=samples.TIE.id)
    changes = reports.diff(samples.run(400, (samples.TIE,)), [replace(samples.HEADER, planned=1), outcome])
    assert changes.fixed == ()


def test_times_leave_no_mark_on_what_is_compared():
    one = samples.many_causes(100)
    other = [replace(record, seconds=record.seconds + 1) if isinstance(record, Timing) else record for record in one]
    assert compare(reports.summarise(one), reports.summarise(other)).nothing
    assert isinstance(reports.summarise(one).header, Header)


def test_pairs_of_features_stand_apart_the_rarest_first():
    made = (Share("thread", 9, 50, 0.1), Share("half with function", 7, 50, 0.0), Share("half with thread", 3, 50, 0.0))
    summary = summary_of(*made)
    assert [one.feature for one in summary.features] == ["thread"]
    assert [one.feature for one in summary.pairs] == ["half with thread", "half with function"]
    told = "2 pairs of features were counted; the rarest, half with thread, is in 3 generated programs."
    assert words.pairs(summary) == told and f"  pairs     {told}" in reports.plain_text(summary)
