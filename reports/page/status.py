"""Statuses as shape and letter as well as colour, so that they survive greyscale, colour blindness and print."""

from __future__ import annotations

from reports.page.html import Html, el, hidden
from reports.summary import STATUSES, Group

# word: (shape, letter, class)
SIGNS = {
    "passed": ("●", "P", "good"),
    "agrees": ("●", "A", "good"),
    "failed": ("▲", "F", "bad"),
    "differs": ("▲", "D", "bad"),
    "crashed": ("✖", "C", "bad"),
    "timed out": ("✖", "T", "bad"),
    "oracle failed": ("✖", "O", "known"),
    "expected": ("◆", "E", "known"),
    "ill-conditioned": ("◇", "I", "known"),
    "unsupported": ("□", "U", "none"),
    "not asked": ("–", "N", "none"),
}
_OTHER = ("?", "?", "none")


def sign(status: str) -> Html:
    """Shape and word, for where there is room."""
    shape, _, kind = SIGNS.get(status, _OTHER)
    return el("span", el("span", shape, aria_hidden="true", class_="shape"), " ", status, class_=f"st st-{kind}")


def short(status: str, text: str = "") -> Html:
    """Shape, letter and perhaps a count, for a cell; a screen reader hears the word."""
    shape, letter, kind = SIGNS.get(status, _OTHER)
    seen = el("span", el("span", shape, class_="shape"), f" {letter}", aria_hidden="true")
    return el("span", seen, hidden(status), f" {text}" if text else None, class_=f"st st-{kind}", title=status)


def cell(status: str) -> Html:
    """A table's cell of shape and letter, in few bytes: there are thousands. A screen reader hears the word."""
    shape, letter, kind = SIGNS.get(status, _OTHER)
    return el("td", f"{shape} {letter}", class_=f"st-{kind}", aria_label=status)


def worst(group: Group) -> str:
    """The worst status that a rule of the group has."""
    return next((status for status in STATUSES if group.count(status)), group.rules[0].status)
