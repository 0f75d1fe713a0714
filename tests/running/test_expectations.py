"""Expected deviations: what they cover, and that one which no longer holds fails the run and is told everywhere."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

import reports
from adapters import language as lang
from adapters.program_json import to_json
from conformance.command_line import main
from conformance.running.expectations import KINDS, SHIPPED, Expected, load, stale, used
from reports.records import Cause, End, Line, Record, RuleResult, Stale
from tests.running.test_plugin import run_pytest

TINY = "examples.tiny_tape"
HOLDS, BROKEN = "TGT-01", "LIFE-29"  # of the tiny tape
SECOND_CALL = ["gradient: a non persistent gradienttape can only be used", "*", "*", "any"]
pytestmark = pytest.mark.filterwarnings("ignore")  # the tiny tape lets NumPy warn


def written(tmp_path: Path, *entries: dict[str, Any]) -> str:
    file = tmp_path / "expected.json"
    file.write_text(json.dumps([{"kind": "not yet", "reason": "it is a small tape", **one} for one in entries]))
    return str(file)


def ran(tmp_path: Path, expectations: str, *rules: str) -> tuple[int, list[Record]]:
    page = tmp_path / "index.html"
    asked = ["--oracle", "reference", "--rule", rules[0], "--report", str(page)]
    code = main(["run", TINY, *asked, "--expectations", expectations])
    return code, reports.read([tmp_path / "records.jsonl"])


def result(rule: str, status: str) -> RuleResult:
    return RuleResult(rule, "a sentence", "observed", rule.partition("-")[0], status)


def test_an_entry_is_stale_when_its_rule_was_asked_and_holds() -> None:
    entries = [
        Expected("never", "by rule", rule="SRC-01"),
        Expected("never", "by signature", signature=("math.exp", "*", "*", "*"), shown_by="SRC-02"),
        Expected("never", "shown by nothing", signature=("math.exp", "*", "*", "*")),
    ]
    assert stale(entries, [result("SRC-01", "passed"), result("SRC-02", "passed")]) == [
        Stale("SRC-01", "never", "by rule"),
        Stale("SRC-02", "never", "by signature"),
    ]
    for status in ("failed", "expected", "unsupported", "not asked"):
        assert stale(entries, [result("SRC-01", status), result("SRC-02", status)]) == []


def test_an_expectation_that_holds_ends_a_run_well(tmp_path: Path) -> None:
    code, records = ran(tmp_path, written(tmp_path, {"signature": SECOND_CALL, "shown_by": BROKEN}), BROKEN)
    assert code == 0
    assert [one.expected for one in records if isinstance(one, Cause)] == ["it is a small tape"]
    assert [one.status for one in records if isinstance(one, RuleResult) and one.rule == BROKEN] == ["expected"]


@pytest.mark.parametrize("entry", [{"rule": HOLDS}, {"signature": SECOND_CALL, "shown_by": HOLDS}])
def test_an_expectation_that_no_longer_holds_fails_the_run_and_every_report_says_so(
    tmp_path: Path, entry: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    code, records = ran(tmp_path, written(tmp_path, entry), HOLDS)
    assert code == 1
    assert [one.exit_code for one in records if isinstance(one, End)] == [1]
    assert [one for one in records if isinstance(one, Stale)] == [Stale(HOLDS, "not yet", "it is a small tape")]
    summary, sentence = reports.summarise(records), f"{HOLDS} is expected to deviate (not yet: it is a small tape)"
    assert sentence in capsys.readouterr().out
    assert sentence in (tmp_path / "index.html").read_text(encoding="utf-8")
    assert f'name="{HOLDS}"><failure message="{sentence}' in reports.junit_xml(summary)
    assert "no longer does" in reports.markdown(summary)
    assert "1 expectation no longer true" in reports.plain_text(summary)


def test_an_entry_whose_rule_is_not_asked_is_not_stale(tmp_path: Path) -> None:
    code, records = ran(tmp_path, written(tmp_path, {"rule": HOLDS}), "LIFE-01")
    assert code == 0
    assert not [one for one in records if isinstance(one, Stale)]


def test_pytest_passes_with_what_is_expected_and_fails_with_what_is_stale(tmp_path: Path) -> None:
    page, file = tmp_path / "index.html", written(tmp_path, {"signature": SECOND_CALL, "shown_by": BROKEN})
    asked = (f"--implementation={TINY}", f"--expectations={file}")
    good = run_pytest(page, *asked, f"--rule={BROKEN}")
    assert good.returncode == 0, good.stdout + good.stderr
    assert "1 cause of difference, expected" in good.stdout
    written(tmp_path, {"rule": HOLDS})
    bad = run_pytest(page, *asked, f"--rule={HOLDS}")
    assert bad.returncode == 1, bad.stdout + bad.stderr
    assert f"{HOLDS} is expected to deviate" in bad.stdout


def test_an_entry_about_a_rule_that_is_none_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, {"rule": "LIFE-9999"})
    assert main(["run", TINY, "--rule", HOLDS, "--oracle", "reference", "--expectations", file]) == 2
    assert "there is no rule 'LIFE-9999'" in capsys.readouterr().err


@pytest.mark.parametrize("path", sorted(SHIPPED.glob("*.json")), ids=lambda path: path.stem)
def test_every_expectation_that_ships_can_be_read_and_gives_a_reason(path: Path) -> None:
    entries = load(path.stem)
    assert entries
    assert all(entry.kind in KINDS and len(entry.reason) > 15 for entry in entries)
    keys = {(entry.rule, entry.signature, entry.uses, entry.of) for entry in entries}
    assert len(keys) == len(entries), "no entry is there twice"


def test_an_entry_may_speak_of_gradients_alone_or_of_values_alone_and_of_what_the_answer_rests_on() -> None:
    x, tape = lang.Constant(lang.Array("float32", (), (1.0,))), lang.MakeTape()
    program = lang.Program(
        (
            x, tape, lang.Call("maximum", (lang.Ref(0), lang.Ref(0))), lang.Call("math.exp", (lang.Ref(0),)),
            lang.Gradient(lang.Ref(1), lang.Ref(2), lang.Ref(0), output_gradients=lang.Ref(0)),
            lang.Gradient(lang.Ref(1), lang.Ref(4), lang.Ref(0)),
        )
    )  # fmt: skip
    assert used(program, 3) == {"math.exp", "value"}
    assert used(program, 4) == {"maximum", "gradient", "output_gradients"}
    assert used(program, 5) == {"maximum", "gradient", "second gradient"}
    everything = ("*", "tensor", "zeros", "*")
    found = ("math.exp", "tensor", "zeros", "float")
    assert Expected("never", "a tie", signature=everything, uses=("maximum",), of="gradient").fits_signature(
        found, used(program, 4)
    )
    for entry in (
        Expected("never", "a tie", signature=everything, uses=("maximum",)),
        Expected("never", "a slope", signature=everything, of="gradient"),
    ):
        assert not entry.fits_signature(found, used(program, 3))


def test_a_group_of_kinds_stands_for_any_numbers_and_for_any_others_than_wanted() -> None:
    entry = Expected("never", "a tie", signature=("*max", "a value|none", "another value", "float"))
    for want in ("tensor", "zeros", "nan", "infinite", "none"):
        for got in ("zeros", "nan", "other value", "other zero", "other sign", "other finite"):
            assert entry.fits_signature(("reduce_max", want, got, "float"), ())
    for want, got in (("tensor", "other sign of zero"), ("tensor", "other dtype"), ("raised TypeError", "tensor")):
        assert not entry.fits_signature(("reduce_max", want, got, "float"), ())


def test_where_the_tapes_process_died_an_entry_may_name_any_op_of_the_program() -> None:
    program = lang.Program(
        (lang.Constant(lang.Array("float32", (), (1.0,))), lang.Call("linalg.sqrtm", (lang.Ref(0),)))
    )
    died = Line(0, "x = tf.constant(1.0)", "f32[] 1", "crashed", "differs")
    fields = {field.name: None for field in dataclasses.fields(Cause)}
    fields |= {"program": to_json(program), "trace": (died,), "attribution": "unexplained"}
    entry = Expected("TensorFlow's fault", "it dies", signature=("*", "*", "crashed", "*"), uses=("linalg.sqrtm",))
    assert entry.fits(Cause(**fields | {"signature": ("a constant", "tensor", "crashed", "float")}))
    assert not entry.fits(Cause(**fields | {"signature": ("a constant", "tensor", "nan", "float")}))
