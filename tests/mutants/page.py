"""`docs/kill-matrix.md`: the kill matrix as one reads it. `page(matrix)` makes it, `stale()` says whether it is old."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.mutants.hunting import Row
from tests.mutants.matrix import Matrix, fresh, load, proofs
from tests.mutants.registry import ORIGINS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "kill-matrix.md"
_SHORT = 110
_RIGHT = (
    "The right rule is the one that was broken: a pinned program of it shows the fault. The right op is one that runs "
    "the changed code: its declaration says so, or that code runs less often when what the op was given is "
    "differentiated in its place (a fault in what `tanh` and `gelu` share is named by either). A fault in no op is not "
    "counted."
)


def stale() -> bool:
    """Whether the page in the repository is not that of the stored matrix."""
    return not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page(load())


def page(matrix: Matrix) -> str:
    """The page."""
    return "\n".join(_lines(matrix)) + "\n"


def _lines(matrix: Matrix) -> Iterator[str]:
    yield from (
        "# Kill matrix",
        "",
        f"{len(matrix.rows)} faults were planted in copies of the reference engine, one at a time. Each was asked the "
        f"pinned corpus and {matrix.programs:,} generated programs of seed {matrix.seed}, and judged by the answers "
        "of TensorFlow. Made by `tox -e mutants -- --write`.",
        "",
        "| faults | found by | found | of | share | at least |",
        "|---|---|---|---|---|---|",
    )
    for rate in matrix.rates():
        what, _, by = rate.what.partition(", ")
        share = rate.found / rate.of if rate.of else 0.0
        yield f"| {what} | {by} | {rate.found} | {rate.of} | {share:.1%} | {rate.least:.0%} |"
    yield from ("", f"Fresh faults are mechanical ones, drawn by seed {matrix.fresh_seed} and listed nowhere.", "")
    yield from (f"- {text}" for text in matrix.attributions())
    yield from ("", _RIGHT)
    yield from _section("The hardest twenty", "Those that took the most generated programs.", matrix.hardest())
    yield from _section("Shown by nothing", "Not found by any program; a listed one fails the run.", matrix.survivors())
    missed = [row for row in matrix.rows if not (row.caught or row.stale or row.name in proofs())]
    yield from _section("Not shown by generated programs", "What only the corpus shows, or nothing.", missed)
    yield from _harmless()
    for origin in ORIGINS:
        rows = [row for row in matrix.rows if row.origin == origin]
        listed = "drawn for this page alone" if any(map(fresh, rows)) else "listed"
        yield from _section(f"Faults of the origin `{origin}`", f"{len(rows)}, {listed}.", rows)


def _section(title: str, lead: str, rows: Iterable[Row]) -> Iterator[str]:
    rows = list(rows)
    if rows:
        yield from ("", f"## {title}", "", lead, "")
        yield from ("| fault | corpus | after | steps | shown as | what is wrong |", "|---|---|---|---|---|---|")
        yield from map(_row, rows)


def _row(row: Row) -> str:
    corpus = ", ".join(row.pinned_by[:2]) or ("yes" if row.corpus else "no")
    after = "never" if row.after is None else f"{row.after:,}"
    steps = "" if row.steps is None else str(row.steps)
    shown = row.subject if row.op in ("", row.subject) else f"{row.subject} ({row.op})"
    cells = (f"`{row.name}`", "no place" if row.stale else corpus, after, steps, shown, row.sentence[:_SHORT])
    return f"| {' | '.join(_cell(one) for one in cells)} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _harmless() -> Iterator[str]:
    known = proofs()
    if known:
        yield from ("", "## Equivalent", "", "Faults that change nothing which a program can see, and why.", "")
        yield from ("| fault | why |", "|---|---|")
        yield from (f"| `{name}` | {_cell(why)} |" for name, why in sorted(known.items()))
