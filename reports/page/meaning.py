"""What the run means: combinations covered, and the mutants that this run would have caught."""

from __future__ import annotations

from reports import meaning as words_of
from reports import words
from reports.page.html import NOTHING, Html, el, join
from reports.records import Coverage, Mutant
from reports.summary import Summary

HARDEST = 20
_ORIGINS = {
    "rule": "one for each rule",
    "classic": "mistakes that real tapes made",
    "mechanical": "an operator, constant or branch changed",
}


def meaning(summary: Summary) -> Html:
    """The section; nothing where no record tells of it."""
    rows = words_of.rows(summary)
    if not rows:
        return NOTHING
    facts = [el("tr", el("th", topic, scope="row"), el("td", sentence)) for topic, sentence in rows]
    return el(
        "section",
        el("h2", "What this run means"),
        el("p", "What a run without differences is worth, and what it would have found.", class_="lead"),
        el("table", el("caption", "In short", class_="vh"), el("tbody", facts), class_="facts"),
        _coverage(summary.coverage),
        _mutants(summary),
        id="meaning",
    )


def _coverage(found: tuple[Coverage, ...]) -> Html:
    if not found:
        return NOTHING
    head = el("thead", el("tr", [el("th", name, scope="col") for name in ("Combination", "Covered", "Of", "Share")]))
    body = [
        el(
            "tr",
            el("th", words_of.by(one.factors), scope="row"),
            el("td", f"{one.covered:,}", class_="num", data_label="covered"),
            el("td", f"{one.of:,}", class_="num", data_label="of"),
            el("td", words.percent(one.covered, one.of), class_="num", data_label="share"),
        )
        for one in found
    ]
    lead = "A program covers a combination when it calls the op on such an operand and does that with its tapes."
    table = el(
        "table", el("caption", "Combinations covered", class_="vh"), head, el("tbody", body), class_="stack lanes"
    )
    missing = [
        el("p", f"No program of this run: {', '.join(one.missing)}.", class_="quiet") for one in found if one.missing
    ]
    return join(el("h3", "Combinations"), el("p", lead, class_="quiet"), table, *missing)


def _mutants(summary: Summary) -> Html:
    known = [one for one in summary.mutants if not one.harmless]
    if not known:
        return NOTHING
    head = ("Faults", "There are", "This run shows", "The corpus shows", "What they are")
    body = [_origin(name, sentence, known, summary.generated) for name, sentence in _ORIGINS.items()]
    table = el(
        "table",
        el("caption", "Faulty engines by origin", class_="vh"),
        el("thead", el("tr", [el("th", name, scope="col") for name in head])),
        el("tbody", [row for row in body if row is not NOTHING]),
        class_="stack lanes",
    )
    found = [one for one in known if words_of.caught(one, summary.generated)]
    missed = [one for one in known if not words_of.caught(one, summary.generated)]
    hardest = sorted(found, key=lambda one: (-(one.after or 0), one.name))[:HARDEST]
    return join(
        el("h3", "Mutants this run would have caught"),
        el("p", "Faults planted in the reference engine, and how many generated programs it took.", class_="quiet"),
        table,
        _listed("The hardest to find", hardest),
        _listed("Shown by none of so many generated programs", missed),
    )


def _origin(name: str, sentence: str, known: list[Mutant], generated: int) -> Html:
    ours = [one for one in known if one.origin == name]
    if not ours:
        return NOTHING
    return el(
        "tr",
        el("th", name, scope="row"),
        el("td", f"{len(ours):,}", class_="num", data_label="there are"),
        el("td", f"{sum(words_of.caught(one, generated) for one in ours):,}", class_="num", data_label="this run"),
        el("td", f"{sum(one.corpus for one in ours):,}", class_="num", data_label="corpus"),
        el("td", sentence, class_="quiet"),
    )


def _listed(title: str, found: list[Mutant]) -> Html:
    if not found:
        return NOTHING
    head = ("Fault", "After", "Steps", "Shown as", "By the corpus")
    body = [
        el(
            "tr",
            el("th", el("span", one.name, class_="mono"), el("small", one.sentence), scope="row"),
            el("td", "never" if one.after is None else f"{one.after:,}", class_="num"),
            el("td", "" if one.steps is None else str(one.steps), class_="num"),
            el("td", one.subject),
            el("td", ", ".join(one.rules[:2]) or ("yes" if one.corpus else "no")),
        )
        for one in found
    ]
    table = el(
        "table",
        el("caption", title, class_="vh"),
        el("thead", el("tr", [el("th", name, scope="col") for name in head])),
        el("tbody", body),
        class_="ops",
    )
    count = el("span", f"{len(found):,}", class_="quiet")
    return el("details", el("summary", el("b", title), " ", count), table, class_="group")
