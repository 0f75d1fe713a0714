"""Thirteen wrong gradients that published comparers miss, planted in real programs: 13 of 13 are found.

The wanted answers are computed, the bounds are carried through the program, and one gradient is replaced.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from adapters import load
from adapters.language import Gradient, Program
from adapters.local import LocalTape
from adapters.observations import Nothing, Observation, Outcome, Tensor
from conformance.handwritten import written
from conformance.judging.judge import judge

REFERENCE = LocalTape(load("reference"))
Numbers = tuple[float, ...]


@dataclass(frozen=True)
class Planted:
    """A wrong gradient: the program, the size that the right one has, and what is put in its place."""

    name: str
    program: Program
    size: float | None
    wrong: Callable[[Outcome], Outcome]


def slope(*slopes: float) -> Program:
    """A rounded program whose gradient is about `slopes`."""
    at = np.linspace(0.25, 0.75, len(slopes), dtype=np.float32)
    factors = (np.asarray(slopes) / np.cos(at)).astype(np.float32)

    def write(tf: Any) -> None:
        x = tf.constant(at.tolist())
        with tf.GradientTape() as t:
            t.watch(x)
            y = tf.math.sin(x) * tf.constant(factors.tolist())
        t.gradient(y, x)

    return written(write)


def of(function: Callable[..., Any], at: list[float]) -> Program:
    """The gradient of a function of one constant."""

    def write(tf: Any) -> None:
        x = tf.constant(at)
        with tf.GradientTape() as t:
            t.watch(x)
            y = function(tf, x)
        t.gradient(y, x)

    return written(write)


def put(change: Callable[[Numbers], Numbers]) -> Callable[[Outcome], Outcome]:
    """A gradient with other numbers."""

    def wrong(outcome: Outcome) -> Outcome:
        assert isinstance(outcome, Tensor)
        values = tuple(float(np.float32(v)) for v in change(outcome.array.values))
        return Tensor(replace(outcome.array, values=values))

    return wrong


def times(*factors: float) -> Callable[[Outcome], Outcome]:
    """A gradient whose elements are off by factors (one for all, or one each)."""
    return put(lambda values: tuple(v * factors[k % len(factors)] for k, v in enumerate(values)))


def nothing(_: Outcome) -> Outcome:
    return Nothing()


ZEROS = Tensor(REFERENCE.run(of(lambda tf, x: x * 0.0, [1.0, 2.0]))[-1].outcome.array)
NAN = float("nan")
PLANTED = (
    Planted("None for zeros", of(lambda tf, x: x * 0.0, [1.0, 2.0]), 0.0, nothing),
    Planted("zeros for None", of(lambda tf, x: tf.constant(3.0), [1.0, 2.0]), None, lambda _: ZEROS),
    Planted("None for non-zero", slope(1.5), 1.5, nothing),
    Planted("sign flipped at size 0.04", slope(0.04), 0.04, times(-1.0)),
    Planted("halved at 0.05", slope(0.05), 0.05, times(0.5)),
    Planted("dropped at 0.09", slope(0.09), 0.09, times(0.0)),
    Planted("1% at size 1", slope(1.0), 1.0, times(1.01)),
    Planted("0.01% at size 1", slope(1.0), 1.0, times(1.0001)),
    Planted("1% over 2,000 elements", slope(*[1.0] * 2000), 1.0, times(1.01)),
    Planted("finite for inf", of(lambda tf, x: tf.sqrt(x), [0.0]), np.inf, put(lambda values: (3.0e38,))),
    Planted("nan in one element", slope(1.0, 2.0), 1.0, put(lambda values: (values[0], NAN))),
    Planted("all nan", slope(1.0, 2.0), 1.0, put(lambda values: (NAN, NAN))),
    Planted("wrong sign at 5e-5", slope(5e-5, 1.0), 5e-5, times(-1.0, 1.0)),
)


def test_there_are_thirteen() -> None:
    assert len({one.name for one in PLANTED}) == 13


@pytest.mark.parametrize("planted", PLANTED, ids=lambda one: one.name)
def test_a_planted_wrong_gradient_is_found_and_the_right_one_agrees(planted: Planted) -> None:
    want = REFERENCE.run(planted.program)
    assert isinstance(planted.program.steps[-1], Gradient)
    right = want[-1].outcome
    if planted.size is None:
        assert isinstance(right, Nothing)
    else:
        assert right.array.values[0] == pytest.approx(planted.size, rel=1e-6)
    assert judge(planted.program, want, want).verdict == "agrees"
    got = (*want[:-1], Observation(planted.wrong(right)))
    judged = judge(planted.program, want, got)
    assert judged.verdict == "differs"
    assert judged.comparison.difference is not None
    assert judged.comparison.difference.step == len(want) - 1
