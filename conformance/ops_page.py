"""Write `docs/ops.md`: what the suite has agreed on with TensorFlow, op by op.

    tapecheck coverage --json conformance/coverage/agreed.json    count again what agrees
    tapecheck coverage --each 200 --most 1000 --resume --json conformance/coverage/each.json    ask each op on its own
    python -m conformance.ops_page                                write the page from those counts
    python -m conformance.ops_page --check                        exit with 1 when the page is stale

A mark stands only where programs agreed; everything else is left empty.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from conformance.blaming.faults import FAULTS
from conformance.coverage import kept
from conformance.coverage.each import RowCounts
from conformance.coverage.traits import TRAITS
from conformance.generating.features import ops_of
from conformance.optable import TABLE
from conformance.optables.row import Row

FILE = Path(__file__).parent / "coverage" / "agreed.json"
EACH = FILE.with_name("each.json")
PAGE = Path(__file__).parents[1] / "docs" / "ops.md"
_DIFFERS = "tensorflow-differs.md"


def counts(path: Path = FILE) -> Mapping[str, Any]:
    """What a run of `tapecheck coverage` counted."""
    found: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def own_programs(path: Path = EACH) -> kept.Kept:
    """What `tapecheck coverage --each` counted."""
    return kept.read(path)


def page(found: Mapping[str, Any], own: kept.Kept) -> str:
    """The page, from counts of a run over all ops, and of programs that each op was asked on its own."""
    reached = len(found["covered"]) + len(found["left"])
    lines = [
        "# Ops",
        "",
        f"{len(TABLE)} ops of the op table. A number says how many programs agreed with TensorFlow that asked the op",
        "for its value, for a gradient through it, and so on; an empty cell says that none did.",
        f"{found['agreed']:,} of {found['programs']:,} programs agreed; they called {len(found['covered'])} of the",
        f"{reached} gradient functions of TensorFlow that eager mode reaches on a CPU.",
        "",
        *_introduction(own),
        "",
        f"| op | {' | '.join(TRAITS)} | own programs | hit | drawn on purpose | remarks |",
        f"|---|{'---:|' * len(TRAITS)}---:|---:|---|---|",
        *(_line(row, found["ops"].get(row.name, _NEVER), own.ops.get(row.name, RowCounts())) for row in TABLE),
        "",
        "## Gradient functions that nothing covers",
        "",
        *(f"- `{name}`: {why}" for name, why in sorted(found["left"].items())),
        "",
        "## Gradient functions out of reach",
        "",
        *(f"- `{name}`: {why}" for name, why in sorted(found["unreachable"].items())),
        "",
    ]
    return "\n".join(lines)


_NEVER: Mapping[str, Any] = {"agreed": {}, "differed": 0}


def _introduction(own: kept.Kept) -> list[str]:
    ops = own.ops.values()
    least = min((one.counted for one in ops), default=0)
    asked, counted = (sum(getattr(one, name) for one in ops) for name in ("asked", "counted"))
    return [
        f"Beside these, {len(ops)} ops were asked programs of their own, {asked:,} in all: until at least {least} of",
        f"each had agreed, the op having given a value and the error bound saying something ({counted:,} did), and",
        "until all that the op can draw was hit: every value of its attributes, its kinks and ties, dtypes, ranks,",
        "empty and broadcast operands. `conformance/coverage/goals.py` says how these are found.",
    ]


def _line(row: Row, seen: Mapping[str, Any], own: RowCounts) -> str:
    cells = [str(seen["agreed"][trait]) if seen["agreed"].get(trait) else "" for trait in TRAITS]
    cells += [str(own.counted or ""), _hit(own), _aimed(row), "; ".join(_remarks(row, seen, own))]
    return f"| `{row.name}` | {' | '.join(cells)} |"


def _hit(own: RowCounts) -> str:
    """How many of its goals an op's programs hit."""
    total = len(own.hits) + len(own.refused) + len(own.missed)
    return f"{len(own.hits)} of {total}" if total > len(own.hits) else str(total or "")


def _aimed(row: Row) -> str:
    """The singular points and ties that programs aim at."""
    parts = [f"{point:g}" for point in dict.fromkeys(row.kinks)]
    return ", ".join([*parts, *(["ties"] if row.ties else [])])


def _remarks(row: Row, seen: Mapping[str, Any], own: RowCounts) -> list[str]:
    found = [f"[TensorFlow differs from the mathematics]({_DIFFERS}#{anchor})" for anchor in _faults(row.name)]
    if row.when_named:
        found.append(f"drawn when named: {row.when_named}")
    found += [f"not drawn for {kind.replace('_', ' ')}" for kind in row.unasked]
    if own.refused:
        found.append(f"TensorFlow raises an error for {_listed(own.refused)}")
    if own.missed:
        found.append(f"not hit: {_listed(own.missed)}")
    if seen["differed"] or own.titles:
        found.append(f"{seen['differed'] + own.titles.total()} programs differed")
    return found


def _listed(goals: Iterable[str]) -> str:
    return ", ".join(f"`{goal}`" for goal in sorted(goals))


def _faults(op: str) -> list[str]:
    """Anchors of the faults whose program calls an op, other than those that only weigh its result."""
    helpers = {"operator.mul", "operator.add", "reduce_sum", "math.square", "constant"}
    found = (fault.title for fault in FAULTS if op not in helpers and op in ops_of(fault.program))
    return [re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in found]


def stale() -> bool:
    """Whether the page is not what the counts and the op table make."""
    return not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page(counts(), own_programs())


def uncounted() -> tuple[str, ...]:
    """Ops of the table of which the counts know nothing: they were added since."""
    known = counts()["ops"]
    return tuple(row.name for row in TABLE if row.name not in known)


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--check", action="store_true")
    if asked.parse_args().check:
        return int(stale())
    PAGE.write_text(page(counts(), own_programs()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
