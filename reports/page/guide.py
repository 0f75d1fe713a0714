"""How to read the page: what its words mean."""

from __future__ import annotations

from reports.page.html import Html, el, join
from reports.page.status import sign

_TERMS = (
    (
        "Program",
        "A short list of steps (make a tensor, enter a tape, call an op, ask for a gradient). The same "
        "program runs on the oracle and on the implementation, and their answers are compared step by "
        "step.",
    ),
    ("Wanted and got", "What the oracle answered, and what the implementation answered; always in that order."),
    (
        "Cause",
        "Programs that differ in the same way (same rule or op, same kinds of answer, same class of dtype) "
        "share a cause, and one of them, made as small as possible, stands for all. A cause keeps its id "
        "from run to run.",
    ),
    (
        "First difference",
        "Comparison stops at the first step whose answers differ. What comes after it follows "
        "from it and is not counted again.",
    ),
    (
        "Exact, numeric, structural",
        "A program in which nothing rounds must agree to the last bit. One that "
        "rounds must agree within an error bound that is carried along with its "
        "arithmetic, not a fixed tolerance. One without floating values is judged by "
        "kinds, shapes, dtypes and messages.",
    ),
    ("Ill-conditioned", "The error bound grew too wide to judge by. Such programs are counted and never passed."),
    ("ULP", "The distance between two neighbouring floating-point numbers at this size."),
    (
        "Blame",
        "On a difference, arbiters that are independent of both sides say who is off: differences of the "
        "implementation's own forward, and arithmetic in high precision.",
    ),
    (
        "Pinned, looks like, unexplained",
        "How sure it is which rule is broken: a stored program of the rule "
        "fails; a generated program fails as the rule's programs would; or no "
        "known rule explains it.",
    ),
    (
        "Standing of a rule",
        "Documented: the documentation says so. Observed: it does so. Against the docs, "
        "against the mathematics: it does so although these say otherwise.",
    ),
)

_SIGNS = (
    ("passed", "the rule's programs agree"),
    ("failed", "at least one differs, unexpectedly"),
    ("expected", "it differs, and the implementation's list of deviations says so"),
    ("unsupported", "the implementation says that it does not have what is asked; this is not wrong"),
    ("not asked", "this run did not ask"),
)


def guide() -> Html:
    """The section on how to read all this."""
    terms = [join(el("dt", term), el("dd", text)) for term, text in _TERMS]
    signs = [join(el("dt", sign(status)), el("dd", text)) for status, text in _SIGNS]
    return el(
        "section",
        el("h2", "How to read this"),
        el("dl", terms, class_="terms"),
        el("h3", "Signs"),
        el("dl", signs, class_="terms"),
        id="guide",
    )
