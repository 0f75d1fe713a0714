"""`pytest conformance/` itself, run as a user runs it, with the reference engine in TensorFlow's place."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import reports
from reports.records import Outcome, Record, Timing

ROOT = Path(__file__).resolve().parents[2]


def run_pytest(report: Path, *arguments: str, where: str = "conformance") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", where, "-q", "-p", "no:cacheprovider", "--oracle=reference"]
    return subprocess.run(
        [*command, f"--report={report}", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=1500,
        check=False,
    )


def told(report: Path) -> list[Record]:
    """The records of a run without its times and its command line, in an order that does not depend on workers."""
    records = reports.read([report.parent / "records.jsonl"])
    return sorted((one for one in records if not isinstance(one, Timing) and not hasattr(one, "command")), key=repr)


def test_a_run_ends_with_a_summary_that_says_where_the_report_lies(tmp_path: Path) -> None:
    page = tmp_path / "index.html"
    ran = run_pytest(page, "--programs=60", "--rule=STOP-*")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert f"Report:  {page}" in ran.stdout
    assert page.exists()


def test_two_workers_give_the_records_of_one_process(tmp_path: Path) -> None:
    one, two = tmp_path / "one" / "index.html", tmp_path / "two" / "index.html"
    asked = ("--programs=600", "--no-corpus", "--implementation=tests.mutants:two_faults")
    programs = "conformance/test_agreement.py"  # the other checks do not depend on how many workers there are
    assert run_pytest(one, *asked, where=programs).returncode == 1
    assert run_pytest(two, *asked, "-n", "2", where=programs).returncode == 1
    assert told(one) == told(two)
    assert sum(isinstance(record, Outcome) for record in told(one)) == 600


def test_an_unknown_implementation_ends_the_run_with_a_sentence(tmp_path: Path) -> None:
    ran = run_pytest(tmp_path / "index.html", "--implementation=no_such_tape")
    assert ran.returncode == 4
    assert "there is no implementation called 'no_such_tape'" in ran.stderr
    assert "Traceback" not in ran.stderr
