"""Causes of difference as cards, worst first: what is broken, both runs, the smallest program, whose fault it is."""

from __future__ import annotations

import json

from reports import words
from reports.page.graph import picture
from reports.page.html import NOTHING, Anchors, Html, code, el, hidden, join, link
from reports.page.traces import trace
from reports.records import Cause, Evidence
from reports.summary import CauseRow, Summary, Unshrunk

PROGRAMS_SHOWN = 12
BRIEF_FROM = 40  # expected causes beyond so many are told without traces and pictures: pages stay small
_SURE = {
    "pinned": "a stored program of this rule fails",
    "looks like": "a generated program fails as this rule's programs would",
    "unexplained": "no rule that the suite knows explains it",
}
_BLAMES = {
    "tape": "the tape",
    "reference": "the reference engine",
    "ill-conditioned": "nobody: the program is ill-conditioned",
    "unknown": "not known",
}


def causes(summary: Summary, anchors: Anchors) -> Html:
    """The section of all causes, and of those that were met but not shrunk."""
    total = len(summary.causes) + len(summary.unshrunk)
    if total == 0 and not summary.without_cause:
        empty = "No difference was found." if summary.total else "Nothing was checked, so nothing could differ."
        return el("section", el("h2", "Causes of difference"), el("p", empty, class_="empty"), id="causes")
    lead = (
        "One card for each cause, worst first, with the smallest program that shows it. "
        "However many programs fall to a cause, it is told once."
    )
    cards = [_card(number, row, summary, anchors) for number, row in enumerate(summary.causes, start=1)]
    rest = _rest(summary.unshrunk, summary.without_cause, anchors)
    return el(
        "section",
        el("h2", "Causes of difference ", el("span", f"{total:,}", class_="n-of")),
        el("p", lead, class_="lead"),
        _filter() if len(cards) > 3 else None,
        cards,
        rest,
        id="causes",
    )


def _filter() -> Html:
    """Search over the cards; it shows itself where scripts run."""
    box = el("input", type="search", id="find-cause", placeholder="rule, op, words of the title", autocomplete="off")
    options = [el("option", text, value=value) for value, text in _CHOICES]
    return el(
        "div",
        el("label", "Find ", box),
        el("label", "Show ", el("select", options, id="which-cause")),
        el("output", id="found-causes", for_="find-cause which-cause"),
        class_="tools",
        hidden=True,
    )


_CHOICES = (("all", "all causes"), ("unexpected", "unexpected ones"), ("expected", "expected ones"))


def _card(number: int, row: CauseRow, summary: Summary, anchors: Anchors) -> Html:
    cause = row.cause
    place = anchors.claim("cause", cause.id)
    brief = cause.expected is not None and number > BRIEF_FROM
    title = el("h3", el("span", f"{number}", class_="number"), el("span", cause.title, " ", _permalink(cause.id)))
    count = el("p", el("b", f"{row.count:,}"), " program" if row.count == 1 else " programs", class_="count")
    return el(
        "article",
        el("header", title, count, class_="card-head"),
        _tags(cause),
        _rule(cause, summary),
        None if brief else _trace(cause, summary),
        _program(row, anchors, "" if brief else picture(cause.trace)),
        class_="card",
        id=place,
        data_expected="yes" if cause.expected is not None else "no",
    )


def _permalink(cause_id: str) -> Html:
    return link("cause", cause_id, el("span", "#", aria_hidden="true"), hidden("link to this cause"))


def _tags(cause: Cause) -> Html:
    """What is known about the cause at a glance."""
    tags = [el("li", el("b", "Blame"), " ", _BLAMES.get(cause.blame, cause.blame), class_="tag blame")]
    tags.append(el("li", el("b", "Rule"), " ", link("rule", cause.rule) if cause.rule else "none", class_="tag"))
    tags.append(
        el("li", el("b", "Attribution"), " ", cause.attribution, class_="tag", title=_SURE.get(cause.attribution))
    )
    if cause.op:
        tags.append(el("li", el("b", "Op"), " ", code(cause.op), class_="tag"))
    if cause.expected is not None:
        tags.append(
            el(
                "li",
                el("span", "◆ ", aria_hidden="true"),
                el("b", "Expected"),
                " ",
                cause.expected_kind,
                class_="tag known",
            )
        )
    return el("ul", tags, class_="tags")


def _rule(cause: Cause, summary: Summary) -> Html:
    """The rule's sentence and standing, how sure that it is this rule, and why the difference was expected."""
    parts = []
    if cause.rule:
        standing = el("span", f" ({cause.rule_standing})", class_="quiet") if cause.rule_standing else None
        parts.append(el("p", el("q", cause.rule_sentence), standing, class_="rule"))
    sure = _SURE.get(cause.attribution)
    if sure:
        parts.append(el("p", f"{cause.attribution.capitalize()}: {sure}.", class_="quiet"))
    if cause.expected:
        parts.append(el("p", "Expected, because ", cause.expected, ".", class_="quiet"))
    return el("div", parts, class_="about") if parts else NOTHING


