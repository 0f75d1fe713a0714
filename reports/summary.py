"""What a run found, as one immutable `Summary` that every kind of report is made of.

`summarise(records)` counts and sorts; it does not depend on the order of the records or on how they were split over
workers. Where two workers describe the same cause, the smaller program stands for it; where they tell of the same
rule, the worse status stands.
"""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from reports.errors import RecordsError
from reports.jsonl import run_key
from reports.records import (
    PAIR,
    Bound,
    Capability,
    Cause,
    CauseCount,
    Coverage,
    End,
    Header,
    LevelResult,
    Mutant,
    Notice,
    Outcome,
    Record,
    RuleResult,
    Share,
    Stale,
    Timing,
)

VERDICTS = ("agrees", "differs", "crashed", "timed out", "oracle failed", "ill-conditioned", "unsupported")
NO_FAULT = {"agrees", "unsupported", "ill-conditioned", "oracle failed"}  # verdicts that need no cause
LANES = ("exact", "numeric", "structural", "ill-conditioned")
STATUSES = ("failed", "expected", "unsupported", "passed", "not asked")  # worst first
BLAMES = ("tape", "reference", "unknown", "TensorFlow differs from the mathematics", "ill-conditioned")  # worst first
MOST_ILL_CONDITIONED = 0.03
LEAST_FINITE_NONZERO = 0.70
SHARES_FROM = 1_000  # a run with fewer generated programs is too small to be held to its shares


@dataclass(frozen=True, slots=True)
class CauseRow:
    """A cause with the number of programs that fell to it, and the ids of those whose outcome was recorded."""

    cause: Cause
    count: int
    programs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unshrunk:
    """A cause that outcomes name but that no record describes: the run ended before it was shrunk."""

    id: str
    count: int
    programs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """The rules of one group, by id."""

    name: str
    rules: tuple[RuleResult, ...]

    def count(self, status: str) -> int:
        """How many rules of the group have this status."""
        return sum(rule.status == status for rule in self.rules)


@dataclass(frozen=True, slots=True)
class OpRow:
    """One op: programs that call it, and those of them that do not agree."""

    op: str
    programs: int
    disagree: int


@dataclass(frozen=True, slots=True)
class Summary:
    """A run in figures. `causes` come worst first; all else is sorted by name.

    lanes: (lane, programs judged, agreeing ones).  bound: (median, largest) relative error bound, None without one.
    """

    header: Header
    total: int
    verdicts: tuple[tuple[str, int], ...]
    lanes: tuple[tuple[str, int, int], ...]
    origins: tuple[tuple[str, int], ...]
    causes: tuple[CauseRow, ...]
    unshrunk: tuple[Unshrunk, ...]
    stale: tuple[Stale, ...]  # expectations that no longer hold
    without_cause: tuple[str, ...]  # programs that do not agree and name no cause
    groups: tuple[Group, ...]
    shares: tuple[Share, ...]
    levels: tuple[LevelResult, ...]  # the lowest first
    capabilities: tuple[Capability, ...]
    rate: Bound | None  # on the rate of differences, with the most programs
    coverage: tuple[Coverage, ...]  # fewest factors first
    mutants: tuple[Mutant, ...]
    ops: tuple[OpRow, ...]
    generated: int
    finite_nonzero: int  # of those generated
    answered: tuple[int, int]  # of the programs that call only ops the implementation has: answered ones, and all
    bound: tuple[float, float] | None
    notices: tuple[str, ...]
    timings: tuple[Timing, ...]
    complete: bool
    exit_code: int | None

    def count(self, verdict: str) -> int:
        """How many programs have this verdict."""
        return dict(self.verdicts).get(verdict, 0)

    @property
    def rules(self) -> tuple[RuleResult, ...]:
        """All rules, by group and id."""
        return tuple(rule for group in self.groups for rule in group.rules)

    @property
    def judged(self) -> int:
        """How many programs the implementation supports, so that there was something to judge."""
        return self.total - self.count("unsupported")

    @property
    def features(self) -> tuple[Share, ...]:
        """The shares of single features."""
        return tuple(one for one in self.shares if PAIR not in one.feature)

    @property
    def pairs(self) -> tuple[Share, ...]:
        """The shares of features that must meet, the rarest pair first."""
        return tuple(sorted((one for one in self.shares if PAIR in one.feature), key=lambda one: one.count))

    @property
    def low_shares(self) -> tuple[Share, ...]:
        """Shares below the least that a run must have; none in a run too small to be held to them."""
        return tuple(one for one in self.shares if one.of >= SHARES_FROM and one.count < one.least * one.of)

    @property
    def expected(self) -> int:
        """How many causes an expectation file expects."""
        return sum(row.cause.expected is not None for row in self.causes)


