"""The run itself: lanes, shares of features, ops, how to ask again, the environment, and (in its own block) times."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reports import words
from reports.page.cards import copyable
from reports.page.html import NOTHING, Html, el, join
from reports.records import Share
from reports.summary import OpRow, Summary

TIMES_SHOWN = 20
BEGIN, END = "<!-- times begin -->", "<!-- times end -->"


def programs(summary: Summary) -> Html:
    """The section on what the programs were: a count each, not a row."""
    lead = "Every program counts once here. One that agrees has no row of its own."
    parts = [_lanes(summary), _shares(summary), _ops(summary.ops)]
    return el(
        "section",
        el("h2", "Programs ", el("span", f"{summary.total:,}", class_="n-of")),
        el("p", lead, class_="lead"),
        parts,
        id="programs",
    )


def how_run(summary: Summary) -> Html:
    """The section on how it was run."""
    header = summary.header
    rows = [
        ("implementation", words.implementation(summary)),
        ("oracle", words.oracle(summary)),
        ("profile", header.profile),
        ("seed", str(header.seed)),
        ("planned programs", f"{header.planned:,}"),
        ("exit code", "none: it was interrupted" if summary.exit_code is None else str(summary.exit_code)),
        *sorted(header.environment.items()),
    ]
    body = [el("tr", el("th", name, scope="row"), el("td", value or "not recorded")) for name, value in rows]
    table = el("table", el("caption", "Environment", class_="vh"), el("tbody", body), class_="facts")
    command = copyable(header.command, "Copy command", "the command line of this run") if header.command else NOTHING
    return el(
        "section",
        el("h2", "Run"),
        el("h3", "Command"),
        command,
        el("h3", "Environment"),
        table,
        _times(summary),
        id="run",
    )


def without_times(page: str) -> str:
    """The page with its one block of times left out: what is left depends on the records' content alone."""
    return re.sub(re.escape(BEGIN) + ".*?" + re.escape(END), "", page, flags=re.DOTALL)


def _times(summary: Summary) -> Html:
    shown = summary.timings[:TIMES_SHOWN]
    body = [el("tr", el("th", one.name, scope="row"), el("td", f"{one.seconds:,.2f} s", class_="num")) for one in shown]
    rest = len(summary.timings) - len(shown)
    more = el("p", f"and {words.many(rest, 'shorter one')}", class_="quiet") if rest > 0 else None
    table = (
        el("table", el("caption", "Longest times", class_="vh"), el("tbody", body), class_="facts") if body else None
    )
    block = join(el("h3", "Times"), table or el("p", "No times were recorded.", class_="empty"), more)
    return Html(f"{BEGIN}{block}{END}")


def _lanes(summary: Summary) -> Html:
    if not summary.lanes:
        return NOTHING
    meaning = {
        "exact": "no step rounds: must agree to the last bit",
        "numeric": "must agree within a running error bound",
        "structural": "no floating value to judge: kinds, shapes, messages",
        "ill-conditioned": "the bound is too wide to judge by: set aside, never passed",
    }
    head = el(
        "thead", el("tr", [el("th", name, scope="col") for name in ("Lane", "Programs", "Agree", "What it means")])
    )
    body = [
        el(
            "tr",
            el("th", lane, scope="row"),
            el("td", f"{count:,}", class_="num", data_label="programs"),
            el("td", f"{agree:,}", class_="num", data_label="agree"),
            el("td", meaning.get(lane, ""), class_="quiet"),
        )
        for lane, count, agree in summary.lanes
    ]
    origins = " and ".join(f"{count:,} {_ORIGINS.get(origin, origin)}" for origin, count in summary.origins)
    table = el("table", el("caption", "Programs by lane", class_="vh"), head, el("tbody", body), class_="stack lanes")
    return join(el("h3", "How they were judged"), table, el("p", f"Of all programs, {origins}.", class_="quiet"))


_ORIGINS = {"corpus": "are stored ones", "generated": "were generated"}


def _shares(summary: Summary) -> Html:
    """Each feature's share, as a bar with the least share that a run must have as a tick."""
    if not summary.shares:
        return NOTHING
    single = _share_table(summary, "Shares of features", summary.features)
    if not summary.pairs:
        return join(el("h3", "What they use"), single)
    table = _share_table(summary, "Shares of pairs of features", summary.pairs)
    pairs = el("details", el("summary", words.pairs(summary)), table)
    return join(el("h3", "What they use"), single, pairs)


def _share_table(summary: Summary, caption: str, shares: Sequence[Share]) -> Html:
    head = el(
        "thead",
        el(
            "tr",
            [el("th", name, scope="col") for name in ("Feature", "Programs", "Share", "At least", "Against the least")],
        ),
    )
    body = el("tbody", [_share(share, share in summary.low_shares) for share in shares])
    return el("table", el("caption", caption, class_="vh"), head, body, class_="stack shares")


def _share(share: Share, low: bool) -> Html:
    part = share.count / share.of if share.of else 0.0
    bar = el(
        "span",
        el("span", style=f"width:{100 * min(part, 1):.2f}%"),
        el("i", style=f"left:{100 * min(share.least, 1):.2f}%"),
        class_="meter low" if low else "meter",
        aria_hidden="true",
    )
    note = el("b", "▲ too few", class_="st-bad") if low else None
    return el(
        "tr",
        el("th", share.feature, scope="row"),
        el("td", f"{share.count:,}", class_="num", data_label="programs"),
        el("td", words.percent(share.count, share.of), class_="num", data_label="share"),
        el("td", f"{100 * share.least:.3g}%", class_="num", data_label="at least"),
        el("td", bar, note, class_="meters"),
    )


def _ops(ops: tuple[OpRow, ...]) -> Html:
    if not ops:
        return NOTHING
    ordered = sorted(ops, key=lambda row: (-row.disagree, row.op))
    head = el("thead", el("tr", [el("th", name, scope="col") for name in ("Op", "Programs", "Do not agree")]))
    body = [
        el(
            "tr",
            el("th", row.op, scope="row", class_="mono"),
            el("td", f"{row.programs:,}", class_="num"),
            el("td", f"{row.disagree:,}", class_="num st-bad" if row.disagree else "num"),
        )
        for row in ordered
    ]
    table = el("table", el("caption", "Programs by op", class_="vh"), head, el("tbody", body), class_="ops")
    return el(
        "details",
        el("summary", el("b", "Ops"), " ", el("span", f"{words.many(len(ops), 'op')} asked", class_="quiet")),
        table,
        class_="group",
    )
