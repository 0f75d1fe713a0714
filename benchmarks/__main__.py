"""`python -m benchmarks [GROUP ...]`: every workload side by side, then which of the engine's targets hold.

Compares the engine with NumPy by hand and with TensorFlow, PyTorch, autograd and MyGrad where they are installed, on
one thread, in interleaved rounds.  `--processes 5` runs all that five times in fresh processes and takes medians;
`--peers torch,autograd` leaves the other peers out (`--peers none`: all); `--json FILE` writes the figures.
Quote ratios, never times.
"""

from __future__ import annotations

import benchmarks.settings  # noqa: F401  # isort: skip - it must come before NumPy

import argparse
import json
import platform
import sys
from pathlib import Path

import numpy as np

from benchmarks.contestants import ENGINE, HAND, installed
from benchmarks.groups import GROUPS, Found, run
from benchmarks.medians import in_processes
from benchmarks.tables import table, targets_table
from benchmarks.targets import TARGETS, measured


def _arguments(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=(__doc__ or "").split("\n\n")[1])
    parser.add_argument(
        "groups", nargs="*", metavar="GROUP", help=f"any of {', '.join(GROUPS)}; all of them when absent"
    )
    parser.add_argument("--processes", type=int, default=1, help="medians over this many processes")
    parser.add_argument("--peers", type=lambda text: text.split(","), help="which peers take part, with commas between")
    parser.add_argument("--json", type=Path, help="where to write rows, figures and targets")
    options = parser.parse_args(words)
    unknown = [name for name in options.groups if name not in GROUPS]
    if unknown:
        parser.error(f"there is no group {unknown[0]!r}; there are {', '.join(GROUPS)}")
    return options


def _once(options: argparse.Namespace) -> Found:
    names, total = options.groups or list(GROUPS), Found()
    contestants = installed(options.peers)
    if set(contestants) == {HAND, ENGINE} and options.peers is None:
        print("No peer is installed (tensorflow, torch, autograd, mygrad).", file=sys.stderr)
    for found in run(names, contestants):
        print(table(found.rows, found.figures), flush=True)
        total.rows += found.rows
        total.figures |= found.figures
    return total


def _as_json(found: Found, figures: dict[str, float]) -> dict:
    rows = [
        {"workload": r.workload, "contestant": r.contestant, "seconds": r.seconds, "ratio": r.ratio} for r in found.rows
    ]
    targets = [
        {"name": t.name, "unit": t.unit, "limit": t.limit, "measured": figures[t.name], "met": t.met(figures[t.name])}
        for t in TARGETS
        if t.name in figures
    ]
    versions = {"python": platform.python_version(), "numpy": np.__version__}
    return {"versions": versions, "rows": rows, "figures": found.figures, "targets": targets}


def main(words: list[str]) -> int:
    options = _arguments(words)
    if options.processes > 1:
        found, figures = in_processes(options.processes, options.groups, options.peers)
        print(table(found.rows, found.figures))
    else:
        found = _once(options)
        figures = measured(found)
    print("\n" + targets_table(figures))
    if options.json:
        options.json.write_text(json.dumps(_as_json(found, figures), indent=1) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
