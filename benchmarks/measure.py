"""Measure candidates side by side: interleaved rounds in one process, the minimum CPU time of each, and ratios.

Absolute times on shared machines mean little; the ratio of minima taken in turn does.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass

Candidate = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Row:
    """One candidate of one workload: seconds of CPU per run (the minimum over the rounds), and the ratio to the first."""

    workload: str
    name: str
    seconds: float
    ratio: float


def side_by_side(workload: str, candidates: dict[str, Candidate], rounds: int = 15, repeat: int = 1) -> list[Row]:
    """Run the candidates in turn, `rounds` times, each `repeat` times a turn. The first one is the unit of the ratios."""
    best = dict.fromkeys(candidates, float("inf"))
    for candidate in candidates.values():
        candidate()
    gc.collect()
    for _ in range(rounds):
        for name, candidate in candidates.items():
            best[name] = min(best[name], _seconds(candidate, repeat))
    unit = next(iter(best.values()))
    return [Row(workload, name, seconds, seconds / unit) for name, seconds in best.items()]


def _seconds(candidate: Candidate, repeat: int) -> float:
    began = time.process_time()
    for _ in range(repeat):
        candidate()
    return (time.process_time() - began) / repeat


def table(rows: list[Row]) -> str:
    """Rows as aligned text."""
    lines = [f"{'workload':38} {'candidate':18} {'CPU':>12} {'ratio':>9}"]
    for row in rows:
        lines.append(f"{row.workload:38} {row.name:18} {_human(row.seconds):>12} {row.ratio:8.2f}x")
    return "\n".join(lines)


def _human(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.2f} {unit}"
    return f"{seconds * 1e9:.0f} ns"
