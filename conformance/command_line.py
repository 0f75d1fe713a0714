"""The `tapecheck` command.

tapecheck run NAME              check a tape, write the report         exit 0 agrees, 1 differs,
tapecheck replay NAME           the pinned corpus, without TensorFlow       2 the harness failed, 3 nothing was checked
tapecheck relations NAME        what must hold between a tape's own answers, without any oracle
tapecheck explain WATCH-03      a rule, its program as a script, and what TensorFlow answers
tapecheck script FILE           a stored program as a TensorFlow script
tapecheck report FILE ...       an HTML report of record files
tapecheck diff OLD NEW          what changed between two record files
tapecheck new-adapter NAME      an adapter to be filled in, which already runs
tapecheck smoke NAME            is the adapter itself all right?
tapecheck expect --from FILE    the expectation file of a run, to be edited
tapecheck third-parties         PyTorch, JAX, TensorFlow.js ... into one matrix report
tapecheck tf-versions           the pinned rules on several versions of TensorFlow
tapecheck coverage NAME         which of TensorFlow's gradient functions programs that agree have called
tapecheck coverage --each 200   so many programs of every op, until all that it can draw was hit
"""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import reports
from adapters import AdapterError, FailedToStart, open_tape
from adapters.language import Program
from adapters.program_json import ProgramError, dumps
from conformance import corpus, pin, rules, tf_versions, third_parties
from conformance.bringing import expect, new_adapter, smoke
from conformance.coverage import kept
from conformance.coverage.count import count, write_counts
from conformance.coverage.each import Request, ask_each, oracle_of
from conformance.levels import NAMES as LEVEL_NAMES
from conformance.running.campaign import chunks_of
from conformance.running.here import importable_from_here
from conformance.running.plan import DEFAULT_SEED, PROFILES, Chunk, Plan, PlanError
from conformance.running.run import Ending, Finished, RunFolder, default_report, finish, not_started, work
from conformance.running.session import NOBODY, Abandoned, Session, believed
from conformance.running.stored import programs_in
from conformance.scripting.script import script

ERRORS = (
    AdapterError,
    PlanError,
    ProgramError,
    corpus.CorpusError,
    rules.RuleError,
    reports.RecordsError,
    reports.ReportError,
    OSError,
)


def parser() -> argparse.ArgumentParser:
    """The command's grammar."""
    top = argparse.ArgumentParser(prog="tapecheck", description="Check gradient tapes against tf.GradientTape.")
    commands = top.add_subparsers(dest="command", required=True)
    _add_runs(commands)
    _add_programs(commands)
    _add_records(commands)
    smoke.add_arguments(commands.add_parser("smoke", help="test an adapter before the tape"))
    new_adapter.add_arguments(commands.add_parser("new-adapter", help="write an adapter to be filled in"))
    expect.add_arguments(commands.add_parser("expect", help="write the expectation file of a run"))
    third_parties.add_arguments(
        commands.add_parser("third-parties", help="run tapes of other projects into one matrix")
    )
    tf_versions.add_arguments(commands.add_parser("tf-versions", help="the pinned rules on versions of TensorFlow"))
    return top


