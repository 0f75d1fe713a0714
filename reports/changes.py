"""What changed between two runs: `diff(old records, new records)` gives causes added, fixed and changed.

Causes have ids that hash their signature, so the same difference keeps its id from run to run. A cause that is gone
counts as fixed only where the new run asked the same questions and came to its end; else it was merely not met.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from reports.records import Record
from reports.summary import CauseRow, Summary, summarise
from reports.words import many


@dataclass(frozen=True, slots=True)
class Changed:
    """A cause that both runs met, and in words what is different about it."""

    row: CauseRow
    what: str


@dataclass(frozen=True, slots=True)
class RuleChange:
    """A rule whose status is not what it was."""

    rule: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Changes:
    """What is new, gone and different. `doubt` says why what is gone may only not have been met; else it is empty."""

    old: Summary
    new: Summary
    added: tuple[CauseRow, ...]
    fixed: tuple[CauseRow, ...]
    changed: tuple[Changed, ...]
    rules: tuple[RuleChange, ...]
    doubt: str

    @property
    def nothing(self) -> bool:
        """Whether the two runs found the same."""
        return not (self.added or self.fixed or self.changed or self.rules)


def diff(old: Iterable[Record], new: Iterable[Record]) -> Changes:
    """What changed from the old run's records to the new run's. Raises `RecordsError` as `summarise` does."""
    return compare(summarise(old), summarise(new))


def compare(old: Summary, new: Summary) -> Changes:
    """What changed between two summaries."""
    before = {row.cause.id: row for row in old.causes}
    after = {row.cause.id: row for row in new.causes}
    both = [(before[row.cause.id], row) for row in new.causes if row.cause.id in before]
    seen = {*after, *(one.id for one in new.unshrunk)}
    return Changes(
        old=old,
        new=new,
        added=tuple(row for row in new.causes if row.cause.id not in before),
        fixed=tuple(row for row in old.causes if row.cause.id not in seen),
        changed=tuple(Changed(row, what) for was, row in both if (what := _what_changed(was, row))),
        rules=_rules(old, new),
        doubt=_doubt(old, new),
    )


def _what_changed(old: CauseRow, new: CauseRow) -> str:
    words = []
    if old.count != new.count:
        words.append(f"{old.count:,} → {many(new.count, 'program')}")
    for name in ("blame", "attribution", "rule"):
        was, now = getattr(old.cause, name), getattr(new.cause, name)
        if was != now:
            words.append(f"{name} {was or 'none'} → {now or 'none'}")
    if (old.cause.expected is None) != (new.cause.expected is None):
        words.append("now expected" if new.cause.expected is not None else "no longer expected")
    return ", ".join(words)


def _rules(old: Summary, new: Summary) -> tuple[RuleChange, ...]:
    before = {rule.rule: rule.status for rule in old.rules}
    return tuple(
        RuleChange(rule.rule, before[rule.rule], rule.status)
        for rule in new.rules
        if before.get(rule.rule, rule.status) != rule.status
    )


def _doubt(old: Summary, new: Summary) -> str:
    if not new.complete:
        return "this run was interrupted"
    asked = [(one.header.profile, one.header.seed, one.header.planned) for one in (old, new)]
    if asked[0] != asked[1]:
        return "the two runs asked different programs"
    if (old.header.oracle, old.header.oracle_version) != (new.header.oracle, new.header.oracle_version):
        return "the two runs asked different oracles"
    return ""
