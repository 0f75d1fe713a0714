"""The table of rules by group: each group says how its rules fare and opens to single rules."""

from __future__ import annotations

from reports import words
from reports.page.html import NOTHING, Anchors, Html, el, hidden
from reports.page.status import short, sign
from reports.records import RuleResult
from reports.summary import STATUSES, Group, Summary

_ORDER = ("failed", "expected", "passed", "unsupported", "not asked")


def rules(summary: Summary, anchors: Anchors) -> Html:
    """The section of rules."""
    if not summary.groups:
        return el("section", el("h2", "Rules"), el("p", "No rule was asked in this run.", class_="empty"), id="rules")
    counts = [(status, sum(rule.status == status for rule in summary.rules)) for status in _ORDER]
    signs = [el("li", sign(status), " ", el("b", f"{count:,}")) for status, count in counts if count]
    total = el("ul", signs, class_="legend")
    lead = (
        "What the oracle does, as single sentences, each with at least one stored program. "
        "Groups with a broken rule are open."
    )
    return el(
        "section",
        el("h2", "Rules ", el("span", f"{len(summary.rules):,}", class_="n-of")),
        el("p", lead, class_="lead"),
        total,
        _filter(),
        [_group(group, anchors) for group in summary.groups],
        id="rules",
    )


def _filter() -> Html:
    box = el("input", type="search", id="find-rule", placeholder="id or words", autocomplete="off")
    options = [el("option", text, value=text) for text in ("all", *STATUSES)]
    return el(
        "div",
        el("label", "Find ", box),
        el("label", "Status ", el("select", options, id="which-rule")),
        el("output", id="found-rules", for_="find-rule which-rule"),
        class_="tools",
        hidden=True,
    )


def _group(group: Group, anchors: Anchors) -> Html:
    counts = [short(status, f"{group.count(status):,}") for status in _ORDER if group.count(status)]
    size = el("span", words.many(len(group.rules), "rule"), class_="quiet")
    title = el("summary", el("b", group.name), " ", size, el("span", counts, class_="counts"))
    columns = ("Rule", "What holds", "Standing", "Status", "Programs")
    head = el("thead", el("tr", [el("th", name, scope="col") for name in columns]))
    caption = el("caption", f"Rules of group {group.name}", class_="vh")
    table = el(
        "table", caption, head, el("tbody", [_rule(rule, anchors) for rule in group.rules]), class_="stack rules"
    )
    broken = group.count("failed") > 0
    return el("details", title, table, class_="group", open=broken, id=anchors.claim("group", group.name))


def _rule(rule: RuleResult, anchors: Anchors) -> Html:
    programs = el("td", f"{len(rule.programs):,}" if rule.programs else "none", class_="num", data_label="programs")
    return el(
        "tr",
        el("th", rule.rule, hidden(": "), scope="row", class_="mono"),
        el("td", rule.sentence or NOTHING),
        el("td", rule.standing, data_label="standing", class_="quiet"),
        el("td", sign(rule.status), data_label="status"),
        programs,
        id=anchors.claim("rule", rule.rule),
        data_status=rule.status,
    )
