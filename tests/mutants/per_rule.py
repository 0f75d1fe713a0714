"""A fault for each rule, as far as one was found: `rules.json` holds them, `python -m tests.mutants.search` finds them.

Each is one small change of the engine's source after which a pinned program of the rule answers otherwise. A change
whose place is gone (the engine was edited since) is found anew by the search.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from tests.mutants.planting import Edit
from tests.mutants.registry import MUTANTS, RULE, Mutant, add

FILE = Path(__file__).with_name("rules.json")


def name_of(rule: str) -> str:
    """`breaks_LIFE_01`."""
    return f"breaks_{rule.replace('-', '_')}"


def stored() -> dict[str, Mutant]:
    """The faults of the file, by rule."""
    if not FILE.exists():
        return {}
    entries = json.loads(FILE.read_text(encoding="utf-8"))
    return {entry["rule"]: made(entry["rule"], Edit(**entry["edit"])) for entry in entries}


def made(rule: str, edit: Edit) -> Mutant:
    """The fault that an edit is, for a rule."""
    before, after = (" ".join(text.split()) for text in (edit.before, edit.after))
    sentence = f"{rule} is broken: in {edit.module}, {before[:50]!r} becomes {after[:50]!r}."
    return Mutant(name_of(rule), sentence, RULE, edits=(edit,), about=(rule,))


def write(found: dict[str, Edit]) -> None:
    """Write the file: one entry a line, by rule."""
    lines = [json.dumps({"rule": rule, "edit": asdict(edit)}) for rule, edit in sorted(found.items())]
    FILE.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


def load() -> None:
    """Register the faults of the file, in place of those registered before."""
    for name in [name for name, one in MUTANTS.items() if one.origin == RULE]:
        del MUTANTS[name]
    for one in stored().values():
        add(one)


load()
