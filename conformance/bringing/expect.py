"""`tapecheck expect --from records.jsonl` writes the expectation file that a maintainer then edits.

One entry for each cause that is not expected yet, named by its signature, with the rule whose pinned programs show it
where there is one. Each says "not yet" and what was seen; the reason is for the maintainer to give.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import reports
from reports.summary import CauseRow, Summary


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The grammar of the command."""
    parser.add_argument("--from", dest="records", type=Path, required=True, help="the records of a run")
    parser.add_argument("--out", type=Path, help="the file to write; IMPLEMENTATION.expected.json by default")


def main(asked: argparse.Namespace, command: str) -> int:
    """Write the file and say how to use it."""
    summary = reports.summarise(reports.read([asked.records]))
    out = asked.out or Path(f"{summary.header.implementation.rpartition('.')[2]}.expected.json")
    found = entries(summary)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"Written: {out}, {len(found)} entries: give each its reason, or mend the tape and take it out.")
    print(f"Next:    tapecheck run {summary.header.implementation} --expectations {out}")
    return 0


def entries(summary: Summary) -> list[dict[str, Any]]:
    """An entry for each cause that nothing expects, most programs first."""
    rows = sorted(summary.causes, key=lambda row: (-row.count, row.cause.id))
    return [_entry(row) for row in rows if row.cause.expected is None]


def _entry(row: CauseRow) -> dict[str, Any]:
    cause = row.cause
    shown = {"shown_by": cause.rule} if cause.attribution == "pinned" and cause.rule else {}
    reason = f"seen in {row.count} programs: {cause.title}"
    return {"signature": list(cause.signature), **shown, "kind": "not yet", "reason": reason}