def _trace(cause: Cause, summary: Summary) -> Html:
    if not cause.trace:
        return el("p", "No trace of this cause was recorded.", class_="quiet")
    return join(
        el("h4", "Both runs, step by step"), trace(cause.trace, words.oracle(summary), words.implementation(summary))
    )


def _program(row: CauseRow, anchors: Anchors, drawing: Html | str | None) -> Html:
    """The script, whose fault it is and how to replay it, with the picture of the program beside them."""
    cause = row.cause
    figure = drawing and el(
        "figure",
        drawing,
        el("figcaption", _CAPTION),
    )
    text = el("div", _script(cause, anchors), _blame(cause), _replay(cause), _programs(row, anchors), class_="text")
    return el("div", text, figure, class_="program with-picture" if figure else "program")


_CAPTION = "Thick and crossed ✕: the first edge after which the two differ. Dashed: what follows from it."


def _script(cause: Cause, anchors: Anchors) -> Html:
    heading = el("h4", "Smallest program ", el("small", link("program", cause.program_id, code(cause.program_id))))
    script = copyable(cause.script, "Copy script", "the script")
    steps = el(
        "p",
        f"{words.many(cause.steps_besides, 'step')} besides constants, variables, enter, exit and watch.",
        class_="quiet",
    )
    data = el(
        "details",
        el("summary", "The program as data"),
        copyable(json.dumps(cause.program, sort_keys=True), "Copy JSON", "the program as JSON"),
    )
    return el("div", heading, script, steps, data, class_="script", id=anchors.claim("program", cause.program_id))


def copyable(text: str, label: str, what: str) -> Html:
    """Text to be copied, below a heading; the button shows itself where scripts run. A single line is wrapped."""
    button = el("button", label, type="button", class_="copy", hidden=True)
    text = text.rstrip("\n")
    block = el("pre", code(text), tabindex=0, role="region", aria_label=what, class_=None if "\n" in text else "wrap")
    return el("div", button, block, class_="copyable")


def _blame(cause: Cause) -> Html:
    blame = el("p", "The difference is the fault of ", el("b", _BLAMES.get(cause.blame, cause.blame)), ".")
    if cause.blame in ("unknown", "ill-conditioned") or cause.blame not in _BLAMES:
        blame = el("p", "Verdict: ", el("b", _BLAMES.get(cause.blame, cause.blame)), ".")
    if not cause.evidence:
        return join(
            el("h4", "Whose fault"),
            blame,
            el("p", "No arbiter was asked: the two answers differ in kind.", class_="quiet"),
        )
    columns = ("Arbiter", "Its answer", "Supports")
    head = el("thead", el("tr", [el("th", name, scope="col") for name in columns]))
    table = el(
        "table",
        el("caption", "Evidence", class_="vh"),
        head,
        el("tbody", map(_evidence, cause.evidence)),
        class_="stack evidence",
    )
    return join(el("h4", "Whose fault"), blame, table)


def _evidence(evidence: Evidence) -> Html:
    supports = {
        "want": "the wanted answer",
        "got": "the answer got",
        "both": "both answers",
        "neither": "neither answer",
    }
    return el(
        "tr",
        el("th", evidence.arbiter, scope="row"),
        el("td", code(evidence.answer), data_label="answer"),
        el("td", supports.get(evidence.supports, evidence.supports), data_label="supports"),
    )


def _replay(cause: Cause) -> Html:
    if not cause.replay:
        return NOTHING
    return join(el("h4", "Replay"), copyable(cause.replay, "Copy command", "the command that replays it"))


def _programs(row: CauseRow, anchors: Anchors) -> Html:
    """Ids of programs that fell to this cause: some of them, the others as a number."""
    if not row.programs:
        return NOTHING
    more = row.count - min(len(row.programs), PROGRAMS_SHOWN)
    rest = f" and {more:,} more" if more > 0 else ""
    return el("p", "Fell to this cause: ", _ids(row.programs, anchors), rest, ".", class_="quiet fell")


def _ids(programs: tuple[str, ...], anchors: Anchors) -> Html:
    shown = [el("code", name, id=anchors.claim("program", name)) for name in programs[:PROGRAMS_SHOWN]]
    return join(*(join(", " if place else None, name) for place, name in enumerate(shown)))


def _rest(unshrunk: tuple[Unshrunk, ...], without: tuple[str, ...], anchors: Anchors) -> Html:
    """What differs and was not shrunk to a small program."""
    if not unshrunk and not without:
        return NOTHING
    items = [
        el(
            "li",
            el("b", words.many(one.count, "program")),
            " fell to cause ",
            code(one.id),
            ", such as ",
            _ids(one.programs, anchors),
            id=anchors.claim("cause", one.id),
        )
        for one in unshrunk
    ]
    if without:
        items.append(
            el("li", el("b", words.many(len(without), "program")), " without a cause, such as ", _ids(without, anchors))
        )
    lead = "These programs do not agree either, and the run ended before a smallest program was found for them."
    return el("article", el("h3", "Not yet shrunk"), el("p", lead), el("ul", items), class_="card rest")
