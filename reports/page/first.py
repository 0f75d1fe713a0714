"""The first screen: who was judged by whom, the verdict in one sentence, what it is worth, and what changed since."""

from __future__ import annotations

from reports import words
from reports.changes import Changes
from reports.page.html import NOTHING, Html, el, hidden, join, link
from reports.page.status import SIGNS, worst
from reports.summary import CauseRow, Summary

CAUSES_SHOWN = 6
CHANGES_SHOWN = 5


def first_screen(summary: Summary, changes: Changes | None) -> Html:
    """Everything a maintainer needs in ten seconds."""
    first, second = words.verdict(summary)
    who = el(
        "p",
        el("b", words.implementation(summary)),
        el("span", " judged by ", class_="quiet"),
        el("b", words.oracle(summary)),
        class_="who",
    )
    state = _state(summary)
    second = second[:1].upper() + second[1:]
    sentence = el("h1", el("span", first, "."), " ", el("span", second, ".", class_=f"so {state}"))
    left = el("div", _worst(summary), _groups(summary), class_="left")
    right = el("div", _worth(summary), _since(changes), class_="right")
    return el(
        "section",
        who,
        sentence,
        _bar(summary),
        _incomplete(summary),
        _stale(summary),
        _notices(summary),
        el("div", left, right, class_="columns"),
        id="verdict",
        class_="first",
    )


def _state(summary: Summary) -> str:
    unexpected = len(summary.causes) + len(summary.unshrunk) - summary.expected
    return "is-bad" if unexpected or summary.without_cause or summary.stale or summary.total == 0 else "is-good"


def _bar(summary: Summary) -> Html:
    """All programs as one thin bar, and the same in words: the words carry it, the bar shows the proportion."""
    met = [(verdict, count) for verdict, count in summary.verdicts if count]
    if not met:
        return NOTHING
    parts = [el("span", class_=f"part part-{_kind(verdict)}", style=f"flex-grow:{count}") for verdict, count in met]
    items = [
        el(
            "li",
            el("span", SIGNS.get(verdict, ("?",))[0], class_=f"shape st-{_kind(verdict)}", aria_hidden="true"),
            el("b", f"{count:,}"),
            " ",
            _PLURALS.get(verdict, verdict) if count != 1 else verdict,
            el("span", f" {words.percent(count, summary.total)}", class_="quiet"),
        )
        for verdict, count in met
    ]
    return el(
        "div",
        el("div", parts, class_="bar", aria_hidden="true"),
        el("ul", items, class_="figures"),
        class_="proportion",
    )


_PLURALS = {"agrees": "agree", "differs": "differ"}


def _kind(verdict: str) -> str:
    return SIGNS.get(verdict, ("?", "?", "none"))[2]


def _incomplete(summary: Summary) -> Html:
    if summary.complete:
        return NOTHING
    return el("p", el("b", "Incomplete. "), words.completeness(summary), class_="alarm", role="note")


def _notices(summary: Summary) -> Html:
    if not summary.notices:
        return NOTHING
    items = [el("li", notice) for notice in summary.notices]
    return el("div", el("h2", "About this run"), el("ul", items), class_="alarm", role="note")


def _stale(summary: Summary) -> Html:
    if not summary.stale:
        return NOTHING
    items = [el("li", words.stale(one)) for one in summary.stale]
    return el("div", el("h2", "Expectations that no longer hold"), el("ul", items), class_="alarm", role="note")


def _worst(summary: Summary) -> Html:
    """The causes as a list of links."""
    heading = el("h2", "What differs")
    if not summary.causes:
        text = (
            "No cause of difference."
            if not (summary.unshrunk or summary.without_cause)
            else "Nothing was shrunk; see below."
        )
        return join(heading, el("p", text))
    items = [_item(row) for row in summary.causes[:CAUSES_SHOWN]]
    hidden_rows = len(summary.causes) - CAUSES_SHOWN
    more = el("p", el("a", f"and {words.many(hidden_rows, 'more cause')}", href="#causes")) if hidden_rows > 0 else None
    return join(heading, el("ol", items, class_="worst"), more)


