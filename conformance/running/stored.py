"""Programs in files: one program's JSON, one program a line, or the records of a run (the programs of its causes)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from adapters.language import Program
from adapters.program_json import ProgramError, from_json


def programs_in(path: Path, cause: str | None = None) -> tuple[Program, ...]:
    """All programs that a file holds, or only the one that shows a cause.

    Raises `ProgramError` with a sentence for anything that is none.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ProgramError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise ProgramError(f"{path} is not a text file.") from error
    programs = tuple(_from(plain, path) for plain in _plains(text, path) if _wanted(plain, cause))
    if not programs:
        raise ProgramError(f"{path} holds no program{f' of cause {cause}' if cause else ''}.")
    return programs


def _plains(text: str, path: Path) -> list[Any]:
    """The file as JSON values: the whole text, or each of its lines."""
    try:
        whole = json.loads(text)
        return whole if isinstance(whole, list) else [whole]
    except json.JSONDecodeError:
        pass  # not one value: perhaps one value a line
    plains = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                plains.append(json.loads(line))
            except json.JSONDecodeError as error:
                raise ProgramError(f"{path}, line {number}, is not JSON: {error.msg}.") from error
    return plains


def _wanted(plain: Any, cause: str | None) -> bool:
    """Records other than causes are passed over; everything else must be a program."""
    if isinstance(plain, dict) and "record" in plain:
        return plain["record"] == "cause" and (cause is None or plain["id"] == cause)
    return cause is None


def _from(plain: Any, path: Path) -> Program:
    try:
        return from_json(plain["program"] if isinstance(plain, dict) and "program" in plain else plain)
    except ProgramError as error:
        raise ProgramError(f"{path}: {error}") from error
