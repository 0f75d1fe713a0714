"""Several implementations beside each other: rule groups across, opening to single rules, fewest differences first."""

from __future__ import annotations

from collections import defaultdict

from reports import words
from reports.page.html import NOTHING, Html, el, escape
from reports.page.status import cell, short, worst
from reports.records import RuleResult
from reports.summary import Group, Summary


def matrix(summaries: tuple[Summary, ...]) -> Html:
    """The section that compares; nothing where there is one implementation alone."""
    if len(summaries) < 2:
        return NOTHING
    rows = sorted(summaries, key=_fewest)
    names = sorted({group.name for summary in rows for group in summary.groups})
    lead = (
        "Fewest differences first. A cell shows the worst status in the group, and how many of its rules hold. "
        "Answered: of the programs that use only ops the implementation has."
    )
    return el(
        "section",
        el("h2", "Implementations beside each other"),
        el("p", lead, class_="lead"),
        el("div", _groups(rows, names), class_="scroll", tabindex=0, role="region", aria_label="matrix of rule groups"),
        [_opened(name, rows) for name in names],
        id="matrix",
    )


def _fewest(summary: Summary) -> tuple:
    unexpected = len(summary.causes) + len(summary.unshrunk) - summary.expected
    failed = sum(rule.status == "failed" for rule in summary.rules)
    return (
        summary.total == 0,
        unexpected,
        failed,
        -summary.count("agrees"),
        words.implementation(summary),
        words.oracle(summary),
        repr(summary.header),
    )


def _groups(rows: list[Summary], names: list[str]) -> Html:
    columns = ("Implementation", "Answered", "Agrees", "Causes", "Expected", *names)
    head = el("thead", el("tr", [el("th", name, scope="col") for name in columns]))
    body = []
    for summary in rows:
        name = el("th", words.implementation(summary), el("small", words.oracle(summary)), scope="row")
        body.append(el("tr", name, _cells(summary, names) if summary.total else _not_run(summary, len(columns) - 1)))
    return el(
        "table", el("caption", "Implementations by rule group", class_="vh"), head, el("tbody", body), class_="matrix"
    )


def _cells(summary: Summary, names: list[str]) -> list[Html]:
    groups = {group.name: group for group in summary.groups}
    figures = (
        words.percent(*(summary.answered if summary.answered[1] else (summary.judged, summary.total))),
        words.percent(summary.count("agrees"), summary.judged),
        f"{len(summary.causes) + len(summary.unshrunk):,}",
        f"{summary.expected:,}",
    )
    cells = [el("td", figure, class_="num") for figure in figures]
    return cells + [el("td", _cell(groups.get(name))) for name in names]


def _not_run(summary: Summary, width: int) -> Html:
    """One cell that says in a sentence why nothing was asked."""
    why = " ".join(summary.notices) or "Nothing was checked."
    return el("td", why, colspan=width, class_="why")


def _cell(group: Group | None) -> Html:
    if group is None:
        return short("not asked")
    return short(worst(group), f"{group.count('passed'):,}/{len(group.rules):,}")


def _opened(name: str, rows: list[Summary]) -> Html:
    """One group's rules, implementations across."""
    found: dict[str, dict[int, RuleResult]] = defaultdict(dict)
    for place, summary in enumerate(rows):
        for rule in summary.rules:
            if rule.group == name:
                found[rule.rule][place] = rule
    head = el(
        "thead",
        el("tr", el("th", "Rule", scope="col"), [el("th", words.implementation(one), scope="col") for one in rows]),
    )
    body = [_rule(results, len(rows)) for _, results in sorted(found.items())]
    table = el(
        "table", el("caption", escape(f"Rules of group {name}"), class_="vh"), head, el("tbody", body), class_="matrix"
    )
    title = el("summary", el("b", name), " ", el("span", words.many(len(found), "rule"), class_="quiet"))
    return el(
        "details",
        title,
        el("div", table, class_="scroll", tabindex=0, role="region", aria_label=f"rules of {name}"),
        class_="group",
    )


def _rule(results: dict[int, RuleResult], columns: int) -> Html:
    any_one = next(iter(results.values()))
    cells = [cell(results[place].status if place in results else "not asked") for place in range(columns)]
    return el(
        "tr", el("th", el("span", any_one.rule, class_="mono"), el("small", any_one.sentence), scope="row"), cells
    )
