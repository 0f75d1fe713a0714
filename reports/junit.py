"""The run as JUnit XML, for tools that show test results: a case for each rule and for each cause of difference."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

from reports import words
from reports.records import RuleResult
from reports.summary import CauseRow, Summary

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_xml(summary: Summary) -> str:
    """The XML document as text. Times are left out, so the same records give the same text."""
    cases = [_rule(rule) for rule in summary.rules] + [_cause(row) for row in summary.causes]
    cases += [
        _case("cause", one.id, f"<failure message={_attr(words.many(one.count, 'program') + ', not yet shrunk')}/>")
        for one in summary.unshrunk
    ]
    cases += [_case("expectation", one.rule, f"<failure message={_attr(words.stale(one))}/>") for one in summary.stale]
    if not summary.complete:
        cases.append(_case("run", "completeness", f"<error message={_attr(words.completeness(summary))}/>"))
    found = {kind: sum(f"<{kind}" in case for case in cases) for kind in ("failure", "error", "skipped")}
    counts = (
        f'tests="{len(cases)}" failures="{found["failure"]}" errors="{found["error"]}" skipped="{found["skipped"]}"'
    )
    name = _attr(words.implementation(summary))
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f"<testsuites {counts}>\n<testsuite name={name} {counts}>\n" + "".join(cases) + "</testsuite>\n</testsuites>\n"
    )


def _rule(rule: RuleResult) -> str:
    match rule.status:
        case "passed":
            inside = ""
        case "failed":
            inside = f"<failure message={_attr(rule.sentence)}/>"
        case _:
            inside = f"<skipped message={_attr(rule.status)}/>"
    return _case(f"rules.{rule.group}", rule.rule, inside)


def _cause(row: CauseRow) -> str:
    cause = row.cause
    if cause.expected is not None:
        return _case("cause", cause.title, f"<skipped message={_attr('expected: ' + cause.expected)}/>")
    text = f"{words.many(row.count, 'program')}\n{cause.script}\n{cause.replay}"
    return _case("cause", cause.title, f"<failure message={_attr(cause.title)}>{escape(_clean(text))}</failure>")


def _case(where: str, name: str, inside: str) -> str:
    return f"<testcase classname={_attr(where)} name={_attr(name)}>{inside}</testcase>\n"


def _attr(text: str) -> str:
    return quoteattr(_clean(text))


def _clean(text: str) -> str:
    """Without the characters that XML cannot hold, not even escaped."""
    return _NOT_XML.sub("\ufffd", text)
