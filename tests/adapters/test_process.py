"""Behind the process protocol: death, hang and garbage are observations, and the child is started anew."""

import json
import shlex
import sys

import pytest

from adapters import AdapterError, open_tape
from adapters.arrays import array_of
from adapters.language import Call, Constant, Program, Py, Ref
from adapters.observations import Crashed, Done, Host, Nothing, Observation, Tensor, TimedOut, Unsupported
from adapters.process import ProcessTape, Settings

GOOD = Program((Constant(array_of(2.0)), Call("operator.mul", (Ref(0), Ref(0)))))
ANSWER = (Observation(Tensor(array_of(2.0))), Observation(Tensor(array_of(4.0))))


def good(number: float) -> Program:
    return Program((Constant(array_of(number)),))


def doing(what: str) -> Program:
    return Program((Constant(array_of(2.0)), Call(f"misbehave.{what}"), Constant(array_of(4.0))))


@pytest.fixture(scope="module")
def tape():
    with open_tape("tests.adapters.tiny_tape", process=True) as tape:
        yield tape


def speaker(body: str) -> str:
    """A command whose child greets and then runs `body` for each `line` it reads."""
    greeting = {"protocol": 1, "language": 1, "identity": {"name": "speaker", "version": "1"}, "capabilities": {}}
    source = "\n".join(
        (
            "import json, sys, os, time",
            f"print({json.dumps(greeting)!r}, flush=True)",
            "for line in sys.stdin:",
            "    asked = json.loads(line)",
            f"    {body}",
            "    sys.stdout.flush()",
        )
    )
    return f"command: {shlex.join([sys.executable, '-c', source])}"


def test_answers_and_identity_cross_the_process_border(tape):
    assert tape.run(GOOD) == ANSWER
    assert (tape.identity().name, tape.identity().version) == ("tests.adapters.tiny_tape", "0.1")
    assert tape.capabilities().ops is None


def test_many_programs_are_answered_in_order_with_single_ones_between(tape):
    seen = []
    for observations in tape.run_many(good(float(number)) for number in range(100)):
        seen.append(observations[0].outcome.array.values[0])
        if len(seen) % 30 == 0:
            assert tape.run(GOOD) == ANSWER
    assert seen == [float(number) for number in range(100)]


def test_a_caller_may_stop_in_the_middle(tape):
    for _ in tape.run_many([GOOD] * 50):
        break
    assert tape.run(good(5.0))[0] == Observation(Tensor(array_of(5.0)))


def test_what_the_implementation_prints_does_not_reach_the_protocol(tape):
    assert tape.run(doing("print"))[1].outcome == Host("str", array_of(""))
    assert tape.run(GOOD) == ANSWER


def test_a_death_is_observed_at_its_step_and_the_others_are_answered(tape):
    answers = list(tape.run_many([GOOD, doing("exit"), GOOD]))
    died = Observation(Crashed("the process ended with exit status 7"))
    assert answers == [ANSWER, (ANSWER[0], died, died), ANSWER]


def test_a_hang_is_observed_at_its_step(tape):
    answers = list(tape.run_many([GOOD, doing("hang"), GOOD], timeout=0.5))
    late = Observation(TimedOut(0.5))
    assert answers == [ANSWER, (ANSWER[0], late, late), ANSWER]


def test_the_child_is_replaced_after_so_many_programs_and_nothing_is_lost():
    with open_tape("tests.adapters.tiny_tape", process=True, restart_after=10, window=4) as tape:
        children = set()
        for observations in tape.run_many([GOOD] * 25):
            assert observations == ANSWER
            children.add(tape._child.process.pid)
        assert len(children) == 3


def test_the_child_is_replaced_when_it_has_grown(monkeypatch):
    monkeypatch.setattr("adapters.process._MEMORY_EVERY", 5)
    with open_tape("tests.adapters.tiny_tape", process=True, most_memory=1, window=3) as tape:
        first = tape._child.process.pid
        assert list(tape.run_many([GOOD] * 12)) == [ANSWER] * 12
        assert tape._child.process.pid != first


