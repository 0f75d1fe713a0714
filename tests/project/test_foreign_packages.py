"""Another distribution's `adapters` or `reports` in place of ours is one clear sentence, and nothing of it is used."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from adapters import open_tape
from adapters.language import Array, Constant, Program

ROOT = Path(__file__).resolve().parents[2]
EXPLAIN = (
    "import sys; from conformance.__main__ import main; sys.argv = ['tapecheck', 'explain', 'WATCH-90']; exit(main())"
)


def foreign(folder: Path, name: str) -> Path:
    """A folder with a package of that name that says so when it is run."""
    (folder / name).mkdir(parents=True)
    (folder / name / "__init__.py").write_text("print('a foreign package ran')\n")
    return folder


def python(*arguments: str, path: tuple[Path, ...], cwd: Path) -> subprocess.CompletedProcess[str]:
    # No entry points: where tapecheck is installed, pytest would load `-p conformance.pyargs` a second time and refuse.
    quiet = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    environment = {**os.environ, **quiet, "PYTHONPATH": os.pathsep.join(map(str, path))}
    command = [sys.executable, *arguments]
    return subprocess.run(command, env=environment, cwd=cwd, capture_output=True, text=True, check=False, timeout=1000)


@pytest.mark.parametrize("name", ["adapters", "reports"])
def test_the_command_names_a_foreign_package_and_where_it_is(name: str, tmp_path: Path) -> None:
    elsewhere = foreign(tmp_path / "elsewhere", name)
    ended = python("-c", EXPLAIN, path=(elsewhere, ROOT), cwd=tmp_path)
    assert ended.returncode == 2
    assert ended.stderr == (
        f"tapecheck: tapecheck needs its own package {name}, in {ROOT / name}, but Python finds another one of that "
        f"name first, in {elsewhere / name}: move that one off Python's path, or install tapecheck in an environment "
        "of its own\n"
    )
    assert ended.stdout == ""


def test_pytest_names_a_foreign_package_and_where_it_is(tmp_path: Path) -> None:
    elsewhere = foreign(tmp_path / "elsewhere", "adapters")
    settings = tmp_path / "pytest.ini"
    settings.write_text("[pytest]\n")  # as installed: this checkout's own settings would put its folder first
    asked = ("-c", str(settings), "-p", "conformance.pyargs", "--rule", "WATCH-90", "--pyargs", "conformance")
    ended = python("-m", "pytest", *asked, path=(elsewhere, ROOT), cwd=tmp_path)
    assert ended.returncode == 4
    said = ended.stdout + ended.stderr
    assert f"but Python finds another one of that name first, in {elsewhere / 'adapters'}" in said
    assert "a foreign package ran" not in ended.stdout


@pytest.mark.parametrize("name", ["adapters", "reports"])
def test_a_package_written_over_ours_is_told_from_ours(name: str, tmp_path: Path) -> None:
    for file in ("__init__.py", "__main__.py", "siblings.py"):
        (tmp_path / "conformance").mkdir(exist_ok=True)
        shutil.copy(ROOT / "conformance" / file, tmp_path / "conformance" / file)
    for other in {"adapters", "reports"} - {name}:
        (tmp_path / other).mkdir()
        (tmp_path / other / "__init__.py").write_text("is_ours = True\n")
    foreign(tmp_path, name)
    ended = python("-c", EXPLAIN, path=(tmp_path,), cwd=tmp_path)
    assert ended.returncode == 2
    assert f"has written its package {name} over tapecheck's, in {tmp_path / name}" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


def test_a_tape_in_a_process_does_not_run_a_foreign_package_of_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(foreign(tmp_path, "adapters"))
    program = Program((Constant(Array("float32", (), (3.0,))),))
    with open_tape("reference", process=True) as there, open_tape("reference") as here:
        assert there.run(program) == here.run(program)


def test_without_foreign_packages_the_command_runs(tmp_path: Path) -> None:
    ended = python("-c", EXPLAIN, path=(ROOT,), cwd=tmp_path)
    assert ended.returncode == 0
    assert ended.stdout.startswith("WATCH-90")
