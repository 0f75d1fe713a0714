"""Several versions of one implementation beside each other: which rules changed, and when.

`history(summaries)` takes one summary per version and gives the rules that do not have the same status in all of them;
`markdown_history(...)` words it as a page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reports import words
from reports.plain import md
from reports.summary import Summary

HOLDS, BROKEN = "passed", "failed"


@dataclass(frozen=True, slots=True)
class RuleHistory:
    """One rule: its status in each version, oldest first, and what the newest version that breaks it gave."""

    rule: str
    sentence: str
    statuses: tuple[str, ...]
    title: str


def in_order(summaries: Sequence[Summary]) -> list[Summary]:
    """By version, 2.9 before 2.16; a version that did not start is left out."""
    started = [one for one in summaries if one.total]
    return sorted(
        started, key=lambda one: [int(part) for part in re.findall(r"\d+", one.header.implementation_version)]
    )


def history(summaries: Sequence[Summary]) -> list[RuleHistory]:
    """The rules whose status is not the same in all versions."""
    ordered = in_order(summaries)
    statuses = [{rule.rule: rule.status for rule in one.rules} for one in ordered]
    found = []
    for rule in ordered[-1].rules if ordered else ():
        across = tuple(one.get(rule.rule, "not asked") for one in statuses)
        if len(set(across)) > 1:
            found.append(RuleHistory(rule.rule, rule.sentence, across, _title(ordered, rule.rule)))
    return found


def _title(ordered: Sequence[Summary], rule: str) -> str:
    """What the newest version that breaks the rule gave, as far as a pinned program of the rule shows it."""
    for summary in reversed(ordered):
        programs = next(
            (set(one.programs) for one in summary.rules if one.rule == rule and one.status == BROKEN), set()
        )
        for row in summary.causes:
            if programs & set(row.programs):
                return row.cause.title
    return ""


def since(one: RuleHistory, versions: Sequence[str]) -> str:
    """When the rule came to hold, or stopped, in words."""
    turns = [at for at in range(1, len(versions)) if one.statuses[at] != one.statuses[at - 1]]
    return ", ".join(f"{one.statuses[at]} since {versions[at]}" for at in turns)


def markdown_history(summaries: Sequence[Summary]) -> str:
    """A table of versions and a table of the rules that changed."""
    ordered = in_order(summaries)
    versions = [one.header.implementation_version for one in ordered]
    lines = ["| version | programs | agree | rules that hold |", "|---|---:|---:|---:|"]
    for one, version in zip(ordered, versions):
        held = sum(rule.status == HOLDS for rule in one.rules)
        lines.append(f"| {md(version)} | {one.judged:,} | {one.count('agrees'):,} | {held:,} of {len(one.rules):,} |")
    return "\n".join([*lines, "", *_changes(ordered, versions), *_causes(ordered, versions)]) + "\n"


def _changes(ordered: Sequence[Summary], versions: Sequence[str]) -> list[str]:
    changed = history(ordered)
    if not changed:
        return [f"Every rule that was asked is alike in {words.many(len(versions), 'version')}."]
    lines = [f"| rule | {' | '.join(map(md, versions))} | what it says | what changed |"]
    lines += ["|---" * (len(versions) + 3) + "|"]
    for one in changed:
        what = since(one, versions) + (f"; before: {one.title}" if one.title else "")
        lines.append(f"| {one.rule} | {' | '.join(one.statuses)} | {md(one.sentence)} | {md(what)} |")
    return lines


def _causes(ordered: Sequence[Summary], versions: Sequence[str]) -> list[str]:
    """What differs from the answers that are wanted, whether or not a rule tells of it: programs in each version."""
    counts = [{row.cause.id: row for row in one.causes} for one in ordered]
    titles = {cause: row.cause.title for one in reversed(counts) for cause, row in one.items()}
    if not titles:
        return []
    lines = ["", f"| programs that differ by one cause | {' | '.join(map(md, versions))} |"]
    lines += ["|---" + "|---:" * len(versions) + "|"]
    for cause, title in sorted(titles.items(), key=lambda item: item[1]):
        cells = [f"{one[cause].count:,}" if cause in one else "none" for one in counts]
        lines.append(f"| {md(title)} | {' | '.join(cells)} |")
    return lines
