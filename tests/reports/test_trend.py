"""Older runs as lines over time, and nine implementations of ten thousand programs in one small page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import reports
from conformance.command_line import main
from reports.page import without_times
from reports.page.trend import point, trend
from reports.records import CauseCount, Header, Outcome, Record
from tests.reports import report_samples as samples


def of_version(version: str, causes: tuple[reports.records.Cause, ...]) -> list[Record]:
    return samples.run(200, causes, header=replace(samples.HEADER, implementation_version=version))


OLD, MIDDLE, NEW = (
    of_version("1.0", samples.ALL_CAUSES),
    of_version("1.1", (samples.TIE, samples.NONE)),
    of_version("1.2", ()),
)


def test_one_run_alone_has_no_trend() -> None:
    assert trend([point("only", reports.summarise(NEW))]) == ""
    assert 'id="trend"' not in reports.html(NEW)


def test_the_lines_end_at_the_newest_run_and_the_table_begins_with_it() -> None:
    page = reports.html(NEW, history={"a": OLD, "b": MIDDLE, "c": NEW})
    section = page[page.index('<section id="trend"') :].partition("</section>")[0]
    assert section.count("<polyline") == 3
    assert section.index(">c</th>") < section.index(">b</th>") < section.index(">a</th>")
    assert 'href="#trend"' in page
    figures = [point("", reports.summarise(run)) for run in (OLD, MIDDLE, NEW)]
    assert [one.unexpected for one in figures] == [3, 2, 0]
    assert [one.held for one in figures] == sorted(one.held for one in figures)


def test_runs_of_other_implementations_are_left_out() -> None:
    other = samples.run(50, (), header=replace(samples.HEADER, implementation="another"))
    assert 'id="trend"' not in reports.html(NEW, history={"other": other, "new": NEW})


def test_the_command_reads_the_runs_of_a_folder_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name, run in (("2025-01", OLD), ("2025-02", MIDDLE), ("2025-03", NEW)):
        reports.write(run, tmp_path / f"{name}.jsonl")
    page = tmp_path / "out" / "index.html"
    asked = [str(tmp_path / "2025-03.jsonl"), "--trend", str(tmp_path), "--out", str(page)]
    assert main(["report", *asked]) == 0
    text = page.read_text(encoding="utf-8")
    assert text.index(">2025-03</th>") < text.index(">2025-01</th>")


# ---------------------------------------------------------------- nine implementations

NAMES = ("reference", "tensorflow", "tf.function", "torch", "jax", "autograd", "mygrad", "tinygrad", "tfjs")


def nine() -> list[list[Record]]:
    """Runs of ten thousand programs each, all but the first with sixty causes."""
    made = []
    for at, name in enumerate(NAMES):
        causes = tuple(replace(samples.TIE, id=f"{at}{number:03d}") for number in range(60 if at else 0))
        header = replace(samples.HEADER, implementation=name, planned=10_000)
        rules = [replace(rule, rule=f"{rule.rule}{copy}") for rule in samples.rule_results() for copy in range(90)]
        made.append([*samples.run(10_000, causes, header=header), *rules])
    return made


def test_nine_implementations_of_ten_thousand_programs_are_a_page_of_less_than_two_megabytes() -> None:
    first, *others = nine()
    page = reports.html(others[0], others=[first, *others[1:]])
    assert sum(isinstance(one, Outcome) for one in first) == 10_000
    assert len({rule.rule for rule in reports.summarise(first).rules}) > 800
    assert len(page.encode()) < 2_000_000


def test_expected_causes_beyond_the_fortieth_are_told_in_brief() -> None:
    causes = tuple(replace(samples.ULPS, id=f"{number:03d}") for number in range(50))
    cards = reports.html(samples.run(100, causes)).split('<article class="card"')[1:]
    assert len(cards) == 50
    assert ["Both runs" in card for card in cards] == [True] * 40 + [False] * 10
    assert all(samples.ULPS.expected in card and "Smallest program" in card for card in cards)


def test_four_workers_records_make_the_page_of_one() -> None:
    whole = nine()[1]
    header = next(one for one in whole if isinstance(one, Header))
    parts: list[list[Record]] = [[header], [header], [header], [header]]
    for at, one in enumerate(one for one in whole if not isinstance(one, Header)):
        split = isinstance(one, Outcome | CauseCount)
        parts[at * 7 % 4 if split else 3].append(one)
    merged = [one for part in reversed(parts) for one in part]
    ends = [one for one in whole if isinstance(one, reports.records.End)]
    assert without_times(reports.html([*merged, *ends * 3])) == without_times(reports.html(whole))
