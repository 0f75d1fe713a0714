"""Relations as part of a run: outcomes of origin `relation`, and a cause for each way in which one is broken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from adapters.language import Program
from adapters.observations import Observation
from adapters.program_json import program_id
from conformance.capabilities.needs import words_of
from conformance.generating.features import ops_of
from conformance.judging import causes
from conformance.judging.judge import FAILED
from conformance.relations.asking import Held, of_program, programs
from conformance.relations.judging import wanted
from conformance.relations.related import Relation
from conformance.relations.table import RELATIONS
from conformance.rules import find
from conformance.running.plan import Chunk, Plan
from conformance.running.session import Session
from conformance.scripting.script import code_lines, script
from reports.records import Cause, Outcome

PER_CHUNK = 25
SHARE = 40  # one program in so many generated ones is asked for relations
CAUSES_TOLD = 3  # of one relation and kind of difference, by chunk


def chosen(pattern: str | None) -> tuple[Relation, ...]:
    """The relations whose rule fits a pattern; all without one."""
    return tuple(one for one in RELATIONS if pattern is None or fnmatchcase(one.id, pattern.upper()))


def chunks(plan: Plan) -> tuple[Chunk, ...]:
    """The relations' part of a plan: a share of the generated programs, or a fixed number when rules are asked for."""
    if plan.replay is not None or not chosen(plan.rule):
        return ()
    if plan.only_relations:
        count = max(plan.programs or 8 * PER_CHUNK, PER_CHUNK)
    else:
        count = plan.count() // SHARE if plan.rule is None else 8 * PER_CHUNK
    return tuple(Chunk("relations", PER_CHUNK * k) for k in range(count // PER_CHUNK))


@dataclass(frozen=True, slots=True)
class Answering:
    """The tape of a session, one program at a time; a tape that answers no more ends the run."""

    session: Session

    def run(self, program: Program) -> tuple[Observation, ...]:
        """The answers to one program."""
        (answers,) = self.session.answers([program])
        return answers


def held(chunk: Chunk, session: Session) -> Iterator[Held]:
    """What comes of the relations of one chunk. Programs that the tape lacks something for are left out."""
    plan = session.plan
    for number, program in programs(plan.seed, chunk.start, PER_CHUNK, plan.ops):
        if not session.able.missing(program, words_of(program)):
            yield from of_program(program, Answering(session), number, chosen(plan.rule))


def outcome(one: Held) -> Outcome:
    """The record line of a relation that was asked. One that TensorFlow breaks itself counts as unsupported."""
    program = one.related.program
    verdict = "unsupported" if one.excepted and one.verdict in FAILED else one.verdict
    return Outcome(
        program=program_id(program),
        origin="relation",
        verdict=verdict,
        lane=one.comparison.lane,
        steps=len(program.steps),
        ops=ops_of(program),
        features=tuple(sorted(words_of(program))),
        rules=(one.relation.id,),
        cause=causes.cause_id(signature(one)) if one.broken else None,
    )


def signature(one: Held) -> tuple[str, ...]:
    """The signature of a broken relation: its rule, and the two kinds."""
    assert one.comparison.difference is not None
    return causes.signature(one.related.program, one.comparison.difference, one.relation.id)


def cause(one: Held, implementation: str) -> Cause:
    """The record of a broken relation. Nobody but the tape can be to blame: it contradicts itself."""
    program, want = one.related.program, wanted(one.related, one.answers)
    rule = find(one.relation.id)
    made = causes.to_cause(
        program, one.comparison, want, one.answers,
        script=script(program, want), code=code_lines(program, want),
        replay=f"tapecheck relations {implementation} --rule {rule.id}",
        rules=(), blame="tape", evidence=(),
    )  # fmt: skip
    named = signature(one)
    title = f"{one.relation.name} does not hold: {made.title}"
    return replace(
        made, id=causes.cause_id(named), signature=named, title=title, rule=rule.id, rule_sentence=rule.sentence,
        rule_standing=rule.standing, attribution="pinned",
    )  # fmt: skip
