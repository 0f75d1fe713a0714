"""Ask every op of the table so many programs of its own, until all it can draw was hit: `ask_each(session, asked)`.

The programs of an op are the generator's, limited to that op: probes at its kinks, free interplay, settings, with
jacobians, forward mode and traced functions among them in their usual shares. One counts where it agrees with the
oracle, is not ill-conditioned, and the op was called in it and gave a value. When enough have counted and a goal of
`goals.py` is still not hit, more are drawn, of which only those are asked that seem to hit it, until all are hit or
`most` programs were asked. A goal that is hit by no value, but by `REFUSALS` programs in which both tapes raise the
same error, is set down as refused: TensorFlow has no kernel for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

from adapters.language import Program
from adapters.observations import Observation
from adapters.process import ProcessTape
from conformance import corpus
from conformance.capabilities.needs import words_of
from conformance.coverage.goals import Goals, goals, met, refused
from conformance.coverage.traits import traits_of
from conformance.generating.features import features_of
from conformance.judging.judge import FAILED
from conformance.optable import TABLE, indices, position
from conformance.optables.row import Row
from conformance.running.asked import Asked
from conformance.running.campaign import asked_of
from conformance.running.plan import Chunk, PlanError, corpus_chunks
from conformance.running.session import Session

CORPUS = "the pinned programs"
_AIMED = 4_000  # programs drawn, at most, to find some that hit what was not hit yet
_BATCH = 25
REFUSALS = 10


@dataclass(slots=True)
class RowCounts:
    """What the programs of one op came to.

    counted: agreed in a program that called the op and got a value from it. asked: all, whatever their verdicts.
    hits: how many programs of those that counted hit each goal. refused: goals that only errors met, with how many
    programs agree on one. titles: of what differed, with how many programs.
    """

    asked: int = 0
    counted: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    hits: Counter[str] = field(default_factory=Counter)
    missed: tuple[str, ...] = ()
    refused: Counter[str] = field(default_factory=Counter)
    traits: Counter[str] = field(default_factory=Counter)
    kernels: Counter[str] = field(default_factory=Counter)
    titles: Counter[str] = field(default_factory=Counter)

    def faults(self, each: int) -> list[str]:
        """What this op still lacks, in a few words each; nothing where all is well."""
        found = [f"only {self.counted} of {each} programs agreed"] if self.counted < each else []
        found += [f"{count} programs differ: {title}" for title, count in sorted(self.titles.items())]
        found += [f"{count} programs: {verdict}" for verdict, count in sorted(self.verdicts.items()) if verdict in _BAD]
        return found + [f"never hit: {goal}" for goal in self.missed]


_BAD = ("oracle failed", "unsupported")
_Agreed = tuple[Asked, tuple[Observation, ...], frozenset[str]]


@dataclass(frozen=True, slots=True)
class Request:
    """How many programs of each op must count, how many are asked at most, and where the differing ones are told."""

    each: int = 200
    most: int = 600
    differing: Callable[[Program], None] = lambda program: None


def ask_each(session: Session, request: Request, done: Iterable[str] = ()) -> Iterator[tuple[str, RowCounts]]:
    """The counts of each op that the session's plan names, in the order of the table, and last of the pinned programs.

    done: names left out. PlanError where the oracle has no registry of gradient functions that can be asked.
    """
    oracle_of(session)
    left_out = frozenset(done)
    for at in indices(session.plan.ops or "*"):
        if TABLE[at].name not in left_out:
            yield TABLE[at].name, _Asking(session, request, TABLE[at]).counts()
    if session.plan.corpus and CORPUS not in left_out:
        yield CORPUS, _pinned(session, request)


def oracle_of(session: Session) -> ProcessTape:
    """The session's oracle, which must be one whose gradient functions can be noted."""
    if not isinstance(session.oracle, ProcessTape):
        raise PlanError("Coverage is counted against TensorFlow, which must be installed.")
    return session.oracle


class _Asking:
    """Asks the programs of one row."""

    def __init__(self, session: Session, request: Request, row: Row) -> None:
        self.session, self.request, self.row = session, request, row
        self.goals: Goals = goals(row)
        self.found = RowCounts()
        self.refusals: Counter[str] = Counter()
        # A seed for each op, or the same draws would decide what all of them are asked.
        self.plan = replace(session.plan, ops=row.name, seed=session.plan.seed + position(row.name), level=None)

    def counts(self) -> RowCounts:
        """Ask until enough counted and all is hit."""
        stream = self._drawn()
        while self.found.counted < self.request.each and self.found.asked < self.request.most:
            self._ask(islice(stream, min(self._lacking(), self._left())))
        while self._missed() and self._left():
            aimed = list(islice(self._aimed(stream), min(_BATCH, self._left())))
            if not aimed:
                break
            self._ask(aimed)
        self.found.missed = tuple(sorted(self._missed()))
        self.found.refused = Counter({one: self.refusals[one] for one in self._never() if one not in self._missed()})
        return self.found

    def _drawn(self) -> Iterator[Asked]:
        """The programs of this op, without the kinds of which its row says that they are not asked."""
        for asked in asked_of(Chunk("generated", 0, self.request.most + _AIMED), self.plan, self.session.able):
            if features_of(asked.program).isdisjoint(self.row.unasked):
                yield asked

    def _lacking(self) -> int:
        return max(self.request.each - self.found.counted, min(_BATCH, self.request.each))

    def _left(self) -> int:
        return self.request.most - self.found.asked

    def _never(self) -> frozenset[str]:
        return self.goals.all - self.found.hits.keys()

    def _missed(self) -> frozenset[str]:
        return frozenset(one for one in self._never() if self.refusals[one] < REFUSALS)

    def _aimed(self, stream: Iterator[Asked]) -> Iterator[Asked]:
        """The programs of the rest of the stream that seem to hit something new."""
        for asked in stream:
            if met(self.row, self.goals, asked.program) & self._missed():
                yield asked

    def _ask(self, batch: Iterable[Asked]) -> None:
        for asked, want, called in _judged(self.session, self.request, list(batch), self.found):
            self.refusals.update(refused(self.row, self.goals, asked.program, want))
            traits = traits_of(asked.program, want).get(self.row.name)
            if traits is None:
                continue
            self.found.counted += 1
            self.found.traits.update(traits)
            self.found.kernels.update(called)
            self.found.hits.update(met(self.row, self.goals, asked.program, want))


def _judged(session: Session, request: Request, batch: list[Asked], found: RowCounts) -> Iterator[_Agreed]:
    """Ask programs, note the verdict on each; those that agree, their answers, and the kernels that they called."""
    oracle = oracle_of(session)
    programs = [asked.program for asked in batch]
    wanted = ((want, oracle.called) for want in oracle.run_many(programs))
    for asked, (want, called), got in zip(batch, wanted, session.answers(programs)):
        judged = session.judged(asked, want, got, words_of(asked.program, want))
        found.asked += 1
        found.verdicts[judged.verdict] += 1
        if judged.verdict == "agrees":
            yield asked, want, called
        elif judged.verdict in FAILED:
            found.titles[judged.title] += 1
            request.differing(asked.program)


def _pinned(session: Session, request: Request) -> RowCounts:
    """The pinned programs, which reach what is drawn by none."""
    found = RowCounts()
    for chunk in corpus_chunks(corpus.groups()):
        batch = list(asked_of(chunk, session.plan, session.able))
        for _, _, called in _judged(session, request, batch, found):
            found.counted += 1
            found.kernels.update(called)
    return found
