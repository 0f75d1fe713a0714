"""Show two answers so that their difference is seen: common digits grey, the first differing digit bold.

`pair(want, got)` marks up both; `digits(want, got)` gives the numbers that differ late, one over the other, aligned at
the decimal point. Answers are words as the suite wrote them: `f32[2] [1.0, 0.0]`, `None`, `raised RuntimeError`.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from reports.page.html import Html, el, join

MOST_TOKENS = 400  # beyond this many words, answers of different form are shown unmarked: comparing them is quadratic
MOST_ROWS = 6
_NUMBER = r"(?<![\w.])[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|inf|nan)j?(?!\w)"
_TOKEN = re.compile(rf"{_NUMBER}|\w+|\s+|.", re.DOTALL)
_IS_NUMBER = re.compile(_NUMBER)
_WORDS = {"None", "nan", "zeros", "skipped", "unsupported", "crashed", "inf"}


def plain(text: str) -> Html:
    """One answer, with words such as None and nan set as words."""
    return join(*(_word(token) for token in _TOKEN.findall(text))) if text else _blank()


def pair(want: str, got: str) -> tuple[Html, Html]:
    """Both answers, their common parts grey and what differs strong."""
    wants, gots = _TOKEN.findall(want), _TOKEN.findall(got)
    if not wants or not gots:
        return (_strong(want, "want") if want else _blank()), (_strong(got, "got") if got else _blank())
    if _form(wants) == _form(gots):
        both = [_tokens(one, other) for one, other in zip(wants, gots, strict=True)]
        return join(*(one for one, _ in both)), join(*(other for _, other in both))
    if max(len(wants), len(gots)) > MOST_TOKENS:
        return plain(want), plain(got)
    return _by_words(wants, gots)


def digits(want: str, got: str) -> Html | None:
    """A small table of the numbers that agree in their first digits and then part; None where there are none."""
    wants, gots = _TOKEN.findall(want), _TOKEN.findall(got)
    if _form(wants) != _form(gots):
        return None
    rows = [
        (place, one, other)
        for place, (one, other) in enumerate(_values(wants, gots), start=1)
        if one != other and _common(one, other) >= 4
    ]
    if not rows:
        return None
    hidden_rows = len(rows) - MOST_ROWS
    body = [_digit_rows(*row, alone=len(rows) == 1) for row in rows[:MOST_ROWS]]
    note = el("p", f"and {hidden_rows:,} more values differ", class_="quiet") if hidden_rows > 0 else None
    caption = el("caption", "Digit by digit", class_="vh")
    return el("div", el("table", caption, body, class_="digits"), note, class_="scroll")


def _digit_rows(place: int, want: str, got: str, alone: bool) -> Html:
    """Two rows for one value, their decimal points one below the other."""
    left = max(_before_point(want), _before_point(got))
    value = None if alone else el("th", f"value {place}", scope="rowgroup", rowspan=2)
    rows = []
    for name, text, html in zip(("wanted", "got"), (want, got), _tokens(want, got), strict=True):
        pad = " " * (left - _before_point(text))
        rows.append(el("tr", value if name == "wanted" else None, el("th", name, scope="row"), el("td", pad, html)))
    return el("tbody", rows)


def _before_point(number: str) -> int:
    return number.find(".") if "." in number else len(number)


def _values(wants: list[str], gots: list[str]) -> list[tuple[str, str]]:
    """The numbers of both answers in pairs, those of shapes left out: `f32[2]` has its bracket right behind a word."""
    found, in_shape = [], False
    for before, one, other in zip(["", *wants], wants, gots, strict=False):
        if one == "[":
            in_shape = before[-1:].isalnum()
        elif one == "]":
            in_shape = False
        elif not in_shape and _IS_NUMBER.fullmatch(one) and _IS_NUMBER.fullmatch(other):
            found.append((one, other))
    return found


def _form(tokens: list[str]) -> list[str]:
    return ["0" if _IS_NUMBER.fullmatch(token) else token for token in tokens]


def _tokens(want: str, got: str) -> tuple[Html, Html]:
    """Two words in the same place: grey if equal, else parted at the first character in which they differ."""
    if want == got:
        return el("span", want, class_="eq"), el("span", got, class_="eq")
    shared = _common(want, got) if want[-1].isdigit() and got[-1].isdigit() else 0
    return _parted(want, shared, "want"), _parted(got, shared, "got")


def _parted(text: str, shared: int, side: str) -> Html:
    """The first differing digit bold; what follows it stands in plain ink."""
    if shared == 0:
        return _strong(text, side)
    head = el("span", text[:shared], class_="eq")
    return join(head, _strong(text[shared : shared + 1], side), text[shared + 1 :])


def _by_words(wants: list[str], gots: list[str]) -> tuple[Html, Html]:
    """Answers of different form: words that both have, in order, are grey; without one in common both are strong."""
    shared = {token for token in wants if token[0].isalnum()} & set(gots)
    if not shared or _error(wants) != _error(gots):
        return _whole(wants, "want"), _whole(gots, "got")
    left, right = [], []
    matcher = SequenceMatcher(None, wants, gots, autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            left.append(el("span", "".join(wants[a:b]), class_="eq"))
            right.append(el("span", "".join(gots[c:d]), class_="eq"))
            continue
        left.append(_strong("".join(wants[a:b]), "want"))
        right.append(_strong("".join(gots[c:d]), "got"))
    return join(*left), join(*right)


def _error(tokens: list[str]) -> str:
    """The class of a raised error, an empty string for any other answer."""
    return "".join(tokens[: tokens.index(":")]) if tokens[0] == "raised" and ":" in tokens else ""


def _whole(tokens: list[str], side: str) -> Html:
    """An answer that is different altogether; of a raised error the class is strong and the message is plain."""
    strong = _error(tokens) or "".join(tokens)
    return join(el("b", strong, class_=f"ne whole {side}"), "".join(tokens)[len(strong) :])


def _strong(text: str, side: str) -> Html:
    return el("b", text, class_=f"ne {side}") if text else Html("")


def _word(token: str) -> Html:
    return el("i", token, class_="word") if token in _WORDS else join(token)


def _blank() -> Html:
    """An answer is never a blank cell: an empty string is said in words."""
    return el("i", "nothing recorded", class_="word")


def _common(one: str, other: str) -> int:
    """How many leading characters two words share."""
    for at, (left, right) in enumerate(zip(one, other)):
        if left != right:
            return at
    return min(len(one), len(other))
