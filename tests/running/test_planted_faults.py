"""Planted faults without TensorFlow: the healthy engine stands in for it, so that a fault that is none is noticed."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import reports
from adapters import load
from adapters.interpreter import run
from adapters.language import Program
from adapters.observations import Observation
from conformance.command_line import main
from conformance.generating import sources
from conformance.judging.judge import FAILED, judge
from conformance.running.plan import DEFAULT_SEED
from reports.records import Cause
from tests.mutants import faulty

# Which of the generated programs of the default seed show a fault early is found once and kept here: replaying only
# those keeps this test to seconds. `python -m tests.mutants` looks at all of them, against TensorFlow.
PROGRAMS = 1_500
# One of each kind: walk, broadcasting, life, watching, variables, warnings, ties, kinks, complex numbers, orders.
NAMES = (
    "third_use_is_dropped", "broadcast_axes_are_averaged", "reset_keeps_watches", "watches_are_shared",
    "untrainable_variables_are_watched", "integer_watch_is_silent", "ties_are_shared", "relu_slopes_at_zero",
    "conjugate_is_missing", "second_order_is_not_recorded", "unconnected_is_zero", "sin_is_off_by_a_thousandth",
)  # fmt: skip


@cache
def healthy() -> tuple[tuple[Program, tuple[Observation, ...]], ...]:
    """Generated programs with the healthy engine's answers."""
    backend = load("reference")
    drawn = sources.seeded(DEFAULT_SEED, 0, PROGRAMS)
    return tuple((program, run(program, backend)) for _, program in drawn)


@pytest.mark.parametrize("name", NAMES)
def test_a_planted_fault_is_found_by_generated_programs(name: str) -> None:
    backend = faulty(name)
    assert any(judge(program, want, run(program, backend)).verdict in FAILED for program, want in healthy())


def test_two_faults_in_one_run_are_two_causes(tmp_path: Path) -> None:
    page = tmp_path / "index.html"
    code = main(
        [
            "run",
            "tests.mutants:two_faults",
            "--oracle",
            "reference",
            "--programs",
            "2500",
            "--no-corpus",
            "--report",
            str(page),
        ]
    )
    causes = [one for one in reports.read([tmp_path / "records.jsonl"]) if isinstance(one, Cause)]
    assert code == 1
    assert any("maximum" in cause.script for cause in causes)
    assert any("reset" in cause.script for cause in causes)
    assert all(cause.script.startswith("import tensorflow as tf") for cause in causes)
