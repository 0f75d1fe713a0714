"""The faulty engines that the suite was tried on, as records: `mutants()`.

`kill_matrix.json` is written by the tests of the project (`tox -e mutants -- --write`), which plant each fault in a
copy of the reference engine.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from reports.records import Mutant

FILE = Path(__file__).with_name("kill_matrix.json")


@cache
def mutants(path: Path = FILE) -> tuple[Mutant, ...]:
    """The faults of the kill matrix, those without a place in the engine left out; none where there is no matrix."""
    if not path.exists():
        return ()
    rows = json.loads(path.read_text(encoding="utf-8"))["rows"]
    return tuple(_mutant(row) for row in rows if not row.get("stale"))


def _mutant(row: dict[str, object]) -> Mutant:
    pinned = row.get("pinned_by") or ()
    return Mutant(
        name=str(row["name"]),
        origin=str(row["origin"]),
        sentence=str(row["sentence"]),
        corpus=bool(row.get("corpus")),
        rules=tuple(str(one) for one in pinned),  # type: ignore[attr-defined]
        after=row.get("after"),  # type: ignore[arg-type]
        subject=str(row.get("subject", "")),
        steps=row.get("steps"),  # type: ignore[arg-type]
        harmless=str(row.get("harmless", "")),
    )
