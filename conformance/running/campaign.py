"""Run chunks of programs on both tapes, judge each, and record all of them.

`run_chunk(result, session)` draws, runs, judges and records; it never asserts, so one difference does not hide the
next. What differs is grouped by cause. `finish(...)` then shrinks one representative of every cause with that cause
as the predicate. Shrinking is bounded by calls, not by the clock, so that any split over workers ends in the same
records.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

from adapters.language import Program
from adapters.program_json import program_id
from conformance import corpus, optable
from conformance.capabilities.able import Able
from conformance.capabilities.needs import words_of
from conformance.generating import features, sources, spoiling
from conformance.generating.choices import QUOTAS
from conformance.judging.judge import Judged
from conformance.levels import within
from conformance.meaning.tally import Tally
from conformance.relations import recording as relations
from conformance.running.asked import Asked
from conformance.running.plan import Chunk, Plan, PlanError, corpus_chunks, generated_chunks
from conformance.running.session import Session
from conformance.running.stored import programs_in
from reports.records import PAIR, Cause, CauseCount, Outcome, Record, Share

EVERYTHING = Able()


@dataclass(frozen=True, slots=True)
class Example:
    """A program that fell to a cause, kept for shrinking."""

    asked: Asked
    judged: Judged


@dataclass(slots=True)
class ChunkResult:
    """Records of a chunk, and the smallest example of each cause."""

    chunk: Chunk
    records: list[Record] = field(default_factory=list)
    examples: dict[str, Example] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    programs: int = 0
    tally: Tally = field(default_factory=Tally)

    def all_records(self) -> list[Record]:
        """The outcomes, and how many programs fell to each cause."""
        return [*self.records, *(CauseCount(cause, count) for cause, count in sorted(self.counts.items()))]

    @property
    def differing(self) -> int:
        """How many programs differ."""
        return sum(self.counts.values())

    @property
    def told(self) -> list[str]:
        """A line per cause, most programs first."""
        by_count = sorted(self.counts.items(), key=lambda item: (-item[1], item[0]))
        titles = {cause: example.judged.title for cause, example in self.examples.items()}
        titles |= {one.id: one.title for one in self.records if isinstance(one, Cause)}
        return [f"{count} programs: {titles[cause]}" for cause, count in by_count]


def chunks_of(plan: Plan) -> tuple[Chunk, ...]:
    """The work of a plan, corpus first. PlanError or CorpusError, in one sentence, when it asks for nothing that is."""
    if plan.replay is not None:
        programs_in(Path(plan.replay), plan.cause)
        return (Chunk("replay", group=Path(plan.replay).name),)
    if plan.ops is not None and not optable.indices(plan.ops):
        raise PlanError(f"No op of the table fits {plan.ops!r}.")
    related = relations.chunks(plan) if plan.level is None and not plan.wrong_calls else ()
    if plan.only_relations:
        return related
    if plan.rule is not None and related and not corpus.shows(plan.rule):
        return related
    pinned = corpus_chunks(corpus.groups(plan.rule)) if plan.corpus else ()
    return pinned + generated_chunks(plan) + related


def asked_of(chunk: Chunk, plan: Plan, able: Able = EVERYTHING) -> Iterator[Asked]:
    """The programs of a chunk: the same for the same plan and abilities, on any machine and any worker."""
    ops, fits = able.draws(plan.ops), _fitting(plan, able)
    match chunk.kind:
        case "corpus":
            for pinned in corpus.load(chunk.group):
                if _asks(plan, able, pinned):
                    yield Asked(
                        pinned.program, "corpus", pinned.rules, pinned.answers,
                        lane=pinned.lane, error_bound=pinned.error_bound,
                    )  # fmt: skip
        case "replay":
            for program in programs_in(Path(str(plan.replay)), plan.cause):
                yield Asked(program, "corpus")
        case "generated":
            for choices, program in sources.seeded(plan.seed, chunk.start, chunk.count, ops, QUOTAS, fits):
                yield Asked(program, "generated", choices=choices)
        case "wrong":
            for program in spoiling.wrong_calls(plan.seed, chunk.start, chunk.count, ops, fits):
                yield Asked(program, "corpus")
        case _:
            for choices, program in sources.explored(plan.seed, chunk.start, chunk.count, ops, fits):
                yield Asked(program, "generated", choices=choices)


def _fitting(plan: Plan, able: Able) -> Callable[[Program], bool] | None:
    """Which generated programs may be asked: those within the level that need nothing the tape lacks."""
    if able.everything and plan.level is None:
        return None

    def fits(program: Program) -> bool:
        words = words_of(program)
        return within(words, plan.level) and not able.missing(program, words)

    return fits


def _asks(plan: Plan, able: Able, pinned: corpus.Pinned) -> bool:
    """Whether a pinned program is asked. What needs a missing thing is: that tests the claim."""
    groups = {rule.partition("-")[0] for rule in pinned.rules}
    if not all(map(able.asks_group, groups)):
        return False
    return plan.level is None or within(words_of(pinned.program, pinned.answers), plan.level)


def run_chunk(result: ChunkResult, session: Session) -> None:
    """Run and judge every program of a chunk into its result, which is whole up to whatever may interrupt this."""
    if result.chunk.kind == "relations":
        _run_relations(result, session)
        return
    batch = list(asked_of(result.chunk, session.plan, session.able))
    programs = [asked.program for asked in batch]
    recorded = [asked.recorded for asked in batch]
    for asked, want, got in zip(batch, session.wants(programs, recorded), session.answers(programs)):
        words = words_of(asked.program, want)
        judged = session.judged(asked, want, got, words)
        _add(result, asked, judged, words)
        if asked.origin == "generated":
            independent = result.chunk.kind == "generated"
            result.tally.add(asked.program, want, words, judged.verdict, independent)


def _run_relations(result: ChunkResult, session: Session) -> None:
    """Ask the relations of a chunk. A broken one is its own cause: there is nothing to shrink towards an oracle."""
    for held in relations.held(result.chunk, session):
        result.programs += 1
        line = relations.outcome(held)
        result.records.append(line)
        if line.cause is not None:
            result.counts[line.cause] = result.counts.get(line.cause, 0) + 1
            if result.counts[line.cause] <= relations.CAUSES_TOLD:
                result.records.append(relations.cause(held, session.plan.implementation))


def _add(result: ChunkResult, asked: Asked, judged: Judged, words: frozenset[str]) -> None:
    cause = judged.cause
    result.programs += 1
    result.records.append(outcome_record(asked, judged, words))
    if cause is None:
        return
    result.counts[cause] = result.counts.get(cause, 0) + 1
    best = result.examples.get(cause)
    if best is None or asked.rank < best.asked.rank:
        result.examples[cause] = Example(asked, judged)


def outcome_record(asked: Asked, judged: Judged, words: frozenset[str]) -> Outcome:
    """The record line of one judged program. `words` are those of `needs.words_of`."""
    return Outcome(
        program=program_id(asked.program),
        origin=asked.origin,
        verdict=judged.verdict,
        lane=judged.lane,
        steps=len(asked.program.steps),
        ops=features.ops_of(asked.program),
        features=tuple(sorted(words)),
        rules=asked.rules,
        cause=judged.cause,
        finite_nonzero_gradient=judged.finite_nonzero_gradient,
        error_bound=_finite(judged.comparison.error_bound),
        max_ulps=_finite(judged.comparison.max_ulps),
    )


def _finite(number: float | None) -> float | None:
    """JSON has no infinity; an unlimited bound is said by the lane."""
    return number if number is not None and math.isfinite(number) else None


def shares(outcomes: Iterable[Outcome], able: Able = EVERYTHING) -> list[Share]:
    """How often generated programs that the tape supports used each feature, against the least that a run must have."""
    drawn = [one for one in outcomes if one.origin == "generated" and one.verdict != "unsupported"]
    counts: dict[str, int] = {}
    for one in drawn:
        for word in one.features:
            if word.startswith("dtype "):
                continue
            counts[word] = counts.get(word, 0) + 1
    counts["finite non-zero gradient"] = sum(one.finite_nonzero_gradient for one in drawn)
    least = {"finite non-zero gradient": 0.70, **(features.LEAST_SHARES if able.everything else {})}
    pairs = _pairs(drawn) if able.everything else {}
    counts |= pairs
    least |= dict.fromkeys(
        pairs, (features.LEAST_OF_A_PAIR - 0.5) / len(drawn) if len(drawn) >= features.PAIRS_FROM else 0.0
    )
    return [Share(word, counts.get(word, 0), len(drawn), least.get(word, 0.0)) for word in sorted({*counts, *least})]


def _pairs(drawn: Sequence[Outcome]) -> dict[str, int]:
    """In how many programs any two of the features that must meet do so."""
    met = {PAIR.join(two): 0 for two in combinations(features.PAIRED, 2)}
    for one in drawn:
        for two in combinations([word for word in features.PAIRED if word in one.features], 2):
            met[PAIR.join(two)] += 1
    return met
