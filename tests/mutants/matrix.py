"""The kill matrix as data, and what it says: three kill rates, survivors, the hardest twenty.

`Matrix` is made of rows (`hunting.Row`); `to_json` and `from_json` store it without the programs, `rates` are what one
command prints.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from conformance.meaning import kills
from tests.mutants.hunting import Row
from tests.mutants.registry import MECHANICAL, MUTANTS

FILE = kills.FILE
PROVEN = Path(__file__).with_name("equivalent.json")
LEAST = {"corpus": 1.0, "generated": 0.95, "fresh": 0.90}
HARDEST = 20
_LEFT_OUT = ("got", "program")


@dataclass(frozen=True, slots=True)
class Rate:
    """How many of some faults are found, by what, and the least share that must be."""

    what: str
    found: int
    of: int
    least: float

    @property
    def enough(self) -> bool:
        return self.found >= self.least * self.of

    def told(self) -> str:
        share = self.found / self.of if self.of else 0.0
        return f"{self.what}: {self.found} of {self.of} ({share:.1%}; at least {self.least:.0%})"


@dataclass(frozen=True, slots=True)
class Matrix:
    """What came of a hunt: the rows, how many generated programs there were, the two seeds, who answered, and how many
    faults are listed, tried or not."""

    rows: tuple[Row, ...]
    programs: int
    seed: int
    fresh_seed: int
    oracle: str
    known: int = 0

    def listed(self) -> tuple[Row, ...]:
        """Faults that are in the repository, without those proven to change nothing."""
        proven = proofs()
        return tuple(row for row in self.rows if not fresh(row) and not row.stale and row.name not in proven)

    def rates(self) -> tuple[Rate, ...]:
        """The three kill rates."""
        listed, drawn = self.listed(), [row for row in self.rows if fresh(row)]
        return (
            Rate("listed faults, corpus alone", sum(r.corpus for r in listed), len(listed), LEAST["corpus"]),
            Rate("listed faults, generated alone", sum(r.caught for r in listed), len(listed), LEAST["generated"]),
            Rate("fresh faults, generated alone", sum(r.caught for r in drawn), len(drawn), LEAST["fresh"]),
        )  # fmt: skip

    def survivors(self) -> tuple[Row, ...]:
        """Listed faults that neither the corpus nor generated programs show."""
        return tuple(row for row in self.listed() if not (row.corpus or row.caught))

    def hardest(self) -> tuple[Row, ...]:
        """The faults that took the most generated programs."""
        found = [row for row in self.rows if row.after is not None]
        return tuple(sorted(found, key=lambda row: (-(row.after or 0), row.name))[:HARDEST])

    def with_rows(self, rows: Sequence[Row]) -> Matrix:
        """The same with some rows made anew."""
        new = {row.name: row for row in rows}
        old = tuple(new.pop(row.name, row) for row in self.rows)
        return replace(self, rows=old + tuple(new.values()))

    def attributions(self) -> tuple[str, ...]:
        """How well the faults are named, how small the programs are that show them, and whether TensorFlow agrees."""
        judged = [row for row in self.rows if row.right is not None]
        small = sorted(row.steps for row in self.rows if row.steps is not None)
        unsure = [row.name for row in self.rows if row.confirmed is False]
        tried = sum(not fresh(row) for row in self.rows)
        found = [f"listed faults that were tried: {tried} of {self.known}"] if tried < self.known else []
        wrong = [row.name for row in judged if not row.right]
        found += [f"attributed to the right rule or op: {len(judged) - len(wrong)} of {len(judged)}"]
        if wrong:
            found.append(f"attributed to another: {', '.join(wrong)}")
        if small:
            found.append(f"steps of the small programs: median {small[len(small) // 2]}, most {small[-1]}")
        if any(row.confirmed is not None for row in self.rows):
            found.append(f"small programs that live TensorFlow does not confirm: {', '.join(unsure) or 'none'}")
        return tuple(found)

    def caught_within(self, count: int) -> int:
        """How many listed faults the first `count` generated programs show."""
        return sum(row.after is not None and row.after <= count for row in self.listed())


def fresh(row: Row) -> bool:
    """Whether a fault is listed nowhere: drawn when the command ran."""
    return row.origin == MECHANICAL and row.name not in MUTANTS


def proofs() -> dict[str, str]:
    """By name, why a fault changes nothing that a program can see."""
    return dict(json.loads(PROVEN.read_text(encoding="utf-8"))) if PROVEN.exists() else {}


# ---------------------------------------------------------------- as data


def to_json(matrix: Matrix) -> str:
    """The matrix as JSON text, a row a line."""
    head = {f.name: getattr(matrix, f.name) for f in fields(matrix) if f.name != "rows"}
    rows = ",\n".join(json.dumps(_plain(row)) for row in matrix.rows)
    return json.dumps(head)[:-1] + ', "rows": [\n' + rows + "\n]}\n"


def from_json(text: str) -> Matrix:
    """The matrix of a JSON text."""
    plain = json.loads(text)
    return Matrix(tuple(_row(one) for one in plain.pop("rows")), **plain)


def load(path: Path = FILE) -> Matrix:
    """The matrix that was committed last."""
    return from_json(path.read_text(encoding="utf-8"))


def _plain(row: Row) -> dict[str, Any]:
    kept = [f for f in fields(row) if f.name not in _LEFT_OUT]
    plain = {f.name: getattr(row, f.name) for f in kept if getattr(row, f.name) != f.default}
    return {**plain, "harmless": proofs()[row.name]} if row.name in proofs() else plain


def _row(plain: dict[str, Any]) -> Row:
    lists = {name: tuple(value) for name, value in plain.items() if isinstance(value, list)}
    return Row(**{name: value for name, value in {**plain, **lists}.items() if name != "harmless"})


# ---------------------------------------------------------------- as text


def told(matrix: Matrix) -> str:
    """What the command prints."""
    lines = [f"{len(matrix.rows)} faults, {matrix.programs} generated programs of seed {matrix.seed}, {matrix.oracle}"]
    lines += [("  " if rate.enough else "! ") + rate.told() for rate in matrix.rates()]
    lines += [f"  {text}" for text in matrix.attributions()]
    lines += _listed("The hardest to find", matrix.hardest())
    lines += _listed("Shown by nothing", matrix.survivors())
    lines += _listed("Not shown by the corpus", [row for row in matrix.listed() if not row.corpus])
    lines += _listed("Not shown by generated programs", _uncaught(matrix))
    lines += _listed("Without a place in the engine as it is", [row for row in matrix.rows if row.stale])
    return "\n".join(lines)


def _uncaught(matrix: Matrix) -> list[Row]:
    return [row for row in matrix.rows if not row.caught and not row.stale and row.name not in proofs()]


def _listed(title: str, rows: Sequence[Row]) -> Iterable[str]:
    if rows:
        yield f"{title} ({len(rows)}):"
        yield from (f"  {row.name:32} {_when(row):>8}  {row.sentence[:110]}" for row in rows)


def _when(row: Row) -> str:
    return "never" if row.after is None else str(row.after)
