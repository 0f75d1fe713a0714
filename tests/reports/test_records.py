"""Records as lines of JSON: what is written is what is read, whatever ends a process."""

from __future__ import annotations

import dataclasses
import errno
import json
import random

import pytest

import reports
from reports.decode import TYPES
from reports.jsonl import SCHEMA, from_line, to_line
from reports.records import RECORDS_VERSION, Cause, Header, Notice, Outcome
from tests.reports import report_samples as samples
from tests.reports.schema_check import faults

RUNS = {
    "no difference": samples.run(40),
    "four causes": samples.many_causes(200),
    "interrupted": samples.run(40, (samples.TIE,), interrupted=True),
    "hostile": samples.hostile_run(),
}
with_every_run = pytest.mark.parametrize("records", RUNS.values(), ids=RUNS)


@with_every_run
def test_what_is_written_is_what_is_read(records, tmp_path):
    reports.write(records, tmp_path / "run.jsonl")
    assert reports.read(tmp_path / "run.jsonl") == records


@with_every_run
def test_every_line_fits_the_published_schema(records):
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    hostile_words = {"verdict", "lane", "origin", "mark", "supports", "attribution", "blame", "status"}
    for record in records:
        wrong = faults(json.loads(to_line(record)), schema)
        if (
            wrong and records is RUNS["hostile"]
        ):  # its words are chosen to be none of the known ones, nothing else is wrong
            kind = schema["$defs"][json.loads(to_line(record))["record"]]
            wrong = [
                one for one in faults(json.loads(to_line(record)), kind, schema) if not hostile_words & _names(one)
            ]
        assert not wrong, wrong


def _names(fault: str) -> set[str]:
    return set(fault.partition(":")[0].replace("[0]", "").split("."))


def test_the_schema_names_every_field_of_every_record():
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    assert [one["$ref"].rsplit("/")[-1] for one in schema["oneOf"]] == list(TYPES)
    for name, kind in TYPES.items():
        wanted = {"record", *(field.name for field in dataclasses.fields(kind))}
        assert set(schema["$defs"][name]["properties"]) == wanted
    assert schema["$defs"]["header"]["properties"]["version"]["maximum"] == RECORDS_VERSION


@pytest.mark.parametrize(
    "line",
    [
        '{"record":"notice"}',
        '{"record":"notice","text":3}',
        '{"record":"notice","text":"a","more":1}',
        '{"record":"share","feature":"f","count":true,"of":1,"least":0.5}',
        '{"record":"end","how":"abandoned","exit_code":0}',
        '{"record":"gossip","text":"a"}',
    ],
)
def test_the_schema_refuses_what_is_no_record(line):
    assert faults(json.loads(line), json.loads(SCHEMA.read_text(encoding="utf-8")))


def test_numbers_that_json_has_no_word_for_survive(tmp_path):
    outcome = Outcome("p", "generated", "agrees", "numeric", 3, error_bound=float("inf"), max_ulps=float("-inf"))
    assert "Infinity" not in to_line(outcome)
    assert from_line(to_line(outcome)) == outcome
    nan = from_line(to_line(dataclasses.replace(outcome, max_ulps=float("nan"))))
    assert nan.max_ulps != nan.max_ulps


@pytest.mark.parametrize("cut", [1, 20, 200])
def test_a_line_cut_off_by_a_crash_costs_that_line_alone(cut, tmp_path):
    path = tmp_path / "run.jsonl"
    records = samples.many_causes(50)
    reports.write(records, path)
    path.write_bytes(path.read_bytes()[:-1] + b"\n" + to_line(samples.TIE).encode()[:cut])
    read = reports.read(path)
    assert read[:-1] == records
    assert read[-1] == Notice(f"Line {len(records) + 1} of run.jsonl was cut off, so one record is missing.")


def test_writing_goes_on_behind_a_line_that_was_cut_off(tmp_path):
    path = tmp_path / "run.jsonl"
    reports.write([samples.HEADER], path)
    with path.open("a") as file:
        file.write('{"record":"notice","te')
    reports.write([Notice("after")], path)
    header, cut, after = reports.read(path)
    assert (header, after) == (samples.HEADER, Notice("after"))
    assert "Line 2" in cut.text


def test_what_is_written_is_on_disk_before_the_writer_is_closed(tmp_path):
    writer = reports.Writer(tmp_path / "deep" / "run.jsonl")
    writer.write(samples.HEADER)
    assert reports.read(writer.path) == [samples.HEADER]
    writer.close()
    writer.close()


