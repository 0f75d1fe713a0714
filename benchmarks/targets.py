"""What the engine must reach: one figure and its limit for each target, and whether it holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.contestants import ENGINE, HAND, TENSORFLOW, TORCH
from benchmarks.groups import Found


@dataclass(frozen=True, slots=True)
class Target:
    """`measure` gives the figure, or None when what it needs was not measured; `least`: more is better."""

    name: str
    unit: str
    limit: float
    measure: Callable[[Found], float | None]
    least: bool = False

    def met(self, got: float) -> bool:
        """True when a figure is on the right side of the limit."""
        return got >= self.limit if self.least else got <= self.limit


def _times(workload: str, limit: float, to: str = HAND) -> Target:
    return Target(f"{workload}, times {to}", "x", limit, lambda f: f.ratio(workload, ENGINE, to))


def _faster(workload: str, than: str, factor: float) -> Target:
    measure: Callable[[Found], float | None] = lambda f: f.ratio(workload, than, ENGINE)  # noqa: E731 - a table's cell
    return Target(f"{workload}, faster than {than}", "x", factor, measure, least=True)


def _figure(name: str, unit: str, limit: float) -> Target:
    return Target(name, unit, limit, lambda f: f.figures.get(name))


def _microseconds(workload: str, limit: float) -> Target:
    def measure(found: Found) -> float | None:
        seconds = found.seconds(workload, ENGINE)
        return None if seconds is None else seconds * 1e6

    return Target(workload, "us", limit, measure)


def _beyond_numpy(found: Found) -> float | None:
    ours, hand = found.seconds("W1 scalar", ENGINE), found.seconds("W1 scalar", HAND)
    return None if ours is None or hand is None else (ours - hand) / 999 * 1e6


TARGETS = (
    Target("W1 scalar, us an op beyond NumPy", "us", 2.5, _beyond_numpy),
    _times("W1 8 elements", 3.2),
    _times("W1 8 elements, with a number", 4.0),
    _faster("W1 8 elements", TENSORFLOW, 30),
    _times("W2", 1.7),
    _faster("training", TENSORFLOW, 1),
    _figure("W3 exponent, engine", "", 1.1),
    _figure("W3 bytes an op, scalar", "B", 300),
    _figure("W3 bytes an op, 8 elements", "B", 450),
    _faster("W4 order 2", TORCH, 4),
    _faster("W4 order 3", TORCH, 4),
    _times("W5a", 2.2),
    _times("W5b", 2.2),
    _times("batch_jacobian 7", 3.5),
    _times("batch_jacobian 128", 2.2),
    _times("hessian", 3.5),
    _times("W6", 1.4),
    _microseconds("empty tape", 4),
    _microseconds("tape, sin, gradient", 25),
    _figure("import, ms beyond NumPy", "ms", 60),
)


def measured(found: Found) -> dict[str, float]:
    """Target name to its figure, of the targets whose workloads ran."""
    figures = {t.name: t.measure(found) for t in TARGETS}
    return {name: value for name, value in figures.items() if value is not None}
