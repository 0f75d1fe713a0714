"""Programs that call traced loops, branches and lists of tensors: each kind can be run and is differentiated."""

from __future__ import annotations

import pytest

from adapters import language as lang
from adapters import load
from adapters.interpreter import run
from adapters.observations import Nest, Raised, Tensor
from conformance.generating.builder import NUMBER, build
from conformance.generating.moves.traced import KINDS, SHAPES


@pytest.mark.parametrize("shape", range(len(SHAPES)))
@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_a_traced_body_gives_a_value_and_a_gradient(kind: int, shape: int) -> None:
    program = build([(NUMBER["tape"], 0, 0, 0, 0, 0), (NUMBER["traced"], kind, shape, 0, 0, 5)])
    seen = run(program, load("reference"))
    assert not [one.outcome for one in seen if isinstance(one.outcome, Raised)]
    asked = [one.outcome for step, one in zip(program.steps, seen) if isinstance(step, lang.Gradient)]
    found = [part for outcome in asked for part in (outcome.items if isinstance(outcome, Nest) else (outcome,))]
    assert any(isinstance(part, Tensor) and any(part.array.values) for part in found)
