"""A tape that hangs, dies, babbles or leaks gets a report; the run ends by itself, and nothing recorded is lost."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

import reports
from adapters import AdapterError, open_tape
from adapters.arrays import array_of
from adapters.language import Constant, Program
from adapters.observations import Crashed, Done, Observation, TimedOut
from conformance.command_line import main
from conformance.running import session
from conformance.running.session import MOST_DIED, MOST_HUNG, Silence
from reports.records import Cause, End, Header, Notice, Outcome
from tests.running.test_plugin import run_pytest

HERE = "tests.running.bad_tapes"
pytestmark = pytest.mark.filterwarnings("ignore")


def process(name: str) -> str:
    return f"command: {sys.executable} {Path(__file__).with_name('bad_processes.py')} {name}"


def ran(tmp_path: Path, name: str, *more: str) -> tuple[int, list[reports.records.Record]]:
    page = tmp_path / "index.html"
    code = main(["run", name, "--oracle", "reference", "--no-corpus", "--report", str(page), *more])
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    return code, reports.read([tmp_path / "records.jsonl"])


def verdicts(records: list[reports.records.Record]) -> list[str]:
    return [one.verdict for one in records if isinstance(one, Outcome) and one.origin == "generated"]


def notices(records: list[reports.records.Record]) -> str:
    return " ".join(one.text for one in records if isinstance(one, Notice))


def test_a_tape_that_hangs_is_abandoned_and_reported(tmp_path: Path) -> None:
    code, records = ran(tmp_path, process("hangs"), "--programs", "60", "--timeout", "0.3")
    assert code != 0
    assert verdicts(records) == ["timed out"] * MOST_HUNG, "the others are not asked"
    assert "abandoned" in notices(records) and "hung" in notices(records)
    assert [one.how for one in records if isinstance(one, End)]


def test_a_segmentation_fault_is_a_cause_and_the_rest_is_judged(tmp_path: Path) -> None:
    code, records = ran(tmp_path, f"{HERE}:segfaults", "--programs", "40")
    seen = verdicts(records)
    assert code == 1
    assert len(seen) == 40
    assert "crashed" in seen and "agrees" in seen
    crashed = [one for one in records if isinstance(one, Cause) and "crashed" in one.signature]
    assert crashed and "SIGSEGV" in crashed[0].title
    assert crashed[0].signature[0] == "math.sin", "the step at which the process dies is known"


def test_garbage_instead_of_answers_is_an_observation_of_each_program(tmp_path: Path) -> None:
    code, records = ran(tmp_path, process("prints_garbage"), "--programs", "5")
    assert code == 1
    assert set(verdicts(records)) == {"crashed"}
    causes = [one for one in records if isinstance(one, Cause)]
    assert all("not a JSON object: 'Segmentation fault?" in one.title for one in causes), "what was written is quoted"
    assert {one.blame for one in causes} == {"tape"}
    assert shlex.split(causes[0].replay)[2] == process("prints_garbage"), "the command can be pasted"
    assert reports.summarise(records).answered[0] == 0, "this is no answer"


def test_an_answer_of_a_gigabyte_is_cut_off(tmp_path: Path) -> None:
    program = Program((Constant(array_of(1.0)),))
    with open_tape(process("answers_without_end"), longest_answer=4 << 20) as tape:
        (seen,) = tape.run(program)
    assert isinstance(seen.outcome, Crashed) and "longer than" in seen.outcome.reason


def test_an_answer_of_a_gigabyte_gets_a_report_that_says_so(tmp_path: Path) -> None:
    code, records = ran(tmp_path, process("answers_without_end"), "--programs", "2")
    assert code == 1
    assert verdicts(records) == ["crashed", "crashed"]
    assert any("the answer is longer than" in one.title for one in records if isinstance(one, Cause))


def test_a_tape_that_leaks_gets_a_report_that_says_that_its_process_was_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = session.open_tape
    monkeypatch.setattr(session, "open_tape", lambda *names, **more: opened(*names, most_memory=450 << 20, **more))
    code, records = ran(tmp_path, f"{HERE}:leaks", "--programs", "250", "--level", "core")
    assert code in (0, 1)
    assert len(verdicts(records)) == 250 and "agrees" in verdicts(records)
    assert "held more than" in notices(records) and "was replaced" in notices(records)


def test_a_tape_that_leaks_is_started_anew_and_judged_to_the_end(tmp_path: Path) -> None:
    programs = [Program((Constant(array_of(float(number))),)) for number in range(250)]
    with open_tape(f"{HERE}:leaks", process=True, most_memory=600 << 20) as tape:
        answers = list(tape.run_many(programs))
        first = tape._child.memory()
    assert len(answers) == 250
    assert [one[0].outcome.array.values[0] for one in answers] == [float(number) for number in range(250)]
    assert first < 250 * (10 << 20), "the process that answered last is not the one that answered first"


def test_a_process_that_dies_at_start_gets_a_report_that_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, records = ran(tmp_path, process("dies_at_start"), "--programs", "5")
    assert code == 2
    assert "exit status 3" in notices(records) and "no licence file was found" in notices(records)
    assert [one.implementation_version for one in records if isinstance(one, Header)] == ["did not start"]
    assert "no licence file was found" in capsys.readouterr().err


def test_pytest_leaves_a_report_too_when_the_process_dies_at_its_start(tmp_path: Path) -> None:
    page = tmp_path / "index.html"
    ran_ = run_pytest(page, f"--implementation={process('dies_at_start')}")
    assert ran_.returncode == 4
    assert "no licence file was found" in ran_.stderr and f"Report:  {page}" in ran_.stderr
    assert "no licence file was found" in page.read_text(encoding="utf-8")


def test_a_process_that_greets_in_its_own_way_gets_a_report_that_says_so(tmp_path: Path) -> None:
    code, records = ran(tmp_path, process("garbage_at_start"), "--programs", "5")
    assert code == 2
    assert "its first line is not JSON" in notices(records)


def test_a_tape_whose_answers_are_nan_everywhere_differs_by_few_causes(tmp_path: Path) -> None:
    code, records = ran(tmp_path, f"{HERE}:NanEverywhere", "--programs", "60", "--level", "core")
    causes = [one for one in records if isinstance(one, Cause)]
    assert code == 1
    assert any("nan" in one.signature for one in causes)
    assert len(causes) < 30
    agreeing = [one for one in records if isinstance(one, Outcome) and one.verdict == "agrees" and one.ops]
    assert all("empty" in one.features for one in agreeing)  # what has no elements has none that is nan


def test_a_tape_is_given_up_only_after_failures_in_a_row() -> None:
    hung, fine = (Observation(TimedOut(1.0)),), (Observation(Done()),)
    silence = Silence()
    for _ in range(MOST_HUNG - 1):
        silence.note(hung)
    silence.note(fine)
    assert not silence.gives_up
    for _ in range(MOST_HUNG):
        silence.note(hung)
    assert silence.gives_up and "hung" in silence.sentence
    died = Silence()
    for _ in range(MOST_DIED):
        died.note((Observation(Crashed("the process ended")),))
    assert died.gives_up and "died" in died.sentence


def test_a_start_that_is_refused_in_order_is_a_sentence_and_no_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "index.html"
    assert main(["run", "tests.running.failing_adapters:RaisesAtStart", "--report", str(page)]) == 2
    assert "no licence for this tape" in capsys.readouterr().err
    assert not page.exists()


def test_a_tape_that_does_not_exist_leaves_no_report(tmp_path: Path) -> None:
    with pytest.raises(AdapterError, match="no implementation called"), open_tape("no.such.tape", process=True):
        pass
