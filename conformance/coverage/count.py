"""Run programs on both tapes and count what agreed: `count(session, chunks)`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adapters.process import ProcessTape
from conformance.capabilities.needs import words_of
from conformance.coverage.each import oracle_of
from conformance.coverage.reach import beyond, covered, left, reachable
from conformance.coverage.traits import TRAITS, traits_of
from conformance.judging.causes import suspect
from conformance.judging.judge import FAILED
from conformance.running.campaign import asked_of
from conformance.running.plan import Chunk
from conformance.running.session import Session


@dataclass(slots=True)
class Counts:
    """How many programs agreed, by kernel whose gradient function ran in them, and by op and trait.

    kernels: every registered gradient function, with why the oracle cannot run it ("" where it can). differed: by op,
    programs of which the op is what differs.
    """

    kernels: dict[str, str] = field(default_factory=dict)
    called: Counter[str] = field(default_factory=Counter)
    traits: dict[str, Counter[str]] = field(default_factory=dict)
    differed: Counter[str] = field(default_factory=Counter)
    unsupported: Counter[str] = field(default_factory=Counter)
    programs: int = 0
    agreed: int = 0

    @property
    def reachable(self) -> tuple[str, ...]:
        return reachable(self.kernels)

    @property
    def covered(self) -> tuple[str, ...]:
        return covered(self.kernels, self.called)

    @property
    def left(self) -> dict[str, str]:
        """What is reachable and not covered, with its reason."""
        return left(self.kernels, self.called)

    def told(self) -> str:
        """The counts as text."""
        lines = [f"covered {len(self.covered)} / {len(self.reachable)} of TensorFlow's gradient functions"]
        lines.append(f"{self.agreed} of {self.programs} programs agreed")
        if self.left:
            lines += ["left:", *(f"  {name}: {why}" for name, why in self.left.items())]
        lines.append(f"{len(beyond(self.kernels))} more are out of reach")
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """The counts as plain data."""
        return {
            "covered": {name: self.called[name] for name in self.covered},
            "left": self.left,
            "unreachable": beyond(self.kernels),
            "ops": {
                op: {"agreed": {trait: seen[trait] for trait in TRAITS if seen[trait]}, "differed": self.differed[op]}
                for op, seen in sorted(self.traits.items())
            },
            "programs": self.programs,
            "agreed": self.agreed,
        }


def count(session: Session, chunks: Iterable[Chunk], progress: Callable[[str], None] | None = None) -> Counts:
    """Run the chunks. PlanError where the oracle has no registry of gradient functions that can be asked."""
    oracle = oracle_of(session)
    counts = Counts(kernels=oracle.kernels())
    for chunk in chunks:
        _chunk(counts, session, oracle, chunk)
        if progress:
            progress(f"{counts.programs} programs, {len(counts.covered)} / {len(counts.reachable)} covered")
    return counts


def write_counts(counts: Counts, path: Path) -> None:
    """Keep the counts as JSON."""
    path.write_text(json.dumps(counts.to_json(), indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _chunk(counts: Counts, session: Session, oracle: ProcessTape, chunk: Chunk) -> None:
    batch = list(asked_of(chunk, session.plan, session.able))
    programs = [asked.program for asked in batch]
    wanted = ((want, oracle.called) for want in oracle.run_many(programs))
    for asked, (want, called), got in zip(batch, wanted, session.tape.run_many(programs)):
        judged = session.judged(asked, want, got, words_of(asked.program, want))
        counts.programs += 1
        if judged.verdict == "agrees":
            counts.agreed += 1
            counts.called.update(called)
            for op, traits in traits_of(asked.program, want).items():
                counts.traits.setdefault(op, Counter()).update(traits)
        elif judged.verdict in FAILED and judged.comparison.difference is not None:
            counts.differed[suspect(asked.program, judged.comparison.difference.step)] += 1
        elif judged.verdict == "unsupported":
            counts.unsupported.update(called)
