"""A whole run: chunks in, records and a report out. The pytest plugin and the command line both stand on this.

Every chunk's records go to a file of their own in the run's folder as soon as it is done, so that whatever ends the
process loses the chunk at work and nothing else. `finish` merges them, shrinks one example of each cause, adds the
rules and shares, and writes `records.jsonl` and `index.html`.
"""

from __future__ import annotations

import json
import math
import shutil
import tempfile
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import reports
from adapters.program_json import from_json, to_json
from conformance import corpus, rules
from conformance.capabilities import audit
from conformance.meaning import tally
from conformance.running import expectations
from conformance.running.asked import Asked
from conformance.running.campaign import ChunkResult, Example, run_chunk, shares
from conformance.running.explain import final_cause, unshrunk_cause
from conformance.running.plan import Chunk, Plan
from conformance.running.session import Session
from reports.records import Cause, End, Header, Notice, Outcome, Record, RuleResult, Share, Timing
from reports.summary import MOST_ILL_CONDITIONED, SHARES_FROM

OUTGROWN = "The tape's process held more than 2 GB of memory and was replaced by a new one."
SHRUNK_AT_MOST = 60  # causes; a tape that differs everywhere is not shrunk everywhere


@dataclass(frozen=True, slots=True)
class Finished:
    """The end of a run: 0 agrees, 1 differs, 2 the harness failed, 3 nothing was checked."""

    exit_code: int
    text: str
    records: Path | None
    report: Path | None


def default_report() -> Path:
    """`reports/html/index.html` in a checkout, `tapecheck-report/index.html` elsewhere."""
    here = Path(__file__).resolve().parents[2]
    in_checkout = (here / "pyproject.toml").exists() and (here / "reports").is_dir()
    return (here / "reports" / "html" if in_checkout else Path("tapecheck-report")) / "index.html"


class RunFolder:
    """Where the chunks of one run leave their records until the run is finished."""

    def __init__(self, path: Path | None = None) -> None:
        self.path, self._made = path or Path(tempfile.mkdtemp(prefix="tapecheck-")), path is None

    def clear(self) -> None:
        """Remove the folder, if it was made here: its records are merged and written elsewhere."""
        if self._made:
            shutil.rmtree(self.path, ignore_errors=True)

    def keep(self, result: ChunkResult) -> None:
        """Write a finished chunk's records and examples."""
        name = result.chunk.name
        with reports.Writer(self.path / f"{name}.jsonl") as writer:
            for record in result.all_records():
                writer.write(record)
        result.tally.write(self.path / f"{name}{tally.SUFFIX}")
        examples = {cause: _example_json(example) for cause, example in result.examples.items()}
        (self.path / f"{name}.examples.json").write_text(json.dumps(examples))

    def done(self) -> tuple[str, ...]:
        """Names of the chunks whose records are here."""
        return tuple(sorted(path.name.removesuffix(".examples.json") for path in self.path.glob("*.examples.json")))

    def records(self) -> list[Record]:
        """All records so far; a chunk that was cut off counts with what it wrote."""
        files = sorted(self.path.glob("*.jsonl"))
        return reports.read(files) if files else []

    def examples(self) -> dict[str, Asked]:
        """The smallest example of each cause over all chunks, a pinned one where there is one."""
        best: dict[str, Asked] = {}
        for path in sorted(self.path.glob("*.examples.json")):
            for cause, plain in json.loads(path.read_text()).items():
                asked = _example_from(plain)
                if cause not in best or asked.rank < best[cause].rank:
                    best[cause] = asked
        return best


def _example_json(example: Example) -> dict[str, object]:
    asked = example.asked
    return {"program": to_json(asked.program), "origin": asked.origin, "rules": asked.rules, "choices": asked.choices}


def _example_from(plain: dict[str, Any]) -> Asked:
    choices = plain["choices"]
    as_choices = None if choices is None else tuple(tuple(choice) for choice in choices)
    program = from_json(plain["program"])
    recorded = corpus.answers_to(program) if plain["origin"] == "corpus" else None
    return Asked(program, plain["origin"], tuple(plain["rules"]), recorded, as_choices)


