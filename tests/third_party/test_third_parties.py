"""Several tapes into one matrix: what is missing or fails at its start is a sentence in it, and the rest runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import reports
from adapters import third_party
from adapters.third_party import NotInstalled, ThirdParty, command_of
from conformance import third_parties
from conformance.command_line import execute, parser
from conformance.running.plan import Plan
from reports.records import Outcome

HERE = "tests.third_party"
FAKES = {
    one.name: one
    for one in (
        ThirdParty("fake", f"{HERE}.engine_for_tests:backend", "reference_impl", (), "A library made up"),
        ThirdParty("broken", f"{HERE}.engine_for_tests:no_such_thing", "reference_impl", (), "A broken one"),
        ThirdParty("absent", f"{HERE}.engine_for_tests:backend", "no_such_module", ("absent==1",), "A missing one"),
    )
}


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(third_party.ENVIRONMENTS, raising=False)
    for name, party in FAKES.items():
        monkeypatch.setitem(third_party.THIRD_PARTIES, name, party)


def ran(out: Path, *names: str, programs: int = 60) -> int:
    asked = parser().parse_args(
        ["third-parties", *names, "--oracle", "reference", "--programs", str(programs), "--out", str(out)]
    )

    def without_the_corpus(plan: Plan, command: str, report: Path) -> int:
        return execute(replace(plan, corpus=False), command, report)

    return third_parties.main(asked, "tapecheck third-parties", without_the_corpus)


@pytest.mark.usefixtures("fakes")
def test_one_that_is_missing_and_one_that_fails_do_not_stop_the_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ran(tmp_path, "absent", "broken", "fake") == third_parties.FAILED
    said = capsys.readouterr().out
    assert "absent: Not run: A missing one is not installed; install absent==1." in said
    assert "broken: Not run: " in said and "no_such_thing" in said
    outcomes = [one for one in reports.read([tmp_path / "fake"]) if isinstance(one, Outcome)]
    assert len(outcomes) == 60 and any(one.verdict == "agrees" for one in outcomes)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "A missing one is not installed; install absent==1." in page
    assert page.count('class="why"') == 2
    table = (tmp_path / "matrix.md").read_text(encoding="utf-8")
    assert "| fake 1 | 60 |" in table and "- absent: Not run: A missing one" in table


@pytest.mark.usefixtures("fakes")
def test_a_run_of_nothing_that_is_here_says_so_by_its_exit_code(tmp_path: Path) -> None:
    assert ran(tmp_path, "absent") == third_parties.NOTHING


@pytest.mark.usefixtures("fakes")
def test_the_share_of_programs_that_were_answered_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran(tmp_path, "fake", programs=100)  # more than use only ops that it has
    assert "of the programs that use only ops it has" in capsys.readouterr().out


def test_what_to_install_is_a_sentence_when_a_library_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(third_party.shutil, "which", lambda name: None)
    with pytest.raises(NotInstalled, match="there is no node"):
        command_of("tfjs", tmp_path)
    monkeypatch.setattr(third_party.shutil, "which", lambda name: f"/usr/bin/{name}")
    with pytest.raises(NotInstalled, match="npm install @tensorflow/tfjs@"):
        command_of("tfjs", tmp_path)


def test_the_environment_of_a_library_is_preferred_to_this_one(tmp_path: Path) -> None:
    python = tmp_path / "mygrad" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.touch()
    assert command_of("mygrad", tmp_path)[0] == str(python)


def test_an_unknown_name_is_refused_before_anything_runs(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="'torhc' is no third party"):
        ran(tmp_path, "torhc")
