"""How far two errors agree: `grade(want, got)` is `none`, `raised`, `class` or `message`.

Messages about the protocol (tapes, watching, recording, custom gradients, unconnected gradients ...) must be equal:
they are what users read and match. A kernel's message must agree in its core phrase: shapes, values and node names in
it are not promised by anybody.
"""

from __future__ import annotations

import re

from adapters.observations import Raised

GRADES = ("none", "raised", "class", "message")

_PROTOCOL = re.compile(
    r"tape|watch|record|custom_gradient|unconnected|persistent|accumulator|jacobian|GradientTape|gradient"
    r"|jvp|primal|tangent|Cannot convert the argument `type_value`",
    re.IGNORECASE,
)
_NOISE = re.compile(
    r"\{\{[^}]*\}\}|__(?:inference|forward|backward)_\w+|\[Op:\w+\].*|name: .*"
    r"|'[^']*'|\"[^\"]*\"|`[^`]*`|\[[^\]]*\]|\([^)]*\)|[-+]?\d[\d.e+-]*|<[^>]*>",
    re.DOTALL,
)
_NODE = re.compile(r"'[^'\n]*= \w+\[[^'\n]*'")  # a node of TensorFlow's graph: its name and inputs say nothing
_TRACEBACK = "\nTraceback (most recent call last)"
_SPARSE = re.compile(r"IndexedSlices\(indices=.*\)(?= to a dense)", re.DOTALL)
# A C function of TensorFlow fails unnoticed, and Python finds out where something else is looked up.
_LOST = {
    "SystemError": re.compile(r"returned a result with an exception set$"),
    "StagingError": re.compile(r"^ *SystemError: .*returned a result with an exception set$", re.MULTILINE),
    "AttributeError": re.compile(
        r"^(?: *AttributeError: )?'ResourceVariable' object has no attribute 'dtype'$", re.MULTILINE
    ),
}
_CLAUSE = re.compile(r"[:;\n]|\.\s")


def is_protocol(message: str) -> bool:
    """Whether a message is about tapes and gradients rather than about one kernel's arguments."""
    return _PROTOCOL.search(_NODE.sub("", message)) is not None and "[Op:" not in message


def core_phrase(message: str) -> str:
    """The first clause of a kernel's message, without values, shapes, names and case.

    Out of a graph, the message stands below the lines of code that made its node.
    """
    message = message.partition(_TRACEBACK)[0]
    if message.startswith("Graph execution error:"):
        message = message.partition("\n\t [[")[0].rpartition("\n")[2]
    plain = " ".join(_NOISE.sub(" ", message).split())
    for clause in _CLAUSE.split(plain):
        words = re.sub(r"[^a-z ]+", " ", clause.lower()).split()
        if len(words) >= 2:
            return " ".join(words)
    return " ".join(re.sub(r"[^a-z ]+", " ", plain.lower()).split())


def same_warnings(want: tuple[str, ...], got: tuple[str, ...]) -> bool:
    """Whether the same was logged; the parts that a warning about sparse gradients prints are TensorFlow's own."""
    return want == got or [_SPARSE.sub("", w) for w in want] == [_SPARSE.sub("", g) for g in got]


def _lost(want: Raised) -> bool:
    pattern = _LOST.get(want.cls)
    return pattern is not None and pattern.search(want.message) is not None


def grade(want: Raised, got: Raised) -> str:
    """How far an error agrees with the wanted one; any does when TensorFlow lost the one it meant to raise."""
    if _lost(want):
        return "message"
    if want.cls != got.cls:
        return "raised"
    if want.message == got.message:
        return "message"
    if is_protocol(want.message):
        return "class"
    return "message" if core_phrase(want.message) == core_phrase(got.message) else "class"