def work(chunk: Chunk, session: Session, folder: RunFolder) -> ChunkResult:
    """Run one chunk and keep what it recorded, even when it is interrupted."""
    result, before = ChunkResult(chunk), session.outgrown
    try:
        run_chunk(result, session)
    finally:
        result.records += [Notice(OUTGROWN)] * (session.outgrown - before)
        folder.keep(result)
    return result


def surprises(result: ChunkResult, session: Session) -> list[str]:
    """A line for each cause of a chunk that no expectation speaks of."""
    shown: dict[str, tuple[Sequence[str], Collection[str]]] = {
        cause: (example.judged.signature, _used(example)) for cause, example in result.examples.items()
    }
    shown |= {one.id: (one.signature, ()) for one in result.records if isinstance(one, Cause)}
    known = {
        cause
        for cause, (signature, ops) in shown.items()
        if any(entry.fits_signature(signature, ops) for entry in session.expected)
    }
    return replace(result, counts={cause: n for cause, n in result.counts.items() if cause not in known}).told


def _used(example: Example) -> set[str]:
    """What the answer that differs rests on."""
    program, difference = example.asked.program, example.judged.comparison.difference
    return expectations.used(program, len(program.steps) - 1 if difference is None else difference.step)


# ---------------------------------------------------------------- the end of a run


@dataclass(slots=True)
class Ending:
    """What `finish` needs to know about how the run went."""

    plan: Plan
    command: str
    chunks: Sequence[Chunk]
    interrupted: bool = False
    notices: tuple[str, ...] = ()
    seconds: float = 0.0


def not_started(plan: Plan, command: str, why: str, report: Path) -> Finished:
    """The report on a tape whose process died, hung or wrote garbage before it said who it is."""
    records: list[Record] = [
        Header(plan.implementation, "did not start", plan.oracle, "", command, plan.profile, plan.seed, plan.count()),
        Notice(why),
        End("interrupted", 2),
    ]
    return _write(records, 2, report)


def finish(ending: Ending, folder: RunFolder, session: Session, report: Path) -> Finished:
    """Merge, shrink, explain, decide, and write records and report."""
    chunk_records = folder.records()
    outcomes = [one for one in chunk_records if isinstance(one, Outcome)]
    broken = [one for one in chunk_records if isinstance(one, Cause)]  # relations: no oracle, nothing to shrink
    chunk_records = [one for one in chunk_records if not isinstance(one, Cause)]
    causes = _causes(ending, folder.examples(), session) + [expectations.mark(one, session.expected) for one in broken]
    shown = shares(outcomes, session.able)
    ruled = _rule_results(outcomes, causes)
    outdated = [] if ending.interrupted else expectations.stale(session.expected, ruled)
    exit_code, why = _verdict(ending, outcomes, causes, shown)
    if outdated and exit_code in (0, 2):
        exit_code = 1
    records: list[Record] = [
        _header(ending, session, outcomes),
        *chunk_records,
        *causes,
        *ruled,
        *shown,
        *audit.level_results(outcomes, ruled),
        *audit.capabilities(outcomes, session.able),
        *outdated,
        *tally.records(tally.read(folder.path)),
        *(Notice(text) for text in (*ending.notices, *why)),
        Timing("run", ending.seconds),
        End("interrupted" if ending.interrupted else "completed", exit_code),
    ]
    finished = _write(records, exit_code, report)
    if finished.records is not None:
        folder.clear()
    return finished


def _causes(ending: Ending, examples: dict[str, Asked], session: Session) -> list[Cause]:
    causes = []
    for number, (cause, asked) in enumerate(sorted(examples.items())):
        if ending.interrupted or number >= SHRUNK_AT_MOST:
            causes.append(unshrunk_cause(cause, asked, session))
        else:
            causes.append(final_cause(cause, asked, session))
    return [expectations.mark(cause, session.expected) for cause in causes]


def _at_least(share: Share) -> str:
    return f"{100 * share.least:.2g}%" if share.least >= 0.005 else f"{math.ceil(share.least * share.of)}"