def test_a_newer_version_is_refused_in_a_sentence_that_says_what_to_do(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text(to_line(dataclasses.replace(samples.HEADER, version=RECORDS_VERSION + 1)) + "\n")
    with pytest.raises(reports.RecordsError, match=r"version 2 .* reads up to version 1; a newer tapecheck wrote them"):
        reports.read(path)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"record":"gossip"}', "no record called 'gossip'"),
        ('{"text":"a"}', "not a record"),
        ("[1]", "not a record"),
        ("hello", "not a file of records: its line 1 is not JSON"),
        ('{"record":"notice"}', "the field `text` is missing"),
        ('{"record":"notice","text":7}', "`text` must be text, not 7"),
        ('{"record":"notice","text":"a","b":1}', "the field `b` is unknown"),
        ('{"record":"header","version":"1"}', "version must be a whole number"),
        ('{"record":"end","how":"completed","exit_code":true}', "`exit_code` must be a whole number"),
    ],
)
def test_what_is_no_record_is_refused_with_file_and_line(line, message, tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text(line + "\n")
    with pytest.raises(reports.RecordsError, match=message) as caught:
        reports.read(path)
    assert str(path) in str(caught.value)


def test_a_wrong_field_deep_inside_a_cause_is_named():
    plain = json.loads(to_line(samples.TIE))
    plain["trace"][0]["step"] = "first"
    with pytest.raises(reports.RecordsError, match="`trace` must be"):
        from_line(json.dumps(plain))


def test_what_json_cannot_hold_is_refused_and_nothing_is_written(tmp_path):
    cause = dataclasses.replace(samples.TIE, program={"array": object()})
    writer = reports.Writer(tmp_path / "run.jsonl")
    with pytest.raises(reports.RecordsError, match="a cause record holds what JSON cannot hold"):
        writer.write(cause)
    writer.close()
    assert (tmp_path / "run.jsonl").read_bytes() == b""


def test_files_split_over_workers_are_read_as_one_run(tmp_path):
    records = samples.many_causes(100)
    for at, record in enumerate(records):
        reports.write([record], tmp_path / f"worker{at % 3}.jsonl")
    read = reports.read(tmp_path)
    assert sorted(map(repr, read)) == sorted(map(repr, records))
    assert reports.read([tmp_path, tmp_path / "worker0.jsonl"]) == read  # a file named twice is read once


def test_runs_of_several_implementations_are_kept_apart(tmp_path):
    runs = samples.several()
    for at, records in enumerate(runs):
        reports.write(records[:50], tmp_path / f"{at}" / "a.jsonl")
        reports.write(records[50:], tmp_path / f"{at}" / "b.jsonl")
    read = reports.read_runs([tmp_path / "2", tmp_path / "0", tmp_path / "1"])
    names = [next(record.implementation for record in run if isinstance(record, Header)) for run in read]
    assert names == sorted(names)
    assert sorted(map(len, read)) == sorted(map(len, runs))


def test_a_path_that_holds_two_runs_or_none_is_refused(tmp_path):
    first, second, _ = samples.several()
    reports.write([*first, *second], tmp_path / "both.jsonl")
    reports.write([Notice("alone")], tmp_path / "none.jsonl")
    with pytest.raises(reports.RecordsError, match="2 different runs"):
        reports.read_runs(tmp_path / "both.jsonl")
    with pytest.raises(reports.RecordsError, match="without a header"):
        reports.read_runs(tmp_path / "none.jsonl")


def test_a_file_or_directory_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(reports.RecordsError, match=r"Cannot read records from .*absent\.jsonl: No such file"):
        reports.read(tmp_path / "absent.jsonl")
    with pytest.raises(reports.RecordsError, match="without any records"):
        reports.read(tmp_path)


def test_a_full_disk_is_told_in_a_sentence(tmp_path, monkeypatch):
    writer = reports.Writer(tmp_path / "run.jsonl")
    monkeypatch.setattr(writer, "_file", _Full())
    with pytest.raises(reports.RecordsError, match=r"Cannot write records to .*: No space left on device"):
        writer.write(Notice("a"))


class _Full:
    """A file on a disk without room."""

    def write(self, text: str) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_line_is_the_same_whatever_the_order_of_making():
    cause = samples.TIE
    again = Cause(**{field.name: getattr(cause, field.name) for field in reversed(dataclasses.fields(cause))})
    assert to_line(again) == to_line(cause)
    assert "\n" not in to_line(samples.hostile_cause("a\nb\u2028c"))


def test_any_damage_to_a_file_gives_records_or_one_clear_error(tmp_path):
    """Random bytes over a good file never end in anything but records or a `RecordsError`."""
    good = "".join(to_line(record) + "\n" for record in samples.many_causes(12)).encode()
    source = random.Random(5)
    path = tmp_path / "run.jsonl"
    refused = 0
    for _ in range(200):
        bad = bytearray(good)
        for _ in range(source.randrange(1, 4)):
            bad[source.randrange(len(bad))] = source.randrange(256)
        path.write_bytes(bad)
        try:
            assert len(reports.read(path)) >= 10
        except reports.RecordsError as error:
            refused += 1
            assert str(path) in str(error)
    assert 0 < refused < 200
