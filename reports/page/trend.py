"""Where it is going: an implementation's older runs and this one, as three small lines and a table of figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reports import words
from reports.page.html import NOTHING, Html, el
from reports.summary import Summary

WIDTH, HEIGHT, MARGIN = 240.0, 48.0, 5.0


@dataclass(frozen=True, slots=True)
class Point:
    """One run: what it is called, and its figures."""

    name: str
    version: str
    judged: int
    agrees: int
    unexpected: int
    held: int
    rules: int


def point(name: str, summary: Summary) -> Point:
    """The figures of a run."""
    unexpected = len(summary.causes) + len(summary.unshrunk) - summary.expected
    held = sum(rule.status == "passed" for rule in summary.rules)
    version = summary.header.implementation_version
    return Point(name, version, summary.judged, summary.count("agrees"), unexpected, held, len(summary.rules))


def trend(points: Sequence[Point]) -> Html:
    """The section; nothing where there is one run alone."""
    if len(points) < 2:
        return NOTHING
    shares = [one.agrees / one.judged if one.judged else 0.0 for one in points]
    lines = (
        (
            "Programs that agree, as a share of those it supports",
            shares,
            words.percent(points[-1].agrees, points[-1].judged),
        ),
        ("Rules that hold", [float(one.held) for one in points], f"{points[-1].held:,}"),
        ("Unexpected causes of difference", [float(one.unexpected) for one in points], f"{points[-1].unexpected:,}"),
    )
    pictures = [
        el("figure", _line(values), el("figcaption", name, ": ", el("b", last))) for name, values, last in lines
    ]
    return el(
        "section",
        el("h2", "Over time"),
        el("p", "Runs in the order of their files' names, the newest last.", class_="lead"),
        el("div", pictures, class_="trends"),
        el("div", _table(points), class_="scroll", tabindex=0, role="region", aria_label="figures of the runs"),
        id="trend",
    )


def _line(values: Sequence[float]) -> Html:
    """A line without axes: the figures stand in the table."""
    low, high = min(values), max(values)
    places = []
    for at, value in enumerate(values):
        x = MARGIN + (WIDTH - 2 * MARGIN) * at / (len(values) - 1)
        y = HEIGHT / 2 if high == low else HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * (value - low) / (high - low)
        places.append(f"{x:.1f},{y:.1f}")
    end_x, end_y = places[-1].split(",")
    return el(
        "svg",
        el("polyline", points=" ".join(places), class_="trend-line"),
        el("circle", cx=end_x, cy=end_y, r="3", class_="trend-end"),
        viewBox=f"0 0 {WIDTH:g} {HEIGHT:g}",
        width=f"{WIDTH:g}",
        height=f"{HEIGHT:g}",
        aria_hidden="true",
    )


def _table(points: Sequence[Point]) -> Html:
    head = ("Run", "Version", "Programs", "Agree", "Rules that hold", "Unexpected causes")
    body = [
        el(
            "tr",
            el("th", one.name, scope="row"),
            el("td", one.version),
            el("td", f"{one.judged:,}", class_="num"),
            el("td", words.percent(one.agrees, one.judged), class_="num"),
            el("td", f"{one.held:,} of {one.rules:,}", class_="num"),
            el("td", f"{one.unexpected:,}", class_="num"),
        )
        for one in reversed(points)
    ]
    return el(
        "table",
        el("caption", "Figures of each run", class_="vh"),
        el("thead", el("tr", [el("th", name, scope="col") for name in head])),
        el("tbody", body),
        class_="matrix",
    )