def _add_runs(commands: Any) -> None:
    run = commands.add_parser("run", help="check a tape and write the report")
    run.add_argument("implementation", help="a name, a tf-shaped module, or package.module:Class")
    run.add_argument("--oracle", default="tensorflow")
    run.add_argument("--profile", default="default", choices=sorted(PROFILES))
    run.add_argument("--programs", type=int)
    run.add_argument("--seed", type=int, default=DEFAULT_SEED)
    run.add_argument("--rule")
    run.add_argument("--ops")
    run.add_argument("--max-seconds", type=float)
    run.add_argument("--timeout", type=float, help="seconds that the tape may take for one program (20)")
    run.add_argument("--in-process", action="store_true", help="run the tape in this process, for debugging")
    run.add_argument("--level", choices=LEVEL_NAMES, help="ask nothing beyond this level")
    run.add_argument("--expectations")
    run.add_argument("--no-corpus", action="store_true")
    run.add_argument("--wrong-calls", action="store_true", help="ask only calls with one wrong argument, op by op")
    run.add_argument("--report", type=Path)
    replay = commands.add_parser("replay", help="run stored programs: the pinned corpus, or a file's")
    replay.add_argument("implementation")
    replay.add_argument("file", nargs="?", help="a program, or the records of a run; the pinned corpus when absent")
    replay.add_argument("--cause", help="only the program of this cause")
    replay.add_argument("--oracle", help="default: recorded answers for the corpus, tensorflow for a file")
    replay.add_argument("--rule")
    replay.add_argument("--report", type=Path)
    replay.add_argument("--repin", action="store_true", help="keep the answers that differ from the recorded ones")


def _add_programs(commands: Any) -> None:
    related = commands.add_parser("relations", help="what must hold between a tape's own answers, whatever is right")
    related.add_argument("implementation")
    related.add_argument("--programs", type=int, default=500)
    related.add_argument("--seed", type=int, default=DEFAULT_SEED)
    related.add_argument("--rule", help="a pattern of rule ids, such as REL-07")
    related.add_argument("--ops")
    related.add_argument("--report", type=Path)
    explain = commands.add_parser("explain", help="what a rule says and the program that shows it")
    explain.add_argument("rule")
    as_script = commands.add_parser("script", help="print a stored program as a TensorFlow script")
    as_script.add_argument("file")


