"""docs/validate-your-tape.md holds: each command, its exit code, what it prints, and the three mistakes it tells of."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import reports
from conformance.running.expectations import load
from reports.records import Cause
from tests.live.tutorial import GUIDE, ROOT, Command, commands, follow

OURS = {"tapecheck": "conformance", "pytest": "pytest"}
MISTAKES = {  # the rule that names each, and what the cause is about
    "NUM-80": "gradient: its shape",
    "SRC-09": "gradient of an unconnected source",
    "LIFE-29": "gradient: a non persistent gradienttape can only be used",
}


def run_here(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of the guide with this Python and this checkout, whether or not TensorFlow is installed."""
    words = shlex.split(line)
    more = ["--oracle", "reference"] if words[1] == "run" or words[0] == "pytest" or words[1] == "replay" else []
    command = [sys.executable, "-m", OURS[words[0]], *words[1:], *more]
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    variables["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False)


def not_an_installation(command: Command) -> bool:
    return command.line.split()[0] in OURS


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    folder = tmp_path_factory.mktemp("tutorial")
    return folder, follow(folder, run_here, not_an_installation)


def test_every_command_of_the_guide_goes_as_it_says(followed: tuple[Path, list[str]]) -> None:
    assert followed[1] == []


@pytest.mark.parametrize("rule", MISTAKES)
def test_each_mistake_is_found_named_by_its_rule_and_shown_in_four_steps(
    rule: str, followed: tuple[Path, list[str]]
) -> None:
    records = reports.read([followed[0] / "first" / "records.jsonl"])
    found = [one for one in records if isinstance(one, Cause) and one.rule == rule and one.attribution == "pinned"]
    assert [one.signature[0] for one in found] == [MISTAKES[rule]]
    assert found[0].steps_besides <= 4
    assert found[0].script.startswith("import tensorflow as tf")


def test_the_guide_runs_commands_and_installs_nothing_else() -> None:
    every = list(commands())
    assert len(every) >= 12
    assert {one.line.split()[0] for one in every} == {"pip", *OURS}


def test_every_rule_and_cause_that_the_guide_names_is_in_the_report(followed: tuple[Path, list[str]]) -> None:
    text = GUIDE.read_text(encoding="utf-8")
    records = reports.read([followed[0] / "first" / "records.jsonl"])
    causes = {one.id for one in records if isinstance(one, Cause)}
    assert set(re.findall(r"--cause (\w+)", text)) <= causes


def test_the_other_blocks_of_the_guide_are_what_they_seem(tmp_path: Path) -> None:
    text = GUIDE.read_text(encoding="utf-8")
    (python,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    shown: dict[str, Any] = {}
    exec(python.replace("import tensorflow as tf", "import reference_impl as tf"), shown)
    assert [tuple(one.shape) for one in shown["g"]] == [(2, 1), (1, 3)]
    (entries,) = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    (tmp_path / "expected.json").write_text(entries)
    assert [one.kind for one in load("tiny_tape", str(tmp_path / "expected.json"))] == ["never", "not yet"]
