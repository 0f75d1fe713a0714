"""`tapecheck new-adapter NAME` writes a commented adapter that already runs, to be filled in."""

from __future__ import annotations

import argparse
import keyword
from importlib.resources import files
from pathlib import Path

from conformance.running.plan import PlanError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The grammar of the command."""
    parser.add_argument("name", help="the module's name: NAME.py is written")
    parser.add_argument("--to", type=Path, default=Path(), help="the folder it goes to; this one by default")


def main(asked: argparse.Namespace, command: str) -> int:
    """Write the file; PlanError, in one sentence, when the name is none or the file is there already."""
    path = write(asked.name, asked.to)
    print(f"Written: {path}")
    print(f"Next:    tapecheck smoke {asked.name}:Adapter")
    print(f"         tapecheck run {asked.name}:Adapter")
    return 0


def write(name: str, folder: Path) -> Path:
    """The path of the new adapter."""
    if not name.isidentifier() or keyword.iskeyword(name):
        raise PlanError(f"{name!r} cannot be the name of a module; letters, digits and _ make one.")
    path = folder / f"{name}.py"
    if path.exists():
        raise PlanError(f"{path} is there already; nothing was written.")
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(skeleton(name), encoding="utf-8")
    return path


def skeleton(name: str) -> str:
    """The adapter's text."""
    template = files("conformance.bringing").joinpath("adapter_template.py").read_text(encoding="utf-8")
    return template.replace("NAME", name)
