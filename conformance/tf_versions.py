"""TensorFlow's versions beside each other: `tapecheck tf-versions`.

    tapecheck tf-versions --environments .tensorflows --install        makes an environment for each, then runs all
    tapecheck tf-versions 2.16 2.21 --environments .tensorflows

Each version runs the pinned corpus in an environment of its own, behind the process protocol, and is judged by the
recorded answers of the pinned version: so one sees which rules changed, and when. The report compares the versions;
`versions.md` beside it lists the rules.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import venv
from pathlib import Path

import reports
from adapters import AdapterError
from adapters.third_party import serving
from conformance.running.plan import Plan
from conformance.third_parties import FAILED, NOTHING, Execute, told_why
from reports.records import Record

VERSIONS = {  # the last patch of each
    "2.16": "2.16.2", "2.17": "2.17.1", "2.18": "2.18.1", "2.19": "2.19.1", "2.20": "2.20.0", "2.21": "2.21.0",
}  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The grammar of the command."""
    parser.add_argument("versions", nargs="*", help=f"some of {', '.join(VERSIONS)}; all when absent")
    parser.add_argument("--environments", type=Path, required=True, help="a folder of environments, one for each")
    parser.add_argument("--install", action="store_true", help="make the environments that are missing")
    parser.add_argument("--rule", help="a pattern of rule ids")
    parser.add_argument("--out", type=Path, default=Path("reports/html/tf-versions"))


def main(asked: argparse.Namespace, command: str, execute: Execute) -> int:
    """Run what is here: 0 where at least one version ran, 2 where one failed to start, 3 where none is here."""
    unknown = [version for version in asked.versions if version not in VERSIONS]
    if unknown:
        raise SystemExit(f"tapecheck: {unknown[0]!r} is none of {', '.join(VERSIONS)}")
    codes = [_ran(version, asked, execute) for version in asked.versions or VERSIONS]
    runs = runs_in(asked.out)
    if runs:
        summaries = [reports.summarise(run) for run in runs]
        reports.write_html(runs[-1], asked.out / "index.html", others=runs[:-1])
        text = reports.markdown_history(summaries)
        reports.write_text(text, asked.out / "versions.md")
        print(text)
        print(f"Report:  {asked.out / 'index.html'}")
    ran = [code for code in codes if code != NOTHING]
    return NOTHING if not ran else FAILED if FAILED in ran else 0


def _ran(version: str, asked: argparse.Namespace, execute: Execute) -> int:
    report = asked.out / version / "index.html"
    python = asked.environments / version / "bin" / "python"
    if not python.exists() and asked.install:
        why = _installed(version, python.parents[1])
    else:
        why = "" if python.exists() else f"there is no environment {python.parents[1]}"
    if why:
        told_why(f"tensorflow {version}", why, report)
        return NOTHING
    print(f"== tensorflow {VERSIONS[version]}", flush=True)
    served = shlex.join(serving(python, "tensorflow"))
    plan = Plan(f"command: {served}", oracle="recorded", programs=0, rule=asked.rule, shrink_calls=0)
    try:
        execute(plan, f"tapecheck tf-versions {version}", report)
    except (AdapterError, reports.ReportError, reports.RecordsError, OSError) as error:
        told_why(f"tensorflow {version}", str(error), report)
        return FAILED
    return 0


def _installed(version: str, folder: Path) -> str:
    """Make the environment of a version. Why that failed, in a sentence; "" when it did not."""
    venv.create(folder, with_pip=True)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", f"tensorflow=={VERSIONS[version]}"]
    done = subprocess.run(pip, capture_output=True, text=True, check=False)
    said = (done.stderr.strip() or done.stdout.strip()).splitlines()
    return f"it could not be installed: {said[-1] if said else 'no reason given'}" if done.returncode else ""


def runs_in(folder: Path) -> list[list[Record]]:
    """The records of each version in a folder, oldest version first."""
    files = sorted(folder.glob("*/records.jsonl"), key=lambda path: [int(part) for part in path.parent.name.split(".")])
    return [reports.read([path]) for path in files]
