"""What docs/compatibility.md promises are the numbers that are written, and what older versions wrote can be read."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import reports
from adapters.language import LANGUAGE_VERSION
from adapters.program_json import ProgramError, from_json
from adapters.protocol import PROTOCOL_VERSION, read_greeting
from reports.records import RECORDS_VERSION, Header

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "compatibility.md").read_text(encoding="utf-8")


def test_the_page_tells_the_numbers_that_are_written() -> None:
    rows = dict(re.findall(r"^\| ([a-z ]+) \| (\d+) \|", PAGE, re.MULTILINE))
    assert rows == {
        "language of programs and observations": str(LANGUAGE_VERSION),
        "records of a run": str(RECORDS_VERSION),
        "process protocol": str(PROTOCOL_VERSION),
    }


def test_records_that_version_1_wrote_are_read() -> None:
    records = reports.read(ROOT / "tests" / "reports" / "causes_of_version_1.jsonl")
    assert [one.version for one in records if isinstance(one, Header)] == [1]


def test_what_a_later_number_wrote_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ProgramError, match="version"):
        from_json({"version": LANGUAGE_VERSION + 1, "steps": []})
    with pytest.raises(ProgramError, match="protocol"):
        read_greeting({"protocol": PROTOCOL_VERSION + 1, "language": 1, "identity": {}, "capabilities": {}})
    later = tmp_path / "later.jsonl"
    later.write_text(json.dumps({"record": "header", "version": RECORDS_VERSION + 1}) + "\n")
    with pytest.raises(reports.RecordsError, match="newer"):
        reports.read(later)


def test_a_greeting_may_hold_more_than_is_known() -> None:
    greeting = {"protocol": 1, "language": 1, "identity": {"name": "a", "version": "1"}, "capabilities": {}, "more": 1}
    assert read_greeting(greeting)[0].name == "a"
