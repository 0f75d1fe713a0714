"""Run tapes of other projects one after the other, into one matrix: `tapecheck third-parties`.

    tapecheck third-parties --environments .libraries --install        makes an environment for each, then runs all
    tapecheck third-parties torch jax --programs 2500

What is not installed, or fails at its start, is told in a sentence, and the rest runs. Each tape gets a folder with its
records and report; the matrix is `index.html`, led by the reference engine.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

import reports
from adapters import NAMES, AdapterError
from adapters.third_party import ENVIRONMENTS, THIRD_PARTIES, NotInstalled, ThirdParty, command_of
from conformance.running.plan import DEFAULT_SEED, Plan
from reports.records import End, Header, Notice, Record

PROGRAMS = 1_000  # for this project's own tapes, which show what the harness adds
NOTHING, FAILED = 3, 2  # exit codes
Execute = Callable[[Plan, str, Path], int]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The grammar of the command."""
    parser.add_argument("names", nargs="*", help=f"some of {', '.join((*NAMES, *THIRD_PARTIES))}; all when absent")
    parser.add_argument("--environments", type=Path, help="a folder of environments, one for each library")
    parser.add_argument("--install", action="store_true", help="make the environments that are missing")
    parser.add_argument("--programs", type=int, help="generated programs for each, besides the corpus")
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED)
    parser.add_argument("--oracle", default="tensorflow")
    parser.add_argument("--out", type=Path, default=Path("reports/html/third-parties"))


def main(asked: argparse.Namespace, command: str, execute: Execute) -> int:
    """Run what is here: 0 where all agree as expected, 1 where one differs, 2 where one failed, 3 where none is."""
    unknown = [name for name in asked.names if name not in (*NAMES, *THIRD_PARTIES)]
    if unknown:
        raise SystemExit(f"tapecheck: {unknown[0]!r} is no third party; there are {', '.join(THIRD_PARTIES)}")
    if asked.environments is not None:
        os.environ[ENVIRONMENTS] = str(asked.environments.resolve())
    codes = [_ran(name, asked, execute) for name in asked.names or (*NAMES, *THIRD_PARTIES)]
    made = write_matrix(asked.out)
    if made is not None:
        print(f"Matrix:  {made}")
    return max((code for code in codes if code != NOTHING), default=NOTHING)


def _ran(name: str, asked: argparse.Namespace, execute: Execute) -> int:
    """Run one tape, whatever comes of it: its exit code, `NOTHING` where it is not here."""
    report, party = asked.out / name / "index.html", THIRD_PARTIES.get(name)
    absent = _absent(name, asked.environments, asked.install)
    if absent:
        told_why(name, absent, report)
        return NOTHING
    print(f"== {name}", flush=True)
    programs = asked.programs or (party.programs if party else PROGRAMS)
    shrink_calls = party.shrink_calls if party else None
    plan = Plan(name, asked.oracle, seed=asked.seed, programs=programs, shrink_calls=shrink_calls)
    try:
        return execute(plan, f"tapecheck run {name} --programs {programs} --seed {asked.seed}", report)
    except (AdapterError, reports.ReportError, reports.RecordsError, OSError) as error:
        told_why(name, str(error), report)
        return FAILED


def told_why(name: str, why: str, report: Path) -> None:
    """Records that say in a sentence why a tape was not run, so that the matrix can say it too."""
    sentence = f"Not run: {why.rstrip('.')}."
    print(f"{name}: {sentence}\n")
    report.parent.mkdir(parents=True, exist_ok=True)
    records = report.parent / "records.jsonl"
    records.unlink(missing_ok=True)
    report.unlink(missing_ok=True)
    reports.write(
        [Header(name, "", "tensorflow", "", "", "", 0, 0), Notice(sentence), End("completed", FAILED)], records
    )


def _absent(name: str, environments: Path | None, install: bool) -> str:
    """Why a tape cannot be run, in a sentence; "" when it can."""
    if name in NAMES:
        return ""
    try:
        command_of(name, environments)
    except NotInstalled as missing:
        if not (install and environments):
            return str(missing)
        return _installed(THIRD_PARTIES[name], environments / name)
    return ""


def _installed(party: ThirdParty, folder: Path) -> str:
    """Make an environment for a third party. Why that failed, in a sentence; "" when it did not."""
    folder.mkdir(parents=True, exist_ok=True)
    if party.adapter:
        venv.create(folder, with_pip=True)
        command = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", *party.requirements]
    else:
        command = ["npm", "install", "--silent", "--prefix", str(folder), *party.requirements]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        return f"{party.sentence} could not be installed: {error}"
    said = (done.stderr.strip() or done.stdout.strip()).splitlines()
    return (
        f"{party.sentence} could not be installed: {said[-1] if said else 'no reason given'}" if done.returncode else ""
    )


def write_matrix(folder: Path) -> Path | None:
    """One report of all the records in a folder, the reference engine first, and `matrix.md`; None: there are none."""
    files = sorted(folder.glob("*/records.jsonl"), key=lambda path: (path.parent.name != "reference", path.parent.name))
    runs: list[list[Record]] = [reports.read([path]) for path in files]
    if not runs:
        return None
    page = folder / "index.html"
    reports.write_html(runs[0], page, others=runs[1:])
    reports.write_text(reports.markdown_matrix([reports.summarise(run) for run in runs]), folder / "matrix.md")
    return page


if __name__ == "__main__":
    from conformance.command_line import main as command_line

    sys.exit(command_line(["third-parties", *sys.argv[1:]]))
