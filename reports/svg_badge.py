"""A small SVG badge that says how far an implementation agrees."""

from __future__ import annotations

from xml.sax.saxutils import escape

from reports import words
from reports.summary import Summary

_WIDTH = 6.6  # of an average letter at 11 px


def badge(summary: Summary) -> str:
    """The badge as SVG text: the oracle at the left, the share of rules (or of programs) that hold at the right."""
    left, right = _clean(words.oracle(summary)), _claim(summary)
    wide = [round(len(text) * _WIDTH) + 16 for text in (left, right)]
    whole = (
        all(rule.status in ("passed", "not asked") for rule in summary.rules)
        and not summary.causes
        and summary.complete
    )
    colour = "#1f5fa8" if whole and summary.total else "#b4460f"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{sum(wide)}" height="20" role="img">'
        f"<title>{escape(left)}: {escape(right)}</title>"
        f'<rect width="{sum(wide)}" height="20" rx="4" fill="#33373d"/>'
        f'<path d="M{wide[0]} 0h{wide[1] - 4}a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4h-{wide[1] - 4}z" fill="{colour}"/>'
        '<g fill="#fff" font-family="system-ui,sans-serif" font-size="11" text-anchor="middle">'
        f'<text x="{wide[0] / 2}" y="14">{escape(left)}</text>'
        f'<text x="{wide[0] + wide[1] / 2}" y="14">{escape(right)}</text></g></svg>\n'
    )


def _claim(summary: Summary) -> str:
    if not summary.complete:
        return "incomplete run"
    if summary.rules:
        holds = sum(rule.status == "passed" for rule in summary.rules)
        return f"{holds:,} of {words.many(len(summary.rules), 'rule')}"
    return f"{summary.count('agrees'):,} of {words.many(summary.total, 'program')}"


def _clean(text: str) -> str:
    """At most forty characters, all of which XML can hold."""
    text = "".join(letter for letter in text if letter.isprintable())
    return text if len(text) <= 40 else text[:39] + "…"
