"""The two runs of a program side by side, step by step: what was the same is dimmed, the first difference is marked."""

from __future__ import annotations

from reports.page import values
from reports.page.html import Html, el, hidden, join
from reports.records import Line

_MARKS = {"same": "same on both sides", "after": "follows from the first difference", "skipped": "skipped"}


def trace(lines: tuple[Line, ...], want_name: str, got_name: str) -> Html:
    """The table of both traces. `want_name` and `got_name` head the two columns."""
    head = el(
        "thead",
        el(
            "tr",
            el("th", el("abbr", "#", title="step"), scope="col", class_="step"),
            el("th", "Step", scope="col"),
            el("th", "Wanted", " ", el("small", want_name), scope="col"),
            el("th", "Got", " ", el("small", got_name), scope="col"),
        ),
    )
    caption = el("caption", "Both runs, step by step; the first differing step is marked.", class_="vh")
    return el("table", caption, head, el("tbody", [_row(line) for line in lines]), class_="trace")


def _row(line: Line) -> Html:
    if line.mark == "differs":
        return _differing(line)
    number = el("th", str(line.step + 1), hidden(f", {_MARKS.get(line.mark, line.mark)}"), scope="row", class_="step")
    cells = _cells(line)
    detail = el("p", line.detail, class_="detail") if line.detail and line.mark != "same" else None
    return el(
        "tr", number, el("td", el("code", line.code), detail, class_="code"), cells, class_=f"t-{_known(line.mark)}"
    )


def _cells(line: Line) -> Html:
    """What was wanted, and what was got where it was something else."""
    if line.want == line.got:
        return join(_value("both", values.plain(line.want)), el("td", el("i", "same"), class_="alike"))
    return join(_value("wanted", values.plain(line.want)), _value("got", values.plain(line.got)))


def _differing(line: Line) -> Html:
    want, got = values.pair(line.want, line.got)
    number = el("th", str(line.step + 1), hidden(", the first difference"), scope="row", class_="step")
    row = el(
        "tr",
        number,
        el("td", el("code", line.code), class_="code"),
        _value("wanted", want),
        _value("got", got),
        class_="t-differs",
    )
    flag = el("strong", el("span", "▲", aria_hidden="true"), " First difference", class_="flag")
    detail = el("span", line.detail) if line.detail else None
    if line.want == line.got:  # a difference that the words do not show: the sign of zero, a late digit
        detail = el("span", "Both answers read alike; what differs is not in the words. ", line.detail)
    note = el("td", el("p", flag, " ", detail), values.digits(line.want, line.got), colspan=3)
    return join(row, el("tr", el("td", class_="step"), note, class_="t-note"))


def _value(label: str, html: Html) -> Html:
    return el("td", el("span", html, class_="v"), data_label=label)


def _known(mark: str) -> str:
    return mark if mark in _MARKS else "same"