def _groups(summary: Summary) -> Html:
    """How many rules of each group hold: the sign is that of the group's worst rule."""
    if not summary.groups:
        return NOTHING
    items = []
    for group in summary.groups:
        status = worst(group)
        shape, _, kind = SIGNS.get(status, ("?", "?", "none"))
        mark = el("span", shape, class_=f"shape st-{kind}", aria_hidden="true", title=status)
        held = el(
            "span", f"{group.count('passed'):,}/{len(group.rules):,}", hidden(f", worst: {status}"), class_="held"
        )
        items.append(el("li", mark, link("group", group.name), held))
    return join(el("h2", "Rules that hold"), el("ul", items, class_="by-group"))


def _item(row: CauseRow) -> Html:
    cause = row.cause
    facts = [el("span", cause.rule or cause.op or "no rule", class_="mono"), cause.attribution]
    facts.append("expected" if cause.expected is not None else f"blame: {cause.blame}")
    count = el("span", f"{row.count:,}", hidden(" programs"), class_="times", title="programs that fell to this cause")
    return el(
        "li",
        el("span", link("cause", cause.id, cause.title), el("small", _dotted(facts)), class_="what"),
        count,
        class_="is-known" if cause.expected is not None else None,
    )


def _dotted(facts: list) -> Html:
    return join(*(join(" · " if place else None, fact) for place, fact in enumerate(facts)))


def _worth(summary: Summary) -> Html:
    rows = words.worth(summary)
    if not rows:
        return NOTHING
    if summary.complete:
        rows.append(
            (
                "Extent",
                f"All {words.many(summary.header.planned, 'planned program')} were run, "
                f"seed\u00a0{summary.header.seed}.",
            )
        )
    pairs = [join(el("dt", topic), el("dd", sentence)) for topic, sentence in rows]
    return join(el("h2", "What this is worth"), el("dl", pairs, class_="worth"))


def _since(changes: Changes | None) -> Html:
    if changes is None:
        return NOTHING
    gone = ("no longer met", "○") if changes.doubt else ("fixed", "✓")
    items = [_change("new", "+", row) for row in changes.added]
    items += [_change(*gone, row, linked=False) for row in changes.fixed]
    items += [_change("changed", "±", one.row, f": {one.what}") for one in changes.changed]
    items += [
        el(
            "li",
            el("span", "±", class_="mark", aria_hidden="true"),
            el("span", link("rule", one.rule), f" {one.before} → {one.after}"),
        )
        for one in changes.rules
    ]
    rest = len(items) - CHANGES_SHOWN
    more = (
        el("details", el("summary", f"and {rest:,} more"), el("ul", items[CHANGES_SHOWN:], class_="since"))
        if rest > 0
        else None
    )
    body = el("ul", items[:CHANGES_SHOWN], class_="since") if items else el("p", "Nothing changed.")
    return el("div", el("h2", "Since the last run"), _before(changes), body, more, class_="since-box")


def _before(changes: Changes) -> Html:
    old, new = changes.old, changes.new
    text = f"Agreed on {old.count('agrees'):,} of {old.total:,} then, {new.count('agrees'):,} of {new.total:,} now."
    doubt = (
        f" A cause that is gone may only not have been met: {changes.doubt}." if changes.doubt and changes.fixed else ""
    )
    return el("p", text, doubt, class_="quiet")


def _change(word: str, mark: str, row: CauseRow, what: str = "", linked: bool = True) -> Html:
    name = link("cause", row.cause.id, row.cause.title) if linked else row.cause.title
    kind = {"new": "bad", "fixed": "good"}.get(word, "none")
    return el(
        "li", el("span", mark, class_=f"mark st-{kind}", aria_hidden="true"), el("span", el("b", word), " ", name, what)
    )
