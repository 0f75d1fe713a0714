"""The same measurements in several fresh processes, and the median of each figure."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.groups import Found
from benchmarks.measure import Row


def in_processes(count: int, groups: list[str], peers: list[str] | None) -> tuple[Found, dict[str, float]]:
    """Medians of rows and figures over `count` processes, and of the figures of the targets."""
    runs = [_run(groups, peers, k, count) for k in range(count)]
    rows = []
    for same in zip(*(run["rows"] for run in runs)):
        seconds, ratio = (statistics.median(row[key] for row in same) for key in ("seconds", "ratio"))
        rows.append(Row(same[0]["workload"], same[0]["contestant"], seconds, ratio))
    figures = {name: statistics.median(run["figures"][name] for run in runs) for name in runs[0]["figures"]}
    reached = {
        t["name"]: [u["measured"] for run in runs for u in run["targets"] if u["name"] == t["name"]]
        for t in runs[0]["targets"]
    }
    return Found(rows, figures), {name: statistics.median(values) for name, values in reached.items()}


def _run(groups: list[str], peers: list[str] | None, k: int, count: int) -> dict[str, Any]:
    print(f"process {k + 1} of {count}", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "run.json")
        words = [sys.executable, "-m", "benchmarks", "--json", str(file), *groups]
        words += [] if peers is None else ["--peers", ",".join(peers)]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, env=dict(os.environ))
        return json.loads(file.read_text())
