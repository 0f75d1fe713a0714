"""Every block of the tutorial runs on the engine and prints what stands under it."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import reference_impl as tf
from conformance.around.tutorial import PAGE, Block, blocks, run

WITHOUT = () if importlib.util.find_spec("matplotlib") else ("matplotlib",)
SUBJECTS = (
    "watch", "persistent=True", "stop_recording", "stop_gradient", "reset()", "custom_gradient", "clip_by_norm",
    "clip_by_global_norm", "functools.partial", "jacobian(", "batch_jacobian(", "linalg.solve", "BatchNormalization",
    "viz.draw",
)  # fmt: skip


def test_each_block_prints_what_stands_under_it(tmp_path: Path) -> None:
    seen = 0
    for block, printed in run(blocks(), tf, tmp_path, WITHOUT):
        assert printed == block.printed, f"{PAGE.name}, line {block.line}"
        seen += 1
    assert seen == len(blocks()) - len(WITHOUT)


def test_a_block_that_prints_has_its_output_and_every_subject_has_a_block() -> None:
    found = blocks()
    assert len(found) >= 25
    assert all(("print(" in b.code) <= bool(b.printed) for b in found)
    code = "".join(b.code for b in found)
    assert [word for word in SUBJECTS if word not in code] == []
    assert PAGE.read_text(encoding="utf-8").count("```python") == len(found)


def test_the_picture_on_the_page_is_the_one_that_its_block_draws(tmp_path: Path) -> None:
    list(run(blocks(), tf, tmp_path, ("matplotlib",)))
    drawn = (tmp_path / "newton-step.svg").read_text(encoding="utf-8")
    assert drawn == (PAGE.parent / "newton-step.svg").read_text(encoding="utf-8")


def test_a_wrong_output_is_seen(tmp_path: Path) -> None:
    [(block, printed)] = run([Block(1, "", "print(tf.constant(2.0) * 3.0)", "7.0\n")], tf, tmp_path)
    assert printed == "tf.Tensor(6.0, shape=(), dtype=float32)\n" != block.printed
