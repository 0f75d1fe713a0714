"""Causes: one signature for one reason, a title that says what differs, and the rule that it falls under."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adapters.arrays import array_of, from_numpy
from adapters.language import Call, Constant, Enter, Exit, Gradient, MakeTape, Program, Py, Ref, StopRecording, Watch
from adapters.observations import Done, Nothing, Observation, Outcome, Raised, Tensor
from conformance.judging.causes import KnownRule, attribute, cause_id, signature, suspect, title, to_cause
from conformance.judging.compare import Difference, compare


def tensor(values: Any, dtype: str = "float32") -> Tensor:
    return Tensor(from_numpy(np.asarray(values, dtype)))


def program(*ops: str, value: Any = (1.0, 2.0), persistent: bool = False) -> Program:
    steps: list[Any] = [Constant(array_of(list(value))), MakeTape(Py(persistent)), Enter(Ref(1)), Watch(Ref(1), Ref(0))]
    for op in ops:
        steps.append(Call(op, (Ref(len(steps) - 1 if len(steps) > 4 else 0),)))
    last = len(steps) - 1
    return Program((*steps, Exit(Ref(1)), Gradient(Ref(1), Ref(last), Ref(0))))


def answers(of: Program, gradient: Outcome) -> tuple[Observation, ...]:
    made = [Observation(tensor([1.0]) if isinstance(s, Constant | Call) else Done()) for s in of.steps]
    return (*made[:-1], Observation(gradient))


def difference(of: Program, want: Outcome, got: Outcome) -> Difference:
    found = compare(of, answers(of, want), answers(of, got)).difference
    assert found is not None
    return found


RELU = program("nn.relu", "math.reduce_sum")


def test_the_suspect_is_the_last_op_that_is_not_plumbing() -> None:
    assert suspect(RELU, len(RELU.steps) - 1) == "nn.relu"
    assert suspect(RELU, 4) == "nn.relu"
    assert suspect(program("math.reduce_sum"), 6) == "math.reduce_sum"
    assert suspect(RELU, 3) == "watching"


def test_a_signature_names_op_kinds_and_dtype_class() -> None:
    found = difference(RELU, tensor([0.0, 1.0]), Nothing())
    assert signature(RELU, found) == ("nn.relu", "tensor", "none", "float")
    assert signature(RELU, difference(RELU, Nothing(), tensor([0.0]))) == ("nn.relu", "none", "zeros", "float")
    wrong = difference(RELU, tensor([0.0, 1.0]), tensor([1.0, 1.0]))
    assert signature(RELU, wrong, "TIES-04") == ("TIES-04", "tensor", "other zero", "float")


def test_cause_ids_are_stable_and_differ_by_signature() -> None:
    assert cause_id(("nn.relu", "tensor", "none", "float")) == cause_id(("nn.relu", "tensor", "none", "float"))
    assert cause_id(("nn.relu", "tensor", "none", "float")) != cause_id(("nn.relu", "none", "tensor", "float"))
    assert len(cause_id(("a", "b"))) == 12


def test_titles_say_what_each_side_gave() -> None:
    found = difference(RELU, tensor([0.0, 1.0]), tensor([0.5, 1.0]))
    assert title(RELU, found) == "gradient of nn.relu: wanted f32[2] [0, 1], got f32[2] [0.5, 1]"


RULES = (
    KnownRule("TIES-04", "relu has slope 0 at 0.", "observed", (program("nn.relu", value=(0.0, 1.0)),)),
    KnownRule("LIFE-06", "A tape is used once.", "documented", (program("math.sin", persistent=True),)),
)


def test_a_rules_own_program_is_pinned_and_one_like_it_looks_like_it() -> None:
    pinned = RULES[0].programs[0]
    assert attribute(pinned, difference(pinned, tensor([0.0, 1.0]), Nothing()), RULES).how == "pinned"
    near = program("nn.relu", "math.reduce_sum", value=(0.0, 1.0))
    found = attribute(near, difference(near, tensor([0.0, 1.0]), Nothing()), RULES)
    assert (found.how, found.rule and found.rule.id) == ("looks like", "TIES-04")
    far = program("math.cos", "math.exp")
    assert attribute(far, difference(far, tensor([0.0, 1.0]), Nothing()), RULES).how == "unexplained"


def test_a_cause_is_recorded_with_its_trace() -> None:
    want, got = answers(RELU, tensor([0.0, 1.0])), answers(RELU, Raised("ValueError", "no"))
    found = compare(RELU, want, got)
    code = [f"line {i}" for i in range(len(RELU.steps))]
    settings = {"script": "import tensorflow as tf", "code": code, "replay": "tapecheck replay x", "rules": RULES}
    cause = to_cause(RELU, found, want, got, **settings)
    assert cause.id == cause_id(cause.signature)
    assert cause.op == "nn.relu" and cause.steps_besides == 4
    assert [line.mark for line in cause.trace] == ["same"] * 7 + ["differs"]
    assert cause.trace[-1].got == "raised ValueError: no" and cause.trace[-1].code == "line 7"


def test_a_cause_needs_a_difference() -> None:
    same = answers(RELU, Nothing())
    with pytest.raises(ValueError, match="no cause"):
        to_cause(RELU, compare(RELU, same, same), same, same, script="", code=(), replay="")


def test_protocol_steps_are_about_themselves() -> None:
    stopping = Program((MakeTape(), StopRecording(Ref(0))))
    want = (Observation(Done()), Observation(Raised("RuntimeError", "the tape is not recording")))
    found = compare(stopping, want, (Observation(Done()), Observation(Done()))).difference
    assert found is not None
    assert signature(stopping, found) == ("stop_recording", "raised RuntimeError", "done", "none")
