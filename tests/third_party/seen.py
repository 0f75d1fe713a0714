"""What runs of third parties found, so that their expectation files can be tested without any of the libraries.

    python -m tests.third_party.seen reports/html/third-parties ...   keeps the causes of these runs in seen.json
    python -m tests.third_party.seen --more FOLDER ...        and of what it holds already, what an entry needs

One line a cause: its signature, the pinned rule where there is one, and those of the words that tell its answer
which entries name.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

import reports
from conformance.running.expectations import SHIPPED, Expected, load, used_in
from reports.records import Cause, Header

FILE = Path(__file__).with_name("seen.json")


@dataclass(frozen=True, slots=True)
class Seen:
    """A cause of difference, as far as an entry looks at it."""

    signature: tuple[str, ...]
    rule: str | None
    ops: tuple[str, ...]

    def falls_to(self, entry: Expected) -> bool:
        """Whether an entry speaks of it. A cause that an entry named by its rule has the rule for an op."""
        named = entry.shown_by is not None and entry.shown_by == self.signature[0]
        return (
            named
            or (entry.rule is not None and entry.rule == self.rule)
            or entry.fits_signature(self.signature, self.ops)
        )


def names() -> list[str]:
    """The implementations that have an expectation file."""
    return sorted(file.stem for file in SHIPPED.glob("*.json"))


def seen() -> dict[str, list[Seen]]:
    """The causes that were seen, by implementation."""
    plain = json.loads(FILE.read_text(encoding="utf-8"))
    return {
        name: [Seen(tuple(signature), rule, tuple(ops)) for signature, rule, ops in found]
        for name, found in plain.items()
    }


def collected(folders: list[Path]) -> dict[str, list[Seen]]:
    """The causes in the records below folders."""
    found: dict[str, set[Seen]] = {name: set() for name in names()}
    for file in sorted(file for folder in folders for file in folder.glob("*/records.jsonl")):
        records = reports.read([file])
        name = next(one.implementation for one in records if isinstance(one, Header))
        if name not in found:
            continue
        named = {word for entry in load(name) for word in (*entry.uses, entry.of)}
        for cause in (one for one in records if isinstance(one, Cause)):
            pinned = cause.rule if cause.attribution == "pinned" else None
            found[name].add(Seen(cause.signature, pinned, tuple(sorted(named & used_in(cause)))))
    return {
        name: sorted(them, key=lambda one: (one.signature, one.rule or "", one.ops)) for name, them in found.items()
    }


def needed(earlier: list[Seen], found: list[Seen], entries: tuple[Expected, ...]) -> list[Seen]:
    """Of what was seen earlier, what alone shows that an entry speaks of a difference."""
    shown_by_none = [entry for entry in entries if not any(one.falls_to(entry) for one in found)]
    return [one for one in earlier if any(one.falls_to(entry) for entry in shown_by_none)]


def main(arguments: list[str]) -> None:
    """Write the file."""
    found = collected([Path(one) for one in arguments if one != "--more"])
    if "--more" in arguments:
        for name, earlier in seen().items():
            found[name] += needed(earlier, found[name], load(name))
    lines = [
        f"{json.dumps(name)}: [\n"
        + ",\n".join(json.dumps([one.signature, one.rule, one.ops], ensure_ascii=False) for one in them)
        + "\n]"
        for name, them in found.items()
    ]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(f"{FILE}: {sum(map(len, found.values()))} causes of {len(found)} implementations")


if __name__ == "__main__":
    main(sys.argv[1:])
