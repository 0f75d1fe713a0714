"""Measure candidates side by side: interleaved rounds in one process, the minimum CPU time of each, and ratios.

Absolute times on shared machines mean little; the ratio of minima taken in turn does.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Candidate = Callable[[], Any]
_TURN = 0.02  # seconds of one turn of a fast candidate, which runs several times in it, the first few on cold caches
_PATIENCE = 3.0  # seconds after which a candidate that had three turns gets no more


@dataclass(frozen=True, slots=True)
class Row:
    """One contestant of one workload: the least seconds of CPU of a run, and their ratio to the first one's."""

    workload: str
    contestant: str
    seconds: float
    ratio: float


def side_by_side(workload: str, candidates: dict[str, Candidate], rounds: int = 15) -> list[Row]:
    """Run the candidates in turn, `rounds` times.  The first one is the unit of the ratios."""
    repeats = {name: _repeats(candidate) for name, candidate in candidates.items()}
    best = dict.fromkeys(candidates, float("inf"))
    spent = dict.fromkeys(candidates, 0.0)
    gc.collect()
    for turn in range(rounds):
        for name, candidate in candidates.items():
            if turn >= 3 and spent[name] > _PATIENCE:
                continue
            seconds = cpu_seconds(candidate, repeats[name])
            best[name] = min(best[name], seconds)
            spent[name] += seconds * repeats[name]
    unit = next(iter(best.values()))
    return [Row(workload, name, seconds, seconds / unit) for name, seconds in best.items()]


def _repeats(candidate: Candidate) -> int:
    candidate()  # the first run may load what it needs
    return max(1, int(_TURN / max(cpu_seconds(candidate, 1), 1e-7)))


def cpu_seconds(candidate: Candidate, repeat: int = 1) -> float:
    """Seconds of CPU of one run, the mean of `repeat`."""
    began = time.process_time()
    for _ in range(repeat):
        candidate()
    return (time.process_time() - began) / repeat


def check_agreement(workload: str, candidates: dict[str, Candidate]) -> None:
    """AssertionError unless all candidates give the first one's numbers: who computes something else wins nothing."""
    (_, first), *others = candidates.items()
    want = _flat(first())
    for name, candidate in others:
        got = _flat(candidate())
        if len(want) != len(got) or not all(np.allclose(w, g, 2e-3, 1e-4) for w, g in zip(want, got)):
            raise AssertionError(f"{workload}: {name} computes something else than {next(iter(candidates))}")


def _flat(result: Any) -> list[Any]:
    return [np.asarray(r) for r in (result if isinstance(result, (list, tuple)) else [result])]
