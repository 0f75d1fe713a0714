"""What importing costs: CPU time and memory of fresh processes, with everything compiled and in the page cache."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys

from benchmarks.measure import Row
from benchmarks.settings import quiet_stderr

_CODE = """
import time
began = time.process_time()
import {0}
seconds = time.process_time() - began
try:
    pages = int(open("/proc/self/statm").read().split()[1])
except OSError:
    pages = 0  # no such file outside Linux
print(seconds, pages)
"""
_ROUNDS = {"numpy": 15, "reference_impl": 15, "autograd": 7, "torch": 3, "mygrad": 3, "tensorflow": 2}


def compare() -> tuple[list[Row], dict[str, float]]:
    """Rows of the least CPU seconds of an import, and the figures: ms beyond NumPy, resident MB."""
    found: dict[str, list[tuple[float, float]]] = {}
    for turn in range(max(_ROUNDS.values()) + 1):
        for name, rounds in _ROUNDS.items():
            if turn <= rounds and importlib.util.find_spec(name) is not None:
                found.setdefault(name, []).append(_import(name))
    seconds = {name: min(s for s, _ in runs[1:]) for name, runs in found.items()}  # the first one compiles
    rows = [Row("import", _label(name), s, s / seconds["numpy"]) for name, s in seconds.items()]
    page = os.sysconf("SC_PAGE_SIZE") / 2**20 if hasattr(os, "sysconf") else 0.0
    figures = {f"MB after import, {_label(n)}": page * min(pages for _, pages in runs) for n, runs in found.items()}
    figures["import, ms beyond NumPy"] = (seconds["reference_impl"] - seconds["numpy"]) * 1e3
    return rows, figures


def _label(name: str) -> str:
    return "engine" if name == "reference_impl" else name


def _import(name: str) -> tuple[float, float]:
    with quiet_stderr():
        done = subprocess.run(
            [sys.executable, "-c", _CODE.format(name)], capture_output=True, text=True, check=True, env=dict(os.environ)
        )
    seconds, pages = done.stdout.split()[-2:]
    return float(seconds), float(pages)
