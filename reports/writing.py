"""Make the HTML report of records and write it, whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from reports.changes import compare
from reports.errors import ReportError
from reports.page import page
from reports.page.trend import Point, point
from reports.records import Record
from reports.summary import Summary, summarise


def html(
    records: Iterable[Record],
    *,
    others: Iterable[Iterable[Record]] = (),
    previous: Iterable[Record] | None = None,
    history: Mapping[str, Iterable[Record]] | None = None,
) -> str:
    """The report as text.

    `others` are the records of other implementations, one iterable each, to stand beside this one in the matrix;
    `previous` are those of the last run, for "since the last run"; `history` are runs by name, oldest first, for the
    lines over time: those of this implementation count. Raises `RecordsError` as `summarise` does.
    """
    summary = summarise(records)
    changes = None if previous is None else compare(summarise(previous), summary)
    return page(summary, tuple(summarise(other) for other in others), changes, _points(summary, history or {}))


def _points(summary: Summary, history: Mapping[str, Iterable[Record]]) -> tuple[Point, ...]:
    runs = ((name, summarise(run)) for name, run in history.items())
    return tuple(point(name, one) for name, one in runs if one.header.implementation == summary.header.implementation)


def write_html(
    records: Iterable[Record],
    path: str | os.PathLike[str],
    *,
    others: Iterable[Iterable[Record]] = (),
    previous: Iterable[Record] | None = None,
    history: Mapping[str, Iterable[Record]] | None = None,
) -> Path:
    """Write the report to `path`, making its directory, and return where it lies.

    A reader never meets half a report: it replaces an older one only when it is complete. Raises `ReportError` where
    the path cannot be written; the records are not touched.
    """
    return write_text(html(records, others=others, previous=previous, history=history), path)


def write_text(text: str, path: str | os.PathLike[str]) -> Path:
    """Write any report's text to `path` in one step. Raises `ReportError` in one sentence."""
    target = Path(path)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _replace(target, text)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ReportError(f"Cannot write the report to {target} ({reason}); the records are untouched.") from error
    return target


def _replace(target: Path, text: str) -> None:
    if target.is_dir():
        raise IsADirectoryError(None, "it is a directory")
    if target.exists() and not target.is_file():  # a device or a pipe takes no replacement
        target.write_text(text, encoding="utf-8", newline="\n")
        return
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:40]}.", suffix=".part")
    try:
        with open(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.chmod(name, target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