def summarise(records: Iterable[Record]) -> Summary:
    """The summary of one run's records, in any order, of any number of workers.

    Raises `RecordsError` where there is no header, or where the headers are of different runs.
    """
    kinds: dict[type, list] = defaultdict(list)
    for record in records:
        kinds[type(record)].append(record)
    header = _header(kinds[Header])
    outcomes: list[Outcome] = kinds[Outcome]
    causes, unshrunk = _causes(kinds[Cause], kinds[CauseCount], outcomes)
    generated = [outcome for outcome in outcomes if outcome.origin == "generated"]
    return Summary(
        header=header,
        total=len(outcomes),
        verdicts=_in_order(Counter(outcome.verdict for outcome in outcomes), VERDICTS),
        lanes=_lanes(outcomes),
        origins=tuple(sorted(Counter(outcome.origin for outcome in outcomes).items())),
        causes=causes,
        unshrunk=unshrunk,
        stale=tuple(sorted(set(kinds[Stale]), key=lambda one: (one.rule, one.reason))),
        without_cause=tuple(
            sorted({one.program for one in outcomes if one.cause is None and one.verdict not in NO_FAULT})
        ),
        groups=_groups(kinds[RuleResult]),
        shares=_shares(kinds[Share]),
        levels=tuple(sorted({one.level: one for one in kinds[LevelResult]}.values(), key=lambda one: one.order)),
        capabilities=_capabilities(kinds[Capability]),
        rate=max(kinds[Bound], key=lambda one: (one.programs, one.differing), default=None),
        coverage=_coverage(kinds[Coverage]),
        mutants=tuple(one for _, one in sorted({one.name: one for one in kinds[Mutant]}.items())),
        ops=_ops(outcomes),
        generated=len(generated),
        finite_nonzero=sum(outcome.finite_nonzero_gradient for outcome in generated),
        answered=_answered(kinds[Capability], outcomes),
        bound=_bound(outcomes),
        notices=_notices(kinds[Notice]),
        timings=_timings(kinds[Timing]),
        complete=_complete(kinds[Header], kinds[End]) and len(outcomes) >= header.planned,
        exit_code=max((end.exit_code for end in kinds[End]), default=None),
    )


def cause_order(row: CauseRow) -> tuple:
    """Sorts causes worst first: unexpected ones, then by blame, then by how many programs fell to them."""
    blame = BLAMES.index(row.cause.blame) if row.cause.blame in BLAMES else len(BLAMES)
    return (row.cause.expected is not None, blame, -row.count, row.cause.title, row.cause.id)


def _header(headers: list[Header]) -> Header:
    """One header for all workers of a run; what they disagree on (a worker's number, say) is joined."""
    if not headers:
        raise RecordsError(
            "these records have no header, so nobody can say what was run: the file's first line is gone."
        )
    if len({run_key(header) for header in headers}) > 1:
        names = sorted({f"{one.implementation} {one.implementation_version}".strip() for one in headers})
        raise RecordsError(
            f"these records are of different runs ({', '.join(names)}; or other oracles, profiles or seeds): "
            "summarise each alone, `read_runs` keeps them apart."
        )
    environment: dict[str, set[str]] = defaultdict(set)
    for header in headers:
        for name, value in header.environment.items():
            environment[name].add(value)
    return replace(
        headers[0],
        command=min(header.command for header in headers),
        planned=max(header.planned for header in headers),
        environment={name: ", ".join(sorted(values)) for name, values in sorted(environment.items())},
    )


def _causes(
    causes: list[Cause], counts: list[CauseCount], outcomes: list[Outcome]
) -> tuple[tuple[CauseRow, ...], tuple[Unshrunk, ...]]:
    """Causes worst first. A count that a worker could not write is made up for by the outcomes that name the cause."""
    programs: dict[str, list[str]] = defaultdict(list)
    for outcome in outcomes:
        if outcome.cause is not None:
            programs[outcome.cause].append(outcome.program)
    told: Counter[str] = Counter()
    for count in counts:
        told[count.cause] += count.count
    best: dict[str, Cause] = {}
    for cause in causes:
        best[cause.id] = min(best.get(cause.id, cause), cause, key=_size)
    ids = {name: tuple(sorted(set(found))) for name, found in programs.items()}
    totals = {name: max(told[name], len(programs.get(name, ()))) for name in {*told, *programs, *best}}
    rows = [CauseRow(cause, max(totals[name], 1), ids.get(name, ())) for name, cause in best.items()]
    rest = [Unshrunk(name, totals[name], ids.get(name, ())) for name in totals if name not in best]
    return tuple(sorted(rows, key=cause_order)), tuple(sorted(rest, key=lambda one: (-one.count, one.id)))


