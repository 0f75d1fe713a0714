"""An edit that is exchanged in a loaded engine does what a freshly loaded, edited copy does."""

from __future__ import annotations

import pytest

from adapters.local import LocalTape
from adapters.observations import Tensor
from adapters.reference import ReferenceBackend
from conformance.handwritten import written
from conformance.judging.sameness import identical
from tests.mutants.planting import Edit, edited
from tests.mutants.swapping import Spare


def cumulative_product(tf):
    x = tf.constant([2.0, 3.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.math.cumprod(x)
    t.gradient(y, x)


def hyperbolic_cosine(tf):
    x = tf.constant([2.0, 3.0])
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.math.cosh(x)
    t.gradient(y, x)


EDITS = [
    (Edit("ops.cumulative", "running * dy", "running + dy"), cumulative_product),
    (Edit("ops.trigonometry", "dy * F.sinh(F.conj(x))", "dy * F.cosh(F.conj(x))"), hyperbolic_cosine),
]


@pytest.mark.parametrize("edit, write", EDITS, ids=["in a function", "in a lambda"])
def test_exchanged_code_answers_as_an_edited_copy_does(edit: Edit, write) -> None:
    spare, program = Spare(), written(write)
    healthy = LocalTape(ReferenceBackend(engine=Spare().engine)).run(program)
    assert spare.swap((edit,))
    got = LocalTape(ReferenceBackend(engine=spare.engine)).run(program)
    assert identical(got, LocalTape(ReferenceBackend(engine=edited((edit,)))).run(program))
    assert isinstance(got[-1].outcome, Tensor)
    assert not identical(got, healthy)


@pytest.mark.parametrize("before, after", [("import numpy as np", "import numpy as np "), ("annotations", "division")])
def test_what_runs_while_the_engine_is_imported_is_not_exchanged(before: str, after: str) -> None:
    assert not Spare().swap((Edit("ops.cumulative", before, after),))
