"""From an example of a cause to its card: shrink it, run it once more, and word everything the report shows."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from adapters.language import Program
from adapters.observations import Observation
from adapters.program_json import program_id, to_json
from conformance import rules
from conformance.blaming.arbiters import blame
from conformance.capabilities.needs import words_of
from conformance.judging import causes
from conformance.judging.judge import Judged
from conformance.running.asked import Asked
from conformance.running.expectations import mark
from conformance.running.session import Session
from conformance.scripting.script import code_lines, script
from conformance.shrinking.culprit import CALLS as NEAREST_CALLS
from conformance.shrinking.culprit import named, nearest
from conformance.shrinking.shrink import shrink, shrink_stored
from reports.records import Cause, Evidence

SHRINK_CALLS = 1_000
# A process that dies takes its time to start again; one that hangs takes all of it.
CALLS = {"crashed": 25, "timed out": 0}


@cache
def known_rules() -> tuple[causes.KnownRule, ...]:
    """The rules with their pinned programs, as attribution wants them."""
    return tuple(
        causes.KnownRule(rule.id, rule.sentence, rule.standing, tuple(rules.programs_of(rule)))
        for rule in rules.all_rules()
    )


def final_cause(cause: str, asked: Asked, session: Session) -> Cause:
    """The record of a cause, shown by the smallest program found."""
    run = _run(asked, session)
    calls = CALLS.get(run.judged.verdict, SHRINK_CALLS)
    if session.plan.shrink_calls is not None:
        calls = min(calls, session.plan.shrink_calls)
    if asked.origin == "corpus" or not calls:
        return _recorded(cause, asked, session, run)

    def still_fails(program: Program) -> bool:
        return _run(Asked(program, asked.origin), session).judged.cause == cause

    if asked.choices is not None:
        smallest = shrink(asked.choices, still_fails, max_calls=calls)
    else:
        smallest = shrink_stored(asked.program, still_fails, max_calls=calls)
    made = unshrunk_cause(cause, replace(asked, program=smallest), session)
    return made if run.judged.verdict in CALLS else _nearest(made, asked, smallest, session, calls)


def _nearest(made: Cause, asked: Asked, smallest: Program, session: Session, calls: int) -> Cause:
    """The cause, shown where it goes wrong first: it may be named by an op that comes after the one at fault. What is
    expected stays as it is, for its entry may speak of the ops of that program."""
    if mark(made, session.expected).expected is not None:
        return made
    want = session.want(smallest)
    found = nearest(
        smallest, lambda one: _run(Asked(one, asked.origin), session).judged, want, min(calls, NEAREST_CALLS)
    )
    again = replace(asked, program=found)
    run = _run(again, session)
    difference = run.judged.comparison.difference
    op = None if difference is None else named(found, difference.step)
    if difference is None or (found == smallest and op in (None, made.op)):
        return made
    nearer = replace(_recorded(made.id, again, session, run, op), signature=made.signature)
    return made if mark(nearer, session.expected).expected is not None else nearer


def unshrunk_cause(cause: str, asked: Asked, session: Session) -> Cause:
    """The record of a cause, shown by the example as it is."""
    return _recorded(cause, asked, session, _run(asked, session))


@dataclass(frozen=True, slots=True)
class Run:
    """A program that was run on both tapes, and judged."""

    want: Sequence[Observation]
    got: Sequence[Observation]
    judged: Judged


def _run(asked: Asked, session: Session) -> Run:
    want = session.want(asked.program, asked.recorded)
    got = session.tape.run(asked.program)
    return Run(want, got, session.judged(asked, want, got, words_of(asked.program, want)))


def _recorded(cause: str, asked: Asked, session: Session, run: Run, op: str | None = None) -> Cause:
    if run.judged.comparison.difference is None:
        return _vanished(cause, asked)
    guilty, evidence = _blamed(asked, session, run)
    made = causes.to_cause(
        asked.program,
        run.judged.comparison,
        run.want,
        run.got,
        script=script(asked.program, run.want),
        code=code_lines(asked.program, run.want),
        replay=f"tapecheck replay {shlex.quote(session.plan.implementation)} records.jsonl --cause {cause}",
        rules=known_rules(),
        blame=guilty,
        evidence=evidence,
        op=op,
    )
    signature = run.judged.signature if run.judged.cause == cause else made.signature
    return replace(made, id=cause, signature=signature)


def _blamed(asked: Asked, session: Session, run: Run) -> tuple[str, tuple[Evidence, ...]]:
    """Who is off. A tape that dies or hangs is, and is not asked again and again to show it."""
    if run.judged.verdict in CALLS:
        return "tape", ()
    return blame(asked.program, run.judged.comparison, session.tape.run, session.plan.oracle)


def _vanished(cause: str, asked: Asked) -> Cause:
    """A difference that did not show itself again: the tape (or the oracle) answers now one way, now another."""
    program = to_json(asked.program)
    return Cause(
        id=cause,
        signature=("unstable", "", "", ""),
        title="differed once and agreed when it was run again: the answers are not stable",
        rule=None,
        rule_sentence="",
        rule_standing="",
        attribution="unexplained",
        op=None,
        program=program,
        program_id=program_id(asked.program),
        script=script(asked.program),
        trace=(),
        blame="unknown",
        evidence=(),
        replay=f"save as program.json and run: tapecheck replay NAME program.json  ({json.dumps(program)[:80]}...)",
        steps_besides=len(asked.program.steps),
    )
