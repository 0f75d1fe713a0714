"""Rows, figures and targets as text."""

from __future__ import annotations

from benchmarks.measure import Row
from benchmarks.targets import TARGETS, Target


def table(rows: list[Row], figures: dict[str, float]) -> str:
    """Rows as aligned text, then the figures."""
    lines = [f"{'workload':40} {'contestant':14} {'CPU':>10} {'ratio':>10}"] if rows else []
    lines += [f"{r.workload:40} {r.contestant:14} {human(r.seconds):>10} {r.ratio:9.2f}x" for r in rows]
    return "\n".join(lines + [f"{name:40} {value:25.2f}" for name, value in figures.items()])


def targets_table(figures: dict[str, float]) -> str:
    """The targets that were measured: the limit, the figure, and by how much it is met or missed."""
    lines = [f"{'target':56} {'limit':>9} {'measured':>10}"]
    lines += [_target_line(t, figures[t.name]) for t in TARGETS if t.name in figures]
    return "\n".join(lines)


def _target_line(target: Target, got: float) -> str:
    limit = f"{'>=' if target.least else '<='} {target.limit:g}"
    share = abs(got - target.limit) / target.limit
    verdict = "met" if target.met(got) else "MISSED"
    return f"{target.name:56} {limit:>9} {got:10.2f} {target.unit:2} {verdict} by {share:.0%}"


def human(seconds: float) -> str:
    """A time with a unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.2f} {unit}"
    return f"{seconds * 1e9:.0f} ns"
