"""The end-of-run summary as plain text for a terminal, and as Markdown for a merge request."""

from __future__ import annotations

import re

from reports import meaning, words
from reports.changes import Changes
from reports.summary import CauseRow, Summary

SHOWN = 10
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]+")


def plain_text(summary: Summary, report: str | None = None, changes: Changes | None = None) -> str:
    """The summary in at most some thirty lines: programs, rules, causes worst first, and where the report lies."""
    first, second = words.verdict(summary)
    lines = [f"{words.implementation(summary)}: {first}; {second}."]
    if not summary.complete:
        lines.append(words.completeness(summary))
    lines += ["", "  programs  " + _programs(summary)]
    if words.answered(summary):
        lines.append("  answered  " + words.answered(summary))
    if summary.rules:
        lines.append("  rules     " + _rules(summary))
    lines += [
        f"  {'level' if not at else '':<10}{one.level}: {words.level(one)}" for at, one in enumerate(summary.levels)
    ]
    lines += [f"  {topic.lower():<10}{text}" for topic, text in meaning.rows(summary)]
    lines += [f"  claims    {text}" for text in _doubtful_claims(summary)]
    lines += [f"  pairs     {text}" for text in (words.pairs(summary),) if text]
    lines += [f"  shares    {text}" for text in _low_shares(summary)]
    if summary.causes or summary.unshrunk:
        lines += ["", "  causes of difference, worst first"] + [f"    {text}" for text in _causes(summary)]
    if changes is not None:
        lines += ["", "  since the last run: " + since(changes)]
    lines += [f"  stale     {words.stale(one)}" for one in summary.stale]
    lines += [f"  notice    {notice}" for notice in summary.notices]
    if report is not None:
        lines += ["", f"  report    {report}"]
    return "\n".join(map(_line, lines)) + "\n"


def markdown(summary: Summary, changes: Changes | None = None) -> str:
    """The summary as Markdown: the verdict, a table of causes, a table of rule groups."""
    first, second = words.verdict(summary)
    lines = [f"## {md(words.implementation(summary))}", "", f"**{md(first)}**; {second}.", ""]
    lines += [words.completeness(summary), ""]
    if changes is not None:
        lines += [f"Since the last run: {md(since(changes))}.", ""]
    if summary.causes:
        lines += ["| cause | rule | programs | blame | expected |", "|---|---|---:|---|---|"]
        lines += [_cause_row(row) for row in summary.causes] + [""]
    if summary.stale:
        lines += [f"- {md(words.stale(one))}" for one in summary.stale] + [""]
    if summary.groups:
        lines += ["| rules | passed | failed | expected | unsupported | not asked |", "|---|---:|---:|---:|---:|---:|"]
        for group in summary.groups:
            counts = [group.count(status) for status in ("passed", "failed", "expected", "unsupported", "not asked")]
            lines.append(f"| {md(group.name)} | " + " | ".join(map(str, counts)) + " |")
        lines.append("")
    return "\n".join(lines)


def since(changes: Changes) -> str:
    """What changed since the last run, in one line."""
    if changes.nothing:
        return "no change"
    gone = "no longer met" if changes.doubt else "fixed"
    parts = [(len(changes.added), "new"), (len(changes.fixed), gone), (len(changes.changed), "changed")]
    text = ", ".join(f"{count:,} {word}" for count, word in parts if count)
    rules = words.many(len(changes.rules), "rule") + " changed status" if changes.rules else ""
    return "; ".join(part for part in (text and f"causes {text}", rules) if part)


def _programs(summary: Summary) -> str:
    counts = [f"{count:,} {verdict}" for verdict, count in summary.verdicts if count]
    lanes = [f"{count:,} {lane}" for lane, count, _ in summary.lanes]
    return f"{summary.total:,}: {', '.join(counts)} (lanes: {', '.join(lanes)})" if counts else "none were run"


def _rules(summary: Summary) -> str:
    statuses = ("passed", "failed", "expected", "unsupported", "not asked")
    counts = [(status, sum(rule.status == status for rule in summary.rules)) for status in statuses]
    return f"{len(summary.rules):,}: " + ", ".join(f"{count:,} {status}" for status, count in counts if count)


def _doubtful_claims(summary: Summary) -> list[str]:
    """Claims that the run did not bear out, and what works without being claimed."""
    doubtful = ("claimed, but not there", "claimed, and never right", "not claimed, and yet it works")
    found: dict[str, list[str]] = {}
    for one in summary.capabilities:
        if words.claim(one) in doubtful:
            found.setdefault(f"{one.kind}s {words.claim(one)}", []).append(one.name)
    return [f"{what}: {', '.join(names[:8])}{' ...' if len(names) > 8 else ''}" for what, names in found.items()]


def _low_shares(summary: Summary) -> list[str]:
    return [
        f"too few programs with {one.feature}: {words.percent(one.count, one.of)}, at least {100 * one.least:.2g}%"
        for one in summary.low_shares
    ]


def _causes(summary: Summary) -> list[str]:
    lines = []
    for row in summary.causes[:SHOWN]:
        expected = " (expected)" if row.cause.expected is not None else ""
        lines.append(f"{row.count:>6,} x  {row.cause.title}{expected}")
        lines.append(f"          {row.cause.rule or 'no rule'}, {row.cause.attribution}; replay: {row.cause.replay}")
    hidden = len(summary.causes) - SHOWN
    lines += [f"... and {words.many(hidden, 'more cause')}" for _ in range(hidden > 0)]
    return lines + [f"{one.count:>6,} x  cause {one.id}, not yet shrunk" for one in summary.unshrunk]


def _cause_row(row: CauseRow) -> str:
    cause = row.cause
    cells = (
        cause.title,
        cause.rule or "none",
        f"{row.count:,}",
        cause.blame,
        cause.expected_kind or cause.expected or "no",
    )
    return "| " + " | ".join(map(md, cells)) + " |"


def _line(text: str) -> str:
    """On one line, without characters that could drive a terminal."""
    return _CONTROLS.sub(" ", text).encode("utf-8", "replace").decode()


def md(text: str) -> str:
    """Escaped for Markdown, on one line."""
    return re.sub(r"([\\`*_{}\[\]<>|~])", r"\\\1", _line(text)).replace("&", "&amp;")
