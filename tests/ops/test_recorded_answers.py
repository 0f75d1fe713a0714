"""Every op answers as TensorFlow did when its answers were recorded: values, gradients, their gradients, and errors."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest

import reference_impl as tf
from tests.ops.asking import Case, ask, differences

RECORDED = Path(__file__).parent / "recorded"
FAMILIES = sorted(path.stem for path in RECORDED.glob("*.json"))


def _questions() -> list:
    found = []
    for family in FAMILIES:
        want = json.loads((RECORDED / f"{family}.json").read_text())
        for case in importlib.import_module(f"tests.ops.cases_{family}").CASES:
            found.append(pytest.param(case, want.get(case.name), id=f"{family}: {case.name}"))
    return found


@pytest.mark.parametrize(("case", "want"), _questions())
def test_op_answers_as_tensorflow_did(case: Case, want: dict) -> None:
    got = json.loads(json.dumps(ask(tf, case)))
    assert want is not None, "not recorded: run tests/ops/record.py"
    assert not list(differences(want, got, case.scale))


@pytest.mark.parametrize("family", FAMILIES)
def test_cases_of_a_family_have_different_names(family: str) -> None:
    names = [case.name for case in importlib.import_module(f"tests.ops.cases_{family}").CASES]
    assert len(names) == len(set(names))


def test_a_wrong_number_is_seen() -> None:
    want = {"value": ["array", "float32", [2], ["1.0", "2.0"]]}
    got = {"value": ["array", "float32", [2], ["1.0", "2.001"]]}
    assert list(differences(want, want)) == []
    assert list(differences(want, got))


def test_zeros_instead_of_none_are_seen() -> None:
    zeros = ["array", "float32", [1], ["0.0"]]
    assert list(differences({"gradient": [None]}, {"gradient": [zeros]}))
