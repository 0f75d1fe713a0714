"""What a run means, in words: how rare a difference must be, what was covered, which faults it would have caught.

`rows(summary)` gives (topic, sentence) pairs; nothing for a run whose records say nothing of the kind.
"""

from __future__ import annotations

from collections.abc import Iterable

from reports.records import Coverage, Mutant
from reports.summary import Summary

TOLD = (("op", "dtype"), ("op", "dtype", "rank"), ("op", "dtype", "rank", "feature"))


def rows(summary: Summary) -> list[tuple[str, str]]:
    """(topic, sentence) pairs, for a terminal and for the first screen of a page."""
    found = []
    if summary.rate is not None:
        found.append(("Rate", rate(summary)))
    if summary.coverage:
        found.append(("Covered", covered(summary.coverage)))
    if summary.mutants:
        found.append(("Faults", faults(summary)))
    return found


def rate(summary: Summary) -> str:
    """The bound on the rate of differences."""
    one = summary.rate
    assert one is not None
    sure = f"at {one.confidence:.0%} confidence"
    if one.differing:
        share = f"at most {one.rate:.2%} of such programs differ"
        return f"{one.differing:,} of {one.programs:,} seeded, independent programs differ: {share}, {sure}."
    rare = f"fewer than {3 / one.programs:.1e} of such programs do (3/n)".replace("e-0", "e-")
    return f"None of {one.programs:,} seeded, independent programs differs: {rare}, {sure}."


def covered(coverage: Iterable[Coverage]) -> str:
    """How much of the combinations that matter most was covered."""
    by_factors = {one.factors: one for one in coverage}
    parts = [
        f"{one.covered:,} of {one.of:,} of {by(one.factors)}"
        for told in TOLD
        if (one := by_factors.get(told)) is not None
    ]
    return "; ".join(parts) + "." if parts else "Not counted."


def by(factors: tuple[str, ...]) -> str:
    """Factors as one reads them: `op x dtype`."""
    return " × ".join(factors)


def faults(summary: Summary) -> str:
    """Which of the planted faults the run would have caught."""
    known = [one for one in summary.mutants if not one.harmless]
    drawn = sum(caught(one, summary.generated) for one in known)
    pinned = sum(one.corpus for one in known)
    text = f"Of {len(known):,} faulty engines, this many generated programs show {drawn:,}"
    return f"{text}, the pinned ones {pinned:,}."


def caught(one: Mutant, generated: int) -> bool:
    """Whether so many generated programs show a fault."""
    return one.after is not None and one.after <= generated
