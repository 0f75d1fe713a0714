"""The sentences that every report says alike: the verdict, what it is worth, whether the run came to its end."""

from __future__ import annotations

from reports.records import Capability, LevelResult, Stale
from reports.summary import LEAST_FINITE_NONZERO, MOST_ILL_CONDITIONED, SHARES_FROM, Summary

NAMES = {"tensorflow": "TensorFlow", "reference": "the reference engine"}


def oracle(summary: Summary) -> str:
    """The oracle and its version, as one reads it: `TensorFlow 2.21.0`, `TensorFlow 2.21.0 (recorded answers)`."""
    name, _, recorded = summary.header.oracle.partition(", ")
    text = f"{NAMES.get(name, name)} {summary.header.oracle_version}".strip()
    return f"{text} ({recorded} answers)" if recorded == "recorded" else f"{text}{', ' + recorded if recorded else ''}"


def implementation(summary: Summary) -> str:
    """The implementation and its version."""
    return f"{summary.header.implementation} {summary.header.implementation_version}".strip()


def many(count: int, noun: str, plural: str | None = None) -> str:
    """A count with its noun: `1 cause`, `2,000 causes`."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def percent(part: int, whole: int) -> str:
    """A share as one reads it, never rounded up to 100% or down to 0%."""
    if whole == 0:
        return "0%"
    share = 100 * part / whole
    if 0 < share < 0.1:
        return "under 0.1%"
    if 99.9 < share < 100:
        return "over 99.9%"
    return f"{share:.1f}%".replace(".0%", "%")


def pairs(summary: Summary) -> str:
    """Whether features met one another, and which did so least; empty where no pair was counted."""
    if not summary.pairs:
        return ""
    rarest = summary.pairs[0]
    met = f"{len(summary.pairs)} pairs of features were counted"
    return f"{met}; the rarest, {rarest.feature}, is in {many(rarest.count, 'generated program')}."


def verdict(summary: Summary) -> tuple[str, str]:
    """The sentence of verdict in two halves: on how many programs the two agree, and what stands between them."""
    if summary.total == 0:
        return "Nothing was checked", "no program was run, so this report says nothing about the implementation"
    if summary.judged == 0:
        return "Nothing was checked", f"the implementation supports none of {many(summary.total, 'program')}"
    return f"Agrees with {oracle(summary)} on {_extent(summary)}", _differences(summary)


def _extent(summary: Summary) -> str:
    """On how many programs: `9,412 of 9,500 programs`, `all 40 programs that it supports`."""
    agrees, judged = summary.count("agrees"), summary.judged
    supported = " that it supports" if judged < summary.total else ""
    if agrees == judged:
        return (f"all {judged:,} programs" if judged > 1 else "the one program") + (
            supported or " asked" * (judged == 1)
        )
    number = f"{agrees:,}" if agrees else "none"
    return f"{number} of {many(judged, 'program')}{supported}"


def stale(one: Stale) -> str:
    """An expectation that no longer holds, and what to do about it, in one sentence."""
    return (
        f"{one.rule} is expected to deviate ({one.kind}: {one.reason}) and no longer does: "
        "take the entry out of the expectation file."
    )


def _differences(summary: Summary) -> str:
    text = _causes(summary)
    return f"{text}; {many(len(summary.stale), 'expectation')} no longer true" if summary.stale else text


def _causes(summary: Summary) -> str:
    causes = len(summary.causes) + len(summary.unshrunk)
    if causes == 0:
        others = len(summary.without_cause)
        return f"{many(others, 'program')} without a known cause" if others else "no difference was found"
    text = f"{many(causes, 'cause')} of difference"
    if summary.expected == causes:
        return f"{text}, expected" if causes == 1 else f"{text}, all of them expected"
    return f"{text}, {summary.expected:,} of them expected" if summary.expected else text


def completeness(summary: Summary) -> str:
    """Whether the run came to its end, in one sentence."""
    planned = summary.header.planned
    if summary.complete:
        return f"The run came to its end: all {many(planned, 'planned program')} were run."
    if not summary.total:
        return f"The run ended before the first of {many(planned, 'planned program')}."
    done = f"{summary.total:,} of {many(planned, 'planned program')}"
    return f"The run was interrupted after {done}: what follows is about those alone."


def worth(summary: Summary) -> list[tuple[str, str]]:
    """What the verdict is worth: (topic, sentence) pairs, in order of weight."""
    if summary.judged == 0:
        return []
    rows = [("Judged", _judged(summary))]
    if summary.generated:
        rows += [("Substance", _substance(summary)), ("Set aside", _set_aside(summary))]
    if summary.rules:
        rows.append(("Rules", _rules(summary)))
    return rows


def level(result: LevelResult) -> str:
    """One level in words: `38 of 52 rules hold, agrees on 312 of 340 programs that it supports (of 400 asked)`."""
    agrees = f"{result.agree:,} of {many(result.supported, 'program')}"
    rest = f" that it supports (of {result.programs:,} asked)" if result.supported < result.programs else ""
    rules = f"{result.rules_hold:,} of {many(result.rules, 'rule')} hold"
    return f"{rules}, agrees on {agrees}{rest}" if result.programs else f"{rules}, nothing was asked"


def answered(summary: Summary) -> str:
    """How much of what it could answer an implementation answered; "" where it has every op that was asked."""
    count, of = summary.answered
    if not of or of == summary.total:
        return ""
    return f"{percent(count, of)} of the programs that use only ops it has ({count:,} of {of:,})"


def claim(one: Capability) -> str:
    """What came of a claim, in few words."""
    if one.claim == "yes":
        if one.probe == "missing":
            return "claimed, but not there"
        return "claimed and shown" if one.agree else "claimed, and never right" if one.differ else "claimed, not asked"
    if one.claim == "no":
        return "not claimed, and yet it works" if one.agree and not one.differ else "not claimed"
    if one.probe == "missing":
        return "not there"
    return "shown" if one.agree else "there, and never right" if one.differ else "not asked"


def _substance(summary: Summary) -> str:
    few = summary.generated >= SHARES_FROM and summary.finite_nonzero < LEAST_FINITE_NONZERO * summary.generated
    share = percent(summary.finite_nonzero, summary.generated)
    least = f"at least {LEAST_FINITE_NONZERO:.0%}{': too few' if few else ''}"
    return f"{share} of generated programs compare a finite non-zero gradient ({least})."


def _set_aside(summary: Summary) -> str:
    ill = summary.count("ill-conditioned")
    high = ": too many" if ill > max(3, MOST_ILL_CONDITIONED * summary.total) else ""
    most = f"at most {MOST_ILL_CONDITIONED:.0%}{high}"
    return f"{percent(ill, summary.total)} ill-conditioned ({most}), counted and never passed."


def _judged(summary: Summary) -> str:
    parts = {lane: count for lane, count, _ in summary.lanes}
    words = []
    if parts.get("exact"):
        words.append(f"{parts['exact']:,} exactly, to the last bit")
    if parts.get("numeric"):
        words.append(f"{parts['numeric']:,} within a running error bound{_bound(summary)}")
    if parts.get("structural"):
        words.append(f"{parts['structural']:,} by structure alone")
    return "; ".join(words) + "." if words else "No program could be judged."


def _bound(summary: Summary) -> str:
    """The bounds in words. `1e-06` is written `1e-6`."""
    if summary.bound is None:
        return ""
    median, largest = (f"{bound:.0e}".replace("e-0", "e-") for bound in summary.bound)
    return f" (relative: median {median}, largest {largest})"


def _rules(summary: Summary) -> str:
    counts = {
        status: sum(rule.status == status for rule in summary.rules) for status in ("passed", "failed", "expected")
    }
    text = f"{counts['passed']:,} of {many(len(summary.rules), 'rule')} hold"
    extra = [f"{counts['failed']:,} broken"] * bool(counts["failed"]) + [
        f"{counts['expected']:,} broken as expected"
    ] * bool(counts["expected"])
    return ", ".join([text, *extra]) + "."
