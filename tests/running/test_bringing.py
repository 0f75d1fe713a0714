"""What helps to bring a tape: the smoke check, the new adapter, the expectation file, the check of the protocol."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import reports
from adapters import language as lang
from adapters import load, open_tape, protocol_schema
from adapters.arrays import array_of
from adapters.backend import Capabilities
from adapters.language import Program, Ref
from adapters.observations import Observation
from adapters.program_json import dumps, from_json, id_of_text, observation_to_json, to_json
from adapters.protocol import answer, greeting
from adapters.tf_shaped import Hooks, TfShaped
from conformance import corpus
from conformance.bringing import protocol_check, smoke
from conformance.bringing.new_adapter import skeleton
from conformance.command_line import main
from conformance.running.expectations import load as load_expectations
from examples import tiny_tape
from reports.records import Cause
from tests.reports.schema_check import faults

HERE = "tests.running.test_bringing"
pytestmark = pytest.mark.filterwarnings("ignore")


class Faulty:
    """The tiny tape behind an adapter with one fault."""

    def __init__(self, **methods: Any) -> None:
        claims = Capabilities(errors="raised", warnings=False)
        self._tape = TfShaped(tiny_tape, "faulty", claims, Hooks(foreign=True))
        self.__dict__.update(methods)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tape, name)


def _plain() -> TfShaped:
    return TfShaped(tiny_tape, "plain", None, Hooks(foreign=True))


def loses_the_dtype() -> Faulty:
    plain = _plain()
    return Faulty(constant=lambda array: tiny_tape.Tensor(plain.constant(array)._value.astype("float32")))


def answers_numbers() -> Faulty:
    return Faulty(observe=lambda value: None)


def raises_for_an_unknown_op() -> Faulty:
    plain = _plain()

    def call(op: str, args: Any, kwargs: Any) -> Any:
        if op == "no.such_op":
            raise KeyError(op)
        return plain.call(op, args, kwargs)

    return Faulty(call=call)


def leaves_tapes_open() -> Faulty:
    """Has no gradient any more once two tapes were entered that nobody asked."""
    plain, unasked = _plain(), [0]

    def enter(context: Any) -> Any:
        unasked[0] += 1
        return plain.enter(context)

    def gradient(tape: Any, target: Any, sources: Any, **options: Any) -> Any:
        unasked[0] -= 1
        return plain.gradient(tape, target, sources) if unasked[0] < 2 else None

    return Faulty(enter=enter, gradient=gradient)


def claims_a_word_that_means_nothing() -> Faulty:
    return Faulty(capabilities=lambda: Capabilities(features=frozenset({"time_travel"})))


@pytest.mark.parametrize(
    ("name", "check", "words"),
    [
        ("loses_the_dtype", "constants of every dtype", "comes back as float32"),
        ("answers_numbers", "constants of every dtype", "not as a tensor"),
        ("raises_for_an_unknown_op", "an op that does not exist", "must raise UnsupportedStep"),
        ("leaves_tapes_open", "nothing is left", "otherwise after"),
        ("claims_a_word_that_means_nothing", "capabilities", "time_travel"),
    ],
)
def test_a_fault_of_an_adapter_is_a_sentence_at_its_own_step_kind(name: str, check: str, words: str) -> None:
    with open_tape(f"{HERE}:{name}") as tape:
        found = {title: fault for title, fault in smoke.faults(tape) if fault}
    (sentence,) = (fault for title, fault in found.items() if title.startswith(check))
    assert words in sentence


def test_the_reference_engine_and_the_tiny_tape_pass_the_smoke_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["smoke", "reference"]) == 0
    assert "The adapter is all right." in capsys.readouterr().out
    assert main(["smoke", "examples.tiny_tape"]) in (0, 1)
    assert "protocol, ending with its input" in capsys.readouterr().out


# ---------------------------------------------------------------- the new adapter


def test_a_new_adapter_runs_as_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert main(["new-adapter", "fresh_tape"]) == 0
    assert "tapecheck smoke fresh_tape:Adapter" in capsys.readouterr().out
    assert main(["smoke", "fresh_tape:Adapter"]) == 0
    arguments = ["--oracle", "reference", "--programs", "60", "--no-corpus", "--report", str(tmp_path / "index.html")]
    assert main(["run", "fresh_tape:Adapter", *arguments]) in (0, 1)
    assert "programs that it supports" in capsys.readouterr().out or (tmp_path / "index.html").exists()


def test_a_new_adapter_never_overwrites_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.py").write_text("precious")
    assert main(["new-adapter", "mine", "--to", str(tmp_path)]) == 2
    assert (tmp_path / "mine.py").read_text() == "precious"
    assert main(["new-adapter", "not-a-name", "--to", str(tmp_path)]) == 2
    assert "cannot be the name of a module" in capsys.readouterr().err


def test_the_skeleton_has_every_method_of_an_adapter() -> None:
    from adapters.backend import Backend

    wanted = [name for name in vars(Backend) if not name.startswith("_")]
    text = skeleton("some_tape")
    assert [name for name in wanted if f"def {name}(" not in text] == []
    assert "NAME" not in text


# ---------------------------------------------------------------- the expectation file


def test_what_is_expected_is_expected_in_the_next_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, file = tmp_path / "index.html", tmp_path / "tiny.json"
    arguments = ["run", "examples.tiny_tape", "--oracle", "reference", "--programs", "60", "--no-corpus"]
    assert main([*arguments, "--report", str(page)]) == 1
    assert main(["expect", "--from", str(tmp_path / "records.jsonl"), "--out", str(file)]) == 0
    entries = load_expectations("examples.tiny_tape", str(file))
    assert entries and all(entry.kind == "not yet" and entry.reason for entry in entries)
    assert main([*arguments, "--report", str(page), "--expectations", str(file)]) in (0, 2)
    summary = reports.summarise(reports.read([tmp_path / "records.jsonl"]))
    assert summary.causes and summary.expected == len(summary.causes)


def test_a_star_in_a_signature_stands_for_anything(tmp_path: Path) -> None:
    file = tmp_path / "wide.json"
    entry = {"signature": ["*", "tensor", "other sign of zero", "*"], "kind": "never", "reason": "zeros have no sign"}
    file.write_text(json.dumps([entry]))
    (expected,) = load_expectations("some", str(file))
    kept = reports.read([Path(__file__).parents[1] / "reports" / "causes_of_version_1.jsonl"])
    cause = next(one for one in kept if isinstance(one, Cause))
    fits = [("math.abs", "tensor", "other sign of zero", "float"), ("math.abs", "tensor", "none", "float")]
    assert [expected.fits(replace(cause, signature=one)) for one in fits] == [True, False]


# ---------------------------------------------------------------- the protocol


def test_the_published_schema_is_the_one_that_the_tables_make() -> None:
    assert protocol_schema.FILE.read_text(encoding="utf-8") == protocol_schema.text()


def test_every_pinned_program_and_its_answers_fit_the_schema() -> None:
    schema = protocol_schema.schema()
    for pinned in corpus.load()[::7]:
        text = dumps(pinned.program)
        asked = {"id": id_of_text(text), "program": json.loads(text), "trace": True}
        said = answer(asked["id"], pinned.answers)
        told = {"id": asked["id"], "step": 0, "observation": observation_to_json(pinned.answers[0])}
        for name, line in (("request", asked), ("answer", said), ("step_told", told)):
            assert not faults(line, schema["$defs"][name], schema), (pinned.id, name)


def test_greetings_fit_the_schema_and_what_is_none_does_not() -> None:
    schema = protocol_schema.schema()
    backend = load("tests.running.small_tapes:too_modest")
    assert not faults(greeting(backend.identity(), backend.capabilities()), schema["$defs"]["greeting"], schema)
    assert faults({"id": "a", "program": {"version": 1, "steps": [{"do": "levitate"}]}}, schema)
    assert faults({"protocol": 1, "language": 1}, schema)


@pytest.mark.parametrize("name", ["reference", "examples.tiny_tape"])
def test_tapes_that_are_served_keep_to_the_protocol(name: str) -> None:
    assert [fault for _, fault in protocol_check.faults(name) if fault] == []


def speaker(body: str, greets: bool = True) -> str:
    greeting_ = {"protocol": 1, "language": 1, "identity": {"name": "speaker", "version": "1"}, "capabilities": {}}
    lines = ["import json, sys, time"]
    lines += [f"print({json.dumps(greeting_)!r}, flush=True)"] if greets else []
    lines += ["for line in sys.stdin:", *(f"    {one}" for one in body.splitlines()), "    sys.stdout.flush()"]
    return f"command: {shlex.join([sys.executable, '-c', chr(10).join(lines)])}"


ECHO = (
    "asked = json.loads(line)\n"
    "seen = [{'saw': 'unsupported', 'reason': 'all'} for _ in asked['program']['steps']]\n"
    "print(json.dumps({'id': ID, 'observations': seen}))"
)
TOLERANT = (
    "try: asked = json.loads(line)\n"
    "except ValueError: asked = {'id': '', 'program': {'steps': []}}\n" + ECHO.partition("\n")[2]
)


@pytest.mark.parametrize(
    ("body", "greets", "check", "words"),
    [
        ("print('hello')", False, "the greeting", "no line came"),
        (ECHO.replace("ID", "'x'"), True, "an answer", "names the program 'x'"),
        (ECHO.replace("ID", "asked['id']"), True, "refusing what is no program", "the process ended"),
        (TOLERANT.replace("ID", "asked['id']"), True, "refusing what is no program", "must be answered with an error"),
        ("print(json.dumps({'id': json.loads(line)['id'], 'observations': []}))", True, "an answer", "0 observations"),
    ],
)
def test_a_process_that_breaks_the_protocol_is_told_where(
    body: str, greets: bool, check: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol_check, "SECONDS", 1.0 if not greets else 20.0)
    found = [(name, fault) for name, fault in protocol_check.faults(speaker(body, greets)) if fault]
    assert [name for name, _ in found] == [check]
    assert words in found[0][1]


def test_programs_of_the_guide_to_the_protocol_are_programs() -> None:
    guide = (Path(__file__).resolve().parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
    schema = protocol_schema.schema()
    blocks = [block.partition("```")[0] for block in guide.split("```json\n")[1:]]
    assert len(blocks) == 3
    for block, name in zip(blocks, ("greeting", "request", "answer")):
        assert not faults(json.loads(block), schema["$defs"][name], schema), name
    program = from_json(json.loads(blocks[1])["program"])
    assert to_json(program)["steps"][1]["op"] == "math.exp"
    assert Observation and Program((lang.Constant(array_of(3.0)), lang.Call("math.exp", (Ref(0),)))) == program