def _add_records(commands: Any) -> None:
    report = commands.add_parser("report", help="an HTML report of record files")
    report.add_argument("records", nargs="+", type=Path)
    report.add_argument("--out", type=Path)
    report.add_argument("--previous", type=Path, help="records of an earlier run, to tell what changed since")
    report.add_argument("--trend", type=Path, help="a folder of record files, one a run, in the order of their names")
    diff = commands.add_parser("diff", help="what changed between two record files")
    diff.add_argument("old", type=Path)
    diff.add_argument("new", type=Path)
    coverage = commands.add_parser("coverage", help="which of TensorFlow's gradient functions agreeing programs call")
    coverage.add_argument("implementation", nargs="?", default="reference")
    coverage.add_argument("--programs", type=int, default=PROFILES["default"])
    coverage.add_argument("--seed", type=int, default=DEFAULT_SEED)
    coverage.add_argument(
        "--ops", default="?*", help="those that fit; all by default, also those drawn only when named"
    )
    coverage.add_argument("--no-corpus", action="store_true")
    coverage.add_argument("--json", type=Path, help="keep the counts in this file")
    coverage.add_argument("--least", type=int, default=0, help="exit 1 when fewer are covered")
    coverage.add_argument("--each", type=int, help="so many programs of each op, and all that it can draw is hit")
    coverage.add_argument("--most", type=int, default=600, help="with --each: the most programs asked of one op")
    coverage.add_argument(
        "--resume", action="store_true", help="with --each: leave out the ops that lack nothing in --json"
    )
    coverage.add_argument("--differing", type=Path, help="with --each: add what differs to this file, for `replay`")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; every failure of the request or the harness is one sentence and exit code 2."""
    importable_from_here()
    given = list(sys.argv[1:] if arguments is None else arguments)
    asked = parser().parse_args(given)
    try:
        return HANDLERS[asked.command](asked, "tapecheck " + shlex.join(given))
    except ERRORS as error:
        print(f"tapecheck: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("tapecheck: interrupted", file=sys.stderr)
        return 130


def run(asked: argparse.Namespace, command: str) -> int:
    plan = Plan(
        implementation=asked.implementation,
        oracle=asked.oracle,
        profile=asked.profile,
        seed=asked.seed,
        programs=asked.programs,
        corpus=not asked.no_corpus and not asked.wrong_calls,
        wrong_calls=asked.wrong_calls,
        rule=asked.rule,
        ops=asked.ops,
        max_seconds=asked.max_seconds,
        level=asked.level,
        timeout=asked.timeout,
        in_process=asked.in_process,
        expectations=asked.expectations,
    )
    return execute(believed(plan), command, asked.report)


def replay(asked: argparse.Namespace, command: str) -> int:
    if asked.repin:
        return repin(asked.implementation)
    oracle = asked.oracle or ("tensorflow" if asked.file else "recorded")
    plan = Plan(
        implementation=asked.implementation,
        oracle=oracle,
        rule=asked.rule,
        programs=0,
        replay=asked.file,
        cause=asked.cause,
    )
    return execute(believed(plan), command, asked.report)


def repin(implementation: str) -> int:
    """Record the corpus anew where its answers are no longer given."""
    if implementation != "tensorflow":
        print("Only TensorFlow's answers are recorded: tapecheck replay tensorflow --repin", file=sys.stderr)
        return 2
    with open_tape(implementation) as tape:
        changed = pin.repin(tape)
        print(f"{tape.identity().name} {tape.identity().version} answers {len(changed)} pinned programs otherwise.")
    for one in changed:
        print(f"  {one}")
    return 0


def relations(asked: argparse.Namespace, command: str) -> int:
    plan = Plan(
        implementation=asked.implementation,
        oracle=NOBODY,
        seed=asked.seed,
        programs=asked.programs,
        rule=asked.rule,
        ops=asked.ops,
        corpus=False,
        only_relations=True,
    )
    return execute(plan, command, asked.report)


def execute(plan: Plan, command: str, report: Path | None) -> int:
    """Run a plan in this process, with progress on the terminal, and print how it ended."""
    chunks, page = chunks_of(plan), report or default_report()
    folder, began = RunFolder(), time.monotonic()
    with Session(plan) as session:
        try:
            session.tape.identity()
        except FailedToStart as failed:
            print(not_started(plan, command, str(failed), page).text)
            raise
        notices, interrupted, done = _worked(chunks, session, folder, began)
        _progress("")
        seconds = time.monotonic() - began
        finished: Finished = finish(
            Ending(plan, command, chunks, interrupted, notices, seconds=seconds), folder, session, page
        )
    print(finished.text)
    if plan.programs == 0 and done:  # without imports and the report
        print(f"Replayed {done:,} programs in {seconds:.2f} s: {done / seconds:,.0f} a second.")
    return 130 if interrupted else finished.exit_code


def _worked(
    chunks: Sequence[Chunk], session: Session, folder: RunFolder, began: float
) -> tuple[tuple[str, ...], bool, int]:
    """Run the chunks: what is to be told of the run, whether it was interrupted, how many programs were judged."""
    done = different = 0
    limit = session.plan.max_seconds
    try:
        for chunk in chunks:
            if limit is not None and time.monotonic() - began > limit:
                break
            result = work(chunk, session, folder)
            done, different = done + result.programs, different + result.differing
            _progress(f"{done} programs, {different} differ")
    except Abandoned as abandoned:
        return (str(abandoned),), False, done
    except KeyboardInterrupt:
        return (), True, done
    return (), False, done


def _progress(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def explain(asked: argparse.Namespace, command: str) -> int:
    rule = rules.find(asked.rule)
    print(f"{rule.id}  {rule.sentence}\n  standing: {rule.standing}; source: {rule.source}")
    if rule.not_pinned:
        print(f"  not pinned: {rule.not_pinned}")
        return 0
    for pinned in corpus.load(rule.group):
        if rule.id in pinned.rules:
            print("\n" + script(pinned.program, pinned.answers))
    return 0


def print_script(asked: argparse.Namespace, command: str) -> int:
    for program in programs_in(Path(asked.file)):
        print(script(program, None))
    return 0


def report(asked: argparse.Namespace, command: str) -> int:
    out = asked.out or default_report()
    first, *others = reports.read_runs(asked.records)
    previous = reports.read(asked.previous) if asked.previous else None
    files = sorted(asked.trend.glob("*.jsonl")) if asked.trend else []
    history = {file.stem: reports.read(file) for file in files}
    reports.write_html(first, out, others=others, previous=previous, history=history)
    print(f"Report: {out}")
    return 0


def diff(asked: argparse.Namespace, command: str) -> int:
    changes = reports.diff(reports.read(asked.old), reports.read(asked.new))
    _told("new", (f"{row.cause.id}  {row.cause.title}" for row in changes.added))
    _told("gone", (f"{row.cause.id}  {row.cause.title}" for row in changes.fixed))
    _told("changed", (f"{one.row.cause.id}  {one.row.cause.title}: {one.what}" for one in changes.changed))
    _told("rules", (f"{one.rule}: {one.before} -> {one.after}" for one in changes.rules))
    if changes.doubt:
        print(changes.doubt)
    return 1 if changes.added else 0


def _told(word: str, lines: Iterable[str]) -> None:
    every = list(lines)
    print(f"{word}: {len(every)}", *every, sep="\n  ")


def coverage(asked: argparse.Namespace, command: str) -> int:
    plan = Plan(
        implementation=asked.implementation,
        seed=asked.seed,
        programs=asked.programs,
        corpus=not asked.no_corpus,
        ops=asked.ops,
    )
    if asked.each is not None:
        return _each(asked, plan)
    with Session(plan, gradients=True) as session:
        try:
            counts = count(session, chunks_of(plan), _progress)
        except Abandoned as abandoned:
            return _given_up(abandoned)
    _progress("")
    print(counts.told())
    if asked.json:
        write_counts(counts, asked.json)
    return 0 if len(counts.covered) >= asked.least else 1


def _each(asked: argparse.Namespace, plan: Plan) -> int:
    """Every op that fits the pattern on its own; what is kept stays whole when the run is stopped."""
    request = Request(asked.each, max(asked.most, asked.each), _adding_to(asked.differing))
    with Session(plan, gradients=True) as session:
        alike = {"seed": asked.seed, "tensorflow": session.oracle_identity().version}
        found = kept.opened(asked.json, alike, oracle_of(session).kernels())
        fresh: list[str] = []
        try:
            for name, counts in ask_each(session, request, found.enough(asked.each) if asked.resume else ()):
                found.add(name, counts)
                fresh.append(name)
                if asked.json:
                    kept.write(found, asked.json)
                _progress(f"{len(fresh)} ops, {name}: {counts.counted}")
        except Abandoned as abandoned:
            return _given_up(abandoned)
    _progress("")
    faults = found.faults(asked.each, None if asked.resume else fresh)
    print(*faults, found.told(), sep="\n")
    return int(bool(faults) or len(found.covered) < asked.least)


def _given_up(abandoned: Abandoned) -> int:
    """The tape answers no more: what was kept until then stays, and the command ends with 1."""
    _progress("")
    print(abandoned)
    return 1


def _adding_to(path: Path | None) -> Callable[[Program], None]:
    """Adds programs to a file, one a line."""

    def add(program: Program) -> None:
        if path is not None:
            with path.open("a", encoding="utf-8") as file:
                file.write(dumps(program) + "\n")

    return add


def run_third_parties(asked: argparse.Namespace, command: str) -> int:
    return third_parties.main(asked, command, lambda plan, line, report: execute(believed(plan), line, report))


def run_tf_versions(asked: argparse.Namespace, command: str) -> int:
    return tf_versions.main(asked, command, execute)


HANDLERS = {
    "coverage": coverage, "diff": diff, "run": run, "relations": relations, "replay": replay, "explain": explain,
    "script": print_script, "report": report, "smoke": smoke.main, "new-adapter": new_adapter.main,
    "expect": expect.main, "third-parties": run_third_parties, "tf-versions": run_tf_versions,
}  # fmt: skip

if __name__ == "__main__":
    raise SystemExit(main())
