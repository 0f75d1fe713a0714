"""Error and log messages without what changes from run to run: addresses, paths, line numbers, node and device names.

`normalise(text)` is applied to both sides of every comparison, so it removes only what no user can rely on.
"""

from __future__ import annotations

import re

_RULES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"\{\{(?:function_node|node) [^}]*\}\}\s*", ""),
        (r"\b0x[0-9a-fA-F]+", "0x…"),
        # where a class is defined differs between implementations; what it is called does not
        (r"<(?:\w+\.)+(\w+) object at 0x…>", r"<\1 object at 0x…>"),
        # Python says so of whatever it calls next, when native code forgot about an exception
        (r"^<(?:built-in )?(?:function|method) .*> (returned a result with an exception set)", r"a call \1"),
        # the frames that AutoGraph quotes: a line that names a file and the source line under it
        (r'\n[ \t]*File "[^"\n]*", line \d+, in [^\n]*(?:\n[ \t]{2,}(?!\w*(?:Error|Exception)\b)[^\n]*)?', ""),
        (r"(?:[A-Za-z]:)?(?:[/\\][\w.+-]+)+[/\\]([\w.-]+\.py)(?::\d+)?", r"…/\1"),
        (r'\bTensor\("[^"\n]*", ', "Tensor("),
        (r"/job:\w+/replica:\d+/task:\d+/device:\w+:\d+", "device"),
        (r"(\[Op:\w+\]) name:[^\n]*$", r"\1"),
        (r"__(inference|forward|backward)_(\w+?)(?:_\d+)+", r"__\1_\2"),
        (r"__wrapped__(\w+?)_device_[^\s'\"]*", r"__wrapped__\1"),
        (r"\n\s*\n+", "\n"),
    )
)


def normalise(text: str) -> str:
    """`text` without addresses, directories, line numbers, node and device names, and blank lines."""
    if not _MAY_APPLY.search(text):
        return text.strip()
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    return text.strip()


# One search that nearly every message fails: a rule can apply only where one of these occurs.
_MAY_APPLY = re.compile(r'[\n/\\]|\{\{|0x|\[Op:|__|Tensor\("|exception set')
