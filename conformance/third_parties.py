"""Run tapes of other projects one after the other, into one matrix: `tapecheck third-parties`.

    tapecheck third-parties --environments .libraries --install        makes an environment for each, then runs all
    tapecheck third-parties torch jax --programs 2500

What is not installed is told in a sentence, and the rest runs. Each tape gets a folder with its records and report; the
matrix is `index.html`, led by the reference engine.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import venv
from collections.abc import Callable, Sequence
from pathlib import Path

import reports
from adapters import NAMES
from adapters.third_party import ENVIRONMENTS, THIRD_PARTIES, NotInstalled, ThirdParty, command_of
from conformance.running.plan import Plan
from reports.records import Capability, Outcome, Record

PROGRAMS = 2_500
Execute = Callable[[Plan, str, Path], int]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The grammar of the command."""
    parser.add_argument("names", nargs="*", help=f"some of {', '.join((*NAMES, *THIRD_PARTIES))}; all when absent")
    parser.add_argument("--environments", type=Path, help="a folder of environments, one for each library")
    parser.add_argument("--install", action="store_true", help="make the environments that are missing")
    parser.add_argument(
        "--programs", type=int, default=PROGRAMS, help="generated programs for each, besides the corpus"
    )
    parser.add_argument("--oracle", default="tensorflow")
    parser.add_argument("--out", type=Path, default=Path("reports/html/third-parties"))


def main(asked: argparse.Namespace, command: str, execute: Execute) -> int:
    """Run what is installed; 0 when no tape differs unexpectedly, 1 when one does, 3 when nothing could be run."""
    unknown = [name for name in asked.names if name not in (*NAMES, *THIRD_PARTIES)]
    if unknown:
        raise SystemExit(f"tapecheck: {unknown[0]!r} is no third party; there are {', '.join(THIRD_PARTIES)}")
    if asked.environments is not None:
        os.environ[ENVIRONMENTS] = str(asked.environments.resolve())
    codes = []
    for name in asked.names or (*NAMES, *THIRD_PARTIES):
        absent = _absent(name, asked.environments, asked.install)
        if absent:
            print(f"{name}: not run. {absent}.\n")
            continue
        print(f"== {name}")
        plan = Plan(name, asked.oracle, programs=asked.programs)
        codes.append(
            execute(plan, f"tapecheck run {name} --programs {asked.programs}", asked.out / name / "index.html")
        )
    made = write_matrix(asked.out)
    if made is not None:
        print(f"Matrix:  {made}")
    return max(codes) if codes else 3


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
    """One report of all the records in a folder, the reference engine first; None where there are none."""
    files = sorted(folder.glob("*/records.jsonl"), key=lambda path: (path.parent.name != "reference", path.parent.name))
    runs: list[list[Record]] = [reports.read([path]) for path in files]
    if not runs:
        return None
    page = folder / "index.html"
    reports.write_html(runs[0], page, others=runs[1:])
    return page


def answered(records: Sequence[Record]) -> tuple[int, int]:
    """Of the programs that use only ops the tape has: how many were answered, and how many there are."""
    lacking = {
        one.name
        for one in records
        if isinstance(one, Capability) and one.kind == "op" and (one.probe == "missing" or one.claim == "no")
    }
    known = {one.name for one in records if isinstance(one, Capability) and one.kind == "op"}
    asked = [one for one in records if isinstance(one, Outcome) and set(one.ops) <= known - lacking]
    return sum(one.verdict != "unsupported" for one in asked), len(asked)


if __name__ == "__main__":
    from conformance.command_line import main as command_line

    sys.exit(command_line(["third-parties", *sys.argv[1:]]))
