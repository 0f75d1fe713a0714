"""Build HTML out of nested calls in which every string is escaped: `el("p", "a < b", el("b", name))`.

Only an `Html` is taken as it is, and only this module makes one of outside text, so nothing that an implementation
chooses can become markup. Characters that a reader cannot see, or that reorder a line, are written out as escapes.
"""

from __future__ import annotations

import hashlib
import html
import re
from collections.abc import Iterable
from typing import Union

_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
_PLAIN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_VOID = {"br", "hr", "input", "meta", "col"}
_BLOCKS = {
    "section",
    "article",
    "table",
    "tbody",
    "thead",
    "tr",
    "div",
    "ol",
    "ul",
    "li",
    "dl",
    "details",
    "header",
    "nav",
}


class Html(str):
    """Markup that is safe to put on the page as it is."""

    __slots__ = ()


Child = Union[str, Html, None, Iterable["Child"]]
NOTHING = Html("")


def visible(text: str) -> str:
    """The text with unseen and reordering characters written out: a right-to-left override becomes `\\u202e`."""
    return _UNSEEN.sub(lambda found: f"\\u{ord(found.group()):04x}", text.replace("\r\n", "\n"))


def escape(text: str) -> Html:
    """Text as markup that shows it."""
    return Html(html.escape(visible(text), quote=True))


def join(*children: Child) -> Html:
    """Children one after another; strings are escaped, None is nothing."""
    parts = []
    for child in children:
        if isinstance(child, Html):
            parts.append(child)
        elif isinstance(child, str):
            parts.append(escape(child))
        elif child is not None:
            parts.append(join(*child))
    return Html("".join(parts))


def el(tag: str, *children: Child, **attributes: str | int | bool | None) -> Html:
    """An element. `class_` stands for `class`, `aria_label` for `aria-label`; True is a bare name, None vanishes."""
    words = []
    for name, value in attributes.items():
        if value is None or value is False:
            continue
        name = name.rstrip("_").replace("_", "-")
        words.append(f" {name}" if value is True else f' {name}="{escape(str(value))}"')
    end = "\n" if tag in _BLOCKS else ""
    if tag in _VOID:
        return Html(f"<{tag}{''.join(words)}>{end}")
    return Html(f"<{tag}{''.join(words)}>{join(*children)}</{tag}>{end}")


def anchor(kind: str, name: str) -> str:
    """The id of a place on the page, `cause-9c2e`: the same name always gives the same id; odd names are hashed."""
    if not _PLAIN_ID.fullmatch(name):
        name = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{kind}-{name}"


def link(kind: str, name: str, *children: Child) -> Html:
    """A link to a place on this page; the name itself is the text unless children are given."""
    return el("a", *(children or (name,)), href="#" + anchor(kind, name))


def hidden(text: str) -> Html:
    """Text for a screen reader alone."""
    return el("span", text, class_="vh")


def code(text: str) -> Html:
    """Code within a sentence."""
    return el("code", text)


class Anchors:
    """Hands out each id once: a page must not have two places of one name."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def claim(self, kind: str, name: str) -> str | None:
        """The id for the first place of this name, None for every later one."""
        wanted = anchor(kind, name)
        if wanted in self._taken:
            return None
        self._taken.add(wanted)
        return wanted
