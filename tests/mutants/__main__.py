"""`python -m tests.mutants [NAME ...]`: the kill matrix.

TensorFlow is asked once about the generated programs of the default profile. Every fault then runs the pinned corpus
(against recorded answers) and the generated programs up to the first that shows it, which is shrunk against the healthy
engine; at the end live TensorFlow is asked about the small programs. Exit code 1 when a kill rate is too low, when a
listed fault is shown by nothing and not proven to change nothing, or when TensorFlow does not confirm a small program.
"""

from __future__ import annotations

import argparse
import pickle
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from adapters import open_tape
from conformance.judging.judge import FAILED, judge
from conformance.running.plan import DEFAULT_SEED, PROFILES
from tests.mutants import MUTANTS, answers, matrix, mechanical, page
from tests.mutants.hunting import GONE, SHRINK_CALLS, Row, hunt
from tests.mutants.registry import Mutant
from tests.mutants.swapping import Spare, prepared
from tests.mutants.workers import each_apart

FRESH = 100  # mechanical faults drawn anew for every run


def parser() -> argparse.ArgumentParser:
    """The command's grammar."""
    made = argparse.ArgumentParser(prog="python -m tests.mutants", description="Does the suite find planted faults?")
    made.add_argument("names", nargs="*", help="only these faults; --write puts their rows into the matrix")
    made.add_argument("--programs", type=int, default=PROFILES["default"])
    made.add_argument("--seed", type=int, default=DEFAULT_SEED, help="of the generated programs")
    made.add_argument("--fresh-seed", type=int, default=None, help="of the mechanical faults; the clock's by default")
    made.add_argument("--fresh", type=int, default=FRESH, help="how many of them")
    made.add_argument("--processes", type=int, default=2)
    made.add_argument("--answers", type=Path, help="keep TensorFlow's answers in this file, or take them from it")
    made.add_argument("--shrink-calls", type=int, default=SHRINK_CALLS, help="per fault; 0: only the rates matter")
    made.add_argument("--rows", type=Path, help="keep finished rows in this file, and go on from it")
    made.add_argument("--write", action="store_true", help="write the kill matrix into the repository")
    return made


def main(arguments: Sequence[str]) -> int:
    asked = parser().parse_args(arguments)
    seed = int(time.time()) % 1_000_000 if asked.fresh_seed is None else asked.fresh_seed
    chosen = _chosen(asked.names) if asked.names else [*_cheap_first(), *mechanical.drawn(seed, asked.fresh)]
    if isinstance(chosen, str):
        print(chosen, file=sys.stderr)
        return 2
    found = matrix.Matrix(
        _hunted(chosen, asked), asked.programs, asked.seed, seed, "TensorFlow's answers", len(MUTANTS)
    )
    print(matrix.told(found))
    if asked.write:
        found = found if not asked.names else matrix.load().with_rows(found.rows)
        matrix.FILE.write_text(matrix.to_json(found), encoding="utf-8")
        page.PAGE.write_text(page.page(found), encoding="utf-8")
        print(f"written: {matrix.FILE} and {page.PAGE}")
    return verdict(found)


def verdict(found: matrix.Matrix) -> int:
    """0 when every rate is reached and nothing survives."""
    good = all(rate.enough for rate in found.rates()) and not found.survivors()
    return 0 if good and all(row.confirmed is not False for row in found.rows) else 1


def _chosen(names: Sequence[str]) -> list[Mutant] | str:
    unknown = [name for name in names if name not in MUTANTS and not name.startswith("mechanical_")]
    if unknown:
        return f"There is no planted fault {unknown[0]!r}; there are {', '.join(MUTANTS)}."
    return [MUTANTS.get(name) or mechanical.by_name(name) for name in names]


def _cheap_first() -> list[Mutant]:
    """All listed faults; those that are planted, which any program may show, last."""
    return sorted(MUTANTS.values(), key=lambda one: one.plant is not None)


def _hunted(chosen: Sequence[Mutant], asked: argparse.Namespace) -> tuple[Row, ...]:
    began = time.monotonic()
    generated = answers.generated(asked.programs, asked.seed, asked.answers)
    pinned = answers.pinned()
    _say(f"{len(generated)} generated and {len(pinned)} pinned programs to ask, after {time.monotonic() - began:.0f} s")
    rows = {} if asked.rows is None else _finished(asked.rows)
    left = [one for one in chosen if one.name not in rows]
    spare, calls = Spare(), asked.shrink_calls
    prepared(edit for one in left for edit in one.edits)
    for row in each_apart(lambda one: hunt(one, pinned, generated, calls, spare), left, _lost, asked.processes):
        rows[row.name] = row
        if asked.rows is not None:
            with asked.rows.open("ab") as file:
                pickle.dump(row, file)
        if len(rows) % 50 == 0:
            _say(f"{len(rows)} of {len(chosen)} faults, after {time.monotonic() - began:.0f} s")
    found = [rows[one.name] for one in chosen]
    confirmed = _confirmed(found) if asked.shrink_calls else tuple(found)
    _say(f"done after {time.monotonic() - began:.0f} s")
    return confirmed


def _finished(path: Path) -> dict[str, Row]:
    """The rows of a run that was cut off."""
    rows = {}
    if path.exists():
        with path.open("rb") as file:
            while file.peek(1):
                row = pickle.load(file)
                rows[row.name] = row
    return rows


def _lost(one: Mutant) -> Row:
    """A fault whose process died or hung for good: nobody overlooks that."""
    return Row(
        one.name, one.origin, one.sentence, one.about, corpus=True, pinned_by=one.about[:1], after=1, subject=GONE,
        title="the process died or did not end", right=None, steps=0,
    )  # fmt: skip


def _confirmed(rows: Sequence[Row]) -> tuple[Row, ...]:
    """The rows, with live TensorFlow's word on each small program."""
    small = [row for row in rows if row.program is not None]
    if not small:
        return tuple(rows)
    with open_tape("tensorflow") as oracle:
        wants = list(oracle.run_many(row.program for row in small if row.program is not None))
    said = {
        row.name: judge(row.program, want, row.got).verdict in FAILED
        for row, want in zip(small, wants)
        if row.program is not None
    }
    return tuple(replace(row, confirmed=said.get(row.name)) for row in rows)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