def _verdict(
    ending: Ending, outcomes: Sequence[Outcome], causes: Iterable[Cause], shown: Iterable[Share]
) -> tuple[int, list[str]]:
    """Exit code and the sentences that say why."""
    why = []
    if not any(one.verdict != "unsupported" for one in outcomes):
        return 3, ["Nothing was checked: no program was run that the implementation supports."]
    generated = [one for one in outcomes if one.origin == "generated"]
    unsound = sum(one.verdict == "ill-conditioned" for one in generated)
    if generated and unsound > max(3, MOST_ILL_CONDITIONED * len(generated)):
        why.append(f"{unsound} of {len(generated)} generated programs are ill-conditioned; at most 3% may be.")
    if len(generated) >= SHARES_FROM and ending.plan.ops is None and not ending.interrupted:
        why += [
            f"Only {one.count} of {one.of} programs have {one.feature}; {_at_least(one)} must."
            for one in shown
            if one.of and one.count < one.least * one.of
        ]
    crashed = sum(one.verdict == "oracle failed" for one in outcomes)
    if crashed:
        why.append(f"The oracle gave no answer to {crashed} programs.")
    if any(cause.expected is None for cause in causes):
        return 1, why
    return (2, why) if why else (0, why)


def _header(ending: Ending, session: Session, outcomes: Sequence[Outcome]) -> Header:
    tested, believed = session.tape.identity(), session.oracle_identity()
    return Header(
        implementation=tested.name,
        implementation_version=tested.version,
        oracle=believed.name,
        oracle_version=believed.version,
        command=ending.command,
        profile=ending.plan.profile,
        seed=ending.plan.seed,
        planned=max(sum(chunk.count for chunk in ending.chunks), len(outcomes)),
        environment={**session.environment(), **{f"oracle: {k}": v for k, v in believed.details.items()}},
    )


def _rule_results(outcomes: Sequence[Outcome], causes: Sequence[Cause]) -> list[RuleResult]:
    asked: dict[str, list[Outcome]] = {}
    for one in outcomes:
        for shown in one.rules:
            asked.setdefault(shown, []).append(one)
    expected = {cause.id for cause in causes if cause.expected is not None}
    results = []
    for rule in rules.all_rules():
        programs = asked.get(rule.id, [])
        status = _status(programs, expected)
        ids = tuple(sorted({one.program for one in programs}))
        results.append(RuleResult(rule.id, rule.sentence, rule.standing, rule.group, status, ids))
    return results


def _status(programs: Sequence[Outcome], expected: set[str]) -> str:
    verdicts = {"expected" if one.cause in expected else one.verdict for one in programs}
    if not verdicts:
        return "not asked"
    if verdicts & {"differs", "crashed", "timed out"}:
        return "failed"
    if "expected" in verdicts:
        return "expected"
    drawn = all(one.origin == "relation" for one in programs)  # of many drawn programs some may need what a tape lacks
    if verdicts <= {"agrees", "ill-conditioned"} or (drawn and "agrees" in verdicts):
        return "passed"
    return "unsupported" if "unsupported" in verdicts else "not asked"


def _write(records: list[Record], exit_code: int, report: Path) -> Finished:
    """Records first: they survive whatever happens to the page."""
    told: list[str] = []
    previous = _previous(report.parent / "records.jsonl", records)
    kept = _write_records(records, report.parent / "records.jsonl", told)
    page: Path | None = report
    try:
        reports.write_html(records, report, previous=previous)
    except reports.ReportError as error:
        told.append(str(error))
        page, exit_code = None, exit_code or 2
    text = reports.plain_text(reports.summarise(records))
    lines = [text, *told]
    if kept is not None:
        lines.append(f"Records: {kept}")
    if page is not None:
        lines.append(f"Report:  {page}")
    return Finished(exit_code, "\n".join(lines), kept, page)


def _previous(path: Path, records: Sequence[Record]) -> list[Record] | None:
    """The records of the last run of the same tape, for "since the last run"; None where there are none."""
    if not path.is_file():
        return None
    try:
        before = reports.read([path])
    except reports.RecordsError:
        return None  # of another version, or no records: there is nothing to compare with
    asked, known = ({one.implementation for one in some if isinstance(one, Header)} for some in (records, before))
    return before if asked == known else None


def _write_records(records: list[Record], path: Path, told: list[str]) -> Path | None:
    for place in (path, Path(tempfile.gettempdir()) / f"tapecheck-records-{id(records):x}.jsonl"):
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            fresh = place.with_suffix(".new")
            fresh.unlink(missing_ok=True)
            with reports.Writer(fresh) as writer:
                for record in records:
                    writer.write(record)
            fresh.replace(place)
            return place
        except (OSError, reports.RecordsError) as error:
            told.append(str(error))
    return None
