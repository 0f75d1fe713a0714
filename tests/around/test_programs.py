"""The programs and guides of conformance/around on the engine, against what TensorFlow 2.21 gave (recorded/)."""

from __future__ import annotations

from pathlib import Path

import pytest

import adapters
from conformance.around import PROGRAMS, Record, World
from conformance.around.agreement import differences, lines_apart
from conformance.around.guides import GUIDES, SNIPPETS, printed_by

RECORDED = Path(__file__).parent / "recorded"
ENGINE = adapters.load("reference").module  # type: ignore[attr-defined]


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_gives_the_losses_and_gradients_that_tensorflow_gave(program: str, tmp_path: Path) -> None:
    want = Record.read(RECORDED / f"{program}.npz")
    got = PROGRAMS[program](World(ENGINE, "reference", tmp_path))
    found = differences(want, got)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("guide", [*GUIDES, *SNIPPETS])
def test_the_code_of_a_guide_prints_what_it_printed_with_tensorflow(guide: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    want = (RECORDED / f"{guide}.txt").read_text(encoding="utf-8")
    found = lines_apart(want, printed_by(guide, ENGINE, tmp_path))
    assert not found, "\n".join(found)


def test_there_are_twenty_three_programs_and_seven_guides_and_each_has_its_record() -> None:
    assert (len(PROGRAMS), len(GUIDES)) == (23, 7)
    assert {p.stem for p in RECORDED.iterdir()} == {*PROGRAMS, *GUIDES, *SNIPPETS}


def test_floats_may_be_rounded_to_either_side_and_nothing_else_may_differ() -> None:
    want = "loss 1 [-2.8921, 0.5] epoch 3\n"
    assert not lines_apart(want, "loss 1 [-2.8922, 0.5] epoch 3\n")
    assert not lines_apart("0.15831226", "0.15831229")
    for got in (
        "loss 1 [-2.8923, 0.5] epoch 3\n",
        "loss 1 [2.8921, 0.5] epoch 3\n",
        "loss 2 [-2.8921, 0.5] epoch 3\n",
        "lost 1 [-2.8921, 0.5] epoch 3\n",
        "loss 1 [-2.8921] epoch 3\n",
        want + "more",
        "",
    ):
        assert lines_apart(want, got)
    assert lines_apart("0.15831226", "0.15832226")
    assert lines_apart("1.0", "2.0")
    assert lines_apart("0.5", "0.6")
    assert lines_apart("3.25 and 0.01", "3.25 and 0.02")
    assert lines_apart("0.15831226", "0.0")


def test_a_wrong_gradient_is_seen(tmp_path: Path) -> None:
    want = Record.read(RECORDED / "newton_steps.npz")
    got = Record.read(RECORDED / "newton_steps.npz")
    got.arrays["gradient 3.0"] = got.arrays["gradient 3.0"] * (1 + 1e-4)
    assert [line.partition(":")[0] for line in differences(want, got)] == ["gradient 3.0"]


def test_something_seen_by_one_alone_is_a_difference() -> None:
    want, got = Record(), Record()
    want.see("loss 0", 1.0)
    assert differences(want, got) == ["seen by one alone: ['loss 0'] and []"]
