"""Calls with one wrong argument raise TensorFlow's errors.

Each file in `wrong_calls/` holds one recorded call a line: the program, and the class and core phrase of the error with
which TensorFlow refused its last step.
"""

import json
from pathlib import Path

import pytest

from adapters import open_tape
from adapters.observations import Raised
from adapters.program_json import from_json
from conformance.judging.messages import core_phrase

_FILES = sorted((Path(__file__).parent / "wrong_calls").glob("*.jsonl"))
_RECORDED = [json.loads(line) for path in _FILES for line in path.read_text().splitlines()]


@pytest.fixture(scope="module")
def tape():
    with open_tape("reference") as opened:
        yield opened


@pytest.mark.parametrize("recorded", _RECORDED, ids=[f"{one['op']}-{one['spoiled']}" for one in _RECORDED])
def test_a_wrong_argument_is_refused_as_tensorflow_refuses_it(tape, recorded):
    (observed,) = tape.run_many([from_json(recorded["program"])])
    got = observed[-1].outcome
    assert isinstance(got, Raised), got
    assert (recorded["class"], recorded["phrase"]) == (got.cls, core_phrase(got.message))
