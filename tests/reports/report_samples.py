"""Records to make reports of: `run(...)` gives one run's, from no difference to many, interrupted or hostile.

They are worded as the suite words them, and made up: nothing is run here. The causes and rules lie beside this file, as
lines that version 1 of the records wrote.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from reports import read
from reports.records import (
    Cause,
    CauseCount,
    End,
    Evidence,
    Header,
    Line,
    Notice,
    Outcome,
    Record,
    RuleResult,
    Share,
    Timing,
)

HOSTILE = "<script>document.title='owned'</script></script><img src=x onerror=alert(1)>\"'`&amp;\u202eevil\x00\ud800"

_KEPT = read(Path(__file__).with_name("causes_of_version_1.jsonl"))
HEADER = next(record for record in _KEPT if isinstance(record, Header))
RULES = tuple(record for record in _KEPT if isinstance(record, RuleResult))

# A tie of maximum (two arrays differ); None where a value was wanted; late digits, expected; nothing raised.
TIE, NONE, ULPS, RAISED = (record for record in _KEPT if isinstance(record, Cause))
ALL_CAUSES = (TIE, NONE, ULPS, RAISED)


def hostile_cause(text: str = HOSTILE) -> Cause:
    """Every string that an implementation can choose is `text`."""
    line = Line(0, text, text, "got " + text, "differs", text)
    return replace(
        TIE,
        id="hostile-1",
        title=text,
        rule=text,
        rule_sentence=text,
        rule_standing=text,
        attribution=text,
        op=text,
        program={"text": text.replace("\ud800", "")},
        program_id=text,
        script=text,
        trace=(line,),
        blame=text,
        evidence=(Evidence(text, text, text),),
        replay=text,
        expected=text,
        expected_kind=text,
    )


def outcomes(count: int, causes: tuple[Cause, ...] = ()) -> list[Outcome]:
    """`count` outcomes in all lanes; each cause takes some, the first ones most."""
    made = []
    ops = ("math.sin", "matmul", "maximum", "reduce_sum", "math.tanh", "gather", "nn.softmax")
    for at in range(count):
        lane = ("exact", "numeric", "numeric", "structural")[at % 4]
        bound = 1e-7 * (1 + at % 50) if lane == "numeric" else None
        made.append(
            Outcome(
                f"{at:012x}",
                "corpus" if at % 20 == 0 else "generated",
                "agrees",
                lane,
                4 + at % 9,
                ops=(ops[at % 7], ops[(at // 7) % 7]),
                finite_nonzero_gradient=at % 4 != 3,
                error_bound=bound,
                max_ulps=0.0 if lane == "exact" else 1.0,
            )
        )
    at = 0
    for place, cause in enumerate(causes):
        for _ in range(max(1, 60 >> place * 2)):
            if at < count:
                made[at] = replace(made[at], verdict="differs", cause=cause.id)
                at += 1
    for spare in range(at, min(at + count // 100, count)):
        made[spare] = replace(made[spare], verdict="ill-conditioned", lane="ill-conditioned")
    return made


def rule_results(failed: tuple[str | None, ...] = ()) -> list[RuleResult]:
    """A result for each sample rule; nothing asks about threads."""
    results = []
    for rule in RULES:
        status = "not asked" if rule.group == "THREAD" else "failed" if rule.rule in failed else "passed"
        results.append(replace(rule, status=status))
    return results


def run(
    count: int = 400, causes: tuple[Cause, ...] = (), interrupted: bool = False, header: Header = HEADER
) -> list[Record]:
    """The records of one run."""
    records: list[Record] = [replace(header, planned=count * 2 if interrupted else count)]
    records += outcomes(count, causes)
    records += [*causes, *(CauseCount(cause.id, max(1, 60 >> place * 2)) for place, cause in enumerate(causes))]
    if not interrupted:
        records += rule_results(tuple(cause.rule for cause in causes if cause.expected is None))
        records += [
            Share("second order", count // 8, count, 0.05),
            Share("persistent tapes", count // 5, count, 0.05),
            Share("stop_recording", count // 30, count, 0.02),
            Share("kinks", count // 3, count, 0.1),
            Share("sparse slices", count // 90, count, 0.02),
        ]
    records += [Timing("oracle", 41.25), Timing("tape", 9.5), Timing("shrinking", 3.125)]
    if interrupted:
        records.append(Notice("The run was stopped by Ctrl-C."))
    records.append(End("interrupted" if interrupted else "completed", 1 if causes else 0))
    return records


def many_causes(count: int = 400) -> list[Record]:
    """A run with four causes, one of them expected."""
    return run(count, ALL_CAUSES)


def hostile_run(text: str = HOSTILE) -> list[Record]:
    """A run in which every string is `text`."""
    header = Header(text, text, text, text, text, text, 1, 3, {text: text})
    cause = hostile_cause(text)
    return [
        header,
        Outcome(text, text, "differs", text, 3, (text,), (text,), (text,), cause.id),
        cause,
        Outcome("plain", "generated", text, "exact", 3),
        Outcome("other", "generated", "differs", "exact", 3, cause=text),
        Outcome("third", "generated", "crashed", "exact", 3),
        RuleResult(text, text, text, text, text, (text,)),
        Share(text, 1, 3, 0.5),
        Notice(text),
        Timing(text, 1.0),
        End("completed", 1),
    ]


def several() -> list[list[Record]]:
    """The runs of three implementations."""
    names = (
        ("reference", "0.1.0"),
        ("mytape.tf_api", "3.2.0"),
        ("a_tape_with_a_very_long_dotted.module.path:TapeBackend", "2025.11.29"),
    )
    causes = ((), (TIE, NONE), ALL_CAUSES)
    return [
        run(400, some, header=replace(HEADER, implementation=name, implementation_version=version))
        for (name, version), some in zip(names, causes, strict=True)
    ]
