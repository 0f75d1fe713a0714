"""The corpus: that it is what the rules' programs say, and that what TensorFlow answered shows something."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.language import Program
from adapters.observations import Crashed, Done, Observation, Skipped, Tensor, TimedOut, Unsupported
from adapters.program_json import dumps, loads, program_id
from conformance import corpus, pin
from conformance.rules import all_rules

SILENT = (Done, Skipped)


def shows_something(answers: tuple[Observation, ...]) -> bool:
    return any(answer.warnings or not isinstance(answer.outcome, SILENT) for answer in answers)


def test_the_corpus_holds_exactly_the_programs_that_the_rules_write() -> None:
    written = {each.id: each.rules for each in pin.shown()}
    pinned = {each.id: each.rules for each in corpus.of_rules()}
    assert written == pinned, "run python -m conformance.pin"


def test_every_pinned_program_keeps_its_permanent_id() -> None:
    assert [pinned.id for pinned in corpus.load() if program_id(pinned.program) != pinned.id] == []


def test_every_pinned_program_survives_json() -> None:
    assert [pinned.id for pinned in corpus.load() if dumps(loads(dumps(pinned.program))) != dumps(pinned.program)] == []


def test_there_is_an_answer_for_every_step() -> None:
    assert [pinned.id for pinned in corpus.load() if len(pinned.answers) != len(pinned.program.steps)] == []


def test_tensorflow_has_what_every_pinned_program_asks_and_survives_it() -> None:
    bad = (Unsupported, Crashed, TimedOut)
    assert [
        pinned.id for pinned in corpus.load() if any(isinstance(answer.outcome, bad) for answer in pinned.answers)
    ] == []


def test_every_pinned_program_shows_something_or_is_about_silence() -> None:
    silent = {rule for pinned in corpus.load() if not shows_something(pinned.answers) for rule in pinned.rules}
    assert silent <= {rule.id for rule in all_rules() if "silent" in rule.sentence or "nothing" in rule.sentence}


def test_all_answers_come_from_one_version_of_tensorflow() -> None:
    assert {pinned.tensorflow for pinned in corpus.load()} == {"2.21.0"}


def test_a_file_is_written_only_when_something_changed(tmp_path: Path) -> None:
    path = corpus.path_of("LIFE", tmp_path)
    assert corpus.write(path, corpus.load("LIFE")) is True
    assert corpus.write(path, corpus.load("LIFE")) is False
    assert path.read_bytes() == corpus.path_of("LIFE").read_bytes()
    assert corpus.read(path) == corpus.load("LIFE")


def test_recording_asks_only_what_is_not_known() -> None:
    class Tape:
        asked = 0

        def identity(self) -> object:
            return type("Identity", (), {"version": "2.21.0"})

        def run(self, program: object) -> tuple[Observation, ...]:
            self.asked += 1
            return (Observation(Done()),)

    first, second = corpus.load("LIFE")[:2]
    shown = tuple(pin.Shown(each.id, each.rules, each.program) for each in (first, second))
    tape = Tape()
    recorded = pin.record(shown, tape, {first.id: first})  # type: ignore[arg-type]
    assert tape.asked == 1
    assert recorded[0] == first
    assert recorded[1].answers == (Observation(Done()),)


def test_programs_are_found_by_group_and_by_pattern() -> None:
    assert all(pinned.rules[0].startswith("LIFE-") for pinned in corpus.load("LIFE"))
    assert {rule for pinned in corpus.load("WATCH-0[34]") for rule in pinned.rules} == {"WATCH-03", "WATCH-04"}
    assert corpus.groups("WATCH-03") == ("WATCH-03",)
    assert "LIFE" in corpus.groups()


@pytest.mark.parametrize("which", ["NOSUCH", "WATCH-999", "NO*"])
def test_asking_for_what_is_not_there_is_a_clear_error(which: str) -> None:
    with pytest.raises(corpus.CorpusError, match=which.replace("*", r"\*")):
        corpus.load(which)


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "life.jsonl"
    good = corpus.path_of("LIFE").read_text(encoding="utf-8").splitlines()[0]
    path.write_text(good + "\n{\n", encoding="utf-8")
    with pytest.raises(corpus.CorpusError, match=r"life\.jsonl, line 2"):
        corpus.read(path)


def test_every_pinned_program_knows_the_lane_in_which_it_is_judged() -> None:
    for pinned in corpus.load():
        again = pin.made(pinned.program, pinned.answers, pinned.tensorflow, pinned.rules)
        assert again.lane == pinned.lane, (pinned.id, "run python -m conformance.pin --lanes")


class Answering:
    """A tape that answers as recorded, but for one program."""

    def __init__(self, pinned: corpus.Pinned, answers: tuple[Observation, ...]) -> None:
        self.known = {each.program: each.answers for each in corpus.load("LIFE")} | {pinned.program: answers}

    def identity(self) -> object:
        return type("Identity", (), {"version": "9.9"})

    def run_many(self, programs: Iterable[Program]) -> Iterator[tuple[Observation, ...]]:
        return (self.known[program] for program in programs)


def _moved(answers: tuple[Observation, ...], by: float) -> tuple[Observation, ...]:
    """The answers with the last tensor's numbers moved by a share."""
    moved = list(answers)
    at = max(k for k, one in enumerate(answers) if isinstance(one.outcome, Tensor))
    array = answers[at].outcome.array
    moved[at] = Observation(Tensor(replace(array, values=tuple(v * (1 + by) for v in array.values))))
    return tuple(moved)


@pytest.mark.parametrize("by, changed", [(0.0, 0), (2.0**-23, 0), (0.01, 1)])
def test_an_answer_is_recorded_anew_only_when_it_leaves_its_bound(tmp_path: Path, by: float, changed: int) -> None:
    path = corpus.path_of("LIFE", tmp_path)
    corpus.write(path, corpus.load("LIFE"))
    rounded = next(each for each in corpus.load("LIFE") if each.lane == "numeric")
    found = pin.repin(Answering(rounded, _moved(rounded.answers, by)), tmp_path)  # type: ignore[arg-type]
    assert found == (rounded.id,) * changed
    assert (path.read_bytes() == corpus.path_of("LIFE").read_bytes()) is not bool(changed)
    assert [each.tensorflow for each in corpus.read(path)].count("9.9") == changed
