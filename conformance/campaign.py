"""Run chunks of programs on both tapes, judge each, and record all of them.

`run_chunk(chunk, session)` draws, runs, judges and records; it never asserts, so one difference does not hide the next.
What differs is grouped by cause. `finish(...)` then shrinks one representative of every cause with that cause as the
predicate. Shrinking is bounded by calls, not by the clock, so that any split over workers ends in the same records.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from adapters.language import Program
from adapters.observations import Observation
from adapters.program_json import program_id
from conformance import corpus, features, sources
from conformance.judging import Judged, judge
from conformance.plan import Chunk, Plan
from conformance.session import Session
from reports.records import CauseCount, Notice, Outcome, Record, Share

Answers = tuple[Observation, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """A program with where it came from and, for pinned ones, what was recorded and which rules it pins."""

    program: Program
    origin: str
    rules: tuple[str, ...] = ()
    recorded: Answers | None = None
    choices: tuple[tuple[int, ...], ...] | None = None


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


def asked_of(chunk: Chunk, plan: Plan) -> Iterator[Asked]:
    """The programs of a chunk: the same for the same plan, on any machine and any worker."""
    match chunk.kind:
        case "corpus":
            for pinned in corpus.load(chunk.group):
                yield Asked(pinned.program, "corpus", pinned.rules, pinned.answers)
        case "generated":
            for choices, program in sources.seeded(plan.seed, chunk.start, chunk.count, plan.ops):
                yield Asked(program, "generated", choices=choices)
        case _:
            for choices, program in sources.explored(plan.seed, chunk.start, chunk.count, plan.ops):
                yield Asked(program, "generated", choices=choices)


def run_chunk(chunk: Chunk, session: Session) -> ChunkResult:
    """Run and judge every program of a chunk."""
    result = ChunkResult(chunk)
    wanted, tried = asked_of(chunk, session.plan), asked_of(chunk, session.plan)
    got_all = session.tape.run_many(asked.program for asked in tried)
    for (asked, want), got in zip(_wants(wanted, session), got_all):
        _add(result, asked, judge(asked.program, want, got))
    result.records += [CauseCount(cause, count) for cause, count in sorted(result.counts.items())]
    return result


def _wants(asked: Iterator[Asked], session: Session) -> Iterator[tuple[Asked, Answers]]:
    """Each program with the oracle's answer; a pinned one keeps its recorded answer when the oracle is not TensorFlow."""
    batch = list(asked)
    if session.plan.oracle != "tensorflow" and all(one.recorded is not None for one in batch):
        yield from ((one, one.recorded or ()) for one in batch)
        return
    yield from zip(batch, session.oracle.run_many(one.program for one in batch))


def _add(result: ChunkResult, asked: Asked, judged: Judged) -> None:
    cause = judged.cause
    result.records.append(outcome_record(asked, judged))
    if cause is None:
        return
    result.counts[cause] = result.counts.get(cause, 0) + 1
    best = result.examples.get(cause)
    if best is None or len(asked.program.steps) < len(best.asked.program.steps):
        result.examples[cause] = Example(asked, judged)


def outcome_record(asked: Asked, judged: Judged) -> Outcome:
    """The record line of one judged program."""
    return Outcome(
        program=program_id(asked.program),
        origin=asked.origin,
        verdict=judged.verdict,
        lane=judged.lane,
        steps=len(asked.program.steps),
        ops=features.ops_of(asked.program),
        features=tuple(sorted(features.features_of(asked.program))),
        rules=asked.rules,
        cause=judged.cause,
        finite_nonzero_gradient=judged.finite_nonzero_gradient,
        error_bound=judged.error_bound,
        max_ulps=judged.max_ulps,
    )


def shares(outcomes: Iterable[Outcome]) -> list[Share]:
    """How often each feature was used by generated programs, against the least share that a run must have."""
    drawn = [one for one in outcomes if one.origin == "generated"]
    counts: dict[str, int] = {}
    for one in drawn:
        for word in one.features:
            counts[word] = counts.get(word, 0) + 1
    counts["finite non-zero gradient"] = sum(one.finite_nonzero_gradient for one in drawn)
    least = {**features.LEAST_SHARES, "finite non-zero gradient": 0.70}
    return [Share(word, counts.get(word, 0), len(drawn), least.get(word, 0.0)) for word in sorted({*counts, *least})]


def first(iterable: Iterable[Asked], count: int) -> list[Asked]:
    """The first `count` of a stream."""
    return list(islice(iterable, count))


__all__ = ["Asked", "ChunkResult", "Example", "Notice", "asked_of", "outcome_record", "run_chunk", "shares"]
