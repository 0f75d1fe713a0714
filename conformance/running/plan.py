"""What a run is to do: which tape, against which oracle, how many programs, in which chunks.

A plan is data and can be sent to any worker: chunk `generated:3` means the same programs everywhere, so a run split
over workers records what one process records.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

PROFILES = {"quick": 1_000, "default": 8_000, "thorough": 40_000}
DEFAULT_SEED = 20_240
CHUNK = 250
EXPLORED_SHARE = 20  # one program in so many is drawn by Hypothesis, the rest by the plain seeded source


class PlanError(Exception):
    """The request itself makes no sense: an unknown profile, a pattern that fits nothing."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of work: `generated` or `explored` programs `start .. start + count`, the `corpus` of one rule group,
    the programs of a file (`replay`), `wrong` calls, or `relations` asked of some programs from `start` on."""

    kind: str
    start: int = 0
    count: int = 0
    group: str = ""

    @property
    def name(self) -> str:
        """A stable name, used as the pytest id and as the file name of the chunk's records."""
        return f"{self.kind}-{self.group}" if self.group else f"{self.kind}-{self.start:06d}"


@dataclass(frozen=True, slots=True)
class Plan:
    """A run as asked for."""

    implementation: str = "reference"
    oracle: str = "tensorflow"
    profile: str = "default"
    seed: int = DEFAULT_SEED
    programs: int | None = None  # overrides the profile's count
    corpus: bool = True
    rule: str | None = None  # a shell-style pattern of rule ids: the corpus is cut to these, nothing is generated
    ops: str | None = None  # a shell-style pattern of op names: only programs that use one that fits
    max_seconds: float | None = None
    timeout: float | None = None  # seconds that the tape may take for one program
    in_process: bool = False  # run the tape in this process: for debugging; a crash or a hang is then the run's own
    level: str | None = None  # nothing is asked beyond this level (see `conformance/levels.py`)
    expectations: str | None = None  # a file of expected deviations, in place of the one that ships
    replay: str | None = None  # a file whose programs are run instead: a program, or the records of a run
    shrink_calls: int | None = None  # a cap on the programs asked to shrink one cause, for tapes that are slow
    cause: str | None = None  # of those, only the program of this cause
    wrong_calls: bool = False  # ask calls with one wrong argument in the place of whole programs
    only_relations: bool = False  # ask nothing but relations between the tape's own answers: no oracle is needed

    def count(self) -> int:
        """How many programs are generated."""
        if self.rule is not None or self.replay is not None:
            return 0
        if self.programs is not None:
            return self.programs
        if self.profile not in PROFILES:
            raise PlanError(f"There is no profile {self.profile!r}; there are {', '.join(PROFILES)}.")
        return PROFILES[self.profile]

    def with_oracle(self, oracle: str) -> Plan:
        """The same plan against another oracle."""
        return replace(self, oracle=oracle)


def generated_chunks(plan: Plan) -> tuple[Chunk, ...]:
    """The generated part of a plan. The explored share (Hypothesis) is cut from the end of the count."""
    total = plan.count()
    if plan.wrong_calls:
        return _pieces("wrong", total)
    explored = total // EXPLORED_SHARE
    return _pieces("generated", total - explored) + _pieces("explored", explored)


def _pieces(kind: str, total: int) -> tuple[Chunk, ...]:
    return tuple(Chunk(kind, start, min(CHUNK, total - start)) for start in range(0, total, CHUNK))


def corpus_chunks(groups: tuple[str, ...]) -> tuple[Chunk, ...]:
    """One chunk per rule group."""
    return tuple(Chunk("corpus", group=group) for group in groups)