def test_ids_are_written_down_before_the_program_runs(tmp_path):
    from adapters.program_json import program_id

    journal = tmp_path / "journal"
    with open_tape("tests.adapters.tiny_tape", process=True, journal=journal) as tape:
        tape.run(doing("exit"))
    assert journal.read_text().split()[0] == program_id(doing("exit"))


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("print('nonsense')", "the answer is not a JSON object: 'nonsense'"),
        ("print('[1]')", "the answer is not a JSON object"),
        ("print(json.dumps(dict(id='other')))", "the answer is to another program"),
        ("print(json.dumps(dict(id=asked['id'])))", "the answer is garbage: its answer has no observations"),
        ("print(json.dumps(dict(id=asked['id'], observations=[])))", "it answered 0 observations to 2 steps"),
        ("print(json.dumps(dict(id=asked['id'], observations=[dict(saw='fun')] * 2)))", "no outcome called 'fun'"),
        ("os.kill(os.getpid(), 11)", "the process was ended by SIGSEGV"),
        ("sys.stdout.write('x' * 2_000_000)", "the answer is longer than 1,000,000 bytes"),
    ],
)
def test_garbage_is_an_observation(body, reason):
    with open_tape(speaker(body), longest_answer=1_000_000) as tape:
        first, second = tape.run(GOOD)
    assert isinstance(first.outcome, Crashed) and reason in first.outcome.reason
    assert first == second


def test_a_child_that_refuses_a_program_does_not_support_it():
    with open_tape(speaker("print(json.dumps(dict(id=asked['id'], error='no such step')))")) as tape:
        assert tape.run(GOOD) == (Observation(Unsupported("it refused the program: no such step")),) * 2


def test_a_child_in_another_language_needs_no_more_than_lines():
    words = "[dict(saw='done' if step['do'] == 'call' else 'none') for step in asked['program']['steps']]"
    body = f"print(json.dumps(dict(id=asked['id'], observations={words})))"
    with open_tape(speaker(body)) as tape:
        assert tape.run(GOOD) == (Observation(Nothing()), Observation(Done()))
        assert len(list(tape.run_many([GOOD] * 100))) == 100


def test_large_programs_and_answers_do_not_block_each_other():
    large = Program(
        (Constant(array_of([float(value) for value in range(60_000)])), Call("operator.add", (Ref(0), Py(1.0))))
    )
    with open_tape("tests.adapters.tiny_tape", process=True) as tape:
        answers = list(tape.run_many([large] * 8))
    assert all(answer[1].outcome.array.values[-1] == 60_000.0 for answer in answers)


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("command: /no/such/tape", "failed to start"),
        (f"command: {sys.executable} -c 'import sys; sys.exit(3)'", "the process ended with exit status 3"),
        (f"command: {sys.executable} -c 'print(1)'", "its first line is no greeting"),
        (f"command: {sys.executable} -c 'print(\"hello\")'", "its first line is not JSON"),
        (f'command: {sys.executable} -c \'print("{{\\"protocol\\": 9}}")\'', "it speaks version 9 of the protocol"),
        (f"command: {sys.executable} -c 'raise SystemError(\"broken\")'", "SystemError: broken"),
    ],
)
def test_a_child_that_does_not_start_is_one_sentence(command, sentence):
    with pytest.raises(AdapterError) as error, open_tape(command):
        raise AssertionError("it must not open")
    assert sentence in str(error.value) and "\n" not in str(error.value)


def test_a_child_that_never_greets_is_given_up():
    with pytest.raises(AdapterError, match=r"did not greet within 0\.3 s"):
        ProcessTape("silent", [sys.executable, "-c", "import time; time.sleep(1e6)"], Settings(start_timeout=0.3))
