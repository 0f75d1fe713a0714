"""The sentences that every report says alike: the verdict, what it is worth, whether the run came to its end."""

from __future__ import annotations

from reports.summary import LEAST_FINITE_NONZERO, MOST_ILL_CONDITIONED, Summary

NAMES = {"tensorflow": "TensorFlow", "reference": "the reference engine", "recorded": "TensorFlow's recorded answers"}


def oracle(summary: Summary) -> str:
    """The oracle and its version, as one reads it: `TensorFlow 2.21.0`."""
    name = NAMES.get(summary.header.oracle, summary.header.oracle)
    return f"{name} {summary.header.oracle_version}".strip()


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


def verdict(summary: Summary) -> tuple[str, str]:
    """The sentence of verdict in two halves: on how many programs the two agree, and what stands between them."""
    if summary.total == 0:
        return "Nothing was checked", "no program was run, so this report says nothing about the implementation"
    agrees = summary.count("agrees")
    if agrees == summary.total:
        number = f"all {summary.total:,} programs" if summary.total > 1 else "the one program asked"
        return f"Agrees with {oracle(summary)} on {number}", _differences(summary)
    if agrees == 0:
        return f"Agrees with {oracle(summary)} on none of {many(summary.total, 'program')}", _differences(summary)
    return f"Agrees with {oracle(summary)} on {agrees:,} of {many(summary.total, 'program')}", _differences(summary)


def _differences(summary: Summary) -> str:
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
    done = f"{summary.total:,} of {many(planned, 'planned program')}"
    return f"The run was interrupted after {done}: what follows is about those alone."


def worth(summary: Summary) -> list[tuple[str, str]]:
    """What the verdict is worth: (topic, sentence) pairs, in order of weight."""
    if summary.total == 0:
        return []
    rows = [("Judged", _judged(summary))]
    share = percent(summary.finite_nonzero, summary.total)
    low = "" if summary.finite_nonzero >= LEAST_FINITE_NONZERO * summary.total else ": too few"
    rows.append(
        (
            "Substance",
            f"{share} of programs compare a finite non-zero gradient (at least {LEAST_FINITE_NONZERO:.0%}{low}).",
        )
    )
    ill = summary.count("ill-conditioned")
    high = "" if ill <= MOST_ILL_CONDITIONED * summary.total else ": too many"
    rows.append(
        (
            "Set aside",
            f"{percent(ill, summary.total)} ill-conditioned (at most {MOST_ILL_CONDITIONED:.0%}{high}), "
            f"counted and never passed.",
        )
    )
    if summary.rules:
        rows.append(("Rules", _rules(summary)))
    return rows


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
