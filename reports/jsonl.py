"""Write records as lines of JSON, and read them back from any number of files in any order.

`Writer(path)` appends records, one line each, flushed as it goes: whatever ends the process, all but the last line
survives. `read(paths)` reads them all; a line that was cut off by a crash is left out and reported as a `Notice`.
`read_runs(paths)` keeps the files of different implementations apart. A line is an object whose `record` names the
kind; fields that have their default value are not written. `records.schema.json` describes one line.
"""

from __future__ import annotations

import dataclasses
import json
import math
import os
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

from reports.decode import TYPES, decode, names_of
from reports.errors import RecordsError
from reports.records import RECORDS_VERSION, Header, Notice, Record

Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
SCHEMA = Path(__file__).with_name("records.schema.json")


def to_line(record: Record) -> str:
    """One record as one line of ASCII JSON, without the newline. The same record always gives the same line.

    Raises `RecordsError` for what JSON cannot hold.
    """
    plain = {"record": names_of(type(record)), **_fields(record)}
    try:
        return json.dumps(plain, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise RecordsError(f"a {plain['record']} record holds what JSON cannot hold: {error}.") from error


def from_line(line: str) -> Record:
    """The record that a line holds.

    Raises `json.JSONDecodeError` where the line is not JSON, and `RecordsError` where it is JSON but not a record that
    this version knows.
    """
    plain = json.loads(line)
    if not isinstance(plain, dict) or "record" not in plain:
        raise RecordsError("this is JSON but not a record: a record is an object with a `record` field.")
    if plain["record"] == "header":
        _check_version(plain.get("version", RECORDS_VERSION))
    if plain["record"] not in TYPES:
        raise RecordsError(f"there is no record called {plain['record']!r}; known are {', '.join(TYPES)}.")
    return decode(plain)


class Writer:
    """Appends records to a file, a line each, flushed at once. Use it as a context manager.

    A file whose last line was cut off is continued on a line of its own, so that only the cut line is lost. Raises
    `RecordsError` where the file cannot be opened or a line cannot be written (a full disk, say).
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            cut = _ends_in_the_middle(self.path)
            self._file: TextIO = open(self.path, "a", encoding="ascii", newline="\n")  # noqa: SIM115 (it lives as long as the writer)
        except OSError as error:
            raise RecordsError(_cannot("write records to", self.path, error)) from error
        if cut:
            self._put("\n")

    def write(self, record: Record) -> None:
        """Append one record and flush it."""
        self._put(to_line(record) + "\n")

    def close(self) -> None:
        """Close the file; closing twice is harmless."""
        try:
            self._file.close()
        except OSError as error:
            raise RecordsError(_cannot("finish writing records to", self.path, error)) from error

    def _put(self, text: str) -> None:
        try:
            self._file.write(text)
            self._file.flush()
        except OSError as error:
            raise RecordsError(_cannot("write records to", self.path, error)) from error

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()


def write(records: Iterable[Record], path: str | os.PathLike[str]) -> None:
    """Append all of `records` to the file at `path`."""
    with Writer(path) as writer:
        for record in records:
            writer.write(record)


def read(paths: Paths) -> list[Record]:
    """All records of one file or several; a directory stands for its `*.jsonl` files. A file named twice is read once.

    What a crash cut off is left out and told by a `Notice`. Raises `RecordsError`, naming file and line, for a file
    that cannot be read, is not a file of records, or was written by a newer version.
    """
    return [record for path in _files(_listed(paths)) for record in _read_file(path)]


def read_runs(paths: Paths) -> list[list[Record]]:
    """The records of several runs, kept apart: each path, a file or a directory of files, is of one run.

    Paths that asked the same implementation the same way are one run. Runs come in order of implementation, version,
    oracle and seed. Raises what `read` raises, and `RecordsError` for a path that holds no header or two runs.
    """
    runs: dict[tuple[Any, ...], list[Record]] = {}
    seen: set[Path] = set()
    for path in _listed(paths):
        files = [file for file in _files([path]) if file.resolve() not in seen]
        seen.update(file.resolve() for file in files)
        records = [record for file in files for record in _read_file(file)]
        if records:
            runs.setdefault(_only_key(path, records), []).extend(records)
    return [runs[key] for key in sorted(runs)]


def _only_key(path: Path, records: list[Record]) -> tuple[Any, ...]:
    keys = {run_key(record) for record in records if isinstance(record, Header)}
    if len(keys) == 1:
        return keys.pop()
    if keys:
        raise RecordsError(f"{path} holds records of {len(keys)} different runs; give each run a path of its own.")
    raise RecordsError(f"{path} holds records without a header, so nobody can say what was run.")


def run_key(header: Header) -> tuple[str, str, str, str, str, int]:
    """What the headers of all workers of one run have in common."""
    return (
        header.implementation,
        header.implementation_version,
        header.oracle,
        header.oracle_version,
        header.profile,
        header.seed,
    )


# ---------------------------------------------------------------- writing


def _fields(value: Any) -> dict[str, Any]:
    """The fields of a record as plain data, those at their default left out."""
    plain = {}
    for item in dataclasses.fields(value):
        content = getattr(value, item.name)
        if item.name == "version" or content != _default(item):
            plain[item.name] = _plain(content)
    return plain


def _default(item: dataclasses.Field[Any]) -> Any:
    if item.default_factory is not dataclasses.MISSING:
        return item.default_factory()
    return item.default


def _plain(value: Any) -> Any:
    """JSON's own types; a number that JSON has no word for becomes the string `inf`, `-inf` or `nan`."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _fields(value)
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    return value


def _ends_in_the_middle(path: Path) -> bool:
    """Whether the file exists and its last line has no end."""
    if not path.is_file() or path.stat().st_size == 0:
        return False
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) != b"\n"


# ---------------------------------------------------------------- reading


def _listed(paths: Paths) -> list[Path]:
    return [Path(paths)] if isinstance(paths, (str, os.PathLike)) else [Path(path) for path in paths]


def _files(paths: Iterable[Path]) -> list[Path]:
    found: dict[Path, Path] = {}
    for path in paths:
        inside = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
        if not inside:
            raise RecordsError(f"{path} is a directory without any records: no *.jsonl file is in it.")
        found.update({one.resolve(): one for one in inside})
    return list(found.values())


def _read_file(path: Path) -> list[Record]:
    try:
        text = path.read_bytes().decode("utf-8", errors="replace")
    except OSError as error:
        raise RecordsError(_cannot("read records from", path, error)) from error
    records: list[Record] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            records.append(_read_line(path, number, line))
    return records


def _read_line(path: Path, number: int, line: str) -> Record:
    try:
        return from_line(line)
    except json.JSONDecodeError as error:
        if not line.lstrip().startswith("{"):
            raise RecordsError(f"{path} is not a file of records: its line {number} is not JSON.") from error
        return Notice(f"Line {number} of {path.name} was cut off, so one record is missing.")
    except RecordsError as error:
        raise RecordsError(f"{path}, line {number}: {error}") from error


def _check_version(version: Any) -> None:
    if not isinstance(version, int) or version < 1:
        raise RecordsError(f"the header's version must be a whole number from 1 on, not {version!r}.")
    if version > RECORDS_VERSION:
        raise RecordsError(
            f"these records have version {version} and this tapecheck reads up to version {RECORDS_VERSION}; "
            "a newer tapecheck wrote them, so read them with a newer one."
        )


def _cannot(what: str, path: Path, error: OSError) -> str:
    return f"Cannot {what} {path}: {error.strerror or error}."
