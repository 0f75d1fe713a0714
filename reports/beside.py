"""Several implementations beside each other in Markdown: `markdown_matrix(summaries)`."""

from __future__ import annotations

from collections.abc import Sequence

from reports import words
from reports.plain import md
from reports.summary import Summary

_HEAD = ("implementation", "programs", "answered", "agree", "causes", "of them expected", "rules that hold", "broken")


def markdown_matrix(summaries: Sequence[Summary]) -> str:
    """A table with a row for each implementation, in the order given; why one was not run stands below it.

    answered: of the programs that use only ops it has.  agree: of those that it supports.
    """
    lines = [f"| {' | '.join(_HEAD)} |", "|---" + "|---:" * (len(_HEAD) - 1) + "|"]
    lines += [_row(one) for one in summaries if one.total]
    absent = [one for one in summaries if not one.total]
    lines += [""] * bool(absent) + [f"- {md(words.implementation(one))}: {md(' '.join(one.notices))}" for one in absent]
    return "\n".join(lines) + "\n"


def _row(summary: Summary) -> str:
    count, of = summary.answered
    statuses = [rule.status for rule in summary.rules]
    figures = (
        md(words.implementation(summary)),
        f"{summary.total:,}",
        words.percent(count, of) if of else "",
        f"{summary.count('agrees'):,} of {summary.judged:,}",
        f"{len(summary.causes) + len(summary.unshrunk):,}",
        f"{summary.expected:,}",
        f"{statuses.count('passed'):,}",
        f"{statuses.count('failed') + statuses.count('expected'):,}",
    )
    return f"| {' | '.join(figures)} |"
