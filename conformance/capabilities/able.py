"""What a tape can be asked: its claims and what the probes found missing, applied to programs and answers.

`Able.missing(program, words)` says in a sentence what a program needs that the tape does not have; `draws(ops)` names
the ops to draw from; `judged(...)` judges an answer as far as the tape means to agree. A program that needs what is
missing is asked all the same when it is pinned: if it agrees, the claim was too modest, and the audit says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from adapters import NAMES
from adapters.backend import Capabilities
from adapters.language import Program
from adapters.observations import Observation, Raised, Unsupported
from conformance import optable
from conformance.capabilities.needs import dtypes_of, needs_of
from conformance.capabilities.probes import Ask, Missing, missing
from conformance.generating.features import ops_of
from conformance.judging.judge import Judged, judge

# Rules about what only a tape that is open while a program runs can show: not asked of an engine that has none.
OPEN_TAPE_GROUPS = frozenset({"LIFE", "WATCH", "STOP", "MULTI", "THREAD"})
_FAULT = "differs"


@dataclass(frozen=True, slots=True)
class Able:
    """The claims of a tape, and what it lacks: stated, or found by probes."""

    claims: Capabilities = field(default_factory=Capabilities)
    found: Missing = field(default_factory=Missing)
    probed: bool = False

    def has_feature(self, feature: str) -> bool:
        """Whether the tape has a feature, as far as it says and the probes found."""
        return _has(feature, self.claims.features, self.found.features)

    def has_op(self, op: str) -> bool:
        """Whether the tape has an op, as far as it says and the probes found."""
        return _has(op, self.claims.ops, self.found.ops)

    def has_dtype(self, dtype: str) -> bool:
        """Whether the tape has a dtype, as far as it says and the probes found."""
        return _has(dtype, self.claims.dtypes, self.found.dtypes)

    def missing(self, program: Program, words: Iterable[str]) -> str:
        """What the program needs and the tape does not have, as words; "" when it has everything."""
        lacking = [f"the feature {one}" for one in sorted(needs_of(words)) if not self.has_feature(one)]
        lacking += [f"the op {one}" for one in ops_of(program) if not self.has_op(one)]
        lacking += [f"the dtype {one}" for one in sorted(dtypes_of(program)) if not self.has_dtype(one)]
        return ", ".join(lacking)

    def draws(self, pattern: str | None) -> str | tuple[str, ...] | None:
        """The ops that generated programs call: those that fit the pattern and that the tape has."""
        fitting = [optable.TABLE[at].name for at in optable.indices(pattern or "*")]
        had = tuple(op for op in fitting if self.has_op(op))
        return pattern if len(had) in (0, len(fitting)) else had

    def asks_group(self, group: str) -> bool:
        """Whether rules of a group are asked at all: of a tape that says it has no open tapes, some are not."""
        has_none = self.claims.features is not None and "open_tapes" not in self.claims.features
        return not (has_none and group in OPEN_TAPE_GROUPS)

    @property
    def everything(self) -> bool:
        """Whether nothing is known to be missing: then nothing needs to be drawn away from."""
        claims = (self.claims.ops, self.claims.features, self.claims.dtypes)
        return all(claim is None for claim in claims) and self.found == Missing()

    def judged(
        self,
        program: Program,
        want: Sequence[Observation],
        got: Sequence[Observation],
        words: Iterable[str],
        rule: str | None = None,
    ) -> Judged:
        """The verdict on a program, as far as the tape means to agree: what needs a missing thing is unsupported."""
        if self.claims.traced:
            want, got = _up_to_the_first_error(want, got)
        judged = judge(program, want, got, rule, self.claims.errors, self.claims.warnings)
        if judged.verdict == _FAULT and not self.everything and self.missing(program, words):
            return replace(judged, verdict="unsupported", signature=(), cause=None, title="")
        return judged


def _has(name: str, claimed: frozenset[str] | None, missing: frozenset[str]) -> bool:
    return name not in missing and (claimed is None or name in claimed)


def _up_to_the_first_error(
    want: Sequence[Observation], got: Sequence[Observation]
) -> tuple[Sequence[Observation], Sequence[Observation]]:
    """A traced tape ends with its first error: what follows is not asked."""
    ends = next((at for at, one in enumerate(got) if isinstance(one.outcome, Raised | Unsupported)), len(got))
    return want[: ends + 1], got[: ends + 1]


def able(claims: Capabilities, ask: Ask, implementation: str) -> Able:
    """What a tape can be asked. The project's own two tapes mean to have everything and are not probed."""
    return Able(claims) if implementation in NAMES else Able(claims, missing(ask), probed=True)
