"""Versions of TensorFlow, each in an environment of its own; here, the reference engine stands in for each."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from conformance import tf_versions
from conformance.command_line import main


def environment(folder: Path, version: str) -> None:
    python = folder / version / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)


def ran(tmp_path: Path, *versions: str) -> int:
    places = ["--environments", str(tmp_path / "environments"), "--out", str(tmp_path / "out")]
    return main(["tf-versions", *versions, *places, "--rule", "STOP-0*"])


def test_each_version_that_is_here_runs_and_the_rest_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    environment(tmp_path / "environments", "2.16")
    serving = [sys.executable, "-m", "adapters.serve", "reference"]
    monkeypatch.setattr(tf_versions, "serving", lambda python, adapter: serving)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).resolve().parents[2]))
    assert ran(tmp_path, "2.16", "2.21") == 0
    said = capsys.readouterr().out
    assert "tensorflow 2.21: Not run: there is no environment" in said
    assert "rules that hold" in said
    assert (tmp_path / "out" / "versions.md").exists()
    assert 'class="why"' in (tmp_path / "out" / "index.html").read_text(encoding="utf-8")


def test_nothing_that_is_here_is_told_by_the_exit_code(tmp_path: Path) -> None:
    assert ran(tmp_path, "2.16") == tf_versions.NOTHING


def test_a_version_that_fails_to_start_does_not_stop_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    environment(tmp_path / "environments", "2.16")
    monkeypatch.setattr(tf_versions, "serving", lambda python, adapter: [sys.executable, "-c", "raise SystemExit(3)"])
    assert ran(tmp_path, "2.16") == tf_versions.FAILED
    assert "exit status 3" in capsys.readouterr().out


def test_an_unknown_version_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="is none of"):
        ran(tmp_path, "1.15")
