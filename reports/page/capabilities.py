"""What the tape can do: the named levels with their denominators, and each claim against what was shown."""

from __future__ import annotations

from reports import words
from reports.page.html import NOTHING, Html, el, join
from reports.records import Capability, LevelResult
from reports.summary import Summary

_BAD = ("claimed, but not there", "claimed, and never right", "there, and never right")
_KINDS = (("feature", "Features"), ("dtype", "Dtypes"), ("op", "Ops"))


def capabilities(summary: Summary) -> Html:
    """The section on levels and claims; nothing where no record tells of either."""
    if not (summary.levels or summary.capabilities):
        return NOTHING
    lead = (
        "A level holds those before it. Claims are tested both ways: what is claimed and does not work, and what "
        "works without being claimed. What a tape does not have is unsupported, which is not wrong."
    )
    return el(
        "section",
        el("h2", "Capabilities"),
        el("p", lead, class_="lead"),
        _levels(summary.levels),
        [_audit(kind, title, summary.capabilities) for kind, title in _KINDS],
        id="capabilities",
    )


def _levels(levels: tuple[LevelResult, ...]) -> Html:
    if not levels:
        return NOTHING
    columns = ("Level", "Rules that hold", "Programs that agree", "Supported", "Asked", "What it is")
    head = el("thead", el("tr", [el("th", name, scope="col") for name in columns]))
    body = [
        el(
            "tr",
            el("th", one.level, scope="row"),
            el("td", f"{one.rules_hold:,} of {one.rules:,}", class_="num", data_label="rules"),
            el("td", f"{one.agree:,}", class_="num", data_label="agree"),
            el("td", f"{one.supported:,}", class_="num", data_label="supported"),
            el("td", f"{one.programs:,}", class_="num", data_label="asked"),
            el("td", one.sentence, class_="quiet"),
        )
        for one in levels
    ]
    table = el("table", el("caption", "Levels", class_="vh"), head, el("tbody", body), class_="stack lanes")
    return join(el("h3", "Levels"), table)


def _audit(kind: str, title: str, found: tuple[Capability, ...]) -> Html:
    rows = [one for one in found if one.kind == kind]
    if not rows:
        return NOTHING
    columns = (title[:-1], "Claim", "Agree", "Differ", "Unsupported", "What came of it")
    head = el("thead", el("tr", [el("th", name, scope="col") for name in columns]))
    body = [_row(one) for one in rows]
    table = el(
        "table", el("caption", f"{title}: claimed against shown", class_="vh"), head, el("tbody", body), class_="ops"
    )
    there = sum(one.probe != "missing" and one.claim != "no" for one in rows)
    count = f"{there:,} of {len(rows):,} there"
    return el("details", el("summary", el("b", title), " ", el("span", count, class_="quiet")), table, class_="group")


def _row(one: Capability) -> Html:
    what = words.claim(one)
    return el(
        "tr",
        el("th", el("span", one.name, class_="mono"), el("small", one.sentence) if one.sentence else None, scope="row"),
        el("td", one.claim),
        el("td", f"{one.agree:,}", class_="num"),
        el("td", f"{one.differ:,}", class_="num st-bad" if one.differ else "num"),
        el("td", f"{one.unsupported:,}", class_="num"),
        el("td", what, class_="st-bad" if what in _BAD else None),
    )
