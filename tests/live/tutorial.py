"""The tutorial, followed as a new user would: `commands()` reads its commands, `follow(folder, run)` runs them.

    python -m tests.live.tutorial        builds the wheel, installs it in an empty environment, follows every command

This needs a package index, so it is no test; `tests/running/test_tutorial.py` follows all but the installation here.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "docs" / "validate-your-tape.md"
_BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)
_EXIT = re.compile(r"\s+# exit (\d)$")

Run = Callable[[str, Path], "subprocess.CompletedProcess[str]"]


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the guide, the exit code it says, and the lines that it says will be printed."""

    line: str
    code: int
    shown: tuple[str, ...]


def commands() -> Iterator[Command]:
    """The commands of the guide, in order."""
    blocks = _BLOCK.findall(GUIDE.read_text(encoding="utf-8"))
    for (kind, text), (following, shown) in zip(blocks, [*blocks[1:], ("", "")]):
        if kind == "sh":
            lines = text.strip().splitlines()
            expected = tuple(shown.rstrip("\n").split("\n")) if following == "text" else ()
            for line in lines:
                said = _EXIT.search(line)
                yield Command(_EXIT.sub("", line), int(said[1]) if said else 0, expected if line == lines[-1] else ())


def follow(folder: Path, run: Run, only: Callable[[Command], bool] = lambda command: True) -> list[str]:
    """Run the commands in a folder with a copy of the tape. What was not as the guide says, in sentences."""
    shutil.copy(ROOT / "examples" / "tiny_tape.py", folder / "tiny_tape.py")
    wrong = []
    for command in filter(only, commands()):
        done = run(command.line, folder)
        if done.returncode != command.code:
            wrong.append(f"{command.line}: exit {done.returncode}, not {command.code}\n{done.stdout}{done.stderr}")
        printed = {line.strip() for line in done.stdout.splitlines()}
        wrong += [f"{command.line}: did not print {line!r}" for line in command.shown if line.strip() not in printed]
    return wrong


def _in_an_environment(environment: Path, wheels: Path) -> Run:
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    variables |= {"PATH": f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}", "PIP_FIND_LINKS": str(wheels)}

    def run(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
        print(f"$ {line}", flush=True)
        return subprocess.run(line, shell=True, cwd=folder, env=variables, capture_output=True, text=True, check=False)

    return run


def main() -> int:
    """Build, install, follow. 0 when everything went as the guide says."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(place / "wheels"), str(ROOT)]
        subprocess.run(build, check=True)
        venv.create(place / "environment", with_pip=True)
        (place / "work").mkdir()
        wrong = follow(place / "work", _in_an_environment(place / "environment", place / "wheels"))
    print(*wrong or ["Every command went as the guide says."], sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
