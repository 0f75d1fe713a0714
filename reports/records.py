"""The records of a run: one JSON object a line, and all that a report may know.

A run writes `Header`, then one `Outcome` per program, one `Cause` per distinct cause of difference, `RuleResult`s,
and `End` when it came to its end (a file without one belongs to an interrupted run). Everything in a record is plain
data, already worded by the suite: a report never runs, loads or judges anything.

Records of several workers are merged by concatenating their files: the reports sort, so any split and any order of
the same records gives the same page. Times live in `Timing` alone, which comparisons leave out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Union

RECORDS_VERSION = 1


@dataclass(frozen=True, slots=True)
class Header:
    """Who was asked, who was believed, and how to ask again."""

    implementation: str
    implementation_version: str
    oracle: str
    oracle_version: str
    command: str
    profile: str
    seed: int
    planned: int  # programs that were to be run, corpus included
    environment: dict[str, str] = field(default_factory=dict)
    version: int = RECORDS_VERSION


@dataclass(frozen=True, slots=True)
class Outcome:
    """One program's verdict.

    lane: `exact`, `numeric`, `structural` (no floating value to judge) or `ill-conditioned`.
    verdict: `agrees`, `differs`, `unsupported`, `crashed`, `timed out`, `ill-conditioned`,
    or `oracle failed` (no wanted answer to compare with).
    origin: `generated`, `corpus`, or `relation` (between two answers of the tape itself).
    features: the generator's words for what the program uses.
    """

    program: str  # permanent id
    origin: str
    verdict: str
    lane: str
    steps: int
    ops: tuple[str, ...] = ()
    features: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()  # rules that this program pins (corpus)
    cause: str | None = None  # id of the cause, when it differs
    finite_nonzero_gradient: bool = False
    error_bound: float | None = None  # largest relative bound over the values compared
    max_ulps: float | None = None  # largest observed difference in units in the last place


@dataclass(frozen=True, slots=True)
class Line:
    """One step of a trace, worded for reading: the script line that ran and what each side gave."""

    step: int
    code: str
    want: str
    got: str
    mark: str  # `same`, `differs` (the first differing step), `after` (cascade), `skipped`
    detail: str = ""  # ULPs, relative error, bound, first differing element ...


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one arbiter answered: its name, its values to 17 digits, and which side they support."""

    arbiter: str
    answer: str
    supports: str  # `want`, `got`, `neither`, `both`, `unknown`


@dataclass(frozen=True, slots=True)
class Cause:
    """One cause of difference with the smallest program that shows it.

    `id` is the hash of `signature` (rule or op, kind wanted, kind got, dtype class), so links hold between runs.
    attribution: `pinned`, `looks like` or `unexplained`.  blame: `tape`, `reference`,
    `TensorFlow differs from the mathematics`, `ill-conditioned` or `unknown`.
    """

    id: str
    signature: tuple[str, ...]
    title: str  # one sentence, e.g. "gradient of maximum at a tie: wanted [1, 0], got [0.5, 0.5]"
    rule: str | None
    rule_sentence: str
    rule_standing: str
    attribution: str
    op: str | None
    program: dict[str, Any]  # the program's JSON
    program_id: str
    script: str
    trace: tuple[Line, ...]
    blame: str
    evidence: tuple[Evidence, ...]
    replay: str  # command that replays it
    steps_besides: int  # steps besides constants, variables, enter, exit and watch
    expected: str | None = None  # reason, when an expectation file expects it
    expected_kind: str | None = None  # `never`, `not yet`, `TensorFlow's fault`


@dataclass(frozen=True, slots=True)
class CauseCount:
    """How many programs of this worker fell to a cause."""

    cause: str
    count: int


@dataclass(frozen=True, slots=True)
class RuleResult:
    """One rule: `passed`, `failed`, `expected`, `unsupported` or `not asked`."""

    rule: str
    sentence: str
    standing: str
    group: str
    status: str
    programs: tuple[str, ...] = ()


PAIR = " with "  # between the features of a pair


@dataclass(frozen=True, slots=True)
class Share:
    """How many programs of the run had a feature, or two at once, and the least share a run must have."""

    feature: str
    count: int
    of: int
    least: float


@dataclass(frozen=True, slots=True)
class LevelResult:
    """One named level of conformance, `order` 0 the lowest: what holds of it, and out of how much.

    `programs` were asked, `supported` of them have all they need, `agree` of those agree.
    """

    level: str
    order: int
    sentence: str
    rules_hold: int
    rules: int
    agree: int
    supported: int
    programs: int


@dataclass(frozen=True, slots=True)
class Capability:
    """What a tape claims against what it showed.

    kind: `feature`, `op` or `dtype`. claim: `yes`, `no` or `not stated`. probe: `there`, `missing` or `not probed`.
    The counts are of programs that need it.
    """

    kind: str
    name: str
    sentence: str
    claim: str
    probe: str
    agree: int
    differ: int
    unsupported: int


@dataclass(frozen=True, slots=True)
class Stale:
    """An expectation that no longer holds: the pinned programs of its rule were asked, and they agree."""

    rule: str
    kind: str  # as in `Cause.expected_kind`
    reason: str


@dataclass(frozen=True, slots=True)
class Bound:
    """How rare a difference must be: of `programs` independent ones `differing` differ, so that at this confidence
    the rate is at most `rate`."""

    programs: int
    differing: int
    rate: float
    confidence: float


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many combinations of some factors generated programs covered, of how many.

    factors: of `op`, `dtype`, `rank` and `feature`. missing: a few that were not, where there is one factor.
    """

    factors: tuple[str, ...]
    covered: int
    of: int
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mutant:
    """A faulty engine that the suite was tried on.

    origin: `rule`, `classic` or `mechanical`. corpus: the pinned programs show it. rules: some of the rules that do.
    after: the number of the first generated program that shows it, of the default seed; None where none of a default
    run does. subject: the op or step that its cause names. steps: of the smallest program. harmless: why no program can
    show it.
    """

    name: str
    origin: str
    sentence: str
    corpus: bool
    rules: tuple[str, ...] = ()
    after: int | None = None
    subject: str = ""
    steps: int | None = None
    harmless: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the reader must know about the run itself: an oracle that died, a program that was abandoned ..."""

    text: str


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds; left out when two reports are compared."""

    name: str
    seconds: float


@dataclass(frozen=True, slots=True)
class End:
    """The worker came to its end: `completed`, or `interrupted`."""

    how: str
    exit_code: int


Record = Union[
    Header, Outcome, Cause, CauseCount, RuleResult, Share, LevelResult, Capability, Bound, Coverage, Mutant, Stale,
    Notice, Timing, End,
]  # fmt: skip