def _size(cause: Cause) -> tuple:
    """Smallest program first; every other field follows, so that equal sizes are told apart alike in any order."""
    return (cause.steps_besides, len(cause.trace), len(cause.script), cause.script, cause.program_id, repr(cause))


def _in_order(counts: Counter, known: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """Known words in their own order, zeros included, then any others by name."""
    return tuple((word, counts.get(word, 0)) for word in (*known, *sorted(set(counts) - set(known))))


def _lanes(outcomes: list[Outcome]) -> tuple[tuple[str, int, int], ...]:
    all_of = Counter(outcome.lane for outcome in outcomes if outcome.verdict != "unsupported")
    agreeing = Counter(outcome.lane for outcome in outcomes if outcome.verdict == "agrees")
    return tuple((lane, count, agreeing[lane]) for lane, count in _in_order(all_of, LANES) if count)


def _coverage(found: list[Coverage]) -> tuple[Coverage, ...]:
    """One row for each combination of factors: where workers tell of the same, the one that covered more."""
    best: dict[tuple[str, ...], Coverage] = {}
    for one in found:
        best[one.factors] = max(best.get(one.factors, one), one, key=lambda each: (each.covered, each.missing))
    return tuple(sorted(best.values(), key=lambda one: (len(one.factors), one.factors)))


def _groups(rules: list[RuleResult]) -> tuple[Group, ...]:
    merged: dict[str, RuleResult] = {}
    for rule in rules:
        merged[rule.rule] = _worse(merged.get(rule.rule, rule), rule)
    groups: dict[str, list[RuleResult]] = defaultdict(list)
    for _, rule in sorted(merged.items()):
        groups[rule.group].append(rule)
    return tuple(Group(name, tuple(found)) for name, found in sorted(groups.items()))


def _worse(one: RuleResult, other: RuleResult) -> RuleResult:
    programs = tuple(sorted({*one.programs, *other.programs}))
    return replace(min(one, other, key=lambda rule: (_badness(rule.status), repr(rule))), programs=programs)


def _badness(status: str) -> int:
    return STATUSES.index(status) if status in STATUSES else -1


def _shares(shares: list[Share]) -> tuple[Share, ...]:
    merged: dict[str, Share] = {}
    for share in shares:
        seen = merged.get(share.feature, Share(share.feature, 0, 0, 0.0))
        merged[share.feature] = Share(
            share.feature, seen.count + share.count, seen.of + share.of, max(seen.least, share.least)
        )
    return tuple(share for _, share in sorted(merged.items()))


def _capabilities(found: list[Capability]) -> tuple[Capability, ...]:
    return tuple(one for _, one in sorted({(one.kind, one.name): one for one in found}.items()))


def _ops(outcomes: list[Outcome]) -> tuple[OpRow, ...]:
    asked: Counter[str] = Counter()
    disagree: Counter[str] = Counter()
    for outcome in outcomes:
        asked.update(set(outcome.ops))
        if outcome.verdict not in NO_FAULT:
            disagree.update(set(outcome.ops))
    return tuple(OpRow(op, asked[op], disagree[op]) for op in sorted(asked))


_NO_ANSWER = ("unsupported", "crashed", "timed out")


def _answered(found: list[Capability], outcomes: list[Outcome]) -> tuple[int, int]:
    ops = {one.name: one for one in found if one.kind == "op"}
    if not ops:
        return 0, 0
    had = {name for name, one in ops.items() if one.probe != "missing" and one.claim != "no"}
    asked = [one for one in outcomes if had.issuperset(one.ops)]
    return sum(one.verdict not in _NO_ANSWER for one in asked), len(asked)


def _bound(outcomes: list[Outcome]) -> tuple[float, float] | None:
    bounds = sorted(outcome.error_bound for outcome in outcomes if outcome.lane == "numeric" and outcome.error_bound)
    return (statistics.median(bounds), bounds[-1]) if bounds else None


def _notices(notices: list[Notice]) -> tuple[str, ...]:
    counts = Counter(notice.text for notice in notices)
    return tuple(text if count == 1 else f"{text} ({count} times)" for text, count in sorted(counts.items()))


def _timings(timings: list[Timing]) -> tuple[Timing, ...]:
    longest = sorted(timings, key=lambda one: (-one.seconds, one.name))
    return tuple(longest)


def _complete(headers: list[Header], ends: list[End]) -> bool:
    """Whether every worker that began also came to its end."""
    return len(ends) >= len(headers) and all(end.how == "completed" for end in ends)
