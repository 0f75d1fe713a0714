"""The command: how it ends, and that bad input ends in one clear sentence and loses nothing."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest

import reports
from adapters.language import Array, Constant, Program
from adapters.program_json import to_json
from conformance.__main__ import main as command
from conformance.command_line import main
from reports.records import End, Header, Outcome

HERE = "tests.running.failing_adapters"


def sentence(capsys: pytest.CaptureFixture[str]) -> str:
    """What the command said on standard error: one line that starts with its name."""
    text = capsys.readouterr().err.strip().rpartition("\r\033[K")[2]
    assert text.startswith("tapecheck: ") and "Traceback" not in text and len(text.splitlines()) == 1
    return text


def test_a_run_against_the_reference_itself_agrees_and_leaves_records_and_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, scratch = tmp_path / "deep" / "index.html", tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    code = main(["run", "reference", "--oracle", "reference", "--programs", "60", "--no-corpus", "--report", str(page)])
    assert not list(scratch.iterdir())  # nothing is left behind but records and page
    records = reports.read([page.parent / "records.jsonl"])
    assert code == 0
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert sum(isinstance(one, Outcome) and one.origin == "generated" for one in records) == 60
    assert [one.how for one in records if isinstance(one, End)] == ["completed"]


def test_an_unknown_implementation_is_one_sentence_that_names_what_is_near(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "referense"]) == 2
    assert "did you mean reference?" in sentence(capsys)


def test_an_adapter_that_raises_at_start_is_one_sentence_with_its_own_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", f"{HERE}:RaisesAtStart"]) == 2
    assert "no licence for this tape" in sentence(capsys)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("this is not JSON", "is not JSON"),
        ('{"version": 1, "steps": [{"do": "levitate"}]}', "levitate"),
        ('{"version": 99, "steps": []}', "version"),
        ("[]", "holds no program"),
    ],
)
def test_a_file_that_is_no_program_is_one_sentence(
    text: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "program.json"
    file.write_text(text)
    assert main(["replay", "reference", str(file), "--oracle", "reference"]) == 2
    assert words in sentence(capsys)


def test_a_stored_program_is_replayed(tmp_path: Path) -> None:
    file = tmp_path / "program.json"
    file.write_text(json.dumps(to_json(Program((Constant(Array("float32", (), (1.5,))),)))))
    page = tmp_path / "index.html"
    assert main(["replay", "reference", str(file), "--oracle", "reference", "--report", str(page)]) == 0
    assert page.exists()


def test_a_rule_that_does_not_exist_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "reference", "--rule", "NOPE-99"]) == 2
    assert "NOPE-99" in sentence(capsys)


def test_a_report_that_cannot_be_written_leaves_the_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "index.html"
    page.mkdir()
    code = main(["run", "reference", "--oracle", "reference", "--programs", "20", "--no-corpus", "--report", str(page)])
    records = reports.read([tmp_path / "records.jsonl"])
    assert code == 2
    assert sum(isinstance(one, Outcome) for one in records) == 20
    assert "index.html" in capsys.readouterr().out


def test_a_full_disk_is_said_and_the_records_go_elsewhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no device that is always full")
    (tmp_path / "records.new").symlink_to(full)
    code = main(
        [
            "run",
            "reference",
            "--oracle",
            "reference",
            "--programs",
            "20",
            "--no-corpus",
            "--report",
            str(tmp_path / "i.html"),
        ]
    )
    out = capsys.readouterr().out
    kept = Path(next(line for line in out.splitlines() if line.startswith("Records:")).partition(":")[2].strip())
    assert code in (0, 2)
    assert sum(isinstance(one, Outcome) for one in reports.read([kept])) == 20


def test_an_interrupted_run_still_reports_what_was_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAPECHECK_INTERRUPT_AT", "700")
    page = tmp_path / "index.html"
    code = main(
        [
            "run",
            f"{HERE}:interrupts",
            "--in-process",
            "--oracle",
            "reference",
            "--programs",
            "600",
            "--no-corpus",
            "--report",
            str(page),
        ]
    )
    records = reports.read([tmp_path / "records.jsonl"])
    assert code == 130
    assert [one.how for one in records if isinstance(one, End)] == ["interrupted"]
    assert 0 < sum(isinstance(one, Outcome) for one in records) < 600  # the probes of what the tape has come before
    assert page.exists()


def test_nothing_checked_is_told_by_its_own_exit_code(tmp_path: Path) -> None:
    page = tmp_path / "index.html"
    code = main(["run", "reference", "--oracle", "reference", "--programs", "0", "--no-corpus", "--report", str(page)])
    assert code == 3


def test_an_unknown_op_pattern_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "reference", "--oracle", "reference", "--ops", "nn.levitate"]) == 2
    assert "nn.levitate" in sentence(capsys)


def test_records_name_the_tape_and_the_way_to_ask_again(tmp_path: Path) -> None:
    main(
        [
            "run",
            "reference",
            "--oracle",
            "reference",
            "--programs",
            "5",
            "--no-corpus",
            "--report",
            str(tmp_path / "i.html"),
        ]
    )
    header = next(one for one in reports.read([tmp_path / "records.jsonl"]) if isinstance(one, Header))
    assert header.implementation == "reference"
    assert header.command.startswith("tapecheck run reference")


def test_a_package_that_is_not_installed_is_named_with_what_brings_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def lacking() -> int:
        raise ModuleNotFoundError("No module named 'ml_dtypes'", name="ml_dtypes")

    monkeypatch.setattr("conformance.command_line.main", lacking)
    assert command() == 2
    assert sentence(capsys) == "tapecheck: This needs ml_dtypes: pip install 'tapecheck[full]'"
