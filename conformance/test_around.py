"""Whole programs around a tape, run on TensorFlow and on the implementation from the same weights and data.

Skipped for implementations that are not modules shaped like TensorFlow, or that lack what a program is about; of the
NumPy engine nothing is skipped.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

import adapters
from conformance.around import PROGRAMS, Record, World
from conformance.around.agreement import differences, lines_apart
from conformance.around.guides import GUIDES, SNIPPETS, printed_by
from conformance.around.tutorial import blocks, run

NEEDS = ("Module", "data", "keras", "saved_model", "function")


def module_of(name: str) -> Any:
    """The module behind an implementation, None when there is none."""
    return getattr(adapters.load(name), "module", None)


def implementation(request: pytest.FixtureRequest) -> str:
    """The name of the implementation; skips for one that does not mean to have what programs are about."""
    name = request.config.getoption("implementation", None) or "reference"
    try:
        module = None if name.startswith("command:") else module_of(name)
    except adapters.AdapterError:  # it runs in an environment of its own, or not at all, which the other checks say
        module = None
    if name != "reference" and (module is None or not all(hasattr(module, need) for need in NEEDS)):
        pytest.skip(f"{name} has not all of {', '.join(NEEDS)}")
    return name


def _recorded(program: str, name: str, place: Path) -> Record:
    folder = place / name.replace(":", "_")
    folder.mkdir()
    return PROGRAMS[program](World(module_of(name), name, folder))


@pytest.mark.skipif(importlib.util.find_spec("tensorflow") is None, reason="TensorFlow is not installed")
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_gives_the_losses_and_gradients_that_tensorflow_gives(
    program: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    name = implementation(request)
    want, got = (_recorded(program, who, tmp_path) for who in ("tensorflow", name))
    found = differences(want, got)
    assert not found, "\n".join(found)


@pytest.mark.skipif(importlib.util.find_spec("tensorflow") is None, reason="TensorFlow is not installed")
@pytest.mark.parametrize("guide", [*GUIDES, *SNIPPETS])
def test_the_code_of_a_guide_prints_what_it_prints_with_tensorflow(
    guide: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    pytest.importorskip("matplotlib")
    name = implementation(request)
    (tmp_path / "want").mkdir()
    (tmp_path / "got").mkdir()
    want = printed_by(guide, module_of("tensorflow"), tmp_path / "want")
    got = printed_by(guide, module_of(name), tmp_path / "got")
    found = lines_apart(want, got)
    assert not found, "\n".join(found)


@pytest.mark.skipif(importlib.util.find_spec("tensorflow") is None, reason="TensorFlow is not installed")
def test_the_blocks_of_the_tutorial_print_with_tensorflow_what_stands_under_them(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for block, printed in run(blocks(), module_of("tensorflow"), tmp_path, ("engine",)):
        assert printed == block.printed, f"gradient-tapes-in-an-hour.md, line {block.line}"
