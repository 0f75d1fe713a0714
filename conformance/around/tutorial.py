"""docs/gradient-tapes-in-an-hour.md as a program: its blocks, run one after another, and what each says it prints.

    for block, printed in run(blocks(), module, folder):
        assert printed == block.printed

A block opens with "python" and perhaps a word: "matplotlib" needs that library, "engine" is about this engine alone.
``python -m conformance.around.tutorial`` writes what TensorFlow prints into the page; for blocks about the engine, what
the engine prints.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import adapters

PAGE = Path(__file__).resolve().parents[2] / "docs" / "gradient-tapes-in-an-hour.md"
_BLOCK = re.compile(r"^```python ?(\w*)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
_FIRST = "import reference_impl as tf"


@dataclass(frozen=True, slots=True)
class Block:
    """One block: the line of the page it begins at, what it needs, its code, and what stands under it."""

    line: int
    needs: str
    code: str
    printed: str


def blocks(page: Path = PAGE) -> list[Block]:
    """The blocks of the page, in order."""
    text = page.read_text(encoding="utf-8")
    return [Block(text.count("\n", 0, m.start()) + 2, m[1], m[2], m[3] or "") for m in _BLOCK.finditer(text)]


def run(found: list[Block], module: Any, folder: Path, leave_out: tuple[str, ...] = ()) -> Iterator[tuple[Block, str]]:
    """Each block and what it printed, with ``module`` as ``tf``; files are written to ``folder``."""
    names: dict[str, Any] = {"tf": module, "__name__": "tutorial"}
    module.keras.backend.clear_session()  # names of layers are counted from the beginning
    for block in found:
        if block.needs not in leave_out:
            code = block.code.replace(_FIRST, "pass")
            yield block, _printed(compile("\n" * (block.line - 1) + code, PAGE.name, "exec"), names, folder)


def _printed(code: Any, names: dict[str, Any], folder: Path) -> str:
    out, before = io.StringIO(), Path.cwd()
    os.environ.setdefault("MPLBACKEND", "Agg")
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(out):
            exec(code, names)
    finally:
        os.chdir(before)
    return out.getvalue()


def main(folder: Path) -> int:
    """Write the outputs into the page, and its picture beside it."""
    found = blocks()
    printed = {b.line: text for b, text in run(found, adapters.load("reference").module, PAGE.parent, ("matplotlib",))}  # type: ignore[attr-defined]
    printed |= {b.line: text for b, text in run(found, adapters.load("tensorflow").module, folder, ("engine",))}  # type: ignore[attr-defined]
    text = PAGE.read_text(encoding="utf-8")

    def filled(m: re.Match) -> str:
        shown = printed[text.count("\n", 0, m.start()) + 2]
        head = m[0] if m[3] is None else m[0][: m.start(3) - m.start()]
        return head if m[3] is None else f"{head}{shown}```\n"

    PAGE.write_text(_BLOCK.sub(filled, text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as place:
        sys.exit(main(Path(place)))
