"""The whole report as one self-contained HTML file that opens from disk: no network, no fonts to load, no cookies."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

from reports import words
from reports.changes import Changes
from reports.meaning import rows
from reports.page.capabilities import capabilities
from reports.page.cards import causes
from reports.page.first import first_screen
from reports.page.guide import guide
from reports.page.html import Anchors, Html, el, join
from reports.page.matrix import matrix
from reports.page.meaning import meaning
from reports.page.rules import rules
from reports.page.run import how_run, programs
from reports.page.trend import Point, trend
from reports.summary import Summary


def page(
    summary: Summary,
    others: tuple[Summary, ...] = (),
    changes: Changes | None = None,
    history: tuple[Point, ...] = (),
) -> str:
    """The page for one run; `others` join it in the matrix, `changes` are told as "since the last run".

    `history` are the figures of older runs, this one's the last.

    The same summaries give the same text, whatever the machine, the locale and the hour.
    """
    anchors = Anchors()
    body = el(
        "body",
        el("a", "Skip to the verdict", href="#verdict", class_="skip"),
        _top(_absent(summary, others, history)),
        el(
            "main",
            first_screen(summary, changes),
            causes(summary, anchors),
            matrix((summary, *others)) if others else None,
            trend(history),
            rules(summary, anchors),
            capabilities(summary),
            programs(summary),
            meaning(summary),
            how_run(summary),
            guide(),
        ),
        el("footer", el("p", "Made by tapecheck from the records of one run. This file is complete in itself.")),
        el("script", Html(_asset("script.js"))),
    )
    return f"<!doctype html>\n{el('html', _head(summary), body, lang='en')}\n"


def _head(summary: Summary) -> Html:
    first, _ = words.verdict(summary)
    return el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", http_equiv="Content-Security-Policy", content=_policy()),
        el("meta", name="color-scheme", content="light dark"),
        el("meta", name="generator", content="tapecheck"),
        el("title", f"{words.implementation(summary)}: {first}"),
        el("style", Html(_asset("style.css"))),
    )


def _absent(summary: Summary, others: tuple[Summary, ...], history: tuple[Point, ...]) -> set[str]:
    """Sections that this page does not have."""
    absent = set() if others else {"matrix"}
    if len(history) < 2:
        absent.add("trend")
    if not rows(summary):
        absent.add("meaning")
    return absent if summary.levels or summary.capabilities else absent | {"capabilities"}


def _top(absent: set[str]) -> Html:
    links = [el("li", el("a", text, href=f"#{name}")) for name, text in _PLACES if name not in absent]
    name = el("a", "tapecheck", href="#verdict", class_="name")
    return el("header", name, el("nav", el("ul", links), aria_label="Sections"), class_="top")


_PLACES = (
    ("causes", "Causes"),
    ("matrix", "Matrix"),
    ("trend", "Over time"),
    ("rules", "Rules"),
    ("capabilities", "Capabilities"),
    ("programs", "Programs"),
    ("meaning", "Meaning"),
    ("run", "Run"),
    ("guide", "How to read this"),
)


def _policy() -> str:
    """Only this file's own script may run, and nothing may be fetched: a second lock behind the escaping."""
    digest = base64.b64encode(hashlib.sha256(_asset("script.js").encode()).digest()).decode()
    own = f"script-src 'sha256-{digest}'"
    return f"default-src 'none'; style-src 'unsafe-inline'; {own}; base-uri 'none'; form-action 'none'"


@cache
def _asset(name: str) -> str:
    return join(Html(files("reports.page").joinpath(name).read_text(encoding="utf-8")))
